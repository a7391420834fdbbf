// orders.c -- Orders to the units of a crowd: go, chase, stop, hold. The file also contains the
// pursuit of target units, the functions by which a crowd follows plans, and the removal of units
// and crowds.

#include "parts/crowd/orders.h"

#include "parts/crowd/crowd.h"
#include "parts/crowd/glides.h"
#include "parts/crowd/goal_fields.h"
#include "parts/crowd/own_routes.h"
#include "parts/crowd/pibt.h"
#include "parts/crowd/places.h"
#include "parts/crowd/resolving.h"

// The functions below remove units and release crowds.

void astar_crowd_release(AstarCrowd *crowd)
{
    if (crowd == NULL || --crowd->references > 0)
        return;
    astar_crowd_drop_plans(crowd);
    astar_resolving_release(crowd->plans.deadlock);
    astar_crowd_free(crowd);
}

// Removes the goal of a unit: the unit stops.
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

// Ends all chases of the unit 'target_unit': removes the goals of the units that chase it.
static void end_chases(AstarCrowd *crowd, AstarUnit target_unit)
{
    for (uint32_t i = 0; i < crowd->count.numbers && crowd->goals.chases > 0; i++)
        if (crowd->members[i].is_there && crowd->units[i].field != NULL &&
            crowd->units[i].field->target_unit == target_unit) {
            astar_crowd_drop_plan(crowd, i);
            drop_goal(crowd, i);
            crowd->members[i].has_lost = true;
        }
}

// Removes a unit from the order in which units choose their steps, so that its number can be used
// again.
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

// The functions below give orders to units.

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

// Sets the goal of a unit. The goal is the cell 'goal' with a range or, if 'target_unit' is not 0,
// the unit 'target_unit'.
static AstarStatus send_unit(AstarCrowd *crowd, uint32_t index, uint32_t goal, uint32_t range,
                             AstarUnit target_unit)
{
    AstarPibtUnit *asked = &crowd->units[index];
    AstarMember *member = &crowd->members[index];
    AstarGoalField *field = astar_crowd_field(crowd, goal, range, asked->kind, target_unit);
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
    asked->flags = member->has_arrived ? ASTAR_PIBT_ARRIVED : 0;
    crowd->count.under_way += !member->has_arrived;
    return ASTAR_OK;
}

// Returns true if a unit of the kind 'kind' could occupy at least one cell within 'range' of the
// goal, if there were no other units.
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
    uint32_t index = astar_crowd_index(crowd, unit), target_unit = astar_crowd_index(crowd, other);
    if (index == ASTAR_NOBODY || target_unit == ASTAR_NOBODY || index == target_unit || range < 1 ||
        range > ASTAR_MAX_CROWD_RANGE || astar_grid_has_links(crowd->grid))
        return ASTAR_BAD_OPTION;
    astar_crowd_disturb(crowd);
    return send_unit(crowd, index, crowd->units[target_unit].cell, (uint32_t)range, other);
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

// ------------------------------------------------------------------------------------------------
// Units that chase other units.
//
// No distances are computed for a goal that moves, because they would be outdated before they are
// complete. A chaser (a unit that chases another) that is far away follows a route to a former cell
// of the target unit. The chaser gets a new route when the target unit has moved by a third of the
// length of the remaining route (own_routes.c). Routes are therefore renewed more often when the
// chaser is near. A chaser near the target unit follows distances in a window: the nearest cells
// around the target unit, up to WINDOW_CELLS. The window is computed again in each tick, once for
// all chasers of a unit. Computing windows is part of the tick's work on routes, which is limited.
// If the work is used up, or if the chaser is outside the window, the chaser follows its route.
//
// If at least MANY_CHASERS units chase one unit, its window has CELLS_A_CHASER more cells for each
// chaser, and chasers that are far away follow its distances, too. Finding a route takes as much
// work as some hundreds or thousands of cells of a window, and routes are renewed every few ticks.
// A wider window therefore soon takes less work than the routes that it replaces. All wide windows
// of a tick share a part of the tick's work on routes. Distances are not kept for the next tick,
// because the target unit will have moved.
// ------------------------------------------------------------------------------------------------

enum { WINDOW_REACH = 16, WINDOW_CELLS = 1024, NO_WINDOW_LEAD = ASTAR_WAYS };
enum { MANY_CHASERS = 16, CELLS_A_CHASER = 64 };

void astar_crowd_aim_at_target(const AstarCrowd *crowd, AstarGoalField *field)
{
    const AstarPibtUnit *target_unit = &crowd->units[(uint32_t)field->target_unit];
    field->goal = target_unit->cell;
    field->goal_size = (uint16_t)astar_kind_size(&crowd->kinds[target_unit->kind]);
}

void astar_crowd_follow_target(AstarCrowd *crowd)
{
    for (size_t i = 0; i < crowd->goals.count && crowd->goals.chases > 0; i++)
        if (crowd->goals.fields[i]->target_unit != 0)
            astar_crowd_aim_at_target(crowd, crowd->goals.fields[i]);
}

// The functions below compute distances in a window around a target unit, and let chasers follow
// them.

static bool is_near_target(const AstarCrowd *crowd, uint32_t index)
{
    const AstarPibtUnit *unit = &crowd->units[index];
    return astar_goal_field_beyond(crowd->grid, unit->field, unit->cell) <= WINDOW_REACH;
}

// Returns the direction of the step that leads a chaser nearest to its target unit, by the
// distances in the window. Returns NO_WINDOW_LEAD if no step leads nearer.
static int lead_in_window(const AstarCrowd *crowd, uint32_t index)
{
    const AstarFieldBuild *window = &crowd->window;
    uint32_t cell = crowd->units[index].cell, least = UINT32_MAX;
    int lead = NO_WINDOW_LEAD;
    if (astar_field_build_has(window, cell))
        least = window->distances[cell];
    // The map has not changed since the window was begun, so the legal steps stored for the kind
    // are valid.
    for (unsigned moves = astar_kind_moves(window->kind, cell); moves != 0; moves &= moves - 1) {
        int way = astar_lowest_bit(moves);
        uint32_t other = astar_pibt_towards(&crowd->pibt, cell, way);
        if (astar_field_build_has(window, other) && window->distances[other] < least) {
            least = window->distances[other];
            lead = way;
        }
    }
    return lead;
}

// Returns the number of cells of the window around the target unit of a field, which depends on its
// number of chasers.
static uint64_t cells_of_window(const AstarCrowd *crowd, const AstarGoalField *field)
{
    uint64_t more = field->chasers < MANY_CHASERS ? 0 : (uint64_t)field->chasers * CELLS_A_CHASER;
    return WINDOW_CELLS + (more < crowd->own.shared ? more : crowd->own.shared);
}

// Subtracts the work of a complete window from the remaining work of this tick.
static void charge_window(AstarOwnRoutes *own, uint64_t spent)
{
    uint64_t more = spent > WINDOW_CELLS ? spent - WINDOW_CELLS : 0, all = WINDOW_CELLS + more;
    own->shared -= more;
    own->quota -= all < own->quota ? all : own->quota;
}

// Computes the distances in the window around the target unit of a field. Afterwards sets the next
// step of each chaser in the field's list. Returns ASTAR_RUNNING if '*work' is used up first. Each
// call computes at least WINDOW_CELLS cells of the window, even if '*work' is less.
static AstarStatus lead_by_window(AstarCrowd *crowd, const AstarGoalField *field, uint64_t *work)
{
    AstarFieldBuild *window = &crowd->window;
    AstarOwnRoutes *own = &crowd->own;
    AstarStatus status = ASTAR_OK;
    if (window->kind == NULL) {
        own->window_cells = cells_of_window(crowd, field);
        status = astar_field_build_begin(window, &crowd->kinds[field->kind],
                                         astar_aim_of_field(field));
    }
    if (status == ASTAR_OK) {
        uint64_t left = own->window_cells - window->spent;
        uint64_t slice = *work > WINDOW_CELLS ? *work : WINDOW_CELLS, before = window->spent;
        slice = slice < left ? slice : left;
        status = astar_field_build_spread(window, &slice);
        uint64_t spent = window->spent - before;
        *work -= spent < *work ? spent : *work;
    }
    if (status == ASTAR_RUNNING && window->spent < own->window_cells)
        return ASTAR_RUNNING;
    if (status != ASTAR_NO_MEMORY)
        charge_window(own, window->spent);
    for (uint32_t i = field->chaser; i != ASTAR_NOBODY && status != ASTAR_NO_MEMORY;
         i = own->slots[i].next_chaser)
        own->leads[i] = (uint8_t)lead_in_window(crowd, i);
    astar_field_build_stop(window);
    return status == ASTAR_NO_MEMORY ? status : ASTAR_OK;
}

// Returns the field of a unit that chases another unit and has not reached it. Returns NULL for all
// other units.
static AstarGoalField *field_of_chaser(const AstarCrowd *crowd, uint32_t index)
{
    AstarGoalField *field = (AstarGoalField *)crowd->units[index].field;
    return field == NULL || field->target_unit == 0 || crowd->members[index].has_arrived ? NULL
                                                                                         : field;
}

void astar_crowd_list_chasers(AstarCrowd *crowd)
{
    for (size_t i = 0; i < crowd->goals.count; i++) {
        crowd->goals.fields[i]->chaser = ASTAR_NOBODY;
        crowd->goals.fields[i]->chasers = 0;
    }
    for (uint32_t i = 0; i < crowd->count.there; i++) {
        AstarGoalField *field = field_of_chaser(crowd, crowd->order[i]);
        if (field != NULL)
            field->chasers++;
    }
    for (uint32_t i = 0; i < crowd->count.there; i++) {
        uint32_t index = crowd->order[i];
        AstarGoalField *field = field_of_chaser(crowd, index);
        if (field == NULL || (field->chasers < MANY_CHASERS && !is_near_target(crowd, index)))
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
        if (field->target_unit == 0 || field->chaser == ASTAR_NOBODY)
            continue;
        if (*work == 0)
            return ASTAR_RUNNING;
        AstarStatus status = lead_by_window(crowd, field, work);
        if (status != ASTAR_OK)
            return status;
    }
    return ASTAR_OK;
}

// ------------------------------------------------------------------------------------------------
// The functions below make the units of a crowd take the steps of plans, tick by tick.
//
// The steps of a plan are decided before all other units choose theirs. If a step is impossible, or
// another unit cannot leave a cell that it needs, the units of the plan stay where they are for
// this tick. Staying is always possible.
// ------------------------------------------------------------------------------------------------

// Number of successive ticks for which a plan waits for other units before it is cancelled.
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

// Returns true if all units of a plan can take its next step in this tick. The units have the same
// period, but they may have taken their last steps in different ticks.
static bool is_due(const AstarCrowd *crowd, const AstarResolving *plan)
{
    for (uint32_t i = 0; i < plan->count; i++) {
        const AstarMember *member = &crowd->members[plan->members[i]];
        if ((uint32_t)member->rested + 1 < member->period)
            return false;
    }
    return true;
}

// Decides where the units of a plan will be after this tick: in their next cells if the plan takes
// a step, otherwise in their present cells. Returns false if a unit cannot be there.
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
