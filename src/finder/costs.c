// costs.c -- The costs of cells and steps during one query, including the results of cost
// callbacks.
//
// A query calls a callback at most once per cell and stores the result. A callback may leave by
// longjmp at any time, so all data are consistent whenever a callback runs. For a unit of several
// cells the callback is called for the covered cells, row by row, until one of them cannot be
// entered.

#include "finder/costs.h"

#include "finder/field_sum.h"
#include "finder/finder.h"
#include "rules/corner_rules.h"

#include <math.h>
#include <string.h>

AstarStatus astar_costs_begin(AstarCosts *costs, AstarFinder *finder,
                              const AstarAllocator *allocator)
{
    int width = finder->grid->width, height = finder->grid->height;
    costs->finder = finder;
    costs->allocator = allocator;
    costs->version = astar_finder_version(finder);
    costs->own_start = (AstarCell){-1, -1};
    if (finder->options.cost == NULL)
        return ASTAR_OK;
    bool has_room = astar_pages_begin(&costs->answers, allocator, width, height);
    if (has_room && !astar_is_one_cell(astar_finder_body(finder)))
        has_room = astar_pages_begin(&costs->covered, allocator, width, height);
    if (has_room)
        return ASTAR_OK;
    costs->version = UINT64_MAX; // a version that no map has, so the costs are not used
    return ASTAR_NO_MEMORY;
}

void astar_costs_rest(AstarCosts *costs, const AstarAllocator *allocator)
{
    astar_pages_rest(&costs->answers, allocator);
    astar_pages_rest(&costs->covered, allocator);
}

void astar_costs_free(AstarCosts *costs, const AstarAllocator *allocator)
{
    astar_pages_free(&costs->answers, allocator);
    astar_pages_free(&costs->covered, allocator);
}

size_t astar_costs_bytes(const AstarCosts *costs)
{
    return astar_pages_bytes(&costs->answers) + astar_pages_bytes(&costs->covered);
}

static uint64_t bits_of(double cost)
{
    uint64_t bits;
    memcpy(&bits, &cost, sizeof bits);
    return bits;
}

// Returns true if a result of a callback is valid. Valid are numbers from 'least' to 'most', or up
// to 'given' if 'given' is greater than 'most', and INFINITY for a cell that cannot be entered.
static bool is_cost(double cost, double least, double most, double given)
{
    most = given > most ? given : most;
    return (cost >= least && cost <= most) || cost == INFINITY;
}

// Stores the cost of a cell in 'answers'. Returns false if memory runs out.
static inline bool note_answer(AstarCosts *costs, AstarPages *answers, int x, int y, double cost)
{
    AstarPage *page = astar_page_for(answers, costs->allocator, x, y);
    unsigned place = astar_page_place(x, y);
    if (page == NULL)
        return false;
    page->states[place] = 1;
    page->values[place] = cost;
    return true;
}

// Returns true if this query supposes a block on a cell. Supposed blocks on the cells that the unit
// covers at the start are ignored.
ASTAR_ONCE bool is_supposed(const AstarCosts *costs, int x, int y)
{
    const AstarFinder *finder = costs->finder;
    const AstarBody body = costs->own_start.x < 0 ? (AstarBody){0, 0} : astar_finder_body(finder);
    AstarRectangle own = {costs->own_start.x, costs->own_start.y, body.width, body.height};
    return astar_supposed_has(finder->supposed, x, y) && !astar_rectangle_has(&own, x, y);
}

bool astar_costs_suppose(const AstarCosts *costs, int x, int y)
{
    const AstarBody body = astar_finder_body(costs->finder);
    const int count = costs->finder->supposed != NULL ? body.width * body.height : 0;
    bool supposed = false;
    for (int i = 0; !supposed && i < count; i++)
        supposed = is_supposed(costs, x + i % body.width, y + i / body.width);
    return supposed;
}

// Returns the cost of a cell for a finder that supposes blocks: INFINITY on a supposed block, else
// the result of the callback. An invalid result becomes 0, which the caller rejects.
ASTAR_ONCE double answer_supposing(const AstarCosts *costs, int x, int y, int terrain, double given)
{
    const AstarFinder *finder = costs->finder;
    if (is_supposed(costs, x, y))
        return INFINITY;
    double returned = finder->options.cost(costs->context, x, y, terrain, given);
    bool is_bad = finder->options.cost != astar_cost_as_given && returned < finder->min_cost;
    return is_bad ? 0 : returned;
}

// Calls the cost callback for one cell and stores the result. The page for the result is allocated
// first. The callback may query the same flow, and that query may discard all stored results.
static inline AstarStatus call_for_cell(AstarCosts *costs, AstarPages *answers, int x, int y,
                                        double *cost)
{
    const AstarFinder *finder = costs->finder;
    const AstarGrid *grid = finder->grid;
    uint32_t cell = astar_cell(grid, x, y);
    if (astar_page_for(answers, costs->allocator, x, y) == NULL)
        return ASTAR_NO_MEMORY;
    int terrain = grid->ground[cell];
    void *context = costs->context;
    double given = astar_finder_cell_cost(finder, cell);
    double returned = finder->supposed != NULL
                          ? answer_supposing(costs, x, y, terrain, given)
                          : finder->options.cost(costs->context, x, y, terrain, given);
    costs->context = context; // a query of the same flow by the callback has replaced the context
    if (astar_finder_version(finder) != costs->version)
        return ASTAR_GRID_CHANGED;
    double least = finder->options.dearer_only ? given : finder->min_cost;
    // A cost above ASTAR_COST_MAX is allowed if the cost passed to the callback was as high.
    if (!is_cost(returned, least, ASTAR_COST_MAX, given) &&
        (finder->supposed == NULL || returned != given))
        return ASTAR_BAD_COST;
    *cost = returned;
    return note_answer(costs, answers, x, y, returned) ? ASTAR_OK : ASTAR_NO_MEMORY;
}

// Stores in '*costliest' the highest cost of the cells that the unit covers. Calls the callback for
// those cells that have no stored result.
static AstarStatus query_covered(AstarCosts *costs, int x, int y, double *costliest)
{
    const AstarBody body = astar_finder_body(costs->finder);
    *costliest = 0;
    for (int i = 0; i < body.width * body.height && isfinite(*costliest); i++) {
        int column = x + i % body.width, row = y + i / body.width;
        double cost = astar_pages_value(&costs->covered, column, row);
        if (astar_pages_state(&costs->covered, column, row) == 0) {
            AstarStatus status = call_for_cell(costs, &costs->covered, column, row, &cost);
            if (status != ASTAR_OK)
                return status;
        }
        *costliest = cost > *costliest ? cost : *costliest;
    }
    return ASTAR_OK;
}

// Returns the cost of a position of a unit of several cells, from the tables of the finder:
// INFINITY if the unit would cover a supposed block. The tables combine the costliest terrain and
// the highest price of blocks under the unit. If these two lie in different cells, the cost of the
// costliest single cell would be too low.
static double cost_supposing(const AstarCosts *costs, int x, int y)
{
    const AstarFinder *finder = costs->finder;
    return astar_costs_suppose(costs, x, y)
               ? INFINITY
               : astar_finder_cell_cost(finder, astar_cell(finder->grid, x, y));
}

// Stores the cost of the unit at (x, y). Calls callbacks unless the cost is stored already. The
// walkable bits must allow the unit there.
static inline AstarStatus query_at(AstarCosts *costs, int x, int y, double *cost)
{
    const AstarPage *page = astar_page_at(&costs->answers, x, y);
    *cost = page->values[astar_page_place(x, y)];
    if (page->states[astar_page_place(x, y)] != 0)
        return ASTAR_OK;
    if (astar_is_one_cell(astar_finder_body(costs->finder)))
        return call_for_cell(costs, &costs->answers, x, y, cost);
    AstarStatus status = ASTAR_OK;
    if (costs->finder->options.cost == astar_cost_as_given)
        *cost = cost_supposing(costs, x, y);
    else
        status = query_covered(costs, x, y, cost);
    if (status == ASTAR_OK && !note_answer(costs, &costs->answers, x, y, *cost))
        return ASTAR_NO_MEMORY;
    return status;
}

AstarStatus astar_costs_cell(AstarCosts *costs, int x, int y, double *cost)
{
    const AstarFinder *finder = costs->finder;
    if (!astar_bits_get(&finder->on.walkable->bits, x, y))
        *cost = INFINITY;
    else if (finder->options.cost == NULL)
        *cost = astar_finder_cell_cost(finder, astar_cell(finder->grid, x, y));
    else
        return query_at(costs, x, y, cost);
    return ASTAR_OK;
}

// The stored results for neighbours of a cell, one bit per neighbour. A bit in 'same' or 'refused'
// is valid only if the neighbour's bit in 'known' is set.
typedef struct Recall {
    // Neighbours with a stored result; neighbours that cost as much as the cell itself; neighbours
    // that cannot be entered.
    unsigned known, same, refused;
} Recall;

// Appends the bits of the next neighbour to the three sets, which are shifted to the left. The code
// has no branches, because a processor cannot predict which neighbours have a stored result. Costs
// are compared by their bits, which works because they are above 0.
ASTAR_SPECIALIZE void recall(AstarPage *const *row, int x, unsigned row_place, double here,
                             Recall *recalled, double *cost)
{
    const AstarPage *page = row[(unsigned)x / ASTAR_PAGE_SIDE];
    unsigned place = row_place + (unsigned)x % ASTAR_PAGE_SIDE;
    page = page != NULL ? page : &astar_blank_page;
    *cost = page->values[place];
    recalled->known = recalled->known << 1 | page->states[place];
    recalled->same = recalled->same << 1 | (bits_of(*cost) == bits_of(here));
    recalled->refused = recalled->refused << 1 | (bits_of(*cost) == bits_of(INFINITY));
}

// Collects the stored results for all eight neighbours. Usually there is a result for every
// neighbour, because the expansion of a cell nearby has needed it. Beyond an edge of the grid a
// cell inside is read instead; 'free' excludes the cells beyond the edge.
static void recall_around(const AstarCosts *costs, int x, int y, AstarAround *around)
{
    const AstarGrid *grid = costs->finder->grid;
    const AstarPages *answers = &costs->answers;
    int above = y > 0 ? y - 1 : y, below = y < grid->height - 1 ? y + 1 : y;
    int west = x > 0 ? x - 1 : x, east = x < grid->width - 1 ? x + 1 : x;
    AstarPage *const *row = astar_page_entry(answers, 0, y);
    AstarPage *const *row_above = astar_page_entry(answers, 0, above);
    AstarPage *const *row_below = astar_page_entry(answers, 0, below);
    unsigned place = astar_page_place(0, y), place_above = astar_page_place(0, above);
    unsigned place_below = astar_page_place(0, below);
    double here = astar_pages_value(answers, x, y), *costs_of = around->costs;
    Recall all = {0, 0, 0};
    recall(row_above, west, place_above, here, &all, &costs_of[7]);
    recall(row, west, place, here, &all, &costs_of[6]);
    recall(row_below, west, place_below, here, &all, &costs_of[5]);
    recall(row_below, x, place_below, here, &all, &costs_of[4]);
    recall(row_below, east, place_below, here, &all, &costs_of[3]);
    recall(row, east, place, here, &all, &costs_of[2]);
    recall(row_above, east, place_above, here, &all, &costs_of[1]);
    recall(row_above, x, place_above, here, &all, &costs_of[0]);
    around->free &= ~(all.known & all.refused);
    around->known = all.known & around->free;
    around->same = all.same & around->known;
}

// Stores the costs of the neighbours in 'wanted', for a finder without a cost callback.
static void look_around(const AstarCosts *costs, uint32_t cell, unsigned wanted,
                        AstarAround *around)
{
    const AstarFinder *finder = costs->finder;
    const AstarGrid *grid = finder->grid;
    around->known = wanted;
    around->same = 0;
    for (; wanted != 0; wanted &= wanted - 1) {
        int d = astar_lowest_bit(wanted);
        uint32_t next = cell + (uint32_t)(astar_dy[d] * grid->width + astar_dx[d]);
        around->costs[d] = astar_finder_cell_cost(finder, next);
    }
}

// Calls the callback for the neighbour in a direction. If the neighbour cannot be entered, it is
// removed from 'free'.
static inline AstarStatus call_for_neighbour(AstarCosts *costs, int x, int y, int d, double here,
                                             AstarAround *around)
{
    double returned;
    int next_x = x + astar_dx[d], next_y = y + astar_dy[d];
    AstarStatus status = astar_is_one_cell(astar_finder_body(costs->finder))
                             ? call_for_cell(costs, &costs->answers, next_x, next_y, &returned)
                             : query_at(costs, next_x, next_y, &returned);
    if (status != ASTAR_OK)
        return status;
    unsigned refused = returned == INFINITY;
    around->free &= ~(refused << d);
    around->known |= (refused ^ 1) << d;
    around->same |= (unsigned)(returned == here) << d;
    around->costs[d] = returned;
    return ASTAR_OK;
}

// Calls the callback for neighbours without a stored result: first for the neighbours in 'first',
// then for the neighbours in 'wanted' that a legal step enters. The set of these neighbours is
// computed in advance, because callbacks block few neighbours. If a result makes steps illegal,
// neighbours are removed from the set. Both parts of the set are in one word, so that one loop
// suffices: the processor predicts the end of one loop better than the ends of two.
static AstarStatus check_cell(AstarCosts *costs, int x, int y, bool backward, unsigned first,
                              unsigned *wanted, AstarAround *around)
{
    const AstarFinder *finder = costs->finder;
    const AstarGrid *grid = finder->grid;
    const double here = astar_pages_value(&costs->answers, x, y);
    unsigned free = around->free, unknown = free & ~around->known;
    unsigned legal = astar_legal_moves_on(grid, finder->rule, x, y, free, backward);
    unsigned asked = (first & unknown) | (*wanted & legal & unknown & ~first) << ASTAR_DIRECTIONS;
    while (asked != 0) {
        int d = astar_lowest_bit(asked) % ASTAR_DIRECTIONS;
        AstarStatus status = call_for_neighbour(costs, x, y, d, here, around);
        if (status != ASTAR_OK)
            return status;
        asked &= asked - 1;
        if (around->free == free)
            continue;
        free = around->free;
        legal = astar_legal_moves_on(grid, finder->rule, x, y, free, backward);
        asked &= 0xFF | legal << ASTAR_DIRECTIONS;
    }
    *wanted &= legal & free;
    return ASTAR_OK;
}

AstarStatus astar_costs_around(AstarCosts *costs, uint32_t cell, int x, int y, bool backward,
                               unsigned *wanted, AstarAround *around)
{
    const AstarFinder *finder = costs->finder;
    bool asks = finder->options.cost != NULL;
    around->free = astar_bits_around(&finder->on.walkable->bits, x, y);
    if (asks)
        recall_around(costs, x, y, around);
    if (!asks || around->known == around->free) {
        *wanted &= astar_legal_moves_on(finder->grid, finder->rule, x, y, around->free, backward);
        if (!asks)
            look_around(costs, cell, *wanted, around);
        return ASTAR_OK;
    }
    // The callback is called for straight neighbours first. Their results decide whether a diagonal
    // step is legal, and the result for the end of a diagonal step is needed only if the step is
    // legal.
    unsigned diagonally = *wanted & ASTAR_DIAGONAL_MOVES;
    unsigned beside = astar_rotate(diagonally, 1) | astar_rotate(diagonally, 7);
    unsigned first = (*wanted | beside) & ASTAR_STRAIGHTS;
    if (astar_finder_goes_by_sides(finder))
        first = 0; // no step depends on another cell
    return check_cell(costs, x, y, backward, first, wanted, around);
}

static AstarStatus call_for_step(AstarCosts *costs, int x, int y, int to_x, int to_y, double least,
                                 double *step)
{
    const AstarFinder *finder = costs->finder;
    astar_finder_original(costs->finder)->least = least;
    void *context = costs->context;
    double returned = finder->options.step_cost(costs->context, x, y, to_x, to_y, *step);
    costs->context = context; // a query of the same flow by the callback has replaced the context
    if (astar_finder_version(finder) != costs->version)
        return ASTAR_GRID_CHANGED;
    if (!is_cost(returned, least, 2 * ASTAR_COST_MAX, *step))
        return ASTAR_BAD_COST;
    *step = returned;
    return ASTAR_OK;
}

double astar_costs_least_of_step(const AstarFinder *finder, int direction, double step)
{
    double length = direction & 1 ? finder->options.diagonal_cost : 1;
    return finder->options.dearer_only ? step : finder->min_cost * length;
}

AstarStatus astar_costs_of_step(AstarCosts *costs, int x, int y, int direction, double *step)
{
    const AstarFinder *finder = costs->finder;
    if (finder->options.step_cost == NULL)
        return ASTAR_OK;
    return call_for_step(costs, x, y, x + astar_dx[direction], y + astar_dy[direction],
                         astar_costs_least_of_step(finder, direction, *step), step);
}

AstarStatus astar_costs_of_link(AstarCosts *costs, uint32_t from, uint32_t to, double *step)
{
    const AstarFinder *finder = costs->finder;
    if (finder->options.step_cost == NULL)
        return ASTAR_OK;
    uint32_t width = (uint32_t)finder->grid->width;
    double least = *step < finder->min_cost || finder->options.dearer_only ? *step
                                                                           : finder->min_cost;
    return call_for_step(costs, (int)(from % width), (int)(from / width), (int)(to % width),
                         (int)(to / width), least, step);
}

// Stores the cost of entering the neighbour of (x, y) in a direction; INFINITY if the unit cannot
// be there.
static AstarStatus enters(AstarCosts *costs, int x, int y, int direction, double *cost)
{
    x += astar_dx[direction];
    y += astar_dy[direction];
    *cost = INFINITY;
    return astar_inside(costs->finder->grid, x, y) ? astar_costs_cell(costs, x, y, cost) : ASTAR_OK;
}

// Sets 'directions' to the directions of the cell that a diagonal step enters and of the two cells
// beside the step, without cells that cannot be entered.
static AstarStatus free_around_step(AstarCosts *costs, int x, int y, int direction,
                                    unsigned *directions)
{
    *directions = 0;
    for (int turn = -1; turn <= 1; turn++) {
        int d = (direction + turn) & 7;
        double cost;
        AstarStatus status = enters(costs, x, y, d, &cost);
        if (status != ASTAR_OK)
            return status;
        if (isfinite(cost))
            *directions |= 1u << d;
    }
    return ASTAR_OK;
}

// Returns true if a restriction bars a step out of the cell (x, y).
static bool is_restricted(const AstarGrid *grid, int x, int y, int direction)
{
    return astar_grid_has_walls(grid) && astar_is_restricted(grid, x, y) &&
           (*astar_exits_at(grid, x, y) >> direction & 1) != 0;
}

AstarStatus astar_costs_step(AstarCosts *costs, int x, int y, int direction, double *step,
                             int *stop)
{
    const AstarFinder *finder = costs->finder;
    const AstarGrid *grid = finder->grid;
    double cost;
    AstarStatus status = enters(costs, x, y, direction, &cost);
    if (status != ASTAR_OK)
        return status;
    *step = INFINITY;
    if (stop != NULL)
        *stop = direction;
    if (isinf(cost) || is_restricted(grid, x, y, direction))
        return ASTAR_OK;
    bool is_diagonal = (direction & 1) != 0 && !astar_finder_goes_by_sides(finder);
    unsigned free = 1u << direction;
    if (is_diagonal)
        status = free_around_step(costs, x, y, direction, &free);
    if (status != ASTAR_OK)
        return status;
    const uint8_t *walls = astar_grid_has_walls(grid) ? astar_walls_at(grid, x, y) : NULL;
    free = astar_neighbours(grid, x, y, free);
    int prevented_by = astar_stop_of_step(finder->rule, walls, grid->width, free, direction);
    if (prevented_by != ASTAR_NO_SIDE) {
        if (stop != NULL)
            *stop = prevented_by;
        return ASTAR_OK;
    }
    *step = is_diagonal ? cost * finder->options.diagonal_cost : cost;
    return astar_costs_of_step(costs, x, y, direction, step);
}
