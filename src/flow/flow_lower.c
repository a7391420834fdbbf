// flow_lower.c -- how a cell of a flow field comes to a distance: by a step, or over a link.

#include "flow/flow.h"

#include <math.h>

void astar_flow_forget_around(AstarFlow *flow, int x, int y)
{
    const AstarGrid *grid = flow->finder->grid;
    uint32_t other, index = 0;
    if (!flow->has.nexts)
        return;
    for (int row = y > 0 ? y - 1 : 0; row <= y + 1 && row < grid->height; row++)
        for (int column = x > 0 ? x - 1 : 0; column <= x + 1 && column < grid->width; column++)
            astar_flow_forget(flow, astar_cell(grid, column, row));
    while (astar_flow_next_over_link(flow, astar_cell(grid, x, y), &index, &other))
        astar_flow_forget(flow, other);
}

AstarStatus astar_flow_lower(AstarFlow *flow, uint32_t cell, int x, int y, double distance,
                             uint32_t hops)
{
    const AstarAllocator *allocator = astar_flow_allocator(flow);
    if (hops > 0 && flow->hops == NULL) {
        flow->hops = astar_alloc(allocator, flow->finder->grid->cells, sizeof *flow->hops);
        if (flow->hops == NULL)
            return ASTAR_NO_MEMORY;
    }
    AstarFlowPage *page = astar_flow_page_for(flow, cell);
    if (page == NULL)
        return ASTAR_NO_MEMORY;
    AstarStatus status = astar_bucket_queue_put(&flow->open, allocator,
                                                astar_entry(x, y, ASTAR_FLOW_STAY),
                                                astar_flow_turn_of(flow, cell, distance));
    if (status != ASTAR_OK)
        return status;
    page->distances[cell % ASTAR_FLOW_PAGE_CELLS] = distance;
    if (flow->hops != NULL)
        flow->hops[cell] = hops;
    if (astar_flow_mends(flow))
        astar_flow_forget_around(flow, x, y);
    return ASTAR_OK;
}

// Brings nearer the cell at the other end of a link.
static AstarStatus expand_link(AstarFlow *flow, uint32_t cell, const AstarArc *arc)
{
    uint32_t other = flow->forward ? arc->to : arc->from;
    int width = flow->finder->grid->width;
    int x = (int)(other % (uint32_t)width), y = (int)(other / (uint32_t)width);
    bool enters = false;
    double cost;
    double here = astar_flow_at(flow, cell);
    if (!astar_flow_is_better(flow, other, here, astar_flow_hops_by(flow, cell, here)))
        return ASTAR_OK;
    AstarStatus status = astar_flow_enters(flow, other, x, y, &enters);
    if (status == ASTAR_OK && enters)
        status = astar_flow_link_cost(flow, arc, &cost);
    if (status != ASTAR_OK || !enters)
        return status;
    double way = here + cost;
    uint32_t hops = astar_flow_hops_by(flow, cell, way);
    if (!astar_flow_is_better(flow, other, way, hops))
        return ASTAR_OK;
    if (way > flow->beyond.limit) {
        flow->beyond.is_cut = true;
        return ASTAR_OK;
    }
    return astar_flow_lower(flow, other, x, y, way, hops);
}

AstarStatus astar_flow_expand_links(AstarFlow *flow, uint32_t cell)
{
    AstarStatus status = ASTAR_OK;
    AstarArc arc;
    uint32_t index = 0;
    while (status == ASTAR_OK && astar_flow_next_link(flow, cell, flow->forward, &index, &arc))
        status = expand_link(flow, cell, &arc);
    return status;
}
