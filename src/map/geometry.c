// geometry.c -- where cells lie, and which are neighbours, by the shape of a grid.

#include "map/grid.h"

#include <assert.h>
#include <math.h>

unsigned astar_grid_sides(const AstarGrid *grid)
{
    return grid->shape->sides;
}

bool astar_grid_neighbour(const AstarGrid *grid, int x, int y, AstarSide direction, int *to_x,
                          int *to_y)
{
    if (!astar_inside(grid, x, y) || (int)direction >= ASTAR_DIRECTIONS)
        return false;
    int d = grid->shape->steps_over[astar_phase(grid->shape, x, y)][direction];
    if (d == ASTAR_NO_SIDE || !astar_inside(grid, x + astar_dx[d], y + astar_dy[d]))
        return false;
    *to_x = x + astar_dx[d];
    *to_y = y + astar_dy[d];
    return true;
}

int astar_grid_direction(const AstarGrid *grid, int x, int y, int to_x, int to_y)
{
    int64_t dx = (int64_t)to_x - x, dy = (int64_t)to_y - y;
    if (!astar_inside(grid, x, y) || !astar_inside(grid, to_x, to_y))
        return ASTAR_NO_SIDE;
    if (dx < -1 || dx > 1 || dy < -1 || dy > 1 || (dx == 0 && dy == 0))
        return ASTAR_NO_SIDE;
    int d = astar_direction((int)dx, (int)dy);
    return grid->shape->sides_of[astar_phase(grid->shape, x, y)][d];
}

double astar_grid_length(const AstarGrid *grid, int x0, int y0, int x1, int y1)
{
    return grid->shape->length(grid->shape, x0, y0, x1, y1);
}

int64_t astar_grid_steps(const AstarGrid *grid, int x0, int y0, int x1, int y1)
{
    return astar_cells_apart(grid->shape, x0, y0, x1, y1);
}

void astar_grid_center(const AstarGrid *grid, int x, int y, double *center_x, double *center_y)
{
    astar_shape_center(grid->shape, x, y, center_x, center_y);
}

void astar_grid_cell_at(const AstarGrid *grid, double point_x, double point_y, int *x, int *y)
{
    assert(fabs(point_x) <= 0x1p30 && fabs(point_y) <= 0x1p30);
    astar_shape_cell_at(grid->shape, point_x, point_y, x, y);
}
