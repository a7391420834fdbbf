// replan_sweep.c -- the way of one unit among others that move, on a small map, by sets of cells.
//
// Where the unit can be after each step is a set, 64 cells a word: those of the step before and the
// cells beside them, but for those that are taken, and for steps to where somebody comes from. It
// takes a few operations a word, however many ways there are, so where units are dense this is
// faster than A*. Which way is taken is drawn by lot, from the end.
//
// It is for units of one kind that take no diagonal steps.

#include "crowd/replan.h"

#include <string.h>

enum {
    MOST_SWEPT_WORDS = 256, // of a set
    WORDS_A_SWEPT_WORK = 8
};

// The sets of a step: cells that are taken, those that somebody leaves, north, east, south or west,
// and those that the unit in hand can be in.
enum { SWEPT_TAKEN, SWEPT_LEFT, SWEPT_REACHED = SWEPT_LEFT + 4, SWEPT_SETS };

static inline uint64_t *swept_set(const AstarReplan *replan, uint32_t step, int set)
{
    return replan->seen[step] + (size_t)set * replan->sweep.words;
}

static inline void put_swept_bit(uint64_t *set, uint32_t bit, bool is_there)
{
    uint64_t mask = (uint64_t)1 << (bit & 63);
    set[bit >> 6] = is_there ? set[bit >> 6] | mask : set[bit >> 6] & ~mask;
}

static inline bool has_swept_bit(const uint64_t *set, uint32_t bit)
{
    return (set[bit >> 6] >> (bit & 63) & 1) != 0;
}

// By how much bits of neighbours differ.
static inline uint32_t swept_offset(const AstarReplan *replan, int way)
{
    return (uint32_t)astar_dy[way] * replan->sweep.width * 64 + (uint32_t)astar_dx[way];
}

// ---- life ----

size_t astar_replan_sweep_words(const AstarReplan *replan)
{
    return SWEPT_SETS * replan->sweep.words;
}

void astar_replan_sweep_choose(AstarReplan *replan)
{
    const AstarRoom *room = replan->room;
    size_t width = ((size_t)(room->x + room->width) >> 6) - (((size_t)room->x + 1) >> 6) + 1;
    size_t words = width * ((size_t)room->height + 2), kinds = 0;
    for (uint32_t kind = 0; kind < room->kind_count; kind++)
        if (room->more[kind].is_open) {
            replan->sweep.kind = kind;
            kinds++;
        }
    if (replan->has_diagonals || kinds != 1 || words > MOST_SWEPT_WORDS)
        return;
    replan->sweep.width = (uint32_t)width;
    replan->sweep.words = words;
}

void astar_replan_sweep_number(AstarReplan *replan, uint32_t number)
{
    const AstarRoom *room = replan->room;
    AstarReplanSweep *sweep = &replan->sweep;
    uint32_t cell = replan->cells[number], first = ((uint32_t)room->x + 1) & ~63u;
    int x, y;
    astar_cell_xy(room->grid, cell, &x, &y);
    uint32_t row = (uint32_t)(y - room->y) + 1;
    sweep->bits[number] = row * sweep->width * 64 + (uint32_t)x + 1 - first;
    unsigned ways = astar_kind_moves(&room->kinds[sweep->kind], cell);
    for (int way = 0; way < ASTAR_DIRECTIONS; way += 2)
        put_swept_bit(sweep->ways + (size_t)(way / 2) * sweep->words, sweep->bits[number],
                      (ways >> way & 1) != 0);
}

void astar_replan_sweep_put(AstarReplan *replan, uint32_t step, uint32_t cell, uint32_t next,
                            bool is_there)
{
    uint32_t bit = replan->sweep.bits[cell], to = replan->sweep.bits[next];
    put_swept_bit(swept_set(replan, step, SWEPT_TAKEN), bit, is_there);
    for (int way = 0; way < ASTAR_DIRECTIONS; way += 2)
        if (to - bit == swept_offset(replan, way))
            put_swept_bit(swept_set(replan, step, SWEPT_LEFT + way / 2), bit, is_there);
}

// ---- the search ----

void astar_replan_sweep_begin(AstarReplan *replan, uint32_t start)
{
    AstarReplanSweep *sweep = &replan->sweep;
    uint32_t bit = sweep->bits[start];
    memset(swept_set(replan, 0, SWEPT_REACHED), 0, sweep->words * sizeof(uint64_t));
    put_swept_bit(swept_set(replan, 0, SWEPT_REACHED), bit, true);
    sweep->low = sweep->high = bit / 64 / sweep->width;
}

// Clears rows beside those that are swept: the next two steps look there.
static void clear_beside(AstarReplanSweep *sweep, uint64_t *set, uint32_t last)
{
    uint32_t low = sweep->low > 2 ? sweep->low - 2 : 0;
    uint32_t high = sweep->high + 2 < last ? sweep->high + 2 : last;
    memset(set + (size_t)low * sweep->width, 0,
           (size_t)(sweep->low - low) * sweep->width * sizeof *set);
    memset(set + ((size_t)sweep->high + 1) * sweep->width, 0,
           (size_t)(high - sweep->high) * sweep->width * sizeof *set);
}

// Finds where the unit in hand can be a step later, row by row around where it can be; false:
// nowhere.
static bool sweep_step(AstarReplan *replan, uint32_t step)
{
    AstarReplanSweep *sweep = &replan->sweep;
    size_t width = sweep->width, words = sweep->words;
    uint32_t last = (uint32_t)(words / width) - 1;
    sweep->low -= sweep->low > 1;
    sweep->high += sweep->high + 1 < last;
    const uint64_t *from = swept_set(replan, step, SWEPT_REACHED), *ways = sweep->ways;
    const uint64_t *left = swept_set(replan, step, SWEPT_LEFT);
    const uint64_t *taken = swept_set(replan, step + 1, SWEPT_TAKEN);
    uint64_t *to = swept_set(replan, step + 1, SWEPT_REACHED), any = 0;
    for (size_t i = sweep->low * width; i < (sweep->high + 1) * width; i++) {
        uint64_t east = (from[i] & ways[words + i]) << 1 |
                        (from[i - 1] & ways[words + i - 1]) >> 63;
        uint64_t west = (from[i] & ways[3 * words + i]) >> 1 |
                        (from[i + 1] & ways[3 * words + i + 1]) << 63;
        uint64_t north = from[i + width] & ways[i + width];
        uint64_t south = from[i - width] & ways[2 * words + i - width];
        uint64_t reached = from[i] | (north & ~left[2 * words + i]) | (south & ~left[i]) |
                           (east & ~left[3 * words + i]) | (west & ~left[words + i]);
        to[i] = reached & ~taken[i];
        any |= to[i];
    }
    clear_beside(sweep, to, last);
    return any != 0;
}

// A cell from which the unit in hand can have come to one that it has reached by some step.
static uint32_t draw_cell_before(AstarReplan *replan, uint32_t step, uint32_t cell)
{
    const AstarReplanSweep *sweep = &replan->sweep;
    const uint64_t *reached = swept_set(replan, step - 1, SWEPT_REACHED);
    uint32_t bit = sweep->bits[cell], chosen = cell, count = has_swept_bit(reached, bit);
    for (int way = 0; way < ASTAR_DIRECTIONS; way += 2) {
        uint32_t from = bit - swept_offset(replan, way);
        int back = (way + 4) & 7;
        if (has_swept_bit(reached, from) &&
            has_swept_bit(sweep->ways + (size_t)(way / 2) * sweep->words, from) &&
            !has_swept_bit(swept_set(replan, step - 1, SWEPT_LEFT + back / 2), bit) &&
            astar_replan_roll(replan, ++count) == 0)
            chosen = astar_replan_beside(replan, cell, back);
    }
    return chosen;
}

static void write_swept_way(AstarReplan *replan, uint32_t *way, uint32_t arrival)
{
    uint32_t cell = replan->target;
    for (uint32_t step = replan->plan->steps; step > arrival; step--)
        way[step] = replan->cells[cell];
    for (uint32_t step = arrival; step > 0; step--) {
        way[step] = replan->cells[cell];
        cell = draw_cell_before(replan, step, cell);
    }
}

AstarStatus astar_replan_sweep(AstarReplan *replan, uint32_t unit, uint64_t *work)
{
    AstarReplanSweep *sweep = &replan->sweep;
    uint32_t target = sweep->bits[replan->target], row = target / 64 / sweep->width;
    for (; replan->bucket <= replan->most; replan->bucket++) {
        uint32_t step = replan->bucket;
        if (*work == 0)
            return ASTAR_RUNNING;
        bool is_near = row >= sweep->low && row <= sweep->high; // else the set is an older one's
        if (is_near && step >= replan->free_from &&
            has_swept_bit(swept_set(replan, step, SWEPT_REACHED), target)) {
            write_swept_way(replan, astar_plan_way(replan->plan, unit), step);
            return ASTAR_OK;
        }
        if (step == replan->plan->steps || !sweep_step(replan, step))
            return ASTAR_UNREACHABLE;
        uint64_t worth = 1 + (sweep->high - sweep->low) * sweep->width / WORDS_A_SWEPT_WORK;
        astar_replan_spend(replan, work, worth);
    }
    return ASTAR_UNREACHABLE;
}
