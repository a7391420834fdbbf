// expand_grid.c -- the successors of a cell, one step in each direction.
//
// Three of the eight lead back: to the cell this one was reached from, and to the two cells beside
// it. All three are neighbours of that parent too, reached from it by one straight step at no more
// than the way over here costs, so they are left out. With a step_cost callback steps cost as the
// script likes, and all eight are followed.

#include "search/expand_grid.h"

#include "rules/corner_rules.h"

#include <math.h>

// Fills in all but the cost; field by field, since copying a struct just written stalls.
static void set_neighbour(AstarSuccessor *step, const AstarGrid *grid, uint32_t cell, int x, int y,
                          int d)
{
    step->cell = cell + (uint32_t)(astar_dy[d] * grid->width + astar_dx[d]);
    step->x = x + astar_dx[d];
    step->y = y + astar_dy[d];
    step->direction = (uint8_t)d;
}

// The steps of a finder with callbacks. They may edit the grid, which ends the search, so nothing
// read before a call is used after it.
static AstarStatus expand_asking(AstarSearch *search, AstarSuccessor successors[ASTAR_DIRECTIONS],
                                 int *count)
{
    const AstarFinder *finder = search->finder;
    const AstarOptions *options = &finder->options;
    bool all = options->step_cost != NULL || astar_grid_has_walls(finder->grid);
    AstarAround around;
    uint32_t cell = search->front.current;
    int x = search->front.x, y = search->front.y;
    unsigned wanted = all ? 0xFF : astar_finder_ahead(finder, x, y, astar_current_from(search));
    AstarStatus status = astar_costs_around(&search->costs, cell, x, y, false, &wanted, &around);
    *count = 0;
    for (; wanted != 0 && status == ASTAR_OK; wanted &= wanted - 1) {
        int d = astar_lowest_bit(wanted);
        AstarSuccessor *step = &successors[*count];
        set_neighbour(step, finder->grid, cell, x, y, d);
        double cost = around.costs[d];
        step->cost = astar_finder_round(finder, d & 1 ? cost * options->diagonal_cost : cost);
        status = astar_costs_of_step(&search->costs, x, y, d, &step->cost);
        *count += isfinite(step->cost);
    }
    return status;
}

// The steps on a grid with more to it than its ground: a field to avoid makes each cell cost
// something of its own; past a wall the way over another cell may be the only one, so all eight are
// followed. It stands apart so that plain grids do not pay for either.
ASTAR_ONCE int expand_layers(const AstarSearch *search, AstarSuccessor successors[ASTAR_DIRECTIONS])
{
    const AstarFinder *finder = search->finder;
    const AstarGrid *grid = finder->grid;
    int x = search->front.x, y = search->front.y;
    unsigned free = astar_bits_around(&finder->on.walkable->bits, x, y);
    unsigned wanted = astar_legal_moves_on(grid, finder->rule, x, y, free, false);
    if (!astar_grid_has_walls(grid))
        wanted &= astar_finder_ahead(finder, x, y, astar_current_from(search));
    AstarSuccessor *step = successors;
    for (; wanted != 0; wanted &= wanted - 1, step++) {
        int d = astar_lowest_bit(wanted);
        set_neighbour(step, grid, search->front.current, x, y, d);
        double cost = astar_finder_cell_cost(finder, step->cell);
        step->cost = astar_finder_round(finder,
                                        d & 1 ? cost * finder->options.diagonal_cost : cost);
    }
    return (int)(step - successors);
}

AstarStatus astar_expand(AstarSearch *search, AstarSuccessor successors[ASTAR_DIRECTIONS],
                         int *count)
{
    const AstarFinder *finder = search->finder;
    if (astar_finder_has_callbacks(finder))
        return expand_asking(search, successors, count);
    if (finder->options.avoid != NULL || astar_grid_has_walls(finder->grid) ||
        astar_finder_goes_by_sides(finder)) {
        *count = expand_layers(search, successors);
        return ASTAR_OK;
    }

    const AstarGrid *grid = finder->grid;
    uint32_t cell = search->front.current;
    int x = search->front.x, y = search->front.y;
    unsigned free = astar_bits_around(&finder->on.walkable->bits, x, y);
    unsigned legal = astar_legal_moves(finder->rule, free);
    const AstarArrival *arrival = &finder->arrivals[0][astar_current_from(search)];
    unsigned wanted = finder->is_uniform ? astar_canonical_uniform(arrival, free, legal)
                                         : legal & arrival->ahead;
    AstarSuccessor *step = successors;
    for (; wanted != 0; wanted &= wanted - 1, step++) {
        int d = astar_lowest_bit(wanted);
        set_neighbour(step, grid, cell, x, y, d);
        step->cost = finder->costs.step[d & 1][finder->on.ground[step->cell]];
    }
    *count = (int)(step - successors);
    return ASTAR_OK;
}
