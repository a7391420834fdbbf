// arrivals.c -- after a beat: who has arrived, who waits, and who goes first in the next.
//
// A unit has arrived at its goal. Where several have the same, the others have where no step that
// leads nearer is open, for those who stand there have arrived or are held: so they fill the cells
// around the goal, the nearest first, and stop; who comes after them presses them on to its far
// side (pushing.c), and they stay arrived. Near the goal that holds of units of other goals, too,
// or two groups whose places overlap would push each other for ever; and after a while of all who
// share the goal, for large units and small ones may wait for each other: among large ones that is
// so until one comes nearer, or those who fit nowhere would arrive and set out again for ever.
// Units then make do with whoever is in the way, whatever its goal, large ones later. Those that
// wait for each other in a ring have arrived as well, wherever that is.
//
// Turns go by priority, then by how long a unit has been on its way: those that have arrived come
// last, in the order in which they did, and stay there when they are pushed aside and come back.

#include "crowd/crowd.h"

#include "crowd/reservations.h"
#include "crowd/ways.h"

enum { PATIENCE = 16, STUCK_RADIUS = 8, STEPS_AROUND = 3 };
enum { PRIORITIES = 2 * ASTAR_MAX_UNIT_PRIORITY + 1 };

// How many cells those cover who share a goal: among large ones, of whatever kind.
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

// Whether a unit is as near to its goal as all who share it need to be to have room.
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

// Whether a unit makes do with the place it has, whoever is in its way. Large ones do it later, or
// they would keep each other from theirs.
static inline bool makes_do(const AstarCrowd *crowd, const AstarMember *member)
{
    return member->stalled >= (uint32_t)PATIENCE * member->period << 2 * crowd->pibt.has_sizes;
}

// How a unit looks at who stands in its way.
typedef struct Outlook {
    const AstarPibtUnit *unit;
    bool is_near, is_tired, makes_do;
    bool supposes; // that who is supposed to be for good where it is, see look_for_standstill
} Outlook;

// Whether who stands there will not go on by itself.
static bool has_taken_place(const AstarCrowd *crowd, const Outlook *outlook, uint32_t other)
{
    const AstarPibtUnit *there = &crowd->units[other];
    const AstarMember *member = &crowd->members[other];
    if (member->is_held)
        return true;
    uint32_t index = (uint32_t)(outlook->unit - crowd->units);
    if (there->field == NULL) // it makes way for its own side
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

// Whether all steps that lead nearer are taken; of a unit whose goal others share.
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

// The nearest free cell beside one, which counts to 'behind'; ASTAR_NOWHERE: none is nearer.
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

// Whether a way over free cells leads around those before a unit: aside, and by steps that lead
// nearer each to where it is nearer than it was. Until those are taken it has not arrived, as long
// as it has patience, and presses on.
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

// Counts the beats since a unit was nearer than ever before.
static void note_progress(AstarCrowd *crowd, uint32_t index)
{
    const AstarPibtUnit *unit = &crowd->units[index];
    AstarMember *member = &crowd->members[index];
    bool has_distances = unit->field->now.numbering != NULL;
    if (!has_distances && (unit->field->prey != 0 || !astar_crowd_has_route(crowd, index)))
        return;
    if (member->stalled < UINT16_MAX)
        member->stalled++;
    if (member->rested > 0 || !has_distances) // own_routes.c has who comes farther along a route
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
    // Who has arrived for a moment only may dance around others for ever.
    bool is_to_rest = is_there || crowd->pibt.has_sizes;
    if (arrived && (is_to_rest ? has_rested(member) : !has_lost_patience(member)))
        member->stalled = 0;
    else if (!arrived || !is_there)
        note_progress(crowd, index);
    if (arrived != member->has_arrived)
        crowd->count.under_way += arrived ? UINT32_MAX : 1;
    member->has_arrived = arrived;
    unit->flags = arrived ? ASTAR_PIBT_SETTLED : 0;
}

// ---- standstill ----
//
// Large units of a goal may wait for each other in a ring, each in all the others' way. Whether
// those who have long stood do is found out by supposing that all of them stay: who could go on all
// the same, or waits for somebody who may, is struck, until what is left holds of itself. That
// takes a beat for each who is struck after another.

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
            crowd->units[crowd->order[i]].flags = ASTAR_PIBT_SETTLED;
            crowd->count.under_way--;
        }
        member->is_supposed = left == 0 && may_stand_still(crowd, crowd->order[i]);
    }
}

// ---- turns ----

// In which class of the order a unit is: a lower one goes first.
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
    // For how many around it that is too long: where there are more, the rest need not be counted.
    int room = (member->stalled >> tries) / member->period - PATIENCE, at = 0;
    AstarCellArea area = astar_area_about(&crowd->pibt, crowd->units[unit].cell, 1, STUCK_RADIUS);
    while (astar_next_in_area(&crowd->pibt, &area, ASTAR_NOBODY, &at) != ASTAR_NOBODY)
        if (room-- <= 0)
            return false;
    return true;
}
