// goal.c -- The goals that end a search: one cell, the cells within range of a cell, the reachable
// cells nearest to a cell, one of many goals, or a test of the caller. best_first.c and bends.c
// call astar_goal_close for each cell that they close.

#include "search/goal.h"

#include "base/bits.h"
#include "layers/layer.h"
#include "rules/heuristic.h"
#include "search/reachable.h"
#include "search/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ASTAR_HOT AstarGoal astar_goal_at(const AstarGrid *grid, int x, int y, int range, AstarBody body)
{
    return (AstarGoal){
        .kind = range > 0 ? ASTAR_GOAL_BOX : ASTAR_GOAL_CELL,
        .cell = astar_cell(grid, x, y),
        .x = x,
        .y = y,
        .range = range,
        .body = range > 0 ? body : ASTAR_ONE_CELL,
        .nearest = ASTAR_NO_CELL,
    };
}

bool astar_goal_is_same(const AstarGoal *a, const AstarGoal *b)
{
    return a->kind == b->kind && a->tracks == b->tracks &&
           (a->kind != ASTAR_GOAL_NEAR || a->near == b->near);
}

// The functions below handle a cell that is being closed. The cell may be the goal, or the cell
// nearest to the goal so far.

static bool is_goal_cell(const AstarSearch *search, uint32_t cell)
{
    const AstarGoal *goal = &search->goal;
    if (goal->kind == ASTAR_GOAL_CELL)
        return cell == goal->cell;
    int x, y;
    astar_cell_xy(search->grid, cell, &x, &y);
    if (search->grid->shape->wraps != 0)
        astar_come_nearest(search->grid, &x, &y, goal->x, goal->y);
    astar_goal_come_near(goal, &x, &y, goal->x, goal->y);
    if (goal->kind == ASTAR_GOAL_BOX)
        return astar_cells_apart(search->grid->shape, x, y, goal->x, goal->y) <= goal->range;
    return astar_estimate_between(search->grid->shape, &search->finder->costs.distance, x, y,
                                  goal->x, goal->y) <= goal->near;
}

// Keeps a cell as the one nearest to the goal if no closed cell is nearer. Among equally near cells
// the cheapest is kept, then the one with the lowest number.
static void track_nearest(AstarSearch *search, uint32_t cell)
{
    AstarGoal *goal = &search->goal;
    int x, y;
    astar_cell_xy(search->grid, cell, &x, &y);
    if (search->grid->shape->wraps != 0)
        astar_come_nearest(search->grid, &x, &y, goal->x, goal->y);
    astar_goal_come_near(goal, &x, &y, goal->x, goal->y);
    double distance = astar_estimate_between(search->grid->shape, &search->finder->costs.distance,
                                             x, y, goal->x, goal->y);
    if (goal->nearest != ASTAR_NO_CELL) {
        double nearest = goal->nearest_distance;
        if (distance > nearest)
            return;
        double g = astar_search_g(search, cell), least = astar_search_g(search, goal->nearest);
        if (distance == nearest && (g > least || (g == least && cell > goal->nearest)))
            return;
    }
    goal->nearest = cell;
    goal->nearest_distance = distance;
}

ASTAR_COLD AstarStatus astar_goal_close(AstarSearch *search, uint32_t cell)
{
    if (astar_goal_is_of_many(&search->goal))
        return astar_goal_set_close(search, cell);
    if (is_goal_cell(search, cell)) {
        search->found = cell;
        return ASTAR_OK;
    }
    if (search->goal.tracks)
        track_nearest(search, cell);
    return ASTAR_RUNNING;
}

// ------------------------------------------------------------------------------------------------
// The functions below visit all cells within range of goals.
//
// A line is a row of cells or, on some grids of hexagons, a column. The cells within range of a
// goal form one run of cells on each line. On squares all runs have the same length; for a unit
// that covers more than one cell they extend farther to the west and north. On hexagons each line
// farther away is shorter by half a cell at both ends. Other shapes may have gaps in their runs.
//
// The grid is processed in bands of rows. In each band the goals are visited from the best to the
// worst, and each marks the cells of its runs that are not marked yet, 64 cells per word. Every
// cell is thus marked once, even if there are many goals. Afterwards the marked cells are passed to
// the callback row by row. Marking and passing can be done in steps.
// ------------------------------------------------------------------------------------------------

enum { BAND = 64, WORK_A_RUN = 8, WORK_A_MARKED = 4, WORK_A_TOLD = 4 };

// The part of a grid that lies in a band of rows, as lines of cells and positions on these lines. A
// line is a row or, on grids of hexagons whose columns are shifted, a column.
typedef struct RangeBand {
    const AstarGrid *grid;
    int reach; // reach of a goal to the east and south
    int west;  // reach of a goal to the west
    int north; // reach of a goal to the north
    int first_line, last_line, first_place, last_place;
    size_t places, words; // cells of a line, and words of bits of a line
} RangeBand;

// The callback that receives the marked cells, and the context that is passed to it.
typedef struct RangeEstimate {
    AstarRangeTake take;
    void *context;
} RangeEstimate;

static RangeBand band_of(const AstarRange *range, const AstarGrid *grid, int reach, AstarBody body)
{
    int last = astar_lesser(range->y0 + BAND, grid->height) - 1;
    int west = reach + body.width - 1, north = reach + body.height - 1;
    RangeBand band = {grid, reach, west, north, range->y0, last, 0, grid->width - 1, 0, 0};
    if (grid->shape->in_columns)
        band = (RangeBand){grid, reach, west, north, 0, grid->width - 1, range->y0, last, 0, 0};
    band.places = (size_t)(band.last_place - band.first_place) + 1;
    band.words = (band.places + 63) / 64;
    return band;
}

// Memory.

// Returns the number of words of bits that a band of 'cells' cells needs. Each line may end within
// a word.
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

// The functions below mark the cells within range of goals.

static void cell_line_place(const AstarGrid *grid, uint32_t cell, int *line, int *place)
{
    int x, y;
    astar_cell_xy(grid, cell, &x, &y);
    *line = grid->shape->in_columns ? x : y;
    *place = grid->shape->in_columns ? y : x;
}

// Returns true if a position on a line is a gap in the run of a goal: it lies between the ends of
// the run, but out of the goal's reach.
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

// Marks those cells of a run on a line that are not marked yet. Returns their number.
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

// Returns the last position on a line whose centre lies at or before the coordinate 'along'.
static int64_t place_before(const AstarShape *shape, int64_t along, int line)
{
    int x, y;
    astar_cell_of_middle(shape, (AstarMiddle){along, line}, &x, &y);
    return shape->in_columns ? y : x;
}

// Marks the run of the current goal on a line that lies 'away' lines from the goal. Returns the
// number of cells marked.
static int64_t mark_on_line(AstarRange *range, const RangeBand *band, int line, int64_t away)
{
    const AstarShape *shape = band->grid->shape;
    const int64_t reach = band->reach;
    int x, y;
    astar_cell_xy(band->grid, range->goals[range->goal].cell, &x, &y);
    if (shape->has_corners)
        return mark_run(range, band, line, (int64_t)x - band->west, x + reach);
    int64_t along = astar_middle(shape, x, y).along, halves = (1 + shape->by_halves) * reach - away;
    int64_t before = place_before(shape, along - halves - 1, line);
    return mark_run(range, band, line, before + 1, place_before(shape, along + halves, line));
}

// Marks the remaining runs of the current goal. Returns false if the work budget is used up first.
static bool mark_around(AstarRange *range, const RangeBand *band, int64_t *work)
{
    int at, place;
    cell_line_place(band->grid, range->goals[range->goal].cell, &at, &place);
    int64_t first = at - (int64_t)band->north, last = at + (int64_t)band->reach;
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

// Returns true if a goal may have cells within range in the band of rows.
static bool is_near_band(const AstarRange *range, const RangeBand *band)
{
    int x, y;
    astar_cell_xy(band->grid, range->goals[range->goal].cell, &x, &y);
    int64_t reach = (int64_t)band->reach + 1, north = (int64_t)band->north + 1;
    return y + reach >= range->y0 && y - north < range->y0 + BAND;
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

// The functions below pass the marked cells to the callback.

static AstarStatus tell_cell(const AstarRange *range, const RangeBand *band, size_t line,
                             size_t place, const RangeEstimate *teller)
{
    int x = band->first_place + (int)place, y = band->first_line + (int)line;
    bool in_columns = band->grid->shape->in_columns;
    return teller->take(teller->context,
                        astar_cell(band->grid, in_columns ? y : x, in_columns ? x : y),
                        &range->goals[range->whose[line * band->places + place]]);
}

// Passes the marked cells of a row to the callback, in order.
static AstarStatus tell_row(const AstarRange *range, const RangeBand *band,
                            const RangeEstimate *teller)
{
    size_t row = (size_t)(range->y - range->y0), lines = (size_t)band->grid->width;
    const uint64_t *words = range->marked;
    AstarStatus status = ASTAR_OK;
    if (band->grid->shape->in_columns) { // each column is one word
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

static AstarStatus tell_band(AstarRange *range, const RangeBand *band, const RangeEstimate *teller,
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

// The whole visit.

static void begin_band(AstarRange *range, const AstarGrid *grid, int y0)
{
    int rows = astar_lesser(BAND, grid->height - y0);
    range->y0 = range->y = y0;
    range->left = rows > 0 ? (size_t)rows * (size_t)grid->width : 0;
    range->goal = 0;
    range->runs = 0;
}

// Orders goals by value, then by cell.
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

AstarStatus astar_range_sweep_on(AstarRange *range, const AstarGrid *grid, int reach,
                                 AstarBody body, AstarRangeTake take, void *context, int64_t *work)
{
    const RangeEstimate teller = {take, context};
    while (range->count > 0 && range->y0 < grid->height) {
        RangeBand band = band_of(range, grid, reach, body);
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

// Passes only the goals' own cells to the callback, in the order of the cells.
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

AstarStatus astar_range_sweep(AstarRange *range, const AstarGrid *grid, int reach, AstarBody body,
                              AstarRangeTake take, void *context)
{
    int64_t work = ASTAR_ALL_WORK;
    assert(reach > 0 || astar_is_one_cell(body));
    if (reach == 0)
        return tell_goals(range, take, context);
    astar_range_begin_sweep(range, grid);
    return astar_range_sweep_on(range, grid, reach, body, take, context, &work);
}

// ------------------------------------------------------------------------------------------------
// The functions below search for any one of many goals.
//
// With a few goals the estimate is the least of the estimates to each, which is as admissible and
// consistent as each of them. With more goals, computing the estimate would take longer than it
// saves; and no estimate is known for goals that only a function decides. Searches without an
// estimate use Dijkstra's algorithm.
//
// Among equally cheap goals the lowest is reached: the one farther north, then farther west.
// Therefore the search does not end at the first goal that it reaches. After that it continues only
// towards lower goals, over cells that a route of the same cost can cross.
//
// Time and memory are proportional to the map, and independent of the number of goals and their
// range. Each cell within range is marked once. For a single cell the nearest goal is found by
// comparing all goals. Once this has taken more work than measuring the whole map would, the whole
// map is measured.
// ------------------------------------------------------------------------------------------------

enum { WORK_OF_A_MARK = 8 };

// Largest ratio of two sums that are treated as equal because they may differ only by rounding.
static const double ROUNDING = 1 + 1e-12;

static uint32_t cell_of_goal(const AstarSearch *search, const AstarCell *goal)
{
    return astar_cell(search->grid, goal->x, goal->y);
}

// The functions below find out which cells are goals.

// Marks a cell as belonging to the goal whose cell is 'goal'.
static AstarStatus mark_goal_cell(AstarSearch *search, uint32_t cell, uint32_t goal)
{
    int x, y;
    astar_cell_xy(search->grid, cell, &x, &y);
    AstarPage *page = astar_page_for(&search->many.goal_marks, &search->allocator, x, y);
    if (page == NULL)
        return ASTAR_NO_MEMORY;
    page->states[astar_page_place(x, y)] = 1;
    page->values[astar_page_place(x, y)] = goal;
    return ASTAR_OK;
}

static AstarStatus mark_in_range(void *context, uint32_t cell, const AstarSeed *goal)
{
    return mark_goal_cell(context, cell, goal->cell);
}

AstarStatus astar_goal_set_begin_marks(AstarSearch *search)
{
    const AstarGoals *goals = &search->many.goals.list;
    const AstarGrid *grid = search->grid;
    search->many.goals.marked = 0;
    if (!astar_pages_begin(&search->many.goal_marks, &search->allocator, grid->width, grid->height))
        return ASTAR_NO_MEMORY;
    if (search->query.range == 0)
        return ASTAR_OK;
    AstarStatus status = astar_range_begin(&search->many.around, &search->allocator, grid,
                                           goals->count, search->query.range);
    if (status != ASTAR_OK)
        return status;
    for (size_t i = 0; i < goals->count; i++) {
        uint32_t cell = cell_of_goal(search, &goals->cells[i]);
        astar_range_add(&search->many.around, cell, cell);
    }
    astar_range_begin_sweep(&search->many.around, grid);
    return ASTAR_OK;
}

AstarStatus astar_goal_set_mark(AstarSearch *search, int64_t *work)
{
    AstarGoalSet *set = &search->many.goals;
    AstarStatus status = ASTAR_OK;
    if (search->query.range > 0)
        return astar_range_sweep_on(&search->many.around, search->grid, search->query.range,
                                    search->goal.body, mark_in_range, search, work);
    for (; set->marked < set->list.count && status == ASTAR_OK; set->marked++) {
        if ((*work -= WORK_OF_A_MARK) < 0)
            return ASTAR_RUNNING;
        uint32_t cell = cell_of_goal(search, &set->list.cells[set->marked]);
        status = mark_goal_cell(search, cell, cell);
    }
    return status;
}

// Calls the caller's test for a cell. Returns ASTAR_OK if the cell is a goal.
static AstarStatus call_test(AstarSearch *search, uint32_t cell)
{
    int x, y;
    astar_cell_xy(search->grid, cell, &x, &y);
    bool is_goal = search->many.goals.list.test(search->costs.context, x, y,
                                                search->grid->ground[cell]);
    if (astar_finder_version(search->finder) != search->costs.version)
        return ASTAR_GRID_CHANGED;
    return is_goal ? ASTAR_OK : ASTAR_RUNNING;
}

// The functions below measure how near cells are to goals.

AstarStatus astar_goal_set_need_nears(AstarSearch *search)
{
    if (search->many.nears == NULL)
        search->many.nears = astar_alloc(&search->allocator, search->rest.cells,
                                         sizeof *search->many.nears);
    return search->many.nears != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
}

AstarStatus astar_goal_set_measure(AstarSearch *search, AstarNearMeasuring *measuring,
                                   int64_t *work)
{
    AstarGoalSet *set = &search->many.goals;
    const AstarGrid *grid = search->grid;
    AstarStatus status = astar_goal_set_need_nears(search);
    if (status != ASTAR_OK)
        return status;
    while (measuring->cleared<grid->height && * work> 0)
        astar_near_clear_row(search->many.nears, grid, measuring, work);
    if (measuring->cleared < grid->height)
        return ASTAR_RUNNING;
    for (size_t i = 0; measuring->lines == 0 && i < set->list.count; i++)
        astar_near_put(search->many.nears, cell_of_goal(search, &set->list.cells[i]));
    set->is_measured = astar_near_measure(search->many.nears, grid, &search->finder->costs.distance,
                                          measuring, work) &&
                       astar_near_widen(search->many.nears, grid, search->goal.body, false,
                                        measuring, work);
    return set->is_measured ? ASTAR_OK : ASTAR_RUNNING;
}

// Measures the distances of all cells of the map if comparing goals has already taken more work
// than measuring all cells would take. A search in steps does not measure the map here: a step has
// no time for it, and there are few goals to compare, see nearest.c.
static AstarStatus measure_goals_if_due(AstarSearch *search)
{
    const AstarGoalSet *set = &search->many.goals;
    AstarNearMeasuring measuring = {0};
    int64_t work = ASTAR_ALL_WORK;
    if (set->is_measured || set->compared <= search->grid->cells ||
        search->stepped.preparing.in_steps)
        return ASTAR_OK;
    return astar_goal_set_measure(search, &measuring, &work);
}

// Stores in '*nearest' the goal nearest to a cell and its distance. Among equally near goals it is
// the one with the lowest cell number.
static AstarStatus nearest_goal_to(AstarSearch *search, uint32_t cell, AstarNear *nearest)
{
    AstarGoalSet *set = &search->many.goals;
    set->compared += set->list.count;
    AstarStatus status = measure_goals_if_due(search);
    if (status != ASTAR_OK)
        return status;
    if (set->is_measured) {
        *nearest = search->many.nears[cell];
        return ASTAR_OK;
    }
    int x, y;
    astar_cell_xy(search->grid, cell, &x, &y);
    *nearest = (AstarNear){INFINITY, 0};
    for (size_t i = 0; i < set->list.count; i++) {
        const AstarCell *goal = &set->list.cells[i];
        int near_x = x, near_y = y;
        astar_goal_come_near(&search->goal, &near_x, &near_y, goal->x, goal->y);
        AstarNear each = {astar_estimate_between(search->grid->shape,
                                                 &search->finder->costs.distance, near_x, near_y,
                                                 goal->x, goal->y),
                          cell_of_goal(search, goal)};
        if (astar_is_nearer(&each, nearest))
            *nearest = each;
    }
    return ASTAR_OK;
}

// Returns the greatest value that a sum equal to 'cost' may have through rounding. Sums of
// multiples of the unit of cost are exact as long as they fit the 53 bits of a double.
static double as_cheap_as(const AstarFinder *finder, double cost)
{
    return cost < finder->costs.unit * 0x1p53 ? cost : cost * ROUNDING;
}

// Returns true if a cell should replace the nearest cell found so far. A cell nearer to a goal is
// preferred, then a cheaper cell, then the cell whose goal is lower, then the lower cell.
static bool is_to_be_kept(const AstarSearch *search, uint32_t cell, const AstarNear *near)
{
    const AstarFinder *finder = search->finder;
    const AstarGoal *goal = &search->goal;
    if (goal->nearest == ASTAR_NO_CELL || near->distance < goal->nearest_distance)
        return true;
    double g = astar_search_g(search, cell), least = astar_search_g(search, goal->nearest);
    if (near->distance > goal->nearest_distance || g > as_cheap_as(finder, least))
        return false;
    uint32_t near_to = search->many.goals.near_to;
    bool is_lower = near->cell < near_to || (near->cell == near_to && cell < goal->nearest);
    return is_lower || as_cheap_as(finder, g) < least;
}

// Keeps a cell as the one nearest to any goal if it is better than the cell kept so far. Returns
// ASTAR_RUNNING, or an error if there is no memory.
static AstarStatus track_nearest_to_any(AstarSearch *search, uint32_t cell)
{
    AstarNear near;
    AstarStatus status = nearest_goal_to(search, cell, &near);
    if (status != ASTAR_OK)
        return status;
    if (is_to_be_kept(search, cell, &near)) {
        search->goal.nearest = cell;
        search->goal.nearest_distance = near.distance;
        search->many.goals.near_to = near.cell;
    }
    return ASTAR_RUNNING;
}

// The search.

// Finds the rectangle around the goals for which the estimate is computed. If there are as many
// goals as cells on the rim of the rectangle, the goals are assumed to be the rim: the cells around
// a player, a chest or a building. The estimate for a cell outside is then the estimate to the
// rectangle. If the goals are not the rim after all, the rectangle is nearer than any of them, so
// the estimate is still admissible.
static void find_ring(AstarGoalSet *set)
{
    set->x0 = set->x1 = set->estimated[0].x;
    set->y0 = set->y1 = set->estimated[0].y;
    for (size_t i = 1; i < set->estimated_count; i++) {
        const AstarCell *goal = &set->estimated[i];
        set->x0 = goal->x < set->x0 ? goal->x : set->x0;
        set->y0 = goal->y < set->y0 ? goal->y : set->y0;
        set->x1 = goal->x > set->x1 ? goal->x : set->x1;
        set->y1 = goal->y > set->y1 ? goal->y : set->y1;
    }
    int64_t width = set->x1 - set->x0 + 1, height = set->y1 - set->y0 + 1;
    int64_t inside = width > 2 && height > 2 ? (width - 2) * (height - 2) : 0;
    set->is_ring = (int64_t)set->estimated_count >= width * height - inside;
}

void astar_goal_set_aim(AstarSearch *search, const AstarCell *goals, size_t count)
{
    AstarGoalSet *set = &search->many.goals;
    memcpy(set->estimated, goals, count * sizeof *goals);
    set->estimated_count = count;
    find_ring(set);
}

double astar_goal_set_estimate(const AstarSearch *search, int x, int y)
{
    const AstarGoalSet *set = &search->many.goals;
    const AstarGoal *any = &search->goal;
    if (set->estimated_count == 0)
        return 0;
    int near_x = x < set->x0 ? set->x0 : x > set->x1 ? set->x1 : x;
    int near_y = y < set->y0 ? set->y0 : y > set->y1 ? set->y1 : y;
    if (set->is_ring && (near_x != x || near_y != y) && search->grid->shape->has_corners)
        return astar_goal_remaining(search->grid->shape, &search->finder->costs.heuristic, any,
                                    near_x, near_y, x, y);
    double least = INFINITY;
    for (size_t i = 0; i < set->estimated_count; i++) {
        const AstarCell *goal = &set->estimated[i];
        double h = astar_goal_remaining(search->grid->shape, &search->finder->costs.heuristic, any,
                                        goal->x, goal->y, x, y);
        least = h < least ? h : least;
    }
    return least;
}

// Returns ASTAR_OK if a cell belongs to a goal with a lower cell number than the goal reached.
// Stores that goal in '*goal'.
static AstarStatus judge_goal_cell(AstarSearch *search, uint32_t cell, uint32_t *goal)
{
    const AstarGoalSet *set = &search->many.goals;
    AstarStatus status;
    *goal = cell;
    if (search->goal.kind == ASTAR_GOAL_TEST)
        return cell < set->met ? call_test(search, cell) : ASTAR_RUNNING;
    if (search->goal.kind == ASTAR_GOAL_SET_NEAR) {
        AstarNear near = {INFINITY, cell};
        status = nearest_goal_to(search, cell, &near);
        if (status == ASTAR_OK && near.distance > search->goal.near)
            status = ASTAR_RUNNING;
        *goal = near.cell;
    } else if (astar_goal_set_is_marked(search, cell)) {
        int x, y;
        astar_cell_xy(search->grid, cell, &x, &y);
        *goal = (uint32_t)astar_pages_value(&search->many.goal_marks, x, y);
        status = ASTAR_OK;
    } else {
        status = ASTAR_RUNNING;
    }
    return status == ASTAR_OK && *goal >= set->met ? ASTAR_RUNNING : status;
}

// Records the goal reached. Returns ASTAR_RUNNING if a lower goal may be as cheap.
static AstarStatus meet_goal(AstarSearch *search, uint32_t cell, uint32_t goal)
{
    AstarGoalSet *set = &search->many.goals;
    double bound = as_cheap_as(search->finder, astar_search_g(search, cell));
    search->found = cell;
    set->met = goal;
    if (search->own.weight > 1)
        return ASTAR_OK;
    search->limit = bound < search->limit ? bound : search->limit;
    size_t count = set->estimated_count;
    if (count == 0)
        return ASTAR_RUNNING;
    set->estimated_count = 0;
    for (size_t i = 0; i < count; i++)
        if (cell_of_goal(search, &set->estimated[i]) < goal)
            set->estimated[set->estimated_count++] = set->estimated[i];
    find_ring(set);
    return set->estimated_count > 0 ? ASTAR_RUNNING : ASTAR_OK;
}

AstarStatus astar_goal_set_close(AstarSearch *search, uint32_t cell)
{
    uint32_t goal;
    AstarStatus status = judge_goal_cell(search, cell, &goal);
    if (status == ASTAR_OK)
        return meet_goal(search, cell, goal);
    if (status == ASTAR_RUNNING && search->goal.tracks && search->found == ASTAR_NO_CELL)
        return track_nearest_to_any(search, cell);
    return status;
}

// Returns true if no route over a cell can lead to a better goal than the goal reached. If the
// search has an estimate, the estimate shows that such a route would cost too much. If it has none,
// a route over the cell costs more unless the route ends there. Maps with links are an exception,
// because the cost of a link may be 0.
bool astar_goal_set_is_past(const AstarSearch *search, uint32_t cell)
{
    if (search->many.goals.estimated_count == 0)
        return !search->own.linked;
    int x, y;
    astar_cell_xy(search->grid, cell, &x, &y);
    return astar_search_g(search, cell) + astar_goal_set_estimate(search, x, y) > search->limit;
}

// ------------------------------------------------------------------------------------------------
// The functions below compute, for every cell of a map, the nearest of many cells, as if there were
// no obstacles.
//
// Two passes over the map suffice for any number of cells from which distances are measured. The
// distance is the length of the shortest path by straight and diagonal steps. There is always a
// shortest path that makes all its steps to the east and south first, then all its steps to the
// west and north (chamfer distances: A. Rosenfeld and J. Pfaltz, 1968; G. Borgefors, 1986). The
// lengths of steps are chosen so that sums are exact, see heuristic.c, so the distances equal those
// of astar_estimate().
// ------------------------------------------------------------------------------------------------

enum { WORK_A_CELL = 8 };

void astar_near_clear_row(AstarNear *cells, const AstarGrid *grid, AstarNearMeasuring *measuring,
                          int64_t *work)
{
    AstarNear *row = cells + astar_cell(grid, 0, measuring->cleared++);
    for (int x = 0; x < grid->width; x++)
        row[x] = (AstarNear){INFINITY, 0};
    *work -= WORK_A_CELL * (int64_t)grid->width;
}

static inline void offer_near(AstarNear *best, const AstarNear *from, double step)
{
    AstarNear offer = {from->distance + step, from->cell};
    if (astar_is_nearer(&offer, best))
        *best = offer;
}

// Lowers the distance of the cell at 'x' if a neighbour offers a lower one: the neighbour at x - by
// in the same row, or one of the three neighbours in the row 'before'.
static inline void improve_near(AstarNear *row, const AstarNear *before, int width, int x, int by,
                                double straight, double diagonal)
{
    AstarNear best = row[x];
    bool has_back = x - by >= 0 && x - by < width, has_ahead = x + by >= 0 && x + by < width;
    if (has_back)
        offer_near(&best, &row[x - by], straight);
    if (before != NULL) {
        offer_near(&best, &before[x], straight);
        if (has_back)
            offer_near(&best, &before[x - by], diagonal);
        if (has_ahead)
            offer_near(&best, &before[x + by], diagonal);
    }
    row[x] = best;
}

// Lowers the distance of the cell (x, y) if a neighbour over one of the given sides offers a lower
// one.
static void improve_over_sides(AstarNear *cells, const AstarGrid *grid, int x, int y,
                               unsigned sides, double step)
{
    const int8_t *steps_over = grid->shape->steps_over[astar_phase(grid->shape, x, y)];
    AstarNear *near = &cells[astar_cell(grid, x, y)];
    for (; sides != 0; sides &= sides - 1) {
        int d = steps_over[astar_lowest_bit(sides)];
        if (d == ASTAR_NO_SIDE || !astar_inside(grid, x + astar_dx[d], y + astar_dy[d]))
            continue;
        offer_near(near, &cells[astar_cell(grid, x + astar_dx[d], y + astar_dy[d])], step);
    }
}

// Lowers the distances of the cells of one line on a grid without corners. A shortest path never
// goes back across lines. The part of the path within this line begins at an earlier or a later
// cell of the line, so the line is scanned in both directions.
static void measure_line_by_sides(AstarNear *cells, const AstarGrid *grid, int line, bool backward,
                                  double step)
{
    const AstarShape *shape = grid->shape;
    int length = shape->in_columns ? grid->height : grid->width;
    unsigned before = shape->to_lines[backward] | shape->to_places[0];
    for (int i = 0; i < 2 * length; i++) {
        int place = i < length ? i : 2 * length - 1 - i;
        improve_over_sides(cells, grid, shape->in_columns ? line : place,
                           shape->in_columns ? place : line,
                           i < length ? before : shape->to_places[1], step);
    }
}

static void measure_row_of_squares(AstarNear *cells, const AstarGrid *grid, int y, bool backward,
                                   const AstarHeuristic *distance)
{
    double straight = distance->along, diagonal = distance->along + distance->across;
    int width = grid->width;
    AstarNear *row = cells + astar_cell(grid, 0, y);
    if (backward)
        for (int x = width - 1; x >= 0; x--)
            improve_near(row, y < grid->height - 1 ? row + width : NULL, width, x, -1, straight,
                         diagonal);
    else
        for (int x = 0; x < width; x++)
            improve_near(row, y > 0 ? row - width : NULL, width, x, 1, straight, diagonal);
}

ASTAR_COLD bool astar_near_measure(AstarNear *cells, const AstarGrid *grid,
                                   const AstarHeuristic *distance, AstarNearMeasuring *measuring,
                                   int64_t *work)
{
    assert(!distance->euclidean);
    int lines = grid->shape->in_columns ? grid->width : grid->height;
    for (; measuring->lines < 2 * lines; measuring->lines++) {
        bool backward = measuring->lines >= lines;
        int line = backward ? 2 * lines - 1 - measuring->lines : measuring->lines;
        if (*work <= 0)
            return false;
        if (grid->shape->has_corners)
            measure_row_of_squares(cells, grid, line, backward, distance);
        else
            measure_line_by_sides(cells, grid, line, backward, distance->along);
        *work -= WORK_A_CELL * (int64_t)(grid->cells / (uint32_t)lines);
    }
    return true;
}

// The functions below serve units that cover more than one cell.

static void keep_nearer(AstarNear *near, const AstarNear *other)
{
    if (astar_is_nearer(other, near))
        *near = *other;
}

// Returns the offset between the cells that a pass compares, if each cell holds the best of 'width'
// cells so far. After the last pass each cell holds the best of 'side' cells.
static int stride_of_pass(int width, int side)
{
    return astar_lesser(width, side - width);
}

// Gives each cell of a row the best value of the 'side' cells that begin with it or, if 'covered'
// is true, that end with it.
static void widen_row(AstarNear *row, int width, int side, bool covered)
{
    for (int wide = 1, by; wide < side; wide += by) {
        by = stride_of_pass(wide, side);
        if (covered)
            for (int x = width - 1; x >= by; x--)
                keep_nearer(&row[x], &row[x - by]);
        else
            for (int x = 0; x < width - by; x++)
                keep_nearer(&row[x], &row[x + by]);
    }
}

// Does one row of a pass over the columns: each cell of row 'y' takes the value of the cell 'by'
// rows farther south if that value is better.
static void widen_down(AstarNear *cells, const AstarGrid *grid, int y, int by)
{
    if (y + by < 0 || y + by >= grid->height)
        return;
    AstarNear *row = cells + astar_cell(grid, 0, y);
    for (int x = 0; x < grid->width; x++)
        keep_nearer(&row[x], &row[x + (ptrdiff_t)by * grid->width]);
}

ASTAR_COLD bool astar_near_widen(AstarNear *cells, const AstarGrid *grid, AstarBody body,
                                 bool covered, AstarNearMeasuring *measuring, int64_t *work)
{
    // Each pass processes 'rows' rows; 'first' is the number of rows that earlier passes have
    // processed. The first pass compares cells of the same row, the others cells of the same
    // column.
    int64_t first = 0, rows = grid->height;
    int passed = astar_is_one_cell(body) ? body.height : 0;
    for (int wide = passed, by = 1; wide < body.height; wide += by, first += rows) {
        by = wide == 0 ? 1 : stride_of_pass(wide, body.height);
        for (; measuring->widened < first + rows; measuring->widened++) {
            int y = (int)(measuring->widened - first);
            y = covered ? grid->height - 1 - y : y;
            if (*work <= 0)
                return false;
            if (wide == 0)
                widen_row(cells + astar_cell(grid, 0, y), grid->width, body.width, covered);
            else
                widen_down(cells, grid, y, covered ? -by : by);
            *work -= WORK_A_CELL * (int64_t)grid->width;
        }
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// The functions below find the goals of a query that may be reachable, according to the connected
// components.
//
// For each goal in turn the cells around it are examined. Once this has taken more work than
// measuring the whole map would, the whole map is measured.
// ------------------------------------------------------------------------------------------------

enum { WORK_OF_A_GOAL = 8 };

// Computes for every cell how near it is to a reachable cell. If the distance of a unit is measured
// from the nearest cell that it covers, all cells that the unit covers at some reachable cell count
// as reached. Returns ASTAR_RUNNING if the work budget is used up first.
ASTAR_COLD static AstarStatus measure_reach(AstarCandidates *candidates, AstarSearch *search,
                                            const AstarHeuristic *distance, int64_t *work)
{
    const AstarGrid *grid = search->grid;
    AstarNearMeasuring *measuring = &candidates->measuring;
    AstarStatus status = astar_goal_set_need_nears(search);
    if (status != ASTAR_OK)
        return status;
    while (measuring->cleared < grid->height) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        int y = measuring->cleared;
        astar_near_clear_row(search->many.nears, grid, measuring, work);
        for (int x = 0; x < grid->width; x++)
            if (astar_reachable_has(&candidates->reach, x, y))
                astar_near_put(search->many.nears, astar_cell(grid, x, y));
    }
    candidates->is_measured = astar_near_widen(search->many.nears, grid, search->goal.body, true,
                                               measuring, work) &&
                              astar_near_measure(search->many.nears, grid, distance, measuring,
                                                 work);
    return candidates->is_measured ? ASTAR_OK : ASTAR_RUNNING;
}

// Measures the whole map once the examination of cells around goals has taken more work than
// measuring the map would.
static AstarStatus measure_reach_if_due(AstarCandidates *candidates, AstarSearch *search,
                                        const AstarHeuristic *distance, int64_t *work)
{
    if (candidates->is_measured || candidates->reach.visited <= search->grid->cells)
        return ASTAR_OK;
    return measure_reach(candidates, search, distance, work);
}

// The functions below find out which goals can be reached.

// Stores whether a goal is reachable according to the components. Returns false, and stores
// nothing, if the work budget is used up first.
static bool can_be_reached(AstarCandidates *candidates, const AstarSearch *search,
                           const AstarCell *goal, bool *reachable, int64_t *work)
{
    int range = search->query.range;
    AstarRings *rings = &candidates->rings;
    *reachable = astar_unit_apart(search->grid->shape, search->start_x, search->start_y,
                                  search->goal.body, goal->x, goal->y) <= range;
    if (*reachable)
        return true;
    if (candidates->is_measured) {
        *reachable = search->many.nears[astar_cell(search->grid, goal->x, goal->y)].distance <=
                     range;
        return true;
    }
    if (rings->radius == 0)
        rings->nearest = INFINITY;
    if (!astar_reachable_look(&candidates->reach, goal->x, goal->y, search->goal.body, range, rings,
                              work))
        return false;
    *reachable = isfinite(rings->nearest);
    return true;
}

// Records the result for the current goal and moves to the next goal.
static void note_goal(AstarCandidates *candidates, const AstarSearch *search, bool reachable)
{
    const AstarCell *goal = &candidates->goals->cells[candidates->at];
    if (!reachable)
        candidates->any_free |= search->query.range > 0 ||
                                (astar_bits_get(&search->finder->on.walkable->bits, goal->x,
                                                goal->y) &&
                                 !astar_costs_suppose(&search->costs, goal->x, goal->y));
    else
        candidates->only = candidates->at;
    if (reachable && candidates->reachable++ < ASTAR_MOST_ROOTS)
        candidates->first[candidates->reachable - 1] = *goal;
    candidates->at++;
    candidates->rings = (AstarRings){0};
}

static AstarStatus begin_sorting(AstarCandidates *candidates, AstarSearch *search, int64_t *work)
{
    AstarStatus status = astar_reachable_advance(search, search->start_x, search->start_y,
                                                 &candidates->beyond, &candidates->reach, work);
    if (status != ASTAR_OK)
        return status;
    search->known.outcome.certain = candidates->reach.certain;
    candidates->any_free = candidates->goals->count == 0;
    candidates->is_begun = true;
    return ASTAR_OK;
}

ASTAR_COLD AstarStatus astar_candidates_sort(AstarCandidates *candidates, AstarSearch *search,
                                             int64_t *work)
{
    const AstarHeuristic cells = {1, 0, false};
    AstarStatus status = candidates->is_begun ? ASTAR_OK : begin_sorting(candidates, search, work);
    while (status == ASTAR_OK && candidates->at < candidates->goals->count) {
        const AstarCell *goal = &candidates->goals->cells[candidates->at];
        bool reachable;
        status = measure_reach_if_due(candidates, search, &cells, work);
        if (status != ASTAR_OK)
            break;
        if (*work <= 0 || !can_be_reached(candidates, search, goal, &reachable, work))
            return ASTAR_RUNNING;
        note_goal(candidates, search, reachable);
        *work -= WORK_OF_A_GOAL;
    }
    return status;
}

// The functions below compute how near the unreachable goals can be approached.

// Computes how near a reachable cell comes to the next goal. Returns false if the work budget is
// used up first.
static bool look_near(AstarCandidates *candidates, const AstarSearch *search, int64_t *work)
{
    const AstarCell *goal = &candidates->goals->cells[candidates->at];
    const AstarGrid *grid = search->grid;
    AstarRings *rings = &candidates->rings;
    int x = search->start_x, y = search->start_y;
    astar_goal_come_near(&search->goal, &x, &y, goal->x, goal->y);
    double here = astar_estimate_between(grid->shape, &search->finder->costs.distance, x, y,
                                         goal->x, goal->y);
    if (rings->radius == 0)
        rings->nearest = fmin(candidates->nearest, here);
    if (candidates->is_measured)
        rings->nearest = fmin(rings->nearest,
                              search->many.nears[astar_cell(grid, goal->x, goal->y)].distance);
    else if (!astar_reachable_look(&candidates->reach, goal->x, goal->y, search->goal.body, -1,
                                   rings, work))
        return false;
    candidates->nearest = rings->nearest;
    candidates->at++;
    *rings = (AstarRings){0};
    return true;
}

void astar_candidates_begin_measuring(AstarCandidates *candidates)
{
    candidates->nearest = INFINITY;
    candidates->reach.visited = 0;
    candidates->is_measured = false;
    candidates->measuring = (AstarNearMeasuring){0};
    candidates->at = 0;
}

ASTAR_COLD AstarStatus astar_candidates_measure(AstarCandidates *candidates, AstarSearch *search,
                                                int64_t *work)
{
    while (candidates->at < candidates->goals->count) {
        AstarStatus status = measure_reach_if_due(candidates, search,
                                                  &search->finder->costs.distance, work);
        if (status != ASTAR_OK)
            return status;
        if (*work <= 0 || !look_near(candidates, search, work))
            return ASTAR_RUNNING;
        *work -= WORK_OF_A_GOAL;
    }
    return ASTAR_OK;
}
