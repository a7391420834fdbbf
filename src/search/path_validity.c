// path_validity.c -- walking a found path again, on the grid as it is now.

#include "search/path_validity.h"

#include "map/links_and_walls.h"
#include "path/path.h"
#include "search/bends.h"
#include "search/clearance.h"

#include <math.h>

enum { WORK_A_STEP = 4 }; // in cells, and callbacks

// Adds up the cost of a step to (x, y): cells' costs by kind of step, so that like terms round but
// once.
static void add_walked_step(const AstarCosts *costs, int x, int y, int direction, double step,
                            double sums[2])
{
    const AstarFinder *finder = costs->finder;
    if (finder->options.step_cost != NULL)
        sums[0] += step;
    else
        sums[direction & 1] += astar_costs_known(costs, x, y);
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

// Makes one step of the walk to (x, y), at the cell after the one it has come to.
static AstarStatus walk_step(AstarSearch *search, AstarWalk *walk, int x, int y)
{
    AstarCosts *costs = &search->costs;
    bool is_link = astar_path_link(walk->cursor.path, walk->index, NULL);
    int direction = is_link ? 0 : astar_direction(x - walk->x, y - walk->y);
    double step;
    AstarStatus status = is_link
                             ? link_step(costs, walk->x, walk->y, x, y, &step)
                             : astar_costs_step(costs, walk->x, walk->y, direction, &step, NULL);
    walk->bad = walk->index + 1;
    if (status != ASTAR_OK || isinf(step))
        return status;
    if (is_link)
        walk->links += step;
    else
        add_walked_step(costs, x, y, direction, step, walk->sums);
    walk->index++;
    walk->x = x;
    walk->y = y;
    return ASTAR_RUNNING;
}

AstarStatus astar_walk_one_step(AstarSearch *search, const AstarPath *path, int index, bool back,
                                bool *may_go)
{
    AstarWalk walk = {.cursor = astar_path_cursor(path), .index = index};
    int x, y;
    astar_path_cell(path, back ? index + 1 : index, &walk.x, &walk.y);
    astar_path_cell(path, back ? index : index + 1, &x, &y);
    if (!astar_inside(search->grid, walk.x, walk.y) || !astar_inside(search->grid, x, y))
        return ASTAR_BAD_CELL;
    AstarStatus status = astar_stand(search, walk.x, walk.y, false);
    if (status == ASTAR_OK)
        status = walk_step(search, &walk, x, y);
    *may_go = status == ASTAR_RUNNING;
    return *may_go ? ASTAR_OK : status;
}

AstarStatus astar_walk_begin(AstarSearch *search, const AstarPath *path, int first, AstarWalk *walk)
{
    *walk = (AstarWalk){.cursor = astar_path_cursor_at(path, first),
                        .index = first,
                        .cost = INFINITY,
                        .bad = first};
    if (!astar_path_next(&walk->cursor, &walk->x, &walk->y) ||
        !astar_can_stand(search->finder, walk->x, walk->y))
        return ASTAR_OK;
    bool bends = astar_counts_bends(search->finder, &path->question);
    AstarStatus status = astar_stand(search, walk->x, walk->y, bends);
    return status == ASTAR_OK ? ASTAR_RUNNING : status;
}

AstarStatus astar_walk_on(AstarSearch *search, AstarWalk *walk, int64_t *work)
{
    for (; *work > 0; *work -= WORK_A_STEP) {
        AstarPathCursor cursor = walk->cursor;
        int x, y;
        if (!astar_path_next(&cursor, &x, &y)) {
            walk->bad = -1;
            walk->cost = walk->sums[0] + walk->sums[1] * search->finder->options.diagonal_cost +
                         walk->links;
            return ASTAR_OK;
        }
        AstarStatus status = walk_step(search, walk, x, y);
        if (status != ASTAR_RUNNING)
            return status;
        walk->cursor = cursor;
    }
    return ASTAR_RUNNING;
}

AstarStatus astar_walk_from(AstarSearch *search, const AstarPath *path, int first, double *cost,
                            int *bad)
{
    AstarWalk walk;
    int64_t work = ASTAR_ALL_WORK;
    AstarStatus status = astar_walk_begin(search, path, first, &walk);
    if (status == ASTAR_RUNNING)
        status = astar_walk_on(search, &walk, &work);
    *cost = walk.cost;
    *bad = walk.bad;
    return status;
}

AstarStatus astar_walk(AstarSearch *search, const AstarPath *path, double *cost, int *bad)
{
    AstarStatus status = astar_walk_from(search, path, 0, cost, bad);
    *cost += search->finder->options.bend_cost * astar_path_bends(path);
    return status;
}

// Whether it takes but a step from one cell to the other, if that is legal.
static bool is_step_apart(const AstarFinder *finder, const AstarPoint *a, const AstarPoint *b)
{
    bool is_straight = a->x == b->x || a->y == b->y || astar_finder_is_on_hexagons(finder);
    return astar_cells_apart(finder->grid->shape, a->x, a->y, b->x, b->y) == 1 &&
           (is_straight || finder->rule->has_diagonals);
}

// Adds the link back from the point after this one. Where there is none it is a step, if that is
// all it takes, else a link whose label is 0.
static AstarStatus add_link_back(const AstarFinder *finder, const AstarPoint *point, AstarPath *out)
{
    const AstarGrid *grid = finder->grid;
    const AstarArc *arc = NULL;
    if (astar_grid_has_links(grid))
        arc = astar_arcs_find(grid->links_and_walls, astar_cell(grid, point[1].x, point[1].y),
                              astar_cell(grid, point->x, point->y));
    if (arc == NULL && is_step_apart(finder, &point[1], point))
        return astar_path_add(out, point->x, point->y, 1);
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
                                 ? add_link_back(search->finder, point, out)
                                 : astar_path_add(out, point->x, point->y, cells);
        if (status != ASTAR_OK)
            return status;
    }
    out->expanded = 0;
    astar_path_measure(out);
    int bad;
    return astar_walk(search, out, &out->cost, &bad);
}
