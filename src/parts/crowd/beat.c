// beat.c -- A tick of a crowd. A tick can be computed ahead in several steps. When it takes place,
// all units step together.
//
// A tick depends on the map, the units and their orders at the moment when it takes place.
// Therefore the part of a tick that was computed ahead is discarded when any of these changes. The
// result does not depend on how the work was divided.

#include "parts/crowd/beat.h"

#include "parts/crowd/crowd.h"
#include "parts/crowd/deadlocks.h"
#include "parts/crowd/glides.h"
#include "parts/crowd/goal_fields.h"
#include "parts/crowd/orders.h"
#include "parts/crowd/own_routes.h"
#include "parts/crowd/pibt.h"
#include "parts/crowd/resolving.h"

#include <math.h>
#include <string.h>

// Tolerance, in ticks, for rounding errors: ten times 0.1 adds up to a little less than 1 in
// floating point.
static const double BEAT_ROUNDING = 1e-9;

// Brings the data of all finders in the crowd up to date with the map. If the data of any finder
// have changed, discards the part of the tick that is already computed.
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

// Starts the choice of steps for a tick. Decides first for the units that have no choice: a unit
// stays if it is held, or if its last step does not end within this tick.
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

// Starts the choice of steps for a tick. A unit that follows a plan takes the next step of its plan
// if it can.
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

// Lets all units choose their steps. If a unit cannot leave a cell that a plan needs, the choice
// restarts, and all plans wait in this tick.
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

// Computes the tick until it is ready or 'work' is used up. Returns ASTAR_RUNNING in the second
// case.
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
        status = astar_crowd_compute_fields(crowd, work);
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
    astar_crowd_follow_target(crowd);
    astar_crowd_take_stock(crowd);
    astar_crowd_commit_routes(crowd);
    if (crowd->plans.first != NULL)
        astar_crowd_follow_plans(crowd);
    if (!crowd->options.leaves_deadlocks && !astar_grid_has_links(crowd->grid))
        astar_crowd_resolve_deadlocks(crowd);
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
    // Spreads the work of a tick evenly over time, assuming that this tick takes as much work as
    // the last one. No work is done if calls of astar_crowd_step have already done more.
    bool is_ahead = (double)crowd->beat.worked > (double)crowd->beat.last_work * phase;
    if (beats <= 0 || crowd->beat.stage == ASTAR_BEAT_READY || is_ahead)
        return ASTAR_OK;
    double share = (double)crowd->beat.last_work * (beats < 1 ? beats : 1);
    AstarStatus status = astar_crowd_step(crowd, 1 + (uint64_t)share);
    return status == ASTAR_RUNNING ? ASTAR_OK : status;
}

// ------------------------------------------------------------------------------------------------
// The functions below put the steps of exclusive units in an order in which each unit finds its
// cells empty.
//
// For any two steps that touch, it is known in advance which of them can be taken first. Therefore
// every step may be taken as soon as it is possible: if a valid order of the steps exists, this
// method finds one.
// ------------------------------------------------------------------------------------------------

// Returns true if a unit can take its step in tick 'beat' although the unit 'other' is near.
// 'others_beat' is the tick in which 'other' steps, or 0 if 'other' has not stepped yet.
static bool can_step_beside(const AstarPibt *pibt, const AstarStepBoxes *step, uint32_t beat,
                            const AstarPibtUnit *other, uint32_t others_beat)
{
    AstarStepBoxes others = astar_step_boxes(pibt, other, other->next);
    if (other->next == other->cell)
        return !astar_boxes_overlap(&step->all, &others.from);
    if (others_beat == 0)
        return astar_step_can_be_first(step, &others);
    return !astar_boxes_overlap(&step->all, others_beat == beat ? &others.all : &others.to);
}

// Returns true if no other unit nearby prevents the unit 'index' from stepping in tick 'beat'.
static bool can_step_now(const AstarPibt *pibt, uint32_t index, const uint32_t *beats,
                         uint32_t beat)
{
    const AstarPibtUnit *unit = &pibt->units[index];
    AstarStepBoxes step = astar_step_boxes(pibt, unit, unit->next);
    AstarCellArea near = astar_area_about(pibt, unit->cell, astar_pibt_size(pibt, unit), 2);
    int at = 0;
    for (uint32_t who; (who = astar_next_in_area(pibt, &near, index, &at)) != ASTAR_NOBODY;)
        if (!can_step_beside(pibt, &step, beat, &pibt->units[who], beats[who]))
            return false;
    return true;
}

static bool is_waiting(const AstarPibt *pibt, uint32_t index, const uint32_t *beats)
{
    return beats[index] == 0 && pibt->units[index].next != pibt->units[index].cell;
}

// Makes all units that have not stepped yet stay where they are. This is always possible, because a
// unit never steps to a cell where another unit still is.
static void keep_waiting_units(AstarPibt *pibt, uint32_t count, const uint32_t *beats)
{
    for (uint32_t i = 0; i < count; i++)
        if (is_waiting(pibt, i, beats))
            astar_pibt_withdraw(pibt, i);
    for (uint32_t i = 0; i < count; i++) {
        AstarPibtUnit *unit = &pibt->units[i];
        if (astar_pibt_is_decided(unit))
            continue;
        astar_pibt_stamp_next(pibt, astar_pibt_size(pibt, unit), unit->cell, ASTAR_NOBODY, i);
        unit->next = unit->cell;
        unit->way = ASTAR_WAY_STAY;
    }
}

ASTAR_COLD uint32_t astar_order_steps(AstarPibt *pibt, uint32_t count, uint32_t *beats)
{
    uint32_t left = 0, before = UINT32_MAX, beat = 0;
    memset(beats, 0, count * sizeof *beats);
    for (uint32_t i = 0; i < count; i++)
        left += is_waiting(pibt, i, beats);
    while (left > 0 && left < before) {
        before = left;
        beat++;
        for (uint32_t i = 0; i < count; i++)
            if (is_waiting(pibt, i, beats) && can_step_now(pibt, i, beats, beat)) {
                beats[i] = beat;
                left--;
            }
    }
    if (left == 0)
        return beat > 0 ? beat : 1;
    keep_waiting_units(pibt, count, beats);
    return beat > 1 ? beat - 1 : 1; // the last round moved no unit, so its tick does not count
}

// ------------------------------------------------------------------------------------------------
// Rules for arrival, and for the order in which units choose their next steps.
//
// A unit has arrived when it is at its goal. Several units may share a goal. In this case a unit
// has also arrived if every step that leads nearer is taken by units that have arrived or are held.
// The units thus fill the cells around the goal, the nearest cells first, and stop. Units that come
// later press them on to the far side of the goal (pibt.c), and pressed units are still treated as
// arrived.
//
// Near the goal, units with other goals that have arrived are treated in the same way. Otherwise
// two groups whose goal areas overlap would push each other for ever. After a while, units of the
// same goal that have not arrived are treated in the same way, because large and small units may
// wait for each other. In crowds without large units this exception ends only when the unit comes
// nearer to its goal, because units that fit nowhere would otherwise arrive and depart again for
// ever. In crowds with large units it also ends when the unit has rested. After a longer while a
// unit treats any unit that blocks it in this way, whatever its goal. Units that wait for each
// other in a ring have arrived, too, wherever they are.
//
// Units choose their steps in order of priority, and then by the time that they have been on their
// way. Units that have arrived come last, in the order of their arrival. Units that are pushed away
// and come back keep their position in this order.
// ------------------------------------------------------------------------------------------------

enum { PATIENCE = 16, STUCK_RADIUS = 8, STEPS_AROUND = 3 };
enum { PRIORITIES = 2 * ASTAR_MAX_UNIT_PRIORITY + 1 };

// Returns the number of cells covered by the units that share the goal of a field. If the crowd has
// units larger than a cell, the units of all finders are counted, otherwise only those of the
// field.
static int64_t area_of_goal(const AstarCrowd *crowd, const AstarGoalField *field)
{
    if (!crowd->pibt.has_sizes)
        return field->area;
    int64_t area = 0;
    for (size_t i = 0; i < crowd->goals.count; i++)
        if (astar_is_same_goal(crowd->goals.fields[i], field))
            area += crowd->goals.fields[i]->area;
    return area;
}

// Returns true if a unit is near its goal. The greatest distance that counts as near is 1.5 times
// the side of a square that has room for all units with that goal.
static bool is_about_goal(const AstarCrowd *crowd, const AstarPibtUnit *unit)
{
    int64_t apart = astar_goal_field_beyond(crowd->grid, unit->field, unit->cell);
    return 4 * apart * apart <= 9 * area_of_goal(crowd, unit->field);
}

static inline bool has_lost_patience(const AstarMember *member)
{
    return member->stalled >= (uint32_t)PATIENCE * member->period;
}

static inline bool has_rested(const AstarMember *member)
{
    uint32_t beats = (uint32_t)PATIENCE * member->period;
    return member->rested >= (beats < ASTAR_MOST_RESTED ? beats : ASTAR_MOST_RESTED);
}

// Returns true if a unit has waited so long that it counts as arrived in its present cell, even if
// the units that block it have not arrived. If the crowd has units larger than a cell, the unit
// waits four times as long, because otherwise large units would keep each other from their places.
static inline bool makes_do(const AstarCrowd *crowd, const AstarMember *member)
{
    return member->stalled >= (uint32_t)PATIENCE * member->period << 2 * crowd->pibt.has_sizes;
}

// The facts by which a unit judges the units that block it: whether it is near its goal, and how
// long it has waited.
typedef struct Outlook {
    const AstarPibtUnit *unit;
    bool is_near, is_tired, makes_do;
    // True if units that are marked as staying for good are treated as arrived, see
    // look_for_standstill.
    bool supposes;
} Outlook;

// Returns true if the unit 'other', which blocks a unit, is not expected to move on by itself.
static bool has_taken_place(const AstarCrowd *crowd, const Outlook *outlook, uint32_t other)
{
    const AstarPibtUnit *there = &crowd->units[other];
    const AstarMember *member = &crowd->members[other];
    if (member->is_held)
        return true;
    uint32_t index = (uint32_t)(outlook->unit - crowd->units);
    if (there->field == NULL) // a unit without a goal makes way for units of its own side
        return outlook->is_near && astar_are_of_two_sides(&crowd->pibt, index, other);
    bool stays = member->has_arrived || (outlook->supposes && member->is_supposed);
    if (astar_is_same_goal(there->field, outlook->unit->field))
        return stays || (outlook->is_near && outlook->is_tired);
    return outlook->is_near && (stays || outlook->makes_do);
}

static bool is_place_taken(const AstarCrowd *crowd, const Outlook *outlook, uint32_t index,
                           uint32_t cell)
{
    int size = astar_kind_size(&crowd->kinds[outlook->unit->kind]), at = 0;
    AstarCellArea area = {cell, size, size};
    for (uint32_t who; (who = astar_next_in_area(&crowd->pibt, &area, index, &at)) != ASTAR_NOBODY;)
        if (has_taken_place(crowd, outlook, who))
            return true;
    return false;
}

// Returns true if every step that leads a unit nearer to its goal is occupied by another unit.
// Several units must have that goal.
static bool has_no_place_nearer(const AstarCrowd *crowd, uint32_t index, bool supposes)
{
    const AstarPibtUnit *unit = &crowd->units[index];
    const AstarGoalField *field = unit->field;
    uint32_t values[ASTAR_DIRECTIONS + 1];
    unsigned moves = astar_kind_moves(&crowd->kinds[unit->kind], unit->cell);
    astar_goal_field_around(crowd->grid, field, unit->cell, moves, values);
    uint32_t here = values[ASTAR_DIRECTIONS];
    if (here == ASTAR_NO_VALUE)
        return false;
    const AstarMember *member = &crowd->members[index];
    Outlook outlook = {unit, is_about_goal(crowd, unit), has_lost_patience(member),
                       makes_do(crowd, member), supposes};
    bool is_any = false;
    for (; moves != 0; moves &= moves - 1) {
        int way = astar_lowest_bit(moves);
        if (values[way] == ASTAR_NO_VALUE ||
            astar_goal_field_difference(field, values[way], here) >= 0)
            continue;
        if (!is_place_taken(crowd, &outlook, index,
                            astar_pibt_towards(&crowd->pibt, unit->cell, way)))
            return false;
        is_any = true;
    }
    return is_any;
}

// Returns the free neighbour of 'cell' that is nearest to the goal, and adds the change of distance
// to '*behind'. Returns ASTAR_NOWHERE if no free neighbour is nearer to the goal than 'cell'.
static uint32_t steepest_free(const AstarCrowd *crowd, const AstarPibtUnit *unit, uint32_t cell,
                              int64_t *behind)
{
    uint32_t best = ASTAR_NOWHERE;
    int64_t least = 0;
    unsigned moves = cell == ASTAR_NOWHERE ? 0 : astar_kind_moves(&crowd->kinds[unit->kind], cell);
    for (; moves != 0; moves &= moves - 1) {
        uint32_t to = astar_pibt_towards(&crowd->pibt, cell, astar_lowest_bit(moves));
        int64_t farther = astar_farther(&crowd->pibt, unit->field, cell, to);
        if (crowd->places[to].now != ASTAR_NOBODY || farther >= least)
            continue;
        least = farther;
        best = to;
    }
    *behind += least;
    return best;
}

// Returns true if a unit can get around the units in front of it over a few free cells. The first
// step leads sideways, the next steps each lead nearer to the goal, and the last cell is nearer
// than the unit's own. A unit that can get around has not arrived yet. Such a unit continues until
// these cells are occupied or its patience ends.
static bool leads_around(const AstarCrowd *crowd, const AstarPibtUnit *unit)
{
    unsigned moves = astar_kind_moves(&crowd->kinds[unit->kind], unit->cell);
    for (; moves != 0; moves &= moves - 1) {
        uint32_t cell = astar_pibt_towards(&crowd->pibt, unit->cell, astar_lowest_bit(moves));
        int64_t behind = astar_farther(&crowd->pibt, unit->field, unit->cell, cell);
        for (int i = crowd->places[cell].now == ASTAR_NOBODY ? 1 : STEPS_AROUND; i < STEPS_AROUND;
             i++) {
            cell = steepest_free(crowd, unit, cell, &behind);
            if (behind < 0)
                return true;
        }
    }
    return false;
}

static bool has_arrived(const AstarCrowd *crowd, uint32_t index)
{
    const AstarPibtUnit *unit = &crowd->units[index];
    if (astar_goal_field_ends_at(crowd->grid, unit->field, unit->cell))
        return true;
    const AstarMember *member = &crowd->members[index];
    return unit->field->users > 1 && unit->field->now.numbering != NULL &&
           (member->has_arrived || member->rested > 0 || makes_do(crowd, member)) &&
           has_no_place_nearer(crowd, index, false) &&
           (crowd->pibt.has_sizes || member->is_held || has_lost_patience(member) ||
            has_rested(member) || !leads_around(crowd, unit));
}

// Counts the ticks since a unit has last come nearer to its goal than it had been before.
static void note_progress(AstarCrowd *crowd, uint32_t index)
{
    const AstarPibtUnit *unit = &crowd->units[index];
    AstarMember *member = &crowd->members[index];
    bool has_distances = unit->field->now.numbering != NULL;
    if (!has_distances && (unit->field->target_unit != 0 || !astar_crowd_has_route(crowd, index)))
        return;
    if (member->stalled < UINT16_MAX)
        member->stalled++;
    // The progress of a unit that follows a route is counted in own_routes.c.
    if (member->rested > 0 || !has_distances)
        return;
    int64_t farther = astar_farther(&crowd->pibt, unit->field, member->from, unit->cell);
    if (farther == ASTAR_UNKNOWN_FARTHER)
        return;
    int64_t behind = member->behind + farther;
    member->behind = behind > 0 ? behind < INT32_MAX ? (uint32_t)behind : INT32_MAX : 0;
    if (behind < 0)
        member->stalled = member->tries = 0;
}

static void judge_unit(AstarCrowd *crowd, uint32_t index)
{
    AstarMember *member = &crowd->members[index];
    AstarPibtUnit *unit = &crowd->units[index];
    if (unit->field == NULL)
        return;
    bool arrived = has_arrived(crowd, index);
    bool is_there = astar_goal_field_ends_at(crowd->grid, unit->field, unit->cell);
    // A unit that has just arrived must rest before its waiting time is cleared. Otherwise two
    // units could move around each other for ever.
    bool is_to_rest = is_there || crowd->pibt.has_sizes;
    if (arrived && (is_to_rest ? has_rested(member) : !has_lost_patience(member)))
        member->stalled = 0;
    else if (!arrived || !is_there)
        note_progress(crowd, index);
    if (arrived != member->has_arrived)
        crowd->count.under_way += arrived ? UINT32_MAX : 1;
    member->has_arrived = arrived;
    unit->flags = arrived ? ASTAR_PIBT_ARRIVED : 0;
}

// Detection of large units that wait for each other and would never move.
//
// Large units that share a goal may wait for each other in a ring. To detect such a ring, all units
// that have stood still for long are marked as staying for good. Afterwards the mark is removed
// from each unit that could still move, or that waits for a unit that could still move. When no
// more marks are removed, the marked units are in a standstill and count as arrived. Each round of
// removals takes one tick.

static bool may_stand_still(const AstarCrowd *crowd, uint32_t index)
{
    const AstarPibtUnit *unit = &crowd->units[index];
    const AstarMember *member = &crowd->members[index];
    return unit->field != NULL && unit->field->users > 1 && unit->field->now.numbering != NULL &&
           !member->has_arrived && !member->is_held && member->plan == ASTAR_MEMBER_FREE &&
           has_rested(member);
}

static void look_for_standstill(AstarCrowd *crowd)
{
    uint32_t left = 0, struck = 0;
    for (uint32_t i = 0; i < crowd->count.there; i++) {
        AstarMember *member = &crowd->members[crowd->order[i]];
        if (!member->is_supposed)
            continue;
        member->is_supposed = may_stand_still(crowd, crowd->order[i]) &&
                              has_no_place_nearer(crowd, crowd->order[i], true);
        left += member->is_supposed;
        struck += !member->is_supposed;
    }
    if (struck > 0)
        return;
    for (uint32_t i = 0; i < crowd->count.there; i++) {
        AstarMember *member = &crowd->members[crowd->order[i]];
        if (left > 0 && member->is_supposed) {
            member->has_arrived = true;
            crowd->units[crowd->order[i]].flags = ASTAR_PIBT_ARRIVED;
            crowd->count.under_way--;
        }
        member->is_supposed = left == 0 && may_stand_still(crowd, crowd->order[i]);
    }
}

// The functions below sort the units by the order in which they choose their steps, and find the
// units that are stuck.

// Returns the class of a unit, by which units are sorted before they choose their steps. Units of a
// lower class choose first.
static uint32_t class_of_unit(const AstarCrowd *crowd, uint32_t index)
{
    const AstarMember *member = &crowd->members[index];
    bool wants_nothing = crowd->units[index].field == NULL || member->has_arrived;
    return (uint32_t)(ASTAR_MAX_UNIT_PRIORITY - member->priority) * 2 + wants_nothing;
}

void astar_crowd_order_turns(AstarCrowd *crowd)
{
    uint32_t first[2 * PRIORITIES + 1] = {0};
    for (uint32_t i = 0; i < crowd->count.there; i++)
        first[class_of_unit(crowd, crowd->order[i]) + 1]++;
    for (uint32_t i = 1; i < 2 * PRIORITIES + 1; i++)
        first[i] += first[i - 1];
    for (uint32_t i = 0; i < crowd->count.there; i++)
        crowd->turns[first[class_of_unit(crowd, crowd->order[i])]++] = crowd->order[i];
}

void astar_crowd_take_stock(AstarCrowd *crowd)
{
    for (uint32_t i = 0; i < crowd->count.there; i++)
        judge_unit(crowd, crowd->order[i]);
    if (crowd->pibt.has_sizes)
        look_for_standstill(crowd);
}

bool astar_crowd_is_stuck(const AstarCrowd *crowd, uint32_t unit, unsigned tries)
{
    const AstarMember *member = &crowd->members[unit];
    if (!has_lost_patience(member))
        return false;
    // A unit is stuck if it has waited longer than PATIENCE plus one tick for each unit around it.
    // 'room' is the greatest number of units around it at which it is still stuck. The loop stops
    // counting beyond that number.
    int room = (member->stalled >> tries) / member->period - PATIENCE, at = 0;
    AstarCellArea area = astar_area_about(&crowd->pibt, crowd->units[unit].cell, 1, STUCK_RADIUS);
    while (astar_next_in_area(&crowd->pibt, &area, ASTAR_NOBODY, &at) != ASTAR_NOBODY)
        if (room-- <= 0)
            return false;
    return true;
}
