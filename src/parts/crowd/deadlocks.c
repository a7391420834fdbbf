// deadlocks.c -- plans for units in a gridlock, which the crowd makes without a request from the
// program, and the stages in which any plan is made.
//
// In a tick, every unit takes the step that is best at that moment. Units may therefore block each
// other, or move around each other, for ever. A plan is made for all units in a window around a
// unit that has come no nearer to its goal for a long time: longer than units in a queue would
// wait, given the number of units around. Held units are obstacles. If the plan did not help, the
// window of the next plan is twice as wide, and the unit must wait twice as long for that plan.
// After three plans, further attempts are rare.
//
// No plan is made if some unit in the window cannot take part because it steps in another period.
// Such a unit would block the plan. No plan is made either while a unit in the window makes
// progress, as in a queue in front of a door. When such plans were made immediately, 200 units took
// twice as long to pass a door as without plans.
//
// One plan is made at a time, right after each tick, with the same amount of work per tick. The
// result of a tick therefore does not depend on how its work was divided.

#include "parts/crowd/deadlocks.h"

#include "parts/crowd/beat.h"
#include "parts/crowd/pibt.h"
#include "parts/crowd/resolving.h"

#include <string.h>

enum {
    FIRST_WINDOW = 6, // number of cells by which the first window extends to each side of the unit
    MOST_TRIES = 3,   // number of plans that a unit may get before further attempts become rare
    // LOOK_EVERY: number of ticks between examinations of a unit without progress. RETRY_EVERY:
    // number of ticks between the examinations after MOST_TRIES plans.
    LOOK_EVERY = 8,
    RETRY_EVERY = 1024,
    // Number of ticks, to which one tick is added for each unit in the window. Units that have made
    // progress within this time are only queueing.
    QUEUE_BEATS = 16,
    // A unit that has waited 2 ^ LATE times as long as is necessary for a plan gets the plan even
    // if other units make progress.
    LATE = 3,
    DEADLOCK_SHARE = 16, // a tick may spend 1 / DEADLOCK_SHARE of its expansions on plans
    // Upper bound of the expansions that a tick spends on plans. A limit is needed because plans,
    // unlike distances, can always use more work.
    DEADLOCK_WORK = 1 << 14,
    DEADLOCK_BEATS = 64, // greatest number of ticks in which one plan is worked on
    DEADLOCK_BYTES = 64000000
};

// Returns true if a unit has waited so long that a plan should be made for it. The other units
// around it are examined later, by is_deadlock. Most units are rejected quickly, because only the
// last check counts the units around the unit.
static bool is_deadlocked(const AstarCrowd *crowd, uint32_t index)
{
    const AstarMember *member = &crowd->members[index];
    const AstarPibtUnit *unit = &crowd->units[index];
    if (member->stalled % LOOK_EVERY != 0 || member->stalled == 0 || unit->field == NULL ||
        member->has_arrived || member->is_held || member->plan != ASTAR_MEMBER_FREE ||
        astar_crowd_has_no_way(crowd, index))
        return false;
    if (member->tries > MOST_TRIES - 1)
        return member->stalled % RETRY_EVERY == 0;
    return astar_crowd_is_stuck(crowd, index, member->tries);
}

// Returns the number of a unit's own ticks since it last came nearer to its goal. Returns
// UINT32_MAX if the unit need not move.
static uint32_t beats_without_progress(const AstarCrowd *crowd, uint32_t index)
{
    const AstarMember *member = &crowd->members[index];
    const AstarGoalField *field = crowd->units[index].field;
    if (field == NULL || member->has_arrived || (field->target_unit != 0 && member->rested > 0))
        return UINT32_MAX;
    return field->target_unit != 0 ? 0 : (uint32_t)(member->stalled / member->period);
}

// Returns true if the units of a window are in a gridlock. Each of them must be able to take part
// in the plan, or be held, or belong to another side and not have moved for a while. In addition,
// none of the units that take part may have made progress recently. Otherwise the units are only
// queueing, and a plan would stop the queue. The time that is regarded as recent grows with the
// number of units, because in a long queue each unit makes progress only rarely. If 'is_late' is
// true, progress is ignored.
static bool is_deadlock(const AstarCrowd *crowd, const AstarResolvingOptions *options, bool is_late)
{
    uint32_t count = 0, least = UINT32_MAX;
    AstarCellArea area = {astar_cell(crowd->grid, options->x, options->y), options->width,
                          options->height};
    int at = 0;
    for (uint32_t who;
         (who = astar_next_in_area(&crowd->pibt, &area, ASTAR_NOBODY, &at)) != ASTAR_NOBODY;) {
        if (crowd->members[who].is_held ||
            (options->side >= 0 && crowd->sides[who] != options->side &&
             crowd->members[who].rested >= LOOK_EVERY * crowd->members[who].period))
            continue;
        if (!astar_crowd_takes_part(crowd, options, who))
            return false;
        uint32_t beats = beats_without_progress(crowd, who);
        least = beats < least ? beats : least;
        count++;
    }
    return is_late || least >= QUEUE_BEATS + count;
}

// Starts a plan for all units in a window around the unit 'index', if they are in a gridlock.
static void begin_deadlock(AstarCrowd *crowd, uint32_t index, uint64_t work)
{
    uint32_t tries = crowd->members[index].tries;
    AstarCellBox box = astar_cells_about(crowd->grid, crowd->units[index].cell, 1,
                                         FIRST_WINDOW << tries);
    AstarResolvingOptions options = {.bytes = DEADLOCK_BYTES,
                                     .improve = work,
                                     .x = box.x0,
                                     .y = box.y0,
                                     .width = box.x1 - box.x0 + 1,
                                     .height = box.y1 - box.y0 + 1,
                                     .period = (int)crowd->members[index].period,
                                     .side = crowd->sides != NULL ? crowd->sides[index] : -1};
    if (!is_deadlock(crowd, &options, astar_crowd_is_stuck(crowd, index, tries + LATE)) ||
        astar_crowd_resolving(crowd, NULL, 0, &options, &crowd->plans.deadlock) != ASTAR_OK)
        return;
    crowd->plans.deadlock_beats = 0;
    tries += tries < MOST_TRIES;
    for (uint32_t i = 0; i < crowd->plans.deadlock->count; i++)
        crowd->members[crowd->plans.deadlock->members[i]].tries = tries & MOST_TRIES;
}

void astar_crowd_resolve_deadlocks(AstarCrowd *crowd)
{
    uint64_t share = crowd->options.expansions / DEADLOCK_SHARE;
    uint64_t work = (share < DEADLOCK_WORK ? share : DEADLOCK_WORK) >> 2 * crowd->pibt.has_sizes;
    for (uint32_t i = 0; i < crowd->count.there && crowd->plans.deadlock == NULL; i++)
        if (is_deadlocked(crowd, crowd->order[i]))
            begin_deadlock(crowd, crowd->order[i], work);
    if (crowd->plans.deadlock == NULL)
        return;
    AstarStatus status = astar_resolving_step(crowd->plans.deadlock, work);
    if (status == ASTAR_RUNNING && ++crowd->plans.deadlock_beats < DEADLOCK_BEATS)
        return;
    astar_resolving_cancel(crowd->plans.deadlock);
    astar_resolving_release(crowd->plans.deadlock);
    crowd->plans.deadlock = NULL;
}

// ------------------------------------------------------------------------------------------------
// The functions below run the stages in which a plan is made: finding places for the units,
// computing distances, searching, and improving the plan.
// ------------------------------------------------------------------------------------------------

enum {
    MEMBERS_A_WORK = 8, // number of units of a plan that are examined for one work unit
    STEPS_A_WORK = 16,  // number of steps that are examined for one work unit
    WORK_A_FIELD = 16   // number of work units for freeing the distances of one unit of the plan
};

static void spend_on(uint64_t *work, uint64_t looks, uint64_t looks_a_work)
{
    uint64_t worth = looks / looks_a_work;
    *work -= worth < *work ? worth : *work;
}

// The functions below free the data with which a plan was made.

// Frees the distances of all units of a plan. The distances of the last unit are freed first, see
// bytes.c. Returns false if '*work' is used up first.
static bool clear_fields(AstarResolving *resolving, uint64_t *work)
{
    AstarPlanMaking *making = &resolving->making;
    AstarBytes *bytes = &resolving->bytes;
    for (; making->fields != NULL && making->cleared < resolving->asked; making->cleared++) {
        AstarDistances *distances = &making->fields[resolving->asked - 1 - making->cleared].now;
        if (*work == 0)
            return false;
        *work -= *work < WORK_A_FIELD ? *work : WORK_A_FIELD;
        bytes->used -= distances->bytes;
        astar_distances_free(distances, &bytes->from);
    }
    return true;
}

bool astar_plan_making_clear(AstarResolving *resolving, uint64_t *work)
{
    AstarPlanMaking *making = &resolving->making;
    if (!astar_pile_clear(&making->replan.pile, work) ||
        !astar_pile_clear(&making->lacam.pile, work) || !clear_fields(resolving, work) ||
        !astar_pile_clear(&making->pile, work))
        return false;
    *making = (AstarPlanMaking){.room = making->room};
    return true;
}

void astar_resolving_end_making(AstarResolving *resolving, AstarStatus outcome)
{
    if (resolving->stage != ASTAR_RESOLVING_CLEAR || resolving->outcome == ASTAR_OK)
        resolving->outcome = outcome;
    resolving->stage = ASTAR_RESOLVING_CLEAR;
}

// The functions below find the places where the units of a plan are to end.

static bool is_in_room(const AstarResolving *resolving, uint32_t member, uint32_t cell)
{
    const AstarPlanMaking *making = &resolving->making;
    return astar_room_has(&making->room, making->units[member].kind, cell);
}

// Returns the unit of a plan that is nearest to its goal. Only units are compared that have no
// place yet and have the same goal and finder as the unit 'first'.
static uint32_t nearest_member(const AstarResolving *resolving, uint32_t first)
{
    const AstarPlanMaking *making = &resolving->making;
    uint32_t nearest = first, least = UINT32_MAX;
    for (uint32_t i = first; i < resolving->count; i++) {
        if (making->groups[i] != making->groups[first] || making->places[i] != ASTAR_NOWHERE ||
            making->units[i].kind != making->units[first].kind)
            continue;
        uint32_t distance = astar_room_distance(&making->room, making->units[i].cell);
        if (distance < least) {
            least = distance;
            nearest = i;
        }
    }
    return nearest;
}

// Finds a place for a unit of a plan. If another unit with the same goal is nearer to the goal,
// that unit gets the place first.
static AstarStatus find_member_place(AstarResolving *resolving, uint32_t member, uint64_t *work)
{
    AstarPlanMaking *making = &resolving->making;
    AstarPlaceGroup *group = &making->group_list[making->groups[member] - 1];
    uint32_t kind = making->units[member].kind;
    if (group->size == 1 && group->aim.range == 0 && !group->has_goal &&
        is_in_room(resolving, member, group->aim.cell)) {
        making->places[member] = group->aim.cell;
        return ASTAR_OK;
    }
    AstarStatus status = astar_room_flood(&making->room, group->aim, kind, work);
    if (status != ASTAR_OK)
        return status;
    uint32_t chosen = nearest_member(resolving, member);
    spend_on(work, resolving->count - member, MEMBERS_A_WORK);
    status = astar_room_find_place(&making->room, &making->units[chosen], making->groups[chosen],
                                   !group->has_goal, work, &making->places[chosen]);
    if (status == ASTAR_UNSOLVABLE && resolving->lets_down) {
        making->groups[chosen] = 0;
        return ASTAR_OK;
    }
    if (status == ASTAR_OK)
        group->has_goal |= making->places[chosen] == group->aim.cell;
    return status;
}

static AstarStatus find_places(AstarResolving *resolving, uint64_t *work)
{
    AstarPlanMaking *making = &resolving->making;
    while (making->at < resolving->count) {
        uint32_t member = making->at;
        if (*work == 0)
            return ASTAR_RUNNING;
        if (!is_in_room(resolving, member, making->units[member].cell))
            return ASTAR_START_BLOCKED;
        if (making->groups[member] == 0 || making->places[member] != ASTAR_NOWHERE) {
            making->at++;
            continue;
        }
        AstarStatus status = find_member_place(resolving, member, work);
        if (status != ASTAR_OK)
            return status;
        *work -= *work > 0;
    }
    making->at = 0;
    resolving->stage = ASTAR_RESOLVING_FIELDS;
    return ASTAR_OK;
}

// The functions below compute the distances to the places of the units.

static AstarStatus build_field(AstarResolving *resolving, uint32_t member, uint64_t *work)
{
    AstarPlanMaking *making = &resolving->making;
    AstarGoalField *field = &making->fields[member];
    AstarStatus status = astar_room_build(&making->room, making->places[member],
                                          making->units[member].kind, work, &field->now);
    if (status != ASTAR_OK)
        return status;
    field->goal = making->places[member];
    field->size = (uint16_t)astar_kind_size(&making->room.kinds[making->units[member].kind]);
    field->goal_size = 1;
    field->kind = making->units[member].kind;
    making->units[member].field = field;
    resolving->bytes.used += field->now.bytes;
    if (resolving->bytes.used > resolving->bytes.most)
        return ASTAR_OUT_OF_BYTES;
    // Checks that the unit could reach its place if no other unit blocked its route.
    if (astar_goal_field_value(making->room.grid, &making->fields[member],
                               making->units[member].cell) != ASTAR_NO_VALUE)
        return ASTAR_OK;
    making->groups[member] = 0;
    making->units[member].field = NULL;
    return resolving->lets_down ? ASTAR_OK : ASTAR_UNSOLVABLE;
}

static AstarStatus begin_search(AstarResolving *resolving)
{
    AstarPlanMaking *making = &resolving->making;
    AstarRoom *room = &making->room;
    uint64_t cells = 0;
    for (size_t i = 0; i < room->more[making->units[0].kind].bits.count; i++)
        cells += astar_count_bits(room->more[making->units[0].kind].bits.words[i]);
    AstarPibt pibt = {.grid = room->grid,
                      .kinds = room->kinds,
                      .units = making->units,
                      .places = room->places,
                      .has_sizes = resolving->crowd->pibt.has_sizes,
                      .is_exclusive = resolving->crowd->options.is_exclusive,
                      .takes_steps_in_turn = resolving->crowd->options.is_exclusive,
                      .is_of_one_kind = room->kind_count == 1,
                      .prefers_free = (uint64_t)resolving->count * 4 < cells};
    AstarStatus status = astar_lacam_begin(&making->lacam, &resolving->bytes, &pibt,
                                           resolving->count, room->groups, making->groups);
    if (status == ASTAR_OK)
        resolving->stage = ASTAR_RESOLVING_SEARCH;
    return status;
}

static AstarStatus build_fields(AstarResolving *resolving, uint64_t *work)
{
    AstarPlanMaking *making = &resolving->making;
    for (; making->at < resolving->count; making->at++) {
        if (making->places[making->at] == ASTAR_NOWHERE)
            continue;
        if (*work == 0)
            return ASTAR_RUNNING;
        AstarStatus status = build_field(resolving, making->at, work);
        if (status != ASTAR_OK)
            return status;
    }
    return begin_search(resolving);
}

// The functions below search for a plan, read it from the search, and improve it.

static AstarStatus search_plan(AstarResolving *resolving, uint64_t *work)
{
    AstarPlanMaking *making = &resolving->making;
    AstarPlan *plan = &resolving->plan;
    AstarStatus status = astar_lacam_step(&making->lacam, work);
    resolving->expanded = making->lacam.turns;
    if (status != ASTAR_OK)
        return status;
    making->read = making->lacam.found;
    making->at = 0;
    *plan = (AstarPlan){NULL, resolving->count, making->read->depth, making->read->depth};
    plan->cells = astar_pile_take(&resolving->kept, ((size_t)plan->room + 1) * plan->count,
                                  sizeof *plan->cells);
    status = astar_pile_status(&resolving->kept);
    if (status == ASTAR_OK)
        resolving->stage = ASTAR_RESOLVING_READ;
    return status;
}

// Starts the improvement of a plan. A plan is not improved if its units are exclusive or larger
// than a cell.
static AstarStatus begin_improving(AstarResolving *resolving)
{
    AstarPlanMaking *making = &resolving->making;
    bool can = resolving->improve > 0 && resolving->count <= ASTAR_REPLAN_MOST_UNITS &&
               !resolving->crowd->options.is_exclusive && !resolving->crowd->pibt.has_sizes &&
               resolving->plan.steps > 0;
    AstarStatus status = ASTAR_OUT_OF_BYTES;
    if (can)
        status = astar_replan_begin(&making->replan, &resolving->bytes, &resolving->plan,
                                    &making->room, making->fields, making->groups);
    if (status == ASTAR_OK)
        resolving->stage = ASTAR_RESOLVING_IMPROVE;
    else if (status == ASTAR_OUT_OF_BYTES)
        astar_resolving_end_making(resolving, ASTAR_OK);
    return status == ASTAR_NO_MEMORY ? status : ASTAR_OK;
}

// Copies the plan from the result of the search, some units at a time. The last configuration is
// copied first.
static AstarStatus read_plan(AstarResolving *resolving, uint64_t *work)
{
    AstarPlanMaking *making = &resolving->making;
    const AstarPlan *plan = &resolving->plan;
    while (making->read != NULL) {
        uint32_t depth = making->read->depth;
        uint32_t beats = making->read->parent != NULL ? depth - making->read->parent->depth : 1;
        for (; making->at < plan->count; making->at++) {
            if (making->at % MEMBERS_A_WORK == 0 && *work == 0)
                return ASTAR_RUNNING;
            *work -= making->at % MEMBERS_A_WORK == 0;
            uint32_t *way = astar_plan_way(plan, making->at) + depth;
            way[0] = making->read->cells[making->at];
            for (uint32_t i = 1; i < beats; i++)
                way[-(ptrdiff_t)i] = astar_lacam_cell_before(&making->lacam, making->read,
                                                             making->at, i);
        }
        making->at = 0;
        making->read = making->read->parent;
    }
    if (!astar_pile_clear(&making->lacam.pile, work))
        return ASTAR_RUNNING;
    resolving->stage = ASTAR_RESOLVING_SUM;
    return ASTAR_OK;
}

// Returns the number of the last step in which a unit of a plan moves.
static uint32_t last_change(const AstarResolving *resolving, uint32_t member)
{
    const uint32_t *way = astar_plan_way(&resolving->plan, member);
    uint32_t step = resolving->plan.steps;
    while (step > 0 && way[step] == way[step - 1])
        step--;
    return step;
}

// Computes the cost of the plan, and removes the steps at its end in which no unit moves.
static AstarStatus sum_plan(AstarResolving *resolving, uint64_t *work)
{
    AstarPlanMaking *making = &resolving->making;
    AstarPlan *plan = &resolving->plan;
    for (; making->at < resolving->count; making->at++) {
        if (*work == 0)
            return ASTAR_RUNNING;
        uint32_t last = last_change(resolving, making->at);
        uint32_t arrival = astar_plan_arrival(plan, making->room.groups, making->at,
                                              making->groups[making->at]);
        making->sum += arrival;
        making->last = last > making->last ? last : making->last;
        --*work;
        spend_on(work, 2 * plan->steps - last - arrival, STEPS_A_WORK);
    }
    plan->steps = making->last;
    resolving->cost = making->sum;
    resolving->has_plan = true;
    if (!making->is_improved)
        return begin_improving(resolving);
    astar_resolving_end_making(resolving, ASTAR_OK);
    return ASTAR_OK;
}

void astar_resolving_end_improving(AstarResolving *resolving)
{
    resolving->making.at = resolving->making.last = 0;
    resolving->making.sum = 0;
    resolving->making.is_improved = true;
    resolving->stage = ASTAR_RESOLVING_SUM;
}

static AstarStatus improve_plan(AstarResolving *resolving, uint64_t *work)
{
    AstarReplan *replan = &resolving->making.replan;
    uint64_t slice = *work < resolving->improve ? *work : resolving->improve, left = slice;
    AstarStatus status = astar_replan_step(replan, &left);
    *work -= slice - left;
    resolving->improve -= slice - left;
    resolving->cost = resolving->making.sum - replan->gained;
    if (status == ASTAR_NO_MEMORY || (status == ASTAR_RUNNING && resolving->improve > 0))
        return status;
    astar_resolving_end_improving(resolving);
    return ASTAR_OK;
}

// Runs the stage that a plan has reached.

AstarStatus astar_resolving_work(AstarResolving *resolving, uint64_t *work)
{
    switch (resolving->stage) {
    case ASTAR_RESOLVING_PLACES: return find_places(resolving, work);
    case ASTAR_RESOLVING_FIELDS: return build_fields(resolving, work);
    case ASTAR_RESOLVING_SEARCH: return search_plan(resolving, work);
    case ASTAR_RESOLVING_READ: return read_plan(resolving, work);
    case ASTAR_RESOLVING_SUM: return sum_plan(resolving, work);
    default: return improve_plan(resolving, work);
    }
}
