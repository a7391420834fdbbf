// flow_around.c -- the distances of a cell and of those a step away at once, weighed and added up.

#include "flow/flow.h"

#include "unit/seam.h"

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
    steps.moves |= astar_seam_moves(flow->finder, astar_cell(grid, x, y), false, UINT32_MAX);
    for (int i = 0; i < ASTAR_DIRECTIONS && status == ASTAR_OK; i++) {
        int d = shape->steps_over[astar_phase(shape, x, y)][shape->order[i]];
        if (d < 0 || (steps.moves >> d & 1) == 0)
            continue;
        int *to_x = &weighed->x[weighed->count], *to_y = &weighed->y[weighed->count++];
        *to_x = x + astar_dx[d];
        *to_y = y + astar_dy[d];
        astar_go_round(grid, to_x, to_y);
    }
    return status;
}

// What is known for good of a cell that the unit can enter, without asking; NAN: it is to be asked.
static double known_at(const AstarFlow *flow, int x, int y)
{
    if (!flow->begun || flow->seen != astar_finder_version(flow->finder) ||
        !astar_flow_is_mended(flow))
        return (double)NAN;
    double distance = astar_flow_at(flow, astar_cell(flow->finder->grid, x, y));
    return distance < 1e300 && astar_flow_is_settled(flow, distance) && distance <= flow->limit
               ? distance
               : (double)NAN;
}

// The distance of a cell, INFINITY where it has none: the reason is 'why' then.
static AstarStatus distance_near(AstarFlow *flow, int x, int y, void *context, double *distance,
                                 AstarStatus *why)
{
    *why = ASTAR_OK;
    *distance = astar_inside(flow->finder->grid, x, y) ? known_at(flow, x, y) : (double)NAN;
    if (!isnan(*distance))
        return ASTAR_OK;
    *distance = INFINITY;
    AstarStatus status = astar_flow_distance(flow, x, y, context, distance);
    bool is_outcome = status == ASTAR_START_BLOCKED || status == ASTAR_GOAL_BLOCKED ||
                      status == ASTAR_UNREACHABLE || status == ASTAR_MAX_COST;
    *why = is_outcome ? status : ASTAR_OK;
    return is_outcome ? ASTAR_OK : status;
}

AstarStatus astar_flow_weigh(AstarFlow *flow, double weight, double missing, void *context,
                             AstarWeighed *weighed)
{
    int count = 0;
    for (int i = 0; i < weighed->count; i++) {
        double distance;
        AstarStatus why;
        AstarStatus status = distance_near(flow, weighed->x[i], weighed->y[i], context, &distance,
                                           &why);
        if (status != ASTAR_OK)
            return status;
        distance = isinf(distance) ? missing : distance;
        if (isinf(distance) && i == 0)
            return why;
        if (isinf(distance))
            continue;
        weighed->x[count] = weighed->x[i];
        weighed->y[count] = weighed->y[i];
        weighed->sums[count++] = weighed->sums[i] + weight * distance;
    }
    weighed->count = count;
    return ASTAR_OK;
}
