// map.h -- Grids: terrain, blocks, layers of blocks, links and thin walls, and their edits.

// Shapes of cells: squares, or hexagons in rows (R) or columns (Q). Every second row or column of
// hexagons is shifted by half a cell, counting from 0: odd ones for ODD, even ones for EVEN. R
// shifts rows to the east; each hexagon then has a corner at its top. Q shifts columns to the
// south; each hexagon then has a side at its top.
typedef enum AstarOffset {
    ASTAR_NO_OFFSET, // squares
    ASTAR_ODD_R,
    ASTAR_EVEN_R,
    ASTAR_ODD_Q,
    ASTAR_EVEN_Q,
    ASTAR_WRAP_X, // squares on a map that wraps around: a step east from the last column arrives in
                  // the first one
    ASTAR_WRAP_Y, // squares; a step south from the last row arrives in the first one
    ASTAR_WRAP_BOTH, // squares; the map wraps around in both directions
    ASTAR_OFFSET_COUNT
} AstarOffset;

// Returns the name of a shape, such as "odd_r"; "none" for squares, NULL beyond the last shape.
ASTAR_API const char *astar_offset_name(AstarOffset offset);
// Returns "square" or "hex", as options name the shape.
ASTAR_API const char *astar_offset_shape(AstarOffset offset);
// Returns "squares" or "hexagons", as messages name the cells.
ASTAR_API const char *astar_offset_cells(AstarOffset offset);
// Returns the option 'wrap' of a map that wraps around, "x", "y" or "both"; NULL for other shapes.
ASTAR_API const char *astar_offset_wrap(AstarOffset offset);

// Creates a grid of squares in which every cell has terrain 0, of cost 1. Each side is 1 to
// ASTAR_MAX_SIDE cells and the grid has at most ASTAR_MAX_CELLS cells, else ASTAR_BAD_OPTION is
// returned. The allocator is copied.
ASTAR_API AstarStatus astar_grid_new(const AstarAllocator *allocator, int width, int height,
                                     AstarGrid **out);
// Creates a grid of cells of any shape. All descriptions in this API of grids of squares apply to
// hexagons with these exceptions: a cell has six neighbours, and a step to each of them has the
// length 1. 'diagonals' and 'diagonal_cost' have no effect, 'size' must be 1 and 'any_angle' false.
// The algorithms are A* and Dijkstra's, and nothing can be baked.
//
// A map that wraps around is at least 3 cells wide in each direction in which it wraps. A step over
// the edge follows the same rules as any other step; in a path it appears as a link without a
// label. The distance between two cells is measured over the edge of the map if that is shorter. A
// map that wraps around has no walls, and nothing can be baked. Functions return ASTAR_BAD_WRAP, or
// ASTAR_BAD_OPTION for options, for everything that astar_grid_refusal and astar_crowd_refusal
// name, and for lines of sight, smoothing, repairs, cuts, supposed blocks, ranges of flows and
// ranges with many goals.
ASTAR_API AstarStatus astar_grid_new_shaped(const AstarAllocator *allocator, AstarOffset offset,
                                            int width, int height, AstarGrid **out);
// Creates a copy of a grid that can be edited independently. The two share memory, and the data
// built for searches, until one of them is edited. A clone that is edited first copies the shared
// memory; at that point the version of the clone that finders see grows. A grid and all its clones
// belong to one thread.
ASTAR_API AstarStatus astar_grid_clone(const AstarGrid *grid, AstarGrid **out);
// Makes a grid share no memory with its clones any more, as an edit would do. Stores the number of
// bytes that were allocated in '*bytes', unless it is NULL. Returns ASTAR_NO_MEMORY and changes
// nothing if memory runs out.
ASTAR_API AstarStatus astar_grid_part(AstarGrid *grid, size_t *bytes);
// Adds a reference to a grid. Finders and searches hold one each.
ASTAR_API void astar_grid_retain(AstarGrid *grid);
// Drops a reference to a grid, which is freed with the last one.
ASTAR_API void astar_grid_release(AstarGrid *grid);

// Returns the width of a grid in cells.
ASTAR_API int astar_grid_width(const AstarGrid *grid);
// Returns the height of a grid in cells.
ASTAR_API int astar_grid_height(const AstarGrid *grid);
// Returns the shape of the cells of a grid.
ASTAR_API AstarOffset astar_grid_offset(const AstarGrid *grid);
// Returns the version of a grid, which grows with each edit. Equal versions mean an unchanged grid.
ASTAR_API uint64_t astar_grid_version(const AstarGrid *grid);

// A rectangle of cells; (x, y) is its north-west cell.
typedef struct AstarRectangle {
    int x, y, width, height;
} AstarRectangle;

// Reports where a grid was edited since it had 'version'. Stores the number of edits in '*count',
// and as many of their rectangles as fit into 'capacity'. The rectangle of a wall or link is its
// cell. Returns false if the edits are not known: after more than 256 edits of terrain or of one
// layer of blocks, and after a change of a cost.
ASTAR_API bool astar_grid_changes(const AstarGrid *grid, uint64_t version, AstarRectangle *changes,
                                  size_t capacity, size_t *count);
// Returns the bytes of the grid and of the data kept with it for its finders. The memory of
// searches belongs to their workspace and is not included.
ASTAR_API size_t astar_grid_bytes(const AstarGrid *grid);

// Adds a kind of terrain and stores its number in '*terrain': 0, 1, 2, ... in order. 'cost' per
// unit of length is ASTAR_COST_MIN to ASTAR_COST_MAX, or INFINITY for terrain that cannot be
// entered. Returns ASTAR_BAD_COST for another cost, ASTAR_BAD_OPTION beyond ASTAR_MAX_TERRAINS
// kinds.
ASTAR_API AstarStatus astar_grid_add_terrain(AstarGrid *grid, double cost, int *terrain);
// Sets the cost of a terrain. The range of costs is that of astar_grid_add_terrain.
ASTAR_API AstarStatus astar_grid_set_cost(AstarGrid *grid, int terrain, double cost);
// Returns the cost of a terrain, or NAN if there is no such terrain.
ASTAR_API double astar_grid_cost(const AstarGrid *grid, int terrain);
// Returns the number of terrains of a grid.
ASTAR_API int astar_grid_terrain_count(const AstarGrid *grid);

// Returns the terrain of a cell, or -1 outside the grid.
ASTAR_API int astar_grid_get(const AstarGrid *grid, int x, int y);
// Sets the terrain of a cell. Returns ASTAR_BAD_OPTION for a terrain that does not exist.
ASTAR_API AstarStatus astar_grid_set(AstarGrid *grid, int x, int y, int terrain);
// Sets the terrain of all cells in a rectangle.
ASTAR_API AstarStatus astar_grid_fill(AstarGrid *grid, int x, int y, int width, int height,
                                      int terrain);

// Stores the terrains of the cells in a rectangle, row by row, one byte per cell.
ASTAR_API AstarStatus astar_grid_get_cells(const AstarGrid *grid, int x, int y, int width,
                                           int height, uint8_t *terrains);
// Sets the terrains of the cells in a rectangle, row by row, one byte per cell. The call counts as
// one edit, of the rows in which a terrain changes. Returns ASTAR_BAD_OPTION and changes nothing if
// a terrain does not exist.
ASTAR_API AstarStatus astar_grid_set_cells(AstarGrid *grid, int x, int y, int width, int height,
                                           const uint8_t *terrains);

// Sets blocks of layer 0 on all cells of a rectangle. Blocks do not change the terrain.
ASTAR_API AstarStatus astar_grid_block(AstarGrid *grid, int x, int y, int width, int height);
// Removes the blocks of layer 0 from all cells of a rectangle.
ASTAR_API AstarStatus astar_grid_unblock(AstarGrid *grid, int x, int y, int width, int height);
// Returns true if layer 0 has a block on a cell. Returns false outside the grid.
ASTAR_API bool astar_grid_is_blocked(const AstarGrid *grid, int x, int y);
// Stores the number of the layer of blocks with a name, and creates the layer if it does not exist.
// The name is copied. Layer 0 always exists, and its name is ""; other layers are numbered from 1.
// A cell may be blocked in several layers, and each edit of blocks changes one layer only. A finder
// can ignore layers: see 'ignore' in AstarOptions. Other threads may read the grid during the call.
// A layer allocates memory when it gets its first block. Returns ASTAR_BAD_OPTION beyond
// ASTAR_MAX_LAYERS layers or ASTAR_MAX_LAYER_NAME bytes. Also returns ASTAR_BAD_OPTION for a view
// if the layer was not published, and for a new name after astar_grid_close_layers.
ASTAR_API AstarStatus astar_grid_layer(AstarGrid *grid, const char *name, size_t length,
                                       int *layer);
// Declares that the grid has all layers of blocks that it will ever have. No new layer can be named
// from then on, neither in the grid nor in its clones and published maps. Saved grids keep this
// declaration and all names. Call the function before the grid is cloned or shared.
ASTAR_API void astar_grid_close_layers(AstarGrid *grid);
// Returns true if astar_grid_close_layers() was called for the grid.
ASTAR_API bool astar_grid_has_all_layers(const AstarGrid *grid);
// Returns the number of the layer with a name, or -1 if there is none.
ASTAR_API int astar_grid_find_layer(const AstarGrid *grid, const char *name, size_t length);
// Returns the number of layers of blocks, which is at least 1.
ASTAR_API int astar_grid_layer_count(const AstarGrid *grid);
// Returns the name of a layer, which ends with a zero byte, and stores its length; NULL beyond the
// last layer.
ASTAR_API const char *astar_grid_layer_name(const AstarGrid *grid, int layer, size_t *length);
// Sets blocks of one layer on all cells of a rectangle. Returns ASTAR_BAD_OPTION if there is no
// such layer.
ASTAR_API AstarStatus astar_grid_block_layer(AstarGrid *grid, int layer, int x, int y, int width,
                                             int height);
// Removes the blocks of one layer from all cells of a rectangle. Returns ASTAR_BAD_OPTION if there
// is no such layer.
ASTAR_API AstarStatus astar_grid_unblock_layer(AstarGrid *grid, int layer, int x, int y, int width,
                                               int height);
// Returns true if the given layer has a block on a cell.
ASTAR_API bool astar_grid_is_blocked_layer(const AstarGrid *grid, int layer, int x, int y);
// Returns true if any layer has a block on a cell.
ASTAR_API bool astar_grid_is_blocked_in_any(const AstarGrid *grid, int x, int y);
// Returns true if no layer has a block on a cell and the terrain of the cell can be entered.
ASTAR_API bool astar_grid_is_walkable(const AstarGrid *grid, int x, int y);

// The following declarations are about links and walls.

// A link in one direction, such as stairs, a portal or a jump. A link leads from one cell to
// another cell anywhere on the grid. The step over the link has its own cost, which does not depend
// on the terrain or on a field to avoid. The unit must be able to be on both cells.
typedef struct AstarLink {
    int32_t x0, y0; // cell that the link leads from
    int32_t x1, y1; // cell that it leads to
    // Cost of the whole step.
    double cost;
    uint32_t label; // number for use by the host
} AstarLink;

// Adds a link between two different cells (else ASTAR_BAD_OPTION) and, unless 'one_way', a link
// back. An existing link gets the new cost and label. 'cost' is that of the whole step, 0 to
// ASTAR_COST_MAX (else ASTAR_BAD_COST).
ASTAR_API AstarStatus astar_grid_link(AstarGrid *grid, int x0, int y0, int x1, int y1, double cost,
                                      uint32_t label, bool one_way);
// Removes the link between two cells and, unless 'one_way', the link back. Returns false if there
// was none.
ASTAR_API bool astar_grid_unlink(AstarGrid *grid, int x0, int y0, int x1, int y1, bool one_way);
// Returns the number of links; a link in both directions counts twice.
ASTAR_API uint32_t astar_grid_link_count(const AstarGrid *grid);
// Stores the link with an index. Links are ordered by the cell they lead from, then by the cell
// they lead to.
ASTAR_API void astar_grid_link_at(const AstarGrid *grid, uint32_t index, AstarLink *link);
// Stores the link from one cell to another. Returns false if there is none.
ASTAR_API bool astar_grid_find_link(const AstarGrid *grid, int x0, int y0, int x1, int y1,
                                    AstarLink *link);

// A side of a cell, and the direction of a step across it. Squares have the sides north, east,
// south and west. Hexagons in rows have all sides but north and south, hexagons in columns all but
// east and west.
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

// Returns the sides that cells of a grid have, one bit, 1 << side, for each.
ASTAR_API unsigned astar_grid_sides(const AstarGrid *grid);
// Stores the neighbour of a cell in a direction; squares have diagonal neighbours, too. Returns
// false and stores nothing if the neighbour is outside the grid or the shape has no such direction.
ASTAR_API bool astar_grid_neighbour(const AstarGrid *grid, int x, int y, AstarSide direction,
                                    int *to_x, int *to_y);
// Returns the direction of the step between two neighbours, or -1 if they are not neighbours or lie
// outside the grid.
ASTAR_API int astar_grid_direction(const AstarGrid *grid, int x, int y, int to_x, int to_y);
// Returns the length of the line between the middles of two cells. Neighbours across a side are 1
// apart. The cells may lie outside the grid.
ASTAR_API double astar_grid_length(const AstarGrid *grid, int x0, int y0, int x1, int y1);
// Returns the number of steps between two cells over open ground, where diagonal steps are allowed.
// The cells may lie outside the grid.
ASTAR_API int64_t astar_grid_steps(const AstarGrid *grid, int x0, int y0, int x1, int y1);
// Stores the middle of a cell in the lengths of astar_grid_length. The middle of a square is (x,
// y). The middle of a hexagon in a first row or column that is not shifted is (x, y), too.
ASTAR_API void astar_grid_center(const AstarGrid *grid, int x, int y, double *center_x,
                                 double *center_y);
// Stores the cell whose middle is nearest to a point. The cell may lie outside the grid. The
// coordinates of the point must be finite and within 2^30 of 0.
ASTAR_API void astar_grid_cell_at(const AstarGrid *grid, double point_x, double point_y, int *x,
                                  int *y);

// Adds a thin wall on a side of a cell, so that no step leads across that side. With 'one_way' only
// the step out of this cell is barred. A diagonal step passes two cells beside it. Through each of
// these two cells a path of two straight steps leads to the same end. A wall across such a path
// counts as an obstacle on that side. If walls bar both paths, no diagonal step is possible under
// any corner rule. Returns ASTAR_BAD_OPTION if the cells have no such side.
ASTAR_API AstarStatus astar_grid_wall(AstarGrid *grid, int x, int y, AstarSide side, bool one_way);
// Removes a wall in both directions. With 'one_way' only the wall out of this cell is removed.
ASTAR_API AstarStatus astar_grid_unwall(AstarGrid *grid, int x, int y, AstarSide side,
                                        bool one_way);
// Restricts the cells of a rectangle: a unit may leave them only across the sides in 'sides', one
// bit, 1 << side, for each. For squares these are all eight directions. Links out of the cells and
// diagonal steps past them are not affected, nor are lines of sight. A unit of several cells is
// restricted where its north-west cell is. The new restriction of a cell replaces the old one.
// Returns ASTAR_BAD_OPTION if the cells have no such side, ASTAR_BAD_WRAP on a map that wraps
// around.
ASTAR_API AstarStatus astar_grid_restrict(AstarGrid *grid, int x, int y, int width, int height,
                                          unsigned sides);
// Removes the restrictions of the cells of a rectangle.
ASTAR_API AstarStatus astar_grid_unrestrict(AstarGrid *grid, int x, int y, int width, int height);
// Returns the sides across which a restriction lets a unit leave a cell; all sides, for squares all
// directions, if the cell is not restricted or outside the grid.
ASTAR_API unsigned astar_grid_exits(const AstarGrid *grid, int x, int y);
// Stores the next restricted cell, and the sides across which it may be left. Cells come row by row
// from the north-west. '*cell' must be 0 before the first call. Returns false after the last cell.
ASTAR_API bool astar_grid_next_restricted(const AstarGrid *grid, uint64_t *cell, int *x, int *y,
                                          unsigned *sides);
// Returns true if a wall bars the step out of a cell across a side; false outside the grid.
ASTAR_API bool astar_grid_has_wall(const AstarGrid *grid, int x, int y, AstarSide side);
// Stores the next cell with walls that bar steps out of it, and these sides: one bit, 1 << side,
// for each. Cells come row by row from the north-west. '*cell' must be 0 before the first call.
// Returns false after the last cell.
ASTAR_API bool astar_grid_next_walls(const AstarGrid *grid, uint64_t *cell, int *x, int *y,
                                     unsigned *sides);
