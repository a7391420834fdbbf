// seam.c -- the steps of a world that goes round from one edge of its map to the other.
//
// All that is kept of a map ends at its edges: bits, runs, tiles. So a step over the seam is no
// neighbour's but, to whoever follows steps, a link out of the cell that costs what the step does.
// The cells beside it, which the corner rule asks about, are looked up on the other side. No links
// are stored: which there are follows from the ground, as of any step.

#include "unit/costs.h"

unsigned astar_seam_moves(const AstarFinder *finder, uint32_t cell, bool backward, uint32_t start)
{
    const AstarGrid *grid = finder->grid;
    unsigned free = 0, over = 0, first = 0;
    int x, y;
    astar_cell_xy(grid, cell, &x, &y);
    if (!astar_is_at_seam(grid, x, y))
        return 0;
    for (int d = 0; d < ASTAR_DIRECTIONS; d++) {
        int to_x = x + astar_dx[d], to_y = y + astar_dy[d];
        bool is_inside = astar_inside(grid, to_x, to_y);
        if (!astar_go_round(grid, &to_x, &to_y))
            continue;
        over |= (unsigned)!is_inside << d;
        free |= (unsigned)astar_bits_get(&finder->on.walkable->bits, to_x, to_y) << d;
        first |= (unsigned)(astar_cell(grid, to_x, to_y) == start) << d;
    }
    const uint8_t *legal = finder->rule->legal[backward];
    // A blocked start can be left, but neither entered nor passed.
    return (legal[free] | (legal[free | first] & first)) & over;
}

AstarArc astar_seam_arc(const AstarFinder *finder, uint32_t cell, int direction, bool backward)
{
    const AstarGrid *grid = finder->grid;
    int x, y;
    astar_cell_xy(grid, cell, &x, &y);
    x += astar_dx[direction];
    y += astar_dy[direction];
    astar_go_round(grid, &x, &y);
    uint32_t other = astar_cell(grid, x, y);
    AstarArc arc = {backward ? other : cell, backward ? cell : other, 0, 0};
    double cost = astar_finder_cell_cost(finder, arc.to);
    arc.cost = astar_finder_round(finder,
                                  direction & 1 ? cost * finder->options.diagonal_cost : cost);
    return arc;
}

int astar_seam_direction(const AstarFinder *finder, int x, int y, int to_x, int to_y)
{
    const AstarGrid *grid = finder->grid;
    uint32_t cell = astar_cell(grid, x, y);
    int d = astar_grid_direction(grid, x, y, to_x, to_y);
    return d >= 0 && (astar_seam_moves(finder, cell, false, cell) >> d & 1) != 0 ? d : -1;
}
