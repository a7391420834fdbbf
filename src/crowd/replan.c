// replan.c -- a few units at a time get better ways among all others.

#include "crowd/replan.h"

#include <string.h>

enum {
    BARREN_ROUNDS_A_UNIT = 40, // after so many without a gain there is hardly one to be had
    FIRST_ENTRIES = 1 << 10,
    MOST_ENTRIES = 1 << 20, // of one search
    CELLS_A_WORK = 8        // of looking at what is known
};

#define NO_DISTANCE UINT16_MAX

// ---- life ----

// Numbers the cells in which units of any kind can be.
static AstarStatus number_cells(AstarReplan *replan)
{
    const AstarRoom *room = replan->room;
    AstarStatus status = astar_bytes_take(replan->bytes, room->grid->cells, sizeof *replan->numbers,
                                          &replan->numbers);
    if (status != ASTAR_OK)
        return status;
    for (size_t kind = 0; kind < room->kind_count; kind++)
        replan->has_diagonals |= room->more[kind].is_open &&
                                 room->kinds[kind].finder->rule->has_diagonals;
    for (int y = room->y; y < room->y + room->height; y++)
        for (int x = room->x; x < room->x + room->width; x++) {
            bool is_any = false;
            for (size_t kind = 0; kind < room->kind_count && !is_any; kind++)
                is_any = room->more[kind].is_open && astar_bits_get(&room->more[kind].bits, x, y);
            if (is_any)
                replan->numbers[astar_cell(room->grid, x, y)] = ++replan->cell_count;
        }
    return ASTAR_OK;
}

// Tables of distances take up half of what is left beside all else.
static void choose_table_count(AstarReplan *replan)
{
    const AstarBytes *bytes = replan->bytes;
    uint64_t table = ((uint64_t)replan->cell_count + 1) * sizeof(uint16_t);
    uint64_t needed = (table + ASTAR_REPLAN_MOST * sizeof(uint32_t)) * replan->rows;
    uint64_t left = bytes->most - bytes->used;
    uint64_t count = left > needed ? (left - needed) / 2 / table : 0;
    replan->table_count = count < 1                     ? 1
                          : count < replan->plan->count ? (uint32_t)count
                                                        : replan->plan->count;
}

// The arrays it writes, and how many elements of which size each has.
typedef struct ReplanArray {
    void *place;
    size_t count, size;
} ReplanArray;

enum { REPLAN_ARRAYS = 8 };

// What is more than there can be stays so, where sizes have 32 bits as well.
static size_t product_of(uint64_t a, uint64_t b)
{
    return a * b < SIZE_MAX ? (size_t)(a * b) : SIZE_MAX;
}

static void list_arrays(AstarReplan *replan, ReplanArray list[REPLAN_ARRAYS])
{
    size_t cells = replan->cell_count, units = replan->plan->count, rows = replan->rows;
    ReplanArray arrays[REPLAN_ARRAYS] = {
        {&replan->queue, cells, sizeof(uint32_t)},
        {&replan->tables, product_of(cells, replan->table_count), sizeof(uint16_t)},
        {&replan->owners, replan->table_count, sizeof(uint32_t)},
        {&replan->buckets, rows, sizeof(uint32_t)},
        {&replan->takers, product_of(cells, rows), sizeof(uint16_t)},
        {&replan->arrivals, units, sizeof(uint32_t)},
        {&replan->shortest, units, sizeof(uint32_t)},
        {&replan->before, ASTAR_REPLAN_MOST * rows, sizeof(uint32_t)},
    };
    memcpy(list, arrays, sizeof arrays);
}

void astar_replan_free(AstarReplan *replan)
{
    AstarBytes *bytes = replan->bytes;
    ReplanArray arrays[REPLAN_ARRAYS];
    if (bytes == NULL)
        return;
    list_arrays(replan, arrays);
    for (int i = 0; i < REPLAN_ARRAYS; i++) {
        void *block;
        memcpy(&block, arrays[i].place, sizeof block);
        astar_bytes_give(bytes, block, arrays[i].count, arrays[i].size);
    }
    astar_bytes_give(bytes, replan->numbers, replan->room->grid->cells, sizeof *replan->numbers);
    astar_bytes_give(bytes, replan->entries, replan->entry_capacity, sizeof *replan->entries);
    astar_bytes_give(bytes, replan->slots, 2 * replan->entry_capacity, sizeof *replan->slots);
    *replan = (AstarReplan){0};
}

AstarStatus astar_replan_begin(AstarReplan *replan, AstarBytes *bytes, AstarPlan *plan,
                               const AstarRoom *room, const AstarPibtUnit *units,
                               const uint32_t *groups)
{
    *replan = (AstarReplan){.bytes = bytes,
                            .plan = plan,
                            .room = room,
                            .units = units,
                            .groups = groups,
                            .rows = plan->steps + 1};
    ReplanArray arrays[REPLAN_ARRAYS];
    AstarStatus status = number_cells(replan);
    choose_table_count(replan);
    list_arrays(replan, arrays);
    for (int i = 0; i < REPLAN_ARRAYS && status == ASTAR_OK; i++)
        status = astar_bytes_take(bytes, arrays[i].count, arrays[i].size, arrays[i].place);
    if (status != ASTAR_OK)
        astar_replan_free(replan);
    return status;
}

// ---- who is where ----

static inline uint16_t *taker_at(const AstarReplan *replan, uint32_t step, uint32_t number)
{
    return &replan->takers[(size_t)step * replan->cell_count + number - 1];
}

// Who is in a cell after a step: a unit + 1, or 0.
static inline uint32_t who_is_at(const AstarReplan *replan, uint32_t step, uint32_t cell)
{
    return *taker_at(replan, step, replan->numbers[cell]);
}

static inline uint32_t *cell_of_unit(const AstarReplan *replan, uint32_t step, uint32_t unit)
{
    return &astar_plan_row(replan->plan, step)[unit];
}

// Puts a unit where the plan has it, or takes it out.
static void put_taker(AstarReplan *replan, uint32_t unit, bool is_there)
{
    for (uint32_t step = 0; step <= replan->plan->steps; step++)
        *taker_at(replan, step, replan->numbers[*cell_of_unit(replan, step, unit)]) =
            (uint16_t)(is_there ? unit + 1 : 0);
}

static AstarStatus fill_takers(AstarReplan *replan, uint64_t *work)
{
    const AstarPlan *plan = replan->plan;
    for (; replan->filled <= plan->steps; replan->filled++) {
        if (*work == 0)
            return ASTAR_RUNNING;
        *work -= plan->count / CELLS_A_WORK < *work ? plan->count / CELLS_A_WORK : *work;
        for (uint32_t i = 0; i < plan->count; i++)
            *taker_at(replan, replan->filled,
                      replan->numbers[*cell_of_unit(replan, replan->filled, i)]) = (uint16_t)(i +
                                                                                              1);
    }
    for (uint32_t i = 0; i < plan->count; i++) {
        replan->arrivals[i] = astar_plan_arrival(plan, replan->room->groups, i, replan->groups[i]);
        replan->sum += replan->arrivals[i];
    }
    replan->stage = ASTAR_REPLAN_PICK;
    return ASTAR_OK;
}

// ---- picking ----

static uint32_t roll(AstarReplan *replan, uint32_t below)
{
    uint64_t dice = replan->dice += UINT64_C(0x9E3779B97F4A7C15);
    dice = (dice ^ dice >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    dice = (dice ^ dice >> 27) * UINT64_C(0x94D049BB133111EB);
    return (uint32_t)((dice >> 32) * below >> 32);
}

static bool is_picked(const AstarReplan *replan, uint32_t unit)
{
    for (uint32_t i = 0; i < replan->picked_count; i++)
        if (replan->picked[i] == unit)
            return true;
    return false;
}

static void pick_unit(AstarReplan *replan, uint32_t unit)
{
    if (replan->picked_count < replan->wanted && replan->groups[unit] != 0 &&
        !is_picked(replan, unit))
        replan->picked[replan->picked_count++] = unit;
}

static bool could_gain(const AstarReplan *replan, uint32_t unit)
{
    return replan->arrivals[unit] > replan->shortest[unit];
}

// Picks the first unit of a round, one that could arrive sooner.
static bool begin_replan_round(AstarReplan *replan)
{
    const AstarPlan *plan = replan->plan;
    uint32_t unit = roll(replan, plan->count), tries = 0;
    for (; tries < plan->count && !could_gain(replan, unit); tries++)
        unit = unit + 1 < plan->count ? unit + 1 : 0;
    if (tries == plan->count || replan->barren > (uint64_t)BARREN_ROUNDS_A_UNIT * plan->count)
        return false;
    replan->barren++;
    replan->picked_count = replan->turn = 0;
    replan->wanted = 1 + roll(replan, 4);
    pick_unit(replan, unit);
    replan->stage = ASTAR_REPLAN_MEASURE;
    replan->is_measured = false;
    return true;
}

// ---- distances ----

static inline uint32_t steps_left_from(const AstarReplan *replan, uint32_t cell)
{
    return replan->distances[replan->numbers[cell] - 1];
}

static inline bool can_arrive_from(const AstarReplan *replan, uint32_t cell)
{
    return steps_left_from(replan, cell) != NO_DISTANCE;
}

static void queue_cell(AstarReplan *replan, uint32_t cell, uint32_t distance)
{
    if (can_arrive_from(replan, cell))
        return;
    replan->distances[replan->numbers[cell] - 1] = (uint16_t)distance;
    replan->queue[replan->tail++] = cell;
}

// The steps into a cell, or out of it, by direction.
static unsigned steps_about(const AstarReplan *replan, uint32_t unit, uint32_t cell, bool is_into)
{
    const AstarRoom *room = replan->room;
    uint32_t kind = replan->units[unit].kind;
    int x, y;
    astar_cell_xy(room->grid, cell, &x, &y);
    return astar_legal_moves_on(room->grid, room->kinds[kind].finder->rule, x, y,
                                astar_bits_around(&room->more[kind].bits, x, y), is_into);
}

static inline uint32_t cell_in(const AstarReplan *replan, uint32_t cell, int direction)
{
    return cell + (uint32_t)(astar_dy[direction] * replan->room->grid->width + astar_dx[direction]);
}

// Has the table of the unit in hand at hand; whether it is to be filled.
static bool take_table(AstarReplan *replan)
{
    uint32_t unit = replan->picked[replan->turn], table = unit % replan->table_count;
    replan->distances = replan->tables + (size_t)table * replan->cell_count;
    replan->target = *cell_of_unit(replan, replan->plan->steps, unit);
    replan->is_measured = true;
    replan->head = replan->tail = 0;
    if (replan->owners[table] == unit + 1)
        return false;
    replan->owners[table] = unit + 1;
    memset(replan->distances, 0xFF, replan->cell_count * sizeof *replan->distances);
    queue_cell(replan, replan->target, 0);
    return true;
}

// Counts the steps from all cells to where the unit in hand arrives.
static AstarStatus measure_steps(AstarReplan *replan, uint64_t *work)
{
    uint32_t unit = replan->picked[replan->turn];
    if (!replan->is_measured && take_table(replan))
        *work -= replan->cell_count / CELLS_A_WORK / 8 < *work
                     ? replan->cell_count / CELLS_A_WORK / 8
                     : *work;
    while (replan->head < replan->tail) {
        if (*work == 0)
            return ASTAR_RUNNING;
        --*work;
        uint32_t cell = replan->queue[replan->head++], next = steps_left_from(replan, cell) + 1;
        unsigned from = next < NO_DISTANCE ? steps_about(replan, unit, cell, true) : 0;
        for (; from != 0; from &= from - 1)
            queue_cell(replan, cell_in(replan, cell, astar_lowest_bit(from)), next);
    }
    replan->shortest[unit] = steps_left_from(replan, *cell_of_unit(replan, 0, unit));
    return ASTAR_OK;
}

// ---- who is in the way ----

// Goes on along a shortest way from where a unit is after some step, and picks whom it meets.
static void gather_units(AstarReplan *replan)
{
    uint32_t unit = replan->picked[0], step = roll(replan, replan->arrivals[unit]);
    uint32_t cell = *cell_of_unit(replan, step, unit);
    for (; cell != replan->target && step < replan->plan->steps; step++) {
        unsigned ways = steps_about(replan, unit, cell, false), nearer = 0;
        for (unsigned rest = ways; rest != 0; rest &= rest - 1) {
            uint32_t to = cell_in(replan, cell, astar_lowest_bit(rest));
            if (can_arrive_from(replan, to) &&
                steps_left_from(replan, to) < steps_left_from(replan, cell))
                nearer |= rest & (~rest + 1);
        }
        if (nearer == 0)
            return;
        for (uint32_t skip = roll(replan, astar_count_bits(nearer)); skip > 0; skip--)
            nearer &= nearer - 1;
        uint32_t to = cell_in(replan, cell, astar_lowest_bit(nearer));
        if (who_is_at(replan, step + 1, to) != 0)
            pick_unit(replan, who_is_at(replan, step + 1, to) - 1);
        if (who_is_at(replan, step, to) != 0)
            pick_unit(replan, who_is_at(replan, step, to) - 1);
        cell = to;
    }
}

// Takes the units in hand out of the plan.
static void take_out_picked(AstarReplan *replan)
{
    uint32_t steps = replan->plan->steps;
    replan->sum_before = replan->sum_after = 0;
    for (uint32_t i = 0; i < replan->picked_count; i++) {
        uint32_t unit = replan->picked[i];
        replan->sum_before += replan->arrivals[unit];
        for (uint32_t step = 0; step <= steps; step++)
            replan->before[(size_t)i * replan->rows + step] = *cell_of_unit(replan, step, unit);
        put_taker(replan, unit, false);
    }
    replan->has_taken_out = true;
}

// Puts the units in hand back where they were; some of them have new ways by now.
static void put_back_picked(AstarReplan *replan)
{
    for (uint32_t i = 0; i < replan->turn; i++)
        put_taker(replan, replan->picked[i], false);
    for (uint32_t i = 0; i < replan->picked_count; i++) {
        uint32_t unit = replan->picked[i];
        for (uint32_t step = 0; step <= replan->plan->steps; step++)
            *cell_of_unit(replan, step, unit) = replan->before[(size_t)i * replan->rows + step];
        put_taker(replan, unit, true);
    }
    replan->has_taken_out = false;
}

static void keep_picked(AstarReplan *replan)
{
    if (replan->sum_after < replan->sum_before)
        replan->barren = 0;
    replan->sum -= replan->sum_before - replan->sum_after;
    for (uint32_t i = 0; i < replan->picked_count; i++) {
        uint32_t unit = replan->picked[i];
        replan->arrivals[unit] = astar_plan_arrival(replan->plan, replan->room->groups, unit,
                                                    replan->groups[unit]);
    }
    replan->has_taken_out = false;
}

// From which step on nobody comes any more to where the unit in hand arrives.
static uint32_t free_from_step(const AstarReplan *replan)
{
    uint32_t step = replan->plan->steps + 1;
    while (step > 0 && who_is_at(replan, step - 1, replan->target) == 0)
        step--;
    return step;
}

// By how many steps the unit in hand may be late at most, with the others as they are and are to
// be.
static uint64_t latest_arrival(const AstarReplan *replan)
{
    uint64_t others = replan->sum_after;
    for (uint32_t i = replan->turn + 1; i < replan->picked_count; i++)
        others += replan->shortest[replan->picked[i]];
    if (others > replan->sum_before)
        return 0;
    uint64_t latest = replan->sum_before - others;
    return latest < replan->plan->steps ? latest : replan->plan->steps;
}

// ---- entries ----

// The slot of a cell after some step: that of its entry, or a free one.
static uint32_t slot_of_entry(const AstarReplan *replan, uint32_t cell, uint32_t step)
{
    uint64_t hash = ((uint64_t)step << 32 | cell) * UINT64_C(0x9E3779B97F4A7C15);
    uint32_t mask = (uint32_t)(2 * replan->entry_capacity - 1),
             slot = (uint32_t)(hash >> 32) & mask;
    for (;; slot = (slot + 1) & mask) {
        uint32_t index = replan->slots[slot];
        if (index >= replan->entry_count || replan->entries[index].slot != slot)
            return slot;
        if (replan->entries[index].cell == cell && replan->entries[index].step == step)
            return slot;
    }
}

// Whether a slot is that of an entry.
static bool is_slot_taken(const AstarReplan *replan, uint32_t slot)
{
    uint32_t index = replan->slots[slot];
    return index < replan->entry_count && replan->entries[index].slot == slot;
}

// Makes room for all that one expansion adds.
static AstarStatus need_entries(AstarReplan *replan)
{
    if (replan->entry_count + ASTAR_WAYS <= replan->entry_capacity)
        return ASTAR_OK;
    size_t before = replan->entry_capacity, wanted = before == 0 ? FIRST_ENTRIES : 2 * before;
    AstarReplanEntry *entries;
    uint32_t *slots;
    if (wanted > MOST_ENTRIES)
        return ASTAR_OUT_OF_BYTES;
    AstarStatus status = astar_bytes_take(replan->bytes, wanted, sizeof *entries, &entries);
    if (status != ASTAR_OK)
        return status;
    status = astar_bytes_take(replan->bytes, 2 * wanted, sizeof *slots, &slots);
    if (status != ASTAR_OK) {
        astar_bytes_give(replan->bytes, entries, wanted, sizeof *entries);
        return status;
    }
    uint32_t count = replan->entry_count;
    if (count > 0)
        memcpy(entries, replan->entries, count * sizeof *entries);
    astar_bytes_give(replan->bytes, replan->entries, before, sizeof *entries);
    astar_bytes_give(replan->bytes, replan->slots, 2 * before, sizeof *slots);
    replan->entries = entries;
    replan->slots = slots;
    replan->entry_capacity = wanted;
    for (replan->entry_count = 0; replan->entry_count < count; replan->entry_count++) {
        AstarReplanEntry *entry = &entries[replan->entry_count];
        entry->slot = slot_of_entry(replan, entry->cell, entry->step);
        slots[entry->slot] = replan->entry_count;
    }
    return ASTAR_OK;
}

// Whether it pays to be in a cell after some step.
static inline bool pays(const AstarReplan *replan, uint32_t cell, uint32_t step)
{
    return can_arrive_from(replan, cell) && step + steps_left_from(replan, cell) <= replan->most;
}

// Adds an entry, unless there is one.
static void put_replan_entry(AstarReplan *replan, uint32_t cell, uint32_t step, uint32_t parent)
{
    uint32_t slot = slot_of_entry(replan, cell, step);
    uint32_t arrival = step + steps_left_from(replan, cell);
    if (is_slot_taken(replan, slot))
        return;
    if (arrival < replan->free_from)
        arrival = replan->free_from;
    uint32_t index = replan->entry_count++;
    replan->slots[slot] = index;
    replan->entries[index] = (AstarReplanEntry){cell, step, parent, replan->buckets[arrival], slot};
    replan->buckets[arrival] = index + 1;
}

// ---- the way of one ----

// The direction from a cell to a neighbour, ASTAR_WAY_STAY for itself.
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

// Whether a diagonal step, or one among such, comes too near to any of others.
static bool goes_aslant(const AstarReplan *replan, uint32_t step, uint32_t cell, int way)
{
    uint32_t to = cell_in(replan, cell, way);
    uint32_t leaver = who_is_at(replan, step, to), follower = who_is_at(replan, step + 1, cell);
    if (leaver != 0) {
        int others = way_between(replan, to, *cell_of_unit(replan, step + 1, leaver - 1));
        if (others < ASTAR_WAY_STAY && astar_is_against(way, others))
            return false;
    }
    if (follower != 0) {
        int others = way_between(replan, *cell_of_unit(replan, step, follower - 1), cell);
        if (others < ASTAR_WAY_STAY && astar_is_against(others, way))
            return false;
    }
    if ((way & 1) == 0)
        return true;
    uint32_t left = cell_in(replan, cell, (way + 7) & 7);
    uint32_t right = cell_in(replan, cell, (way + 1) & 7);
    if (replan->numbers[left] == 0 || replan->numbers[right] == 0)
        return true;
    uint32_t from_left = who_is_at(replan, step, left), from_right = who_is_at(replan, step, right);
    return !(from_left != 0 && *cell_of_unit(replan, step + 1, from_left - 1) == right) &&
           !(from_right != 0 && *cell_of_unit(replan, step + 1, from_right - 1) == left);
}

// Whether a unit can go from a cell in a direction at a step, with all others as they are.
static inline bool goes_beside_takers(const AstarReplan *replan, uint32_t step, uint32_t cell,
                                      uint32_t to, int way)
{
    if (who_is_at(replan, step + 1, to) != 0)
        return false;
    if (replan->has_diagonals)
        return goes_aslant(replan, step, cell, way);
    uint32_t leaver = who_is_at(replan, step, to);
    return leaver == 0 || leaver != who_is_at(replan, step + 1, cell);
}

static void expand_entry(AstarReplan *replan, uint32_t unit, uint32_t index)
{
    uint32_t cell = replan->entries[index].cell, step = replan->entries[index].step;
    for (unsigned ways = steps_about(replan, unit, cell, false); ways != 0; ways &= ways - 1) {
        int way = astar_lowest_bit(ways);
        uint32_t to = cell_in(replan, cell, way);
        if (pays(replan, to, step + 1) && goes_beside_takers(replan, step, cell, to, way))
            put_replan_entry(replan, to, step + 1, index);
    }
    if (pays(replan, cell, step + 1) && who_is_at(replan, step + 1, cell) == 0)
        put_replan_entry(replan, cell, step + 1, index);
}

// Writes the way that ends in an entry into the plan; from there on the unit stays.
static void write_way(AstarReplan *replan, uint32_t unit, const AstarReplanEntry *entry)
{
    replan->sum_after += entry->step;
    for (uint32_t step = replan->plan->steps; step > entry->step; step--)
        *cell_of_unit(replan, step, unit) = replan->target;
    for (; entry->step > 0; entry = &replan->entries[entry->parent])
        *cell_of_unit(replan, entry->step, unit) = entry->cell;
    put_taker(replan, unit, true);
}

// Begins the search for the way of the unit in hand.
static AstarStatus begin_way(AstarReplan *replan)
{
    uint32_t unit = replan->picked[replan->turn];
    AstarStatus status = need_entries(replan);
    if (status != ASTAR_OK)
        return status;
    replan->most = (uint32_t)latest_arrival(replan);
    replan->free_from = free_from_step(replan);
    replan->entry_count = replan->bucket = 0;
    memset(replan->buckets, 0, replan->rows * sizeof *replan->buckets);
    if (replan->most >= replan->free_from && replan->most >= replan->shortest[unit])
        put_replan_entry(replan, *cell_of_unit(replan, 0, unit), 0, 0);
    replan->stage = ASTAR_REPLAN_SEARCH;
    return ASTAR_OK;
}

// Goes on with it: ASTAR_UNREACHABLE where there is none that pays.
static AstarStatus search_way(AstarReplan *replan, uint64_t *work)
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
            return ASTAR_OK;
        }
        if (entry->step < replan->plan->steps)
            expand_entry(replan, unit, first - 1);
    }
    return ASTAR_UNREACHABLE;
}

// ---- rounds ----

static void end_replan_round(AstarReplan *replan, bool is_better)
{
    if (is_better)
        keep_picked(replan);
    else
        put_back_picked(replan);
    replan->stage = ASTAR_REPLAN_PICK;
}

static AstarStatus measure_unit(AstarReplan *replan, uint64_t *work)
{
    AstarStatus status = measure_steps(replan, work);
    if (status != ASTAR_OK)
        return status;
    if (!replan->has_taken_out) {
        if (!could_gain(replan, replan->picked[0])) {
            replan->stage = ASTAR_REPLAN_PICK;
            return ASTAR_OK;
        }
        gather_units(replan);
        take_out_picked(replan);
    }
    return begin_way(replan);
}

static AstarStatus search_unit(AstarReplan *replan, uint64_t *work)
{
    AstarStatus status = search_way(replan, work);
    if (status == ASTAR_OK && ++replan->turn < replan->picked_count) {
        replan->is_measured = false;
        replan->stage = ASTAR_REPLAN_MEASURE;
    } else if (status == ASTAR_OK || status == ASTAR_UNREACHABLE) {
        end_replan_round(replan, status == ASTAR_OK && replan->sum_after <= replan->sum_before);
        status = ASTAR_OK;
    }
    return status;
}

AstarStatus astar_replan_step(AstarReplan *replan, uint64_t *work)
{
    AstarStatus status = ASTAR_OK;
    while (status == ASTAR_OK) {
        if (*work == 0)
            return ASTAR_RUNNING;
        switch (replan->stage) {
        case ASTAR_REPLAN_FILL: status = fill_takers(replan, work); break;
        case ASTAR_REPLAN_PICK:
            if (!begin_replan_round(replan))
                return ASTAR_OK;
            --*work;
            break;
        case ASTAR_REPLAN_MEASURE: status = measure_unit(replan, work); break;
        default: status = search_unit(replan, work); break;
        }
    }
    return status;
}

static bool is_row_idle(const AstarPlan *plan, uint32_t step)
{
    return memcmp(astar_plan_row(plan, step), astar_plan_row(plan, step - 1),
                  plan->count * sizeof *plan->cells) == 0;
}

void astar_replan_stop(AstarReplan *replan)
{
    if (replan->has_taken_out)
        put_back_picked(replan);
    replan->stage = ASTAR_REPLAN_PICK;
    while (replan->plan->steps > 0 && is_row_idle(replan->plan, replan->plan->steps))
        replan->plan->steps--;
}
