// goal_range.c -- the cells within range of goals.
//
// Goals by the thousand, each with a square of a thousand cells a side, cover no more cells than
// there are: so the squares are not gone over one by one. A sweep goes down the rows. In each
// column it keeps the goals whose squares meet the row, and along the row the columns whose squares
// meet the cell; of both only those that no better one outlasts, so that the best stands first (the
// sliding minimum of a window, by a queue in order). Every goal enters and leaves once, every cell
// is told once: time in proportion to the goals and the cells within range.

#include "search/goal_range.h"

#include "base/bits.h"
#include "derived/layer.h"
#include "search/side_range.h"

#include <stdlib.h>

enum { WORK_A_CELL_IN_RANGE = 4 };

// ---- memory ----

static size_t words_of(int32_t columns)
{
    return ((size_t)columns + 63) / 64;
}

void astar_range_free(AstarRange *range, const AstarAllocator *allocator)
{
    size_t columns = (size_t)range->columns;
    astar_side_range_drop(range, allocator);
    astar_release(allocator, range->goals, range->capacity, sizeof *range->goals);
    astar_release(allocator, range->queue, range->capacity, sizeof *range->queue);
    astar_release(allocator, range->heads, columns, sizeof *range->heads);
    astar_release(allocator, range->tails, columns, sizeof *range->tails);
    astar_release(allocator, range->window, columns, sizeof *range->window);
    astar_release(allocator, range->active, words_of(range->columns), sizeof *range->active);
    *range = (AstarRange){0};
}

size_t astar_range_bytes(const AstarRange *range)
{
    return range->capacity * (sizeof *range->goals + sizeof *range->queue) +
           (size_t)range->columns * 3 * sizeof(uint32_t) +
           words_of(range->columns) * sizeof *range->active + astar_side_range_bytes(range);
}

AstarStatus astar_range_begin(AstarRange *range, const AstarAllocator *allocator,
                              const AstarGrid *grid, size_t goals)
{
    size_t columns = (size_t)grid->width;
    range->count = 0;
    if (goals <= range->capacity && (goals == 0 || grid->width == range->columns))
        return ASTAR_OK;
    astar_range_free(range, allocator);
    *range = (AstarRange){.capacity = goals, .columns = grid->width};
    range->goals = astar_alloc(allocator, goals, sizeof *range->goals);
    range->queue = astar_alloc(allocator, goals, sizeof *range->queue);
    range->heads = astar_alloc(allocator, columns, sizeof *range->heads);
    range->tails = astar_alloc(allocator, columns, sizeof *range->tails);
    range->window = astar_alloc(allocator, columns, sizeof *range->window);
    range->active = astar_alloc(allocator, words_of(grid->width), sizeof *range->active);
    if (range->goals != NULL && range->queue != NULL && range->heads != NULL &&
        range->tails != NULL && range->window != NULL && range->active != NULL)
        return ASTAR_OK;
    astar_range_free(range, allocator);
    return ASTAR_NO_MEMORY;
}

// ---- goals ----

static int compare_seeds(const void *a, const void *b)
{
    const AstarSeed *left = a, *right = b;
    if (left->cell != right->cell)
        return left->cell < right->cell ? -1 : 1;
    return (left->value > right->value) - (left->value < right->value);
}

// Puts the goals in order and leaves the least of each cell.
static void sort_goals(AstarRange *range)
{
    AstarSeed *goals = range->goals;
    qsort(goals, range->count, sizeof *goals, compare_seeds);
    size_t kept = 1;
    for (size_t i = 1; i < range->count; i++)
        if (goals[i].cell != goals[kept - 1].cell)
            goals[kept++] = goals[i];
    range->count = kept;
}

// Gives each column its place in the queue.
static void place_columns(AstarRange *range)
{
    uint32_t columns = (uint32_t)range->columns;
    for (uint32_t x = 0; x < columns; x++)
        range->heads[x] = 0;
    for (size_t i = 0; i < range->count; i++)
        range->heads[range->goals[i].cell % columns]++;
    uint32_t first = 0;
    for (uint32_t x = 0; x < columns; x++) {
        uint32_t count = range->heads[x];
        range->heads[x] = range->tails[x] = first;
        first += count;
    }
    for (size_t word = 0; word < words_of(range->columns); word++)
        range->active[word] = 0;
    range->active_count = 0;
}

// ---- columns ----

static void set_active(AstarRange *range, uint32_t x, bool active)
{
    uint64_t bit = (uint64_t)1 << (x & 63), *word = &range->active[x >> 6];
    *word = active ? *word | bit : *word & ~bit;
    range->active_count += active ? 1 : -1;
}

// The first column from x on with goals in force; their number where there is none.
static int next_active(const AstarRange *range, int x)
{
    size_t word = (size_t)x >> 6, words = words_of(range->columns);
    if (x >= range->columns)
        return range->columns;
    uint64_t bits = range->active[word] & UINT64_MAX << (x & 63);
    while (bits == 0 && ++word < words)
        bits = range->active[word];
    return bits == 0 ? range->columns : (int)(word << 6) + astar_lowest_bit(bits);
}

// Takes a goal in, in the place of those in its column that are no better and leave before it.
static void enter_goal(AstarRange *range, uint32_t goal)
{
    uint32_t x = range->goals[goal].cell % (uint32_t)range->columns;
    uint32_t head = range->heads[x], tail = range->tails[x];
    if (head == tail)
        set_active(range, x, true);
    while (tail > head && range->goals[range->queue[tail - 1]].value >= range->goals[goal].value)
        tail--;
    range->queue[tail] = goal;
    range->tails[x] = tail + 1;
}

static const AstarSeed *best_of_column(const AstarRange *range, uint32_t x)
{
    return &range->goals[range->queue[range->heads[x]]];
}

// Drops the goals of a column that are too far north of a row; whether any is left.
static bool leave_goals(AstarRange *range, uint32_t x, int y, int reach)
{
    uint32_t columns = (uint32_t)range->columns;
    while (range->heads[x] < range->tails[x] &&
           (int)(best_of_column(range, x)->cell / columns) + reach < y)
        range->heads[x]++;
    if (range->heads[x] < range->tails[x])
        return true;
    set_active(range, x, false);
    return false;
}

// ---- rows ----

typedef struct RowSweep {
    AstarRange *range;
    int y, reach;
    int column;          // the next with goals in force
    uint32_t head, tail; // of the window
} RowSweep;

// Takes in the columns that come within reach of x.
static void enter_columns(RowSweep *row, int x)
{
    AstarRange *range = row->range;
    for (; row->column < range->columns && row->column - row->reach <= x;
         row->column = next_active(range, row->column + 1)) {
        uint32_t entering = (uint32_t)row->column;
        if (!leave_goals(range, entering, row->y, row->reach))
            continue;
        double value = best_of_column(range, entering)->value;
        while (row->tail > row->head &&
               best_of_column(range, range->window[row->tail - 1])->value >= value)
            row->tail--;
        range->window[row->tail++] = entering;
    }
}

static AstarStatus sweep_row(AstarRange *range, int y, int reach, AstarRangeTake take,
                             void *context)
{
    RowSweep row = {.range = range, .y = y, .reach = reach, .column = next_active(range, 0)};
    uint32_t first = (uint32_t)y * (uint32_t)range->columns;
    AstarStatus status = ASTAR_OK;
    for (int x = 0; status == ASTAR_OK && x < range->columns;) {
        if (row.head == row.tail && row.column - reach > x)
            x = row.column - reach;
        enter_columns(&row, x);
        while (row.head < row.tail && (int)range->window[row.head] + reach < x)
            row.head++;
        if (row.head < row.tail)
            status = take(context, first + (uint32_t)x++,
                          best_of_column(range, range->window[row.head]));
        else if (row.column == range->columns)
            break;
    }
    return status;
}

void astar_range_begin_sweep(AstarRange *range, const AstarGrid *grid)
{
    astar_side_range_drop(range, &grid->allocator);
    range->y = 0;
    range->entered = 0;
    if (range->count == 0)
        return;
    sort_goals(range);
    if (grid->shape->has_corners)
        place_columns(range);
}

AstarStatus astar_range_sweep_on(AstarRange *range, const AstarGrid *grid, int reach,
                                 AstarRangeTake take, void *context, int64_t *work)
{
    if (range->count == 0)
        return ASTAR_OK;
    if (!grid->shape->has_corners)
        return astar_side_range_sweep_on(range, grid, reach, take, context, work);
    AstarStatus status = ASTAR_OK;
    uint32_t columns = (uint32_t)range->columns;
    for (; status == ASTAR_OK && range->y < grid->height; range->y++) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        if (range->active_count == 0) {
            if (range->entered == range->count)
                break;
            int row = (int)(range->goals[range->entered].cell / columns);
            range->y = row - reach > range->y ? row - reach : range->y;
        }
        while (range->entered < range->count &&
               (int)(range->goals[range->entered].cell / columns) - reach <= range->y)
            enter_goal(range, range->entered++);
        status = sweep_row(range, range->y, reach, take, context);
        *work -= WORK_A_CELL_IN_RANGE * (int64_t)columns;
    }
    return status;
}

AstarStatus astar_range_sweep(AstarRange *range, const AstarGrid *grid, int reach,
                              AstarRangeTake take, void *context)
{
    int64_t work = ASTAR_ALL_WORK;
    astar_range_begin_sweep(range, grid);
    return astar_range_sweep_on(range, grid, reach, take, context, &work);
}
