// swap_rule.c -- whether somebody wants past, and whether there is room for it farther on.

#include "crowd/reservations.h"

#include "crowd/ways.h"

// How far ahead two units look for where they could pass.
enum { PIBT_LONGEST_CORRIDOR = 1000 };

// How many steps lead on from a cell but back to where one came from and into dead ends whose units
// have arrived, 2 for all that are more; '*on' is the last of them.
static int count_ways_on(const AstarPibt *pibt, const AstarCrowdKind *kind, uint32_t cell,
                         uint32_t from, uint32_t *on)
{
    int count = 0;
    for (unsigned moves = astar_kind_moves(kind, cell); moves != 0 && count < 2;
         moves &= moves - 1) {
        uint32_t to = astar_pibt_towards(pibt, cell, astar_lowest_bit(moves));
        if (to == from)
            continue;
        unsigned out = astar_kind_moves(kind, to);
        if ((out & (out - 1)) == 0) {
            uint32_t who = pibt->places[to].now;
            if (who != ASTAR_NOBODY && pibt->units[who].field != NULL &&
                astar_goal_field_ends_at(pibt->grid, pibt->units[who].field, to))
                continue;
        }
        count++;
        *on = to;
    }
    return count;
}

// Whether one unit drives another before it along a corridor, the other wanting past, or nothing.
static bool is_swap_required(const AstarPibt *pibt, const AstarPibtUnit *pusher,
                             const AstarPibtUnit *puller, uint32_t behind, uint32_t ahead)
{
    bool goes_anywhere = puller->field == NULL;
    if (!astar_pibt_is_led(pusher) || !(goes_anywhere || astar_pibt_is_led(puller)))
        return false;
    const AstarCrowdKind *kind = astar_pibt_kind(pibt, pusher);
    for (int i = 0; astar_pibt_is_nearer(pibt, pusher->field, behind, ahead); i++) {
        uint32_t on = ASTAR_NOWHERE;
        int count = count_ways_on(pibt, kind, ahead, behind, &on);
        if (count >= 2 || i == PIBT_LONGEST_CORRIDOR)
            return false;
        if (count == 0)
            break;
        behind = ahead;
        ahead = on;
    }
    return (goes_anywhere || astar_pibt_is_nearer(pibt, puller->field, ahead, behind)) &&
           (astar_goal_field_ends_at(pibt->grid, pusher->field, behind) ||
            astar_pibt_is_nearer(pibt, pusher->field, behind, ahead));
}

// Whether the corridor widens somewhere, going from 'behind' to 'ahead' and on.
static bool is_swap_possible(const AstarPibt *pibt, const AstarCrowdKind *kind, uint32_t behind,
                             uint32_t ahead)
{
    uint32_t origin = behind;
    for (int i = 0; ahead != origin && i < PIBT_LONGEST_CORRIDOR; i++) {
        uint32_t on = ASTAR_NOWHERE;
        int count = count_ways_on(pibt, kind, ahead, behind, &on);
        if (count != 1)
            return count > 1;
        behind = ahead;
        ahead = on;
    }
    return false;
}

static bool may_swap(const AstarPibt *pibt, uint32_t index, uint32_t other)
{
    return other != ASTAR_NOBODY && astar_pibt_size(pibt, &pibt->units[other]) == 1 &&
           !astar_are_of_two_sides(pibt, index, other);
}

// Whether nobody need swap with a unit that takes a step nearer, for beyond it the way is wide: who
// drives another before it, or is driven, can pass there.
static bool is_wide_ahead(const AstarPibt *pibt, const AstarPibtUnit *unit, uint32_t first)
{
    uint32_t on;
    return pibt->is_of_one_kind && !astar_goal_field_ends_at(pibt->grid, unit->field, unit->cell) &&
           count_ways_on(pibt, astar_pibt_kind(pibt, unit), first, unit->cell, &on) >= 2;
}

int astar_find_puller(const AstarPibt *pibt, uint32_t index, int best_way, bool leads_nearer)
{
    const AstarPibtUnit *unit = &pibt->units[index];
    const AstarCrowdKind *kind = astar_pibt_kind(pibt, unit);
    uint32_t here = unit->cell, first = astar_cell_of_way(pibt, unit, best_way);
    uint32_t other = pibt->places[first].now;
    if (first == here || (pibt->is_exclusive && !pibt->takes_steps_in_turn) ||
        !may_swap(pibt, index, index) || (leads_nearer && is_wide_ahead(pibt, unit, first)))
        return ASTAR_NO_WAY;
    if (may_swap(pibt, index, other) && !astar_pibt_is_decided(&pibt->units[other]) &&
        is_swap_required(pibt, unit, &pibt->units[other], here, first) &&
        is_swap_possible(pibt, kind, first, here))
        return best_way;
    for (unsigned moves = astar_kind_moves(kind, here); moves != 0; moves &= moves - 1) {
        int way = astar_lowest_bit(moves);
        uint32_t from = astar_pibt_towards(pibt, here, way);
        uint32_t who = from == first ? ASTAR_NOBODY : pibt->places[from].now;
        if (may_swap(pibt, index, who) &&
            is_swap_required(pibt, &pibt->units[who], unit, here, first) &&
            is_swap_possible(pibt, kind, first, here))
            return way;
    }
    return ASTAR_NO_WAY;
}
