// flow_spread.c -- what spreads from a cell by a unit's distances, round walls: sound, scent,
// threat.

#include "flow/flow.h"

static bool may_spread(const AstarFlow *flow, double value, double falloff, const AstarField *field)
{
    const AstarGrid *grid = flow->finder->grid;
    return value >= 0 && value <= ASTAR_COST_MAX && falloff >= 0 && falloff <= 1 &&
           field->width == grid->width && field->height == grid->height &&
           field->shape == grid->shape;
}

AstarStatus astar_flow_spread(AstarFlow *flow, double value, double falloff, AstarField *field,
                              void *context)
{
    if (!may_spread(flow, value, falloff, field))
        return ASTAR_BAD_OPTION;
    uint64_t cell = 0;
    AstarStatus status;
    int x, y;
    double distance, loss = isfinite(flow->max_cost) ? falloff / (flow->max_cost + 1) : 0;
    bool changed = false;
    while ((status = astar_flow_cell(flow, &cell, context, &x, &y, &distance)) == ASTAR_OK) {
        float *place = &field->values[astar_cell(flow->finder->grid, x, y)];
        float reached = (float)(value * fmax(0, 1 - distance * loss));
        if (!(reached > *place))
            continue;
        *place = reached;
        astar_field_note(field, x, y, 1, 1);
        changed = true;
    }
    field->version += changed;
    return status == ASTAR_UNREACHABLE ? ASTAR_OK : status;
}
