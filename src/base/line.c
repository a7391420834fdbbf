// line.c -- lines over hexagons.
//
// On hexagons n is the number of steps over open ground. Of the three axes that hexagons lie in
// rows along, the line goes a whole row further across one with each step; in that row it is
// nearest to one cell or two, of which the one farther along is taken, whichever way the line goes.

#include "base/line.h"

AstarLine astar_line_of_hexagons(const AstarShape *shape, int x0, int y0, int x1, int y1)
{
    AstarMiddle from = astar_middle(shape, x0, y0), to = astar_middle(shape, x1, y1);
    AstarLine line = {.x = x0, .y = y0, .offset = shape->offset};
    line.dx = (to.along - from.along - (to.across - from.across)) / 2;
    line.dy = to.across - from.across;
    line.steps = astar_hexagons_apart(shape, x0, y0, x1, y1);
    return line;
}

// How far a coordinate of a line of hexagons has come after 'step' of 'n' steps, that comes 'all'
// the way: to the nearest, halves up.
static int64_t part_of_way(int64_t step, int64_t n, int64_t all)
{
    if (n == 0 || llabs(all) == n)
        return all < 0 ? -step : step;
    return (2 * step * all + n + 2 * n * n) / (2 * n) - n; // nothing below 0 is divided
}

// Two of the three coordinates are rounded at most: the one that changes with each step is whole.
void astar_line_hexagon(const AstarLine *line, int64_t step, int *x, int *y)
{
    const AstarShape *shape = &astar_shapes[line->offset];
    AstarMiddle at = astar_middle(shape, line->x, line->y);
    int64_t n = line->steps, both = line->dx + line->dy;
    int64_t across = part_of_way(step, n, line->dy), aside = part_of_way(step, n, line->dx);
    if (llabs(line->dx) != n && llabs(line->dy) != n)
        across = (both < 0 ? -step : step) - aside;
    at.across += across;
    at.along += 2 * aside + across;
    astar_cell_of_middle(shape, at, x, y);
}
