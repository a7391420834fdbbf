// tactics.h -- Tactics: cells that separate two other cells, and fields of view.

// Greatest value of the argument 'most' of astar_min_cut.
enum { ASTAR_MOST_CUT = 64 };
// Finds the fewest cells that separate two cells if they are blocked, at most 'most' of them (0 to
// ASTAR_MOST_CUT). 'cells' has room for 'most' cells. '*count' is 0 if the two cells are separated
// already. '*count' is most + 1 if more cells are needed, or if no cell lies between the two cells.
// If there are several such sets, the result is the one nearest to the goal, or nearest to the
// start if the goal is blocked. The algorithm uses augmenting paths (Ford and Fulkerson, 1956).
// Returns ASTAR_BAD_OPTION for a finder with callbacks or a 'size' above 1.
ASTAR_API AstarStatus astar_min_cut(AstarWorkspace *workspace, AstarFinder *finder, AstarCell start,
                                    AstarCell goal, int most, AstarCell *cells, int *count);
// Finds the choke points between two cells: each of them alone separates the two if it is blocked.
// The choke points are ordered from the start to the goal. Stores at most 'room' of them and their
// number in '*count'. Returns ASTAR_UNREACHABLE if the two cells are separated already, and
// ASTAR_BAD_OPTION like astar_min_cut.
ASTAR_API AstarStatus astar_chokepoints(AstarWorkspace *workspace, AstarFinder *finder,
                                        AstarCell start, AstarCell goal, AstarCell *cells,
                                        size_t room, size_t *count);

// The range of a unit's sight and its direction.
typedef struct AstarSight {
    int radius; // straight distance in cells, on hexagons in steps; 0 to ASTAR_MAX_SIGHT
    // Middle of the cone of sight. ASTAR_NO_HEADING means that the unit sees in all directions.
    AstarHeading facing;
    double angle;       // angle of the cone, 0 to 360 degrees; unused without a heading
    bool through_walls; // true: thin walls do not stop sight
    bool is_turned;     // true: 'towards' is the middle of the cone in place of 'facing'
    double towards;     // direction in radians, clockwise: 0 is east, a quarter turn is south
} AstarSight;

// Sets the value of each cell that is visible from (x, y) to 1 and all others to 0, in a field of
// the grid's size and shape (else ASTAR_BAD_OPTION). Terrain and blocks of (x, y) do not matter. A
// cell that the finder's data lets a unit of one cell enter is transparent; any other cell stops
// sight and is visible itself. A thin wall stops sight across it if it bars both directions, unless
// 'through_walls' is set. Callbacks are not called, and links are ignored. Two transparent cells
// see each other, or neither sees the other: they do if the line between their middles stays more
// than half a cell away from the middle of every cell that stops sight, and does not pass between
// two such cells. This distance of half a cell is measured along the row, or along the column if
// the line is nearer to horizontal than to vertical. By symmetric shadowcasting (Albert Ford,
// 2017). The time depends on the radius, and no memory is allocated. astar_line_of_sight looks at
// two cells only, at any distance.
ASTAR_API AstarStatus astar_fov(AstarFinder *finder, int x, int y, const AstarSight *sight,
                                AstarField *field);
