// large_units.c -- keeping right, and giving way straight ahead.

#include "crowd/ways.h"

// How many times its size ahead a unit looks for who comes against it, and how many steps off it
// still waits to get into the lane on its right.
enum { PIBT_OUTLOOK = 6, PIBT_WAITS_FROM = 4 };

// Whether another unit wants past one that goes this way: about the opposite brings it nearer to a
// goal of its own.
static bool comes_against(const AstarPibt *pibt, const AstarPibtUnit *unit,
                          const AstarPibtUnit *other, int way)
{
    if (other->field == NULL || (other->flags & ASTAR_PIBT_SETTLED) != 0 ||
        astar_is_same_goal(other->field, unit->field))
        return false;
    if (!astar_pibt_is_led(other)) {
        int lead = astar_pibt_lead(pibt, (uint32_t)(other - pibt->units));
        return lead < ASTAR_WAYS && astar_is_against(lead, way);
    }
    int x, y;
    astar_cell_xy(pibt->grid, other->cell, &x, &y);
    for (int turn = 3; turn <= 5; turn++) {
        int to_x = x + astar_dx[(way + turn) & 7], to_y = y + astar_dy[(way + turn) & 7];
        if (astar_inside(pibt->grid, to_x, to_y) &&
            astar_pibt_is_nearer(pibt, other->field, other->cell,
                                 astar_cell(pibt->grid, to_x, to_y)))
            return true;
    }
    return false;
}

// The next unit that one would cover cells of so many steps on; ASTAR_NOBODY where none is left.
static uint32_t next_there(const AstarPibt *pibt, uint32_t index, int way, int steps, int *at)
{
    const AstarPibtUnit *unit = &pibt->units[index];
    int size = astar_pibt_size(pibt, unit), x, y;
    astar_cell_xy(pibt->grid, unit->cell, &x, &y);
    x += steps * astar_dx[way];
    y += steps * astar_dy[way];
    if (x < 0 || y < 0 || x + size > pibt->grid->width || y + size > pibt->grid->height)
        return ASTAR_NOBODY;
    AstarCellArea area = {astar_cell(pibt->grid, x, y), size, size};
    return astar_next_in_area(pibt, &area, index, at);
}

// Whether it would be one that comes against it, either large.
static bool meets_there(const AstarPibt *pibt, uint32_t index, int way, int steps)
{
    const AstarPibtUnit *unit = &pibt->units[index];
    int at = 0;
    for (uint32_t who; (who = next_there(pibt, index, way, steps, &at)) != ASTAR_NOBODY;) {
        const AstarPibtUnit *other = &pibt->units[who];
        if ((astar_pibt_size(pibt, unit) > 1 || astar_pibt_size(pibt, other) > 1) &&
            comes_against(pibt, unit, other, way))
            return true;
    }
    return false;
}

// Whether somebody is on its right who does not: it gets into that lane behind that one.
static bool is_right_taken(const AstarPibt *pibt, uint32_t index, int way)
{
    int at = 0;
    uint32_t who = next_there(pibt, index, (way + 2) & 7, 1, &at);
    return who != ASTAR_NOBODY && !comes_against(pibt, &pibt->units[index], &pibt->units[who], way);
}

// Puts a way before all others, and among the first 'nearer', which one that is asked may take.
static void put_way_first(uint64_t *sorted, int count, int way, int *nearer)
{
    int at = 0;
    while (at < count && astar_way_at(*sorted, at) != way)
        at++;
    if (at == count)
        return;
    uint64_t before = *sorted & ((UINT64_C(1) << 4 * at) - 1);
    *sorted = *sorted >> 4 * (at + 1) << 4 * (at + 1) | before << 4 | (uint64_t)way;
    *nearer += at >= *nearer;
}

bool astar_keep_right(const AstarPibt *pibt, uint32_t index, uint64_t *sorted, int count,
                      int *nearer)
{
    const AstarPibtUnit *unit = &pibt->units[index];
    int best = astar_way_at(*sorted, 0), size = astar_pibt_size(pibt, unit), steps = 1;
    if (best >= ASTAR_WAY_STAY || (unit->flags & ASTAR_PIBT_SETTLED) != 0 ||
        (!astar_pibt_is_led(unit) && astar_pibt_lead(pibt, index) >= ASTAR_WAYS))
        return false;
    while (steps <= PIBT_OUTLOOK * size && !meets_there(pibt, index, best, steps))
        steps += size;
    if (steps > PIBT_OUTLOOK * size || (astar_mix_seed(pibt->seed ^ index) & 3) == 0)
        return false;
    int most = steps > 1 ? 1 : 2 + (best & 1);
    for (int turn = 1; turn <= most; turn++)
        put_way_first(sorted, count, (best + turn) & 7, nearer);
    if (steps > PIBT_WAITS_FROM && is_right_taken(pibt, index, best))
        put_way_first(sorted, count, ASTAR_WAY_STAY, nearer);
    return true;
}

uint64_t astar_give_way(const AstarPibtUnit *unit, int push, const AstarWayKeys *ways,
                        uint64_t sorted)
{
    if (push >= ASTAR_WAY_STAY)
        return sorted;
    unsigned own = (unsigned)(astar_way_at(sorted, 0) - push) & 7;
    bool is_settled = unit->field == NULL || (unit->flags & ASTAR_PIBT_SETTLED) != 0;
    if (!is_settled && ((unit->flags & ASTAR_PIBT_PRESSED) == 0 || own <= 1 || own == 7))
        return sorted;
    AstarWayKeys turned = {.count = ways->count};
    for (int i = 0; i < ways->count; i++) {
        uint32_t way = ways->keys[i] & 15, turn = (way - (unsigned)push) & 7;
        uint32_t cost = way >= ASTAR_WAY_STAY ? 8 : turn > 4 ? 8 - turn : turn;
        turned.keys[i] = (ways->keys[i] & 0x7FF) | (int32_t)(cost << 11);
    }
    return astar_sort_ways(&turned);
}
