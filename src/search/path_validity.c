// path_validity.c -- walking a found path again, on the grid as it is now.

#include "search/path_validity.h"

#include "map/links_and_walls.h"
#include "path/path.h"
#include "search/clearance.h"

#include <math.h>

// Adds up the cost of a step to (x, y): cells' costs by kind of step, so that like terms round but
// once.
static void add_walked_step(const AstarCosts *costs, int x, int y, int direction, double step,
                            double sums[2])
{
    const AstarFinder *finder = costs->finder;
    if (finder->options.step_cost != NULL)
        sums[0] += step;
    else
        sums[direction & 1] += astar_costs_known(costs, astar_cell(finder->grid, x, y));
}

// The cost of the step over the link from one cell to another, INFINITY where there is none now.
static AstarStatus link_step(AstarCosts *costs, int x, int y, int to_x, int to_y, double *step)
{
    const AstarGrid *grid = costs->finder->grid;
    uint32_t from = astar_cell(grid, x, y), to = astar_cell(grid, to_x, to_y);
    const AstarArc *arc = astar_grid_has_links(grid)
                              ? astar_arcs_find(grid->links_and_walls, from, to)
                              : NULL;
    *step = INFINITY;
    if (arc == NULL)
        return ASTAR_OK;
    double cost = arc->cost;
    AstarStatus status = astar_costs_cell(costs, to_x, to_y, step);
    if (status != ASTAR_OK || isinf(*step))
        return status;
    *step = cost;
    return astar_costs_of_link(costs, from, to, step);
}

AstarStatus astar_walk_from(AstarSearch *search, const AstarPath *path, int first, double *cost,
                            int *bad)
{
    AstarCosts *costs = &search->costs;
    AstarPathCursor cursor = astar_path_cursor_at(path, first);
    int x, y, next_x, next_y;
    double sums[2] = {0, 0}, links = 0;
    *cost = INFINITY;
    *bad = first;
    if (!astar_path_next(&cursor, &x, &y) || !astar_can_stand(search->finder, x, y))
        return ASTAR_OK;
    AstarStatus stands = astar_stand(search, x, y);
    if (stands != ASTAR_OK)
        return stands;
    for (int index = first + 1; astar_path_next(&cursor, &next_x, &next_y); index++) {
        bool is_link = astar_path_link(path, index - 1, NULL);
        int direction = is_link ? 0 : astar_direction(next_x - x, next_y - y);
        double step;
        AstarStatus status = is_link ? link_step(costs, x, y, next_x, next_y, &step)
                                     : astar_costs_step(costs, x, y, direction, &step, NULL);
        *bad = index;
        if (status != ASTAR_OK || isinf(step))
            return status;
        if (is_link)
            links += step;
        else
            add_walked_step(costs, next_x, next_y, direction, step, sums);
        x = next_x;
        y = next_y;
    }
    *bad = -1;
    *cost = sums[0] + sums[1] * costs->finder->options.diagonal_cost + links;
    return ASTAR_OK;
}

AstarStatus astar_walk(AstarSearch *search, const AstarPath *path, double *cost, int *bad)
{
    AstarStatus status = astar_walk_from(search, path, 0, cost, bad);
    *cost += search->finder->options.bend_cost * astar_path_bends(path);
    return status;
}

// Adds the link back from the point after this one; its label is 0 where there is none.
static AstarStatus add_link_back(const AstarGrid *grid, const AstarPoint *point, AstarPath *out)
{
    const AstarArc *arc = NULL;
    if (astar_grid_has_links(grid))
        arc = astar_arcs_find(grid->links_and_walls, astar_cell(grid, point[1].x, point[1].y),
                              astar_cell(grid, point->x, point->y));
    return astar_path_add_link(out, point->x, point->y, arc != NULL ? arc->label : 0);
}

AstarStatus astar_walk_back(AstarSearch *search, const AstarPath *path, AstarPath *out)
{
    astar_path_begin(out, path, &search->allocator);
    out->goal_x = out->goal_y = -1; // where it began
    out->question.heading = ASTAR_NO_HEADING;
    for (int i = path->count - 1; i >= 0; i--) {
        const AstarPoint *point = &path->points[i];
        int cells = i == path->count - 1 ? 1 : point[1].index - point->index;
        AstarStatus status = astar_path_link(path, point->index, NULL)
                                 ? add_link_back(search->grid, point, out)
                                 : astar_path_add(out, point->x, point->y, cells);
        if (status != ASTAR_OK)
            return status;
    }
    out->expanded = 0;
    out->length = path->length;
    int bad;
    return astar_walk(search, out, &out->cost, &bad);
}
