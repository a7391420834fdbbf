// chasing.c -- units that go after others.
//
// A goal that moves has no distances: they would be those of before by the time they are known. Who
// is far goes by a route to where the other was, and gets another once that one is off by a third
// of what is left (own_routes.c): the nearer, the more often. Who is near goes by the distances of
// the nearest cells about the other, as many as a window has, worked out anew in each beat for all
// who chase it, within the beat's work on routes. Where that is used up, and beyond what it leads
// to, the route has to do.

#include "crowd/crowd.h"

enum { WINDOW_REACH = 16, WINDOW_CELLS = 1024, NO_WINDOW_LEAD = ASTAR_WAYS };

void astar_crowd_aim_at_prey(const AstarCrowd *crowd, AstarGoalField *field)
{
    const AstarPibtUnit *prey = &crowd->units[(uint32_t)field->prey];
    field->goal = prey->cell;
    field->goal_size = (uint16_t)astar_kind_size(&crowd->kinds[prey->kind]);
}

void astar_crowd_follow_prey(AstarCrowd *crowd)
{
    for (size_t i = 0; i < crowd->goals.count && crowd->goals.chases > 0; i++)
        if (crowd->goals.fields[i]->prey != 0)
            astar_crowd_aim_at_prey(crowd, crowd->goals.fields[i]);
}

// ---- windows ----

static bool is_near_prey(const AstarCrowd *crowd, uint32_t index)
{
    const AstarPibtUnit *unit = &crowd->units[index];
    return astar_goal_field_beyond(crowd->grid, unit->field, unit->cell) <= WINDOW_REACH;
}

// The step that leads nearest by the distances of a window, if nearer.
static int lead_in_window(const AstarCrowd *crowd, uint32_t index)
{
    const AstarFieldBuild *window = &crowd->window;
    uint32_t cell = crowd->units[index].cell, least = UINT32_MAX, other, length;
    int lead = NO_WINDOW_LEAD;
    if (astar_field_build_has(window, cell))
        least = window->distances[cell];
    AstarFieldSteps steps = astar_field_steps(window, cell, false);
    for (unsigned moves = steps.moves; moves != 0; moves &= moves - 1) {
        steps.moves = moves;
        if (astar_next_field_step(window, &steps, &other, &length) &&
            astar_field_build_has(window, other) && window->distances[other] < least) {
            least = window->distances[other];
            lead = astar_lowest_bit(moves);
        }
    }
    return lead;
}

// Leads those who are near what they chase by a field.
static AstarStatus lead_by_window(AstarCrowd *crowd, const AstarGoalField *field, uint64_t *work)
{
    uint64_t cells = WINDOW_CELLS;
    AstarFieldBuild *window = &crowd->window;
    AstarStatus status = astar_field_build_begin(window, &crowd->kinds[field->kind],
                                                 astar_aim_of_field(field));
    if (status == ASTAR_OK)
        status = astar_field_build_spread(window, &cells);
    uint64_t spent = WINDOW_CELLS - cells;
    *work -= spent < *work ? spent : *work;
    for (uint32_t i = field->chaser; i != ASTAR_NOBODY && status != ASTAR_NO_MEMORY;
         i = crowd->own.slots[i].next_chaser)
        crowd->own.leads[i] = (uint8_t)lead_in_window(crowd, i);
    astar_field_build_stop(window);
    return status == ASTAR_NO_MEMORY ? status : ASTAR_OK;
}

void astar_crowd_list_chasers(AstarCrowd *crowd)
{
    for (size_t i = 0; i < crowd->goals.count; i++)
        crowd->goals.fields[i]->chaser = ASTAR_NOBODY;
    for (uint32_t i = 0; i < crowd->count.there; i++) {
        uint32_t index = crowd->order[i];
        AstarGoalField *field = (AstarGoalField *)crowd->units[index].field;
        if (field == NULL || field->prey == 0 || crowd->members[index].has_arrived ||
            !is_near_prey(crowd, index))
            continue;
        crowd->own.slots[index].next_chaser = field->chaser;
        field->chaser = index;
    }
}

AstarStatus astar_crowd_lead_chasers(AstarCrowd *crowd, uint64_t *work)
{
    AstarOwnRoutes *own = &crowd->own;
    for (; own->windows < crowd->goals.count && own->quota > WINDOW_CELLS; own->windows++) {
        const AstarGoalField *field =
            crowd->goals.fields[(crowd->beat.count + own->windows) % crowd->goals.count];
        if (field->prey == 0 || field->chaser == ASTAR_NOBODY)
            continue;
        if (*work == 0)
            return ASTAR_RUNNING;
        AstarStatus status = lead_by_window(crowd, field, work);
        if (status != ASTAR_OK)
            return status;
        own->quota -= WINDOW_CELLS;
    }
    return ASTAR_OK;
}
