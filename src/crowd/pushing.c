// pushing.c -- who has to leave for a step, who need not, and what becomes of it.

#include "crowd/reservations.h"

#include "crowd/conflicts.h"
#include "crowd/ways.h"

// Where in a unit's ways that to who is to follow it stands.
enum { PULLER_AT = 48 };

// In a unit's ways: it is pressed on.
static const uint64_t PRESSED_ON = UINT64_C(1) << 57;

// ---- who is to leave ----

AstarCellArea astar_area_of_way(const AstarPibt *pibt, const AstarPibtUnit *unit, uint32_t to,
                                int way)
{
    int size = astar_pibt_size(pibt, unit);
    AstarCellArea area = {to, size, size};
    if (!pibt->is_exclusive || way >= ASTAR_WAY_STAY || (way & 1) == 0)
        return area;
    uint32_t west = astar_dx[way] < 0 ? 0 : 1, north = astar_dy[way] < 0 ? 0 : 1;
    area.cell = to - west - north * (uint32_t)pibt->grid->width;
    area.columns = area.rows = size + 1;
    return area;
}

// Whether a unit is not driven away by another one, for they have the same goal. Where that one
// makes way itself it is: otherwise nobody could get past a group, or out of the middle of one.
static bool is_spared_by(const AstarPibtUnit *unit, const AstarPibtUnit *other)
{
    return unit->field != NULL && other->field != NULL &&
           astar_is_same_goal(unit->field, other->field) && (other->flags & ASTAR_PIBT_DRIVEN) == 0;
}

// Whether a unit that has arrived is not driven away by another one that has, whatever their goals:
// groups whose places overlap would shove each other for ever.
static bool is_left_alone_by(unsigned flags, const AstarPibtUnit *other)
{
    return (flags & ASTAR_PIBT_SETTLED) != 0 &&
           (other->flags & (ASTAR_PIBT_SETTLED | ASTAR_PIBT_DRIVEN)) == ASTAR_PIBT_SETTLED;
}

// Whether who has arrived near a goal that others share is pressed on by one who has not, or who is
// pressed on itself, and pushes nobody else: it goes where a step is left that leads less far off
// than those before it came nearer, together. So they fill the far side of the goal, too.
static bool is_pressed_by(const AstarPibt *pibt, const AstarPibtUnit *unit,
                          const AstarPibtUnit *pusher)
{
    unsigned flags = pusher->flags & (ASTAR_PIBT_SETTLED | ASTAR_PIBT_DRIVEN);
    return (unit->flags & ASTAR_PIBT_SETTLED) != 0 && unit->field == pusher->field &&
           astar_pibt_is_all_small(pibt) && astar_pibt_is_led(unit) &&
           (flags == 0 || (flags == ASTAR_PIBT_SETTLED && (pusher->ways & PRESSED_ON) != 0));
}

// By how much farther from its goal the way it tries leads a unit.
static int64_t presses_by(const AstarPibt *pibt, const AstarPibtUnit *unit)
{
    uint32_t to = astar_cell_of_way(pibt, unit, astar_way_tried(unit));
    return to == ASTAR_NOWHERE ? 0 : astar_farther(pibt, unit->field, unit->cell, to);
}

// Whether another unit is not to be pushed by one: what failed for who had its turn before may go
// now.
static bool is_not_to_leave(const AstarPibt *pibt, const AstarPibtUnit *unit,
                            const AstarPibtUnit *other)
{
    unsigned flags = other->flags;
    if (astar_are_of_two_sides(pibt, (uint32_t)(unit - pibt->units),
                               (uint32_t)(other - pibt->units)))
        return true;
    if (is_pressed_by(pibt, other, unit) || (unit->ways & PRESSED_ON) != 0)
        return !is_pressed_by(pibt, other, unit);
    if ((flags & (ASTAR_PIBT_FIRM | ASTAR_PIBT_ASKED)) != 0 && (uint32_t)other->ways != pibt->at)
        flags &= ~(unsigned)(ASTAR_PIBT_FIRM | ASTAR_PIBT_ASKED);
    return (flags & ASTAR_PIBT_FIRM) != 0 || is_left_alone_by(flags, unit) ||
           ((flags & (ASTAR_PIBT_SETTLED | ASTAR_PIBT_ASKED)) != 0 && is_spared_by(other, unit));
}

// Who has to leave a cell for a unit of one cell; ASTAR_NOBODY: nobody has.
static uint32_t who_is_to_leave(const AstarPibt *pibt, uint32_t index, uint32_t to)
{
    uint32_t who = pibt->places[to].now;
    return who == index || who == ASTAR_NOBODY || astar_pibt_is_decided(&pibt->units[who])
               ? ASTAR_NOBODY
               : who;
}

static uint32_t next_to_push(const AstarPibt *pibt, uint32_t index, uint32_t to, int way)
{
    if (astar_pibt_is_all_small(pibt))
        return who_is_to_leave(pibt, index, to);
    AstarCellArea area = astar_area_of_way(pibt, &pibt->units[index], to, way);
    int at = 0;
    for (uint32_t who; (who = astar_next_in_area(pibt, &area, index, &at)) != ASTAR_NOBODY;)
        if (!astar_pibt_is_decided(&pibt->units[who]))
            return who;
    return ASTAR_NOBODY;
}

// ---- trying a way ----

static inline void try_next_way(AstarPibtUnit *unit)
{
    unit->ways += UINT64_C(1) << ASTAR_WAYS_AT;
}

// The first 'count' ways, as they are or turned round, and that there are no more.
static uint64_t ways_to_try(uint64_t sorted, int count, bool is_reversed)
{
    uint64_t ways = sorted & ((UINT64_C(1) << 4 * count) - 1);
    if (is_reversed) {
        ways = 0;
        for (int i = 0; i < count; i++)
            ways = ways << 4 | (sorted >> 4 * i & 15);
    }
    return ways | (uint64_t)ASTAR_NO_WAY << 4 * count;
}

static bool try_small_way(AstarPibt *pibt, uint32_t index, uint32_t to, int way)
{
    const AstarPibtUnit *unit = &pibt->units[index];
    if (to == ASTAR_NOWHERE || !astar_goes_beside_small(pibt, unit, to, way))
        return false;
    uint32_t who = who_is_to_leave(pibt, index, to);
    if (who != ASTAR_NOBODY && is_not_to_leave(pibt, unit, &pibt->units[who]))
        return false;
    astar_pibt_reserve(pibt, index, to, way);
    return true;
}

// Tries a way: whether the unit has decided to take it, should all leave who stand there. An
// exclusive one waits until they have.
static bool try_way(AstarPibt *pibt, uint32_t index, uint32_t to, int way)
{
    if (astar_pibt_is_all_small(pibt))
        return try_small_way(pibt, index, to, way);
    AstarPibtUnit *unit = &pibt->units[index];
    if (to == ASTAR_NOWHERE || !astar_goes_beside_others(pibt, index, to, way))
        return false;
    AstarCellArea area = astar_area_of_way(pibt, unit, to, way);
    bool is_empty = true, are_all_decided = true;
    int at = 0;
    for (uint32_t who; (who = astar_next_in_area(pibt, &area, index, &at)) != ASTAR_NOBODY;) {
        const AstarPibtUnit *other = &pibt->units[who];
        is_empty = false;
        if (astar_pibt_is_decided(other))
            continue;
        are_all_decided = false;
        if (is_not_to_leave(pibt, unit, other))
            return false;
        // Where it is to leave for somebody else already, it could not be told to stay.
        if (pibt->has_sizes &&
            !astar_pibt_is_next_free(pibt, astar_pibt_size(pibt, other), other->cell))
            return false;
    }
    if (!is_empty && pibt->is_exclusive && !pibt->takes_steps_in_turn) {
        if (are_all_decided || way == ASTAR_WAY_STAY)
            return false;
        unit->flags |= ASTAR_PIBT_YIELDS;
        astar_pibt_reserve(pibt, index, unit->cell, ASTAR_WAY_STAY);
        return true;
    }
    astar_pibt_reserve(pibt, index, to, way);
    return true;
}

// ---- deciding ----

// Why a unit is to decide before its turn.
static void note_push(const AstarPibt *pibt, AstarPibtUnit *unit, const AstarPibtUnit *pusher,
                      bool is_driven)
{
    unit->flags &= (uint8_t) ~(ASTAR_PIBT_DRIVEN | ASTAR_PIBT_PRESSED);
    if (!is_driven)
        return;
    unit->flags |= ASTAR_PIBT_DRIVEN;
    if (astar_pibt_size(pibt, unit) > 1 || astar_pibt_size(pibt, pusher) > 1 ||
        (pusher->flags & ASTAR_PIBT_PRESSED) != 0)
        unit->flags |= ASTAR_PIBT_PRESSED;
}

void astar_push_unit(AstarPibt *pibt, uint32_t index, uint32_t pusher)
{
    AstarPibtUnit *unit = &pibt->units[index];
    bool is_pushed = pusher != ASTAR_NOBODY;
    bool is_asked = is_pushed && is_spared_by(unit, &pibt->units[pusher]);
    bool is_driven = is_pushed && !is_asked;
    // Who could not leave by one step begins to in its own turn: a large one needs several.
    bool evades = !is_pushed && (unit->flags & ASTAR_PIBT_FIRM) != 0;
    int push = (int)(unit->ways >> 32 & 15);
    if (!evades)
        note_push(pibt, unit, &pibt->units[is_pushed ? pusher : index], is_driven);
    AstarWayKeys ways;
    bool stays_last = is_driven && pibt->is_exclusive && !pibt->takes_steps_in_turn;
    bool is_pressed = is_asked && is_pressed_by(pibt, unit, &pibt->units[pusher]);
    astar_list_ways(pibt, index, stays_last ? ASTAR_WAY_COST_LAST : ASTAR_WAY_COST_STAY, &ways);
    uint64_t sorted = astar_sort_ways(&ways);
    int nearer = astar_count_nearer(&ways);
    bool leads_nearer = nearer > 0;
    if (pibt->has_sizes && !astar_keep_right(pibt, index, &sorted, ways.count, &nearer) &&
        (is_driven || evades))
        sorted = astar_give_way(unit, evades ? push : astar_way_tried(&pibt->units[pusher]), &ways,
                                sorted);
    int count = is_asked && !is_pressed ? nearer : ways.count, puller = ASTAR_NO_WAY;
    if (count > 0 && !is_pressed)
        puller = astar_find_puller(pibt, index, astar_way_at(sorted, 0), leads_nearer);
    unit->pusher = pusher;
    unit->ways = (unit->ways & ASTAR_LAST_WAY) |
                 ways_to_try(sorted, count, puller != ASTAR_NO_WAY) |
                 (uint64_t)puller << PULLER_AT | (is_pressed ? PRESSED_ON : 0);
    pibt->top = index;
    pibt->pushes++;
}

// ---- waiting in line ----

// Whether who is on a step nearer, or will be, wants to where the unit stands, or nowhere.
static bool is_opposed(const AstarPibt *pibt, const AstarPibtUnit *unit)
{
    for (unsigned i = 0; i < astar_ways_tried(unit); i++) {
        uint32_t to = astar_cell_of_way(pibt, unit, astar_way_at(unit->ways, (int)i));
        uint32_t who = pibt->places[to].next;
        who = who != ASTAR_NOBODY ? who : pibt->places[to].now;
        if (who != ASTAR_NOBODY &&
            (!astar_pibt_is_led(&pibt->units[who]) ||
             (pibt->units[who].flags & ASTAR_PIBT_SETTLED) != 0 ||
             astar_pibt_is_nearer(pibt, pibt->units[who].field, to, unit->cell)))
            return true;
    }
    return false;
}

// Whether who drives a unit came nearer by its cell, and from there by no step but what that one
// has tried: it would get no farther in its place.
static bool gains_nothing(const AstarPibt *pibt, const AstarPibtUnit *pusher,
                          const AstarPibtUnit *unit)
{
    uint32_t values[ASTAR_DIRECTIONS + 1];
    unsigned moves = astar_kind_moves(astar_pibt_kind(pibt, unit), unit->cell), tried = 0, on = 0;
    int back = (astar_way_tried(pusher) + 4) & 7;
    for (unsigned i = 0; i < astar_ways_tried(unit); i++)
        tried |= 1u << astar_way_at(unit->ways, (int)i);
    astar_goal_field_around(pibt->grid, pusher->field, unit->cell, moves | 1u << back, values);
    uint32_t here = values[ASTAR_DIRECTIONS];
    if (here == ASTAR_NO_VALUE || values[back] == ASTAR_NO_VALUE ||
        astar_goal_field_difference(pusher->field, here, values[back]) >= 0)
        return false;
    for (; moves != 0; moves &= moves - 1) {
        int way = astar_lowest_bit(moves);
        bool is_nearer = values[way] != ASTAR_NO_VALUE &&
                         astar_goal_field_difference(pusher->field, values[way], here) < 0;
        on |= (unsigned)is_nearer << way;
    }
    return on != 0 && (on & ~tried) == 0;
}

// Whether a unit that is driven waits in line instead: nothing nearer is left, nobody comes against
// it, and who drives it goes the same way. Driven aside it would only come back. That is asked once
// it would leave, so that those who move on pay nothing.
static bool is_to_wait(const AstarPibt *pibt, const AstarPibtUnit *unit)
{
    const AstarPibtUnit *pusher = &pibt->units[unit->pusher];
    return !pibt->has_sizes && astar_ways_tried(unit) > 0 &&
           (unit->ways >> PULLER_AT & 15) == ASTAR_NO_WAY && astar_pibt_is_led(unit) &&
           astar_pibt_is_led(pusher) && astar_way_tried(pusher) < ASTAR_WAY_STAY &&
           gains_nothing(pibt, pusher, unit) && !is_opposed(pibt, unit);
}

// ---- going on ----

// Has who is to swap with a unit follow it.
static void pull_unit(AstarPibt *pibt, uint32_t index)
{
    const AstarPibtUnit *unit = &pibt->units[index];
    int to_puller = (int)(unit->ways >> PULLER_AT & 15);
    if (to_puller == ASTAR_NO_WAY || astar_ways_tried(unit) > 0 || unit->way >= ASTAR_WAY_STAY)
        return;
    uint32_t puller = pibt->places[astar_cell_of_way(pibt, unit, to_puller)].now;
    if (astar_pibt_is_decided(&pibt->units[puller]))
        return;
    int way = astar_way_to(pibt, &pibt->units[puller], unit->cell);
    if (way >= 0 && way < ASTAR_WAY_STAY && astar_goes_beside(pibt, puller, unit->cell, way))
        astar_pibt_reserve(pibt, puller, unit->cell, way);
}

static void end_unit(AstarPibt *pibt, uint32_t index, bool has_left)
{
    AstarPibtUnit *unit = &pibt->units[index];
    pibt->top = unit->pusher;
    pibt->pushed = index;
    pibt->has_left = has_left;
    if (unit->pusher == ASTAR_NOBODY && !has_left)
        pibt->has_failed = true;
}

// Has a unit that could not leave not be pushed again in the turn of who began that; its ways hold
// whose turn it is, and the way it was pushed, until it is pushed or decides itself. Among large
// ones it may still have a way of its own, which only goes not together with that of who pushed it:
// it keeps its turn.
static void spare_unit(AstarPibt *pibt, uint32_t index, const AstarPibtUnit *pusher, int push)
{
    AstarPibtUnit *unit = &pibt->units[index];
    if ((uint32_t)unit->ways != pibt->at)
        unit->flags &= (uint8_t) ~(ASTAR_PIBT_FIRM | ASTAR_PIBT_ASKED);
    unit->ways = (unit->ways & ASTAR_LAST_WAY) | pibt->at | (uint64_t)push << 32;
    unit->flags |= is_spared_by(unit, pusher) ? ASTAR_PIBT_ASKED : ASTAR_PIBT_FIRM;
}

// Goes on where somebody was pushed: if that one could not leave, neither can this one go there.
static void take_leave(AstarPibt *pibt, uint32_t index)
{
    AstarPibtUnit *unit = &pibt->units[index];
    unit->flags &= (uint8_t)~ASTAR_PIBT_WAITS;
    if (pibt->has_left)
        return;
    if (is_pressed_by(pibt, &pibt->units[pibt->pushed], unit))
        pibt->pressed -= presses_by(pibt, unit);
    if ((unit->flags & ASTAR_PIBT_YIELDS) == 0) {
        int push = astar_way_tried(unit);
        astar_pibt_take_back(pibt, index);
        try_next_way(unit);
        if (pibt->has_sizes) {
            spare_unit(pibt, pibt->pushed, unit, push);
            return;
        }
    }
    AstarPibtUnit *pushed = &pibt->units[pibt->pushed];
    astar_pibt_reserve(pibt, pibt->pushed, pushed->cell, ASTAR_WAY_STAY);
    pushed->flags |= ASTAR_PIBT_FIXED;
}

void astar_push_on(AstarPibt *pibt, uint32_t index)
{
    AstarPibtUnit *unit = &pibt->units[index];
    if ((unit->flags & ASTAR_PIBT_WAITS) != 0)
        take_leave(pibt, index);
    for (; astar_way_tried(unit) != ASTAR_NO_WAY; try_next_way(unit)) {
        int way = astar_way_tried(unit);
        uint32_t to = astar_cell_of_way(pibt, unit, way);
        if (way == ASTAR_WAY_STAY && (unit->flags & ASTAR_PIBT_DRIVEN) != 0 &&
            is_to_wait(pibt, unit))
            break;
        if ((unit->ways & PRESSED_ON) != 0 && !astar_pibt_is_decided(unit) &&
            pibt->pressed + presses_by(pibt, unit) >= 0)
            continue;
        if (!astar_pibt_is_decided(unit) && !try_way(pibt, index, to, way))
            continue;
        uint32_t who = next_to_push(pibt, index, to, way);
        if (who != ASTAR_NOBODY) {
            unit->flags |= ASTAR_PIBT_WAITS;
            if (is_pressed_by(pibt, &pibt->units[who], unit))
                pibt->pressed = ((unit->ways & PRESSED_ON) != 0 ? pibt->pressed : 0) +
                                presses_by(pibt, unit);
            if (pibt->left > 0) {
                pibt->left--;
                astar_push_unit(pibt, who, index);
            } else {
                pibt->pushed = who;
                pibt->has_left = false;
            }
            return;
        }
        pull_unit(pibt, index);
        end_unit(pibt, index, true);
        return;
    }
    end_unit(pibt, index, false);
}
