// orders.c -- what units of a crowd are told, and the end of units and crowds.

#include "crowd/resolving.h"
#include "crowd/ways.h"

// ---- the end ----

void astar_crowd_release(AstarCrowd *crowd)
{
    if (crowd == NULL || --crowd->references > 0)
        return;
    astar_crowd_drop_plans(crowd);
    astar_resolving_release(crowd->plans.knot);
    astar_crowd_free(crowd);
}

// It does not want anything any more.
static void drop_goal(AstarCrowd *crowd, uint32_t index)
{
    AstarPibtUnit *unit = &crowd->units[index];
    AstarMember *member = &crowd->members[index];
    member->has_lost = false;
    member->period = astar_crowd_own_period(crowd, index) & ASTAR_MOST_RESTED;
    if (unit->field == NULL)
        return;
    AstarGoalField *field = (AstarGoalField *)unit->field;
    unit->field = NULL;
    crowd->count.under_way -= !member->has_arrived;
    member->has_arrived = false;
    unit->flags = 0;
    astar_crowd_leave_field(crowd, field, astar_unit_area(crowd, index));
}

// Those who chased a unit want nothing any more.
static void end_chases(AstarCrowd *crowd, AstarUnit prey)
{
    for (uint32_t i = 0; i < crowd->count.numbers && crowd->goals.chases > 0; i++)
        if (crowd->members[i].is_there && crowd->units[i].field != NULL &&
            crowd->units[i].field->prey == prey) {
            astar_crowd_drop_plan(crowd, i);
            drop_goal(crowd, i);
            crowd->members[i].has_lost = true;
        }
}

// Takes a unit out of the order at once, so that its number can be given again.
static void leave_order(AstarCrowd *crowd, uint32_t index)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < crowd->count.there; i++)
        if (crowd->order[i] != index)
            crowd->order[kept++] = crowd->order[i];
    crowd->count.there = kept;
}

bool astar_crowd_remove(AstarCrowd *crowd, AstarUnit unit)
{
    uint32_t index = astar_crowd_index(crowd, unit);
    if (!astar_crowd_stop(crowd, unit))
        return false;
    end_chases(crowd, unit);
    astar_pibt_lift(&crowd->pibt, index);
    leave_order(crowd, index);
    crowd->members[index].is_there = false;
    crowd->members[index].from = crowd->count.first_free;
    crowd->count.first_free = index;
    crowd->count.covered -= astar_unit_area(crowd, index);
    return true;
}

// ---- orders ----

bool astar_crowd_stop(AstarCrowd *crowd, AstarUnit unit)
{
    uint32_t index = astar_crowd_index(crowd, unit);
    if (index == ASTAR_NOBODY)
        return false;
    astar_crowd_disturb(crowd);
    astar_crowd_drop_plan(crowd, index);
    drop_goal(crowd, index);
    return true;
}

bool astar_crowd_hold(AstarCrowd *crowd, AstarUnit unit, bool holds)
{
    uint32_t index = astar_crowd_index(crowd, unit);
    if (index == ASTAR_NOBODY)
        return false;
    astar_crowd_disturb(crowd);
    if (holds)
        astar_crowd_drop_plan(crowd, index);
    crowd->members[index].is_held = holds;
    return true;
}

bool astar_crowd_set_priority(AstarCrowd *crowd, AstarUnit unit, int priority)
{
    uint32_t index = astar_crowd_index(crowd, unit);
    if (index == ASTAR_NOBODY || abs(priority) > ASTAR_MAX_UNIT_PRIORITY)
        return false;
    astar_crowd_disturb(crowd);
    crowd->members[index].priority = (int8_t)priority;
    return true;
}

// Has a unit go by the distances to a cell, or to what lies within range of it; or after another.
static AstarStatus send_unit(AstarCrowd *crowd, uint32_t index, uint32_t goal, uint32_t range,
                             AstarUnit prey)
{
    AstarPibtUnit *asked = &crowd->units[index];
    AstarMember *member = &crowd->members[index];
    AstarGoalField *field = astar_crowd_field(crowd, goal, range, asked->kind, prey);
    if (field == NULL)
        return ASTAR_NO_MEMORY;
    if (asked->field == field)
        return ASTAR_OK;
    astar_crowd_drop_plan(crowd, index);
    astar_crowd_use_field(field, astar_unit_area(crowd, index));
    drop_goal(crowd, index);
    astar_crowd_forget_lead(crowd, index);
    asked->field = field;
    member->behind = member->stalled = member->tries = 0;
    member->has_arrived = astar_goal_field_ends_at(crowd->grid, field, asked->cell);
    asked->flags = member->has_arrived ? ASTAR_PIBT_SETTLED : 0;
    crowd->count.under_way += !member->has_arrived;
    return ASTAR_OK;
}

// Whether a unit can stand in some cell within range of one.
static bool has_room_about(const AstarCrowdKind *kind, uint32_t goal, uint32_t range)
{
    AstarCrowdAim aim = {goal, range, 1};
    AstarCellBox about = astar_cells_of_aim(astar_kind_grid(kind), &aim, astar_kind_size(kind));
    for (int y = about.y0; y <= about.y1; y++)
        for (int x = about.x0; x <= about.x1; x++)
            if (astar_bits_get(kind->bits, x, y))
                return true;
    return false;
}

AstarStatus astar_crowd_set_side(AstarCrowd *crowd, AstarUnit unit, int side)
{
    uint32_t index = astar_crowd_index(crowd, unit);
    if (index == ASTAR_NOBODY || side < 0 || side > ASTAR_MAX_UNIT_SIDE)
        return ASTAR_BAD_OPTION;
    astar_crowd_disturb(crowd);
    if (side == 0 && crowd->sides == NULL)
        return ASTAR_OK;
    if (!astar_crowd_need_sides(crowd))
        return ASTAR_NO_MEMORY;
    crowd->sides[index] = (uint8_t)side;
    return ASTAR_OK;
}

AstarStatus astar_crowd_send(AstarCrowd *crowd, AstarUnit unit, int x, int y,
                             const AstarGoOptions *options)
{
    AstarGoOptions chosen = options != NULL ? *options : (AstarGoOptions){.range = 0};
    uint32_t index = astar_crowd_index(crowd, unit);
    if (index == ASTAR_NOBODY || chosen.range < 0 || chosen.range > ASTAR_MAX_CROWD_RANGE)
        return ASTAR_BAD_OPTION;
    if (!astar_inside(crowd->grid, x, y))
        return ASTAR_BAD_CELL;
    astar_crowd_disturb(crowd);
    AstarCrowdKind *kind = &crowd->kinds[crowd->units[index].kind];
    AstarStatus status = astar_kind_update(kind);
    uint32_t goal = astar_cell(crowd->grid, x, y), range = (uint32_t)chosen.range;
    if (status == ASTAR_OK && chosen.partial)
        status = astar_crowd_find_near(crowd, index, &goal, &range);
    if (status != ASTAR_OK)
        return status;
    return has_room_about(kind, goal, range) ? send_unit(crowd, index, goal, range, 0)
                                             : ASTAR_GOAL_BLOCKED;
}

AstarStatus astar_crowd_go(AstarCrowd *crowd, AstarUnit unit, int x, int y)
{
    return astar_crowd_send(crowd, unit, x, y, NULL);
}

AstarStatus astar_crowd_keep_pace(AstarCrowd *crowd, AstarUnit unit, int period)
{
    uint32_t index = astar_crowd_index(crowd, unit);
    if (index == ASTAR_NOBODY || period < 1 || period > ASTAR_MAX_PERIOD)
        return ASTAR_BAD_OPTION;
    astar_crowd_disturb(crowd);
    uint32_t own = astar_crowd_own_period(crowd, index), slower = (uint32_t)period;
    crowd->members[index].period = (slower > own ? slower : own) & ASTAR_MOST_RESTED;
    return ASTAR_OK;
}

AstarStatus astar_crowd_chase(AstarCrowd *crowd, AstarUnit unit, AstarUnit other, int range)
{
    uint32_t index = astar_crowd_index(crowd, unit), prey = astar_crowd_index(crowd, other);
    if (index == ASTAR_NOBODY || prey == ASTAR_NOBODY || index == prey || range < 1 ||
        range > ASTAR_MAX_CROWD_RANGE || astar_grid_has_links(crowd->grid))
        return ASTAR_BAD_OPTION;
    astar_crowd_disturb(crowd);
    return send_unit(crowd, index, crowd->units[prey].cell, (uint32_t)range, other);
}

AstarStatus astar_crowd_set_motion(AstarCrowd *crowd, AstarUnit unit, uint32_t pace, double turn)
{
    uint32_t index = astar_crowd_index(crowd, unit);
    if (index == ASTAR_NOBODY || pace < ASTAR_BEAT || pace > ASTAR_MAX_PERIOD * ASTAR_BEAT ||
        !(turn >= 0))
        return ASTAR_BAD_OPTION;
    astar_crowd_disturb(crowd);
    if (!astar_crowd_make_glides(crowd))
        return ASTAR_NO_MEMORY;
    crowd->glides[index].pace = pace;
    crowd->glides[index].turn = (float)turn;
    crowd->members[index].period = (pace + ASTAR_BEAT - 1) / ASTAR_BEAT & ASTAR_MOST_RESTED;
    return ASTAR_OK;
}
