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
// questions of other threads are the host's to keep apart. Built with ASTAR_NO_THREADS, a grid and
// all that is of it belong to one thread.

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

#define ASTAR_MAX_SIDE 16777216     // the widest or highest grid, in cells
#define ASTAR_MAX_CELLS 268435456   // width * height at most
#define ASTAR_MAX_TERRAINS 256      // kinds of terrain a grid can hold
#define ASTAR_COST_MIN 0.001        // the cheapest terrain, per unit of length
#define ASTAR_COST_MAX 1000000.0    // the dearest; INFINITY means it cannot be entered
#define ASTAR_MAX_WEIGHT 1000000.0  // the largest 'weight' of a finder
#define ASTAR_MAX_SIZE 255          // the largest 'size' of a finder: cells a side of its unit
#define ASTAR_MAX_PIVOTS 8          // the most that astar_finder_bake takes
#define ASTAR_MAX_ORIGIN 1000000000 // how far from 0 the origin saved with a grid may be

typedef struct AstarGrid AstarGrid;
typedef struct AstarField AstarField;
typedef struct AstarFinder AstarFinder;
typedef struct AstarWorkspace AstarWorkspace;
typedef struct AstarSearch AstarSearch;
typedef struct AstarFlow AstarFlow;

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

// A new grid, every cell of terrain 0, which costs 1. Sides from 1 to ASTAR_MAX_SIDE with at most
// ASTAR_MAX_CELLS cells, else ASTAR_BAD_OPTION; the allocator is copied.
ASTAR_API AstarStatus astar_grid_new(const AstarAllocator *allocator, int width, int height,
                                     AstarGrid **out);
// An equal grid that shares nothing with this one.
ASTAR_API AstarStatus astar_grid_clone(const AstarGrid *grid, AstarGrid **out);
// Grids are counted references: finders and searches hold one each.
ASTAR_API void astar_grid_retain(AstarGrid *grid);
ASTAR_API void astar_grid_release(AstarGrid *grid);

ASTAR_API int astar_grid_width(const AstarGrid *grid);
ASTAR_API int astar_grid_height(const AstarGrid *grid);
// Counts the edits: equal versions mean an unchanged grid.
ASTAR_API uint64_t astar_grid_version(const AstarGrid *grid);
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

// Blocks are what stands on the ground: unblocking brings the ground back. Outside nothing is
// blocked, nor walkable.
ASTAR_API AstarStatus astar_grid_block(AstarGrid *grid, int x, int y, int width, int height);
ASTAR_API AstarStatus astar_grid_unblock(AstarGrid *grid, int x, int y, int width, int height);
ASTAR_API bool astar_grid_is_blocked(const AstarGrid *grid, int x, int y);
// Neither blocked nor of terrain that cannot be entered.
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

// A side of a cell.
typedef enum AstarSide {
    ASTAR_SIDE_NORTH = 0,
    ASTAR_SIDE_EAST = 2,
    ASTAR_SIDE_SOUTH = 4,
    ASTAR_SIDE_WEST = 6,
} AstarSide;

// Puts a thin wall on a side of a cell: no step leads across it, or, where it is 'one_way', none
// out of this cell. A diagonal step has two ways around, each past one of the two cells beside it
// by two straight steps; a wall across either closes that way, and counts as an obstacle there;
// past walls that close both no diagonal step leads under any rule.
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

// ---- field ----

// A layer of numbers over a map: danger, crowding, scent; 0 everywhere at first. A finder with
// the option 'avoid' adds a cell's value to what the cell costs per unit of length. Values are in
// single precision and stay from 0 to ASTAR_COST_MAX: what would leave that range is cut off. A
// change counts from the next question on.
ASTAR_API AstarStatus astar_field_new(const AstarAllocator *allocator, int width, int height,
                                      AstarField **out);
// Fields are counted references: finders hold one each.
ASTAR_API void astar_field_retain(AstarField *field);
ASTAR_API void astar_field_release(AstarField *field);
ASTAR_API int astar_field_width(const AstarField *field);
ASTAR_API int astar_field_height(const AstarField *field);
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
    ASTAR_HEURISTIC_DEFAULT, // octile; manhattan when diagonals are never allowed
    ASTAR_OCTILE,            // max - min straight steps and min diagonal ones
    ASTAR_MANHATTAN,         // dx + dy
    ASTAR_EUCLIDEAN,         // the straight line
    ASTAR_CHEBYSHEV,         // max(dx, dy)
    ASTAR_ZERO,              // 0: Dijkstra's algorithm
    ASTAR_HEURISTIC_COUNT
} AstarHeuristicName;

typedef enum AstarAlgorithm {
    ASTAR_AUTO,          // the fastest that honours the other options
    ASTAR_ASTAR,         // A* (Hart, Nilsson and Raphael, 1968)
    ASTAR_DIJKSTRA,      // Dijkstra, 1959: A* without an estimate
    ASTAR_BIDIRECTIONAL, // NBA* (Pijls and Post, 2009): from both ends at once; needs range 0,
                         // weight 1 and a named heuristic
    ASTAR_JPS,           // jump point search (Harabor and Grastien, 2011, 2014; without
                         // diagonals Baum, 2025): for ground of one cost; needs what
                         // ASTAR_BIDIRECTIONAL needs, no callback, no 'avoid', no links and walls,
                         // and the default heuristic
    ASTAR_JPSW,          // the same on any ground, with links, walls and 'avoid': by steps where
                         // those or other costs are near (for several costs see Carlson, Moghadam,
                         // Harabor, Stuckey and Ebendt, 2023)
    ASTAR_ALGORITHM_COUNT
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
// An estimate for a goal dx >= 0 columns and dy >= 0 rows away, finite and >= 0.
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
                              // goal are both within it counts as the goal
    int size;                 // 1 to ASTAR_MAX_SIZE, default 1: the unit covers size x size cells,
                              // see below
    AstarAlgorithm algorithm; // ASTAR_AUTO
    AstarField *avoid;        // NULL, or a field of the grid's size, whose values are added to the
                              // costs of cells, before any callback is asked; retained
    double avoid_weight;      // 0 to ASTAR_COST_MAX, default 1: what they are multiplied by
    bool any_angle;           // false; true: short routes of straight lines, see below
    AstarBends bends;         // ASTAR_BENDS_ANY
    double bend_cost;         // 0 (default) to ASTAR_COST_MAX: what each bend adds to the cost
    AstarHeading heading;     // ASTAR_NO_HEADING: the first step is no bend, whichever way it
                              // leads; else one in another direction is
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
// there be a heading (ASTAR_BAD_OPTION). A step in another direction than the one before is a bend,
// turning back is one, too; after a link, as at the start, every direction is as good. The search
// is A*, or Dijkstra's algorithm, over cells and directions of arrival, and expands each pair of
// them by itself. max_cost and path->cost take in what bends cost; of equally cheap routes the one
// found has the fewest bends even where each costs something, but for a 'weight' above 1. A
// step_cost callback's words are rounded to a part in 2^31 of the least it may say, so that routes
// can be equally cheap. 'any_angle' cannot honour either option (ASTAR_BAD_OPTION).

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

// For a map that has settled: measures the distances of all cells from a few far-off ones, 0 to 8
// (4 serve most maps), as an estimate that spares jump point search expansions (the differential
// heuristic: Sturtevant et al., IJCAI 2009), and keeps them if that pays on the sample. Walls built
// later do no harm; once one falls, queries go on without until baked again. 0 lets go of what was
// baked. Ground of several costs and callbacks leave nothing to bake. Searches under way begin anew
// with their next step. Takes as long as pivots + 5 floodings of the map. ASTAR_NO_MEMORY leaves
// the finder as it was.
ASTAR_API AstarStatus astar_finder_bake(AstarFinder *finder, int pivots, AstarBaking *out);

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
    bool jump; // one step, over nothing
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

// The cheapest path from (sx, sy) to (gx, gy). The start may be blocked (the
// unit itself stands there: blocks on cells that it covers do not count) but not of terrain the
// unit cannot enter. Fills 'path' when ASTAR_OK, else leaves it.
ASTAR_API AstarStatus astar_find_path(AstarWorkspace *workspace, AstarFinder *finder, int sx,
                                      int sy, int gx, int gy, const AstarQuestion *question,
                                      void *context, AstarPath *path);

// A cell that may be a goal.
typedef struct AstarCell {
    int x, y;
} AstarCell;

// Whether a cell the unit can reach is a goal. Asked once a cell, the nearest first; may do and not
// do what cost callbacks may.
typedef bool (*AstarGoalTest)(void *context, int x, int y, int terrain);

// The cheapest path to any of 'count' goals, and which of them that leads to:
// of equally cheap ones the one of the lowest y, then x (but where 'weight' is above 1), of several
// goals in one cell the first. With 'partial' that goes for goals come equally near to at the same
// cost. Goals that are blocked or that no way leads to are passed
// over: ASTAR_GOAL_BLOCKED when all are blocked, ASTAR_UNREACHABLE when none of the others can be
// reached, or there are none. All options count as for astar_find_path, but a heuristic of the
// host's is not asked, and where A* would not do better Dijkstra's algorithm runs. Time and memory
// grow with the map, not with the goals and their range.
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
// As astar_search_take, and builds nothing: astar_search_begin_in_steps must come next.
ASTAR_API AstarStatus astar_search_take_unbuilt(AstarWorkspace *workspace, AstarFinder *finder,
                                                AstarSearch **out);
// As astar_find_nearest and astar_find_where; astar_search_path then stores the path.
ASTAR_API AstarStatus astar_search_nearest(AstarSearch *search, int sx, int sy,
                                           const AstarCell *goals, size_t count,
                                           const AstarQuestion *question, void *context,
                                           size_t *index);
ASTAR_API AstarStatus astar_search_where(AstarSearch *search, int sx, int sy, AstarGoalTest test,
                                         const AstarQuestion *question, void *context);
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
// As astar_path_check, of the cells from the one at index 'from' on.
ASTAR_API AstarStatus astar_search_check(AstarSearch *search, const AstarPath *path, int from,
                                         void *context, int *bad);

// What a search knows of a cell it has reached.
typedef struct AstarSeen {
    int x, y;
    bool closed;            // expanded or about to be, else on the open list
    bool from_goal;         // reached from the goal: by a bidirectional search
    bool has_parent;        // false for the start, and for the goal a search grows back from
    int parent_x, parent_y; // the cell before on the best way yet; of a jump point the one before
    double g;               // the cost of that way; of a jump point to four digits or more
    double h;               // the estimate of the rest
    double f;               // g + weight * h
} AstarSeen;

// Stores the next cell that is open or closed, row by row from the north-west, one reached from
// both ends twice; false after the last. '*cursor' is 0 at first. Asks the host's heuristic, if
// any.
ASTAR_API bool astar_search_seen(const AstarSearch *search, uint64_t *cursor, void *context,
                                 AstarSeen *seen);

typedef enum AstarCellState {
    ASTAR_UNSEEN,
    ASTAR_OPENED,
    ASTAR_CLOSED, // from either end
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
// Callbacks are not asked.
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
// edit of the grid the next question first repairs what that changed, or begins anew where that is
// less work. Cost callbacks are asked about a cell once a flow, and again after an edit of the
// cell; they may ask the flow itself. Links, walls and the field to avoid are honoured; after a
// change of them a flow begins anew.
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
// edited.
ASTAR_API AstarStatus astar_flow_step(AstarFlow *flow, uint64_t expansions, void *context);
// Takes in all edits of the grid now and works out again what was worked out before.
ASTAR_API AstarStatus astar_flow_update(AstarFlow *flow, void *context);
// What it costs from a cell to the goals (to the cell, of astar_reach_new), their value included.
// ASTAR_START_BLOCKED, ASTAR_GOAL_BLOCKED (all of them), ASTAR_MAX_COST or ASTAR_UNREACHABLE where
// there is no way.
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

#ifdef __cplusplus
}
#endif

#endif
