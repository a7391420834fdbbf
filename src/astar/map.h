// map.h -- the ground, what stands on it, links and walls.

// The shape of the cells: squares, or hexagons in rows or columns of which every other one is
// pushed on by half a cell, counted from the first as 0: by 'R' rows, to the east, of hexagons that
// stand on a corner, by 'Q' columns, to the south, of hexagons that lie on a side.
typedef enum AstarOffset {
    ASTAR_NO_OFFSET, // squares
    ASTAR_ODD_R,
    ASTAR_EVEN_R,
    ASTAR_ODD_Q,
    ASTAR_EVEN_Q,
    ASTAR_WRAP_X, // squares of a map that wraps around: a step east of the last column is the first
    ASTAR_WRAP_Y, // south of the last row
    ASTAR_WRAP_BOTH,
    ASTAR_OFFSET_COUNT
} AstarOffset;

// "odd_r", ...; "none" of squares, NULL beyond the last. The same of the shape it is one of, as
// options have it, "square" or "hex", and as messages do, "squares" or "hexagons". Of a world that
// goes round its option wrap, "x", "y" or "both"; NULL of others.
ASTAR_API const char *astar_offset_name(AstarOffset offset);
ASTAR_API const char *astar_offset_shape(AstarOffset offset);
ASTAR_API const char *astar_offset_cells(AstarOffset offset);
ASTAR_API const char *astar_offset_wrap(AstarOffset offset);

// A new grid, every cell of terrain 0, which costs 1. Sides from 1 to ASTAR_MAX_SIDE with at most
// ASTAR_MAX_CELLS cells, else ASTAR_BAD_OPTION; the allocator is copied.
ASTAR_API AstarStatus astar_grid_new(const AstarAllocator *allocator, int width, int height,
                                     AstarGrid **out);
// The same of cells of any shape. Of hexagons all that is said of squares holds but: each has six
// neighbours, a step to any of which has the length 1; 'diagonals' and 'diagonal_cost' do not
// count, 'size' must be 1 and 'any_angle' false; A* and Dijkstra's algorithm are what there is, and
// nothing is baked. A map that wraps around is 3 cells wide at least where it does. Its rules of
// steps hold over the seam, where a path has a link without a label, and the distance of two cells
// is that of the shorter way round. It has no walls and nothing is baked; what astar_grid_refusal
// and astar_crowd_refusal name, lines of sight, smoothing, repairs, cuts, supposed blocks, ranges
// of flows and of many goals, it cannot honour: ASTAR_BAD_SEAM, or ASTAR_BAD_OPTION of options.
ASTAR_API AstarStatus astar_grid_new_shaped(const AstarAllocator *allocator, AstarOffset offset,
                                            int width, int height, AstarGrid **out);
// An equal grid of its own: whatever is done to either changes nothing of the other. Until one of
// both is edited they lie in the same memory, and what is built of the map serves both; a clone
// that is edited copies that, too. As they part the version of a clone that finders have grows. A
// clone, its clones and the grid they are of are one thread's.
ASTAR_API AstarStatus astar_grid_clone(const AstarGrid *grid, AstarGrid **out);
// Has a grid share no memory with clones from now on, as edits do first; tells, unless that is
// NULL, how many bytes were taken for it. ASTAR_NO_MEMORY; all stays as it was then.
ASTAR_API AstarStatus astar_grid_part(AstarGrid *grid, size_t *bytes);
// Grids are counted references: finders and searches hold one each.
ASTAR_API void astar_grid_retain(AstarGrid *grid);
ASTAR_API void astar_grid_release(AstarGrid *grid);

ASTAR_API int astar_grid_width(const AstarGrid *grid);
ASTAR_API int astar_grid_height(const AstarGrid *grid);
ASTAR_API AstarOffset astar_grid_offset(const AstarGrid *grid);
// Counts the edits: equal versions mean an unchanged grid.
ASTAR_API uint64_t astar_grid_version(const AstarGrid *grid);

typedef struct AstarRectangle {
    int x, y, width, height;
} AstarRectangle;

// Where edits were made since the grid had that version: their rectangles, of a wall or link the
// cell. Stores how many there are, and those that fit into 'capacity'. False where that is not
// known: after more than 256 edits of the ground, or of a layer of blocks, and once a cost has
// changed.
ASTAR_API bool astar_grid_changes(const AstarGrid *grid, uint64_t version, AstarRectangle *changes,
                                  size_t capacity, size_t *count);
// The bytes the grid and what is kept beside it for its finders take up now; what searches work in
// is their workspace's.
ASTAR_API size_t astar_grid_bytes(const AstarGrid *grid);

// Adds a kind of terrain and stores its number (0, 1, 2, ... in order). 'cost' per unit of length
// from ASTAR_COST_MIN to ASTAR_COST_MAX, or INFINITY for ground that cannot be entered.
// ASTAR_BAD_COST when out of range, ASTAR_BAD_OPTION beyond ASTAR_MAX_TERRAINS kinds.
ASTAR_API AstarStatus astar_grid_add_terrain(AstarGrid *grid, double cost, int *terrain);
ASTAR_API AstarStatus astar_grid_set_cost(AstarGrid *grid, int terrain, double cost);
ASTAR_API double astar_grid_cost(const AstarGrid *grid,
                                 int terrain); // NAN where there is no such terrain
ASTAR_API int astar_grid_terrain_count(const AstarGrid *grid);

// The ground; -1 outside. ASTAR_BAD_OPTION for a terrain that does not exist.
ASTAR_API int astar_grid_get(const AstarGrid *grid, int x, int y);
ASTAR_API AstarStatus astar_grid_set(AstarGrid *grid, int x, int y, int terrain);
ASTAR_API AstarStatus astar_grid_fill(AstarGrid *grid, int x, int y, int width, int height,
                                      int terrain);

// The cells of a rectangle at once, row by row: a terrain each, of which a grid has at most 256.
// Setting is one edit, of the rows that differ, and all or nothing: ASTAR_BAD_OPTION where a
// terrain does not exist.
ASTAR_API AstarStatus astar_grid_get_cells(const AstarGrid *grid, int x, int y, int width,
                                           int height, uint8_t *terrains);
ASTAR_API AstarStatus astar_grid_set_cells(AstarGrid *grid, int x, int y, int width, int height,
                                           const uint8_t *terrains);

// Blocks are what stands on the ground: unblocking brings the ground back. Outside nothing is
// blocked, nor walkable.
ASTAR_API AstarStatus astar_grid_block(AstarGrid *grid, int x, int y, int width, int height);
ASTAR_API AstarStatus astar_grid_unblock(AstarGrid *grid, int x, int y, int width, int height);
ASTAR_API bool astar_grid_is_blocked(const AstarGrid *grid, int x, int y);
// Blocks lie in layers, which finders may ignore: see AstarOptions. A cell may be blocked in
// several; what is blocked or freed is so in one alone. Layer 0 is the one above: its name is "",
// of no bytes. Stores the number of the layer by a name, which is copied: the next one, 1 at first,
// where there is none yet, whatever threads read meanwhile. ASTAR_BAD_OPTION beyond
// ASTAR_MAX_LAYERS of them, or ASTAR_MAX_LAYER_NAME bytes, or where a view is to have one that was
// not published, or once the grid has all layers. Layers take memory from their first block on.
ASTAR_API AstarStatus astar_grid_layer(AstarGrid *grid, const char *name, size_t length,
                                       int *layer);
// Declares that the grid has all layers of blocks that it will ever have: no other can be named
// from then on, of its clones and the maps that it publishes neither. Grids that are saved keep
// that, and all names. To be called before the grid is cloned or shared.
ASTAR_API void astar_grid_close_layers(AstarGrid *grid);
ASTAR_API bool astar_grid_has_all_layers(const AstarGrid *grid);
// The number of that layer; -1 where there is none.
ASTAR_API int astar_grid_find_layer(const AstarGrid *grid, const char *name, size_t length);
// How many layers there are, 1 at least, and their names, which end with a zero; NULL beyond the
// last.
ASTAR_API int astar_grid_layer_count(const AstarGrid *grid);
ASTAR_API const char *astar_grid_layer_name(const AstarGrid *grid, int layer, size_t *length);
// The same as above in a layer; ASTAR_BAD_OPTION where it does not exist.
ASTAR_API AstarStatus astar_grid_block_layer(AstarGrid *grid, int layer, int x, int y, int width,
                                             int height);
ASTAR_API AstarStatus astar_grid_unblock_layer(AstarGrid *grid, int layer, int x, int y, int width,
                                               int height);
ASTAR_API bool astar_grid_is_blocked_layer(const AstarGrid *grid, int layer, int x, int y);
ASTAR_API bool astar_grid_is_blocked_in_any(const AstarGrid *grid, int x, int y);
// Neither blocked, in any layer, nor of terrain that cannot be entered.
ASTAR_API bool astar_grid_is_walkable(const AstarGrid *grid, int x, int y);

// ---- links and walls ----

// One way over a link: stairs, a portal, a jump. It leads from any cell to any other, at a cost of
// its own, whatever the ground is and the field to avoid; both cells must be such that the unit can
// stand there.
typedef struct AstarLink {
    int32_t x0, y0; // from here
    int32_t x1, y1; // to there
    double cost;
    uint32_t label; // the host's own
} AstarLink;

// Links two cells, not the same (ASTAR_BAD_OPTION), there and, unless 'one_way', back; what link
// there is already takes the new cost and label. 'cost' is that of the whole step, from 0 to
// ASTAR_COST_MAX (ASTAR_BAD_COST).
ASTAR_API AstarStatus astar_grid_link(AstarGrid *grid, int x0, int y0, int x1, int y1, double cost,
                                      uint32_t label, bool one_way);
// Takes the way there and, unless 'one_way', the way back away; whether there was any.
ASTAR_API bool astar_grid_unlink(AstarGrid *grid, int x0, int y0, int x1, int y1, bool one_way);
// The links, each way one, in the order of the cells they lead from, then of those they lead to.
ASTAR_API uint32_t astar_grid_link_count(const AstarGrid *grid);
ASTAR_API void astar_grid_link_at(const AstarGrid *grid, uint32_t index, AstarLink *link);
// Stores the link from one cell to another; false where there is none.
ASTAR_API bool astar_grid_find_link(const AstarGrid *grid, int x0, int y0, int x1, int y1,
                                    AstarLink *link);

// A side of a cell, and the direction of a step over it. Squares have the sides north, east, south
// and west; hexagons in rows all but north and south, hexagons in columns all but east and west.
typedef enum AstarSide {
    ASTAR_SIDE_NORTH,
    ASTAR_SIDE_NORTH_EAST,
    ASTAR_SIDE_EAST,
    ASTAR_SIDE_SOUTH_EAST,
    ASTAR_SIDE_SOUTH,
    ASTAR_SIDE_SOUTH_WEST,
    ASTAR_SIDE_WEST,
    ASTAR_SIDE_NORTH_WEST,
} AstarSide;

// The sides that cells of a grid have: a bit, 1 << side, for each.
ASTAR_API unsigned astar_grid_sides(const AstarGrid *grid);
// Stores the neighbour of a cell in a direction, of squares diagonally, too. False, and nothing
// stored, where that is outside, or there is no such direction.
ASTAR_API bool astar_grid_neighbour(const AstarGrid *grid, int x, int y, AstarSide direction,
                                    int *to_x, int *to_y);
// The direction of the step between two neighbours; -1 where they are none, or outside.
ASTAR_API int astar_grid_direction(const AstarGrid *grid, int x, int y, int to_x, int to_y);
// The length of the line between the middles of two cells, where neighbours over a side are 1
// apart; and the number of steps over open ground, on squares diagonal ones, too. Neither cell need
// be inside.
ASTAR_API double astar_grid_length(const AstarGrid *grid, int x0, int y0, int x1, int y1);
ASTAR_API int64_t astar_grid_steps(const AstarGrid *grid, int x0, int y0, int x1, int y1);
// The middle of a cell, by that measure: (x, y) itself of squares and of hexagons that are not
// pushed on in the first row or column; and the cell whose middle is nearest to a point, which may
// lie outside. A point must be finite, and within 2^30 of 0.
ASTAR_API void astar_grid_center(const AstarGrid *grid, int x, int y, double *center_x,
                                 double *center_y);
ASTAR_API void astar_grid_cell_at(const AstarGrid *grid, double point_x, double point_y, int *x,
                                  int *y);

// Puts a thin wall on a side of a cell: no step leads across it, or, where it is 'one_way', none
// out of this cell. A diagonal step has two ways around, each past one of the two cells beside it
// by two straight steps; a wall across either closes that way, and counts as an obstacle there;
// past walls that close both no diagonal step leads under any rule. ASTAR_BAD_OPTION where cells
// have no such side.
ASTAR_API AstarStatus astar_grid_wall(AstarGrid *grid, int x, int y, AstarSide side, bool one_way);
// Opens it, both ways, or only out of this cell.
ASTAR_API AstarStatus astar_grid_unwall(AstarGrid *grid, int x, int y, AstarSide side,
                                        bool one_way);
// Whether a wall bars the step out of a cell across one of its sides; none does outside.
ASTAR_API bool astar_grid_has_wall(const AstarGrid *grid, int x, int y, AstarSide side);
// Stores the next cell that walls bar the way out of, row by row from the north-west, and by which
// sides: a bit, 1 << side, for each. False after the last; '*cell' is 0 at first.
ASTAR_API bool astar_grid_next_walls(const AstarGrid *grid, uint64_t *cell, int *x, int *y,
                                     unsigned *sides);
