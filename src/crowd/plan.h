// plan.h -- a plan: a cell for each of some units, step by step.

#ifndef ASTAR_PLAN_H
#define ASTAR_PLAN_H

#include "crowd/lacam.h"

typedef struct AstarPlan {
    uint32_t *cells;      // of each unit in the beginning, then after each step
    uint32_t count;       // units
    uint32_t steps, room; // steps, and how many there is room for
} AstarPlan;

// The cells of a unit.
static inline uint32_t *astar_plan_way(const AstarPlan *plan, uint32_t unit)
{
    return plan->cells + (size_t)unit * ((size_t)plan->room + 1);
}

// After which step a unit is where it wants to be for good.
static inline uint32_t astar_plan_arrival(const AstarPlan *plan, const uint32_t *places_of_groups,
                                          uint32_t unit, uint32_t group)
{
    const uint32_t *way = astar_plan_way(plan, unit);
    uint32_t step = group == 0 ? 0 : plan->steps;
    while (step > 0 && places_of_groups[way[step - 1]] == group)
        step--;
    return step;
}

#endif
