// reachable.h -- Reachability checks by connected components, before a search starts.
//
// The functions find the components that a unit can enter from a cell, and the reachable cells
// nearest to a goal. The functions also handle units that start on their own blocks.

#ifndef ASTAR_REACHABLE_H
#define ASTAR_REACHABLE_H

#include "layers/components.h"
#include "map/grid.h"

// The components that a unit can reach from a cell.
typedef struct AstarReachable {
    const AstarFinder *finder;
    AstarComponents *components;
    uint32_t labels[ASTAR_DIRECTIONS];    // labels of the components next to the unit
    AstarCell of_label[ASTAR_DIRECTIONS]; // one cell of each of these components
    int count;                            // number of these components
    // Sorted labels of the components that links lead to; the memory belongs to the search.
    uint32_t *beyond;
    uint32_t beyond_count;
    bool certain;     // true if the map has no walls, which might part cells of one component
    uint64_t visited; // number of cells and squares examined so far
} AstarReachable;

// States whether a goal can be reached, if that is known without a search.
typedef enum AstarReachKnown {
    ASTAR_REACH_UNKNOWN, // only a search can show it
    ASTAR_REACH_NO,
    ASTAR_REACH_YES
} AstarReachKnown;

// The result of the precheck of a query.
typedef struct AstarPrecheckResult {
    bool connected; // true if only a callback or a wall can keep the unit from its goal
    bool certain;   // true if no wall can, either
} AstarPrecheckResult;

// Maximum number of nearest cells that are stored. On a square grid at most eight cells lie at the
// same distance, unless a diagonal step costs as much as one or as two straight steps.
enum { ASTAR_MANY_NEAREST = 8 };

// The state of a search through rings of cells around a goal, from the inside to the outside. The
// search can be interrupted after each ring.
typedef struct AstarRings {
    int radius;     // radius of the next ring
    double nearest; // distance of the nearest reachable cell so far; at first an upper bound
    // Number of reachable cells at the distance 'nearest'; ASTAR_MANY_NEAREST + 1 if there are more
    // than can be stored.
    uint32_t count;
    AstarCell cells[ASTAR_MANY_NEAREST]; // these cells
} AstarRings;

// The state of following links from component to component.
typedef struct AstarBeyond {
    uint32_t count;       // number of components found, whose labels the search stores
    uint32_t passes, arc; // passes over all arcs that were completed; next arc of the present pass
    bool found, leads_on; // true if this pass, or the previous one, found a component
} AstarBeyond;

// The state of the precheck of a query, for one version of the map.
typedef struct AstarPrecheck {
    uint64_t version;
    AstarBeyond beyond;
    // The searches for a reachable cell within range of the goal, and for the reachable cell
    // nearest to the goal.
    AstarRings within, near;
} AstarPrecheck;

// Results of the checks of a query that precede its search, see run.c.
typedef struct AstarKnown {
    AstarPrecheckResult outcome;
    AstarPrecheck precheck;
    uint32_t *labels; // labels of the components that links lead to
    size_t label_capacity;
} AstarKnown;

// Finds the components that a unit can reach from (x, y). The result uses memory of the search,
// which the next call overwrites.
AstarStatus astar_reachable_from(AstarSearch *search, int x, int y, AstarReachable *reach);
// Finds the components that a unit can reach from (x, y), within a work budget. '*beyond' must be
// zero before the first call. Returns ASTAR_RUNNING if the budget is used up first.
AstarStatus astar_reachable_advance(AstarSearch *search, int x, int y, AstarBeyond *beyond,
                                    AstarReachable *reach, int64_t *work);
// Returns true if a cell can be reached.
bool astar_reachable_has(const AstarReachable *reach, int x, int y);
// Finds the reachable cells at which a unit of the given size is nearest to (x, y), by the finder's
// distance, and stores them and their distance in 'rings'. Cells farther away than rings->nearest
// are ignored. If 'range' is not -1, the function only finds out whether the unit can come within
// 'range' columns and rows; if not, rings->nearest remains INFINITY. Returns false if the work
// budget is used up first.
bool astar_reachable_look(AstarReachable *reach, int x, int y, AstarBody body, int range,
                          AstarRings *rings, int64_t *work);

// Returns true if all cells that the unit covers at (x, y) lie inside the grid and have terrain
// that it can enter. Blocks are ignored, because they may be the unit itself.
bool astar_terrain_allows(const AstarFinder *finder, int x, int y);
// Returns true if the unit at (x, y) covers blocks that could bar its steps, and nothing else bars
// the unit from (x, y). A unit of one cell is affected only with a 'step_cost' callback or if
// 'bends' count: then a route may lead past a corner of its start.
bool astar_covers_block(const AstarFinder *finder, int x, int y, bool bends);
// Sets (x, y) as the start of the unit. The query ignores the blocks that the unit covers at its
// start, because they are the unit itself.
AstarStatus astar_ignore_own_blocks(AstarSearch *search, int x, int y, bool bends);
// Ends the effect of astar_ignore_own_blocks(): the query no longer ignores the blocks that the
// unit covers at its start.
void astar_stop_ignoring_own_blocks(AstarSearch *search);

#endif
