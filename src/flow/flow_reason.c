// flow_reason.c -- why a flow has no distance for a cell.
//
// Beyond the limit, or out of reach? That is told by the map and the distances as they are, so that
// it does not matter how a flow came to them: whether it is fresh or has lived through edits, was
// made in steps or packed. Where no way leads on from a cell that has a distance to one that has
// none, the search has run to its end: what it did not reach no way leads to. Else components may
// prove that of the cell asked about, and if they do not it is beyond the limit for all that is
// known.

#include "flow/flow.h"

#include "search/goal_set.h"

#include <math.h>

// ---- what is cut off ----

// Whether a step or a link leads on from a cell to one without a distance.
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

// Whether a goal among so many cells that can be entered is itself beyond the limit.
static AstarStatus find_dear_goal(AstarFlow *flow, uint32_t first, uint32_t count)
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

// What the way from a cell to another costs at most.
static double dearest_way(const AstarFlow *flow)
{
    const AstarGrid *grid = flow->finder->grid;
    double most = astar_flow_dearest_step(flow->finder);
    if (!flow->sweeps)
        return INFINITY;
    return astar_grid_has_links(grid) ? fmax(most, grid->links_and_walls->most_cost) : most;
}

AstarStatus astar_flow_find_cut(AstarFlow *flow, uint32_t first, uint32_t count)
{
    const double near = flow->beyond.limit - dearest_way(flow);
    flow->beyond.at = UINT32_MAX;
    AstarStatus status = find_dear_goal(flow, first, count);
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

// Makes sure of what is cut off; the cell that told it last is looked at first.
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

// ---- why ----

// Whether any goal can be entered, or there is none.
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

// Whether components leave it open that a way leads from a cell to a goal, or to it from the start.
static AstarStatus may_be_reached(const AstarFlow *flow, int x, int y, bool *may)
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

AstarStatus astar_flow_reason(AstarFlow *flow, int x, int y, void *context)
{
    const AstarFinder *finder = flow->finder;
    uint32_t cell = astar_cell(finder->grid, x, y);
    bool is_free = true, may = false;
    if (!astar_flow_bears(flow, flow->forward ? flow->sown.seeds[0].cell : cell))
        return ASTAR_START_BLOCKED;
    if (flow->forward && !astar_bits_get(&finder->on.walkable->bits, x, y))
        return ASTAR_GOAL_BLOCKED;
    while (flow->fled.source != NULL) // what flees covers all that the one with goals does
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
