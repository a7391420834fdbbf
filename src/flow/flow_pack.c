// flow_pack.c -- flows that keep nothing but steps, once all of them are known.
//
// A flow of whose distances nothing is asked is worked out like any other. Then the step of each
// cell is packed, block by block, and the distances go: with them what repairs after an edit begin
// with, so that it is worked out anew.

#include "flow/flow.h"

// The step of a cell, as it is packed.
static AstarStatus find_step(AstarFlow *flow, uint32_t cell, uint8_t *step)
{
    int direction, x, y;
    double best;
    *step = 0;
    if (!astar_flow_bears(flow, cell))
        return ASTAR_OK;
    astar_cell_xy(flow->finder->grid, cell, &x, &y);
    AstarStatus status = astar_flow_look_up(flow, cell, x, y, &best, &direction);
    if (status != ASTAR_OK || best > 1e300 || best > flow->limit)
        return status;
    *step = (uint8_t)(direction + 1);
    if (direction != ASTAR_FLOW_LINK)
        return ASTAR_OK;
    AstarArc arc = {0};
    best = INFINITY;
    status = astar_flow_best_link(flow, cell, &best, &arc);
    return status == ASTAR_OK
               ? astar_packed_steps_link(&flow->packed, astar_flow_allocator(flow), &arc)
               : status;
}

static AstarStatus pack_block(AstarFlow *flow)
{
    uint8_t steps[ASTAR_STEP_BLOCK] = {0};
    AstarStatus status = ASTAR_OK;
    uint32_t first = (uint32_t)flow->packed.count * ASTAR_STEP_BLOCK;
    uint32_t count = flow->finder->grid->cells - first;
    count = count < ASTAR_STEP_BLOCK ? count : ASTAR_STEP_BLOCK;
    for (uint32_t i = 0; status == ASTAR_OK && i < count; i++)
        status = find_step(flow, first + i, &steps[i]);
    if (status != ASTAR_OK)
        return status;
    status = astar_packed_steps_add(&flow->packed, astar_flow_allocator(flow), steps);
    flow->turn++;
    astar_flow_spend(flow, count);
    return status;
}

AstarStatus astar_flow_pack(AstarFlow *flow)
{
    if (astar_packed_steps_are_whole(&flow->packed))
        return ASTAR_OK;
    if (flow->packed.blocks == NULL) {
        AstarStatus status = astar_packed_steps_begin(&flow->packed, astar_flow_allocator(flow),
                                                      flow->finder->grid->cells);
        if (status != ASTAR_OK)
            return status;
    }
    if (flow->left == 0)
        return ASTAR_RUNNING;
    AstarStatus status = pack_block(flow);
    if (status != ASTAR_OK || !astar_packed_steps_are_whole(&flow->packed))
        return status == ASTAR_OK ? ASTAR_RUNNING : status;
    astar_flow_drop_distances(flow);
    return ASTAR_OK;
}
