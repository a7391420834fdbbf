// following.c -- crowds follow plans, beat by beat.
//
// What a plan has its units do is decided before all others choose; if that cannot be, or if
// somebody else could not make way, they stay for this beat, which can always be.

#include "crowd/resolving.h"

// How many beats in a row a plan waits for others until it is given up.
enum { PLAN_PATIENCE = 16 };

bool astar_crowd_pause_plans(AstarCrowd *crowd, bool waits)
{
    bool is_any = false;
    for (AstarResolving *plan = crowd->plans.first; plan != NULL; plan = plan->next) {
        is_any |= plan->is_stepping;
        plan->is_paused |= plan->is_stepping;
        plan->is_paused &= waits;
        plan->is_stepping = false;
    }
    return is_any;
}

// Whether the members of a plan step in this beat; all have the same period, but may have stepped
// at different times before.
static bool is_due(const AstarCrowd *crowd, const AstarResolving *plan)
{
    for (uint32_t i = 0; i < plan->count; i++) {
        const AstarMember *member = &crowd->members[plan->members[i]];
        if ((uint32_t)member->rested + 1 < member->period)
            return false;
    }
    return true;
}

// Decides where the members of a plan will be: where it has them next, or where they are.
static bool decide_members(AstarCrowd *crowd, const AstarResolving *plan)
{
    for (uint32_t i = 0; i < plan->count; i++) {
        uint32_t unit = plan->members[i];
        uint32_t cell = plan->is_stepping ? astar_plan_way(&plan->plan, i)[plan->step + 1]
                                          : crowd->units[unit].cell;
        if (!astar_pibt_decide(&crowd->pibt, unit, cell))
            return false;
    }
    return true;
}

bool astar_crowd_decide_plans(AstarCrowd *crowd)
{
    for (AstarResolving *plan = crowd->plans.first; plan != NULL; plan = plan->next) {
        plan->is_stepping = plan->status == ASTAR_OK && !plan->is_paused && is_due(crowd, plan);
        if (!plan->is_stepping)
            decide_members(crowd, plan);
    }
    for (AstarResolving *plan = crowd->plans.first; plan != NULL; plan = plan->next)
        if (plan->is_stepping && !decide_members(crowd, plan)) {
            plan->is_paused = true;
            return false;
        }
    return true;
}

void astar_crowd_follow_plans(AstarCrowd *crowd)
{
    AstarResolving *next;
    for (AstarResolving *plan = crowd->plans.first; plan != NULL; plan = next) {
        next = plan->next;
        plan->waited = plan->is_paused ? plan->waited + 1 : 0;
        plan->step += plan->is_stepping;
        bool is_over = plan->status == ASTAR_OK && plan->step == plan->plan.steps;
        if (is_over || plan->waited > PLAN_PATIENCE)
            astar_resolving_leave(plan, is_over ? ASTAR_OK : ASTAR_CANCELLED);
    }
}
