// expand_layers.c -- the successors of a cell on a grid with more to it than its ground.
//
// A field to avoid makes each cell cost something of its own, so a step's cost is worked out, not
// looked up by terrain. Walls bar steps between free cells; and past a wall the way over another
// cell may be the only one, so all eight steps are followed. It stands apart so that plain grids do
// not pay for either.

#include "search/expand_grid.h"

void astar_expand_layers(const AstarSearch *search, AstarSuccessor successors[ASTAR_DIRECTIONS],
                         int *count)
{
    const AstarFinder *finder = search->finder;
    const AstarGrid *grid = finder->grid;
    uint32_t cell = search->front.current;
    int x = search->front.x, y = search->front.y;
    unsigned free = astar_bits_around(&finder->on.walkable->bits, x, y);
    unsigned wanted = astar_legal_moves_on(grid, finder->rule, x, y, free, false);
    if (!astar_grid_has_walls(grid))
        wanted &= astar_finder_ahead(finder, x, y, astar_current_from(search));
    AstarSuccessor *step = successors;
    for (; wanted != 0; wanted &= wanted - 1, step++) {
        int d = astar_lowest_bit(wanted);
        step->cell = cell + (uint32_t)(astar_dy[d] * grid->width + astar_dx[d]);
        step->x = x + astar_dx[d];
        step->y = y + astar_dy[d];
        step->direction = (uint8_t)d;
        double cost = astar_finder_cell_cost(finder, step->cell);
        step->cost = astar_finder_round(finder,
                                        d & 1 ? cost * finder->options.diagonal_cost : cost);
    }
    *count = (int)(step - successors);
}
