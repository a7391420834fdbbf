// beat.c -- a beat: made ahead, in slices, and then all units step at once.
//
// A beat is made of what holds when it takes place: the map, the units, their orders. So what was
// made of it before any of that changed is forgotten, and it is the same however it was sliced.

#include "crowd/resolving.h"

#include <math.h>

// Ten tenths of a beat add up to a little less than one.
static const double BEAT_ROUNDING = 1e-9;

// Brings all kinds up to date; where one has changed, what was made of the beat is forgotten.
static AstarStatus update_kinds(AstarCrowd *crowd)
{
    AstarStatus status = ASTAR_OK;
    for (size_t i = 0; i < crowd->kind_count && status == ASTAR_OK; i++) {
        uint64_t before = crowd->kinds[i].version;
        status = astar_kind_update(&crowd->kinds[i]);
        if (status != ASTAR_OK || crowd->kinds[i].version != before)
            astar_crowd_disturb(crowd);
    }
    return status;
}

// Begins the turn with what is decided beforehand: who is held stays, or whose step does not end
// within the beat.
static void begin_deciding(AstarCrowd *crowd)
{
    AstarPibt *pibt = &crowd->pibt;
    astar_pibt_begin(pibt, crowd->turns, crowd->count.there,
                     crowd->options.seed * 31 + crowd->beat.count);
    for (uint32_t i = 0; i < crowd->count.there; i++) {
        uint32_t unit = crowd->turns[i];
        const AstarMember *member = &crowd->members[unit];
        if (member->plan == ASTAR_MEMBER_FREE &&
            (member->is_held || (crowd->glides != NULL && crowd->glides[unit].left >= ASTAR_BEAT)))
            astar_pibt_decide(pibt, unit, crowd->units[unit].cell);
    }
}

// The same, with plans as far as they can go on.
static void begin_turn(AstarCrowd *crowd)
{
    crowd->pibt.is_of_one_kind = crowd->kind_count == 1;
    crowd->pibt.prefers_free = crowd->count.covered * 4 < crowd->kinds[0].free_cells;
    astar_crowd_order_turns(crowd);
    begin_deciding(crowd);
    while (!astar_crowd_decide_plans(crowd)) {
        astar_pibt_forget(&crowd->pibt);
        begin_deciding(crowd);
    }
    crowd->beat.stage = ASTAR_BEAT_TURN;
}

// Units choose their steps. Where somebody cannot make way for a plan, all plans wait.
static AstarStatus make_turn(AstarCrowd *crowd, uint64_t *work)
{
    while (astar_pibt_step(&crowd->pibt, work) == ASTAR_OK) {
        if (astar_pibt_is_complete(&crowd->pibt) || !astar_crowd_pause_plans(crowd, true)) {
            crowd->beat.stage = ASTAR_BEAT_READY;
            return ASTAR_OK;
        }
        astar_pibt_forget(&crowd->pibt);
        begin_turn(crowd);
    }
    return ASTAR_RUNNING;
}

// Makes the beat, as far as the work goes; ASTAR_RUNNING where that is used up before.
static AstarStatus make_beat(AstarCrowd *crowd, uint64_t *work)
{
    AstarStatus status = update_kinds(crowd);
    uint64_t before = *work;
    if (status == ASTAR_OK && crowd->beat.stage == ASTAR_BEAT_NOT_BEGUN) {
        crowd->goals.quota = crowd->options.expansions;
        astar_crowd_pause_plans(crowd, false);
        crowd->beat.stage = ASTAR_BEAT_FIELDS;
    }
    if (status == ASTAR_OK && crowd->beat.stage == ASTAR_BEAT_FIELDS) {
        status = astar_crowd_settle_fields(crowd, work);
        if (status == ASTAR_OK)
            astar_crowd_begin_routes(crowd);
    }
    if (status == ASTAR_OK && crowd->beat.stage == ASTAR_BEAT_ROUTES) {
        status = astar_crowd_find_routes(crowd, work);
        if (status == ASTAR_OK)
            begin_turn(crowd);
    }
    if (status == ASTAR_OK && crowd->beat.stage == ASTAR_BEAT_TURN)
        status = make_turn(crowd, work);
    crowd->beat.worked += before - *work;
    return status;
}

AstarStatus astar_crowd_step(AstarCrowd *crowd, uint64_t expansions)
{
    uint64_t work = expansions > 0 ? expansions : 1;
    return make_beat(crowd, &work);
}

static void note_step(AstarCrowd *crowd, uint32_t index)
{
    const AstarPibtUnit *unit = &crowd->units[index];
    AstarMember *member = &crowd->members[index];
    member->from = unit->cell;
    member->came_by_link = unit->way == ASTAR_WAY_LINK;
    if (unit->way == ASTAR_WAY_STAY) {
        if (member->rested < ASTAR_MOST_RESTED)
            member->rested++;
        return;
    }
    member->rested = 0;
    if (unit->way < ASTAR_WAY_STAY)
        member->heading = (unit->way + 1u) & 15;
}

static void keep_turns(AstarCrowd *crowd)
{
    uint32_t *order = crowd->order;
    size_t capacity = crowd->capacity.order;
    crowd->order = crowd->turns;
    crowd->capacity.order = crowd->capacity.turns;
    crowd->turns = order;
    crowd->capacity.turns = capacity;
}

AstarStatus astar_crowd_beat(AstarCrowd *crowd)
{
    uint64_t work = UINT64_MAX;
    AstarStatus status = make_beat(crowd, &work);
    if (status != ASTAR_OK)
        return status;
    keep_turns(crowd);
    for (size_t i = 0; i < crowd->kind_count; i++)
        crowd->kinds[i].last_version = crowd->kinds[i].version;
    if (crowd->glides != NULL)
        astar_crowd_end_glides(crowd);
    for (uint32_t i = 0; i < crowd->count.numbers; i++)
        if (crowd->members[i].is_there)
            note_step(crowd, i);
    astar_pibt_move(&crowd->pibt);
    if (crowd->glides != NULL)
        astar_crowd_begin_glides(crowd);
    crowd->beat.count++;
    astar_crowd_commit_fields(crowd);
    crowd->beat.stage = ASTAR_BEAT_NOT_BEGUN;
    crowd->beat.last_work = crowd->beat.worked;
    crowd->beat.worked = 0;
    crowd->beat.phase = 1;
    crowd->beat.is_resumed = false;
    astar_crowd_follow_prey(crowd);
    astar_crowd_take_stock(crowd);
    astar_crowd_commit_routes(crowd);
    if (crowd->plans.first != NULL)
        astar_crowd_follow_plans(crowd);
    if (!crowd->options.leaves_knots && !astar_grid_has_links(crowd->grid))
        astar_crowd_untie_knots(crowd);
    return ASTAR_OK;
}

AstarStatus astar_crowd_update(AstarCrowd *crowd, double beats)
{
    double phase = crowd->beat.phase + beats;
    while (phase >= 1 - BEAT_ROUNDING) {
        AstarStatus status = astar_crowd_beat(crowd);
        if (status != ASTAR_OK)
            return status;
        phase = phase > 1 ? phase - 1 : 0;
    }
    crowd->beat.phase = phase;
    // As much as the last beat took is worked evenly, unless steps between have done so.
    bool is_ahead = (double)crowd->beat.worked > (double)crowd->beat.last_work * phase;
    if (beats <= 0 || crowd->beat.stage == ASTAR_BEAT_READY || is_ahead)
        return ASTAR_OK;
    double share = (double)crowd->beat.last_work * (beats < 1 ? beats : 1);
    AstarStatus status = astar_crowd_step(crowd, 1 + (uint64_t)share);
    return status == ASTAR_RUNNING ? ASTAR_OK : status;
}
