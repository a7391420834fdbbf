// walk.c -- walking a found path again, on the grid as it is now.

#include "walk.h"

#include "path.h"

#include <math.h>

// Adds up a step's cost: cells' costs by kind of step, so that like terms round but once.
static AstarStatus add_step(AstarCosts *costs, int x, int y, int direction, double step,
                            double sums[2])
{
    double cost = step;
    if (costs->finder->options.step_cost == NULL) {
        AstarStatus status = astar_costs_cell(costs, x + astar_dx[direction],
                                              y + astar_dy[direction], &cost);
        if (status != ASTAR_OK)
            return status;
    }
    sums[costs->finder->options.step_cost == NULL ? direction & 1 : 0] += cost;
    return ASTAR_OK;
}

static bool can_start(const AstarFinder *finder, int x, int y)
{
    return isfinite(finder->cell_cost[finder->grid->ground[astar_cell(finder->grid, x, y)]]);
}

AstarStatus astar_walk_from(AstarSearch *search, const AstarPath *path, int first, double *cost,
                            int *bad)
{
    AstarCosts *costs = &search->costs;
    AstarPathCursor cursor = astar_path_cursor_at(path, first);
    int x, y, next_x, next_y;
    double sums[2] = {0, 0};
    *cost = INFINITY;
    *bad = first;
    if (!astar_path_next(&cursor, &x, &y) || !can_start(costs->finder, x, y))
        return ASTAR_OK;
    for (int index = first + 1; astar_path_next(&cursor, &next_x, &next_y); index++) {
        int direction = astar_direction(next_x - x, next_y - y);
        double step;
        AstarStatus status = astar_costs_step(costs, x, y, direction, &step, NULL);
        *bad = index;
        if (status == ASTAR_OK && isinf(step))
            return ASTAR_OK;
        if (status == ASTAR_OK)
            status = add_step(costs, x, y, direction, step, sums);
        if (status != ASTAR_OK)
            return status;
        x = next_x;
        y = next_y;
    }
    *bad = -1;
    *cost = sums[0] + sums[1] * costs->finder->options.diagonal_cost;
    return ASTAR_OK;
}

AstarStatus astar_walk(AstarSearch *search, const AstarPath *path, double *cost, int *bad)
{
    return astar_walk_from(search, path, 0, cost, bad);
}

AstarStatus astar_walk_back(AstarSearch *search, const AstarPath *path, AstarPath *out)
{
    astar_path_clear(out, &search->grid->allocator);
    for (int i = path->count - 1; i >= 0; i--) {
        int cells = i == path->count - 1 ? 1 : path->points[i + 1].index - path->points[i].index;
        AstarStatus status = astar_path_add(out, path->points[i].x, path->points[i].y, cells);
        if (status != ASTAR_OK)
            return status;
    }
    out->expanded = 0;
    out->algorithm = path->algorithm;
    out->partial = path->partial;
    out->orthogonal = path->orthogonal;
    out->length = path->length;
    int bad;
    return astar_walk(search, out, &out->cost, &bad);
}
