// find.h -- Queries in one call: the query, the place where its result is stored, and the shortcuts
// that answer a query without starting a search.
//
// A shortcut returns exactly the path that a search would. find.c and baked_route.c define them.

#ifndef ASTAR_FIND_H
#define ASTAR_FIND_H

#include "finder/finder.h"
#include "layers/jump_bits.h"
#include "search/bent_way.h"
#include "search/path.h"
#include "search/search.h"

// A query in one call.
typedef struct AstarFindCall {
    AstarFinder *finder;
    AstarWorkspace *workspace;
    int sx, sy, gx, gy;
    const AstarQueryOptions *query;
    const AstarAllocator *allocator; // allocator for the points of the path
    AstarPath *path;                 // the answer
    bool is_unseen; // true if the direct route to the goal is known to be barred, see find.c
} AstarFindCall;

// Fills in the cost, the length and the other fields of a path whose points are already stored.
// 'straight' and 'diagonal' are its numbers of steps.
ASTAR_SPECIALIZE AstarStatus astar_call_describe(const AstarFindCall *asked,
                                                 AstarAlgorithm algorithm, uint64_t expanded,
                                                 double straight, double diagonal)
{
    const AstarFinder *finder = asked->finder;
    AstarPath *path = asked->path;
    path->length = straight + diagonal * ASTAR_SQRT2;
    straight *= finder->min_cost;
    diagonal *= finder->min_cost;
    path->cost = straight + diagonal * finder->options.diagonal_cost;
    path->expanded = expanded;
    path->algorithm = algorithm;
    path->partial = false;
    path->orthogonal = !finder->rule->has_diagonals;
    path->goal_x = asked->gx;
    path->goal_y = asked->gy;
    path->query = *asked->query;
    path->offset = (AstarOffset)finder->plan.offset;
    path->best_at = asked->query->weight == 1 ? finder->plan.best_at : 0;
    return ASTAR_OK;
}

// Adds the end (x, y) of a leg of 'steps' steps to a path, which must have room for it. Adds
// nothing if 'steps' is 0.
ASTAR_SPECIALIZE void astar_put_leg(AstarPath *path, int x, int y, int steps)
{
    if (steps == 0)
        return;
    path->cells += steps;
    path->points[path->count++] = (AstarPoint){x, y, path->cells - 1};
}

// Checks by the components whether a free start and a free goal are connected. Returns ASTAR_OK,
// ASTAR_UNREACHABLE, or ASTAR_RUNNING if only a search can answer the query: the components are not
// up to date, or a partial path is wanted. If the components are missing, the plan is marked as
// stale, so that the next query makes it again.
static inline AstarStatus astar_call_components(const AstarFindCall *asked)
{
    AstarQueryPlan *plan = &asked->finder->plan;
    if (plan->components == NULL) {
        plan->version = 0;
        return ASTAR_RUNNING;
    }
    if (astar_components_join(plan->components, asked->sx, asked->sy, asked->gx, asked->gy))
        return ASTAR_OK;
    return asked->query->partial ? ASTAR_RUNNING : ASTAR_UNREACHABLE;
}

// Answers a query by a shortcut, as astar_find_path() would. If asked->query is NULL, the query
// has the finder's own options. Returns ASTAR_RUNNING, and leaves the path unchanged, if the query
// needs a search.
AstarStatus astar_try_shortcuts(AstarFindCall *asked);
// Answers a query by the direct route. Returns ASTAR_RUNNING if the direct route is barred. The
// finder must be up to date. The function builds the layers that it needs, so its result does not
// depend on earlier queries.
AstarStatus astar_answer_in_sight(AstarFindCall *asked);

// The shortcuts. Each returns ASTAR_RUNNING, and leaves the path unchanged, if it cannot answer the
// query.
AstarStatus astar_answer_by_baked(AstarFindCall *asked);
AstarStatus astar_answer_directly(AstarFindCall *asked);
AstarStatus astar_answer_by_jumps(AstarFindCall *asked);
AstarStatus astar_answer_by_steps(AstarFindCall *asked);
AstarStatus astar_answer_in_view(AstarFindCall *asked);
AstarStatus astar_answer_over_costs(AstarFindCall *asked);

// Finds the plain route between two cells over uniform cells only: a diagonal leg and a straight
// one, or two straight legs if diagonal steps are not allowed. Returns true if no step of it is
// barred and no other route costs less. The finder's non-uniform cells and their bitmaps for jumps
// must be up to date.
bool astar_plain_view(const AstarFinder *finder, int sx, int sy, int gx, int gy,
                      AstarBentWay *view);
// Finds the direct route between two cells on terrain of one cost: a diagonal leg and a straight
// one. Returns true if no step of it is barred; then no other route costs less. Coordinates include
// the border, as in jump_bitmaps.c. Diagonal steps must be allowed.
bool astar_direct_way(const AstarJumpBits *runs, int x, int y, int goal_x, int goal_y,
                      AstarBentWay *way);

#endif
