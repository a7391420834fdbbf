// plan.h -- a plan: a cell for each of some units, step by step.

#ifndef ASTAR_PLAN_H
#define ASTAR_PLAN_H

#include "crowd/lacam.h"

typedef struct AstarPlan {
    uint32_t *cells;      // of all units in the beginning, then after each step
    uint32_t count;       // units
    uint32_t steps, room; // steps, and how many there is room for
} AstarPlan;

static inline uint32_t *astar_plan_row(const AstarPlan *plan, uint32_t step)
{
    return plan->cells + (size_t)step * plan->count;
}

// After which step a unit is where it wants to be for good.
static inline uint32_t astar_plan_arrival(const AstarPlan *plan, const uint32_t *places_of_groups,
                                          uint32_t unit, uint32_t group)
{
    uint32_t step = group == 0 ? 0 : plan->steps;
    while (step > 0 && places_of_groups[astar_plan_row(plan, step - 1)[unit]] == group)
        step--;
    return step;
}

#endif
