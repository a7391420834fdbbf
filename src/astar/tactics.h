// tactics.h -- the part tactics: cells that part two others, and fields of view.

enum { ASTAR_MOST_CUT = 64 };
// The fewest cells, at most 'most' (0 to ASTAR_MOST_CUT), whose blocking parts two cells: room for
// as many. '*count' is 0 where they are parted, most + 1 where it takes more, or nothing lies
// between. Of several such sets the one nearest to the goal; to the start where that is blocked. By
// augmenting paths (Ford and Fulkerson, 1956). ASTAR_BAD_OPTION where callbacks are asked, and of a
// 'size' above 1.
ASTAR_API AstarStatus astar_min_cut(AstarWorkspace *workspace, AstarFinder *finder, AstarCell start,
                                    AstarCell goal, int most, AstarCell *cells, int *count);
// The cells each of whose blocking alone parts two cells, from the start to the goal: as many as
// there is 'room' for, and how many there are. ASTAR_UNREACHABLE where they are parted;
// ASTAR_BAD_OPTION as above.
ASTAR_API AstarStatus astar_chokepoints(AstarWorkspace *workspace, AstarFinder *finder,
                                        AstarCell start, AstarCell goal, AstarCell *cells,
                                        size_t room, size_t *count);

// How far a unit sees.
typedef struct AstarSight {
    int radius;          // 0 to ASTAR_MAX_SIGHT: the straight distance, on hexagons the steps
    AstarHeading facing; // ASTAR_NO_HEADING: all around
    double angle;        // else 0 to 360 degrees: that of the cone it sees
} AstarSight;

// What is seen from a cell, whatever stands there: each such cell's value becomes 1, all others 0,
// of a field of the grid's size and shape (ASTAR_BAD_OPTION). Cells that the finder's data lets a
// unit of one cell enter pass sight, all others stop it and are seen themselves; callbacks are not
// asked, links and walls do not count. Of two cells that pass sight each sees the other exactly if
// that sees it: where the line between their middles comes nowhere within half a cell, measured
// along its row (along its column where it is nearer to level), of the middle of one that stops it,
// nor passes between two of those. By symmetric shadowcasting (Albert Ford, 2017). What it takes
// goes by the radius, and nothing is allocated.
ASTAR_API AstarStatus astar_fov(AstarFinder *finder, int x, int y, const AstarSight *sight,
                                AstarField *field);
