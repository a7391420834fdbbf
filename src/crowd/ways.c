// ways.c -- ways by how near they lead, ties by a hash.

#include "crowd/ways.h"

// What is known nothing of comes last.
enum { WAY_COST_UNKNOWN = 0x10000 };

int64_t astar_farther(const AstarPibt *pibt, const AstarGoalField *field, uint32_t from,
                      uint32_t to)
{
    uint32_t here = astar_goal_field_value(pibt->grid, field, from);
    uint32_t there = astar_goal_field_value(pibt->grid, field, to);
    return here == ASTAR_NO_VALUE || there == ASTAR_NO_VALUE
               ? ASTAR_UNKNOWN_FARTHER
               : astar_goal_field_difference(field, there, here);
}

// Steps that lead nearer come first, those on a best route before others, then to stay, then steps
// that lead away, by how far.
static inline uint32_t cost_of_way(const AstarGoalField *field, uint32_t here, uint32_t there,
                                   uint32_t step)
{
    if (there == ASTAR_NO_VALUE)
        return WAY_COST_UNKNOWN;
    if (here == ASTAR_NO_VALUE)
        return 0;
    int64_t farther = astar_goal_field_difference(field, there, here);
    if (farther >= 0)
        return ASTAR_WAY_COST_STAY + 1 + (uint32_t)(farther < 0x7000 ? farther : 0x7000);
    int64_t more = farther + step;
    return more < 0 ? 0 : more < 0x7FFF ? (uint32_t)more : 0x7FFF;
}

// The same of who goes along a route: as if its goal lay far ahead.
static uint32_t cost_off_lead(int way, int lead)
{
    unsigned turn = (unsigned)(way - lead) & 7;
    turn = turn > 4 ? 8 - turn : turn;
    return turn < 2 ? turn : ASTAR_WAY_COST_STAY + turn;
}

uint64_t astar_mix_seed(uint64_t seed)
{
    seed = (seed ^ seed >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    seed = (seed ^ seed >> 27) * UINT64_C(0x94D049BB133111EB);
    return seed ^ seed >> 31;
}

// The best of the links that a unit can take from where it is, or NULL.
static const AstarArc *astar_best_link(const AstarPibt *pibt, const AstarPibtUnit *unit,
                                       uint32_t *cost)
{
    const AstarGrid *grid = pibt->grid;
    const AstarCrowdKind *kind = astar_pibt_kind(pibt, unit);
    if (!astar_grid_has_links(grid))
        return NULL;
    const AstarLinksAndWalls *links = grid->links_and_walls;
    const AstarArc *best = NULL;
    uint32_t here = astar_pibt_is_led(unit) ? astar_goal_field_value(grid, unit->field, unit->cell)
                                            : ASTAR_NO_VALUE;
    const AstarArc *arc;
    for (uint32_t i = astar_arcs_first_from(links, unit->cell);
         (arc = astar_arc_at(&links->arcs, i)) != NULL && arc->from == unit->cell; i++) {
        if (!astar_bits_has(grid, kind->bits, arc->to))
            continue;
        uint32_t this_cost = WAY_COST_UNKNOWN;
        if (astar_pibt_is_led(unit))
            this_cost = cost_of_way(unit->field, here,
                                    astar_goal_field_value(grid, unit->field, arc->to),
                                    astar_kind_length_of(kind, arc->cost, false));
        if (best == NULL || this_cost < *cost) {
            best = arc;
            *cost = this_cost;
        }
    }
    return best;
}

uint32_t astar_end_of_link(const AstarPibt *pibt, const AstarPibtUnit *unit)
{
    uint32_t cost = 0;
    const AstarArc *arc = astar_best_link(pibt, unit, &cost);
    return arc != NULL ? arc->to : ASTAR_NOWHERE;
}

static inline int32_t key_of_way(bool is_taken, int way, uint32_t cost, uint64_t ties)
{
    uint32_t tie = (uint32_t)(ties >> way * 6) & 63;
    return (int32_t)(cost << 11 | (uint32_t)is_taken << 10 | tie << 4 | (uint32_t)way);
}

// Whether somebody is where a way leads, if that counts.
static inline bool is_way_taken(const AstarPibt *pibt, uint32_t to)
{
    return pibt->prefers_free && pibt->places[to].now != ASTAR_NOBODY;
}

// Adds the keys of steps by distances that are packed, over ground of one cost, as most are: the
// same as cost_of_way, without anything a processor would have to guess, and of all eight ways, as
// whole vectors. 'values' are those around.
static int add_plain_steps(const AstarPibt *pibt, const AstarPibtUnit *unit, unsigned moves,
                           const uint32_t *values, uint64_t ties, int32_t *keys)
{
    const uint32_t *lengths = astar_pibt_kind(pibt, unit)->lengths;
    int32_t modulus = (int32_t)unit->field->now.packing.modulus;
    int32_t here = (int32_t)values[ASTAR_DIRECTIONS], untied[ASTAR_DIRECTIONS];
    const int32_t straight = (int32_t)lengths[0] - modulus,
                  diagonal = (int32_t)lengths[1] - modulus;
    const int32_t steps[ASTAR_DIRECTIONS] = {straight, diagonal, straight, diagonal,
                                             straight, diagonal, straight, diagonal};
    for (int way = 0; way < ASTAR_DIRECTIONS; way++) {
        int32_t farther = (int32_t)values[way] - here;
        farther += modulus & -(farther < 0);
        int32_t on_best = farther + steps[way];
        int32_t nearer = on_best & ~-(on_best < 0), off = ASTAR_WAY_COST_STAY + 1 + farther;
        int32_t cost = off ^ ((off ^ nearer) & -(farther > modulus / 2));
        untied[way] = (values[way] == ASTAR_NO_VALUE ? WAY_COST_UNKNOWN : cost) << 11 | way;
    }
    const AstarPlace *place = &pibt->places[unit->cell];
    int count = 0, width = pibt->grid->width, taken = pibt->prefers_free ? 1 << 10 : 0;
    for (; moves != 0; moves &= moves - 1) {
        int way = astar_lowest_bit(moves);
        bool is_free = place[astar_dy[way] * width + astar_dx[way]].now == ASTAR_NOBODY;
        keys[count++] = untied[way] | (int32_t)(ties >> way * 6 & 63) << 4 | (is_free ? 0 : taken);
    }
    return count;
}

// Adds those of all steps.
static int add_steps(const AstarPibt *pibt, const AstarPibtUnit *unit, uint32_t index,
                     uint64_t ties, int32_t *keys)
{
    const AstarCrowdKind *kind = astar_pibt_kind(pibt, unit);
    unsigned moves = astar_kind_moves(kind, unit->cell);
    uint32_t values[ASTAR_DIRECTIONS + 1] = {0};
    bool is_led = astar_pibt_is_led(unit);
    int lead = is_led ? ASTAR_WAYS : astar_pibt_lead(pibt, index), count = 0;
    if (is_led) {
        astar_goal_field_around(pibt->grid, unit->field, unit->cell, moves, values);
        if (kind->is_uniform && unit->field->now.packing.modulus != 0 &&
            values[ASTAR_DIRECTIONS] != ASTAR_NO_VALUE)
            return add_plain_steps(pibt, unit, moves, values, ties, keys);
    }
    for (; moves != 0; moves &= moves - 1) {
        int way = astar_lowest_bit(moves);
        uint32_t to = astar_pibt_towards(pibt, unit->cell, way), cost = WAY_COST_UNKNOWN;
        if (is_led)
            cost = cost_of_way(unit->field, values[ASTAR_DIRECTIONS], values[way],
                               astar_kind_step(kind, to, (way & 1) != 0));
        else if (lead < ASTAR_WAYS)
            cost = cost_off_lead(way, lead);
        keys[count++] = key_of_way(is_way_taken(pibt, to), way, cost, ties);
    }
    return count;
}

// Six bits a way. With room to spare a unit rather goes straight on: then it turns as often as its
// route bends. In a crush any order that lasts would have some wait for ever.
static uint64_t ties_of_unit(const AstarPibt *pibt, const AstarPibtUnit *unit, uint32_t index)
{
    uint64_t ties = astar_mix_seed(pibt->seed + (uint64_t)index * UINT64_C(0x9E3779B97F4A7C15));
    int last = (int)(unit->ways >> ASTAR_LAST_WAY_AT & 15) - 1;
    if (!pibt->prefers_free || last < 0)
        return ties;
    return (ties | UINT64_C(0x041041041041041)) & ~(UINT64_C(63) << last * 6);
}

void astar_list_ways_of(const AstarPibt *pibt, const AstarPibtUnit *unit, uint32_t index,
                        uint32_t stay_cost, AstarWayKeys *ways)
{
    uint64_t ties = ties_of_unit(pibt, unit, index);
    *ways = (AstarWayKeys){.count = 0};
    ways->keys[0] = key_of_way(false, ASTAR_WAY_STAY, stay_cost, ties);
    ways->count = 1 + add_steps(pibt, unit, index, ties, ways->keys + 1);
    if (!astar_grid_has_links(pibt->grid))
        return;
    uint32_t cost = 0;
    const AstarArc *arc = astar_best_link(pibt, unit, &cost);
    if (arc != NULL)
        ways->keys[ways->count++] = key_of_way(is_way_taken(pibt, arc->to), ASTAR_WAY_LINK, cost,
                                               ties);
}

void astar_list_ways(const AstarPibt *pibt, uint32_t index, uint32_t stay_cost, AstarWayKeys *ways)
{
    astar_list_ways_of(pibt, &pibt->units[index], index, stay_cost, ways);
}

int astar_pibt_steps(AstarPibt *pibt, uint32_t unit, uint32_t cells[ASTAR_WAYS])
{
    AstarWayKeys ways;
    astar_list_ways(pibt, unit, ASTAR_WAY_COST_LAST, &ways);
    uint64_t sorted = astar_sort_ways(&ways);
    for (int i = 0; i < ways.count; i++)
        cells[i] = astar_cell_of_way(pibt, &pibt->units[unit], astar_way_at(sorted, i));
    return ways.count;
}

int astar_way_to(const AstarPibt *pibt, const AstarPibtUnit *unit, uint32_t cell)
{
    if (cell == unit->cell)
        return ASTAR_WAY_STAY;
    for (unsigned moves = astar_kind_moves(astar_pibt_kind(pibt, unit), unit->cell); moves != 0;
         moves &= moves - 1)
        if (astar_pibt_towards(pibt, unit->cell, astar_lowest_bit(moves)) == cell)
            return astar_lowest_bit(moves);
    return astar_cell_of_way(pibt, unit, ASTAR_WAY_LINK) == cell ? ASTAR_WAY_LINK : -1;
}
