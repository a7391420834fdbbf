// world.h -- a map without edges, in chunks of 64 x 64 cells that the host loads when they are
// asked for, and that are let go, with what was measured of them, to stay within so many bytes.
// Chunk (cx, cy) holds the cells from (64 cx, 64 cy) on; all may be negative. A world and all that
// is of it belong to one thread at a time.

#define ASTAR_CHUNK_SIDE 64
#define ASTAR_WORLD_REACH 1000000000   // cells lie from minus that to before it; rock is beyond
#define ASTAR_WORLD_MAX_TERRAINS 254   // kinds of terrain a world can hold
#define ASTAR_WORLD_MAX_SIZE 64        // of a unit
#define ASTAR_WORLD_EXPANSIONS 1048576 // of a route's search, where max_expansions says no other
#define ASTAR_WORLD_FLOODS 65536       // of one by floods, the same
#define ASTAR_WORLD_MAX_LINKS 65536    // each way one
#define ASTAR_WORLD_MIN_BYTES 1048576  // the least a world may be held to

typedef struct AstarWorld AstarWorld;
typedef struct AstarWorldFinder AstarWorldFinder;
typedef struct AstarRouteSearch AstarRouteSearch;
typedef struct AstarRoute AstarRoute;

typedef enum AstarChunkState {
    ASTAR_CHUNK_ABSENT, // not there, yet: the host may put it later
    ASTAR_CHUNK_SOLID,  // nothing can be entered
    ASTAR_CHUNK_LOADED,
} AstarChunkState;

// Fills in the terrains of a chunk's cells, row by row, and says that it did. Any status but
// ASTAR_OK ends the call that wanted the chunk with it. These two may neither leave by longjmp nor
// call anything of this world.
typedef AstarStatus (*AstarChunkLoad)(void *context, int32_t cx, int32_t cy, uint8_t *terrains,
                                      AstarChunkState *state);
// Takes a chunk that was edited, before it is let go; cells that nothing can enter, of chunks that
// were solid, have the terrain 255.
typedef AstarStatus (*AstarChunkSave)(void *context, int32_t cx, int32_t cy,
                                      const uint8_t *terrains);

typedef struct AstarWorldOptions {
    AstarChunkLoad load; // NULL: chunks are there once they are put
    AstarChunkSave save; // NULL: edited chunks are never let go
    size_t bytes;        // 64 MiB: what is kept at most but for blocks, walls and edited chunks
    double unknown;      // INFINITY: chunks that are not there cannot be entered; else what their
                         // cells cost
} AstarWorldOptions;

ASTAR_API AstarWorldOptions astar_world_options_default(void);

// A new world, nothing of which is there. Its terrains are those of 'palette', a grid of squares
// that holds each of them at least once and is not edited any more; it is retained.
// ASTAR_BAD_OPTION for hexagons, more than ASTAR_WORLD_MAX_TERRAINS or fewer bytes than
// ASTAR_WORLD_MIN_BYTES.
ASTAR_API AstarStatus astar_world_new(const AstarAllocator *allocator, AstarGrid *palette,
                                      const AstarWorldOptions *options, AstarWorld **out);
// Worlds are counted references: finders hold one each. What was edited and not saved is lost.
ASTAR_API void astar_world_retain(AstarWorld *world);
ASTAR_API void astar_world_release(AstarWorld *world);
ASTAR_API uint64_t astar_world_version(const AstarWorld *world); // counts the edits

// What a world holds now, and what it did.
typedef struct AstarWorldStats {
    size_t bytes;
    size_t chunks;                  // whose cells are there
    size_t squares;                 // measured
    uint64_t loaded, saved, let_go; // chunks, since it was made
} AstarWorldStats;

ASTAR_API AstarWorldStats astar_world_stats(const AstarWorld *world);
ASTAR_API size_t astar_world_bytes(const AstarWorld *world); // the same, at once

// 'context' is handed to the callbacks. While those run, ASTAR_GRID_CHANGED is all the answer there
// is to any call that edits or asks.
//
// A chunk that has come: its cells, row by row; NULL: solid ground. What was there is replaced.
ASTAR_API AstarStatus astar_world_put(AstarWorld *world, int32_t cx, int32_t cy,
                                      const uint8_t *terrains, void *context);
// A chunk is another than it was where the host has it: it is asked for anew when it is needed.
// Edits of it that were not saved are lost; blocks, links and walls stay.
ASTAR_API AstarStatus astar_world_changed(AstarWorld *world, int32_t cx, int32_t cy);
// A chunk that was asked for and is not there: the less 'wish' is, the sooner a route wants it.
typedef struct AstarWanted {
    int32_t cx, cy;
    double wish;
} AstarWanted;

// Fills in so many of them, in no order; how many there are.
ASTAR_API size_t astar_world_wanted(const AstarWorld *world, AstarWanted *list, size_t room);
// Saves what was edited. ASTAR_BAD_OPTION where there is no callback for that.
ASTAR_API AstarStatus astar_world_save(AstarWorld *world, void *context);

// The ground of a rectangle, row by row: terrains, 254 of solid chunks, 255 where none is there.
// The chunks are loaded; what is there the host may read while it loads and saves, too.
// ASTAR_BAD_CELL beyond ASTAR_WORLD_REACH, as of all cells.
ASTAR_API AstarStatus astar_world_read(AstarWorld *world, int32_t x, int32_t y, int width,
                                       int height, void *context, uint8_t *terrains);
#define astar_world_get(world, x, y, context, terrain)                                             \
    astar_world_read(world, x, y, 1, 1, context, terrain)
// Loads the chunks of a rectangle; ASTAR_NOT_LOADED where one is not there. Until the next call
// none of them is let go.
#define astar_world_load(world, x, y, width, height, context)                                      \
    astar_world_read(world, x, y, width, height, context, NULL)
// The same, and nothing is laid, where a chunk of the rectangle is not there.
ASTAR_API AstarStatus astar_world_fill(AstarWorld *world, int32_t x, int32_t y, int width,
                                       int height, int terrain, void *context);
#define astar_world_set(world, x, y, terrain, context)                                             \
    astar_world_fill(world, x, y, 1, 1, terrain, context)
// Blocks and walls are edited only in chunks that are loaded: else ASTAR_NOT_LOADED. They and links
// are the world's own, and stay when chunks are let go; but for blocks and walls that the host has:
// furnished while it loaded, or read by astar_world_furniture while it saved, and not edited since.
ASTAR_API AstarStatus astar_world_block(AstarWorld *world, int32_t x, int32_t y, int width,
                                        int height, bool blocked);
ASTAR_API bool astar_world_is_blocked(const AstarWorld *world, int32_t x, int32_t y);
// As astar_grid_link, _unlink, _wall, _unwall and _has_wall. ASTAR_TOO_LARGE beyond
// ASTAR_WORLD_MAX_LINKS.
ASTAR_API AstarStatus astar_world_link(AstarWorld *world, int32_t x0, int32_t y0, int32_t x1,
                                       int32_t y1, double cost, uint32_t label, bool one_way);
ASTAR_API bool astar_world_unlink(AstarWorld *world, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
                                  bool one_way);
ASTAR_API const AstarLink *astar_world_links(const AstarWorld *world, uint32_t *count);
ASTAR_API AstarStatus astar_world_wall(AstarWorld *world, int32_t x, int32_t y, AstarSide side,
                                       bool one_way);
ASTAR_API AstarStatus astar_world_unwall(AstarWorld *world, int32_t x, int32_t y, AstarSide side,
                                         bool one_way);
ASTAR_API bool astar_world_has_wall(const AstarWorld *world, int32_t x, int32_t y, AstarSide side);

// What stands in a chunk: of each cell 1 << side for the walls it has, and 2 where it is blocked.
ASTAR_API void astar_world_furniture(const AstarWorld *world, int32_t cx, int32_t cy,
                                     uint8_t *cells);
// Has these stand in a chunk that is being loaded, by the host's function for that, unless what
// stands in it is the world's own. Else nothing.
ASTAR_API AstarStatus astar_world_furnish(AstarWorld *world, int32_t cx, int32_t cy,
                                          const uint8_t *cells);

// How one kind of unit moves: as 'finder' does, a finder of the world's palette, of whose options
// 'diagonals', 'diagonal_cost', 'costs', 'size' up to ASTAR_WORLD_MAX_SIZE, 'ignore' (1: blocks),
// 'weight' and 'max_expansions' count; all others must be the default ones (ASTAR_BAD_OPTION).
// Routes lead over nodes, one for every 'spacing' cells, 2 to 64, of a free run of a line between
// chunks, and what is measured between these is kept. With a 'spacing' of 1, and to goals within
// 128 cells, they lead over all cells and are the best; with a 'weight' above 1 they cost at most
// that many times what the best does. Either way searches measure no more than they come by, and
// keep nothing of it.
ASTAR_API AstarStatus astar_world_finder_new(AstarWorld *world, AstarFinder *finder, int spacing,
                                             AstarWorldFinder **out);
// Before its first question: has it avoid a field, whose first cell lies on (x, y), as grids do:
// a change of that is an edit of the world. ASTAR_BAD_OPTION for units wider than a cell.
ASTAR_API AstarStatus astar_world_finder_avoid(AstarWorldFinder *finder, AstarField *field,
                                               int32_t x, int32_t y, double weight);
ASTAR_API void astar_world_finder_retain(AstarWorldFinder *finder);
ASTAR_API void astar_world_finder_release(AstarWorldFinder *finder);
// As astar_raycast; what is not there stops a line where it cannot be entered.
ASTAR_API AstarStatus astar_world_raycast(AstarWorldFinder *finder, int32_t x0, int32_t y0,
                                          int32_t x1, int32_t y1, void *context, bool *stopped,
                                          int32_t *x, int32_t *y);

// A search for a route, which loads and measures what it needs as it goes on. It retains the
// finder. What is edited meanwhile where it has been makes it begin anew, in the step after that,
// four times at most. Then it goes on over edits, and what it has found is checked in the end:
// ASTAR_GRID_CHANGED, as its status, where it found nothing, or that is barred now.
ASTAR_API AstarStatus astar_route_search_new(AstarWorldFinder *finder, int32_t sx, int32_t sy,
                                             int32_t gx, int32_t gy, AstarRouteSearch **out);
// Before the first step: what of a question holds in place of the finder's own, and whether the
// best route is to be found whatever the finder does. A range or max_cost asks for that, too.
// ASTAR_BAD_OPTION for 'partial', bends and a heading.
ASTAR_API AstarStatus astar_route_search_ask(AstarRouteSearch *search,
                                             const AstarQuestion *question, bool exact);
// Before the first step: a further goal, to which so many columns and rows from the nearest cell
// that the unit covers are near enough; 0: where its north-west cell is to be. Of those that can be
// stood on the route leads to the one that costs least to come to.
ASTAR_API AstarStatus astar_route_search_add_goal(AstarRouteSearch *search, int32_t x, int32_t y,
                                                  int range);
// Before the first step: has the range of a goal, counted from 0 in the order in which they were
// added, count from the unit's north-west cell, and not from the nearest cell that it covers.
// ASTAR_BAD_OPTION where there is no such goal.
ASTAR_API AstarStatus astar_route_search_count_from_corner(AstarRouteSearch *search, size_t goal);
// Has it give up soon, with ASTAR_MAX_EXPANSIONS, where a longer route would do to set off on;
// false where none does.
ASTAR_API bool astar_route_search_hurry(AstarRouteSearch *search);
// Of one with a weight, between two steps: has it go on with a greater one.
ASTAR_API void astar_route_search_raise(AstarRouteSearch *search, double weight);
// Makes at most 'expansions' more; a piece of what it has to measure counts as 256. ASTAR_OK: there
// is a route, to the goal or a part of the way. ASTAR_UNREACHABLE: none, and all that could hold
// one was there; else ASTAR_NOT_LOADED. Also ASTAR_START_BLOCKED, ASTAR_GOAL_BLOCKED,
// ASTAR_MAX_EXPANSIONS. What a callback returned leaves it where it was.
ASTAR_API AstarStatus astar_route_search_step(AstarRouteSearch *search, uint64_t expansions,
                                              void *context);
ASTAR_API AstarStatus astar_route_search_status(const AstarRouteSearch *search);
ASTAR_API uint64_t astar_route_search_expanded(const AstarRouteSearch *search);
ASTAR_API void astar_route_search_free(AstarRouteSearch *search); // NULL is fine
// The route of a search that ended ASTAR_OK.
ASTAR_API AstarStatus astar_route_search_route(const AstarRouteSearch *search, AstarRoute **out);

typedef struct AstarRouteFacts {
    double cost;     // of the route over its nodes; as walked it is a little less
    double left;     // of that, from where it has come to
    double bound;    // the best route costs at most so much less; 0 where spacing is 1, weight 1
    bool is_partial; // it ends where what is not loaded begins
    bool is_known;   // none of its nodes lies in a chunk that was not there
    int32_t gx, gy;  // where it ends
    int32_t x, y;    // where it has come to
    int legs;        // about how many are left
    uint64_t expanded;
} AstarRouteFacts;

ASTAR_API AstarRouteFacts astar_route_facts(const AstarRoute *route);
// The next stretches of the way, at most 'legs' of about four chunks, cell by cell; searched for
// anew, so that they are nearly the best. They go on where the last ones ended, or, unless
// 'goes_on', the route stays where it was. ASTAR_UNREACHABLE where edits have closed it,
// ASTAR_MAX_EXPANSIONS when nothing of it is left.
ASTAR_API AstarStatus astar_route_walk(AstarRoute *route, int legs, bool goes_on, void *context,
                                       AstarPath *path);
// Whether what is left of it can be walked as the world is now.
ASTAR_API AstarStatus astar_route_check(AstarRoute *route, void *context, bool *is_valid);
ASTAR_API void astar_route_free(AstarRoute *route); // NULL is fine
