// resolving.c -- Plans for units of a crowd that block each other: the choice of the units that
// take part, and the job that makes a plan.

#include "parts/crowd/resolving.h"

#include "base/job_kind.h"
#include "parts/crowd/deadlocks.h"

AstarResolvingOptions astar_resolving_options_default(void)
{
    return (AstarResolvingOptions){.bytes = 256000000, .improve = 1 << 20, .side = -1};
}

// The functions below choose the units that take part in a plan.

bool astar_crowd_takes_part(const AstarCrowd *crowd, const AstarResolvingOptions *options,
                            uint32_t index)
{
    const AstarMember *member = &crowd->members[index];
    int x, y;
    if (!member->is_there || member->is_held)
        return false;
    astar_cell_xy(crowd->grid, crowd->units[index].cell, &x, &y);
    if (options->width > 0 && (x < options->x || x >= options->x + options->width ||
                               y < options->y || y >= options->y + options->height))
        return false;
    if (options->side >= 0 && crowd->sides != NULL && crowd->sides[index] != options->side)
        return false;
    return options->period == 0 ||
           ((uint32_t)options->period == member->period && member->plan == ASTAR_MEMBER_FREE &&
            astar_bits_get(crowd->kinds[crowd->units[index].kind].bits, x, y));
}

// Returns the number of the next unit that takes part in a plan, or ASTAR_NOBODY after the last
// one. '*at' is the position in the list of candidates, which the function advances.
static uint32_t next_member(const AstarCrowd *crowd, const AstarUnit *units, size_t count,
                            const AstarResolvingOptions *options, size_t *at)
{
    for (; *at < (units != NULL ? count : crowd->count.numbers); ++*at) {
        uint32_t index = units != NULL ? (uint32_t)units[*at] : (uint32_t)*at;
        if (units != NULL && !astar_crowd_has(crowd, units[*at]))
            continue;
        if (astar_crowd_takes_part(crowd, options, index)) {
            ++*at;
            return index;
        }
    }
    return ASTAR_NOBODY;
}

const char *astar_crowd_resolving_refusal(const AstarCrowd *crowd, const AstarUnit *units,
                                          size_t count, const AstarResolvingOptions *options)
{
    AstarResolvingOptions chosen = options != NULL ? *options : astar_resolving_options_default();
    uint32_t period = 0;
    if (astar_grid_has_links(crowd->grid))
        return "links";
    size_t at = 0;
    for (uint32_t index;
         (index = next_member(crowd, units, count, &chosen, &at)) != ASTAR_NOBODY;) {
        if (astar_unit_area(crowd, index) > 1 && chosen.period == 0)
            return "units larger than a cell";
        if (period != 0 && crowd->members[index].period != period)
            return "units of several periods";
        period = crowd->members[index].period;
    }
    return NULL;
}

// The functions below free plans and remove them from the crowd.

static void free_arrays(AstarResolving *resolving)
{
    uint64_t work = UINT64_MAX;
    astar_plan_making_clear(resolving, &work);
    astar_room_free(&resolving->making.room);
    astar_pile_drop(&resolving->kept);
}

void astar_resolving_release(AstarResolving *resolving)
{
    if (resolving == NULL || --resolving->references > 0)
        return;
    AstarAllocator allocator = resolving->bytes.from;
    free_arrays(resolving);
    astar_release(&allocator, resolving, 1, sizeof *resolving);
}

void astar_resolving_leave(AstarResolving *resolving, AstarStatus status)
{
    AstarCrowd *crowd = resolving->crowd;
    AstarResolving **place = &crowd->plans.first;
    while (*place != resolving)
        place = &(*place)->next;
    *place = resolving->next;
    astar_crowd_disturb(crowd);
    for (uint32_t i = 0; i < resolving->count; i++)
        crowd->members[resolving->members[i]].plan = ASTAR_MEMBER_FREE;
    free_arrays(resolving);
    resolving->crowd = NULL;
    resolving->status = status;
    resolving->stage = ASTAR_RESOLVING_OVER;
    astar_resolving_release(resolving);
}

void astar_crowd_drop_plans(AstarCrowd *crowd)
{
    while (crowd->plans.first != NULL)
        astar_resolving_leave(crowd->plans.first, ASTAR_CANCELLED);
}

void astar_crowd_drop_plan(AstarCrowd *crowd, uint32_t unit)
{
    AstarResolving *next;
    if (crowd->members[unit].plan == ASTAR_MEMBER_FREE)
        return;
    for (AstarResolving *resolving = crowd->plans.first; resolving != NULL; resolving = next) {
        next = resolving->next;
        for (uint32_t i = 0; i < resolving->count; i++)
            if (resolving->members[i] == unit) {
                astar_resolving_leave(resolving, ASTAR_CANCELLED);
                break;
            }
    }
}

void astar_resolving_cancel(AstarResolving *resolving)
{
    if (resolving->crowd != NULL && resolving->status == ASTAR_RUNNING)
        astar_resolving_leave(resolving, ASTAR_CANCELLED);
}

// The functions below start the job that makes a plan.

static AstarStatus take_making_arrays(AstarResolving *resolving)
{
    AstarPlanMaking *making = &resolving->making;
    size_t count = resolving->asked;
    making->pile.bytes = &resolving->bytes;
    making->units = astar_pile_take(&making->pile, count, sizeof *making->units);
    making->fields = astar_pile_take(&making->pile, count, sizeof *making->fields);
    making->groups = astar_pile_take(&making->pile, count, sizeof *making->groups);
    making->places = astar_pile_take(&making->pile, count, sizeof *making->places);
    making->group_list = astar_pile_take(&making->pile, count, sizeof *making->group_list);
    return astar_pile_status(&making->pile);
}

// Lists all units that take part in a plan. A unit that occurs twice in 'units' is listed twice.
static AstarStatus list_members(AstarResolving *resolving, const AstarUnit *units, size_t count,
                                const AstarResolvingOptions *options)
{
    size_t at = 0;
    while (next_member(resolving->crowd, units, count, options, &at) != ASTAR_NOBODY)
        resolving->asked++;
    resolving->members = astar_pile_take(&resolving->kept, resolving->asked,
                                         sizeof *resolving->members);
    at = 0;
    for (uint32_t i = 0; i < resolving->asked && resolving->members != NULL; i++)
        resolving->members[i] = next_member(resolving->crowd, units, count, options, &at);
    return astar_pile_status(&resolving->kept);
}

// Adds the data of all finders that the units of a plan have to the room of the plan, and places
// each unit on its cells in the room.
static AstarStatus admit_members(AstarResolving *resolving)
{
    AstarCrowd *crowd = resolving->crowd;
    AstarRoom *room = &resolving->making.room;
    for (uint32_t i = 0; i < resolving->asked; i++) {
        uint32_t index = resolving->members[i], cell = crowd->units[index].cell;
        uint16_t kind = crowd->units[index].kind;
        AstarStatus status = astar_kind_update(&crowd->kinds[kind]);
        if (status == ASTAR_OK)
            status = astar_room_open(room, kind, &crowd->kinds[kind]);
        if (status != ASTAR_OK)
            return status;
        if (room->places[cell].now != ASTAR_NOBODY)
            continue;
        room->places[cell].now = resolving->count;
        resolving->members[resolving->count++] = index;
    }
    return ASTAR_OK;
}

// Blocks the cells of all units in the room that do not take part in the plan.
static void fill_room(AstarResolving *resolving)
{
    const AstarCrowd *crowd = resolving->crowd;
    AstarRoom *room = &resolving->making.room;
    for (uint32_t i = 0; i < crowd->count.there; i++) {
        const AstarPibtUnit *unit = &crowd->units[crowd->order[i]];
        uint32_t member = room->places[unit->cell].now;
        if (member >= resolving->count || resolving->members[member] != crowd->order[i])
            astar_room_fill(room, unit->cell, astar_kind_size(&crowd->kinds[unit->kind]));
    }
}

// Forms groups of the units of a plan that have the same goal and size. The goal becomes a place of
// its group, unless another group has taken some of its cells.
static void form_groups(AstarResolving *resolving)
{
    const AstarCrowd *crowd = resolving->crowd;
    AstarPlanMaking *making = &resolving->making;
    for (uint32_t i = 0; i < resolving->count; i++) {
        const AstarPibtUnit *unit = &crowd->units[resolving->members[i]];
        making->units[i] = (AstarPibtUnit){
            .cell = unit->cell, .next = ASTAR_NOWHERE, .kind = unit->kind};
        making->places[i] = ASTAR_NOWHERE;
        if (unit->field == NULL)
            continue;
        uint32_t goal = unit->field->goal, group = making->room.groups[goal] - 1;
        int size = astar_kind_size(&crowd->kinds[unit->kind]);
        if (group >= making->group_count || making->group_list[group].unit_size != size) {
            group = making->group_count++;
            int covers = astar_room_has(&making->room, unit->kind, goal) ? size : 1;
            bool has_goal = !astar_room_take(&making->room, goal, covers, group + 1);
            making->group_list[group] = (AstarPlaceGroup){0, astar_aim_of_field(unit->field), size,
                                                          has_goal};
        }
        making->groups[i] = group + 1;
        AstarPlaceGroup *joined = &making->group_list[group];
        joined->size++;
        if (unit->field->range < joined->aim.range)
            joined->aim = astar_aim_of_field(unit->field);
    }
}

static AstarStatus fill_resolving(AstarResolving *resolving, const AstarUnit *units, size_t count,
                                  const AstarResolvingOptions *options)
{
    const AstarCrowd *crowd = resolving->crowd;
    bool has_window = options->width > 0;
    int margin = 2; // large units look farther ahead for units that come towards them, see pibt.c
    for (size_t i = 0; i < crowd->kind_count && crowd->pibt.has_sizes; i++)
        margin = astar_greater(margin, 8 * astar_kind_size(&crowd->kinds[i]));
    AstarStatus status = list_members(resolving, units, count, options);
    if (status == ASTAR_OK)
        status = take_making_arrays(resolving);
    if (status == ASTAR_OK)
        status = astar_room_new(&resolving->making.room, &resolving->bytes, crowd->grid,
                                crowd->kind_count, has_window ? options->x : 0,
                                has_window ? options->y : 0,
                                has_window ? options->width : crowd->grid->width,
                                has_window ? options->height : crowd->grid->height, margin);
    if (status == ASTAR_OK)
        status = admit_members(resolving);
    if (status != ASTAR_OK)
        return status;
    fill_room(resolving);
    form_groups(resolving);
    return astar_room_note_moves(&resolving->making.room);
}

// Adds a plan to the crowd's list. Cancels other plans of the same units.
static void enter_crowd(AstarResolving *resolving)
{
    AstarCrowd *crowd = resolving->crowd;
    for (uint32_t i = 0; i < resolving->count; i++)
        astar_crowd_drop_plan(crowd, resolving->members[i]);
    for (uint32_t i = 0; i < resolving->count; i++)
        crowd->members[resolving->members[i]].plan = ASTAR_MEMBER_PLANS;
    astar_crowd_disturb(crowd);
    resolving->next = crowd->plans.first;
    crowd->plans.first = resolving;
    resolving->references++;
}

AstarStatus astar_crowd_resolving(AstarCrowd *crowd, const AstarUnit *units, size_t count,
                                  const AstarResolvingOptions *options, AstarResolving **out)
{
    AstarResolvingOptions chosen = options != NULL ? *options : astar_resolving_options_default();
    if (chosen.width != 0 &&
        !astar_grid_has_rectangle(crowd->grid, chosen.x, chosen.y, chosen.width, chosen.height))
        return ASTAR_BAD_CELL;
    if (astar_crowd_resolving_refusal(crowd, units, count, &chosen) != NULL)
        return ASTAR_BAD_OPTION;
    AstarResolving *resolving = astar_alloc(&crowd->allocator, 1, sizeof *resolving);
    if (resolving == NULL)
        return ASTAR_NO_MEMORY;
    resolving->references = 1;
    resolving->crowd = crowd;
    resolving->status = ASTAR_RUNNING;
    resolving->bytes = (AstarBytes){.from = crowd->allocator, .most = chosen.bytes};
    resolving->kept.bytes = &resolving->bytes;
    resolving->improve = chosen.improve;
    resolving->lets_down = chosen.period > 0;
    AstarStatus status = fill_resolving(resolving, units, count, &chosen);
    if (status != ASTAR_OK) {
        astar_resolving_release(resolving);
        return status;
    }
    enter_crowd(resolving);
    *out = resolving;
    return ASTAR_OK;
}

// The functions below run the job and make units follow its plan.

// Makes the units of the crowd follow the plan that the job has computed.
static void hand_over(AstarResolving *resolving)
{
    AstarCrowd *crowd = resolving->crowd;
    astar_room_free(&resolving->making.room);
    resolving->stage = ASTAR_RESOLVING_OVER;
    resolving->status = ASTAR_OK;
    astar_crowd_disturb(crowd);
    for (uint32_t i = 0; i < resolving->count; i++)
        crowd->members[resolving->members[i]].plan = ASTAR_MEMBER_FOLLOWS;
    if (resolving->plan.steps == 0)
        astar_resolving_leave(resolving, ASTAR_OK);
}

static AstarStatus end_resolving(AstarResolving *resolving, uint64_t *work)
{
    if (!astar_plan_making_clear(resolving, work))
        return ASTAR_RUNNING;
    // The search has found no plan. If cells have become walkable since it started, a plan may
    // exist now.
    if (resolving->outcome == ASTAR_UNSOLVABLE && resolving->making.room.has_opened)
        resolving->outcome = ASTAR_GRID_CHANGED;
    if (resolving->outcome == ASTAR_OK)
        hand_over(resolving);
    else
        astar_resolving_leave(resolving, resolving->outcome);
    return ASTAR_OK;
}

static AstarStatus go_on_resolving(AstarResolving *resolving, uint64_t *work)
{
    return resolving->stage == ASTAR_RESOLVING_CLEAR ? end_resolving(resolving, work)
                                                     : astar_resolving_work(resolving, work);
}

// Number of work units that a failed job may use, beyond its budget, in the call in which it fails.
// Most failures are therefore reported in that call and not in a later one.
enum { CLEARED_AT_ONCE = 1 << 13 };

static bool has_failed(AstarStatus status)
{
    return status != ASTAR_OK && status != ASTAR_RUNNING && status != ASTAR_NO_MEMORY;
}

AstarStatus astar_resolving_step(AstarResolving *resolving, uint64_t expansions)
{
    uint64_t work = expansions > 0 ? expansions : 1;
    if (resolving->status != ASTAR_RUNNING)
        return resolving->status;
    if (resolving->count == 0)
        astar_resolving_leave(resolving, ASTAR_OK);
    AstarStatus status = ASTAR_OK;
    if (resolving->status == ASTAR_RUNNING)
        status = astar_room_update(&resolving->making.room);
    while ((status == ASTAR_OK || has_failed(status)) && resolving->status == ASTAR_RUNNING) {
        if (has_failed(status) && resolving->stage != ASTAR_RESOLVING_CLEAR)
            work = work > CLEARED_AT_ONCE ? work : CLEARED_AT_ONCE;
        if (has_failed(status))
            astar_resolving_end_making(resolving, status);
        status = go_on_resolving(resolving, &work);
    }
    return status == ASTAR_NO_MEMORY ? status : resolving->status;
}

bool astar_resolving_follow(AstarResolving *resolving)
{
    uint64_t work = UINT64_MAX;
    bool can = resolving->status == ASTAR_RUNNING && resolving->has_plan &&
               !(resolving->stage == ASTAR_RESOLVING_CLEAR && resolving->outcome != ASTAR_OK);
    if (can && resolving->stage == ASTAR_RESOLVING_IMPROVE)
        astar_resolving_end_improving(resolving);
    resolving->making.is_improved |= can;
    while (can && resolving->status == ASTAR_RUNNING)
        go_on_resolving(resolving, &work);
    return resolving->status == ASTAR_OK;
}

AstarResolvingFacts astar_resolving_facts(const AstarResolving *resolving)
{
    AstarResolvingFacts facts = {.status = resolving->status,
                                 .units = resolving->count,
                                 .expanded = resolving->expanded,
                                 .bytes = resolving->bytes.used,
                                 .has_plan = resolving->has_plan,
                                 .is_followed = resolving->crowd != NULL &&
                                                resolving->status == ASTAR_OK};
    if (resolving->has_plan) {
        facts.beats = resolving->plan.steps;
        facts.left = facts.is_followed ? resolving->plan.steps - resolving->step : 0;
        facts.cost = resolving->cost;
    }
    return facts;
}

// ------------------------------------------------------------------------------------------------
// The functions and the table (AstarJobKind) by which other code runs this job.
// ------------------------------------------------------------------------------------------------

ASTAR_JOB_STEPS(step_resolving_job, astar_resolving_step(job, expansions))
ASTAR_JOB_TELLS(AstarStatus, status_of_resolving_job, astar_resolving_facts(job).status)
ASTAR_JOB_TELLS(uint64_t, expanded_of_resolving_job, astar_resolving_facts(job).expanded)
ASTAR_JOB_TELLS(size_t, bytes_of_resolving_job, astar_resolving_facts(job).bytes)
ASTAR_JOB_CLOSES(close_resolving_job, astar_resolving_cancel(job); astar_resolving_release(job))

const AstarJobKind astar_resolving_job = {"resolving",
                                          step_resolving_job,
                                          status_of_resolving_job,
                                          expanded_of_resolving_job,
                                          bytes_of_resolving_job,
                                          close_resolving_job};
