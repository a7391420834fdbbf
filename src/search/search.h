// search.h -- one search: everything it needs to go on, and the memory it works in.
//
// A search object serves query after query, about any grid that its memory is large enough for. At
// rest it lies in its workspace.

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
#include "search/frozen.h"
#include "search/goal.h"
#include "search/jps.h"
#include "search/jpsw.h"
#include "search/jump_nodes.h"
#include "search/reachable.h"
#include "search/run.h"
#include "search/trace.h"
#include "search/workspace.h"

// Maximum number of stale items of the open list that an expansion skips.
enum { ASTAR_MOST_PASSED = 64 };

// How finely the open list sorts before it has to: measured on maps of all kinds. By jumps there is
// less in each slot, and f grows by more at once.
enum { ASTAR_SLOTS_A_STEP = 64, ASTAR_SLOTS_A_JUMP = 8 };

// See baked_route.c.
typedef struct AstarBakedScratch AstarBakedScratch;

struct AstarState; // see bends.h

// Of a search made in steps, between which its map may be edited.
typedef struct AstarSlices {
    AstarContinuation *continuation; // NULL: none
    AstarPath given; // what a continuation, or another search, has found; no cells: nothing
    int begun_anew;  // how often it was, see frozen.c
    AstarPreparing preparing;
    AstarPhase phase;
    AstarTracing tracing;
    AstarSeenMap seen;
    double sound_below;   // edits have not changed anything whose f is less
    bool builds_by_steps; // nothing is built besides; until it is put to rest
} AstarSlices;

// What each of the ways to search has of its own.
typedef struct AstarOwn {
    AstarBestFirst best_first;
    AstarPages said; // what the step to each cell costs, where astar_notes_steps
    AstarCutWays cut;
    AstarJpsw jpsw;
    AstarActiveLandmarks active;
    struct AstarLinks *links;   // towards the goal, and back to the start; NULL: none were met yet
    AstarBakedScratch *baked;   // of routes by what was baked; NULL: there was none yet
    struct AstarStates *states; // cells with headings, where bends count; NULL: they never did
    bool linked;                // the grid has links, and 'links' is ready
    struct AstarRays *rays;     // NULL: bends were not counted so yet; see fewest_bends.c
    bool bends;         // they count: the search is one over cells and headings, see bends.h
    bool by_rays;       // or first one over cells, and then by rays, see fewest_bends.c
    bool ignores_baked; // searches as if nothing were baked; until it is put to rest
} AstarOwn;

struct AstarSearch {
    // First what the shortest question by jumps reads, and of the question and the state what that
    // does, in few lines. Memory is kept from query to query.
    AstarRest rest;
    AstarAllocator allocator; // the workspace's
    uint32_t start;
    const AstarGrid *grid; // NULL at rest
    AstarFinder *finder;   // retained; NULL at rest
    AstarJumpFront jumps;  // for jump point search
    AstarQuestion question;
    int32_t start_x, start_y;
    AstarGoal goal;
    double limit; // paths that cost more are not followed
    uint64_t expanded;
    AstarStatus failure; // if no way is found: ASTAR_MAX_COST once one was too dear
    uint32_t found;      // the cell the path ends at
    AstarPath parts[3];  // of a path that is reworked between its links; that path itself

    AstarCosts costs;
    AstarFront front; // of searches by steps
    AstarCore core;
    AstarAlgorithm algorithm;
    const AstarSearchWay *way;
    AstarStatus status;
    AstarKnown known;
    AstarMany many;
    AstarOwn own;
    AstarLines lines;
    AstarSlices slices;
};

// Closes the node of a cell taken off the open list; false where that was done before.
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

// The node being expanded.
static inline const AstarJumpNode *astar_jump_current(const AstarSearch *search)
{
    return &search->jumps.nodes.nodes[search->jumps.number];
}

// Whether a search by steps notes what each step costs. The sums g are rounded; and if a heuristic
// of the host's is neither admissible nor consistent, a cell may be found cheaper after what lies
// beyond it was reached, and the search end before that is reached again. A path's cost is the sum
// of what the step_cost callback said.
static inline bool astar_notes_steps(const AstarSearch *search)
{
    return search->finder->options.step_cost != NULL;
}

// What best-first search knows of a cell.
static inline uint64_t astar_node(const AstarSearch *search, uint32_t cell)
{
    int x, y;
    astar_cell_xy(search->grid, cell, &x, &y);
    return astar_nodes_at(&search->core.nodes, x, y);
}

// Whether a search is one over cells and headings.
static inline bool astar_goes_over_states(const AstarSearch *search)
{
    return search->own.bends && !search->own.by_rays;
}

// Whether a search by steps has reached a cell.
static inline bool astar_has_reached(const AstarSearch *search, int x, int y)
{
    return astar_goes_over_states(search)
               ? astar_pages_state(&search->front.nodes, x, y) != 0
               : astar_nodes_at(&search->core.nodes, x, y) != ASTAR_UNREACHED;
}

// The direction that led best-first search to the cell being expanded.
static inline int astar_current_from(const AstarSearch *search)
{
    return astar_node_from(astar_nodes_at(&search->core.nodes, search->front.x, search->front.y));
}

// The cost of the best way yet to a cell that best-first search has reached.
static inline double astar_node_g(const AstarSearch *search, uint32_t cell)
{
    return (double)(astar_node(search, cell) >> ASTAR_STATE_BITS) * search->core.unit;
}

// The estimate by walks over open ground.
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

// The cost of the best way yet to a cell that a search by steps has reached.
static inline double astar_search_g(const AstarSearch *search, uint32_t cell)
{
    return search->way->g(search, cell);
}

// Returns true if a cell is marked as one of many goals.
static inline bool astar_goal_set_is_marked(const AstarSearch *search, uint32_t cell)
{
    int x, y;
    astar_cell_xy(search->grid, cell, &x, &y);
    return astar_pages_state(&search->many.goal_marks, x, y) != 0;
}

#endif
