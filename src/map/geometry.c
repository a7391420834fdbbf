// geometry.c -- where cells lie, and which are neighbours, by the shape of a grid.

#include "map/grid.h"

#include <assert.h>
#include <math.h>

// By so much to the other edge, columns and rows; 0 where there is none.
static AstarCell way_round(const AstarGrid *grid)
{
    unsigned wraps = grid->shape->wraps;
    return (AstarCell){(wraps & 1) != 0 ? grid->width : 0, (wraps & 2) != 0 ? grid->height : 0};
}

static int nearest_to(int at, int to, int way)
{
    int apart = 2 * (at - to);
    return apart > way ? at - way : -apart > way ? at + way : at;
}

bool astar_go_round(const AstarGrid *grid, int *x, int *y)
{
    AstarCell way = way_round(grid);
    *x += *x < 0 ? way.x : *x >= grid->width ? -way.x : 0;
    *y += *y < 0 ? way.y : *y >= grid->height ? -way.y : 0;
    return astar_inside(grid, *x, *y);
}

void astar_come_nearest(const AstarGrid *grid, int *x, int *y, int to_x, int to_y)
{
    AstarCell way = way_round(grid);
    *x = nearest_to(*x, to_x, way.x);
    *y = nearest_to(*y, to_y, way.y);
}

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
    if (d == ASTAR_NO_SIDE)
        return false;
    x += astar_dx[d];
    y += astar_dy[d];
    if (!astar_go_round(grid, &x, &y))
        return false;
    *to_x = x;
    *to_y = y;
    return true;
}

int astar_grid_direction(const AstarGrid *grid, int x, int y, int to_x, int to_y)
{
    if (!astar_inside(grid, x, y) || !astar_inside(grid, to_x, to_y))
        return ASTAR_NO_SIDE;
    astar_come_nearest(grid, &to_x, &to_y, x, y);
    int dx = to_x - x, dy = to_y - y;
    if (dx < -1 || dx > 1 || dy < -1 || dy > 1 || (dx == 0 && dy == 0))
        return ASTAR_NO_SIDE;
    int d = astar_direction(dx, dy);
    return grid->shape->sides_of[astar_phase(grid->shape, x, y)][d];
}

double astar_grid_length(const AstarGrid *grid, int x0, int y0, int x1, int y1)
{
    return grid->shape->length(grid->shape, x0, y0, x1, y1);
}

int64_t astar_grid_steps(const AstarGrid *grid, int x0, int y0, int x1, int y1)
{
    if (grid->shape->wraps != 0 && astar_inside(grid, x0, y0) && astar_inside(grid, x1, y1))
        astar_come_nearest(grid, &x0, &y0, x1, y1);
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
