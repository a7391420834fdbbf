// costs.c -- what cells and steps cost during one query, callbacks asked where there are any.
//
// A callback is asked about a cell once a query and its answer remembered; answers are stamped
// with the query's number, so that a new query forgets them all at no cost. A callback may leave
// by longjmp at any time: nothing is half done when it is called. For a unit wider than a cell it
// is asked about the cells covered, row by row, until one of them cannot be entered.

#include "unit/costs.h"

#include "map/links_and_walls.h"
#include "rules/corner_rules.h"

#include <math.h>
#include <string.h>

static bool need_answers(AstarAnswer **answers, const AstarAllocator *allocator, uint32_t cells)
{
    if (*answers == NULL)
        *answers = astar_alloc(allocator, cells, sizeof **answers);
    return *answers != NULL;
}

AstarStatus astar_costs_begin(AstarCosts *costs, AstarFinder *finder,
                              const AstarAllocator *allocator, uint32_t cells)
{
    costs->finder = finder;
    costs->version = astar_finder_version(finder);
    if (finder->options.cost == NULL)
        return ASTAR_OK;
    if (!need_answers(&costs->answers, allocator, cells))
        return ASTAR_NO_MEMORY;
    if (finder->options.size > 1 && !need_answers(&costs->covered, allocator, cells))
        return ASTAR_NO_MEMORY;
    if (++costs->stamp == 0) { // the stamps have come round
        memset(costs->answers, 0, cells * sizeof *costs->answers);
        if (costs->covered != NULL)
            memset(costs->covered, 0, cells * sizeof *costs->covered);
        costs->stamp = 1;
    }
    return ASTAR_OK;
}

void astar_costs_free(AstarCosts *costs, const AstarAllocator *allocator, uint32_t cells)
{
    astar_release(allocator, costs->answers, cells, sizeof *costs->answers);
    astar_release(allocator, costs->covered, cells, sizeof *costs->covered);
    costs->answers = costs->covered = NULL;
}

size_t astar_costs_bytes(const AstarCosts *costs, uint32_t cells)
{
    size_t bytes = costs->answers != NULL ? cells * sizeof *costs->answers : 0;
    return bytes + (costs->covered != NULL ? cells * sizeof *costs->covered : 0);
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

// Asks about one cell and notes what is said.
static inline AstarStatus ask_cell(AstarCosts *costs, AstarAnswer *answer, uint32_t cell, int x,
                                   int y)
{
    const AstarFinder *finder = costs->finder;
    const AstarGrid *grid = finder->grid;
    int terrain = grid->ground[cell];
    void *context = costs->context;
    double given = astar_finder_cell_cost(finder, cell);
    double said = finder->options.cost(costs->context, x, y, terrain, given);
    costs->context = context; // a question to the same flow has put its own there
    if (astar_finder_version(finder) != costs->version)
        return ASTAR_GRID_CHANGED;
    if (!is_cost(said, finder->min_cost, ASTAR_COST_MAX, given)) // dearer to avoid
        return ASTAR_BAD_COST;
    *answer = (AstarAnswer){said, costs->stamp};
    return ASTAR_OK;
}

// Asks about the cells that the unit covers, as far as they have not been asked about.
static AstarStatus ask_covered(AstarCosts *costs, int x, int y, double *dearest)
{
    int size = costs->finder->options.size;
    *dearest = 0;
    for (int i = 0; i < size * size && isfinite(*dearest); i++) {
        int column = x + i % size, row = y + i / size;
        uint32_t cell = astar_cell(costs->finder->grid, column, row);
        AstarAnswer *answer = &costs->covered[cell];
        if (answer->stamp != costs->stamp) {
            AstarStatus status = ask_cell(costs, answer, cell, column, row);
            if (status != ASTAR_OK)
                return status;
        }
        *dearest = answer->cost > *dearest ? answer->cost : *dearest;
    }
    return ASTAR_OK;
}

// Asks about the unit's standing at (x, y), where its data lets it.
static inline AstarStatus ask_at(AstarCosts *costs, uint32_t cell, int x, int y)
{
    AstarAnswer *answer = &costs->answers[cell];
    if (answer->stamp == costs->stamp)
        return ASTAR_OK;
    if (costs->finder->options.size == 1)
        return ask_cell(costs, answer, cell, x, y);
    double dearest;
    AstarStatus status = ask_covered(costs, x, y, &dearest);
    if (status == ASTAR_OK)
        *answer = (AstarAnswer){dearest, costs->stamp};
    return status;
}

AstarStatus astar_costs_cell(AstarCosts *costs, int x, int y, double *cost)
{
    const AstarFinder *finder = costs->finder;
    uint32_t cell = astar_cell(finder->grid, x, y);
    if (!astar_bits_get(&finder->walkable->bits, x, y)) {
        *cost = INFINITY;
    } else if (finder->options.cost == NULL) {
        *cost = astar_finder_cell_cost(finder, cell);
    } else {
        AstarStatus status = ask_at(costs, cell, x, y);
        if (status != ASTAR_OK)
            return status;
        *cost = costs->answers[cell].cost;
    }
    return ASTAR_OK;
}

// What is known of neighbours of a cell without asking, a bit each; the last two hold for those
// that are known.
typedef struct Recall {
    unsigned known, same, refused; // something is; it costs what the cell does; cannot be entered
} Recall;

// Adds what is known of one more neighbour, below those that were before. Whether anything is, no
// one can tell, so nothing here is a branch. Costs, all above 0, are compared by their bits.
ASTAR_SPECIALIZE void recall(const AstarAnswer *answer, uint32_t stamp, double here,
                             Recall *recalled, double *cost)
{
    *cost = answer->cost;
    recalled->known = recalled->known << 1 | (answer->stamp == stamp);
    recalled->same = recalled->same << 1 | (bits_of(*cost) == bits_of(here));
    recalled->refused = recalled->refused << 1 | (bits_of(*cost) == bits_of(INFINITY));
}

// What is known of all of them. Mostly that is enough: another cell beside them came first. At an
// edge of the grid cells inside are read in place of those beyond, which are not free.
static void recall_around(const AstarCosts *costs, uint32_t cell, int x, int y, AstarAround *around)
{
    const AstarFinder *finder = costs->finder;
    int width = finder->grid->width, height = finder->grid->height;
    const AstarAnswer *here = &costs->answers[cell];
    const AstarAnswer *above = here - (y > 0 ? width : 0);
    const AstarAnswer *below = here + (y < height - 1 ? width : 0);
    ptrdiff_t west = x > 0 ? -1 : 0, east = x < width - 1;
    double cost = here->cost, *costs_of = around->costs;
    uint32_t stamp = costs->stamp;
    Recall all = {0, 0, 0};
    recall(above + west, stamp, cost, &all, &costs_of[7]);
    recall(here + west, stamp, cost, &all, &costs_of[6]);
    recall(below + west, stamp, cost, &all, &costs_of[5]);
    recall(below, stamp, cost, &all, &costs_of[4]);
    recall(below + east, stamp, cost, &all, &costs_of[3]);
    recall(here + east, stamp, cost, &all, &costs_of[2]);
    recall(above + east, stamp, cost, &all, &costs_of[1]);
    recall(above, stamp, cost, &all, &costs_of[0]);
    around->free &= ~(all.known & all.refused);
    around->known = all.known & around->free;
    around->same = all.same & around->known;
}

// The same where the data tell all.
static void look_around(const AstarCosts *costs, uint32_t cell, AstarAround *around)
{
    const AstarFinder *finder = costs->finder;
    const AstarGrid *grid = finder->grid;
    around->known = around->free;
    around->same = 0;
    for (unsigned rest = around->free; rest != 0; rest &= rest - 1) {
        int d = astar_lowest_bit(rest);
        uint32_t next = cell + (uint32_t)(astar_dy[d] * grid->width + astar_dx[d]);
        around->costs[d] = astar_finder_cell_cost(finder, next);
    }
}

// Asks about those of the neighbours 'asked' that nothing is known of yet.
static AstarStatus ask_about(AstarCosts *costs, uint32_t cell, int x, int y, unsigned asked,
                             AstarAround *around)
{
    for (unsigned rest = asked & around->free & ~around->known; rest != 0; rest &= rest - 1) {
        int d = astar_lowest_bit(rest);
        uint32_t next = cell + (uint32_t)(astar_dy[d] * costs->finder->grid->width + astar_dx[d]);
        AstarStatus status = ask_at(costs, next, x + astar_dx[d], y + astar_dy[d]);
        if (status != ASTAR_OK)
            return status;
        double said = around->costs[d] = costs->answers[next].cost;
        if (said == INFINITY)
            around->free &= ~(1u << d);
        else
            around->known |= 1u << d;
        around->same |= (unsigned)(said == costs->answers[cell].cost) << d;
    }
    return ASTAR_OK;
}

AstarStatus astar_costs_around(AstarCosts *costs, uint32_t cell, int x, int y, bool backward,
                               unsigned *wanted, AstarAround *around)
{
    const AstarFinder *finder = costs->finder;
    around->free = astar_bits_around(&finder->walkable->bits, x, y);
    if (finder->options.cost == NULL)
        look_around(costs, cell, around);
    else
        recall_around(costs, cell, x, y, around);
    if (around->known == around->free) {
        *wanted &= astar_legal_moves_on(finder->grid, finder->rule, x, y, around->free, backward);
        return ASTAR_OK;
    }
    // Straight neighbours first: whether a diagonal step is legal, and so worth asking about,
    // depends on those beside it.
    unsigned slanted = *wanted & ASTAR_DIAGONAL_MOVES;
    unsigned beside = astar_rotate(slanted, 1) | astar_rotate(slanted, 7);
    unsigned first = (*wanted | beside) & ASTAR_STRAIGHTS;
    if (astar_finder_is_on_hexagons(finder))
        first = 0; // no step depends on another cell
    AstarStatus status = ask_about(costs, cell, x, y, first, around);
    if (status != ASTAR_OK)
        return status;
    *wanted &= astar_legal_moves_on(finder->grid, finder->rule, x, y, around->free, backward);
    status = ask_about(costs, cell, x, y, *wanted, around);
    *wanted &= around->free;
    return status;
}

static AstarStatus ask_step(AstarCosts *costs, int x, int y, int to_x, int to_y, double least,
                            double *step)
{
    const AstarFinder *finder = costs->finder;
    astar_finder_plain(costs->finder)->least = least;
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
    if ((direction & 1) == 0 || astar_finder_is_on_hexagons(finder))
        return astar_walls_bar(grid, x, y, direction);
    unsigned closed = astar_sides_closed_by_walls(grid, x, y, direction, false);
    *free &= ~closed;
    return astar_are_both_sides_closed(closed);
}

// Which of the cells beside an illegal diagonal step is in its way: the one to the east or west
// where both are.
static int stopping_corner(unsigned free, int direction)
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
    bool is_diagonal = (direction & 1) != 0 && !astar_finder_is_on_hexagons(finder);
    unsigned free = 1u << direction;
    if (is_diagonal)
        status = free_around_step(costs, x, y, direction, &free);
    if (status != ASTAR_OK)
        return status;
    if (is_barred(finder, x, y, direction, &free) ||
        (astar_legal_moves(finder->rule, astar_neighbours(finder->grid, x, y, free)) >> direction &
         1) == 0) {
        if (stop != NULL && is_diagonal && finder->rule->has_diagonals)
            *stop = stopping_corner(free, direction);
        return ASTAR_OK;
    }
    *step = is_diagonal ? cost * finder->options.diagonal_cost : cost;
    return astar_costs_of_step(costs, x, y, direction, step);
}
