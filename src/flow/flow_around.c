// flow_around.c -- the distances of a cell and of those a step away at once, weighed and added up.

#include "flow/flow.h"

#include "unit/costs.h"

#include <math.h>

AstarStatus astar_flow_around(AstarFlow *flow, int x, int y, void *context, AstarWeighed *weighed)
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
    } while (status == ASTAR_RUNNING); // the flow was asked by a callback
    if (status == ASTAR_OK && !astar_flow_bears(flow, astar_cell(grid, x, y)))
        status = ASTAR_START_BLOCKED;
    *weighed = (AstarWeighed){.count = 1, .x = {x}, .y = {y}};
    const AstarShape *shape = grid->shape;
    if (shape->wraps != 0)
        steps.moves |= astar_seam_moves(flow->finder, astar_cell(grid, x, y), false, UINT32_MAX);
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

// Whether what a flow has of settled cells holds as it is, without asking.
static bool flow_holds(const AstarFlow *flow)
{
    return flow->begun && flow->of.finder == astar_finder_version(flow->finder) &&
           astar_flow_is_mended(flow);
}

// The distance of a cell by asking, INFINITY where it has none: the reason is 'why' then.
static AstarStatus ask_distance(AstarFlow *flow, int x, int y, void *context, double *distance,
                                AstarStatus *why)
{
    *distance = INFINITY;
    *why = astar_flow_distance(flow, x, y, context, distance);
    bool is_outcome = *why == ASTAR_START_BLOCKED || *why == ASTAR_GOAL_BLOCKED ||
                      *why == ASTAR_UNREACHABLE || *why == ASTAR_MAX_COST;
    return is_outcome ? ASTAR_OK : *why;
}

AstarStatus astar_flow_weigh(AstarFlow *flow, double weight, double missing, void *context,
                             AstarWeighed *weighed)
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
            AstarStatus status = ask_distance(flow, x, y, context, &distance, &why);
            if (status != ASTAR_OK)
                return status;
            holds = flow_holds(flow);
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
