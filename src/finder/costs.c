// costs.c -- what cells and steps cost during one query, callbacks asked where there are any.
//
// A callback is asked about a cell once a query and its answer remembered. A callback may leave
// by longjmp at any time: nothing is half done when it is called. For a unit wider than a cell it
// is asked about the cells covered, row by row, until one of them cannot be entered.

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
    costs->stands = (AstarCell){-1, -1};
    if (finder->options.cost == NULL)
        return ASTAR_OK;
    bool has_room = astar_pages_begin(&costs->answers, allocator, width, height);
    if (has_room && finder->options.size > 1)
        has_room = astar_pages_begin(&costs->covered, allocator, width, height);
    if (has_room)
        return ASTAR_OK;
    costs->version = UINT64_MAX; // of no map
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

// Whether a callback may say so, from 'least' to 'most' or a dearer cost 'given', or a no.
static bool is_cost(double cost, double least, double most, double given)
{
    most = given > most ? given : most;
    return (cost >= least && cost <= most) || cost == INFINITY;
}

// Notes what is known of a cell; false when there is no memory.
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

// Whether a cell counts as blocked for this query alone.
ASTAR_ONCE bool is_supposed(const AstarCosts *costs, int x, int y)
{
    const AstarFinder *finder = costs->finder;
    int size = costs->stands.x < 0 ? 0 : finder->options.size;
    AstarRectangle own = {costs->stands.x, costs->stands.y, size, size};
    return astar_supposed_has(finder->supposed, x, y) && !astar_rectangle_has(&own, x, y);
}

bool astar_costs_suppose(const AstarCosts *costs, int x, int y)
{
    int size = costs->finder->options.size;
    bool supposed = false;
    for (int i = 0; costs->finder->supposed != NULL && !supposed && i < size * size; i++)
        supposed = is_supposed(costs, x + i % size, y + i / size);
    return supposed;
}

// What a finder that supposes blocks is told of a cell; 0 of what is no cost.
ASTAR_ONCE double answer_supposing(const AstarCosts *costs, int x, int y, int terrain, double given)
{
    const AstarFinder *finder = costs->finder;
    if (is_supposed(costs, x, y))
        return INFINITY;
    double said = finder->options.cost(costs->context, x, y, terrain, given);
    bool is_bad = finder->options.cost != astar_cost_as_given && said < finder->min_cost;
    return is_bad ? 0 : said;
}

// Asks about one cell and notes what is said. Room for that is made before the host is asked, who
// may ask another question of the same flow and so have the answers forgotten.
static inline AstarStatus ask_cell(AstarCosts *costs, AstarPages *answers, int x, int y,
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
    double said = finder->supposed != NULL
                      ? answer_supposing(costs, x, y, terrain, given)
                      : finder->options.cost(costs->context, x, y, terrain, given);
    costs->context = context; // a question to the same flow has put its own there
    if (astar_finder_version(finder) != costs->version)
        return ASTAR_GRID_CHANGED;
    double least = finder->options.dearer_only ? given : finder->min_cost;
    if (!is_cost(said, least, ASTAR_COST_MAX, given) && // dearer to avoid
        (finder->supposed == NULL || said != given))
        return ASTAR_BAD_COST;
    *cost = said;
    return note_answer(costs, answers, x, y, said) ? ASTAR_OK : ASTAR_NO_MEMORY;
}

// Asks about the cells that the unit covers, as far as they have not been asked about.
static AstarStatus ask_covered(AstarCosts *costs, int x, int y, double *dearest)
{
    int size = costs->finder->options.size;
    *dearest = 0;
    for (int i = 0; i < size * size && isfinite(*dearest); i++) {
        int column = x + i % size, row = y + i / size;
        double cost = astar_pages_value(&costs->covered, column, row);
        if (astar_pages_state(&costs->covered, column, row) == 0) {
            AstarStatus status = ask_cell(costs, &costs->covered, column, row, &cost);
            if (status != ASTAR_OK)
                return status;
        }
        *dearest = cost > *dearest ? cost : *dearest;
    }
    return ASTAR_OK;
}

// What it costs a unit of several cells to stand at (x, y) by the finder's data, which hold the
// dearest ground and the dearest block covered; INFINITY where it would stand on what is supposed.
// A sum for each cell covered would be too low where the two lie in different cells.
static double cost_supposing(const AstarCosts *costs, int x, int y)
{
    const AstarFinder *finder = costs->finder;
    return astar_costs_suppose(costs, x, y)
               ? INFINITY
               : astar_finder_cell_cost(finder, astar_cell(finder->grid, x, y));
}

// Asks about the unit's standing at (x, y), where its data lets it.
static inline AstarStatus ask_at(AstarCosts *costs, int x, int y, double *cost)
{
    const AstarPage *page = astar_page_at(&costs->answers, x, y);
    *cost = page->values[astar_page_place(x, y)];
    if (page->states[astar_page_place(x, y)] != 0)
        return ASTAR_OK;
    if (costs->finder->options.size == 1)
        return ask_cell(costs, &costs->answers, x, y, cost);
    AstarStatus status = ASTAR_OK;
    if (costs->finder->options.cost == astar_cost_as_given)
        *cost = cost_supposing(costs, x, y);
    else
        status = ask_covered(costs, x, y, cost);
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
        return ask_at(costs, x, y, cost);
    return ASTAR_OK;
}

// What is known of neighbours of a cell without asking, a bit each; the last two hold for those
// that are known.
typedef struct Recall {
    unsigned known, same, refused; // something is; it costs what the cell does; cannot be entered
} Recall;

// Adds what is known of one more neighbour, below those that were before. Whether anything is, no
// one can tell, so nothing here is a branch. Costs, all above 0, are compared by their bits.
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

// What is known of all of them. Mostly that is enough: another cell beside them came first. At an
// edge of the grid cells inside are read in place of those beyond, which are not free.
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

// The same of those that are wanted, where the data tell all.
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

// Asks about the neighbour in a direction; refused, it is no longer free.
static inline AstarStatus ask_neighbour(AstarCosts *costs, int x, int y, int d, double here,
                                        AstarAround *around)
{
    double said;
    int next_x = x + astar_dx[d], next_y = y + astar_dy[d];
    AstarStatus status = costs->finder->options.size == 1
                             ? ask_cell(costs, &costs->answers, next_x, next_y, &said)
                             : ask_at(costs, next_x, next_y, &said);
    if (status != ASTAR_OK)
        return status;
    unsigned refused = said == INFINITY;
    around->free &= ~(refused << d);
    around->known |= (refused ^ 1) << d;
    around->same |= (unsigned)(said == here) << d;
    around->costs[d] = said;
    return ASTAR_OK;
}

// Asks about neighbours of which nothing is known: those 'first', then those that legal steps enter
// by what was said. Hardly any is refused, so who is asked about is set down before; that the two
// sets are gone through as one has the processor guess the end of one loop, not of two.
static AstarStatus ask_about(AstarCosts *costs, int x, int y, bool backward, unsigned first,
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
        AstarStatus status = ask_neighbour(costs, x, y, d, here, around);
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
    // Straight neighbours first: whether a diagonal step is legal, and so worth asking about,
    // depends on those beside it.
    unsigned slanted = *wanted & ASTAR_DIAGONAL_MOVES;
    unsigned beside = astar_rotate(slanted, 1) | astar_rotate(slanted, 7);
    unsigned first = (*wanted | beside) & ASTAR_STRAIGHTS;
    if (astar_finder_goes_by_sides(finder))
        first = 0; // no step depends on another cell
    return ask_about(costs, x, y, backward, first, wanted, around);
}

static AstarStatus ask_step(AstarCosts *costs, int x, int y, int to_x, int to_y, double least,
                            double *step)
{
    const AstarFinder *finder = costs->finder;
    least = finder->options.dearer_only ? *step : least;
    astar_finder_original(costs->finder)->least = least;
    void *context = costs->context;
    double said = finder->options.step_cost(costs->context, x, y, to_x, to_y, *step);
    costs->context = context; // a question to the same flow has put its own there
    if (astar_finder_version(finder) != costs->version)
        return ASTAR_GRID_CHANGED;
    if (!is_cost(said, least, 2 * ASTAR_COST_MAX, *step))
        return ASTAR_BAD_COST;
    *step = said;
    return ASTAR_OK;
}

AstarStatus astar_costs_of_step(AstarCosts *costs, int x, int y, int direction, double *step)
{
    const AstarFinder *finder = costs->finder;
    if (finder->options.step_cost == NULL)
        return ASTAR_OK;
    double length = direction & 1 ? finder->options.diagonal_cost : 1;
    return ask_step(costs, x, y, x + astar_dx[direction], y + astar_dy[direction],
                    finder->min_cost * length, step);
}

AstarStatus astar_costs_of_link(AstarCosts *costs, uint32_t from, uint32_t to, double *step)
{
    const AstarFinder *finder = costs->finder;
    if (finder->options.step_cost == NULL)
        return ASTAR_OK;
    uint32_t width = (uint32_t)finder->grid->width;
    double least = *step < finder->min_cost ? *step : finder->min_cost;
    return ask_step(costs, (int)(from % width), (int)(from / width), (int)(to % width),
                    (int)(to / width), least, step);
}

// Whether the unit can be on the neighbour of (x, y) in a direction.
static AstarStatus enters(AstarCosts *costs, int x, int y, int direction, double *cost)
{
    x += astar_dx[direction];
    y += astar_dy[direction];
    *cost = INFINITY;
    return astar_inside(costs->finder->grid, x, y) ? astar_costs_cell(costs, x, y, cost) : ASTAR_OK;
}

// Sets 'directions' to the free ones among a diagonal step's cell and the two beside it.
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

// Whether walls bar a step; those that close one way around a diagonal one leave 'free'.
static bool is_barred(const AstarFinder *finder, int x, int y, int direction, unsigned *free)
{
    const AstarGrid *grid = finder->grid;
    if (!astar_grid_has_walls(grid))
        return false;
    if ((direction & 1) == 0 || astar_finder_goes_by_sides(finder))
        return astar_walls_bar(grid, x, y, direction);
    unsigned closed = astar_sides_closed_by_walls(astar_walls_at(grid, x, y), grid->width,
                                                  direction, false);
    *free &= ~closed;
    return astar_are_both_sides_closed(closed);
}

int astar_stopping_corner(unsigned free, int direction)
{
    int sideways = astar_direction(astar_dx[direction], 0);
    int upright = astar_direction(0, astar_dy[direction]);
    return (free >> sideways & 1) == 0 ? sideways : upright;
}

AstarStatus astar_costs_step(AstarCosts *costs, int x, int y, int direction, double *step,
                             int *stop)
{
    const AstarFinder *finder = costs->finder;
    double cost;
    AstarStatus status = enters(costs, x, y, direction, &cost);
    if (status != ASTAR_OK)
        return status;
    *step = INFINITY;
    if (stop != NULL)
        *stop = direction;
    if (isinf(cost))
        return ASTAR_OK;
    bool is_diagonal = (direction & 1) != 0 && !astar_finder_goes_by_sides(finder);
    unsigned free = 1u << direction;
    if (is_diagonal)
        status = free_around_step(costs, x, y, direction, &free);
    if (status != ASTAR_OK)
        return status;
    if (is_barred(finder, x, y, direction, &free) ||
        (astar_legal_moves(finder->rule, astar_neighbours(finder->grid, x, y, free)) >> direction &
         1) == 0) {
        if (stop != NULL && is_diagonal && finder->rule->has_diagonals)
            *stop = astar_stopping_corner(free, direction);
        return ASTAR_OK;
    }
    *step = is_diagonal ? cost * finder->options.diagonal_cost : cost;
    return astar_costs_of_step(costs, x, y, direction, step);
}
