// find.c -- The life of a query in one call: astar_find_path() names its phases in order, and the
// functions of the phases follow in that order. The other queries in one call are at the end.
//
// Most queries in games want a route and nothing else, and the map was not edited since the last
// query. The finder's plan (query_plan.c) then holds what each phase has to find out, and the phase
// reads the plan. All other queries find it out by the functions of run.c, as searches in steps do.
// Both kinds of queries pass through the same phases and have the same results.

#include "search/find.h"

#include "map/links_and_walls.h"
#include "search/baked.h"
#include "search/direct_line.h"
#include "search/jps.h"
#include "search/jump_scan.h"
#include "search/path.h"
#include "search/query_plan.h"
#include "search/reachable.h"
#include "search/run.h"
#include "search/search.h"
#include "search/trace.h"
#include "search/workspace.h"

// A phase returns ASTAR_OK if the query goes on, otherwise the status with which the query ends.
// try_direct_line returns true if it has answered the query. trace_route is the last phase: its
// status is the result. put_back gives back the search, if the query has taken one.
static AstarStatus validate(AstarFindCall *call);
static bool try_direct_line(AstarFindCall *call);
static AstarStatus precheck(AstarFindCall *call);
static AstarStatus choose_algorithm(AstarFindCall *call);
static AstarStatus run_algorithm(AstarFindCall *call);
static AstarStatus trace_route(AstarFindCall *call);
static void put_back(const AstarFindCall *call);

ASTAR_HOT AstarStatus astar_find_path(AstarWorkspace *workspace, AstarFinder *finder, int sx,
                                      int sy, int gx, int gy, const AstarQueryOptions *query,
                                      void *context, AstarPath *path)
{
    AstarFindCall call = {.finder = finder,
                          .workspace = workspace,
                          .sx = sx,
                          .sy = sy,
                          .gx = gx,
                          .gy = gy,
                          .query = query != NULL ? query : &finder->query,
                          .allocator = astar_workspace_allocator(workspace),
                          .path = path,
                          .context = context};
    AstarStatus status = validate(&call);
    // A free line proves more than the precheck does, in less time, so it comes first.
    if (status == ASTAR_OK && try_direct_line(&call))
        return ASTAR_OK;
    if (status == ASTAR_OK)
        status = precheck(&call);
    if (status == ASTAR_OK)
        status = choose_algorithm(&call);
    if (status == ASTAR_OK)
        status = run_algorithm(&call);
    if (status == ASTAR_OK)
        status = trace_route(&call);
    put_back(&call);
    return status;
}

// Validate: the cells lie inside the grid, and some algorithm honours all options of the query.

static AstarStatus validate(AstarFindCall *call)
{
    AstarFinder *finder = call->finder;
    AstarStatus status = ASTAR_OK;
    if (!astar_inside(finder->grid, call->sx, call->sy) ||
        !astar_inside(finder->grid, call->gx, call->gy))
        return ASTAR_BAD_CELL;
    call->algorithm = ASTAR_AUTO;
    if (!astar_plan_is_ready(finder))
        status = astar_finder_update(finder);
    else if (call->query == &finder->query)
        call->algorithm = (AstarAlgorithm)finder->plan.algorithm;
    else
        call->algorithm = astar_plan_algorithm(finder, call->query);
    if (status != ASTAR_OK || call->algorithm != ASTAR_AUTO)
        return status;
    const AstarRefusal *refusal = astar_finder_refusal(finder, call->query);
    return refusal != NULL ? refusal->status : ASTAR_OK;
}

// Try the direct line, and then a route by baked data: answers that need no search. Only a query
// with a plan tries them.

static bool try_direct_line(AstarFindCall *call)
{
    return call->algorithm != ASTAR_AUTO &&
           (astar_try_direct_line(call) ||
            (ASTAR_HAS_BAKING && call->finder->plan.baked != NULL && call->algorithm == ASTAR_JPS &&
             astar_try_baked_route(call)));
}

// Precheck: start and goal are not blocked, and the connected components do not separate them.

// Finds out from the components of the plan whether the goal can be reached. If the components are
// missing, the plan is marked as stale, so that the next query makes it again.
static AstarReachKnown compare_in_plan(const AstarFindCall *call)
{
    AstarFinder *finder = call->finder;
    AstarQueryPlan *plan = &finder->plan;
    const AstarBits *free = &finder->on.walkable->bits;
    if (call->algorithm == ASTAR_AUTO ||
        (call->algorithm == ASTAR_JPSW && astar_grid_has_links_or_walls(finder->grid)))
        return ASTAR_REACH_UNKNOWN;
    if (plan->components == NULL) {
        plan->version = 0;
        return ASTAR_REACH_UNKNOWN;
    }
    if (!astar_bits_get(free, call->sx, call->sy) || !astar_bits_get(free, call->gx, call->gy))
        return ASTAR_REACH_UNKNOWN;
    if (astar_components_join(plan->components, call->sx, call->sy, call->gx, call->gy))
        return ASTAR_REACH_YES;
    return call->query->partial ? ASTAR_REACH_UNKNOWN : ASTAR_REACH_NO;
}

static AstarStatus precheck(AstarFindCall *call)
{
    AstarReachKnown known = compare_in_plan(call);
    if (known == ASTAR_REACH_NO)
        return ASTAR_UNREACHABLE;
    call->is_connected = known == ASTAR_REACH_YES;
    // A borrowed search stays in the list of the workspace, so no other query may run meanwhile. A
    // query with a plan calls no callbacks, so none can run.
    if (call->is_connected)
        call->search = astar_workspace_borrow(call->workspace, call->finder);
    call->is_borrowed = call->search != NULL;
    AstarStatus status = ASTAR_OK;
    if (!call->is_borrowed)
        status = astar_search_take_unbuilt(call->workspace, call->finder, &call->search);
    if (status != ASTAR_OK || call->is_connected)
        return status;
    return astar_search_precheck(call->search, call->sx, call->sy, call->gx, call->gy, call->query);
}

// Choose the algorithm, and start it.

// Stores in a search those fields of a query that jump point search reads.
static void note_for_jumps(AstarSearch *search, const AstarFindCall *call)
{
    search->query = *call->query;
    search->own.weight = search->query.weight;
    search->start_x = call->sx;
    search->start_y = call->sy;
    search->start = astar_cell(search->grid, call->sx, call->sy);
    search->goal = astar_goal_at(search->grid, call->gx, call->gy, 0, ASTAR_ONE_CELL);
    search->limit = INFINITY;
    search->expanded = 0;
    search->failure = ASTAR_UNREACHABLE;
}

// Starts an algorithm for a goal that is known to be connected. With ASTAR_AUTO the algorithm is
// chosen by run.c.
static AstarStatus begin_connected(const AstarFindCall *call, AstarAlgorithm algorithm)
{
    AstarStatus status = astar_search_begin_connected(call->search, call->sx, call->sy, call->gx,
                                                      call->gy, call->query, algorithm);
    call->search->costs.context = NULL;
    return status == ASTAR_RUNNING ? ASTAR_OK : status; // ASTAR_RUNNING: the search has started
}

static AstarStatus choose_algorithm(AstarFindCall *call)
{
    const AstarFinder *finder = call->finder;
    if (!call->is_connected) {
        AstarStatus status = astar_search_start(call->search);
        return status == ASTAR_RUNNING ? ASTAR_OK : status; // ASTAR_RUNNING: the search has started
    }
    // Without diagonal steps, astar_try_direct_line has set 'prefers_astar'.
    if (call->algorithm == ASTAR_JPS && finder->rule->has_diagonals)
        call->prefers_astar = astar_plan_prefers_astar(call);
    // The first query of a workspace could not borrow a search, so try_direct_line has not looked
    // at the baked data. In this case run.c looks at them.
    bool is_baked_tried = finder->plan.baked == NULL || call->is_borrowed;
    call->jumps = call->algorithm == ASTAR_JPS && finder->plan.jump != NULL &&
                  finder->on.landmarks == NULL && !call->prefers_astar && is_baked_tried;
    if (!call->jumps)
        return begin_connected(call, call->prefers_astar ? ASTAR_ASTAR : ASTAR_AUTO);
    note_for_jumps(call->search, call);
    return astar_jps_begin_on_bitmaps(call->search, call->is_line_barred ? ASTAR_ARRIVED_UNSEEN
                                                                         : ASTAR_ARRIVED_NOWHERE);
}

// Run the algorithm to its end.

static AstarStatus run_algorithm(AstarFindCall *call)
{
    if (call->jumps) {
        AstarStatus status = astar_run_jps_by(call->search, call->finder->plan.jump, UINT64_MAX);
        if (status != ASTAR_BAD_COST)
            return status;
        // The cost of the route is too great for the whole numbers in which jump point search
        // counts. The query starts again and ends by A*, see astar_search_run().
        call->jumps = false;
        status = begin_connected(call, ASTAR_AUTO);
        if (status != ASTAR_OK)
            return status;
    }
    return call->is_connected ? astar_search_run(call->search, UINT64_MAX)
                              : astar_search_go_on(call->search, UINT64_MAX, call->context);
}

// Trace: read the route back from the nodes of the search.

static AstarStatus trace_route(AstarFindCall *call)
{
    AstarSearch *search = call->search;
    if (!call->jumps)
        return astar_search_trace_path(search, call->path);
    AstarPath *found = &search->parts[0]; // the number of points is known only after the trace
    double straight = 0, diagonal = 0;
    astar_path_clear(found, &search->allocator);
    AstarStatus status = astar_jps_trace(search, found, &straight, &diagonal);
    if (status == ASTAR_OK)
        status = astar_path_assign(found, call->path);
    if (status == ASTAR_OK)
        astar_call_describe(call, ASTAR_JPS, search->expanded, straight, diagonal);
    return status;
}

// Puts the search back into the workspace, if the query has taken one.
static void put_back(const AstarFindCall *call)
{
    AstarSearch *search = call->search;
    if (!call->is_borrowed) {
        astar_search_free(search);
        return;
    }
    if (!call->jumps) {
        astar_nodes_rest(&search->core.nodes, &search->allocator);
        astar_lifo_rest(&search->core.open, &search->allocator);
    }
    astar_workspace_give_back(call->workspace, search);
}

// ------------------------------------------------------------------------------------------------
// The other queries in one call, and the start of a query in steps.
// ------------------------------------------------------------------------------------------------

AstarStatus astar_search_new(AstarWorkspace *workspace, AstarFinder *finder, int sx, int sy, int gx,
                             int gy, const AstarQueryOptions *query, AstarSearch **out)
{
    AstarSearch *search;
    AstarStatus status = astar_search_take_unbuilt(workspace, finder, &search);
    if (status != ASTAR_OK)
        return status;
    status = astar_search_begin_in_steps(search, sx, sy, gx, gy, query, ASTAR_EXPANSIONS_AT_ONCE);
    if (status == ASTAR_NO_MEMORY || status == ASTAR_BAD_CELL) {
        astar_search_free(search);
        return status;
    }
    *out = search;
    return ASTAR_OK;
}

// Ends a query: stores the path if the search has found one, and frees the search.
static AstarStatus end_find(AstarSearch *search, AstarStatus status, AstarPath *path)
{
    if (status == ASTAR_OK)
        status = astar_search_trace_path(search, path);
    astar_search_free(search);
    return status;
}

AstarStatus astar_find_nearest(AstarWorkspace *workspace, AstarFinder *finder, int sx, int sy,
                               const AstarCell *goals, size_t count, const AstarQueryOptions *query,
                               void *context, AstarPath *path, size_t *index)
{
    AstarSearch *search;
    AstarStatus status = astar_search_take(workspace, finder, &search);
    if (status != ASTAR_OK)
        return status;
    status = astar_search_nearest(search, sx, sy, goals, count, query, context, index);
    return end_find(search, status, path);
}

AstarStatus astar_find_where(AstarWorkspace *workspace, AstarFinder *finder, int sx, int sy,
                             AstarGoalTest test, const AstarQueryOptions *query, void *context,
                             AstarPath *path)
{
    AstarSearch *search;
    AstarStatus status = astar_search_take(workspace, finder, &search);
    if (status != ASTAR_OK)
        return status;
    status = astar_search_where(search, sx, sy, test, query, context);
    return end_find(search, status, path);
}

AstarStatus astar_reachable(AstarWorkspace *workspace, AstarFinder *finder, int sx, int sy, int gx,
                            int gy, void *context, bool *reachable)
{
    AstarSearch *search;
    AstarStatus status = astar_search_take(workspace, finder, &search);
    if (status != ASTAR_OK)
        return status;
    status = astar_search_reachable(search, sx, sy, gx, gy, context, reachable);
    astar_search_free(search);
    return status;
}

AstarStatus astar_raycast(AstarWorkspace *workspace, AstarFinder *finder, int x0, int y0, int x1,
                          int y1, void *context, bool *stopped, int *x, int *y)
{
    AstarSearch *search;
    AstarStatus status = astar_search_take(workspace, finder, &search);
    if (status != ASTAR_OK)
        return status;
    status = astar_search_raycast(search, x0, y0, x1, y1, context, stopped, x, y);
    astar_search_free(search);
    return status;
}

AstarStatus astar_sweep(AstarWorkspace *workspace, AstarFinder *finder, int x0, int y0, int x1,
                        int y1, void *context, bool *stopped, int *x, int *y)
{
    AstarSearch *search;
    AstarStatus status = astar_search_take(workspace, finder, &search);
    if (status != ASTAR_OK)
        return status;
    status = astar_search_sweep(search, x0, y0, x1, y1, context, stopped, x, y);
    astar_search_free(search);
    return status;
}
