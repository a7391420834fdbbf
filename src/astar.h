// astar.h -- shortest paths on grids of terrain: the whole public C API.
//
// A grid holds what the ground is (terrain, up to 256 kinds, each with a cost) and what stands on
// it (blocks). A finder says how one kind of unit moves over a grid: its corner rule, its costs,
// its algorithm. A finder finds paths; every edit of the grid is live for its next question. What a
// search writes lies in a workspace, one for all grids and finders of a thread.
//
//     AstarGrid *grid;
//     AstarFinder *finder;
//     AstarWorkspace *workspace;
//     AstarPath path;
//     astar_grid_new(NULL, 20, 10, &grid);
//     astar_grid_block(grid, 4, 2, 1, 5);
//     astar_finder_new(grid, NULL, &finder);
//     astar_workspace_new(NULL, &workspace);
//     astar_path_init(&path);
//     if (astar_find_path(workspace, finder, 0, 0, 9, 4, NULL, NULL, &path) == ASTAR_OK)
//         printf("%d cells, cost %g\n", path.cells, path.cost);
//     astar_path_destroy(&path);
//     astar_workspace_free(workspace);
//     astar_finder_release(finder);
//     astar_grid_release(grid);
//
// Coordinates are 0-based cells: x to the right = east, y down = south. A path's cost is the sum
// of its steps; a step costs its length (1, or the finder's diagonal_cost) times the cost of the
// cell it enters. The same question to the same grid gives the same path on every machine.
//
// A cell outside the grid is ASTAR_BAD_CELL, and changes nothing; functions that return no status
// say what they return for it.
//
// Threads: any number of them may ask about the same grid, and the same field, at once, while
// nobody changes either. Finders, workspaces and what comes of them, searches, flows and paths,
// belong to one thread each. Retaining and releasing grids and fields is safe from any, so each
// thread may make finders of its own; what is built of a grid for one finder serves all. Edits and
// questions of other threads are the host's to keep apart, or the grid is shared: then threads see
// it through views, as it was published last. Built with ASTAR_NO_THREADS, a grid and all that is
// of it belong to one thread.

#ifndef ASTAR_H
#define ASTAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ASTAR_VERSION "1.0.0-rc" // the one place: all else that says a version takes it from here

// Before what a shared library exports; all else stays inside. Building one defines
// ASTAR_BUILD_SHARED. Windows needs to be told by its users, too: they define ASTAR_SHARED.
#if defined(ASTAR_BUILD_SHARED) && defined(_WIN32)
#define ASTAR_API __declspec(dllexport)
#elif defined(ASTAR_BUILD_SHARED) && defined(__GNUC__)
#define ASTAR_API __attribute__((visibility("default")))
#elif defined(ASTAR_SHARED) && defined(_WIN32)
#define ASTAR_API __declspec(dllimport)
#else
#define ASTAR_API
#endif

// 0: that part, and all its functions, was left out, as by make WITHOUT="crowd world".
#ifndef ASTAR_HAS_BAKING
#define ASTAR_HAS_BAKING 1
#endif
#ifndef ASTAR_HAS_CROWD
#define ASTAR_HAS_CROWD 1
#endif
#ifndef ASTAR_HAS_GRAPH
#define ASTAR_HAS_GRAPH 1
#endif
#ifndef ASTAR_HAS_WORKERS
#define ASTAR_HAS_WORKERS 1
#endif
#ifndef ASTAR_HAS_WORLD
#define ASTAR_HAS_WORLD 1
#endif

#define ASTAR_MAX_SIDE 16777216     // the widest or highest grid, in cells
#define ASTAR_MAX_CELLS 268435456   // width * height at most
#define ASTAR_MAX_TERRAINS 256      // kinds of terrain a grid can hold
#define ASTAR_COST_MIN 0.001        // the cheapest terrain, per unit of length
#define ASTAR_COST_MAX 1000000.0    // the dearest; INFINITY means it cannot be entered
#define ASTAR_MAX_WEIGHT 1000000.0  // the largest 'weight' of a finder
#define ASTAR_MAX_SIZE 255          // the largest 'size' of a finder: cells a side of its unit
#define ASTAR_MAX_PIVOTS 16         // the most that astar_finder_bake takes
#define ASTAR_MAX_LAYERS 32         // of blocks with names, beside the one without
#define ASTAR_MAX_LAYER_NAME 255    // bytes of such a name
#define ASTAR_MAX_ORIGIN 1000000000 // how far from 0 the origin saved with a grid may be

typedef struct AstarGrid AstarGrid;
typedef struct AstarField AstarField;
typedef struct AstarFinder AstarFinder;
typedef struct AstarWorkspace AstarWorkspace;
typedef struct AstarSearch AstarSearch;
typedef struct AstarFlow AstarFlow;
typedef struct AstarShared AstarShared;

// What came of a call. The first two are success; then come facts about the world, then faults.
typedef enum AstarStatus {
    ASTAR_OK,             // done; of a search: a path was found
    ASTAR_RUNNING,        // the search has more to do
    ASTAR_START_BLOCKED,  // the unit cannot stand on the terrain of the start, or juts out there
    ASTAR_GOAL_BLOCKED,   // the goal cannot be entered
    ASTAR_UNREACHABLE,    // no way leads there
    ASTAR_MAX_COST,       // no path costs as little as max_cost
    ASTAR_MAX_EXPANSIONS, // max_expansions were spent before a path was found
    ASTAR_GRID_CHANGED,   // the grid was edited since the search began, and that may matter
    ASTAR_BAD_COST,       // a callback returned a cost out of range, or a heuristic below 0
    ASTAR_BAD_OPTION,     // an option out of its range, or two that contradict each other
    ASTAR_NO_MEMORY,      // an allocation failed; objects are as they were
    ASTAR_BAD_LINKS_AND_WALLS, // the algorithm asked for by name cannot honour links and walls
    ASTAR_BAD_GROUND,          // nor this one ground of several costs
    ASTAR_BAD_CELL,            // a cell, or part of a rectangle, is outside the grid or field
    ASTAR_BAD_DATA,            // the bytes are no saved grid, or a damaged one
    ASTAR_TOO_LARGE,           // the saved grid has more cells than max_cells
    ASTAR_OCCUPIED,            // a unit of the crowd stands there
    ASTAR_NOT_LOADED,          // of a world: what is not loaded may hold a way
    ASTAR_BUSY,                // every copy of a shared map is being read
    ASTAR_NAME_TAKEN,          // another map is shared under that name
    ASTAR_WITHOUT_THREADS,     // the library was built with ASTAR_NO_THREADS
    ASTAR_NO_WORKERS,          // a thread could not be started
    ASTAR_CANCELLED,           // taken back before it was answered
    ASTAR_UNSOLVABLE,          // of a crowd: units cannot all be where they are to go
    ASTAR_OUT_OF_BYTES,        // what it may take up was not enough
    ASTAR_STATUS_COUNT         // none: how many there are, as in the enumerations below
} AstarStatus;

// The status as a phrase: "start blocked", "unreachable", "max_cost", ...
ASTAR_API const char *astar_status_text(AstarStatus status);

// Where memory comes from. 'allocate' returns 'size' zeroed bytes, aligned for any type, or NULL;
// 'release' takes them back. A NULL AstarAllocator means calloc and free. That of a grid is called
// by every thread that asks about it.
typedef struct AstarAllocator {
    void *(*allocate)(void *context, size_t size);
    void (*release)(void *context, void *block, size_t size);
    void *context;
} AstarAllocator;

// ---- grid ----

// The shape of the cells: squares, or hexagons in rows or columns of which every other one is
// pushed on by half a cell, counted from the first as 0: by 'R' rows, to the east, of hexagons that
// stand on a corner, by 'Q' columns, to the south, of hexagons that lie on a side.
typedef enum AstarOffset {
    ASTAR_NO_OFFSET, // squares
    ASTAR_ODD_R,
    ASTAR_EVEN_R,
    ASTAR_ODD_Q,
    ASTAR_EVEN_Q,
    ASTAR_OFFSET_COUNT
} AstarOffset;

// "odd_r", ...; "none" of squares, NULL beyond the last.
ASTAR_API const char *astar_offset_name(AstarOffset offset);

// A new grid, every cell of terrain 0, which costs 1. Sides from 1 to ASTAR_MAX_SIDE with at most
// ASTAR_MAX_CELLS cells, else ASTAR_BAD_OPTION; the allocator is copied.
ASTAR_API AstarStatus astar_grid_new(const AstarAllocator *allocator, int width, int height,
                                     AstarGrid **out);
// The same of hexagons, of which all that is said of squares holds but: each has six neighbours, a
// step to any of which has the length 1; 'diagonals' and 'diagonal_cost' do not count, 'size' must
// be 1 and 'any_angle' false; A* and Dijkstra's algorithm are what there is, and nothing is baked.
ASTAR_API AstarStatus astar_grid_new_hexagons(const AstarAllocator *allocator, AstarOffset offset,
                                              int width, int height, AstarGrid **out);
// An equal grid that shares nothing with this one.
ASTAR_API AstarStatus astar_grid_clone(const AstarGrid *grid, AstarGrid **out);
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
// not published. Layers take memory from their first block on.
ASTAR_API AstarStatus astar_grid_layer(AstarGrid *grid, const char *name, size_t length,
                                       int *layer);
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

// ---- saving and loading ----

// What a host calls a terrain, or the label of a link, in a saved grid.
typedef enum AstarNameKind {
    ASTAR_NAME_NUMBER,
    ASTAR_NAME_BOOLEAN,
    ASTAR_NAME_TEXT,
    ASTAR_NAME_OTHER, // the key of a graph's node that only the host knows, by 'number'; not saved
} AstarNameKind;

typedef struct AstarName {
    AstarNameKind kind;
    double number;    // 0 or 1 of a boolean
    const char *text; // 'length' bytes of any kind, of a text
    size_t length;
} AstarName;

// The name of a terrain, from 0 on, or of a label, from 1 on.
typedef AstarName (*AstarNaming)(void *context, uint32_t number);

// What a host saves beside the grid.
typedef struct AstarSaving {
    int32_t x0, y0;       // how it counts the first cell: within ASTAR_MAX_ORIGIN of 0
    uint32_t label_count; // labels 1 to this have a name
    AstarNaming terrain;  // NULL: the names of terrains are their numbers
    AstarNaming label;    // NULL: labels have no names
    void *context;        // handed to both
} AstarSaving;

// Writes ground, blocks, links and walls as bytes, the same on every machine, which astar.load of
// Lua takes, too, where all labels have names. Returns how many bytes there are; those that do not
// fit into 'capacity' are left out, so that NULL and 0 only measure. NULL for 'saving': nothing but
// the grid. The naming functions may leave by longjmp.
ASTAR_API size_t astar_grid_save(const AstarGrid *grid, const AstarSaving *saving, void *bytes,
                                 size_t capacity);

// Names as they were saved, in order; its fields are its own.
typedef struct AstarNames {
    const unsigned char *at, *end;
    uint32_t count; // of those to come
    uint32_t gap;
} AstarNames;

// What was saved beside a grid. The names lie in the bytes that were loaded.
typedef struct AstarSaved {
    int32_t width, height;
    int32_t x0, y0;
    AstarNames terrains; // of each terrain
    AstarNames labels;   // of label 1, 2, ...; links may bear others
} AstarSaved;

// A new grid as astar_grid_save wrote it, and what was saved beside it. ASTAR_BAD_DATA for bytes
// that are no such thing, be they cut, altered or forged; ASTAR_TOO_LARGE for more than 'max_cells'
// cells, with the sides stored in 'saved': a few bytes can stand for ASTAR_MAX_CELLS.
ASTAR_API AstarStatus astar_grid_load(const AstarAllocator *allocator, const void *bytes,
                                      size_t length, uint32_t max_cells, AstarGrid **out,
                                      AstarSaved *saved);
// Takes the next name; false after the last.
ASTAR_API bool astar_names_next(AstarNames *names, AstarName *name);

// ---- one map, many threads ----

// A grid that is shared goes on being edited and asked by its owner, one thread, at once and as
// ever; other threads see it through views, as it was when it was last published, all of an edit or
// nothing. Behind it stand copies of the map, two as a rule ("left-right": Ramalhete and Correia,
// 2015): nobody reads the one that publishing brings up to date, nobody edits the ones that are
// read. Neither side ever waits for the other: where a thread goes on reading the copy that is to
// be edited, publishing makes a further one, up to eight.
//
// A view is a grid for one thread, to be read only; finders, searches and flows are made of it, and
// live, as of any grid: a publish is to them an edit that was made at once, by astar_grid_version
// and all that goes by it. What is built of the map for one thread serves all. All that reads a
// view's cells, or asks by what was made of it, stands between astar_view_enter and
// astar_view_leave; making finders, and releasing whatever it is, need not.

// Shares a grid, under a name that no other map is shared by (ASTAR_NAME_TAKEN), or none: NULL.
// Names are those of this copy of the library. 'notes' are bytes for whoever sees this version, the
// host's own; they are copied. ASTAR_BAD_OPTION of a view, or a grid that is shared already. The
// grid's release ends it as astar_grid_unshare does. The grid's allocator is called by all threads
// then.
ASTAR_API AstarStatus astar_grid_share(AstarGrid *grid, const char *name, size_t name_length,
                                       const void *notes, size_t notes_length);
// Lets all see the grid as it is now. NULL for 'notes': as before. ASTAR_BUSY where readers hold
// eight versions, ASTAR_NO_MEMORY: then it stays as it was published before, and the next call
// publishes the edits with its own. ASTAR_BAD_OPTION where it is not shared. To be called by the
// owner.
ASTAR_API AstarStatus astar_grid_publish(AstarGrid *grid, const void *notes, size_t notes_length);
// Frees the name; views live on, and see the last version. Of a grid that is not shared nothing.
ASTAR_API void astar_grid_unshare(AstarGrid *grid);
// What a grid is shared as, or a view sees; NULL: neither. It is not retained.
ASTAR_API AstarShared *astar_grid_shared(const AstarGrid *grid);
// What is shared under a name, retained; NULL: nothing.
ASTAR_API AstarShared *astar_shared_find(const char *name, size_t name_length);
// Counted references, from any thread.
ASTAR_API void astar_shared_retain(AstarShared *shared);
ASTAR_API void astar_shared_release(AstarShared *shared);
// The version of the grid that was published last, and whether there is still one that may publish.
ASTAR_API uint64_t astar_shared_version(const AstarShared *shared);
ASTAR_API bool astar_shared_is_owned(const AstarShared *shared);
// How many copies of the map there are, and the bytes they take up with all that is built of them;
// astar_grid_bytes of the grid that is shared has those in it, that of a view tells those alone.
ASTAR_API size_t astar_shared_bytes(const AstarShared *shared, int *copies);

// A view of what is shared, which it retains, for one thread at a time.
ASTAR_API AstarStatus astar_view_new(AstarShared *shared, AstarGrid **out);
ASTAR_API bool astar_grid_is_view(const AstarGrid *grid);
// Has a view show the version published last, until it is left. Entered again meanwhile, as by
// callbacks, it stays at that version. Of other grids it does nothing. What is returned is for
// astar_view_leave. It never waits: it stores a mark and looks again.
ASTAR_API unsigned astar_view_enter(AstarGrid *view);
// The same, with the version that another view of the same map is in, whoever's thread entered that
// one and will not leave it before: so that a batch is searched by many threads at one version.
ASTAR_API unsigned astar_view_enter_as(AstarGrid *view, const AstarGrid *other);
// Leaves it. What was entered since and left by longjmp is left, too; 0 leaves it altogether.
ASTAR_API void astar_view_leave(AstarGrid *view, unsigned entered);
ASTAR_API bool astar_view_is_entered(const AstarGrid *view);
// The notes of the version a view is in.
ASTAR_API const void *astar_view_notes(const AstarGrid *view, size_t *length);

// ---- field ----

// A layer of numbers over a map: danger, crowding, scent; 0 everywhere at first. A finder with
// the option 'avoid' adds a cell's value to what the cell costs per unit of length. Values are in
// single precision and stay from 0 to ASTAR_COST_MAX: what would leave that range is cut off. A
// change counts from the next question on.
ASTAR_API AstarStatus astar_field_new(const AstarAllocator *allocator, int width, int height,
                                      AstarField **out);
// The same over cells of a shape: that of the grid, for a finder to avoid it.
ASTAR_API AstarStatus astar_field_new_shaped(const AstarAllocator *allocator, AstarOffset offset,
                                             int width, int height, AstarField **out);
// Fields are counted references: finders hold one each.
ASTAR_API void astar_field_retain(AstarField *field);
ASTAR_API void astar_field_release(AstarField *field);
ASTAR_API int astar_field_width(const AstarField *field);
ASTAR_API int astar_field_height(const AstarField *field);
ASTAR_API AstarOffset astar_field_offset(const AstarField *field);
// Counts the changes.
ASTAR_API uint64_t astar_field_version(const AstarField *field);
ASTAR_API size_t astar_field_bytes(const AstarField *field);

// No value may be NAN (ASTAR_BAD_COST), which is what there is outside.
ASTAR_API double astar_field_get(const AstarField *field, int x, int y);
ASTAR_API AstarStatus astar_field_set(AstarField *field, int x, int y, double value);
ASTAR_API AstarStatus astar_field_add(AstarField *field, int x, int y, double value);
ASTAR_API AstarStatus astar_field_fill(AstarField *field, int x, int y, int width, int height,
                                       double value);
// Adds 'value' at (x, y) and less around it: value * (1 - d / (radius + 1)) at the straight
// distance d in cells, up to d = radius >= 0 (ASTAR_BAD_OPTION).
ASTAR_API AstarStatus astar_field_stamp(AstarField *field, int x, int y, int radius, double value);
// Multiplies every value by 'factor', from 0 to 1; what falls below 0.000001 becomes 0.
ASTAR_API void astar_field_decay(AstarField *field, double factor);

// ---- finder ----

// When a diagonal step between two cells beside it is allowed.
typedef enum AstarDiagonals {
    ASTAR_ALWAYS,                  // whatever stands beside it
    ASTAR_IF_AT_MOST_ONE_OBSTACLE, // one of the two may be blocked
    ASTAR_ONLY_WHEN_NO_OBSTACLES,  // both must be free: no corner is cut
    ASTAR_NEVER,                   // four directions only
    ASTAR_DIAGONALS_COUNT
} AstarDiagonals;

// The estimate of the cost that remains, from the distance to the goal dx, dy >= 0, scaled by the
// cheapest cost there is. Each is scaled down where the corner rule and diagonal_cost need it, so
// that it never overestimates and paths stay optimal.
typedef enum AstarHeuristicName {
    ASTAR_HEURISTIC_DEFAULT, // octile; manhattan when diagonals are never allowed; on hexagons,
                             // that know only ASTAR_EUCLIDEAN and ASTAR_ZERO besides, their number
    ASTAR_OCTILE,            // max - min straight steps and min diagonal ones
    ASTAR_MANHATTAN,         // dx + dy
    ASTAR_EUCLIDEAN,         // the straight line
    ASTAR_CHEBYSHEV,         // max(dx, dy)
    ASTAR_ZERO,              // 0: Dijkstra's algorithm
    ASTAR_HEURISTIC_COUNT
} AstarHeuristicName;

typedef enum AstarAlgorithm {
    ASTAR_AUTO,     // the fastest that honours the other options
    ASTAR_ASTAR,    // A* (Hart, Nilsson and Raphael, 1968)
    ASTAR_DIJKSTRA, // Dijkstra, 1959: A* without an estimate
    ASTAR_JPS,      // jump point search (Harabor and Grastien, 2011, 2014; without diagonals Baum,
                    // 2025): for ground of one cost; needs range 0, weight 1, the default
                    // heuristic, no callback, no 'avoid', no links and walls
    ASTAR_JPSW,     // the same on any ground, with links, walls and 'avoid': by steps where those
                    // or other costs are near (for several costs see Carlson, Moghadam, Harabor,
                    // Stuckey and Ebendt, 2023)
    ASTAR_ALGORITHM_COUNT,
    // What answers of itself where it was baked, and is not asked for by name:
    ASTAR_LABELS,   // hub labels over subgoals, see astar_baking_new
    ASTAR_HIERARCHY // a contraction hierarchy over them
} AstarAlgorithm;

// What is made of bends, the changes of direction along a route.
typedef enum AstarBends {
    ASTAR_BENDS_ANY,    // nothing
    ASTAR_BENDS_FEWER,  // zigzags are taken out of the route found, by any algorithm, where that
                        // costs the same without them; not where callbacks are asked
    ASTAR_BENDS_FEWEST, // of equally cheap routes one with the fewest is found
    ASTAR_BENDS_COUNT
} AstarBends;

// The direction a unit faces: 1 added to the number of a step's direction, clockwise from north.
typedef enum AstarHeading {
    ASTAR_NO_HEADING,
    ASTAR_HEADING_NORTH,
    ASTAR_HEADING_NORTH_EAST,
    ASTAR_HEADING_EAST,
    ASTAR_HEADING_SOUTH_EAST,
    ASTAR_HEADING_SOUTH,
    ASTAR_HEADING_SOUTH_WEST,
    ASTAR_HEADING_WEST,
    ASTAR_HEADING_NORTH_WEST,
    ASTAR_HEADING_COUNT
} AstarHeading;

// Each as the option of Lua has it, "never", "octile", "jps"; NULL beyond the last.
ASTAR_API const char *astar_diagonals_name(AstarDiagonals diagonals);
ASTAR_API const char *astar_heuristic_name(AstarHeuristicName heuristic);
ASTAR_API const char *astar_algorithm_name(AstarAlgorithm algorithm);
ASTAR_API const char *astar_bends_name(AstarBends bends);
ASTAR_API const char *astar_heading_name(AstarHeading heading); // NULL of ASTAR_NO_HEADING, too

// The cost of a cell to this unit, per unit of length: within ASTAR_COST_MIN (or min_cost) and
// ASTAR_COST_MAX (or 'cost'), or INFINITY when it cannot be entered. 'cost' is what the data says.
// Asked at most once a cell a query, and only about cells the data lets the unit enter.
typedef double (*AstarCellCost)(void *context, int x, int y, int terrain, double cost);
// The full cost of the step from (x, y) to (to_x, to_y), a neighbour or the other end of a link;
// 'cost' is what it would be. At least min_cost times the step's length, over a link at least the
// lesser of its cost and min_cost, or INFINITY when the step cannot be made.
typedef double (*AstarStepCost)(void *context, int x, int y, int to_x, int to_y, double cost);
// An estimate for a goal dx >= 0 columns and dy >= 0 rows away, finite and >= 0. On hexagons dx is
// the number of steps over open ground, and dy 0.
typedef double (*AstarEstimate)(void *context, int dx, int dy);

// Callbacks may query any grid. They may not edit the grid they are asked about
// (ASTAR_GRID_CHANGED). Out of astar_search_step they may leave by longjmp: the search can go on
// later; the other questions would leave their memory behind. Their 'context' is an argument of
// the call that asks them, never stored.
typedef struct AstarOptions {
    AstarDiagonals diagonals;     // ASTAR_ONLY_WHEN_NO_OBSTACLES
    double diagonal_cost;         // length of a diagonal step, 1 to 2; the square root of 2
    const double *costs;          // NULL, or ASTAR_MAX_TERRAINS costs: this unit's own, NAN where
                                  // the grid's holds, INFINITY where it cannot go; copied
    AstarCellCost cost;           // NULL
    AstarStepCost step_cost;      // NULL
    double min_cost;              // the least a callback may return per unit of length;
                                  // 0 (default): the cheapest terrain present
    AstarHeuristicName heuristic; // ASTAR_HEURISTIC_DEFAULT
    AstarEstimate estimate;   // NULL, or the host's own heuristic, the host's to keep admissible
    double weight;            // 1 to ASTAR_MAX_WEIGHT, default 1: the path costs at most
                              // 'weight' times the best, and is found sooner
    double max_cost;          // >= 0, default INFINITY: give up beyond this cost
    uint64_t max_expansions;  // >= 1, default UINT64_MAX: give up after this many
    bool partial;             // false; true: when the goal cannot be reached, the path to the
                              // reachable cell nearest to it, among those the cheapest
    int range;                // 0 to ASTAR_MAX_SIDE, default 0: a cell whose dx and dy to the
                              // goal are both within it counts as the goal; on hexagons one so
                              // many steps away
    int size;                 // 1 to ASTAR_MAX_SIZE, default 1: the unit covers size x size cells,
                              // see below
    AstarAlgorithm algorithm; // ASTAR_AUTO
    AstarField *avoid;        // NULL, or a field of the grid's size and shape, whose values are
                              // added to the costs of cells, before any callback is asked; retained
    double avoid_weight;      // 0 to ASTAR_COST_MAX, default 1: what they are multiplied by
    bool any_angle;           // false; true: short routes of straight lines, see below
    AstarBends bends;         // ASTAR_BENDS_ANY
    double bend_cost;         // 0 (default) to ASTAR_COST_MAX: what each bend adds to the cost
    AstarHeading heading;     // ASTAR_NO_HEADING: the first step is no bend, whichever way it
                              // leads; else one in another direction is
    uint64_t ignore;          // 0; a bit, 1 << its number, for each layer of blocks that does not
                              // bar this unit. Edits there are none to its finder: searches and
                              // flows go on as if nothing had been. There must be such layers
} AstarOptions;

// What one question may have its own way: see the options of the same names.
typedef struct AstarQuestion {
    double weight;
    double max_cost;
    uint64_t max_expansions;
    bool partial;
    int range;
    AstarBends bends;
    AstarHeading heading;
} AstarQuestion;

// A unit of size n covers n x n cells and is where its north-west cell is: start, goal, path and
// distances are of that cell. It fits where all cells it covers are inside the grid and free, and
// moves by the corner rule among the cells where it fits. A step costs its length times the dearest
// cell covered after it. A cost callback is asked about each cell covered, at most once a query,
// and INFINITY for any means the unit does not fit; a step_cost callback about north-west cells.
// Links lead from one to another and walls bar the steps of those only; 'avoid' needs size 1.

// Bends count where 'bends' is ASTAR_BENDS_FEWEST or 'bend_cost' is above 0, and only there may
// there be a heading (ASTAR_BAD_OPTION), one that cells of the grid have. A step in another
// direction than the one before is a bend, on hexagons one over another side; turning back is one,
// too; after a link, as at the start, every direction is as good. The search is A*, or Dijkstra's
// algorithm, over cells and directions of arrival, and expands each pair of them by itself.
// max_cost and path->cost take in what bends cost; of equally cheap routes the one found has the
// fewest bends even where each costs something, but for a 'weight' above 1. A step_cost callback's
// words are rounded to a part in 2^31 of the least it may say, so that routes can be equally cheap.
// 'any_angle' cannot honour either option (ASTAR_BAD_OPTION).

// A route at any angle is made of lines of sight as astar_raycast follows them, for the unit's rule
// and size. The way by steps is found first by all other options, and tells whether there is one,
// where it ends and what a budget allows. Then the route gets as short as can be, never longer than
// that way smoothed: on ground of one cost without callbacks, 'avoid', links and walls by Lazy
// Theta* (Nash, Koenig and Tovey, 2010), too, whose expansions count; elsewhere over cells of that
// way, each leg no dearer than the part it replaces.

ASTAR_API AstarOptions astar_options_default(void);
// What of the options the algorithm that they ask for by name cannot honour, in words: "weight",
// "a heuristic function", "diagonal_cost 2", ...; NULL: nothing. No finder can be made of options
// with that (ASTAR_BAD_OPTION). What is on the map counts only when a question is asked.
ASTAR_API const char *astar_options_refusal(const AstarOptions *options);

// The same of options that cells of the grid's shape cannot honour: of hexagons "this heuristic",
// "size", "any_angle", "this heading" or "this algorithm".
ASTAR_API const char *astar_grid_refusal(const AstarGrid *grid, const AstarOptions *options);

// A finder on 'grid', which it retains. NULL options mean the defaults. It belongs to the thread
// that makes it, and so do its flows.
ASTAR_API AstarStatus astar_finder_new(AstarGrid *grid, const AstarOptions *options,
                                       AstarFinder **out);
ASTAR_API void astar_finder_retain(AstarFinder *finder);
ASTAR_API void astar_finder_release(AstarFinder *finder);
ASTAR_API AstarGrid *astar_finder_grid(const AstarFinder *finder);
// The options it was made with, but for 'costs', which is NULL: see astar_finder_cost.
ASTAR_API const AstarOptions *astar_finder_options(const AstarFinder *finder);
// Builds what searches by this finder need of the grid, about as much as so many expansions take:
// ASTAR_RUNNING until nothing of that is missing, or outdated by edits. Else a question does.
ASTAR_API AstarStatus astar_finder_prepare(AstarFinder *finder, uint64_t expansions);
// A question as the finder's options have it.
ASTAR_API AstarQuestion astar_question_default(const AstarFinder *finder);
// What of a question the finder's algorithm cannot honour, as astar_options_refusal says it.
ASTAR_API const char *astar_question_refusal(const AstarFinder *finder,
                                             const AstarQuestion *question);
// The cost of a terrain to this finder by its data, INFINITY where it cannot go, NAN where there is
// no such terrain.
ASTAR_API double astar_finder_cost(AstarFinder *finder, int terrain);
// The least a callback of this finder may return per unit of length.
ASTAR_API double astar_finder_min_cost(AstarFinder *finder);
// The least that the callbacks may return by which a question is being asked: the cost callback,
// and the step_cost callback that was asked last.
ASTAR_API double astar_finder_least_cost(const AstarFinder *finder);
ASTAR_API double astar_finder_least_step(const AstarFinder *finder);

// What baking has left for the queries to come.
typedef struct AstarBaking {
    int pivots;   // whose distances are kept; 0: there is nothing that would pay
    size_t bytes; // that the finder now holds for them
    double gain;  // about how many times fewer cells queries expand with them, by a sample
} AstarBaking;

// For a map that has settled: measures the distances of all cells from a few far-off ones, 0 to
// 16 (4 serve most maps), as an estimate that spares searches expansions (the differential
// heuristic: Sturtevant et al., IJCAI 2009), and keeps them if that pays on the sample; over ground
// of several costs, links and walls the distances to those cells, too, for twice the memory. Cells
// that close or become dearer do no harm; where one opens or becomes cheaper, or a link is made,
// the edit makes up for it, and the estimate comes to tell a little less. A terrain that becomes
// cheaper all over the map, or an edit of a quarter of it or 65,000 cells, leaves nothing until
// baked again. 0 lets go of what was baked. Callbacks, a field to avoid, a range or a heuristic of
// one's own leave nothing to bake; with a weight routes are found sooner still. Searches under way
// begin anew with their next step. Takes as long as pivots + 5 floodings of the map, 2 * pivots + 5
// where there are two tables. ASTAR_NO_MEMORY leaves the finder as it was.
ASTAR_API AstarStatus astar_finder_bake(AstarFinder *finder, int pivots, AstarBaking *out);

// How a map is baked.
typedef enum AstarBakingMethod {
    ASTAR_BAKE_AUTO,      // labels, else a hierarchy, else landmarks, else nothing, as they fit the
                          // bytes and gain something
    ASTAR_BAKE_LABELS,    // hub labels over the corners of obstacles: routes without a search
    ASTAR_BAKE_HIERARCHY, // a contraction hierarchy over them: smaller, and a search of few nodes
    ASTAR_BAKE_LANDMARKS, // as astar_finder_bake
    ASTAR_BAKE_METHOD_COUNT,
    ASTAR_BAKED_NOTHING // of what was baked: nothing would pay, or fit
} AstarBakingMethod;

// Each as Lua has it, "auto", "labels", and "none" of nothing; NULL beyond.
ASTAR_API const char *astar_baking_method_name(AstarBakingMethod method);

typedef struct AstarBakingOptions {
    AstarBakingMethod method;
    size_t bytes;  // at most; 0: 64 for each cell where the unit can stand
    int landmarks; // 0 to ASTAR_MAX_PIVOTS
} AstarBakingOptions;

// Baking in slices, and what it leaves.
typedef struct AstarBaked AstarBaked;

// What was baked, all of it once astar_baking_step has returned ASTAR_OK.
typedef struct AstarBakedFacts {
    AstarBakingMethod method; // never ASTAR_BAKE_AUTO
    size_t bytes;             // that it holds
    double gain;              // about how many times less work questions are, by a sample
    int landmarks;            // whose distances are kept
} AstarBakedFacts;

// Begins to bake the map that a finder sees, with the least options where they are NULL; the finder
// is retained. Over ground of one cost, without callbacks, 'avoid', links and walls, routes that
// jump point search would find are then found without it, at the same cost, though of several that
// are the best it may be another; always the same one for the same baked data. All options of the
// finder and the question else leave them to search as before: a range, 'partial', a budget.
//
// Labels and hierarchies belong to the map: all finders of the same rule, size, terrains entered
// and ratio of diagonal_cost have them, until it is baked again by any of them. They are of the map
// as it was when baking began. Walls put up since do no harm; where such a wall bars a route, it is
// searched for. Once a cell is free that was not, all routes are, until that cell is closed again
// or the map is baked anew, which takes a fraction of the time as long as most corners of obstacles
// stay.
ASTAR_API AstarStatus astar_baking_new(AstarFinder *finder, const AstarBakingOptions *options,
                                       AstarBaked **out);
// Goes on, by about as much as so many expansions: ASTAR_RUNNING until it is done. Only the step
// that ends it, by ASTAR_OK, changes what questions find; to other threads that is an edit of the
// map. Where costs, links or walls change in between, landmarks are measured anew, and after three
// times in one step. After ASTAR_NO_MEMORY it begins anew.
ASTAR_API AstarStatus astar_baking_step(AstarBaked *baked, uint64_t expansions);
ASTAR_API AstarBakedFacts astar_baked_facts(const AstarBaked *baked);
// Whether questions may be answered by it as the grid is now; false while it is being made.
ASTAR_API AstarStatus astar_baked_is_current(AstarBaked *baked, bool *current);
// Writes what was baked as bytes, the same on every machine, with a hash of the map it is of:
// labels and a hierarchy as the map was when it was baked, landmarks as it is now. Returns how many
// there are, 0 where there is nothing to save, as of landmarks that edits or another baking made
// void; those that do not fit into 'capacity' are left out, so that NULL and 0 only measure.
ASTAR_API size_t astar_baked_save(const AstarBaked *baked, void *bytes, size_t capacity);
// Puts in force what was saved. The map must be as it was then, the finder's rule, size and ratio
// the same, and for landmarks no step cheaper: else, and where the bytes are cut, altered or
// forged, ASTAR_BAD_DATA, and '*why' says it in words. Whatever the bytes are, routes stay routes.
ASTAR_API AstarStatus astar_baked_load(AstarFinder *finder, const void *bytes, size_t length,
                                       const char **why, AstarBaked **out);
// Lets go of the object; what was baked stays with the map. NULL is fine.
ASTAR_API void astar_baked_free(AstarBaked *baked);
// To free one in the middle of its steps may take many milliseconds. This frees as much as takes
// about as long as so many expansions; true once little is left. Then, or before, it can only be
// freed.
ASTAR_API bool astar_baking_clear(AstarBaked *baked, uint64_t expansions);

// ---- workspace ----

// The memory that searches work in, kept from one question to the next, for grids of any size. A
// callback may ask with the same workspace again. The allocator is copied; paths that are found
// have theirs from it, too.
ASTAR_API AstarStatus astar_workspace_new(const AstarAllocator *allocator, AstarWorkspace **out);
// Counts one more to be freed.
ASTAR_API void astar_workspace_retain(AstarWorkspace *workspace);
// Searches that are still there keep what they need of it; NULL is fine.
ASTAR_API void astar_workspace_free(AstarWorkspace *workspace);
// The bytes it holds ready; what a search under way has taken counts again once that is freed.
ASTAR_API size_t astar_workspace_bytes(const AstarWorkspace *workspace);

// ---- path ----

// A point of a path: a turning point or an end, and how many cells of the path come before it.
typedef struct AstarPoint {
    int32_t x, y;
    int32_t index;
} AstarPoint;

// A step of a path over a link.
typedef struct AstarPathLink {
    int32_t index; // of the cell it leads from
    uint32_t label;
} AstarPathLink;

// A caller's struct: astar_path_init, any number of uses, astar_path_destroy.
typedef struct AstarPath {
    AstarPoint *points;       // ends and turning points, from the start to the goal
    int count;                // of points
    int capacity;             // of points, allocated
    int cells;                // of the whole path, both ends included; 0: no path
    double cost;              // the sum of its steps, and bend_cost for each bend
    double length;            // of the line through its points, in cells; a link counts as one
    uint64_t expanded;        // cells the search expanded
    AstarAlgorithm algorithm; // that ran, never ASTAR_AUTO
    bool partial;             // ends at the nearest cell instead of the goal
    int32_t goal_x, goal_y;   // what was asked for; -1, -1: the last cell
    AstarQuestion question;   // and how
    bool orthogonal;          // its lines go by four directions only
    AstarOffset offset;       // of the grid
    uint64_t best_at;         // after this many changes none was cheaper, 1 added; 0: not known
    AstarPathLink *links;     // in their order; NULL where there are none
    int link_count;
    int link_capacity;        // allocated
    AstarAllocator allocator; // of the points and links
} AstarPath;

// Without cells at first. Turned round or smoothed, such a path stays so, at the cost INFINITY.
ASTAR_API void astar_path_init(AstarPath *path);
ASTAR_API void astar_path_destroy(AstarPath *path);
// The cell at 'index', from 0 to path->cells - 1. Consecutive cells are neighbours, but for those
// that a link joins.
ASTAR_API void astar_path_cell(const AstarPath *path, int index, int *x, int *y);
// Where the straight line of its leg is at that cell: within the cell, at its middle where the leg
// turns. Returns the index of the leg's last cell.
ASTAR_API int astar_path_place(const AstarPath *path, int index, double *x, double *y);
// How often it changes direction at its points; the first leg counts where the question had a
// heading, the leg after a link does not.
ASTAR_API int astar_path_bends(const AstarPath *path);
// Whether the step from the cell at 'index' to the next one is over a link, and its label.
ASTAR_API bool astar_path_link(const AstarPath *path, int index, uint32_t *label);

// The cells of a straight line between two cells; its fields are the cursor's own.
typedef struct AstarLine {
    int x, y;           // where it begins
    int sign_x, sign_y; // which way it goes
    int64_t dx, dy;     // how far, without sign
    int64_t steps;
    int64_t half; // added before dividing by 2 * steps: rounds halves up, or just not
    bool orthogonal;
    bool jump;          // one step, over nothing
    AstarOffset offset; // of hexagons: dx and dy are with signs and by axes of theirs
} AstarLine;

// Goes over the cells of a path in order, for as long as the path stays as it is.
typedef struct AstarPathCursor {
    const AstarPath *path;
    AstarLine line;
    int leg;  // the point the line begins at
    int step; // on it
} AstarPathCursor;

ASTAR_API AstarPathCursor astar_path_cursor(const AstarPath *path);
// Stores the next cell; false after the last.
ASTAR_API bool astar_path_next(AstarPathCursor *cursor, int *x, int *y);

// The functions below take a finder on the grid that the path was found on, or another as large:
// ASTAR_BAD_CELL where a cell of the path is outside.
//
// The same cells from the goal to the start. Its cost is that of walking back, INFINITY when a
// step back cannot be made.
ASTAR_API AstarStatus astar_path_reverse(AstarWorkspace *workspace, const AstarPath *path,
                                         AstarFinder *finder, void *context, AstarPath *out);
// The fewest straight legs between cells of this path, each in line of sight for the finder's
// rule and no dearer than the part it replaces. Links stay. The work is bounded: paths of thousands
// of cells may keep a few legs more, if the ground is of several costs, callbacks are asked or the
// grid has changed since they were found.
ASTAR_API AstarStatus astar_path_smooth(AstarWorkspace *workspace, const AstarPath *path,
                                        AstarFinder *finder, void *context, AstarPath *out);
// The same, but only turning points of the path are let go, each where the point kept before it and
// the next one see each other: in time linear in the cells, for a few legs more.
ASTAR_API AstarStatus astar_path_smooth_quickly(AstarWorkspace *workspace, const AstarPath *path,
                                                AstarFinder *finder, void *context, AstarPath *out);
// A path from the cell at index 'from', where the unit stands now, to the goal of this one, which
// the world has changed under. What is still good of it is kept up to the cell before the first bad
// one, and searched on from there, by the path's own question: a path that can be walked, not
// always the cheapest. Anew from 'from', and the cheapest, if 'optimal', if the path was partial,
// or if the part to be kept leads nowhere; when that search finds none, its reason.
// ASTAR_BAD_OPTION where the path has no cell 'from'.
ASTAR_API AstarStatus astar_path_repair(AstarWorkspace *workspace, const AstarPath *path,
                                        AstarFinder *finder, int from, bool optimal, void *context,
                                        AstarPath *out);
// Stores in '*bad' the index of the first cell that can no longer be stepped on, or -1.
ASTAR_API AstarStatus astar_path_check(AstarWorkspace *workspace, const AstarPath *path,
                                       AstarFinder *finder, void *context, int *bad);

// ---- questions ----

// NULL for a 'question' is astar_question_default. One out of its ranges, or that the algorithm
// asked for by name cannot honour, is answered ASTAR_BAD_OPTION.

// The cheapest path from (sx, sy) to (gx, gy). The start may be blocked (the unit itself stands
// there: blocks on cells that it covers do not count) but not of terrain the unit cannot enter.
// Fills 'path' when ASTAR_OK, else leaves it.
ASTAR_API AstarStatus astar_find_path(AstarWorkspace *workspace, AstarFinder *finder, int sx,
                                      int sy, int gx, int gy, const AstarQuestion *question,
                                      void *context, AstarPath *path);

// Answers the same question where that takes no more than jump point search over what is built of
// the map already, or what was baked, or where the goal is in plain view, or is known to be reached
// over ground of several costs: fills 'path', whose points come from the allocator it has. Else
// false, and nothing is changed. Without a workspace, NULL, only what needs no search.
// astar_find_path begins with it; for who goes on with searches of his own.
ASTAR_API bool astar_find_directly(AstarWorkspace *workspace, AstarFinder *finder, int sx, int sy,
                                   int gx, int gy, const AstarQuestion *question, AstarPath *path);

// A cell that may be a goal.
typedef struct AstarCell {
    int x, y;
} AstarCell;

// Whether a cell the unit can reach is a goal. Asked once a cell, the nearest first; may do and not
// do what cost callbacks may.
typedef bool (*AstarGoalTest)(void *context, int x, int y, int terrain);

// The cheapest path to any of 'count' goals, and which of them that leads to: of equally cheap ones
// the one of the lowest y, then x (but where 'weight' is above 1), of several goals in one cell the
// first. With 'partial' that goes for goals come equally near to at the same cost. Goals that are
// blocked or that no way leads to are passed over: ASTAR_GOAL_BLOCKED when all are blocked,
// ASTAR_UNREACHABLE when none of the others can be reached, or there are none. All options count as
// for astar_find_path, but a heuristic of the host's is not asked, and where A* would not do better
// Dijkstra's algorithm runs. Time and memory grow with the map, not with the goals and their range.
ASTAR_API AstarStatus astar_find_nearest(AstarWorkspace *workspace, AstarFinder *finder, int sx,
                                         int sy, const AstarCell *goals, size_t count,
                                         const AstarQuestion *question, void *context,
                                         AstarPath *path, size_t *index);
// The cheapest path to a cell that passes a test, the start among them. 'partial' and 'range' do
// not count, there is no goal to measure by. Both refuse the algorithms that astar_find_path
// refuses, by the options and the grid, whatever the goals.
ASTAR_API AstarStatus astar_find_where(AstarWorkspace *workspace, AstarFinder *finder, int sx,
                                       int sy, AstarGoalTest test, const AstarQuestion *question,
                                       void *context, AstarPath *path);

// What each step of a search, and the making of it, may build besides: on small maps all there is,
// so that their searches begin with the first step; on very wide ones nothing.
#define ASTAR_EXPANSIONS_AT_ONCE 1024

// The same as astar_find_path, a few expansions at a time. A search retains its finder and has its
// memory to itself until it is freed. What it needs of the map that is not built yet, or outdated
// by edits, is built by its steps, too: so much for each expansion as takes about as long. It
// starts ASTAR_RUNNING, or with its answer where that is known without a search.
ASTAR_API AstarStatus astar_search_new(AstarWorkspace *workspace, AstarFinder *finder, int sx,
                                       int sy, int gx, int gy, const AstarQuestion *question,
                                       AstarSearch **out);
// Makes at most 'expansions' more; returns the state of the search. ASTAR_NO_MEMORY and
// ASTAR_BAD_COST leave it where it was; every other outcome but ASTAR_RUNNING is final. After edits
// that cannot have changed its answer a search goes on, and finds the path of one begun after them:
// edits of cells not next to one it has reached, or, where it jumps, of cells that no route as
// short as its own can pass. After others it ends with ASTAR_GRID_CHANGED: also where callbacks are
// asked, and after more than 256 at once.
ASTAR_API AstarStatus astar_search_step(AstarSearch *search, uint64_t expansions, void *context);
// From now on no step builds anything besides, by ASTAR_EXPANSIONS_AT_ONCE or 'at_once': for hosts
// that step by the clock.
ASTAR_API void astar_search_build_by_steps(AstarSearch *search);
// Stores the path of a search that ended ASTAR_OK; ASTAR_GRID_CHANGED when the grid was edited
// since.
ASTAR_API AstarStatus astar_search_path(AstarSearch *search, AstarPath *path);
// Gives what it was taken or made of back to the workspace; NULL is fine.
ASTAR_API void astar_search_free(AstarSearch *search);

// ASTAR_RUNNING, ASTAR_OK or why there is no path.
ASTAR_API AstarStatus astar_search_status(const AstarSearch *search);
ASTAR_API uint64_t astar_search_expanded(const AstarSearch *search);
// ASTAR_AUTO where the question was answered without a search.
ASTAR_API AstarAlgorithm astar_search_algorithm(const AstarSearch *search);
ASTAR_API AstarFinder *astar_search_finder(const AstarSearch *search);
ASTAR_API void astar_search_ends(const AstarSearch *search, int *sx, int *sy, int *gx, int *gy);
ASTAR_API size_t astar_search_bytes(const AstarSearch *search);

// For hosts whose callbacks may leave by longjmp, as errors of scripts do: what the questions above
// allocate would then belong to nobody. A search that was taken owns it until astar_search_free,
// and may be asked one question after another. 'out' is an initialised path, another than 'path';
// on failure it holds nothing of use.
ASTAR_API AstarStatus astar_search_take(AstarWorkspace *workspace, AstarFinder *finder,
                                        AstarSearch **out);
// The question of astar_find_path: ASTAR_RUNNING, or final where no search is needed to answer.
// Then comes astar_search_step, and astar_search_path.
ASTAR_API AstarStatus astar_search_begin(AstarSearch *search, int sx, int sy, int gx, int gy,
                                         const AstarQuestion *question);
// The same of astar_search_new, for which nothing need be built; by 'at_once', 0 or more, in place
// of ASTAR_EXPANSIONS_AT_ONCE.
ASTAR_API AstarStatus astar_search_begin_in_steps(AstarSearch *search, int sx, int sy, int gx,
                                                  int gy, const AstarQuestion *question,
                                                  uint64_t at_once);
// Has a search made in steps, before its first one, take edits of cells in where it would end with
// ASTAR_GRID_CHANGED: it makes its way by A* and goes on on the map as it is, so it finds a best
// path of that, of equally cheap ones perhaps another than one begun then. What callbacks said of
// cells that were not edited still counts; a route at any angle is one that can be walked.
// ASTAR_GRID_CHANGED remains for edits of more, of many thousands of cells, and for units among
// their own blocks. False, and nothing done, where the search has ended, or has a host's heuristic,
// max_expansions or 'partial'.
ASTAR_API bool astar_search_take_edits(AstarSearch *search);
// Has a search made in steps, before its first one, be of the map and the field to avoid as they
// are at one moment: its steps copy them first, a little at a time, and edits do not concern it
// once they are copied, so it ends however much is edited. It finds a best path of the map as it
// was then; so do searches for the nearest goal, and repairs. What callbacks say is not copied.
// Nothing can be seen of it, and what was baked it does not use. ASTAR_BAD_OPTION, and nothing
// done, where the search has ended or is frozen already; ASTAR_NO_MEMORY.
ASTAR_API AstarStatus astar_search_freeze(AstarSearch *search);
// The finder by which the next step asks its functions, whose bounds (astar_finder_least_cost) hold
// for what they return: the search's, or of the copy that it is made on.
ASTAR_API AstarFinder *astar_search_asking(const AstarSearch *search);
// As astar_search_take, and builds nothing: a question in steps must come next.
ASTAR_API AstarStatus astar_search_take_unbuilt(AstarWorkspace *workspace, AstarFinder *finder,
                                                AstarSearch **out);
// As astar_find_nearest and astar_find_where; astar_search_path then stores the path.
ASTAR_API AstarStatus astar_search_nearest(AstarSearch *search, int sx, int sy,
                                           const AstarCell *goals, size_t count,
                                           const AstarQuestion *question, void *context,
                                           size_t *index);
ASTAR_API AstarStatus astar_search_where(AstarSearch *search, int sx, int sy, AstarGoalTest test,
                                         const AstarQuestion *question, void *context);
// The same in steps, as astar_search_begin_in_steps; the goals are copied. ASTAR_RUNNING, or a
// fault. Where an edit may have changed the answer it begins anew by itself, six times at most:
// after that it is of the map as it is at one moment, as by astar_search_freeze.
ASTAR_API AstarStatus astar_search_nearest_in_steps(AstarSearch *search, int sx, int sy,
                                                    const AstarCell *goals, size_t count,
                                                    const AstarQuestion *question,
                                                    uint64_t at_once);
ASTAR_API AstarStatus astar_search_where_in_steps(AstarSearch *search, int sx, int sy,
                                                  AstarGoalTest test, const AstarQuestion *question,
                                                  uint64_t at_once);
// Which of the goals listed the path leads to, of a search that ended ASTAR_OK.
ASTAR_API size_t astar_search_index(const AstarSearch *search);
// As the functions of these names without a search of one's own.
ASTAR_API AstarStatus astar_search_reachable(AstarSearch *search, int sx, int sy, int gx, int gy,
                                             void *context, bool *reachable);
ASTAR_API AstarStatus astar_search_raycast(AstarSearch *search, int x0, int y0, int x1, int y1,
                                           void *context, bool *stopped, int *x, int *y);
ASTAR_API AstarStatus astar_search_reverse(AstarSearch *search, const AstarPath *path,
                                           void *context, AstarPath *out);
ASTAR_API AstarStatus astar_search_smooth(AstarSearch *search, const AstarPath *path, void *context,
                                          AstarPath *out);
ASTAR_API AstarStatus astar_search_smooth_quickly(AstarSearch *search, const AstarPath *path,
                                                  void *context, AstarPath *out);
ASTAR_API AstarStatus astar_search_repair(AstarSearch *search, const AstarPath *path, int from,
                                          bool optimal, void *context, AstarPath *out);
// The same in steps, of a copy of the path, as astar_search_nearest_in_steps; astar_search_path
// stores what came of it. From the fourth beginning on its searches take edits in.
ASTAR_API AstarStatus astar_search_repair_in_steps(AstarSearch *search, const AstarPath *path,
                                                   int from, bool optimal, uint64_t at_once);
// Whether the unit may go now from the cell at 'index' to the next one, or 'back' from that; where
// it is it may be, whatever has become of the ground.
ASTAR_API AstarStatus astar_search_check_step(AstarSearch *search, const AstarPath *path, int index,
                                              bool back, void *context, bool *may_go);
// As astar_path_check, of the cells from the one at index 'from' on.
ASTAR_API AstarStatus astar_search_check(AstarSearch *search, const AstarPath *path, int from,
                                         void *context, int *bad);

// What a search knows of a cell it has reached.
typedef struct AstarSeen {
    int x, y;
    bool closed;            // expanded or about to be, else on the open list
    bool has_parent;        // false for the start
    int parent_x, parent_y; // the cell before on the best way yet; of a jump point the one before
    double g;               // the cost of that way; of a jump point to four digits or more
    double h;               // the estimate of the rest
    double f;               // g + weight * h
} AstarSeen;

// Stores the next cell that is open or closed, row by row from the north-west; false after the
// last. '*cursor' is 0 at first. Asks the host's heuristic, if any.
ASTAR_API bool astar_search_seen(const AstarSearch *search, uint64_t *cursor, void *context,
                                 AstarSeen *seen);

typedef enum AstarCellState {
    ASTAR_UNSEEN,
    ASTAR_OPENED,
    ASTAR_CLOSED,
} AstarCellState;

// What has become of one cell; outside nothing.
ASTAR_API AstarCellState astar_search_cell(const AstarSearch *search, int x, int y);

// Whether a path exists. Known from the connected components, without a search, unless the finder
// has callbacks or the grid walls: then only a search can tell.
ASTAR_API AstarStatus astar_reachable(AstarWorkspace *workspace, AstarFinder *finder, int sx,
                                      int sy, int gx, int gy, void *context, bool *reachable);

// Follows the straight line from one cell to another until a step of it cannot be made; '*stopped'
// says whether one was met and (*x, *y) which cell stops it: the first where the unit cannot stand
// on that ground. The way back is stopped where the way there is, but where the unit cannot enter
// an end, for a start may be blocked, past one-way walls, and by a step_cost callback's word.
ASTAR_API AstarStatus astar_raycast(AstarWorkspace *workspace, AstarFinder *finder, int x0, int y0,
                                    int x1, int y1, void *context, bool *stopped, int *x, int *y);

// The side of the largest square of cells, (x, y) its north-west one, that the unit's terrains and
// the blocks leave free; 0 where (x, y) itself is not. A unit of that size or less fits at (x, y).
// Callbacks are not asked. ASTAR_BAD_OPTION of hexagons.
ASTAR_API AstarStatus astar_clearance(AstarFinder *finder, int x, int y, int *size);

// ---- flow fields ----

// A goal of a flow: what arriving there costs, or earns below 0, on top of the way.
typedef struct AstarFlowGoal {
    int x, y;
    double value;
} AstarFlowGoal;

// Distances of all cells to the cheapest of several goals, also known as a distance map,
// integration field or Dijkstra map: one search for any number of units. A flow retains its finder
// and works out what it is asked, as far as that needs; asked more, it goes on from there. After an
// edit of the grid, its links and walls or the field to avoid, all of which are honoured, the next
// question first repairs what that changed, or begins anew where that is less work or costs are
// others. Cost callbacks are asked about a cell once a flow, and again after a change there; they
// may ask the flow itself.
//
// Of a finder's options 'range' and 'max_cost' count; 'weight', 'partial', 'max_expansions',
// 'bends', 'heading', heuristic and algorithm do not. Distances cannot take bends in: of a finder
// with a 'bend_cost' there is no flow (ASTAR_BAD_OPTION).

// A flow to 'count' goals, values finite (ASTAR_BAD_OPTION). Goals that are blocked, also with all
// of 'range' around, count only for a unit that stands there. Cells farther than 'max_cost'
// (INFINITY: no limit) are not reached.
ASTAR_API AstarStatus astar_flow_new(AstarFinder *finder, const AstarFlowGoal *goals, size_t count,
                                     double max_cost, AstarFlow **out);
// The other way round: the distances from one cell to all that can be reached from there at a cost
// of at most 'max_cost' >= 0 (ASTAR_BAD_OPTION): where a unit may move in a turn. 'range' does not
// count.
ASTAR_API AstarStatus astar_reach_new(AstarFinder *finder, int x, int y, double max_cost,
                                      AstarFlow **out);
// The flow that leads away from the goals of 'flow': its distances times 'factor', -1000 to -1,
// are what all its cells begin with, and it is scanned again (Brogue's safety maps).
// ASTAR_BAD_OPTION for a factor out of range or a flow of astar_reach_new.
ASTAR_API AstarStatus astar_flow_flee(AstarFlow *flow, double factor, AstarFlow **out);
// Has the flow keep steps only once it has been worked out as a whole, by astar_flow_complete or
// the like: about half a byte for each cell that has one, where distances take eight for every
// cell. Of such a flow none are told, at any time: astar_flow_distance, astar_flow_cell and
// astar_flow_flee are ASTAR_BAD_OPTION. After an edit it is worked out anew, not repaired. To be
// called before it is asked anything.
ASTAR_API void astar_flow_keep_steps_only(AstarFlow *flow);
ASTAR_API bool astar_flow_keeps_steps_only(const AstarFlow *flow);
ASTAR_API void astar_flow_release(AstarFlow *flow);
ASTAR_API size_t astar_flow_bytes(const AstarFlow *flow);
ASTAR_API AstarFinder *astar_flow_finder(const AstarFlow *flow);
// How many cells it has expanded in all.
ASTAR_API uint64_t astar_flow_expanded(const AstarFlow *flow);

// Works out all there is. Every question may return, besides what it says, ASTAR_NO_MEMORY,
// ASTAR_BAD_COST and ASTAR_GRID_CHANGED (by a callback); the flow can be asked again then.
// Callbacks may leave by longjmp.
ASTAR_API AstarStatus astar_flow_complete(AstarFlow *flow, void *context);
// The same in slices: does about as much as to expand so many cells, at least one. ASTAR_RUNNING:
// there is more to do, ASTAR_OK: nothing is. Questions may be asked in between, and the grid
// edited. Where edits would have it begin anew for ever, it is worked out for the map as it is at
// one moment, which steps copy first: ASTAR_OK then leaves what was edited since to the questions.
ASTAR_API AstarStatus astar_flow_step(AstarFlow *flow, uint64_t expansions, void *context);
// The finder by which the next step asks its functions, as astar_search_asking.
ASTAR_API AstarFinder *astar_flow_asking(const AstarFlow *flow);
// Takes in all edits of the grid now and works out again what was worked out before.
ASTAR_API AstarStatus astar_flow_update(AstarFlow *flow, void *context);
// What it costs from a cell to the goals (to the cell, of astar_reach_new), their value included.
// ASTAR_START_BLOCKED, ASTAR_GOAL_BLOCKED (all of them), ASTAR_MAX_COST where no way is within the
// limit, ASTAR_UNREACHABLE where components prove that there is none, or nothing is beyond it.
ASTAR_API AstarStatus astar_flow_distance(AstarFlow *flow, int x, int y, void *context,
                                          double *distance);
// The cell that a unit steps on from (x, y): itself where it should stay, at a goal. Of equally
// good steps the diagonal ones come first, then clockwise from north. Of astar_reach_new the cell
// before on the way there. Without a way as astar_flow_distance.
ASTAR_API AstarStatus astar_flow_next(AstarFlow *flow, int x, int y, void *context, int *next_x,
                                      int *next_y);
// The same, if it was asked before and nothing has changed since: false where astar_flow_next must
// be asked.
ASTAR_API bool astar_flow_recall(const AstarFlow *flow, int x, int y, int *next_x, int *next_y);
// All of those steps, or those of the way to the cell for astar_reach_new; the cost of the path is
// that of its steps. Fills 'path' when ASTAR_OK, else leaves it.
ASTAR_API AstarStatus astar_flow_path(AstarFlow *flow, int x, int y, void *context,
                                      AstarPath *path);
// Works out all and stores the next cell that has a distance, row by row from the north-west, and
// that distance; '*cell' is 0 at first and where to go on then. ASTAR_UNREACHABLE after the last.
ASTAR_API AstarStatus astar_flow_cell(AstarFlow *flow, uint64_t *cell, void *context, int *x,
                                      int *y, double *distance);

// ---- crowds ----

// Many units on one grid that never bump. They move in beats, all at once and at most one step
// each, a diagonal one too; no two are ever in a cell, none swap or cross. Drawn in straight lines
// from where they were to where they are, discs of radius size / 2 - 0.15 never overlap. Who wants
// to go on pushes those aside who need not stand where they do (priority inheritance with
// backtracking: Okumura et al., 2022). A crowd belongs to one thread, as its finders do; the grid
// may be edited between calls. The same calls give the same beats on every machine.
typedef struct AstarCrowd AstarCrowd;
typedef uint64_t AstarUnit; // a unit of a crowd; never 0

#define ASTAR_MAX_PERIOD 1000       // the most beats a step of a unit may take
#define ASTAR_MAX_UNIT_PRIORITY 100 // the highest of a unit; the lowest is -100
#define ASTAR_MAX_CROWD_KINDS 65535 // finders of a crowd

typedef struct AstarCrowdOptions {
    size_t bytes;        // of distances to goals and routes, at most; 64 MB
    uint64_t expansions; // >= 1: of how many cells a beat may work out distances, about; 2^18. Half
                         // as much more goes into routes of units that wait for some
    bool is_exclusive;   // false; true: units enter only what is empty, and whole squares of them
                         // never overlap
    uint64_t seed;       // 0; ties between equally good steps are broken by it
} AstarCrowdOptions;

ASTAR_API AstarCrowdOptions astar_crowd_options_default(void);
// What of a finder a crowd cannot honour, in words: "a cost function", ...; NULL: nothing.
ASTAR_API const char *astar_crowd_refusal(const AstarFinder *finder);
// A crowd whose units go by 'finder' unless told otherwise, which it retains. NULL options mean the
// defaults. ASTAR_BAD_OPTION where that is refused.
ASTAR_API AstarStatus astar_crowd_new(AstarFinder *finder, const AstarCrowdOptions *options,
                                      AstarCrowd **out);
ASTAR_API void astar_crowd_retain(AstarCrowd *crowd);
ASTAR_API void astar_crowd_release(AstarCrowd *crowd);
ASTAR_API AstarFinder *astar_crowd_finder(const AstarCrowd *crowd);
// The bytes it takes up, distances included, and those of the distances.
ASTAR_API size_t astar_crowd_bytes(const AstarCrowd *crowd, size_t *distances);

// Puts a unit of a finder on the same grid, NULL: the crowd's, at its north-west cell. It steps
// once in 'period' beats at most, 1 to ASTAR_MAX_PERIOD. ASTAR_START_BLOCKED where it cannot stand,
// ASTAR_OCCUPIED where a unit stands, ASTAR_BAD_OPTION for another grid or a finder that is
// refused.
ASTAR_API AstarStatus astar_crowd_add(AstarCrowd *crowd, AstarFinder *finder, int x, int y,
                                      int period, AstarUnit *out);
// The lower half of the next unit's number: hosts may keep what is theirs of units in an array.
ASTAR_API uint32_t astar_crowd_next_number(const AstarCrowd *crowd);
// Each of these is false where there is no such unit any more.
ASTAR_API bool astar_crowd_has(const AstarCrowd *crowd, AstarUnit unit);
ASTAR_API bool astar_crowd_remove(AstarCrowd *crowd, AstarUnit unit);
// It wants nothing any more: it stays, and makes way for others.
ASTAR_API bool astar_crowd_stop(AstarCrowd *crowd, AstarUnit unit);
// It does not move, nor make way, until it is let go.
ASTAR_API bool astar_crowd_hold(AstarCrowd *crowd, AstarUnit unit, bool holds);
// Units of a higher priority go first, whoever has waited longer: -100 to 100, 0 at first.
ASTAR_API bool astar_crowd_set_priority(AstarCrowd *crowd, AstarUnit unit, int priority);
// Sends a unit to a cell, by the way that is shortest by the crowd's lengths (straight steps 5 and
// diagonal ones 7, times what the ground costs beside the cheapest, rounded). Units of one goal
// fill the cells around it: each has arrived where no step nearer is open, and never pushes another
// of them aside. ASTAR_GOAL_BLOCKED, and nothing changed, where it cannot stand there now,
// ASTAR_BAD_OPTION where there is no such unit.
ASTAR_API AstarStatus astar_crowd_go(AstarCrowd *crowd, AstarUnit unit, int x, int y);

// Works ahead on the coming beat, by about as many expansions: ASTAR_OK when nothing of it is left
// to be done. What changes before it takes place, units, orders or the grid, has it worked out
// anew; so a beat is the same however it was sliced.
ASTAR_API AstarStatus astar_crowd_step(AstarCrowd *crowd, uint64_t expansions);
// The coming beat takes place. ASTAR_NO_MEMORY: it does not, and all is as it was.
ASTAR_API AstarStatus astar_crowd_beat(AstarCrowd *crowd);
// Time passes, in beats: those due take place, and of the next a share is worked out that fits the
// time gone by. After astar_crowd_beat a beat is at its end, and the next begins at once.
ASTAR_API AstarStatus astar_crowd_update(AstarCrowd *crowd, double beats);
ASTAR_API uint64_t astar_crowd_beats(const AstarCrowd *crowd); // that took place
// How many units there are, and how many of them have not arrived where they were sent.
ASTAR_API uint32_t astar_crowd_count(const AstarCrowd *crowd);
ASTAR_API uint32_t astar_crowd_under_way(const AstarCrowd *crowd);
// Stores the next unit, those added first before others; '*cursor' is 0 at first.
ASTAR_API bool astar_crowd_next_unit(const AstarCrowd *crowd, uint32_t *cursor, AstarUnit *unit);

typedef enum AstarUnitState {
    ASTAR_UNIT_MOVING,
    ASTAR_UNIT_WAITING,  // it wants to go on, and could not in its last beat
    ASTAR_UNIT_ARRIVED,  // it wants nothing, or is where it was sent
    ASTAR_UNIT_HELD,     //
    ASTAR_UNIT_PLANNING, // there are neither distances to its goal yet nor a route of its own
    ASTAR_UNIT_STUCK,    // no way leads to its goal, or it has come no nearer for long
    ASTAR_UNIT_STATE_COUNT
} AstarUnitState;

// "moving", ...; NULL beyond the last.
ASTAR_API const char *astar_unit_state_name(AstarUnitState state);

typedef struct AstarUnitFacts {
    int x, y;             // its cell
    int from_x, from_y;   // where it was before the last beat
    double at_x, at_y;    // where it is now, on the line between them; over a link at its entrance
                          // until the beat is over
    AstarHeading heading; // of its last step, ASTAR_NO_HEADING before the first
    AstarUnitState state;
    int size, period, priority;
    bool has_goal;
    int goal_x, goal_y;
} AstarUnitFacts;

// False where there is no such unit.
ASTAR_API bool astar_crowd_unit(const AstarCrowd *crowd, AstarUnit unit, AstarUnitFacts *facts);
// The same of what there is to draw, of many units sooner: all of them in the order of
// astar_crowd_next_unit, '*cursor' being 0 at first.
typedef struct AstarUnitPlace {
    AstarUnit unit;
    double x, y; // at_x and at_y of its facts
    AstarHeading heading;
} AstarUnitPlace;

ASTAR_API bool astar_crowd_next_place(const AstarCrowd *crowd, uint32_t *cursor,
                                      AstarUnitPlace *place);
// The unit that stands in a cell, and 0 where there is none, or outside.
ASTAR_API AstarUnit astar_crowd_unit_at(const AstarCrowd *crowd, int x, int y);

// What makes a plan that brings units of a crowd to where they were sent, wherever there is one
// (LaCAM: Okumura, 2023), and then makes that better. Units without a goal may end anywhere; of
// units of one goal, and where the goal lies outside of the window, each has the nearest cell
// that is left. While it is made its units stay where they are; then the crowd follows it, one
// step a beat, and waits where others are in the way. An order to one of its units but to go where
// it goes, or taking one away, ends it; so do 17 beats of waiting. Its units go on by themselves
// then.
typedef struct AstarResolving AstarResolving;

typedef struct AstarResolvingOptions {
    size_t bytes;            // that it may take up; 256 MB
    uint64_t improve;        // how much may go into better plans, in expansions; 2^20
    int x, y, width, height; // the cells that its units may go to; 0: all
} AstarResolvingOptions;

ASTAR_API AstarResolvingOptions astar_resolving_options_default(void);
// What of these units and their crowd it cannot honour, in words: "links", "units larger than a
// cell", "units of several periods"; NULL: nothing. NULL for units means all.
ASTAR_API const char *astar_crowd_resolving_refusal(const AstarCrowd *crowd, const AstarUnit *units,
                                                    size_t count,
                                                    const AstarResolvingOptions *options);
// For units that are in the window, NULL: all; those that are held count as others, and others
// stand in the way. A unit that has another plan leaves that. ASTAR_BAD_OPTION where it is refused.
ASTAR_API AstarStatus astar_crowd_resolving(AstarCrowd *crowd, const AstarUnit *units, size_t count,
                                            const AstarResolvingOptions *options,
                                            AstarResolving **out);
// Works on it, by about as many expansions: ASTAR_OK when the crowd follows the plan, or nothing is
// left to be done; ASTAR_UNSOLVABLE when there is none, ASTAR_OUT_OF_BYTES, ASTAR_START_BLOCKED
// where a unit stands where it cannot, ASTAR_GRID_CHANGED where the map has changed under it,
// ASTAR_CANCELLED. The same plan however it was sliced.
ASTAR_API AstarStatus astar_resolving_step(AstarResolving *resolving, uint64_t expansions);
// Has the crowd follow what plan there is; false: there is none.
ASTAR_API bool astar_resolving_follow(AstarResolving *resolving);
// Ends it, unless the crowd follows the plan already.
ASTAR_API void astar_resolving_cancel(AstarResolving *resolving);
ASTAR_API void astar_resolving_release(AstarResolving *resolving);

typedef struct AstarResolvingFacts {
    AstarStatus status;
    uint32_t units;
    bool has_plan, is_followed;
    uint32_t beats, left; // of the plan, and how many are to come
    uint64_t cost;        // beats until each has arrived, summed up
    uint64_t expanded;    // turns of all units that were tried
    size_t bytes;
} AstarResolvingFacts;

ASTAR_API AstarResolvingFacts astar_resolving_facts(const AstarResolving *resolving);

// ---- workers ----

// Threads of the library's own that answer questions while the host's goes on. They read copies of
// the maps, two of each at most, so that the host may edit and ask at any time and nobody waits for
// anybody. A pool and all that is of it belong to one thread, as the finders it is asked by do.

#define ASTAR_MAX_WORKERS 64

typedef struct AstarWorkers AstarWorkers;
typedef struct AstarBatch AstarBatch;

// A pool of 'threads' workers, 0 to ASTAR_MAX_WORKERS (ASTAR_BAD_OPTION): of none, who waits for
// answers works them out. ASTAR_NO_WORKERS, ASTAR_WITHOUT_THREADS where there are no threads to be
// had. It keeps copies of the maps and finders it is asked by until those are given back by all
// others, and the next batch is made.
ASTAR_API AstarStatus astar_workers_new(const AstarAllocator *allocator, int threads,
                                        AstarWorkers **out);
// Ends its threads, in the middle of what they are at. What they have not answered is left to who
// waits for it.
ASTAR_API void astar_workers_close(AstarWorkers *workers);
// Closes it, too; batches that are still there hold on to it. NULL is fine.
ASTAR_API void astar_workers_release(AstarWorkers *workers);
// How many threads there are; 0 once closed.
ASTAR_API int astar_workers_count(const AstarWorkers *workers);
// The bytes of the copies of maps.
ASTAR_API size_t astar_workers_bytes(const AstarWorkers *workers);
// The bytes of what its threads search in, as each had them when it last had an answer.
ASTAR_API size_t astar_workers_search_bytes(AstarWorkers *workers);

// What of a finder's options no worker can honour, as astar_options_refusal says it: callbacks, and
// 'avoid', which are the host's thread's alone. NULL: nothing.
ASTAR_API const char *astar_workers_refusal(const AstarFinder *finder);

// Whether they can work a flow out: the same goes for its finder, it does not flee, nor begin at a
// unit among its own blocks.
ASTAR_API bool astar_workers_take_flow(const AstarFlow *flow);

// Whether they can find the answer of a search, begun in steps, that has none yet: of one for a
// path, the nearest of several goals, a path's repair. The same goes for its finder, and it neither
// asks a function nor begins at a unit among its own blocks.
ASTAR_API bool astar_workers_take_search(const AstarSearch *search);

// Whether they can bake in place of the host, which has not begun: the same goes for its finder,
// whose map is no view.
ASTAR_API bool astar_workers_take_baking(const AstarBaked *baked);

// Questions that are handed to the workers together: made, added to, begun, waited for, freed. All
// are about the maps as they were when the batch began, or, where both copies of a map are being
// read by batches that were begun and not waited for, as the last of those has it: so what a batch
// reads depends on the calls made, and on no clock.
ASTAR_API AstarStatus astar_batch_new(AstarWorkers *workers, AstarBatch **out);
// Cancels what is left of it; NULL is fine.
ASTAR_API void astar_batch_free(AstarBatch *batch);
// Adds the question of astar_find_path, the answer to which is that of the same call. The number of
// a question is that of those before it. ASTAR_BAD_OPTION where no worker can honour the finder, or
// the finder the question.
ASTAR_API AstarStatus astar_batch_add(AstarBatch *batch, AstarFinder *finder, int sx, int sy,
                                      int gx, int gy, const AstarQuestion *question);
// The same of what a search was asked, by astar_batch_take_search; that may be stepped, looked at
// and let go of meanwhile. ASTAR_BAD_OPTION where workers cannot find its answer.
ASTAR_API AstarStatus astar_batch_add_search(AstarBatch *batch, const AstarSearch *search);
// The same of a flow that is to be worked out as a whole, by astar_batch_take_flow, and may be
// asked and kept up with edits meanwhile. ASTAR_BAD_OPTION of one that flees, or begins at a unit
// among its own blocks, too.
ASTAR_API AstarStatus astar_batch_add_flow(AstarBatch *batch, AstarFlow *flow);
// The same of baking, by astar_batch_take_baking. ASTAR_BAD_OPTION where workers cannot.
ASTAR_API AstarStatus astar_batch_add_baking(AstarBatch *batch, const AstarBaked *baked);
ASTAR_API size_t astar_batch_count(const AstarBatch *batch);
// The order in which they are begun, where it is not that of their numbers: those of these numbers,
// each once (else ASTAR_BAD_OPTION), then the others.
ASTAR_API AstarStatus astar_batch_set_order(AstarBatch *batch, const size_t *numbers, size_t count);
// Hands the questions over; no more can be added. Those about maps of which something was baked
// while both copies were being read are answered at once. ASTAR_NO_MEMORY leaves it as it was.
ASTAR_API AstarStatus astar_batch_begin(AstarBatch *batch);
// A question that is not answered yet need not be.
ASTAR_API void astar_batch_cancel(AstarBatch *batch, size_t number);
// Whether all are answered or cancelled.
ASTAR_API bool astar_batch_is_done(AstarBatch *batch);
// Waits until all are, and works out meanwhile what nobody has begun.
ASTAR_API void astar_batch_wait(AstarBatch *batch);
// What a question has come to, once waited for: as astar_find_path, ASTAR_OK once, which fills
// 'path', an initialised one; then and where it was cancelled ASTAR_CANCELLED.
ASTAR_API AstarStatus astar_batch_take(AstarBatch *batch, size_t number, AstarPath *path);
// Has the search of that question end as was found for it, on the map as it was when the batch
// began, once waited for. ASTAR_RUNNING where it has ended by itself, or is to go on by its own
// steps: it is as it was.
ASTAR_API AstarStatus astar_batch_take_search(AstarBatch *batch, size_t number,
                                              AstarSearch *search);
// Puts in force what was baked of the map as it was when the batch began, once waited for, as if
// the host had baked that then. ASTAR_RUNNING where it has begun by itself, or landmarks cannot
// take in what was edited since: it is as it was.
ASTAR_API AstarStatus astar_batch_take_baking(AstarBatch *batch, size_t number, AstarBaked *baked);
// Has a flow take what was worked out for it, once waited for: as if it had been asked for all of
// it when the batch began; edits since it takes in with the next question. ASTAR_RUNNING where the
// unit stands among its own blocks by now: the flow is as it was.
ASTAR_API AstarStatus astar_batch_take_flow(AstarBatch *batch, size_t number);
// The version of the finder's grid that a question is about, once begun.
ASTAR_API uint64_t astar_batch_version(const AstarBatch *batch, size_t number);

// ---- navigation graphs ----

// Way-points and the edges between them: rooms and exits, stations and lines; or, with the function
// AstarNeighbours, any space of states that the host can describe. A graph and all that is of it
// belong to one thread at a time.

#define ASTAR_MAX_NODES 268435456
#define ASTAR_MAX_KEY 268435455   // bytes of a key that is a text
#define ASTAR_NO_NODE UINT32_MAX  // no node's number
#define ASTAR_GRAPH_COST_MAX 1e15 // the dearest edge, and the farthest coordinate from 0
#define ASTAR_MAX_LANDMARKS 16

typedef struct AstarGraph AstarGraph;
typedef struct AstarGraphSearch AstarGraphSearch;
typedef struct AstarGraphBaking AstarGraphBaking;

ASTAR_API AstarStatus astar_graph_new(const AstarAllocator *allocator, AstarGraph **out);
// Graphs are counted references: searches hold one each.
ASTAR_API void astar_graph_retain(AstarGraph *graph);
ASTAR_API void astar_graph_release(AstarGraph *graph);
// Counts the edits.
ASTAR_API uint64_t astar_graph_version(const AstarGraph *graph);
// The bytes it takes up, with what it keeps for its searches.
ASTAR_API size_t astar_graph_bytes(const AstarGraph *graph);
ASTAR_API uint32_t astar_graph_count(const AstarGraph *graph); // of nodes

typedef struct AstarWaypoint {
    AstarName key; // its text stays until a node is added
    double x, y;   // NAN where it has no position
    bool blocked;
} AstarWaypoint;

// Adds a node or, where there is one of that key, gives it another position. Both NAN: none, or the
// one it has. '*node' is its number: 0, 1, 2, ... in order; numbers hold until a node is added
// after another was removed. ASTAR_BAD_OPTION for a number that is NAN, a text or a coordinate
// beyond the limits, ASTAR_TOO_LARGE beyond ASTAR_MAX_NODES.
ASTAR_API AstarStatus astar_graph_put(AstarGraph *graph, const AstarName *key, double x, double y,
                                      uint32_t *node);
// The number of a node; ASTAR_NO_NODE where there is none of that key.
ASTAR_API uint32_t astar_graph_find(const AstarGraph *graph, const AstarName *key);
ASTAR_API bool astar_graph_node(const AstarGraph *graph, uint32_t node, AstarWaypoint *out);
// Stores the next node's number in the order they were made; '*cursor' is 0 at first.
ASTAR_API bool astar_graph_next(const AstarGraph *graph, uint32_t *cursor, uint32_t *node);
// Takes a node away, and all edges from it and to it; whether there was one.
ASTAR_API bool astar_graph_remove(AstarGraph *graph, uint32_t node);
// The node nearest to a position, blocked or not, of equally near ones the first that was made;
// ASTAR_NO_NODE where none has a position.
ASTAR_API uint32_t astar_graph_nearest(AstarGraph *graph, double x, double y);

// A way from one node to another.
typedef struct AstarEdge {
    uint32_t to;
    uint32_t label; // the host's own
    double cost;
    bool blocked;
    bool by_distance; // the cost follows the positions
} AstarEdge;

// Leads an edge from one node to another and, unless 'one_way', back; what there is takes the new
// cost and label. 'cost' from 0 to ASTAR_GRAPH_COST_MAX (ASTAR_BAD_COST), or NAN: the distance of
// the two, 1 where one has no position. ASTAR_BAD_OPTION where they are no two nodes.
ASTAR_API AstarStatus astar_graph_connect(AstarGraph *graph, uint32_t from, uint32_t to,
                                          double cost, uint32_t label, bool one_way);
// Takes the way there and, unless 'one_way', the way back away; whether there was any.
ASTAR_API bool astar_graph_disconnect(AstarGraph *graph, uint32_t from, uint32_t to, bool one_way);
ASTAR_API bool astar_graph_edge(const AstarGraph *graph, uint32_t from, uint32_t to,
                                AstarEdge *edge);
// Stores the next edge out of a node; '*cursor' is 0 at first.
ASTAR_API bool astar_graph_next_edge(const AstarGraph *graph, uint32_t from, uint32_t *cursor,
                                     AstarEdge *edge);
// A blocked node cannot be entered, a blocked edge not be walked, either way; whether there is any.
ASTAR_API bool astar_graph_block(AstarGraph *graph, uint32_t node, bool blocked);
ASTAR_API bool astar_graph_block_edge(AstarGraph *graph, uint32_t a, uint32_t b, bool blocked);

// What one question may have its own way.
typedef struct AstarGraphQuestion {
    double weight;           // 1 to ASTAR_MAX_WEIGHT, default 1
    double max_cost;         // >= 0, default INFINITY
    uint64_t max_expansions; // >= 1, default UINT64_MAX
    bool partial; // false; true: without a way the path to the node nearest to the goal, by
                  // positions or the host's estimate; ASTAR_BAD_OPTION where there is neither
} AstarGraphQuestion;

// What the step over an edge costs: from astar_graph_search_least to ASTAR_GRAPH_COST_MAX, or
// INFINITY where it cannot be made. 'cost' is the edge's own.
typedef double (*AstarEdgeCost)(void *context, uint32_t from, uint32_t to, uint32_t label,
                                double cost);
// What the rest of the way from a node to the goal costs at least: >= 0 and finite, the host's to
// keep admissible. Asked once a node.
typedef double (*AstarNodeEstimate)(void *context, uint32_t node, uint32_t goal);
// Tells a search what can be reached from a state: by astar_graph_search_state and
// astar_graph_search_reach_state for each. Any status but ASTAR_OK ends the step with it.
typedef AstarStatus (*AstarNeighbours)(void *context, AstarGraphSearch *search, uint32_t state);
// Whether a node is a goal. Asked once a node, the nearest first.
typedef bool (*AstarNodeTest)(void *context, uint32_t node);

// These functions may not edit the graph they are asked about (ASTAR_GRID_CHANGED). Out of
// astar_graph_search_step they may leave by longjmp: the search can go on later.
typedef struct AstarGraphOptions {
    AstarEdgeCost cost;         // NULL
    double min_cost;            // the least that 'cost' returns per unit of distance; NAN
                                // (default): the least of all edges
    AstarNodeEstimate estimate; // NULL: by landmarks or positions, as far as they can be trusted
    AstarNeighbours neighbours; // NULL; else the search is one of states, not of the graph's nodes
    AstarGraphQuestion question;
} AstarGraphOptions;

ASTAR_API AstarGraphOptions astar_graph_options_default(void);

// A path: a caller's struct. Its numbers are those of nodes as the graph was.
typedef struct AstarGraphPath {
    uint32_t *nodes; // from start to goal
    size_t count;
    double cost; // the sum of its steps, added in their order
    uint64_t expanded;
    bool partial;
    size_t capacity;
    AstarAllocator allocator;
} AstarGraphPath;

ASTAR_API void astar_graph_path_init(AstarGraphPath *path);
ASTAR_API void astar_graph_path_destroy(AstarGraphPath *path);

// The cheapest path, as the questions to finders are answered: by A*, where estimates are known
// that cannot be wrong, else by Dijkstra's algorithm. Costs that add up exactly in double
// precision, such as whole numbers, are compared exactly; of others the sum may differ from the
// least in its last digits. Ties break by the order in which nodes were made. A start that is
// blocked may be left.
ASTAR_API AstarStatus astar_graph_find_path(AstarGraph *graph, const AstarGraphOptions *options,
                                            uint32_t start, uint32_t goal, void *context,
                                            AstarGraphPath *path);

// A search for one question: made, begun by one of the functions below, stepped, freed. NULL for a
// question: as the options have it. Any edit of the graph ends it with ASTAR_GRID_CHANGED.
ASTAR_API AstarStatus astar_graph_search_new(AstarGraph *graph, const AstarGraphOptions *options,
                                             AstarGraphSearch **out);
ASTAR_API void astar_graph_search_free(AstarGraphSearch *search); // NULL is fine
// To one goal. ASTAR_RUNNING, or the answer where it is known at once.
ASTAR_API AstarStatus astar_graph_search_to(AstarGraphSearch *search, uint32_t start, uint32_t goal,
                                            const AstarGraphQuestion *question, void *context);
// To the nearest of several; astar_graph_search_index tells which, of the same node the first.
ASTAR_API AstarStatus astar_graph_search_nearest(AstarGraphSearch *search, uint32_t start,
                                                 const uint32_t *goals, size_t count,
                                                 const AstarGraphQuestion *question);
ASTAR_API size_t astar_graph_search_index(const AstarGraphSearch *search);
// To the nearest that passes a test.
ASTAR_API AstarStatus astar_graph_search_where(AstarGraphSearch *search, uint32_t start,
                                               AstarNodeTest test,
                                               const AstarGraphQuestion *question);
// To all within 'max_cost' and what the options allow; ASTAR_OK when that is done, or
// ASTAR_MAX_EXPANSIONS, which leaves what was expanded.
ASTAR_API AstarStatus astar_graph_search_reach(AstarGraphSearch *search, uint32_t start,
                                               double max_cost);

// A node where a way from outside enters the graph, or leaves it, and what that costs.
typedef struct AstarWayIn {
    uint32_t node;
    double cost;
} AstarWayIn;

// From outside to outside: in by one node and out by one, to a goal at (goal_x, goal_y), the ways
// out no cheaper than the distance to that; NAN: nowhere. The path is of nodes only, its cost is
// all.
ASTAR_API AstarStatus astar_graph_search_between(AstarGraphSearch *search,
                                                 const AstarWayIn *ways_in, size_t in_count,
                                                 const AstarWayIn *ways_out, size_t out_count,
                                                 double goal_x, double goal_y,
                                                 const AstarGraphQuestion *question, void *context);

// Has a search that was begun, and neither stepped nor made with neighbours, be one of the graph as
// it is now: edits that come after do not end it, but ASTAR_GRID_CHANGED where nodes get other
// numbers, as when many were taken out. Until it is freed each edit keeps what it changes, for the
// search. ASTAR_BAD_OPTION where it cannot be.
ASTAR_API AstarStatus astar_graph_search_freeze(AstarGraphSearch *search);
// Whether there is such a search: it may tell of nodes that were taken out since.
ASTAR_API bool astar_graph_has_frozen(const AstarGraph *graph);
// A node as the search sees it; false where there is none. As astar_graph_node.
ASTAR_API bool astar_graph_search_waypoint(const AstarGraphSearch *search, uint32_t node,
                                           AstarWaypoint *out);
// The label of the edge from one node to another, as the search sees it, 0 for none.
ASTAR_API uint32_t astar_graph_search_label(const AstarGraphSearch *search, uint32_t from,
                                            uint32_t to);
// As astar_search_step.
ASTAR_API AstarStatus astar_graph_search_step(AstarGraphSearch *search, uint64_t expansions,
                                              void *context);
ASTAR_API AstarStatus astar_graph_search_status(const AstarGraphSearch *search);
ASTAR_API uint64_t astar_graph_search_expanded(const AstarGraphSearch *search);
ASTAR_API size_t astar_graph_search_bytes(const AstarGraphSearch *search);
// The least that 'cost' may return for a step.
ASTAR_API double astar_graph_search_least(const AstarGraphSearch *search, uint32_t from,
                                          uint32_t to);
// The path of a search that ended ASTAR_OK, and the cheapest path to any node it has reached.
ASTAR_API AstarStatus astar_graph_search_path(const AstarGraphSearch *search, AstarGraphPath *path);
ASTAR_API AstarStatus astar_graph_search_path_to(const AstarGraphSearch *search, uint32_t node,
                                                 AstarGraphPath *path);
// What it costs to a node that was expanded, and the node before, ASTAR_NO_NODE at the start.
ASTAR_API bool astar_graph_search_node(const AstarGraphSearch *search, uint32_t node, double *g,
                                       uint32_t *parent);
// Of astar_graph_search_reach: stores the next node, the nearest first; '*cursor' is 0 at first.
ASTAR_API bool astar_graph_search_reached(const AstarGraphSearch *search, uint64_t *cursor,
                                          uint32_t *node, double *g);
// The number of a state of a search that was made with neighbours: the next one where its key is
// new. Start and goal are to be asked for before it begins.
ASTAR_API AstarStatus astar_graph_search_state(AstarGraphSearch *search, const AstarName *key,
                                               uint32_t *state, bool *is_new);
// In AstarNeighbours: a step leads to a state at a cost >= 0. '*is_better' tells whether that is
// the cheapest way there yet.
ASTAR_API AstarStatus astar_graph_search_reach_state(AstarGraphSearch *search, uint32_t state,
                                                     double cost, void *context, bool *is_better);

// Measures the distances of all nodes from a few far-off ones, 0 to ASTAR_MAX_LANDMARKS, as
// estimates for the searches to come that no 'cost' or 'estimate' is given for (ALT: Goldberg and
// Harrelson, 2005), a few expansions at a time: ASTAR_RUNNING until all is done and they come into
// force. Blocks count for open, and what is taken away or gets dearer later does no harm; after a
// new edge or a lower cost searches go on without until baked again. 0 lets go of what was baked.
ASTAR_API AstarStatus astar_graph_baking_new(AstarGraph *graph, int landmarks,
                                             AstarGraphBaking **out);
ASTAR_API AstarStatus astar_graph_baking_step(AstarGraphBaking *baking, uint64_t expansions);
ASTAR_API void astar_graph_baking_free(AstarGraphBaking *baking); // NULL is fine
// How many are in force, and their bytes.
ASTAR_API int astar_graph_landmarks(const AstarGraph *graph, size_t *bytes);

// Writes a graph and the names of labels 1 to 'label_count' as bytes, the same on every machine;
// '*length' is how many there are, and those that do not fit into 'capacity' are left out. Keys of
// ASTAR_NAME_OTHER are written as numbers: the host has to see that there are none.
ASTAR_API AstarStatus astar_graph_save(const AstarGraph *graph, const AstarName *labels,
                                       uint32_t label_count, void *bytes, size_t capacity,
                                       size_t *length);

// Names of labels as they were saved, in the bytes that were loaded; its fields are its own.
typedef struct AstarGraphLabels {
    const unsigned char *at, *end;
    uint32_t count; // of those to come
} AstarGraphLabels;

// A graph as astar_graph_save wrote it: it answers as that one does. ASTAR_BAD_DATA for bytes that
// are no such thing; all labels of its edges have a name.
ASTAR_API AstarStatus astar_graph_load(const AstarAllocator *allocator, const void *bytes,
                                       size_t length, AstarGraph **out, AstarGraphLabels *labels);
ASTAR_API bool astar_graph_next_label(AstarGraphLabels *labels, AstarName *name);

// ---- worlds ----

// A map without edges, in chunks of 64 x 64 cells that the host loads when they are asked for, and
// that are let go, with what was measured of them, to stay within so many bytes. Chunk (cx, cy)
// holds the cells from (64 cx, 64 cy) on; all may be negative. A world and all that is of it belong
// to one thread at a time.

#define ASTAR_CHUNK_SIDE 64
#define ASTAR_WORLD_REACH 1000000000  // cells lie from minus that to before it; rock is beyond
#define ASTAR_WORLD_MAX_TERRAINS 254  // kinds of terrain a world can hold
#define ASTAR_WORLD_MAX_SIZE 64       // of a unit
#define ASTAR_WORLD_EXPANSIONS 65536  // of a route's search, where max_expansions says no other
#define ASTAR_WORLD_MAX_LINKS 65536   // each way one
#define ASTAR_WORLD_MIN_BYTES 1048576 // the least a world may be held to

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
// Saves what was edited. ASTAR_BAD_OPTION where there is no callback for that.
ASTAR_API AstarStatus astar_world_save(AstarWorld *world, void *context);

// The ground of a cell: a terrain, 254 of a solid chunk, 255 where none is there. The chunk is
// loaded. ASTAR_BAD_CELL beyond ASTAR_WORLD_REACH, as of all cells.
ASTAR_API AstarStatus astar_world_get(AstarWorld *world, int32_t x, int32_t y, void *context,
                                      int *terrain);
// ASTAR_NOT_LOADED where the chunk is not there.
ASTAR_API AstarStatus astar_world_set(AstarWorld *world, int32_t x, int32_t y, int terrain,
                                      void *context);
// Blocks, links and walls are the world's own, and stay when chunks are let go.
ASTAR_API AstarStatus astar_world_block(AstarWorld *world, int32_t x, int32_t y, int width,
                                        int height, bool blocked);
ASTAR_API bool astar_world_is_blocked(const AstarWorld *world, int32_t x, int32_t y);
// As astar_grid_link, _unlink, _wall, _unwall and _has_wall. ASTAR_TOO_LARGE beyond
// ASTAR_WORLD_MAX_LINKS.
ASTAR_API AstarStatus astar_world_link(AstarWorld *world, int32_t x0, int32_t y0, int32_t x1,
                                       int32_t y1, double cost, uint32_t label, bool one_way);
ASTAR_API bool astar_world_unlink(AstarWorld *world, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
                                  bool one_way);
ASTAR_API AstarStatus astar_world_wall(AstarWorld *world, int32_t x, int32_t y, AstarSide side,
                                       bool one_way);
ASTAR_API AstarStatus astar_world_unwall(AstarWorld *world, int32_t x, int32_t y, AstarSide side,
                                         bool one_way);
ASTAR_API bool astar_world_has_wall(const AstarWorld *world, int32_t x, int32_t y, AstarSide side);

// How one kind of unit moves: as 'finder' does, a finder of the world's palette, of whose options
// 'diagonals', 'diagonal_cost', 'costs', 'size' up to ASTAR_WORLD_MAX_SIZE, 'weight' and
// 'max_expansions' count and all others must be the default ones (ASTAR_BAD_OPTION). Routes lead
// over nodes, one for every 'spacing' cells, 2 to 64, of a free run of a line between chunks, and
// what is measured between these is kept. With a 'spacing' of 1 they lead over all cells and are
// the best; with a 'weight' above 1 they cost at most that many times what the best does. Either
// way searches measure no more than they come by, chunk by chunk, and keep nothing of it.
ASTAR_API AstarStatus astar_world_finder_new(AstarWorld *world, AstarFinder *finder, int spacing,
                                             AstarWorldFinder **out);
ASTAR_API void astar_world_finder_retain(AstarWorldFinder *finder);
ASTAR_API void astar_world_finder_release(AstarWorldFinder *finder);

// A search for a route, which loads and measures what it needs as it goes on. It retains the
// finder. What is edited meanwhile where it has been makes it begin anew, in the step after that.
ASTAR_API AstarStatus astar_route_search_new(AstarWorldFinder *finder, int32_t sx, int32_t sy,
                                             int32_t gx, int32_t gy, AstarRouteSearch **out);
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

#ifdef __cplusplus
}
#endif

#endif
