// world.h -- Worlds: maps without edges, in chunks of 64 x 64 cells. The host loads chunks when
// they are needed. Chunks and data measured on them are unloaded to stay within a limit of bytes.
// Chunk (cx, cy) holds the cells from (64 cx, 64 cy) on; coordinates may be negative. A world and
// all its objects belong to one thread at a time.

// Number of columns and of rows of a chunk.
#define ASTAR_CHUNK_SIDE 64
// Coordinates of cells lie from -ASTAR_WORLD_REACH to ASTAR_WORLD_REACH - 1. All cells beyond these
// limits are rock.
#define ASTAR_WORLD_REACH 1000000000
#define ASTAR_WORLD_MAX_TERRAINS 254   // kinds of terrain that a world can hold
#define ASTAR_WORLD_MAX_SIZE 64        // largest size of a unit
#define ASTAR_WORLD_EXPANSIONS 1048576 // default max_expansions of a route search
#define ASTAR_WORLD_FLOODS 65536       // default max_expansions of a search from chunk to chunk
#define ASTAR_WORLD_MAX_LINKS 65536    // most links; a link in both directions counts twice
#define ASTAR_WORLD_MIN_BYTES 1048576  // least limit of bytes of a world

typedef struct AstarWorld AstarWorld;
typedef struct AstarWorldFinder AstarWorldFinder;
typedef struct AstarRouteSearch AstarRouteSearch;
typedef struct AstarRoute AstarRoute;

// Results of loading a chunk.
typedef enum AstarChunkState {
    ASTAR_CHUNK_ABSENT, // not available yet; the host may put the chunk later
    ASTAR_CHUNK_SOLID,  // no cell can be entered
    // The terrains of the cells were filled in.
    ASTAR_CHUNK_LOADED,
} AstarChunkState;

// A callback that stores the terrains of a chunk's cells, row by row, and its state. Any result but
// ASTAR_OK ends the call that needed the chunk with that status. This callback and AstarChunkSave
// must not leave by longjmp and must not call functions of this world.
typedef AstarStatus (*AstarChunkLoad)(void *context, int32_t cx, int32_t cy, uint8_t *terrains,
                                      AstarChunkState *state);
// A callback that saves an edited chunk before it is unloaded. In a chunk that was solid, cells
// that cannot be entered have the terrain 255.
typedef AstarStatus (*AstarChunkSave)(void *context, int32_t cx, int32_t cy,
                                      const uint8_t *terrains);

// Options of a world.
typedef struct AstarWorldOptions {
    AstarChunkLoad load; // NULL (default): chunks exist once astar_world_put has put them
    AstarChunkSave save; // NULL (default): edited chunks are never unloaded
    // Maximum number of bytes to keep, without blocks, walls and edited chunks. Default: 64 MiB.
    size_t bytes;
    // Cost of cells in chunks that are absent. INFINITY (default) means that they cannot be
    // entered.
    double unknown;
} AstarWorldOptions;

// Returns the default options.
ASTAR_API AstarWorldOptions astar_world_options_default(void);

// Creates a world without chunks. Its terrains are those of 'palette', a grid of squares that
// contains each terrain at least once and must not be edited any more; the grid is retained.
// Returns ASTAR_BAD_OPTION for a grid of hexagons, more than ASTAR_WORLD_MAX_TERRAINS terrains, or
// fewer bytes than ASTAR_WORLD_MIN_BYTES.
ASTAR_API AstarStatus astar_world_new(const AstarAllocator *allocator, AstarGrid *palette,
                                      const AstarWorldOptions *options, AstarWorld **out);
// Adds a reference to a world. Each finder holds one.
ASTAR_API void astar_world_retain(AstarWorld *world);
// Drops a reference to a world, which is freed with the last one. Edits that were not saved are
// lost.
ASTAR_API void astar_world_release(AstarWorld *world);
// Returns the version of a world, which grows with each edit.
ASTAR_API uint64_t astar_world_version(const AstarWorld *world);

// Statistics of a world.
typedef struct AstarWorldStats {
    // Bytes that the world occupies.
    size_t bytes;
    size_t chunks; // number of chunks whose cells are in memory
    // Number of squares of the map on which distances between nodes were measured.
    size_t squares;
    uint64_t loaded, saved,
        unloaded; // chunks loaded, saved and unloaded since the world was created
} AstarWorldStats;

// Returns the statistics of a world.
ASTAR_API AstarWorldStats astar_world_stats(const AstarWorld *world);
// Returns the bytes that the world occupies. This call takes less time than astar_world_stats,
// which also counts chunks.
ASTAR_API size_t astar_world_bytes(const AstarWorld *world);

// Replaces a chunk of a world: its terrains, row by row, or solid rock if 'terrains' is NULL. In
// this and the following functions 'context' is passed to the callbacks. While a callback runs, all
// calls that edit or query the world return ASTAR_GRID_CHANGED.
ASTAR_API AstarStatus astar_world_put(AstarWorld *world, int32_t cx, int32_t cy,
                                      const uint8_t *terrains, void *context);
// Notes that the host's version of a chunk has changed. The chunk is loaded again when it
// is needed. Edits that were not saved are lost; blocks, links, walls and restrictions stay.
ASTAR_API AstarStatus astar_world_changed(AstarWorld *world, int32_t cx, int32_t cy);
// A chunk that was needed and is absent. The lower 'wish' is, the sooner a route needs the chunk.
typedef struct AstarWanted {
    int32_t cx, cy;
    double wish;
} AstarWanted;

// Stores at most 'room' of the absent chunks that were needed, in no particular order. Returns how
// many there are.
ASTAR_API size_t astar_world_wanted(const AstarWorld *world, AstarWanted *list, size_t room);
// Saves all edited chunks. Returns ASTAR_BAD_OPTION if the world has no callback for saving.
ASTAR_API AstarStatus astar_world_save(AstarWorld *world, void *context);

// Stores the terrains of a rectangle, row by row: 254 for solid chunks, 255 for absent ones. Loads
// the chunks that are missing. A callback may call this function for chunks that are in memory.
// Returns ASTAR_BAD_CELL for cells beyond ASTAR_WORLD_REACH, like all functions below.
ASTAR_API AstarStatus astar_world_read(AstarWorld *world, int32_t x, int32_t y, int width,
                                       int height, void *context, uint8_t *terrains);
// Stores the terrain of one cell.
#define astar_world_get(world, x, y, context, terrain)                                             \
    astar_world_read(world, x, y, 1, 1, context, terrain)
// Loads the chunks of a rectangle. These chunks stay loaded until the next call. Returns
// ASTAR_NOT_LOADED if one of them is absent.
#define astar_world_load(world, x, y, width, height, context)                                      \
    astar_world_read(world, x, y, width, height, context, NULL)
// Sets the terrain of all cells in a rectangle. Returns ASTAR_NOT_LOADED and changes nothing if one
// of its chunks is absent.
ASTAR_API AstarStatus astar_world_fill(AstarWorld *world, int32_t x, int32_t y, int width,
                                       int height, int terrain, void *context);
// Sets the terrain of one cell.
#define astar_world_set(world, x, y, terrain, context)                                             \
    astar_world_fill(world, x, y, 1, 1, terrain, context)
// Sets or removes blocks on all cells of a rectangle. Blocks, walls and restrictions can be edited
// only in chunks that are loaded (else ASTAR_NOT_LOADED). When a chunk is unloaded, the world keeps
// its links, and the blocks, walls and restrictions that the host has not saved. The host has saved
// those that astar_world_furnish set during loading, or that astar_world_furniture read during
// saving, if they were not edited since.
ASTAR_API AstarStatus astar_world_block(AstarWorld *world, int32_t x, int32_t y, int width,
                                        int height, bool blocked);
// Returns true if a cell has a block.
ASTAR_API bool astar_world_is_blocked(const AstarWorld *world, int32_t x, int32_t y);
// Adds a link, like astar_grid_link. Returns ASTAR_TOO_LARGE beyond ASTAR_WORLD_MAX_LINKS links.
ASTAR_API AstarStatus astar_world_link(AstarWorld *world, int32_t x0, int32_t y0, int32_t x1,
                                       int32_t y1, double cost, uint32_t label, bool one_way);
// Removes a link, like astar_grid_unlink.
ASTAR_API bool astar_world_unlink(AstarWorld *world, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
                                  bool one_way);
// Returns all links, ordered by the cell they lead from, and stores their number in '*count'.
ASTAR_API const AstarLink *astar_world_links(const AstarWorld *world, uint32_t *count);
// Adds a thin wall, like astar_grid_wall.
ASTAR_API AstarStatus astar_world_wall(AstarWorld *world, int32_t x, int32_t y, AstarSide side,
                                       bool one_way);
// Removes a thin wall, like astar_grid_unwall.
ASTAR_API AstarStatus astar_world_unwall(AstarWorld *world, int32_t x, int32_t y, AstarSide side,
                                         bool one_way);
// Returns true if a wall bars the step out of a cell across a side.
ASTAR_API bool astar_world_has_wall(const AstarWorld *world, int32_t x, int32_t y, AstarSide side);

// Restricts the cells of a rectangle, like astar_grid_restrict: a unit may leave them only in the
// directions 'sides', one bit 1 << side each. The rectangle may extend over several chunks.
ASTAR_API AstarStatus astar_world_restrict(AstarWorld *world, int32_t x, int32_t y, int width,
                                           int height, unsigned sides);
// Removes the restrictions of the cells of a rectangle.
ASTAR_API AstarStatus astar_world_unrestrict(AstarWorld *world, int32_t x, int32_t y, int width,
                                             int height);
// Returns the directions, one bit 1 << side each, in which a restriction lets a unit leave a cell;
// all of them if the cell is not restricted.
ASTAR_API unsigned astar_world_exits(const AstarWorld *world, int32_t x, int32_t y);

// Stores a byte for each cell of a chunk in 'cells': the bits 1 << side of its walls, and the value
// 2 if it has a block. Stores a second byte for each cell in 'exits', unless 'exits' is NULL:
// the bits 1 << side of the directions in which a restriction does not let a unit leave the cell.
// Returns true if a cell of the chunk is restricted. If one is and 'exits' is NULL, the host has
// not saved the chunk's blocks, walls and restrictions.
ASTAR_API bool astar_world_furniture(const AstarWorld *world, int32_t cx, int32_t cy,
                                     uint8_t *cells, uint8_t *exits);
// Sets the blocks, walls and restrictions of a chunk that AstarChunkLoad is loading, in the format
// of astar_world_furniture. If 'exits' is NULL, no cell is restricted. Does nothing if the world
// still keeps the blocks, walls and restrictions of that chunk, or outside loading.
ASTAR_API AstarStatus astar_world_furnish(AstarWorld *world, int32_t cx, int32_t cy,
                                          const uint8_t *cells, const uint8_t *exits);

// Creates a finder for one kind of unit in a world. 'finder' is a finder of the world's palette. Of
// its options 'diagonals', 'diagonal_cost', 'costs', 'size' up to ASTAR_WORLD_MAX_SIZE, 'ignore'
// (1: blocks), 'weight' and 'max_expansions' have an effect; all other options must have their
// defaults (else ASTAR_BAD_OPTION).
//
// A search for a route visits only a few cells of each chunk, the nodes. Nodes lie where a route
// can pass from one chunk to the next: one for every 'spacing' cells, 2 to 64, of a row of free
// cells along the border. Distances between nodes are measured once and kept. With a 'spacing' of
// 1, and to goals within 128 cells, the search visits all cells and routes are optimal. With a
// 'weight' above 1 such routes cost at most that many times the optimum. Searches over all cells
// keep no distances.
ASTAR_API AstarStatus astar_world_finder_new(AstarWorld *world, AstarFinder *finder, int spacing,
                                             AstarWorldFinder **out);
// Makes a finder avoid a field whose first cell lies on (x, y), as finders of grids do. Call it
// before the first query. A change of the field is an edit of the world. Returns ASTAR_BAD_OPTION
// for units larger than a cell.
ASTAR_API AstarStatus astar_world_finder_avoid(AstarWorldFinder *finder, AstarField *field,
                                               int32_t x, int32_t y, double weight);
// Adds a reference to a finder of a world.
ASTAR_API void astar_world_finder_retain(AstarWorldFinder *finder);
// Drops a reference to a finder of a world, which is freed with the last one.
ASTAR_API void astar_world_finder_release(AstarWorldFinder *finder);
// Follows a straight line like astar_raycast. Absent chunks stop the line if they cannot be
// entered.
ASTAR_API AstarStatus astar_world_raycast(AstarWorldFinder *finder, int32_t x0, int32_t y0,
                                          int32_t x1, int32_t y1, void *context, bool *stopped,
                                          int32_t *x, int32_t *y);

// Creates a search for a route. The search loads chunks and measures distances as it needs them,
// and retains the finder. If the world is edited where the search has been, the search restarts in
// its next step, at most four times. After four restarts it continues over further edits, and its
// result is checked at the end: the status is ASTAR_GRID_CHANGED if the search found no route, or a
// route that is blocked by then.
ASTAR_API AstarStatus astar_route_search_new(AstarWorldFinder *finder, int32_t sx, int32_t sy,
                                             int32_t gx, int32_t gy, AstarRouteSearch **out);
// Sets the options of a query in place of the finder's options. Call it before the first step. With
// 'exact' the search finds the optimal route, independent of the finder's options. A search with a
// 'range' or 'max_cost' also finds the optimal route. Returns ASTAR_BAD_OPTION for 'partial', bends
// and a heading.
ASTAR_API AstarStatus astar_route_search_ask(AstarRouteSearch *search,
                                             const AstarQueryOptions *query, bool exact);
// Adds a goal. Call it before the first step. A unit has reached the goal if at most 'range'
// columns and rows lie between the goal and the nearest cell of the unit; with 0 the north-west
// cell of the unit has to be on the goal. The route leads to the cheapest of those goals that the
// unit can enter.
ASTAR_API AstarStatus astar_route_search_add_goal(AstarRouteSearch *search, int32_t x, int32_t y,
                                                  int range);
// Makes a search measure the range of a goal from the north-west cell of the unit, not from the
// nearest cell of the unit. Call it before the first step. Goals are numbered from 0 in the order
// in which they were added. Returns ASTAR_BAD_OPTION if there is no such goal.
ASTAR_API AstarStatus astar_route_search_count_from_corner(AstarRouteSearch *search, size_t goal);
// Makes a search give up early, with ASTAR_MAX_EXPANSIONS, if the caller could set off on a longer
// route instead. Returns false if the options of the search require the best route, so that the
// caller could not use a longer one.
ASTAR_API bool astar_route_search_hurry(AstarRouteSearch *search);
// Raises the weight of a search. The search must have a weight above 1 already, and no step of it
// may be running.
ASTAR_API void astar_route_search_raise(AstarRouteSearch *search, double weight);
// Makes at most 'expansions' more expansions; measuring a piece of the map counts as 256. Returns
// ASTAR_OK for a route to the goal, or for the first part of such a route. Returns
// ASTAR_UNREACHABLE if no route exists and all chunks that could hold one were loaded, otherwise
// ASTAR_NOT_LOADED. Other results: ASTAR_START_BLOCKED, ASTAR_GOAL_BLOCKED, ASTAR_MAX_EXPANSIONS.
// If a callback returns an error, the step returns this error and leaves the search unchanged.
ASTAR_API AstarStatus astar_route_search_step(AstarRouteSearch *search, uint64_t expansions,
                                              void *context);
// Returns the status of a search.
ASTAR_API AstarStatus astar_route_search_status(const AstarRouteSearch *search);
// Returns how many nodes a search has expanded.
ASTAR_API uint64_t astar_route_search_expanded(const AstarRouteSearch *search);
// Frees a search. NULL is allowed.
ASTAR_API void astar_route_search_free(AstarRouteSearch *search);
// Creates the route of a search that ended with ASTAR_OK.
ASTAR_API AstarStatus astar_route_search_route(const AstarRouteSearch *search, AstarRoute **out);

// Facts about a route.
typedef struct AstarRouteFacts {
    double cost;     // cost of the route over its nodes; walking it costs this or a little less
    double left;     // part of the cost that remains from the present position
    double bound;    // the best route costs at most this much less; 0 with spacing 1 and weight 1
    bool is_partial; // true if the route ends where absent chunks begin
    bool is_known;   // true if no node of the route lies in an absent chunk
    int32_t gx, gy;  // end of the route
    int32_t x, y;    // present position
    int legs;        // about how many stretches remain
    // Number of nodes that the search expanded.
    uint64_t expanded;
} AstarRouteFacts;

// Returns the facts about a route.
ASTAR_API AstarRouteFacts astar_route_facts(const AstarRoute *route);
// Stores the next cells of a route: at most 'legs' stretches, each about four chunks long. These
// stretches are searched for again cell by cell, so they are nearly optimal. The stretches start at
// the present position of the route. If 'goes_on' is true, the end of the last stretch becomes the
// new position. If the present position is the end of the route, the path gets no cells. Returns
// ASTAR_UNREACHABLE if edits have blocked the route.
ASTAR_API AstarStatus astar_route_walk(AstarRoute *route, int legs, bool goes_on, void *context,
                                       AstarPath *path);
// Stores true in '*is_valid' if the rest of a route can be walked in the world as it is now.
ASTAR_API AstarStatus astar_route_check(AstarRoute *route, void *context, bool *is_valid);
// Frees a route. NULL is allowed.
ASTAR_API void astar_route_free(AstarRoute *route);
