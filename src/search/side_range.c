// side_range.c -- the cells without corners within range of goals.
//
// What lies within range of a hexagon is a hexagon itself: a run of cells on each line, shorter by
// half a cell at both ends with each line further away; of other shapes it may have gaps. The goals
// are gone through from the best to the worst, and each marks of its runs what is not yet marked;
// those marked are skipped (union-find), so that every cell is marked once, however many goals
// there are. Only cells in the rectangle around all of that take memory. Marking and telling come
// in slices.

#include "search/side_range.h"

#include <stdlib.h>

enum { WORK_A_RUN = 8, WORK_A_MARKED = 4, WORK_A_TOLD = 4 };

// The rectangle: lines of cells that are pushed on together, and places along them.
struct AstarSideSweep {
    const AstarRange *range;
    const AstarGrid *grid;
    int reach;
    int first_line, last_line, first_place, last_place;
    size_t stride;   // of a line; one more than there are places
    uint32_t *marks; // of each cell: 1 + its goal
    uint32_t *skips; // of each: how many places on the next one without a mark may be
    uint32_t *order; // the goals, the best first
    size_t numbers;  // room for all of these
    size_t goal;     // how many have marked their runs,
    int64_t runs;    // and how many runs the next one has
    int y;           // the row to be told next
};

typedef struct AstarSideSweep SideSweep;

static void cell_line_place(const AstarGrid *grid, uint32_t cell, int *line, int *place)
{
    int x, y;
    astar_cell_xy(grid, cell, &x, &y);
    *line = grid->shape->in_columns ? x : y;
    *place = grid->shape->in_columns ? y : x;
}

static void find_rectangle(SideSweep *sweep)
{
    const AstarGrid *grid = sweep->grid;
    bool in_columns = grid->shape->in_columns;
    int lines = in_columns ? grid->width : grid->height;
    int places = in_columns ? grid->height : grid->width;
    int reach = astar_lesser(sweep->reach, ASTAR_MAX_SIDE);
    sweep->first_line = lines - 1;
    sweep->first_place = places - 1;
    for (size_t i = 0; i < sweep->range->count; i++) {
        int line, place;
        cell_line_place(grid, sweep->range->goals[i].cell, &line, &place);
        sweep->first_line = astar_lesser(sweep->first_line, astar_greater(line - reach, 0));
        sweep->last_line = astar_greater(sweep->last_line, astar_lesser(line + reach, lines - 1));
        sweep->first_place = astar_lesser(sweep->first_place, astar_greater(place - reach, 0));
        sweep->last_place = astar_greater(sweep->last_place,
                                          astar_lesser(place + reach, places - 1));
    }
    sweep->stride = (size_t)(sweep->last_place - sweep->first_place) + 2;
}

// How many lines' cells there are in memory.
static size_t count_marks(const SideSweep *sweep)
{
    return (size_t)(sweep->last_line - sweep->first_line + 1) * sweep->stride;
}

// The next place of a line from one on without a mark; the last there is has none.
static size_t next_unmarked(uint32_t *skips, size_t place)
{
    while (skips[place] != 0) {
        skips[place] += skips[place + skips[place]];
        place += skips[place];
    }
    return place;
}

// Whether a place on a line, which lies in a goal's run, is a gap in it.
static bool is_gap(const SideSweep *sweep, int line, size_t at, uint32_t goal)
{
    const AstarShape *shape = sweep->grid->shape;
    int place = sweep->first_place + (int)at, x, y;
    astar_cell_xy(sweep->grid, sweep->range->goals[goal].cell, &x, &y);
    return shape->has_gaps && astar_cells_apart(shape, x, y, shape->in_columns ? line : place,
                                                shape->in_columns ? place : line) > sweep->reach;
}

// Marks what is not marked of a run of cells on a line; how many cells.
static int64_t mark_run(SideSweep *sweep, int line, int64_t from, int64_t to, uint32_t goal)
{
    int64_t count = 0;
    size_t offset = (size_t)(line - sweep->first_line) * sweep->stride;
    uint32_t *skips = sweep->skips + offset, *marks = sweep->marks + offset;
    from = (from < sweep->first_place ? sweep->first_place : from) - sweep->first_place;
    to = (to > sweep->last_place ? sweep->last_place : to) - sweep->first_place;
    if (from > to)
        return 0;
    for (size_t at = next_unmarked(skips, (size_t)from); (int64_t)at <= to;
         at = next_unmarked(skips, at + 1)) {
        if (is_gap(sweep, line, at, goal))
            continue;
        marks[at] = goal + 1;
        skips[at] = 1;
        count++;
    }
    return count;
}

// The last place of a line whose middle is not beyond.
static int64_t place_before(const AstarShape *shape, int64_t along, int line)
{
    int x, y;
    astar_cell_of_middle(shape, (AstarMiddle){along, line}, &x, &y);
    return shape->in_columns ? y : x;
}

// Marks the runs of a goal that are left; false where the work is used up before.
static bool mark_around(SideSweep *sweep, uint32_t goal, int64_t *work)
{
    const AstarShape *shape = sweep->grid->shape;
    int x, y;
    astar_cell_xy(sweep->grid, sweep->range->goals[goal].cell, &x, &y);
    AstarMiddle middle = astar_middle(shape, x, y);
    int64_t first = middle.across - sweep->reach, last = middle.across + sweep->reach;
    first = first < sweep->first_line ? sweep->first_line : first;
    last = last > sweep->last_line ? sweep->last_line : last;
    for (int64_t line = first + sweep->runs; line <= last; line++, sweep->runs++) {
        if (*work <= 0)
            return false;
        int64_t halves = (1 + shape->by_halves) * (int64_t)sweep->reach -
                         llabs(line - middle.across);
        int64_t before = place_before(shape, middle.along - halves - 1, (int)line);
        int64_t marked = mark_run(sweep, (int)line, before + 1,
                                  place_before(shape, middle.along + halves, (int)line), goal);
        *work -= WORK_A_RUN + WORK_A_MARKED * marked;
    }
    sweep->runs = 0;
    return true;
}

// Puts the goals in order, the best first, of equally good ones the lowest cell's: a heapsort.
static bool is_worse(const AstarRange *range, uint32_t a, uint32_t b)
{
    double left = range->goals[a].value, right = range->goals[b].value;
    return left > right || (left == right && a > b);
}

static void sink_goal(const AstarRange *range, uint32_t *order, size_t at, size_t count)
{
    uint32_t goal = order[at];
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && is_worse(range, order[child + 1], order[child]))
            child++;
        if (!is_worse(range, order[child], goal))
            break;
        order[at] = order[child];
    }
    order[at] = goal;
}

static void sort_by_value(const AstarRange *range, uint32_t *order)
{
    for (size_t i = 0; i < range->count; i++)
        order[i] = (uint32_t)i;
    for (size_t i = range->count / 2; i > 0; i--)
        sink_goal(range, order, i - 1, range->count);
    for (size_t i = range->count - 1; i > 0; i--) {
        uint32_t last = order[0];
        order[0] = order[i];
        order[i] = last;
        sink_goal(range, order, 0, i);
    }
}

// Tells of the marked cells of a row in order.
static AstarStatus tell_row(const SideSweep *sweep, int y, AstarRangeTake take, void *context)
{
    bool in_columns = sweep->grid->shape->in_columns;
    int x0 = in_columns ? sweep->first_line : sweep->first_place;
    int x1 = in_columns ? sweep->last_line : sweep->last_place;
    int y0 = in_columns ? sweep->first_place : sweep->first_line;
    AstarStatus status = ASTAR_OK;
    for (int x = x0; x <= x1 && status == ASTAR_OK; x++) {
        size_t line = (size_t)(in_columns ? x - x0 : y - y0);
        size_t place = (size_t)(in_columns ? y - y0 : x - x0);
        uint32_t mark = sweep->marks[line * sweep->stride + place];
        if (mark != 0)
            status = take(context, astar_cell(sweep->grid, x, y), &sweep->range->goals[mark - 1]);
    }
    return status;
}

static AstarStatus new_side_sweep(AstarRange *range, const AstarGrid *grid, int reach)
{
    const AstarAllocator *allocator = &grid->allocator;
    SideSweep *sweep = astar_alloc(allocator, 1, sizeof *sweep);
    if (sweep == NULL)
        return ASTAR_NO_MEMORY;
    *sweep = (SideSweep){.range = range, .grid = grid, .reach = reach};
    find_rectangle(sweep);
    size_t count = count_marks(sweep);
    sweep->numbers = 2 * count + range->count;
    uint32_t *numbers = astar_alloc(allocator, sweep->numbers, sizeof *numbers);
    if (numbers == NULL) {
        astar_release(allocator, sweep, 1, sizeof *sweep);
        return ASTAR_NO_MEMORY;
    }
    sweep->marks = numbers;
    sweep->skips = numbers + count;
    sweep->order = numbers + 2 * count;
    sweep->y = grid->shape->in_columns ? sweep->first_place : sweep->first_line;
    sort_by_value(range, sweep->order);
    range->sides = sweep;
    return ASTAR_OK;
}

void astar_side_range_drop(AstarRange *range, const AstarAllocator *allocator)
{
    SideSweep *sweep = range->sides;
    if (sweep == NULL)
        return;
    astar_release(allocator, sweep->marks, sweep->numbers, sizeof *sweep->marks);
    astar_release(allocator, sweep, 1, sizeof *sweep);
    range->sides = NULL;
}

size_t astar_side_range_bytes(const AstarRange *range)
{
    const SideSweep *sweep = range->sides;
    return sweep != NULL ? sizeof *sweep + sweep->numbers * sizeof *sweep->marks : 0;
}

AstarStatus astar_side_range_sweep_on(AstarRange *range, const AstarGrid *grid, int reach,
                                      AstarRangeTake take, void *context, int64_t *work)
{
    AstarStatus status = range->sides == NULL ? new_side_sweep(range, grid, reach) : ASTAR_OK;
    SideSweep *sweep = range->sides;
    if (status != ASTAR_OK)
        return status;
    for (; sweep->goal < range->count; sweep->goal++)
        if (!mark_around(sweep, sweep->order[sweep->goal], work))
            return ASTAR_RUNNING;
    bool in_columns = grid->shape->in_columns;
    int last = in_columns ? sweep->last_place : sweep->last_line;
    int width = 1 + (in_columns ? sweep->last_line - sweep->first_line
                                : sweep->last_place - sweep->first_place);
    for (; status == ASTAR_OK && sweep->y <= last; sweep->y++) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        status = tell_row(sweep, sweep->y, take, context);
        *work -= WORK_A_TOLD * (int64_t)width;
    }
    astar_side_range_drop(range, &grid->allocator);
    return status;
}
