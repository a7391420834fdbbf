// astar.h -- Shortest paths on grids of terrain. This header includes the whole public C API, which
// is divided by topic into the headers in astar/.
//
// A grid holds terrain (up to 256 kinds, each with a cost) and blocks, which lie on cells. A finder
// describes how one kind of unit moves over a grid: its corner rule, its costs, its algorithm. A
// finder finds paths. Every edit of the grid takes effect in the finder's next query. The memory of
// searches lies in a workspace. One workspace serves all grids and finders of a thread.
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
// Coordinates are cells, counted from 0. x grows to the east, y grows to the south. The cost of a
// path is the sum of the costs of its steps. A step costs its length (1, or the finder's
// diagonal_cost) times the cost of the cell that it enters. The same query on the same grid returns
// the same path on every machine.
//
// For a cell outside the grid, functions return ASTAR_BAD_CELL and change nothing. A function that
// returns no status documents its result for such a cell.
//
// Threads: any number of threads may run queries on the same grid and the same field at the same
// time, as long as no thread changes either. Finders, workspaces, searches, flows and paths belong
// to one thread each. Every thread may retain and release grids and fields, so each thread may make
// its own finders. Layers of data that are built on a grid for one finder serve all its finders.
// The host must make sure that no thread edits a grid while others run queries on it. Alternatively
// the grid is shared: then each thread sees the published state through a view. In a build with
// ASTAR_NO_THREADS, a grid and all objects made from it belong to one thread.

#ifndef ASTAR_H
#define ASTAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ASTAR_VERSION "1.0.0" // the version; everything else that states it takes it from here

// Marks the functions that a shared library exports. Define ASTAR_BUILD_SHARED to build a shared
// library. On Windows, programs that use the shared library must define ASTAR_SHARED.
#if defined(ASTAR_BUILD_SHARED) && defined(_WIN32)
#define ASTAR_API __declspec(dllexport)
#elif defined(ASTAR_BUILD_SHARED) && defined(__GNUC__)
#define ASTAR_API __attribute__((visibility("default")))
#elif defined(ASTAR_SHARED) && defined(_WIN32)
#define ASTAR_API __declspec(dllimport)
#else
#define ASTAR_API
#endif

// Each macro is 0 if the part was left out of the build with all its functions, for example by
// make WITHOUT="crowd world".
#ifndef ASTAR_HAS_BAKING
#define ASTAR_HAS_BAKING 1
#endif
#ifndef ASTAR_HAS_CROWD
#define ASTAR_HAS_CROWD 1
#endif
#ifndef ASTAR_HAS_GRAPH
#define ASTAR_HAS_GRAPH 1
#endif
#ifndef ASTAR_HAS_TACTICS
#define ASTAR_HAS_TACTICS 1
#endif
#ifndef ASTAR_HAS_WORKERS
#define ASTAR_HAS_WORKERS 1
#endif
#ifndef ASTAR_HAS_WORLD
#define ASTAR_HAS_WORLD 1
#endif

#define ASTAR_MAX_SIDE 16777216     // maximum width and height of a grid, in cells
#define ASTAR_MAX_CELLS 268435456   // maximum of width * height
#define ASTAR_MAX_TERRAINS 256      // maximum number of kinds of terrain in a grid
#define ASTAR_COST_MIN 0.001        // lowest cost of terrain, per unit of length
#define ASTAR_COST_MAX 1000000.0    // highest cost; INFINITY means that no unit can enter
#define ASTAR_MAX_WEIGHT 1000000.0  // highest 'weight' of a finder
#define ASTAR_MAX_SIZE 255          // highest 'size' of a finder: the side of its unit, in cells
#define ASTAR_MAX_PIVOTS 16         // maximum number of landmarks for astar_finder_bake()
#define ASTAR_MAX_AVOIDS 16         // maximum length of a finder's list of fields to avoid
#define ASTAR_MAX_LAYERS 32         // maximum number of named layers of a grid
#define ASTAR_MAX_LAYER_NAME 255    // maximum length of a layer's name, in bytes
#define ASTAR_MAX_SIGHT 255         // greatest radius for astar_fov(), in cells
#define ASTAR_MAX_ORIGIN 1000000000 // greatest absolute coordinate of the origin saved with a grid

typedef struct AstarGrid AstarGrid;
typedef struct AstarField AstarField;
typedef struct AstarFinder AstarFinder;
typedef struct AstarWorkspace AstarWorkspace;
typedef struct AstarSearch AstarSearch;
typedef struct AstarFlow AstarFlow;
typedef struct AstarShared AstarShared;

// The result of a call. The first two statuses mean success. Statuses about the map come next, then
// errors.
typedef enum AstarStatus {
    ASTAR_OK,             // the call succeeded; a search has found a path
    ASTAR_RUNNING,        // the search or job has not ended yet
    ASTAR_START_BLOCKED,  // the terrain bars the unit at the start, or it reaches beyond the map
    ASTAR_GOAL_BLOCKED,   // the goal cannot be entered
    ASTAR_UNREACHABLE,    // no route leads to the goal
    ASTAR_MAX_COST,       // every route costs more than max_cost
    ASTAR_MAX_EXPANSIONS, // max_expansions were used up before a path was found
    ASTAR_GRID_CHANGED,   // an edit after the start of the search may have changed its result
    ASTAR_BAD_COST,       // a callback returned a cost out of range, or a heuristic below 0
    ASTAR_BAD_OPTION,     // an option is out of range, or two options contradict each other
    ASTAR_NO_MEMORY,      // an allocation failed; objects are unchanged
    ASTAR_BAD_LINKS_AND_WALLS, // the finder's algorithm cannot honour links and walls
    ASTAR_BAD_GROUND,          // the finder's algorithm cannot honour terrain of several costs
    ASTAR_BAD_CELL,            // a cell, or part of a rectangle, is outside the grid or field
    ASTAR_BAD_DATA,            // the bytes are not a saved grid, or are damaged
    ASTAR_TOO_LARGE,           // the saved grid has more cells than max_cells
    ASTAR_OCCUPIED,            // a unit of the crowd stands on the cell
    ASTAR_NOT_LOADED,          // in a world, a route may lead over cells that are not loaded
    ASTAR_BUSY,                // every copy of a shared map is being read
    ASTAR_NAME_TAKEN,          // another map is shared under this name
    ASTAR_WITHOUT_THREADS,     // the library was built with ASTAR_NO_THREADS
    ASTAR_NO_WORKERS,          // a thread could not be started
    ASTAR_CANCELLED,           // the request was cancelled before it was answered
    ASTAR_UNSOLVABLE,          // the units of a crowd cannot all reach their goals
    ASTAR_OUT_OF_BYTES,        // the memory that the call may use did not suffice
    ASTAR_BAD_WRAP,            // a map that wraps around cannot honour an option or a call
    ASTAR_STATUS_COUNT         // not a status: the number of statuses
} AstarStatus;

// Returns the text of a status: "start blocked", "unreachable", "max_cost", ...
ASTAR_API const char *astar_status_text(AstarStatus status);

// Allocates and frees memory. 'allocate' returns 'size' zeroed bytes, aligned for any type, or
// NULL. 'release' frees them. A NULL AstarAllocator means calloc and free. The allocator of a grid
// is called by every thread that runs queries on the grid.
typedef struct AstarAllocator {
    void *(*allocate)(void *context, size_t size);
    void (*release)(void *context, void *block, size_t size);
    void *context;
} AstarAllocator;

// clang-format off
#include "astar/map.h"
#include "astar/saving.h"
#include "astar/sharing.h"
#include "astar/field.h"
#include "astar/finder.h"
#include "astar/baking.h"
#include "astar/path.h"
#include "astar/search.h"
#include "astar/flow.h"
#include "astar/crowd.h"
#include "astar/workers.h"
#include "astar/graph.h"
#include "astar/world.h"
#include "astar/tactics.h"
#include "astar/jobs.h"
// clang-format on

#ifdef __cplusplus
}
#endif

#endif
