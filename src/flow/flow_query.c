// flow_query.c -- Queries of flow fields. Each query first brings the flow up to date with its
// grid, and then settles as many cells as the result needs.

#include "flow/flow_query.h"

#include "finder/costs.h"
#include "finder/finder.h"
#include "flow/flow.h"
#include "flow/flow_pack.h"
#include "flow/flow_repair.h"
#include "flow/flow_sweep.h"
#include "map/links_and_walls.h"
#include "rules/corner_rules.h"
#include "search/goal.h"
#include "search/path.h"
#include "search/reachable.h"
#include "search/search.h"

#include <math.h>

// Brings a flow up to date with the grid. The source of the flow, if any, must be up to date.
// Returns ASTAR_RUNNING if the function has to be called again.
static AstarStatus prepare_alone(AstarFlow *flow, void *context)
{
    flow->costs.context = context; // a query of the flow by a callback has replaced the context
    AstarStatus status = astar_flow_sync(flow);
    return status == ASTAR_OK ? astar_flow_plant(flow) : status;
}

// Settles buckets of a flow within the budget, until the flow is complete or all buckets below
// 'until' are settled. The source of the flow, if any, must be up to date. Returns ASTAR_RUNNING
// when the budget is used up first.
static AstarStatus settle_alone(AstarFlow *flow, void *context, int64_t until)
{
    for (;;) {
        AstarStatus status = prepare_alone(flow, context);
        if (status == ASTAR_OK) {
            bool is_complete = astar_bucket_queue_are_empty(&flow->open);
            if (!is_complete && flow->open.current >= until)
                return ASTAR_OK;
            if (is_complete)
                status = flow->steps_only ? astar_flow_pack(flow) : ASTAR_OK;
            if (is_complete && status == ASTAR_OK)
                return ASTAR_OK;
            if (!is_complete)
                status = flow->work.left > 0 ? astar_flow_settle_bucket(flow) : ASTAR_RUNNING;
        }
        if (status != ASTAR_OK && (status != ASTAR_RUNNING || flow->work.left == 0))
            return status;
    }
}

// Returns the flow to compute next in a chain of flows, each of which leads away from the next. The
// result is the flow nearest to the end of the chain that is not up to date, or 'flow' itself if
// all others are up to date.
static AstarFlow *first_to_settle(AstarFlow *flow)
{
    while (flow->fled.source != NULL && !astar_flow_is_current(flow->fled.source))
        flow = astar_flow_is_current(flow->fled.skip) ? flow->fled.source : flow->fled.skip;
    return flow;
}

// Completes all sources of a flow. The source at the end of the chain is completed first.
static AstarStatus settle_sources(AstarFlow *flow, void *context)
{
    AstarStatus status = ASTAR_OK;
    for (AstarFlow *each; status == ASTAR_OK && (each = first_to_settle(flow)) != flow;) {
        uint64_t outer = each->work.left;
        each->work.left = flow->work.left;
        status = settle_alone(each, context, INT64_MAX);
        flow->work.left = each->work.left;
        each->work.left = outer;
    }
    return status;
}

// Completes all sources of a flow and then settles the flow, within a budget of 'most' expansions.
// A callback may query the flow meanwhile.
static AstarStatus settle_some(AstarFlow *flow, void *context, int64_t until, uint64_t most)
{
    uint64_t outer = flow->work.left;
    flow->work.left = most;
    AstarStatus status = settle_sources(flow, context);
    if (status == ASTAR_OK)
        status = settle_alone(flow, context, until);
    flow->work.left = outer;
    return status;
}

AstarStatus astar_flow_complete(AstarFlow *flow, void *context)
{
    return settle_some(flow, context, INT64_MAX, UINT64_MAX);
}

AstarStatus astar_flow_step_on_map(AstarFlow *flow, uint64_t expansions, void *context)
{
    int64_t work = astar_work_of(expansions);
    AstarStatus status = astar_finder_advance(astar_finder_original(flow->finder), &work);
    return status == ASTAR_OK ? settle_some(flow, context, INT64_MAX, expansions) : status;
}

AstarStatus astar_flow_update(AstarFlow *flow, void *context)
{
    int64_t until = astar_flow_is_worked_out(flow) ? INT64_MAX : flow->reached;
    return settle_some(flow, context, until, UINT64_MAX);
}

// The following functions answer queries about a cell.

// Returns true if a flow holds only packed steps, and these are up to date.
static bool is_packed_now(const AstarFlow *flow)
{
    return astar_packed_steps_are_whole(&flow->packed) &&
           flow->of.finder == astar_finder_version(flow->finder);
}

// Settles a flow until the distance of a cell is final. Stores the distance and, unless 'direction'
// is NULL, the next step. Returns ASTAR_RUNNING if a callback has completed and packed the flow
// meanwhile.
static AstarStatus settle_as_far_as(AstarFlow *flow, uint32_t cell, int x, int y, void *context,
                                    double *best, int *direction)
{
    uint64_t outer = flow->work.left;
    AstarStatus status;
    bool is_known = false;
    flow->work.left = UINT64_MAX;
    do {
        status = settle_sources(flow, context);
        if (status == ASTAR_OK)
            status = prepare_alone(flow, context);
        if (status == ASTAR_OK && is_packed_now(flow)) {
            status = ASTAR_RUNNING;
            break;
        }
        if (status == ASTAR_OK)
            status = astar_flow_look_up(flow, cell, x, y, best, direction);
        if (status == ASTAR_OK) {
            is_known = astar_flow_is_settled(flow, *best);
            status = is_known ? ASTAR_OK : astar_flow_settle_bucket(flow);
        }
    } while ((status == ASTAR_RUNNING && !is_packed_now(flow)) ||
             (status == ASTAR_OK && !is_known));
    flow->work.left = outer;
    return status;
}

// Answers a query about a cell: its distance and next step.
static AstarStatus query_flow(AstarFlow *flow, int x, int y, void *context, double *best,
                              int *direction)
{
    if (!astar_inside(flow->finder->grid, x, y))
        return ASTAR_BAD_CELL;
    uint32_t cell = astar_cell(flow->finder->grid, x, y);
    AstarStatus status = settle_as_far_as(flow, cell, x, y, context, best, direction);
    if (status != ASTAR_OK)
        return status;
    if (!astar_flow_bears(flow, cell) || *best > 1e300)
        return astar_flow_reason(flow, x, y, context);
    return *best > flow->beyond.limit ? ASTAR_MAX_COST : ASTAR_OK;
}

AstarStatus astar_flow_distance(AstarFlow *flow, int x, int y, void *context, double *distance)
{
    if (flow->steps_only)
        return ASTAR_BAD_OPTION;
    double best;
    AstarStatus status;
    do
        status = query_flow(flow, x, y, context, &best, NULL);
    while (status == ASTAR_RUNNING); // a callback has changed the flow
    if (status == ASTAR_OK)
        *distance = astar_flow_cost_of(flow, best);
    return status;
}

// Stores the next step of a cell for later queries. If the cell has no distance, the step is stored
// only once the flow is complete, because a blocked goal on the cell may have a lower distance than
// the cells reached so far.
static AstarStatus remember_next(AstarFlow *flow, uint32_t cell, int direction)
{
    bool is_told = astar_flow_at(flow, cell) > 1e300;
    if (is_told && !astar_bucket_queue_are_empty(&flow->open))
        return ASTAR_OK;
    flow->has.told |= is_told;
    AstarFlowPage *page = astar_flow_page_for(flow, cell);
    if (page == NULL)
        return ASTAR_NO_MEMORY;
    flow->has.nexts = true;
    page->nexts[cell % ASTAR_FLOW_PAGE_CELLS] = (uint8_t)(direction + 1);
    return ASTAR_OK;
}

static AstarStatus find_next(AstarFlow *flow, int x, int y, void *context, int *direction)
{
    if (!astar_inside(flow->finder->grid, x, y))
        return ASTAR_BAD_CELL;
    uint32_t cell = astar_cell(flow->finder->grid, x, y);
    AstarStatus status;
    do {
        flow->costs.context = context;
        *direction = astar_flow_recalled(flow, cell);
        if (*direction >= 0)
            return *direction == ASTAR_FLOW_BEYOND ? ASTAR_MAX_COST : ASTAR_OK;
        double best;
        status = is_packed_now(flow) ? astar_flow_reason(flow, x, y, context)
                                     : query_flow(flow, x, y, context, &best, direction);
    } while (status == ASTAR_RUNNING);
    return status == ASTAR_OK ? remember_next(flow, cell, *direction) : status;
}

// Stores the other end of the link that a cell's distance comes from. For a flow of
// astar_reach_new, the other end is the start of the link that leads to the cell.
static AstarStatus pass_link(AstarFlow *flow, int x, int y, int *next_x, int *next_y, AstarArc *arc)
{
    const AstarGrid *grid = flow->finder->grid;
    AstarFlowOffer best;
    AstarStatus status;
    do {
        best = (AstarFlowOffer){.distance = INFINITY};
        uint32_t cell = astar_cell(grid, x, y);
        if (is_packed_now(flow)) {
            best.arc = *astar_packed_link(&flow->packed, cell);
            status = ASTAR_OK;
        } else {
            status = astar_flow_best_link(flow, cell, &best);
        }
    } while (status == ASTAR_RUNNING); // a callback has queried the flow
    uint32_t other = flow->forward ? best.arc.from : best.arc.to;
    *next_x = (int)(other % (uint32_t)grid->width);
    *next_y = (int)(other / (uint32_t)grid->width);
    if (arc != NULL)
        *arc = best.arc;
    return status;
}

// Stores the cell that a step in direction 'direction' leads to.
static void go_on(int x, int y, int direction, int *next_x, int *next_y)
{
    *next_x = x + (direction < ASTAR_FLOW_STAY ? astar_dx[direction] : 0);
    *next_y = y + (direction < ASTAR_FLOW_STAY ? astar_dy[direction] : 0);
}

AstarStatus astar_flow_next(AstarFlow *flow, int x, int y, void *context, int *next_x, int *next_y)
{
    int direction;
    AstarStatus status = find_next(flow, x, y, context, &direction);
    if (status != ASTAR_OK)
        return status;
    if (direction == ASTAR_FLOW_LINK)
        return pass_link(flow, x, y, next_x, next_y, NULL);
    go_on(x, y, direction, next_x, next_y);
    return ASTAR_OK;
}

bool astar_flow_recall(const AstarFlow *flow, int x, int y, int *next_x, int *next_y)
{
    if (!astar_inside(flow->finder->grid, x, y))
        return false;
    int direction = astar_flow_recalled(flow, astar_cell(flow->finder->grid, x, y));
    if (direction < 0 || direction > ASTAR_FLOW_STAY)
        return false;
    go_on(x, y, direction, next_x, next_y);
    return true;
}

AstarStatus astar_flow_cell(AstarFlow *flow, uint64_t *cell, void *context, int *x, int *y,
                            double *distance)
{
    if (flow->steps_only)
        return ASTAR_BAD_OPTION;
    AstarStatus status = astar_flow_complete(flow, context);
    if (status == ASTAR_OK)
        status = astar_flood_write_pages(flow);
    if (status != ASTAR_OK)
        return status;
    const AstarGrid *grid = flow->finder->grid;
    *distance = INFINITY;
    while (*distance > 1e300 && (*cell = astar_flow_next_paged(flow, *cell)) < grid->cells) {
        const double *distances = astar_flow_page(flow, (uint32_t)*cell)->distances;
        do
            *distance = distances[*cell % ASTAR_FLOW_PAGE_CELLS];
        while (*distance > 1e300 && ++*cell % ASTAR_FLOW_PAGE_CELLS != 0);
    }
    if (*cell >= grid->cells)
        return ASTAR_UNREACHABLE;
    *distance = astar_flow_cost_of(flow, *distance);
    *x = (int)(*cell % (uint32_t)grid->width);
    *y = (int)(*cell / (uint32_t)grid->width);
    ++*cell;
    return ASTAR_OK;
}

// The following functions answer queries for the path from a cell.

// Adds the cost of a step to one of two sums, one for straight and one for diagonal steps. Equal
// costs are then rounded only once.
static AstarStatus add_cost(AstarFlow *flow, int x, int y, int direction, double sums[2])
{
    double cost;
    AstarStatus status;
    if (flow->finder->options.step_cost == NULL) {
        status = astar_costs_cell(&flow->costs, x + astar_dx[direction], y + astar_dy[direction],
                                  &cost);
        sums[direction & 1] += cost;
    } else {
        status = astar_costs_step(&flow->costs, x, y, direction, &cost, NULL);
        sums[0] += cost;
    }
    return status;
}

// Adds to a path the step over the link of (x, y), and moves (x, y) to the other end of the link.
static AstarStatus follow_link(AstarFlow *flow, int *x, int *y, AstarPath *path, double sums[2])
{
    AstarArc arc;
    AstarStatus status = pass_link(flow, *x, *y, x, y, &arc);
    double cost = arc.cost;
    if (status == ASTAR_OK)
        status = astar_costs_of_link(&flow->costs, arc.from, arc.to, &cost);
    sums[0] += cost;
    return status == ASTAR_OK ? astar_path_add_link(path, *x, *y, arc.label) : status;
}

// Adds to a path the step in direction 'd', and moves (x, y) there.
static AstarStatus follow_step(AstarFlow *flow, int d, int *x, int *y, AstarPath *path,
                               double sums[2])
{
    int from_x = *x, from_y = *y;
    *x += astar_dx[d];
    *y += astar_dy[d];
    AstarStatus status = flow->forward ? add_cost(flow, *x, *y, (d + 4) & 7, sums)
                                       : add_cost(flow, from_x, from_y, d, sums);
    return status == ASTAR_OK ? astar_path_add(path, *x, *y, 1) : status;
}

// Adds to a path the cells from (x, y) to a goal, or for a flow of astar_reach_new to the origin.
static AstarStatus follow_flow(AstarFlow *flow, int x, int y, void *context, AstarPath *path,
                               double sums[2])
{
    AstarStatus status = astar_path_add(path, x, y, 1);
    while (status == ASTAR_OK) {
        int d;
        status = find_next(flow, x, y, context, &d);
        if (status != ASTAR_OK || d == ASTAR_FLOW_STAY)
            break;
        flow->costs.context = context;
        status = d == ASTAR_FLOW_LINK ? follow_link(flow, &x, &y, path, sums)
                                      : follow_step(flow, d, &x, &y, path, sums);
    }
    return status;
}

AstarStatus astar_flow_path(AstarFlow *flow, int x, int y, void *context, AstarPath *path)
{
    int d;
    AstarStatus status = find_next(flow, x, y, context, &d);
    if (status != ASTAR_OK)
        return status;
    double sums[2] = {0, 0};
    astar_path_clear(path, astar_flow_allocator(flow));
    path->offset = flow->finder->grid->shape->offset;
    status = follow_flow(flow, x, y, context, path, sums);
    if (status != ASTAR_OK)
        return status;
    if (flow->forward)
        astar_path_turn(path);
    const AstarOptions *options = &flow->finder->options;
    path->cost = sums[0] + sums[1] * options->diagonal_cost;
    path->expanded = 0;
    path->algorithm = ASTAR_DIJKSTRA;
    path->partial = false;
    path->query = flow->finder->query;
    path->orthogonal = !flow->finder->rule->has_diagonals;
    astar_path_measure(path);
    return ASTAR_OK;
}

// Why a cell has no distance: it is beyond the cost limit, or it is unreachable.
//
// The reason depends only on the map and the distances. The reason is the same whether the flow was
// computed in one call, in steps, after edits, or packed. If no step leads from a cell with a
// distance to a cell without one, the search has been exhaustive, and all cells without a distance
// are unreachable. Otherwise the connected components may prove that the cell is unreachable. If
// they do not, the cell is treated as beyond the limit.

// The following functions look for cells beyond the cost limit.

// Stores true in '*leads' if a step or link leads from a cell to a cell without a distance.
static AstarStatus leads_beyond(AstarFlow *flow, uint32_t cell, bool *leads)
{
    const AstarGrid *grid = flow->finder->grid;
    AstarFlowSteps steps = {0};
    AstarStatus status = ASTAR_OK;
    AstarArc arc;
    unsigned wanted = 0;
    int x, y;
    astar_cell_xy(grid, cell, &x, &y);
    for (int d = 0; d < ASTAR_DIRECTIONS; d++)
        if (astar_inside(grid, x + astar_dx[d], y + astar_dy[d]) &&
            astar_flow_at(flow, cell + (uint32_t)(astar_dy[d] * grid->width + astar_dx[d])) > 1e300)
            wanted |= 1u << d;
    if (wanted != 0)
        status = astar_flow_steps(flow, cell, x, y, flow->forward, wanted, &steps);
    *leads = steps.moves != 0;
    for (uint32_t i = 0; status == ASTAR_OK && !*leads &&
                         astar_flow_next_link(flow, cell, flow->forward, &i, &arc);) {
        uint32_t other = flow->forward ? arc.to : arc.from;
        double cost = INFINITY;
        if (astar_flow_at(flow, other) < 1e300)
            continue;
        astar_cell_xy(grid, other, &x, &y);
        status = astar_flow_enters(flow, other, x, y, leads);
        if (status == ASTAR_OK && *leads)
            status = astar_flow_link_cost(flow, &arc, &cost);
        *leads = isfinite(cost);
    }
    return status;
}

// Looks among 'count' cells, from 'first' on, for a goal that can be entered but whose value is
// beyond the limit. Stores its cell in 'beyond.at' of the flow.
static AstarStatus find_costly_goal(AstarFlow *flow, uint32_t first, uint32_t count)
{
    for (size_t i = astar_flow_first_seed(flow, first);
         i < flow->sown.count && flow->sown.seeds[i].cell - first < count; i++) {
        int x, y;
        bool enters = false;
        uint32_t cell = flow->sown.seeds[i].cell;
        if (astar_flow_at(flow, cell) < 1e300)
            continue;
        astar_cell_xy(flow->finder->grid, cell, &x, &y);
        AstarStatus status = astar_flow_enters(flow, cell, x, y, &enters);
        if (enters)
            flow->beyond.at = cell;
        if (enters || status != ASTAR_OK)
            return status;
    }
    return ASTAR_OK;
}

// Returns the greatest cost of a step or link, in the unit of the flow. Returns INFINITY if that
// cost is not known because of callbacks.
static double costliest_way(const AstarFlow *flow)
{
    const AstarGrid *grid = flow->finder->grid;
    double most = astar_flow_costliest_step(flow->finder);
    if (!flow->sweeps)
        return INFINITY;
    if (astar_grid_has_links(grid))
        most = fmax(most, grid->links_and_walls->most_cost);
    return astar_flow_in_unit(flow, most);
}

ASTAR_COLD AstarStatus astar_flow_find_cut(AstarFlow *flow, uint32_t first, uint32_t count)
{
    const double near = flow->beyond.limit - costliest_way(flow);
    flow->beyond.at = UINT32_MAX;
    AstarStatus status = astar_flood_write_pages(flow);
    if (status == ASTAR_OK)
        status = find_costly_goal(flow, first, count);
    const uint64_t end = (uint64_t)first + count;
    for (uint64_t at = first; status == ASTAR_OK && flow->beyond.at == UINT32_MAX &&
                              (at = astar_flow_next_paged(flow, at)) < end;
         at++) {
        bool leads = false;
        double distance = astar_flow_at(flow, (uint32_t)at);
        if (distance < 1e300 && distance >= near)
            status = leads_beyond(flow, (uint32_t)at, &leads);
        if (leads)
            flow->beyond.at = (uint32_t)at;
    }
    return status;
}

// Finds out whether a cell is beyond the limit, and updates 'beyond.is_cut' of the flow. The cell
// that proved this in the last call is examined first.
static AstarStatus learn_cut(AstarFlow *flow)
{
    uint32_t cells = flow->finder->grid->cells, last = flow->beyond.at;
    if (!flow->beyond.is_cut || astar_packed_steps_are_whole(&flow->packed))
        return ASTAR_OK;
    AstarStatus status = last < cells ? astar_flow_find_cut(flow, last, 1) : ASTAR_OK;
    if (status == ASTAR_OK && (last >= cells || flow->beyond.at == UINT32_MAX))
        status = astar_flow_find_cut(flow, 0, cells);
    if (status == ASTAR_OK)
        flow->beyond.is_cut = flow->beyond.at != UINT32_MAX;
    return status;
}

// The following functions find the reason why a cell has no distance.

// Stores true in '*is_free' if at least one goal can be entered, or if there are no goals.
static AstarStatus is_any_goal_free(AstarFlow *flow, bool *is_free)
{
    AstarStatus status = ASTAR_OK;
    *is_free = flow->sown.count == 0;
    for (size_t i = 0; status == ASTAR_OK && !*is_free && i < flow->sown.count; i++) {
        int x, y;
        astar_cell_xy(flow->finder->grid, flow->sown.seeds[i].cell, &x, &y);
        status = astar_flow_enters(flow, flow->sown.seeds[i].cell, x, y, is_free);
    }
    return status;
}

// Stores true in '*may' if the connected components allow a route from a cell to a goal. For a flow
// of astar_reach_new, stores whether they allow a route from the start to the cell.
ASTAR_COLD static AstarStatus may_be_reached(const AstarFlow *flow, int x, int y, bool *may)
{
    const AstarAllocator *allocator = astar_flow_allocator(flow);
    AstarSearch search = {.finder = flow->finder, .grid = flow->finder->grid};
    AstarReachable reach;
    int from_x = x, from_y = y;
    search.allocator = *allocator;
    if (flow->forward)
        astar_cell_xy(search.grid, flow->sown.seeds[0].cell, &from_x, &from_y);
    AstarStatus status = astar_reachable_from(&search, from_x, from_y, &reach);
    *may = status == ASTAR_OK && flow->forward && astar_reachable_has(&reach, x, y);
    for (size_t i = 0; status == ASTAR_OK && !flow->forward && !*may && i < flow->sown.count; i++) {
        astar_cell_xy(search.grid, flow->sown.seeds[i].cell, &x, &y);
        *may = astar_reachable_has(&reach, x, y);
    }
    astar_release(allocator, search.known.labels, search.known.label_capacity,
                  sizeof *search.known.labels);
    return status;
}

ASTAR_COLD AstarStatus astar_flow_reason(AstarFlow *flow, int x, int y, void *context)
{
    const AstarFinder *finder = flow->finder;
    uint32_t cell = astar_cell(finder->grid, x, y);
    bool is_free = true, may = false;
    if (!astar_flow_bears(flow, flow->forward ? flow->sown.seeds[0].cell : cell))
        return ASTAR_START_BLOCKED;
    if (flow->forward && !astar_bits_get(&finder->on.walkable->bits, x, y))
        return ASTAR_GOAL_BLOCKED;
    // A flow that leads away from goals covers only cells that its source covers. The source at the
    // end of the chain has the goals, so its goals are examined.
    while (flow->fled.source != NULL)
        flow = flow->fled.skip;
    flow->costs.context = context;
    AstarStatus status = flow->forward ? ASTAR_OK : is_any_goal_free(flow, &is_free);
    if (status == ASTAR_OK && !is_free)
        return ASTAR_GOAL_BLOCKED;
    if (status == ASTAR_OK)
        status = learn_cut(flow);
    if (status == ASTAR_OK && flow->beyond.is_cut)
        status = may_be_reached(flow, x, y, &may);
    if (status != ASTAR_OK)
        return status;
    return may ? ASTAR_MAX_COST : ASTAR_UNREACHABLE;
}

// Steps of flow fields: which steps exist, what they cost, and which one a unit takes next.
//
// The next step of a cell follows from the distances: it leads to the neighbour that the cell's
// distance comes from. The next step therefore does not depend on the order in which cells were
// expanded. The next step is stored in one byte per cell.

// Returns true if a cell is the start of a flow of astar_reach_new. The start of such a flow may be
// blocked.
static bool is_start(const AstarFlow *flow, uint32_t cell)
{
    return flow->forward && flow->sown.seeds[0].cell == cell;
}

bool astar_flow_bears(const AstarFlow *flow, uint32_t cell)
{
    int x, y;
    astar_cell_xy(flow->finder->grid, cell, &x, &y);
    return astar_terrain_allows(flow->finder, x, y);
}

AstarStatus astar_flow_enters(AstarFlow *flow, uint32_t cell, int x, int y, bool *enters)
{
    *enters = false;
    if (!astar_flow_covers(flow, cell))
        return ASTAR_OK;
    if (is_start(flow, cell)) {
        *enters = astar_flow_bears(flow, cell);
        return ASTAR_OK;
    }
    uint32_t turn = flow->turn;
    double cost;
    AstarStatus status = astar_costs_cell(&flow->costs, x, y, &cost);
    *enters = isfinite(cost);
    return status == ASTAR_OK && flow->turn != turn ? ASTAR_RUNNING : status;
}

static unsigned direction_to(const AstarFlow *flow, int x, int y, uint32_t cell)
{
    int width = flow->finder->grid->width;
    int dx = (int)(cell % (uint32_t)width) - x, dy = (int)(cell / (uint32_t)width) - y;
    bool beside = dx >= -1 && dx <= 1 && dy >= -1 && dy <= 1 && (dx != 0 || dy != 0);
    return beside ? 1u << astar_direction(dx, dy) : 0;
}

// Returns the direction of the start if the start is a blocked neighbour of (x, y) from which a
// step leads to (x, y); otherwise 0. A unit can leave a blocked start, but it can neither enter it
// nor pass it diagonally.
static unsigned add_start(const AstarFlow *flow, int x, int y, unsigned free)
{
    unsigned start = direction_to(flow, x, y, flow->sown.seeds[0].cell);
    if (start == 0 || (free & start) != 0 || !astar_flow_bears(flow, flow->sown.seeds[0].cell))
        return 0;
    const AstarFinder *finder = flow->finder;
    return start & astar_legal_moves_on(finder->grid, finder->rule, x, y, free | start, true);
}

static void plain_steps(const AstarFlow *flow, uint32_t cell, int x, int y, bool out,
                        unsigned wanted, AstarFlowSteps *steps)
{
    const AstarFinder *finder = flow->finder;
    const uint8_t *ground = finder->on.ground;
    unsigned free = astar_bits_around(&finder->on.walkable->bits, x, y);
    steps->moves = finder->rule->legal[!out][astar_neighbours(finder->grid, x, y, free)];
    if (flow->forward && !out)
        steps->moves |= add_start(flow, x, y, free);
    steps->moves &= wanted;
    for (unsigned rest = steps->moves; rest != 0; rest &= rest - 1) {
        int d = astar_lowest_bit(rest);
        uint32_t entered = out ? cell + (uint32_t)(astar_dy[d] * finder->grid->width + astar_dx[d])
                               : cell;
        steps->costs[d] = astar_flow_step_costs(flow)[d & 1][ground[entered]];
    }
}

// Replaces the costs of steps by the results of the step_cost callback. Removes the steps that
// cannot be made.
static AstarStatus query_steps(AstarFlow *flow, int x, int y, bool out, AstarFlowSteps *steps)
{
    for (unsigned rest = steps->moves; rest != 0; rest &= rest - 1) {
        int d = astar_lowest_bit(rest);
        int from_x = out ? x : x + astar_dx[d], from_y = out ? y : y + astar_dy[d];
        AstarStatus status = astar_costs_of_step(&flow->costs, from_x, from_y,
                                                 out ? d : (d + 4) & 7, &steps->costs[d]);
        if (status != ASTAR_OK)
            return status;
        if (isinf(steps->costs[d]))
            steps->moves &= ~(1u << d);
    }
    return ASTAR_OK;
}

static AstarStatus asking_steps(AstarFlow *flow, uint32_t cell, int x, int y, bool out,
                                unsigned wanted, AstarFlowSteps *steps)
{
    const AstarFinder *finder = flow->finder;
    AstarAround around;
    double here = 0; // cost of the cell (x, y)
    unsigned moves = wanted;
    AstarStatus status = out ? ASTAR_OK : astar_costs_cell(&flow->costs, x, y, &here);
    if (status == ASTAR_OK)
        status = astar_costs_around(&flow->costs, cell, x, y, !out, &moves, &around);
    if (status != ASTAR_OK)
        return status;
    if (flow->forward && !out)
        moves |= add_start(flow, x, y, around.free);
    steps->moves = moves & wanted;
    for (unsigned rest = steps->moves; rest != 0; rest &= rest - 1) {
        int d = astar_lowest_bit(rest);
        double cost = out ? around.costs[d] : here;
        double length = d & 1 ? finder->options.diagonal_cost : 1;
        steps->costs[d] = astar_flow_round(flow, cost * length);
    }
    return query_steps(flow, x, y, out, steps);
}

AstarStatus astar_flow_steps(AstarFlow *flow, uint32_t cell, int x, int y, bool out,
                             unsigned wanted, AstarFlowSteps *steps)
{
    if (flow->sweeps) {
        plain_steps(flow, cell, x, y, out, wanted, steps);
        return ASTAR_OK;
    }
    uint32_t turn = flow->turn;
    AstarStatus status = asking_steps(flow, cell, x, y, out, wanted, steps);
    return status == ASTAR_OK && flow->turn != turn ? ASTAR_RUNNING : status;
}

// The following functions are about steps over links.

// Stores the next step over the edge of a map that wraps around, in the form of a link. '*index'
// must be 0 before the first call. Returns false after the last step.
static bool next_over_wrap(const AstarFlow *flow, uint32_t cell, bool out, uint32_t *index,
                           AstarArc *arc)
{
    uint32_t start = flow->forward && !out ? flow->sown.seeds[0].cell : UINT32_MAX;
    unsigned moves = astar_wrap_moves(flow->finder, cell, !out, start) >> *index << *index;
    if (moves == 0) {
        *index = ASTAR_DIRECTIONS;
        return false;
    }
    *index = (uint32_t)astar_lowest_bit(moves);
    *arc = astar_wrap_arc(flow->finder, cell, (int)(*index)++, !out);
    return true;
}

bool astar_flow_next_link(const AstarFlow *flow, uint32_t cell, bool out, uint32_t *index,
                          AstarArc *arc)
{
    const AstarGrid *grid = flow->finder->grid;
    const AstarLinksAndWalls *links = grid->links_and_walls;
    int x = (int)(cell % (uint32_t)grid->width), y = (int)(cell / (uint32_t)grid->width);
    if (grid->shape->wraps != 0 && *index < ASTAR_DIRECTIONS &&
        next_over_wrap(flow, cell, out, index, arc))
        return true;
    if (!astar_grid_has_links(grid) || !astar_bits_get(&links->ends, x, y))
        return false;
    uint32_t first = out ? astar_arcs_first_from(links, cell) : astar_arcs_first_to(links, cell);
    first -= grid->shape->wraps != 0 ? ASTAR_DIRECTIONS : 0;
    const AstarArc *next = astar_arc_at(out ? &links->arcs : &links->back, first + (*index)++);
    if (next == NULL)
        return false;
    *arc = *next;
    return (out ? arc->from : arc->to) == cell;
}

AstarStatus astar_flow_link_cost(AstarFlow *flow, const AstarArc *arc, double *cost)
{
    const AstarFinder *finder = flow->finder;
    uint32_t turn = flow->turn;
    *cost = astar_finder_round_link(finder, arc->cost);
    AstarStatus status = astar_costs_of_link(&flow->costs, arc->from, arc->to, cost);
    if (flow->unit.parts != 0)
        *cost = astar_round_link(astar_flow_in_unit(flow, *cost), ASTAR_FLOW_FRACTION);
    return status == ASTAR_OK && flow->turn != turn ? ASTAR_RUNNING : status;
}

static void take_better_offer(AstarFlowOffer *best, AstarFlowOffer offer)
{
    if (offer.distance < best->distance ||
        (offer.distance == best->distance && offer.hops < best->hops))
        *best = offer;
}

AstarStatus astar_flow_best_link(AstarFlow *flow, uint32_t cell, AstarFlowOffer *offer)
{
    bool out = !flow->forward;
    AstarArc arc;
    for (uint32_t i = 0; astar_flow_next_link(flow, cell, out, &i, &arc);) {
        uint32_t other = out ? arc.to : arc.from;
        double cost;
        if (!astar_flow_leads_on(flow, cell, other))
            continue;
        AstarStatus status = astar_flow_link_cost(flow, &arc, &cost);
        if (status != ASTAR_OK)
            return status;
        double way = astar_flow_at(flow, other) + cost;
        take_better_offer(offer, (AstarFlowOffer){way, astar_flow_hops_by(flow, other, way),
                                                  ASTAR_FLOW_LINK, arc});
    }
    return ASTAR_OK;
}

// The following functions find out where the distance of a cell comes from.

// Returns the directions of neighbours that a cell's distance may come from, whether or not the
// steps are legal.
static unsigned leading_around(const AstarFlow *flow, uint32_t cell, int x, int y)
{
    const AstarGrid *grid = flow->finder->grid;
    unsigned leading = 0;
    for (int d = 0; d < ASTAR_DIRECTIONS; d++) {
        uint32_t next = cell + (uint32_t)(astar_dy[d] * grid->width + astar_dx[d]);
        if (astar_inside(grid, x + astar_dx[d], y + astar_dy[d]) &&
            astar_flow_leads_on(flow, cell, next))
            leading |= 1u << d;
    }
    return leading;
}

AstarStatus astar_flow_pull(AstarFlow *flow, uint32_t cell, int x, int y, AstarFlowOffer *offer)
{
    const AstarShape *shape = flow->finder->grid->shape;
    AstarFlowSteps steps = {0};
    *offer = (AstarFlowOffer){.distance = astar_flow_seed(flow, cell),
                              .direction = ASTAR_FLOW_STAY};
    if (flow->forward && is_start(flow, cell))
        return ASTAR_OK;
    AstarStatus status = ASTAR_OK;
    unsigned leading = leading_around(flow, cell, x, y);
    if (leading != 0)
        status = astar_flow_steps(flow, cell, x, y, !flow->forward, leading, &steps);
    if (status != ASTAR_OK)
        return status;
    for (int i = 0; i < ASTAR_DIRECTIONS && steps.moves != 0; i++) {
        int d = shape->steps_over[astar_phase(shape, x, y)][shape->order[i]];
        if (d < 0 || (steps.moves >> d & 1) == 0)
            continue;
        uint32_t next = cell + (uint32_t)(astar_dy[d] * flow->finder->grid->width + astar_dx[d]);
        double way = astar_flow_at(flow, next) + steps.costs[d];
        take_better_offer(offer, (AstarFlowOffer){.distance = way,
                                                  .hops = astar_flow_hops_by(flow, next, way),
                                                  .direction = d});
    }
    return astar_flow_best_link(flow, cell, offer);
}

// The following functions read seeds, costs and known distances of cells.

size_t astar_flow_first_seed(const AstarFlow *flow, uint32_t cell)
{
    return astar_count_below(flow->sown.seeds, flow->sown.count, sizeof *flow->sown.seeds, cell);
}

double astar_flow_seed(const AstarFlow *flow, uint32_t cell)
{
    if (flow->fled.source != NULL)
        return astar_flow_covers(flow, cell)
                   ? astar_finder_round(flow->finder,
                                        astar_flow_cost_of(flow->fled.source,
                                                           astar_flow_at(flow->fled.source, cell)) *
                                            flow->fled.factor)
                   : (double)INFINITY;
    size_t at = astar_flow_first_seed(flow, cell);
    bool is_seed = at < flow->sown.count && flow->sown.seeds[at].cell == cell;
    return is_seed ? astar_flow_round(flow, flow->sown.seeds[at].value) : (double)INFINITY;
}

double astar_flow_costliest_step(const AstarFinder *finder)
{
    double most = 0;
    for (int i = 0; i < finder->grid->terrains.count; i++)
        if (finder->grid->terrains.present[i] > 0 && isfinite(finder->costs.cell[i]))
            most = finder->costs.cell[i] > most ? finder->costs.cell[i] : most;
    return most * finder->options.diagonal_cost;
}

// Finds the next link over which a distance may come from 'cell', and stores the cell at its other
// end in '*other'. '*index' must be 0 before the first call. Returns false after the last link.
bool astar_flow_next_over_link(const AstarFlow *flow, uint32_t cell, uint32_t *index,
                               uint32_t *other)
{
    AstarArc arc;
    if (!astar_flow_next_link(flow, cell, flow->forward, index, &arc))
        return false;
    *other = flow->forward ? arc.to : arc.from;
    return true;
}

// Stores the distance and the next step of a cell, as far as they are known. A unit may be on a
// cell that it cannot enter. Such a cell has no stored distance, so its distance is computed from
// its neighbours.
AstarStatus astar_flow_look_up(AstarFlow *flow, uint32_t cell, int x, int y, double *best,
                               int *direction)
{
    bool may_stand = true;
    *best = astar_flow_at(flow, cell);
    if (*best < 1e300 && (direction == NULL || !astar_flow_is_settled(flow, *best)))
        return ASTAR_OK;
    if (flow->forward || (!astar_flow_covers(flow, cell) &&
                          astar_bits_get(&flow->finder->on.walkable->bits, x, y))) {
        AstarStatus status = astar_flow_enters(flow, cell, x, y, &may_stand);
        if (status != ASTAR_OK)
            return status;
    }
    *best = INFINITY;
    if (!may_stand)
        return ASTAR_OK;
    AstarFlowOffer offer;
    AstarStatus status = astar_flow_pull(flow, cell, x, y, &offer);
    *best = offer.distance;
    if (direction != NULL)
        *direction = offer.direction;
    return status;
}

// The following functions are for desire maps: the distances of a cell and its neighbours, weighted
// and summed.

ASTAR_COLD AstarStatus astar_flow_around(AstarFlow *flow, int x, int y, void *context,
                                         AstarWeighed *weighed)
{
    const AstarGrid *grid = flow->finder->grid;
    if (!astar_inside(grid, x, y))
        return ASTAR_BAD_CELL;
    AstarFlowSteps steps = {0};
    AstarStatus status;
    do {
        status = astar_flow_update(flow, context);
        if (status == ASTAR_OK)
            status = astar_flow_steps(flow, astar_cell(grid, x, y), x, y, true, 0xff, &steps);
    } while (status == ASTAR_RUNNING); // a callback has queried the flow
    if (status == ASTAR_OK && !astar_flow_bears(flow, astar_cell(grid, x, y)))
        status = ASTAR_START_BLOCKED;
    *weighed = (AstarWeighed){.count = 1, .x = {x}, .y = {y}};
    const AstarShape *shape = grid->shape;
    if (shape->wraps != 0)
        steps.moves |= astar_wrap_moves(flow->finder, astar_cell(grid, x, y), false, UINT32_MAX);
    for (int i = 0; i < ASTAR_DIRECTIONS && status == ASTAR_OK; i++) {
        int d = shape->steps_over[astar_phase(shape, x, y)][shape->order[i]];
        if (d < 0 || (steps.moves >> d & 1) == 0)
            continue;
        int *to_x = &weighed->x[weighed->count], *to_y = &weighed->y[weighed->count++];
        *to_x = x + astar_dx[d];
        *to_y = y + astar_dy[d];
        if (shape->wraps != 0)
            astar_go_round(grid, to_x, to_y);
    }
    return status;
}

// Returns true if the distances of all settled cells are valid for the present map.
static bool flow_holds(const AstarFlow *flow)
{
    return flow->begun && flow->of.finder == astar_finder_version(flow->finder) &&
           astar_flow_is_mended(flow);
}

// Queries the distance of a cell and stores it. If the cell has none, it stores INFINITY, and the
// reason in '*why'.
static AstarStatus query_distance(AstarFlow *flow, int x, int y, void *context, double *distance,
                                  AstarStatus *why)
{
    *distance = INFINITY;
    *why = astar_flow_distance(flow, x, y, context, distance);
    bool is_outcome = *why == ASTAR_START_BLOCKED || *why == ASTAR_GOAL_BLOCKED ||
                      *why == ASTAR_UNREACHABLE || *why == ASTAR_MAX_COST;
    return is_outcome ? ASTAR_OK : *why;
}

ASTAR_COLD AstarStatus astar_flow_weigh(AstarFlow *flow, double weight, double missing,
                                        void *context, AstarWeighed *weighed)
{
    const AstarGrid *grid = flow->finder->grid;
    bool holds = flow_holds(flow);
    int count = 0;
    for (int i = 0; i < weighed->count; i++) {
        int x = weighed->x[i], y = weighed->y[i];
        bool is_known = holds && astar_inside(grid, x, y);
        double distance = is_known ? astar_flow_at(flow, astar_cell(grid, x, y)) : INFINITY;
        AstarStatus why = ASTAR_OK;
        if (!(distance < 1e300 && distance <= flow->beyond.limit &&
              astar_flow_is_settled(flow, distance))) {
            AstarStatus status = query_distance(flow, x, y, context, &distance, &why);
            if (status != ASTAR_OK)
                return status;
            holds = flow_holds(flow);
        } else {
            distance = astar_flow_cost_of(flow, distance);
        }
        distance = isinf(distance) ? missing : distance;
        if (isinf(distance) && i == 0)
            return why;
        if (isinf(distance))
            continue;
        weighed->x[count] = x;
        weighed->y[count] = y;
        weighed->sums[count++] = weighed->sums[i] + weight * distance;
    }
    weighed->count = count;
    return ASTAR_OK;
}
