// replan_way.c -- the way of one unit among others that move, by A* over cells and steps.

#include "crowd/replan.h"

#include <string.h>

enum {
    FIRST_ENTRIES = 1 << 10,
    MOST_ENTRIES = 1 << 20, // of one search
    CELLS_A_WORK = 4,       // of spreading distances
    COPIES_A_WORK = 16
};

// ---- distances ----

// Has the table of the unit in hand at hand, and begins to fill it where it is another's.
static AstarStatus take_table(AstarReplan *replan)
{
    uint32_t unit = replan->picked[replan->turn], table = unit % replan->table_count;
    AstarStatus status = ASTAR_OK;
    if (replan->tables[table] == NULL)
        status = astar_bytes_take(replan->bytes, (size_t)replan->cell_count + 1, sizeof(uint16_t),
                                  &replan->tables[table]);
    if (status != ASTAR_OK)
        return status;
    bool is_known = replan->owners[table] == unit + 1;
    replan->owners[table] = unit + 1;
    replan->distances = replan->tables[table];
    replan->target = replan->numbers[astar_plan_way(replan->plan, unit)[replan->plan->steps]];
    replan->measure = is_known ? ASTAR_REPLAN_KNOWN : ASTAR_REPLAN_SPREADS;
    replan->pace = replan->room->kinds[replan->units[unit].kind];
    replan->pace.is_uniform = true;
    replan->pace.lengths[0] = replan->pace.lengths[1] = replan->pace.shortest = 1;
    replan->pace.packing = (AstarPacking){2, 15};
    replan->at = 1;
    return ASTAR_OK;
}

// Notes what was spread to all cells.
static AstarStatus copy_alone_distances(AstarReplan *replan, uint64_t *work)
{
    const AstarFieldBuild *build = &replan->room->build;
    while (replan->at <= replan->cell_count) {
        if (*work == 0)
            return ASTAR_RUNNING;
        for (int i = 0; i < COPIES_A_WORK && replan->at <= replan->cell_count; i++, replan->at++) {
            uint32_t known = build->distances[replan->cells[replan->at]];
            uint64_t distance = known < build->base ? UINT64_MAX : known - build->base;
            replan->distances[replan->at] = distance < ASTAR_REPLAN_NO_WAY ? (uint16_t)distance
                                                                           : ASTAR_REPLAN_NO_WAY;
        }
        --*work;
    }
    return ASTAR_OK;
}

// What is less than a work is paid in the end, so that it comes to the same however often it stops.
static AstarStatus spread_steps(AstarReplan *replan, uint64_t *work)
{
    uint64_t cells = *work < UINT64_MAX / CELLS_A_WORK ? *work * CELLS_A_WORK : UINT64_MAX;
    uint64_t left = cells - replan->unpaid;
    AstarStatus status = astar_room_spread(replan->room, &replan->pace,
                                           replan->cells[replan->target], &left);
    uint64_t spent = cells - left, rest = spent % CELLS_A_WORK;
    *work -= spent / CELLS_A_WORK + (status == ASTAR_OK && rest > 0);
    replan->unpaid = status == ASTAR_OK ? 0 : rest;
    return status;
}

AstarStatus astar_replan_measure(AstarReplan *replan, uint64_t *work)
{
    uint32_t unit = replan->picked[replan->turn];
    AstarStatus status = ASTAR_OK;
    if (replan->measure == ASTAR_REPLAN_UNKNOWN)
        status = take_table(replan);
    if (status == ASTAR_OK && replan->measure == ASTAR_REPLAN_SPREADS) {
        status = spread_steps(replan, work);
        if (status == ASTAR_OK)
            replan->measure = ASTAR_REPLAN_COPIES;
    }
    if (status == ASTAR_OK && replan->measure == ASTAR_REPLAN_COPIES)
        status = copy_alone_distances(replan, work);
    if (status != ASTAR_OK)
        return status;
    replan->measure = ASTAR_REPLAN_KNOWN;
    uint32_t start = replan->numbers[astar_plan_way(replan->plan, unit)[0]];
    replan->shortest[unit] = astar_replan_steps_left(replan, start);
    return ASTAR_OK;
}

unsigned astar_replan_steps(const AstarReplan *replan, uint32_t unit, uint32_t cell)
{
    return astar_kind_moves(&replan->room->kinds[replan->units[unit].kind], replan->cells[cell]);
}

// ---- entries ----

// Makes room for all that one expansion adds.
static AstarStatus need_entries(AstarReplan *replan)
{
    if (replan->entry_count + ASTAR_WAYS <= replan->entry_capacity)
        return ASTAR_OK;
    size_t before = replan->entry_capacity, wanted = before == 0 ? FIRST_ENTRIES : 2 * before;
    AstarReplanEntry *entries;
    if (wanted > MOST_ENTRIES)
        return ASTAR_OUT_OF_BYTES;
    AstarStatus status = astar_bytes_take(replan->bytes, wanted, sizeof *entries, &entries);
    if (status != ASTAR_OK)
        return status;
    if (replan->entry_count > 0)
        memcpy(entries, replan->entries, replan->entry_count * sizeof *entries);
    astar_bytes_give(replan->bytes, replan->entries, before, sizeof *entries);
    replan->entries = entries;
    replan->entry_capacity = wanted;
    return ASTAR_OK;
}

// Forgets all entries.
static void clear_entries(AstarReplan *replan)
{
    for (uint32_t i = 0; i < replan->entry_count; i++)
        replan->seen[replan->entries[i].step][replan->entries[i].cell >> 6] = 0;
    replan->entry_count = 0;
}

// Adds an entry, unless there is one, or it does not pay.
static inline void put_replan_entry(AstarReplan *replan, uint32_t cell, uint32_t step,
                                    uint32_t parent)
{
    uint64_t *seen = &replan->seen[step][cell >> 6], bit = (uint64_t)1 << (cell & 63);
    uint32_t arrival = step + astar_replan_steps_left(replan, cell);
    if ((*seen & bit) != 0)
        return;
    *seen |= bit;
    if (arrival < replan->free_from)
        arrival = replan->free_from;
    uint32_t index = replan->entry_count++;
    replan->entries[index] = (AstarReplanEntry){cell, step, parent, replan->buckets[arrival]};
    replan->buckets[arrival] = index + 1;
}

// Whether it pays to be in a cell after some step.
static inline bool pays(const AstarReplan *replan, uint32_t cell, uint32_t step)
{
    uint32_t left = astar_replan_steps_left(replan, cell);
    return left != ASTAR_REPLAN_NO_WAY && step + left <= replan->most;
}

// ---- beside others ----

// Who is in a cell after a step: a unit + 1, or 0.
static inline uint32_t who_is_at(const AstarReplan *replan, uint32_t step, uint32_t cell)
{
    return replan->takers[step][cell];
}

// Where somebody is after a step.
static inline uint32_t cell_of_taker(const AstarReplan *replan, uint32_t step, uint32_t taker)
{
    return astar_plan_way(replan->plan, taker - 1)[step];
}

// The direction from a cell of the grid to a neighbour, ASTAR_WAY_STAY for itself.
static int way_between(const AstarReplan *replan, uint32_t from, uint32_t to)
{
    if (from == to)
        return ASTAR_WAY_STAY;
    int x, y, to_x, to_y;
    astar_cell_xy(replan->room->grid, from, &x, &y);
    astar_cell_xy(replan->room->grid, to, &to_x, &to_y);
    for (int way = 0; way < ASTAR_DIRECTIONS; way++)
        if (astar_dx[way] == to_x - x && astar_dy[way] == to_y - y)
            return way;
    return ASTAR_WAY_STAY;
}

// Whether who goes from one cell of the grid to another is far enough from who goes 'way'.
static bool is_clear_of(const AstarReplan *replan, uint32_t from, uint32_t to, int way, bool enters)
{
    int others = way_between(replan, from, to);
    return others == ASTAR_WAY_STAY ||
           !(enters ? astar_is_against(others, way) : astar_is_against(way, others));
}

// Whether a diagonal step, or one among such, comes too near to any of others.
static bool goes_aslant(const AstarReplan *replan, uint32_t step, uint32_t cell, uint32_t to,
                        int way)
{
    uint32_t here = replan->cells[cell], there = replan->cells[to];
    uint32_t leaver = who_is_at(replan, step, to), follower = who_is_at(replan, step + 1, cell);
    if (leaver != 0 &&
        !is_clear_of(replan, there, cell_of_taker(replan, step + 1, leaver), way, false))
        return false;
    if (follower != 0 &&
        !is_clear_of(replan, cell_of_taker(replan, step, follower), here, way, true))
        return false;
    if ((way & 1) == 0)
        return true;
    uint32_t left = astar_replan_beside(replan, cell, (way + 7) & 7);
    uint32_t right = astar_replan_beside(replan, cell, (way + 1) & 7);
    uint32_t crosser = who_is_at(replan, step, left), other = who_is_at(replan, step, right);
    return !(crosser != 0 && crosser == who_is_at(replan, step + 1, right)) &&
           !(other != 0 && other == who_is_at(replan, step + 1, left));
}

// Whether a unit can go from a cell in a direction at a step, with all others as they are.
static inline bool goes_beside_takers(const AstarReplan *replan, uint32_t step, uint32_t cell,
                                      uint32_t to, int way)
{
    if (who_is_at(replan, step + 1, to) != 0)
        return false;
    if (replan->has_diagonals)
        return goes_aslant(replan, step, cell, to, way);
    uint32_t leaver = who_is_at(replan, step, to);
    return leaver == 0 || leaver != who_is_at(replan, step + 1, cell);
}

// ---- the search ----

static void expand_entry(AstarReplan *replan, unsigned ways, uint32_t index)
{
    uint32_t cell = replan->entries[index].cell, step = replan->entries[index].step;
    for (; ways != 0; ways &= ways - 1) {
        int way = astar_lowest_bit(ways);
        uint32_t to = astar_replan_beside(replan, cell, way);
        if (pays(replan, to, step + 1) && goes_beside_takers(replan, step, cell, to, way))
            put_replan_entry(replan, to, step + 1, index);
    }
    if (pays(replan, cell, step + 1) && who_is_at(replan, step + 1, cell) == 0)
        put_replan_entry(replan, cell, step + 1, index);
}

// Writes the way that ends in an entry into the plan; from there on the unit stays.
static void write_way(AstarReplan *replan, uint32_t unit, const AstarReplanEntry *entry)
{
    uint32_t *way = astar_plan_way(replan->plan, unit);
    for (uint32_t step = replan->plan->steps; step > entry->step; step--)
        way[step] = replan->cells[replan->target];
    for (; entry->step > 0; entry = &replan->entries[entry->parent])
        way[entry->step] = replan->cells[entry->cell];
}

// From which step on nobody comes any more to where the unit in hand arrives.
static uint32_t free_from_step(const AstarReplan *replan)
{
    uint32_t step = replan->plan->steps + 1;
    while (step > 0 && who_is_at(replan, step - 1, replan->target) == 0)
        step--;
    return step;
}

AstarStatus astar_replan_begin_way(AstarReplan *replan, uint32_t most)
{
    uint32_t unit = replan->picked[replan->turn];
    uint32_t start = replan->numbers[astar_plan_way(replan->plan, unit)[0]];
    AstarStatus status = replan->sweep.words > 0 ? ASTAR_OK : need_entries(replan);
    if (status != ASTAR_OK)
        return status;
    replan->free_from = free_from_step(replan);
    bool pays_off = most >= replan->free_from && most >= replan->shortest[unit];
    replan->most = most;
    replan->bucket = pays_off ? 0 : most + 1;
    if (replan->sweep.words > 0) {
        astar_replan_sweep_begin(replan, start);
        return ASTAR_OK;
    }
    memset(replan->buckets, 0, replan->rows * sizeof *replan->buckets);
    if (pays_off)
        put_replan_entry(replan, start, 0, 0);
    return ASTAR_OK;
}

// ASTAR_RUNNING, or what the search comes to.
static AstarStatus search_some(AstarReplan *replan, uint64_t *work)
{
    uint32_t unit = replan->picked[replan->turn];
    for (; replan->bucket <= replan->most; --*work) {
        if (*work == 0)
            return ASTAR_RUNNING;
        uint32_t first = replan->buckets[replan->bucket];
        if (first == 0) {
            replan->bucket++;
            continue;
        }
        AstarStatus status = need_entries(replan);
        if (status != ASTAR_OK)
            return status == ASTAR_OUT_OF_BYTES ? ASTAR_UNREACHABLE : status;
        const AstarReplanEntry *entry = &replan->entries[first - 1];
        replan->buckets[replan->bucket] = entry->next;
        if (entry->cell == replan->target && entry->step >= replan->free_from) {
            write_way(replan, unit, entry);
            replan->bucket = entry->step;
            return ASTAR_OK;
        }
        if (entry->step < replan->plan->steps)
            expand_entry(replan, astar_replan_steps(replan, unit, entry->cell), first - 1);
    }
    return ASTAR_UNREACHABLE;
}

AstarStatus astar_replan_search_way(AstarReplan *replan, uint64_t *work)
{
    uint32_t unit = replan->picked[replan->turn];
    AstarStatus status;
    if (replan->sweep.words > 0)
        status = astar_replan_sweep(replan, unit, work);
    else
        status = search_some(replan, work);
    if (status == ASTAR_OK || status == ASTAR_UNREACHABLE)
        clear_entries(replan);
    if (status == ASTAR_OK) {
        astar_replan_put(replan, unit, true);
        replan->sum_after += replan->bucket;
    }
    return status;
}
