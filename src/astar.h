// astar.h -- shortest paths on grids of terrain: the whole public C API, by topic in astar/.
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

#define ASTAR_VERSION "1.0.0" // the one place: all else that says a version takes it from here

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
#ifndef ASTAR_HAS_TACTICS
#define ASTAR_HAS_TACTICS 1
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
#define ASTAR_MAX_AVOIDS 16         // fields that a finder avoids, beside the one without a list
#define ASTAR_MAX_LAYERS 32         // of blocks with names, beside the one without
#define ASTAR_MAX_LAYER_NAME 255    // bytes of such a name
#define ASTAR_MAX_SIGHT 255         // the largest radius that astar_fov takes
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
    ASTAR_BAD_SEAM,            // a map that wraps around cannot honour this
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
