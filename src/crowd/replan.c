// replan.c -- a few units at a time get better ways among all others.

#include "crowd/replan.h"

#include <string.h>

enum {
    BARREN_ROUNDS_A_UNIT = 40, // after so many without a gain there is hardly one to be had
    LOOKS_A_WORK = 8,          // of looking at what is known
    WORK_A_ROW = 16            // of giving one back
};

void astar_replan_spend(AstarReplan *replan, uint64_t *work, uint64_t worth)
{
    uint64_t paid = worth < *work ? worth : *work;
    *work -= paid;
    replan->debt += worth - paid;
}

static void spend_looks(AstarReplan *replan, uint64_t *work, uint64_t looks)
{
    astar_replan_spend(replan, work, looks / LOOKS_A_WORK);
}

// ---- life ----

static size_t words_of_seen(const AstarReplan *replan)
{
    return replan->sweep.words > 0 ? astar_replan_sweep_words(replan)
                                   : ((size_t)replan->cell_count >> 6) + 1;
}

// The cells of one word of a row in which units of any kind can be.
static uint64_t word_of_any(const AstarReplan *replan, int y, size_t word)
{
    const AstarRoom *room = replan->room;
    uint64_t cells = 0;
    for (size_t kind = 0; kind < room->kind_count; kind++)
        if (room->more[kind].is_open)
            cells |= astar_bits_row(&room->more[kind].bits, y)[word];
    return cells;
}

static size_t first_word(const AstarRoom *room)
{
    return ((size_t)room->x + 1) >> 6;
}

static size_t last_word(const AstarRoom *room)
{
    return (size_t)(room->x + room->width) >> 6;
}

static void count_room_cells(AstarReplan *replan)
{
    const AstarRoom *room = replan->room;
    for (int y = room->y; y < room->y + room->height; y++)
        for (size_t word = first_word(room); word <= last_word(room); word++)
            replan->cell_count += astar_count_bits(word_of_any(replan, y, word));
    for (size_t kind = 0; kind < room->kind_count; kind++)
        replan->has_diagonals |= room->more[kind].is_open &&
                                 room->kinds[kind].finder->rule->has_diagonals;
}

// Tables of distances may take up half of what is left beside all else.
static AstarStatus choose_table_count(AstarReplan *replan)
{
    const AstarBytes *bytes = replan->bytes;
    uint64_t table = ((uint64_t)replan->cell_count + 1) * sizeof(uint16_t);
    uint64_t row = table + words_of_seen(replan) * sizeof(uint64_t) +
                   sizeof(uint32_t) * ASTAR_REPLAN_MOST + 2 * sizeof(void *);
    uint64_t needed = row * replan->rows, left = bytes->most - bytes->used;
    if (left <= needed + table)
        return ASTAR_OUT_OF_BYTES;
    uint64_t count = (left - needed) / 2 / table;
    replan->table_count = count < 1                     ? 1
                          : count < replan->plan->count ? (uint32_t)count
                                                        : replan->plan->count;
    return ASTAR_OK;
}

// The arrays it writes, and how many elements of which size each has.
typedef struct ReplanArray {
    void *place;
    size_t count, size;
} ReplanArray;

enum { REPLAN_ARRAYS = 12 };

static void list_arrays(AstarReplan *replan, ReplanArray list[REPLAN_ARRAYS])
{
    size_t cells = (size_t)replan->cell_count + 1, units = replan->plan->count;
    size_t rows = replan->rows;
    ReplanArray arrays[REPLAN_ARRAYS] = {
        {&replan->numbers, replan->room->grid->cells, sizeof(uint32_t)},
        {&replan->cells, cells, sizeof(uint32_t)},
        {&replan->takers, rows, sizeof(uint16_t *)},
        {&replan->seen, rows, sizeof(uint64_t *)},
        {&replan->tables, replan->table_count, sizeof(uint16_t *)},
        {&replan->owners, replan->table_count, sizeof(uint32_t)},
        {&replan->buckets, rows, sizeof(uint32_t)},
        {&replan->arrivals, units, sizeof(uint32_t)},
        {&replan->shortest, units, sizeof(uint32_t)},
        {&replan->sweep.bits, replan->sweep.words > 0 ? cells : 0, sizeof(uint32_t)},
        {&replan->sweep.ways, 4 * replan->sweep.words, sizeof(uint64_t)},
        {&replan->before, ASTAR_REPLAN_MOST * rows, sizeof(uint32_t)},
    };
    memcpy(list, arrays, sizeof arrays);
}

// Gives back what there is of a step, or behind all steps, a table; false: nothing.
static bool free_row(AstarReplan *replan, uint32_t at)
{
    AstarBytes *bytes = replan->bytes;
    size_t cells = (size_t)replan->cell_count + 1;
    uint32_t table = at - replan->rows;
    if (at >= replan->rows) {
        if (replan->tables == NULL || replan->tables[table] == NULL)
            return false;
        astar_bytes_give(bytes, replan->tables[table], cells, sizeof(uint16_t));
        return true;
    }
    if (replan->takers == NULL || replan->takers[at] == NULL)
        return false;
    astar_bytes_give(bytes, replan->takers[at], cells, sizeof(uint16_t));
    if (replan->seen != NULL)
        astar_bytes_give(bytes, replan->seen[at], words_of_seen(replan), sizeof(uint64_t));
    return true;
}

bool astar_replan_free(AstarReplan *replan, uint64_t *work)
{
    AstarBytes *bytes = replan->bytes;
    ReplanArray arrays[REPLAN_ARRAYS];
    if (bytes == NULL)
        return true;
    if (replan->stage != ASTAR_REPLAN_OVER) {
        astar_field_build_stop(&replan->room->build);
        replan->stage = ASTAR_REPLAN_OVER;
        replan->at = 0;
    }
    for (uint32_t rows = replan->rows + replan->table_count; replan->at < rows; replan->at++) {
        if (*work == 0)
            return false;
        if (free_row(replan, rows - 1 - replan->at)) // as astar_lacam_free does
            astar_replan_spend(replan, work, WORK_A_ROW + replan->cell_count / 64);
    }
    list_arrays(replan, arrays);
    for (int i = 0; i < REPLAN_ARRAYS; i++) {
        void *block;
        memcpy(&block, arrays[i].place, sizeof block);
        astar_bytes_give(bytes, block, arrays[i].count, arrays[i].size);
    }
    astar_bytes_give(bytes, replan->entries, replan->entry_capacity, sizeof *replan->entries);
    *replan = (AstarReplan){0};
    return true;
}

AstarStatus astar_replan_begin(AstarReplan *replan, AstarBytes *bytes, AstarPlan *plan,
                               AstarRoom *room, const AstarPibtUnit *units, const uint32_t *groups)
{
    *replan = (AstarReplan){.bytes = bytes,
                            .plan = plan,
                            .room = room,
                            .units = units,
                            .groups = groups,
                            .rows = plan->steps + 1};
    ReplanArray arrays[REPLAN_ARRAYS];
    count_room_cells(replan);
    astar_replan_sweep_choose(replan);
    AstarStatus status = choose_table_count(replan);
    list_arrays(replan, arrays);
    for (int i = 0; i < REPLAN_ARRAYS && status == ASTAR_OK; i++)
        status = astar_bytes_take(bytes, arrays[i].count, arrays[i].size, arrays[i].place);
    uint64_t work = UINT64_MAX;
    if (status != ASTAR_OK)
        astar_replan_free(replan, &work);
    return status;
}

// ---- who is where ----

// Numbers the cells in which units of any kind can be.
static AstarStatus number_cells(AstarReplan *replan, uint64_t *work)
{
    const AstarRoom *room = replan->room;
    for (; replan->at < (uint32_t)room->height; replan->at++) {
        if (*work == 0)
            return ASTAR_RUNNING;
        int y = room->y + (int)replan->at;
        uint32_t before = replan->numbered;
        for (size_t word = first_word(room); word <= last_word(room); word++)
            for (uint64_t rest = word_of_any(replan, y, word); rest != 0; rest &= rest - 1) {
                int x = (int)(word * 64) + astar_lowest_bit(rest) - 1;
                uint32_t cell = astar_cell(room->grid, x, y);
                replan->numbers[cell] = ++replan->numbered;
                replan->cells[replan->numbered] = cell;
                if (replan->sweep.words > 0)
                    astar_replan_sweep_number(replan, replan->numbered);
            }
        --*work;
        spend_looks(replan, work, replan->numbered - before);
    }
    replan->at = 0;
    replan->stage = ASTAR_REPLAN_FILL;
    return ASTAR_OK;
}

// Puts a unit where the plan has it after a step, or takes it out.
static inline void put_after_step(AstarReplan *replan, uint32_t unit, uint32_t step, bool is_there)
{
    const uint32_t *way = astar_plan_way(replan->plan, unit) + step;
    uint32_t cell = replan->numbers[*way];
    replan->takers[step][cell] = (uint16_t)(is_there ? unit + 1 : 0);
    if (replan->sweep.words > 0)
        astar_replan_sweep_put(replan, step, cell,
                               step < replan->plan->steps ? replan->numbers[way[1]] : cell,
                               is_there);
}

void astar_replan_put(AstarReplan *replan, uint32_t unit, bool is_there)
{
    for (uint32_t step = 0; step <= replan->plan->steps; step++)
        put_after_step(replan, unit, step, is_there);
}

static AstarStatus take_row(AstarReplan *replan, uint32_t step)
{
    AstarStatus status = ASTAR_OK;
    if (replan->takers[step] == NULL)
        status = astar_bytes_take(replan->bytes, (size_t)replan->cell_count + 1, sizeof(uint16_t),
                                  &replan->takers[step]);
    if (status == ASTAR_OK && replan->seen[step] == NULL)
        status = astar_bytes_take(replan->bytes, words_of_seen(replan), sizeof(uint64_t),
                                  &replan->seen[step]);
    return status;
}

static AstarStatus fill_takers(AstarReplan *replan, uint64_t *work)
{
    const AstarPlan *plan = replan->plan;
    for (; replan->at <= plan->steps; replan->at++) {
        if (*work == 0)
            return ASTAR_RUNNING;
        AstarStatus status = take_row(replan, replan->at);
        if (status != ASTAR_OK)
            return status;
        for (uint32_t i = 0; i < plan->count; i++)
            put_after_step(replan, i, replan->at, true);
        --*work;
        spend_looks(replan, work, plan->count + replan->cell_count / 16);
    }
    replan->at = 0;
    replan->stage = ASTAR_REPLAN_ARRIVALS;
    return ASTAR_OK;
}

static AstarStatus note_arrivals(AstarReplan *replan, uint64_t *work)
{
    const AstarPlan *plan = replan->plan;
    for (; replan->at < plan->count; replan->at++) {
        uint32_t i = replan->at;
        if (*work == 0)
            return ASTAR_RUNNING;
        replan->arrivals[i] = astar_plan_arrival(plan, replan->room->groups, i, replan->groups[i]);
        replan->sum += replan->arrivals[i];
        --*work;
        spend_looks(replan, work, plan->steps - replan->arrivals[i]);
    }
    replan->stage = ASTAR_REPLAN_PICK;
    return ASTAR_OK;
}

// ---- picking ----

uint32_t astar_replan_roll(AstarReplan *replan, uint32_t below)
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

// Picks who is in a cell after a step, if there is room for one more.
static void pick_taker(AstarReplan *replan, uint32_t step, uint32_t cell)
{
    uint32_t unit = replan->takers[step][cell] - 1u;
    if (unit != UINT32_MAX && replan->picked_count < replan->wanted && replan->groups[unit] != 0 &&
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
    uint32_t unit = astar_replan_roll(replan, plan->count), tries = 0;
    for (; tries < plan->count && !could_gain(replan, unit); tries++)
        unit = unit + 1 < plan->count ? unit + 1 : 0;
    if (tries == plan->count || replan->barren > (uint64_t)BARREN_ROUNDS_A_UNIT * plan->count)
        return false;
    replan->barren++;
    replan->turn = 0;
    replan->wanted = 1 + astar_replan_roll(replan, 4);
    replan->picked[0] = unit;
    replan->picked_count = 1;
    replan->stage = ASTAR_REPLAN_MEASURE;
    replan->measure = ASTAR_REPLAN_UNKNOWN;
    return true;
}

// Goes on along a shortest way from where a unit is after some step, and picks whom it meets.
static void gather_units(AstarReplan *replan)
{
    uint32_t unit = replan->picked[0], step = astar_replan_roll(replan, replan->arrivals[unit]);
    uint32_t cell = replan->numbers[astar_plan_way(replan->plan, unit)[step]];
    for (; cell != replan->target && step < replan->plan->steps; step++) {
        unsigned nearer = 0;
        for (unsigned rest = astar_replan_steps(replan, unit, cell); rest != 0; rest &= rest - 1) {
            uint32_t to = astar_replan_beside(replan, cell, astar_lowest_bit(rest));
            if (astar_replan_steps_left(replan, to) < astar_replan_steps_left(replan, cell))
                nearer |= rest & (~rest + 1);
        }
        if (nearer == 0)
            return;
        for (uint32_t skip = astar_replan_roll(replan, astar_count_bits(nearer)); skip > 0; skip--)
            nearer &= nearer - 1;
        cell = astar_replan_beside(replan, cell, astar_lowest_bit(nearer));
        pick_taker(replan, step + 1, cell);
        pick_taker(replan, step, cell);
    }
}

// ---- rounds ----

static uint32_t *before_of(const AstarReplan *replan, uint32_t turn)
{
    return replan->before + (size_t)turn * replan->rows;
}

static size_t bytes_of_way(const AstarReplan *replan)
{
    return ((size_t)replan->plan->steps + 1) * sizeof *replan->before;
}

// Takes the units in hand out of the plan.
static void take_out_picked(AstarReplan *replan, uint64_t *work)
{
    replan->sum_before = replan->sum_after = 0;
    for (uint32_t i = 0; i < replan->picked_count; i++) {
        uint32_t unit = replan->picked[i];
        replan->sum_before += replan->arrivals[unit];
        memcpy(before_of(replan, i), astar_plan_way(replan->plan, unit), bytes_of_way(replan));
        astar_replan_put(replan, unit, false);
    }
    replan->has_taken_out = true;
    spend_looks(replan, work, (uint64_t)replan->picked_count * replan->plan->steps);
}

// Puts the units in hand back where they were; some of them have new ways by now.
static void put_back_picked(AstarReplan *replan)
{
    for (uint32_t i = 0; i < replan->turn; i++)
        astar_replan_put(replan, replan->picked[i], false);
    for (uint32_t i = 0; i < replan->picked_count; i++) {
        uint32_t unit = replan->picked[i];
        memcpy(astar_plan_way(replan->plan, unit), before_of(replan, i), bytes_of_way(replan));
        astar_replan_put(replan, unit, true);
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

// When the unit in hand may arrive at the latest, with the others as they are and are to be.
static uint32_t latest_arrival(const AstarReplan *replan)
{
    uint64_t others = replan->sum_after;
    for (uint32_t i = replan->turn + 1; i < replan->picked_count; i++)
        others += replan->shortest[replan->picked[i]];
    if (others > replan->sum_before)
        return 0;
    uint64_t latest = replan->sum_before - others;
    return latest < replan->plan->steps ? (uint32_t)latest : replan->plan->steps;
}

static AstarStatus measure_unit(AstarReplan *replan, uint64_t *work)
{
    AstarStatus status = astar_replan_measure(replan, work);
    if (status != ASTAR_OK)
        return status;
    if (!replan->has_taken_out) {
        if (!could_gain(replan, replan->picked[0])) {
            replan->stage = ASTAR_REPLAN_PICK;
            return ASTAR_OK;
        }
        gather_units(replan);
        take_out_picked(replan, work);
    }
    status = astar_replan_begin_way(replan, latest_arrival(replan));
    if (status == ASTAR_OK)
        replan->stage = ASTAR_REPLAN_SEARCH;
    return status;
}

static AstarStatus search_unit(AstarReplan *replan, uint64_t *work)
{
    AstarStatus status = astar_replan_search_way(replan, work);
    if (status == ASTAR_OK && ++replan->turn < replan->picked_count) {
        replan->measure = ASTAR_REPLAN_UNKNOWN;
        replan->stage = ASTAR_REPLAN_MEASURE;
    } else if (status == ASTAR_OK || status == ASTAR_UNREACHABLE) {
        if (status == ASTAR_OK && replan->sum_after <= replan->sum_before)
            keep_picked(replan);
        else
            put_back_picked(replan);
        spend_looks(replan, work, (uint64_t)replan->picked_count * replan->plan->steps);
        replan->stage = ASTAR_REPLAN_PICK;
        status = ASTAR_OK;
    }
    return status;
}

static AstarStatus work_on_replan(AstarReplan *replan, uint64_t *work)
{
    switch (replan->stage) {
    case ASTAR_REPLAN_NUMBER: return number_cells(replan, work);
    case ASTAR_REPLAN_FILL: return fill_takers(replan, work);
    case ASTAR_REPLAN_ARRIVALS: return note_arrivals(replan, work);
    case ASTAR_REPLAN_MEASURE: return measure_unit(replan, work);
    default: return search_unit(replan, work);
    }
}

AstarStatus astar_replan_step(AstarReplan *replan, uint64_t *work)
{
    AstarStatus status = ASTAR_OK;
    uint64_t debt = replan->debt;
    replan->debt = 0;
    astar_replan_spend(replan, work, debt);
    while (status == ASTAR_OK) {
        if (*work == 0)
            return ASTAR_RUNNING;
        if (replan->stage == ASTAR_REPLAN_PICK) {
            if (!begin_replan_round(replan))
                return ASTAR_OK;
            --*work;
        } else {
            status = work_on_replan(replan, work);
        }
    }
    return status;
}

void astar_replan_stop(AstarReplan *replan)
{
    if (replan->has_taken_out)
        put_back_picked(replan);
}
