// goal_range.c -- the cells within range of goals.
//
// What lies within range of a cell is a run of cells on each line: of squares all runs are as long,
// and longer to the west and north for a unit that covers more than a cell; of hexagons shorter by
// half a cell at both ends with each line further away; of other shapes they may have gaps. A band
// of rows at a time, the goals are gone through from the best to the worst, and each marks of its
// runs what is not yet marked, sixty-four cells at a look: so every cell is marked once, however
// many goals there are. What is marked is told row by row. Both come in slices.

#include "search/search.h"

#include "base/bits.h"
#include "derived/layer.h"

#include <stdlib.h>

enum { BAND = 64, WORK_A_RUN = 8, WORK_A_MARKED = 4, WORK_A_TOLD = 4 };

// The part of a grid that lies in a band: lines of cells, of hexagons those that are pushed on
// together, and places along them.
typedef struct RangeBand {
    const AstarGrid *grid;
    int reach;  // to the east and south,
    int before; // and to the west and north
    int first_line, last_line, first_place, last_place;
    size_t places, words; // of a line: cells, and words of bits
} RangeBand;

// Who is told.
typedef struct RangeTeller {
    AstarRangeTake take;
    void *context;
} RangeTeller;

static RangeBand band_of(const AstarRange *range, const AstarGrid *grid, int reach, int size)
{
    int last = astar_lesser(range->y0 + BAND, grid->height) - 1, before = reach + size - 1;
    RangeBand band = {grid, reach, before, range->y0, last, 0, grid->width - 1, 0, 0};
    if (grid->shape->in_columns)
        band = (RangeBand){grid, reach, before, 0, grid->width - 1, range->y0, last, 0, 0};
    band.places = (size_t)(band.last_place - band.first_place) + 1;
    band.words = (band.places + 63) / 64;
    return band;
}

// ---- memory ----

// Lines may end within words.
static size_t words_for(size_t cells)
{
    return cells > 0 ? cells / 64 + BAND : 0;
}

void astar_range_free(AstarRange *range, const AstarAllocator *allocator)
{
    astar_release(allocator, range->goals, range->capacity, sizeof *range->goals);
    astar_release(allocator, range->whose, range->cells, sizeof *range->whose);
    astar_release(allocator, range->marked, words_for(range->cells), sizeof *range->marked);
    *range = (AstarRange){0};
}

size_t astar_range_bytes(const AstarRange *range)
{
    return range->capacity * sizeof *range->goals + range->cells * sizeof *range->whose +
           words_for(range->cells) * sizeof *range->marked;
}

AstarStatus astar_range_begin(AstarRange *range, const AstarAllocator *allocator,
                              const AstarGrid *grid, size_t goals, int reach)
{
    size_t cells = reach > 0 ? (size_t)BAND * (size_t)grid->width : 0;
    range->count = 0;
    if (goals == 0 || (goals <= range->capacity && cells <= range->cells))
        return ASTAR_OK;
    astar_range_free(range, allocator);
    *range = (AstarRange){.capacity = goals, .cells = cells};
    range->goals = astar_alloc(allocator, goals, sizeof *range->goals);
    if (cells > 0) {
        range->whose = astar_alloc(allocator, cells, sizeof *range->whose);
        range->marked = astar_alloc(allocator, words_for(cells), sizeof *range->marked);
    }
    bool has_band = cells == 0 || (range->whose != NULL && range->marked != NULL);
    if (range->goals != NULL && has_band)
        return ASTAR_OK;
    astar_range_free(range, allocator);
    return ASTAR_NO_MEMORY;
}

// ---- marking ----

static void cell_line_place(const AstarGrid *grid, uint32_t cell, int *line, int *place)
{
    int x, y;
    astar_cell_xy(grid, cell, &x, &y);
    *line = grid->shape->in_columns ? x : y;
    *place = grid->shape->in_columns ? y : x;
}

// Whether a place on a line, which lies in a goal's run, is a gap in it.
static bool is_gap(const RangeBand *band, uint32_t cell, int line, int place)
{
    const AstarShape *shape = band->grid->shape;
    int x, y;
    if (!shape->has_gaps)
        return false;
    astar_cell_xy(band->grid, cell, &x, &y);
    return astar_cells_apart(shape, x, y, shape->in_columns ? line : place,
                             shape->in_columns ? place : line) > band->reach;
}

// Marks what is not marked of a run of cells on a line; how many cells.
static int64_t mark_run(AstarRange *range, const RangeBand *band, int line, int64_t from,
                        int64_t to)
{
    int64_t count = 0;
    size_t row = (size_t)(line - band->first_line);
    from = (from < band->first_place ? band->first_place : from) - band->first_place;
    to = (to > band->last_place ? band->last_place : to) - band->first_place;
    for (int64_t word = from >> 6; from <= to && word <= to >> 6; word++) {
        uint64_t *marked = &range->marked[row * band->words + (size_t)word];
        uint64_t rest = ~*marked & astar_bits_mask((size_t)word, (size_t)from, (size_t)to);
        for (; rest != 0; rest &= rest - 1) {
            int at = (int)(word << 6) + astar_lowest_bit(rest);
            if (is_gap(band, range->goals[range->goal].cell, line, band->first_place + at))
                continue;
            range->whose[row * band->places + (size_t)at] = (uint32_t)range->goal;
            *marked |= rest & ~(rest - 1);
            count++;
        }
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

// Marks the run of the goal at hand on a line that is so far away.
static int64_t mark_on_line(AstarRange *range, const RangeBand *band, int line, int64_t away)
{
    const AstarShape *shape = band->grid->shape;
    const int64_t reach = band->reach;
    int x, y;
    astar_cell_xy(band->grid, range->goals[range->goal].cell, &x, &y);
    if (shape->has_corners)
        return mark_run(range, band, line, (int64_t)x - band->before, x + reach);
    int64_t along = astar_middle(shape, x, y).along, halves = (1 + shape->by_halves) * reach - away;
    int64_t before = place_before(shape, along - halves - 1, line);
    return mark_run(range, band, line, before + 1, place_before(shape, along + halves, line));
}

// Marks the runs of the goal at hand that are left; false where the work is used up before.
static bool mark_around(AstarRange *range, const RangeBand *band, int64_t *work)
{
    int at, place;
    cell_line_place(band->grid, range->goals[range->goal].cell, &at, &place);
    int64_t first = at - (int64_t)band->before, last = at + (int64_t)band->reach;
    first = first < band->first_line ? band->first_line : first;
    last = last > band->last_line ? band->last_line : last;
    for (int64_t line = first + range->runs; line <= last; line++, range->runs++) {
        if (*work <= 0)
            return false;
        int64_t count = mark_on_line(range, band, (int)line, llabs(line - at));
        range->left -= (size_t)count;
        *work -= WORK_A_RUN + WORK_A_MARKED * count;
    }
    range->runs = 0;
    return true;
}

// Whether a goal has runs in a band, as far as a glance tells.
static bool is_near_band(const AstarRange *range, const RangeBand *band)
{
    int x, y;
    astar_cell_xy(band->grid, range->goals[range->goal].cell, &x, &y);
    int64_t reach = (int64_t)band->reach + 1, before = (int64_t)band->before + 1;
    return y + reach >= range->y0 && y - before < range->y0 + BAND;
}

static bool mark_band(AstarRange *range, const RangeBand *band, int64_t *work)
{
    for (; range->goal < range->count && range->left > 0; range->goal++) {
        if (*work <= 0 || (is_near_band(range, band) && !mark_around(range, band, work)))
            return false;
        --*work;
    }
    return true;
}

// ---- telling ----

static AstarStatus tell_cell(const AstarRange *range, const RangeBand *band, size_t line,
                             size_t place, const RangeTeller *teller)
{
    int x = band->first_place + (int)place, y = band->first_line + (int)line;
    bool in_columns = band->grid->shape->in_columns;
    return teller->take(teller->context,
                        astar_cell(band->grid, in_columns ? y : x, in_columns ? x : y),
                        &range->goals[range->whose[line * band->places + place]]);
}

// Tells of the marked cells of a row, in order.
static AstarStatus tell_row(const AstarRange *range, const RangeBand *band,
                            const RangeTeller *teller)
{
    size_t row = (size_t)(range->y - range->y0), lines = (size_t)band->grid->width;
    const uint64_t *words = range->marked;
    AstarStatus status = ASTAR_OK;
    if (band->grid->shape->in_columns) { // a word each
        for (size_t line = 0; line < lines && status == ASTAR_OK; line++)
            if ((words[line] >> row & 1) != 0)
                status = tell_cell(range, band, line, row, teller);
        return status;
    }
    for (size_t word = 0; word < band->words; word++)
        for (uint64_t rest = words[row * band->words + word]; rest != 0 && status == ASTAR_OK;
             rest &= rest - 1)
            status = tell_cell(range, band, row, (word << 6) + (size_t)astar_lowest_bit(rest),
                               teller);
    return status;
}

static AstarStatus tell_band(AstarRange *range, const RangeBand *band, const RangeTeller *teller,
                             int64_t *work)
{
    const AstarGrid *grid = band->grid;
    AstarStatus status = ASTAR_OK;
    for (int last = astar_lesser(range->y0 + BAND, grid->height); range->y < last; range->y++) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        status = tell_row(range, band, teller);
        if (status != ASTAR_OK)
            return status;
        *work -= WORK_A_TOLD * (int64_t)grid->width;
    }
    return ASTAR_OK;
}

// ---- all of it ----

static void begin_band(AstarRange *range, const AstarGrid *grid, int y0)
{
    int rows = astar_lesser(BAND, grid->height - y0);
    range->y0 = range->y = y0;
    range->left = rows > 0 ? (size_t)rows * (size_t)grid->width : 0;
    range->goal = 0;
    range->runs = 0;
}

// The best first, of equally good ones the lowest cell's.
static int compare_goals(const void *a, const void *b)
{
    const AstarSeed *left = a, *right = b;
    if (left->value != right->value)
        return left->value < right->value ? -1 : 1;
    return (left->cell > right->cell) - (left->cell < right->cell);
}

void astar_range_begin_sweep(AstarRange *range, const AstarGrid *grid)
{
    if (range->count > 1)
        qsort(range->goals, range->count, sizeof *range->goals, compare_goals);
    if (range->cells > 0)
        memset(range->marked, 0, words_for(range->cells) * sizeof *range->marked);
    begin_band(range, grid, 0);
}

AstarStatus astar_range_sweep_on(AstarRange *range, const AstarGrid *grid, int reach, int size,
                                 AstarRangeTake take, void *context, int64_t *work)
{
    const RangeTeller teller = {take, context};
    while (range->count > 0 && range->y0 < grid->height) {
        RangeBand band = band_of(range, grid, reach, size);
        if (!mark_band(range, &band, work))
            return ASTAR_RUNNING;
        size_t lines = (size_t)(band.last_line - band.first_line) + 1;
        bool is_empty = range->left == lines * band.places;
        AstarStatus status = is_empty ? ASTAR_OK : tell_band(range, &band, &teller, work);
        if (status != ASTAR_OK)
            return status;
        if (!is_empty)
            memset(range->marked, 0, lines * band.words * sizeof *range->marked);
        begin_band(range, grid, range->y0 + BAND);
    }
    return ASTAR_OK;
}

static int compare_goal_cells(const void *a, const void *b)
{
    const AstarSeed *left = a, *right = b;
    return left->cell == right->cell ? compare_goals(a, b) : left->cell < right->cell ? -1 : 1;
}

// Tells of the cells of goals alone.
static AstarStatus tell_goals(AstarRange *range, AstarRangeTake take, void *context)
{
    AstarSeed *goals = range->goals;
    AstarStatus status = ASTAR_OK;
    if (range->count > 1)
        qsort(goals, range->count, sizeof *goals, compare_goal_cells);
    for (size_t i = 0; i < range->count && status == ASTAR_OK; i++)
        if (i == 0 || goals[i].cell != goals[i - 1].cell)
            status = take(context, goals[i].cell, &goals[i]);
    return status;
}

AstarStatus astar_range_sweep(AstarRange *range, const AstarGrid *grid, int reach, int size,
                              AstarRangeTake take, void *context)
{
    int64_t work = ASTAR_ALL_WORK;
    assert(reach > 0 || size == 1);
    if (reach == 0)
        return tell_goals(range, take, context);
    astar_range_begin_sweep(range, grid);
    return astar_range_sweep_on(range, grid, reach, size, take, context, &work);
}
