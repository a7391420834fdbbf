// tactics.h -- the part tactics: cells that part two others, and fields of view.

enum { ASTAR_MOST_CUT = 64 };
// Finds the fewest cells, at most 'most' (0 to ASTAR_MOST_CUT), that separate two cells when they
// are blocked. 'cells' has room for 'most' of them. '*count' is 0 if the two cells are separated
// already, and most + 1 if it takes more cells or if no cell lies between them. Of several such
// sets it is the one nearest to the goal, or nearest to the start if the goal is blocked. By
// augmenting paths (Ford and Fulkerson, 1956). Returns ASTAR_BAD_OPTION for a finder with callbacks
// or a 'size' above 1.
ASTAR_API AstarStatus astar_min_cut(AstarWorkspace *workspace, AstarFinder *finder, AstarCell start,
                                    AstarCell goal, int most, AstarCell *cells, int *count);
// Finds the cells that separate two cells when one of them alone is blocked, in order from the
// start to the goal. Stores as many as there is 'room' for, and in '*count' how many there are.
// Returns ASTAR_UNREACHABLE if the two cells are separated already, ASTAR_BAD_OPTION as above.
ASTAR_API AstarStatus astar_chokepoints(AstarWorkspace *workspace, AstarFinder *finder,
                                        AstarCell start, AstarCell goal, AstarCell *cells,
                                        size_t room, size_t *count);

// How far a unit sees.
typedef struct AstarSight {
    int radius;          // 0 to ASTAR_MAX_SIGHT: the straight distance, on hexagons the steps
    AstarHeading facing; // ASTAR_NO_HEADING: all around
    double angle;        // else 0 to 360 degrees: that of the cone it sees
    bool through_walls;  // thin walls do not stop sight
    bool is_turned;      // it looks where 'towards' says, in place of 'facing'
    double towards;      // in radians: 0 east, a quarter turn south
} AstarSight;

// Sets the value of each cell that is visible from (x, y) to 1 and all others to 0, in a field of
// the grid's size and shape (else ASTAR_BAD_OPTION). What stands on (x, y) does not matter. A cell
// that the finder's data lets a unit of one cell enter is transparent; any other cell stops sight
// and is visible itself. A thin wall stops sight across it if it bars both ways, unless
// 'through_walls' is set. Callbacks are not called; links do not count. Two transparent
// cells see each other, or neither sees the other: they do if the line between their middles stays
// more than half a cell away from the middle of every cell that stops sight, and does not pass
// between two such cells. That half cell is measured along the row, or along the column for a line
// that is nearer to level. By symmetric shadowcasting (Albert Ford, 2017). The time depends on the
// radius, and no memory is allocated. astar_line_of_sight looks at two cells only, at any distance.
ASTAR_API AstarStatus astar_fov(AstarFinder *finder, int x, int y, const AstarSight *sight,
                                AstarField *field);
