// search.h -- The struct of a search: all data that a search needs to continue after an
// interruption, and its memory.
//
// One search object answers query after query, on any grid that its memory is large enough for.
// Between queries it rests in its workspace (workspace.c).

#ifndef ASTAR_SEARCH_H
#define ASTAR_SEARCH_H

#include "base/directions.h"
#include "base/pages.h"
#include "finder/costs.h"
#include "finder/finder.h"
#include "map/grid.h"
#include "openlist/lifo_queue.h"
#include "openlist/slotted_queue.h"
#include "rules/heuristic.h"
#include "search/active_landmarks.h"
#include "search/any_angle.h"
#include "search/bends.h"
#include "search/best_first.h"
#include "search/goal.h"
#include "search/jps.h"
#include "search/jpsw.h"
#include "search/jump_nodes.h"
#include "search/reachable.h"
#include "search/run.h"
#include "search/search_life.h"
#include "search/trace.h"
#include "search/workspace.h"

#include <stdlib.h>

// Maximum number of stale entries of the open list that one expansion skips.
enum { ASTAR_MOST_PASSED = 64 };

// Number of slots of the open list for a range of f as wide as the cost of the cheapest step. With
// more slots, fewer entries share a slot and have to be sorted. Measurements on maps of all kinds
// led to these numbers. The number for jump point search is smaller, because its open list has
// fewer entries and its f grows in larger steps.
enum { ASTAR_SLOTS_A_STEP = 64, ASTAR_SLOTS_A_JUMP = 8 };

// Defined in baked_route.c.
typedef struct AstarBakedScratch AstarBakedScratch;

struct AstarState; // defined in bends.h

// The data that a search needs if it runs in steps, between which its map may be edited.
typedef struct AstarStepped {
    AstarContinuation
        *continuation; // the part of a finished query that is still to run; NULL: none
    // The path that a continuation or another search has found. The path is empty if none was
    // found.
    AstarPath given;
    int restarts; // number of restarts of the search, see search_life.c
    AstarPreparing preparing;
    AstarPhase phase;
    AstarTracing tracing;
    AstarSeenMap seen;
    double sound_below; // f below which edits have changed nothing that the search has used
    // True if a step may build layers only within its budget of expansions. The flag is reset when
    // the search is put back into the workspace.
    bool builds_by_steps;
} AstarStepped;

// The fields that belong to one algorithm each.
typedef struct AstarOwn {
    AstarBestFirst best_first;
    AstarPages step_costs; // the exact cost of the step to each cell, if astar_notes_steps()
    AstarCutWays cut;
    AstarJpsw jpsw;
    AstarActiveLandmarks active;
    // The estimates over links, towards the goal and back to the start. NULL if no query needed
    // them so far.
    struct AstarLinks *links;
    AstarBakedScratch *baked; // memory for routes by baked data; NULL: never needed yet
    struct AstarStates
        *states; // the states of a search over cells and headings; NULL: never needed yet
    bool linked; // the grid has links, and 'links' is ready
    struct AstarRays *rays;     // the data of fewest_bends.c; NULL: never needed yet
    struct AstarLevels *levels; // the data of bend_levels.c; NULL: never needed yet
    struct AstarPriced *priced; // the states of priced_bends.c; NULL: never needed yet
    // True if bends count. The search then runs over cells and headings, see bends.h, unless
    // 'by_rays' is true.
    bool bends;
    bool by_rays; // true if bends are counted by rays after a search over cells, see fewest_bends.c
    // Factor of the estimates of A*: the weight of the query, or 1 if an optimal search takes less
    // time.
    double weight;
    bool ignores_baked; // true if the search must not use baked data; reset when the search rests
} AstarOwn;

struct AstarSearch {
    // The fields that a short jump point search reads come first and lie together, so that the
    // search touches few cache lines. The memory of a search is kept from query to query.
    AstarRest rest;
    AstarAllocator allocator; // the allocator of the workspace
    uint32_t start;
    const AstarGrid *grid; // NULL between queries
    AstarFinder *finder;   // retained unless the search is borrowed; NULL between queries
    AstarJumpFront jumps;  // the nodes and open list of jump point search
    AstarQueryOptions query;
    int32_t start_x, start_y;
    AstarGoal goal;
    double limit; // the greatest cost allowed; costlier routes are not followed
    uint64_t expanded;
    // The status returned if no route is found: ASTAR_MAX_COST once a route was rejected for its
    // cost.
    AstarStatus failure;
    uint32_t found; // the cell where the path ends
    AstarPath
        parts[3]; // the pieces between links of a path that is being reworked, and that path itself

    AstarCosts costs;
    AstarFront front; // the open list and pages of searches that go step by step
    AstarCore core;
    AstarAlgorithm algorithm;
    const AstarSearchFunctions *functions;
    AstarStatus status;
    AstarKnown known;
    AstarMany many;
    AstarOwn own;
    AstarLines lines;
    AstarStepped stepped;
};

// Closes the node of a cell that was taken off the open list. Returns false if the node was closed
// before.
static inline bool astar_jump_close(AstarJumpFront *front, uint32_t cell)
{
    astar_cell_xy(front->nodes.grid, cell, &front->x, &front->y);
    uint32_t *slot = astar_jump_slot(&front->nodes, cell, front->x, front->y);
    AstarJumpNode *node = &front->nodes.nodes[*slot];
    front->number = (uint32_t)(node - front->nodes.nodes);
    if (astar_jump_is_closed(node))
        return false;
    node->cell |= ASTAR_JUMP_CLOSED;
    return true;
}

// Returns the node that a jump point search is expanding.
static inline const AstarJumpNode *astar_jump_current(const AstarSearch *search)
{
    return &search->jumps.nodes.nodes[search->jumps.number];
}

// Returns true if a search must store the exact cost of each step, which a 'step_cost' callback
// returned. The sums g are rounded. If the caller's heuristic is neither admissible nor consistent,
// a cheaper path to a cell may be found after cells beyond it were reached. For both reasons g is
// not the exact cost of a path, which is the sum of the results of the callback.
static inline bool astar_notes_steps(const AstarSearch *search)
{
    return search->finder->options.step_cost != NULL;
}

// Returns the node of a cell in a best-first search. The node is packed into 64 bits.
static inline uint64_t astar_node(const AstarSearch *search, uint32_t cell)
{
    int x, y;
    astar_cell_xy(search->grid, cell, &x, &y);
    return astar_nodes_at(&search->core.nodes, x, y);
}

// Returns true if the search runs over cells and headings.
static inline bool astar_goes_over_states(const AstarSearch *search)
{
    return search->own.bends && !search->own.by_rays;
}

// Returns true if a search has reached the cell (x, y). The search must be one that goes step by
// step, not by jumps.
static inline bool astar_has_reached(const AstarSearch *search, int x, int y)
{
    return astar_goes_over_states(search)
               ? astar_pages_state(&search->front.nodes, x, y) != 0
               : astar_nodes_at(&search->core.nodes, x, y) != ASTAR_UNREACHED;
}

// Returns the direction of the step that led best-first search to the cell being expanded.
static inline int astar_current_from(const AstarSearch *search)
{
    return astar_node_from(astar_nodes_at(&search->core.nodes, search->front.x, search->front.y));
}

// Returns the cost of the best path found so far to a cell that best-first search has reached.
static inline double astar_node_g(const AstarSearch *search, uint32_t cell)
{
    return (double)(astar_node(search, cell) >> ASTAR_STATE_BITS) * search->core.unit;
}

// Returns the estimate of the cost between two square cells in the units of the nodes of best-first
// search. The heuristic must be linear in columns and rows.
static inline uint64_t astar_least_between(const AstarSearch *search, int x, int y, int to_x,
                                           int to_y)
{
    const AstarCore *core = &search->core;
    uint64_t columns = (uint64_t)abs(x - to_x), rows = (uint64_t)abs(y - to_y);
    if (!search->finder->rule->has_diagonals)
        return core->along * (columns + rows);
    uint64_t greater = columns > rows ? columns : rows;
    return core->along * greater + core->across * (columns + rows - greater);
}

// Returns the estimate of the cost of a walk from (x, y) over a map without obstacles: to the goal
// or, if 'backward' is true, to the start.
ASTAR_SPECIALIZE double astar_walk_estimate(const AstarSearch *search, bool backward, int x, int y)
{
    const AstarGoal *goal = &search->goal;
    const AstarHeuristic *heuristic = &search->finder->costs.heuristic;
    if (search->grid->shape->wraps != 0)
        astar_come_nearest(search->grid, &x, &y, backward ? search->start_x : goal->x,
                           backward ? search->start_y : goal->y);
    if (backward)
        return astar_estimate_between(search->grid->shape, heuristic, x, y, search->start_x,
                                      search->start_y);
    if (goal->kind == ASTAR_GOAL_CELL)
        return astar_estimate_between(search->grid->shape, heuristic, x, y, goal->x, goal->y);
    double h = astar_goal_remaining(search->grid->shape, heuristic, goal, goal->x, goal->y, x, y);
    return h > goal->near_cost ? h - goal->near_cost : 0;
}

// Returns the cost of the best path found so far to a cell that the search has reached.
static inline double astar_search_g(const AstarSearch *search, uint32_t cell)
{
    return search->functions->g(search, cell);
}

// Returns true if a cell is marked as one of many goals.
static inline bool astar_goal_set_is_marked(const AstarSearch *search, uint32_t cell)
{
    int x, y;
    astar_cell_xy(search->grid, cell, &x, &y);
    return astar_pages_state(&search->many.goal_marks, x, y) != 0;
}

#endif
