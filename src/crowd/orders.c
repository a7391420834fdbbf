// orders.c -- what units of a crowd are told, and the end of units and crowds.

#include "crowd/resolving.h"

// ---- the end ----

void astar_crowd_release(AstarCrowd *crowd)
{
    if (crowd == NULL || --crowd->references > 0)
        return;
    astar_crowd_drop_plans(crowd);
    astar_resolving_release(crowd->knot);
    astar_crowd_free(crowd);
}

// It does not want anything any more.
static void drop_goal(AstarCrowd *crowd, uint32_t index)
{
    AstarPibtUnit *unit = &crowd->units[index];
    AstarMember *member = &crowd->members[index];
    if (unit->field == NULL)
        return;
    AstarGoalField *field = (AstarGoalField *)unit->field;
    unit->field = NULL;
    crowd->under_way -= !member->has_arrived;
    member->has_arrived = false;
    unit->flags = 0;
    astar_crowd_leave_field(crowd, field, astar_unit_area(crowd, index));
}

// Takes a unit out of the order at once, so that its number can be given again.
static void leave_order(AstarCrowd *crowd, uint32_t index)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < crowd->there; i++)
        if (crowd->order[i] != index)
            crowd->order[kept++] = crowd->order[i];
    crowd->there = kept;
}

bool astar_crowd_remove(AstarCrowd *crowd, AstarUnit unit)
{
    uint32_t index = astar_crowd_index(crowd, unit);
    if (index == ASTAR_NOBODY)
        return false;
    astar_crowd_disturb(crowd);
    astar_crowd_drop_plan(crowd, index);
    drop_goal(crowd, index);
    astar_pibt_lift(&crowd->pibt, index);
    leave_order(crowd, index);
    crowd->members[index].is_there = false;
    crowd->members[index].from = crowd->first_free;
    crowd->first_free = index;
    crowd->covered -= astar_unit_area(crowd, index);
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

AstarStatus astar_crowd_go(AstarCrowd *crowd, AstarUnit unit, int x, int y)
{
    uint32_t index = astar_crowd_index(crowd, unit);
    if (index == ASTAR_NOBODY)
        return ASTAR_BAD_OPTION;
    if (!astar_inside(crowd->grid, x, y))
        return ASTAR_BAD_CELL;
    astar_crowd_disturb(crowd);
    AstarPibtUnit *asked = &crowd->units[index];
    AstarCrowdKind *kind = &crowd->kinds[asked->kind];
    AstarStatus status = astar_kind_update(kind);
    if (status != ASTAR_OK)
        return status;
    if (!astar_bits_get(kind->bits, x, y))
        return ASTAR_GOAL_BLOCKED;
    AstarGoalField *field = astar_crowd_field(crowd, astar_cell(crowd->grid, x, y), asked->kind);
    if (field == NULL)
        return ASTAR_NO_MEMORY;
    AstarMember *member = &crowd->members[index];
    if (asked->field == field)
        return ASTAR_OK;
    astar_crowd_drop_plan(crowd, index);
    astar_crowd_use_field(field, astar_unit_area(crowd, index));
    drop_goal(crowd, index);
    asked->field = field;
    member->behind = member->stalled = member->tries = 0;
    member->has_arrived = asked->cell == field->goal;
    asked->flags = member->has_arrived ? ASTAR_PIBT_SETTLED : 0;
    crowd->under_way += !member->has_arrived;
    return ASTAR_OK;
}

// Looks at the cells that lie so far from one, along a row or a column, for the nearest to it by
// straight line where a unit of a kind can stand, and that a way leads to from where it is.
static void look_at_ring(const AstarCrowdKind *kind, const AstarComponents *components,
                         AstarCell from, AstarCell to, int ring, AstarCell *best, int64_t *least)
{
    for (int dy = -ring; dy <= ring; dy++)
        for (int dx = -ring; dx <= ring; dx += abs(dy) == ring || ring == 0 ? 1 : 2 * ring) {
            int64_t apart = (int64_t)dx * dx + (int64_t)dy * dy;
            if (apart < *least && astar_inside(astar_kind_grid(kind), to.x + dx, to.y + dy) &&
                astar_bits_get(kind->bits, to.x + dx, to.y + dy) &&
                astar_components_join(components, from.x, from.y, to.x + dx, to.y + dy)) {
                *least = apart;
                *best = (AstarCell){to.x + dx, to.y + dy};
            }
        }
}

AstarStatus astar_crowd_go_near(AstarCrowd *crowd, AstarUnit unit, int x, int y)
{
    uint32_t index = astar_crowd_index(crowd, unit);
    if (index == ASTAR_NOBODY || !astar_inside(crowd->grid, x, y))
        return index == ASTAR_NOBODY ? ASTAR_BAD_OPTION : ASTAR_BAD_CELL;
    AstarCrowdKind *kind = &crowd->kinds[crowd->units[index].kind];
    AstarComponents *components;
    AstarStatus status = astar_kind_update(kind);
    if (status == ASTAR_OK)
        status = astar_finder_components(kind->finder, &components);
    if (status != ASTAR_OK)
        return status;
    AstarCell from, best = {x, y};
    astar_cell_xy(crowd->grid, crowd->units[index].cell, &from.x, &from.y);
    int width = crowd->grid->width, height = crowd->grid->height;
    int64_t least = INT64_MAX;
    for (int64_t ring = 0; ring < (width > height ? width : height) && ring * ring < least; ring++)
        look_at_ring(kind, components, from, (AstarCell){x, y}, (int)ring, &best, &least);
    return astar_crowd_go(crowd, unit, best.x, best.y);
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
