// path_validity.c -- walking a found path again, on the grid as it is now.

#include "search/path_validity.h"

#include "map/links_and_walls.h"
#include "path/path.h"
#include "search/bends.h"
#include "search/search.h"
#include "unit/costs.h"

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
        sums[direction & 1] += astar_costs_known(costs, x, y);
}

// The link from one cell to another; NULL where there is none now.
static const AstarArc *link_between(const AstarGrid *grid, int x, int y, int to_x, int to_y)
{
    return astar_grid_has_links(grid)
               ? astar_arcs_find(grid->links_and_walls, astar_cell(grid, x, y),
                                 astar_cell(grid, to_x, to_y))
               : NULL;
}

// Whether it takes but a step from one cell to another, if that is legal.
static bool is_step_apart(const AstarFinder *finder, int x, int y, int to_x, int to_y)
{
    bool is_straight = x == to_x || y == to_y || astar_finder_goes_by_sides(finder);
    return astar_cells_apart(finder->grid->shape, x, y, to_x, to_y) == 1 &&
           (is_straight || finder->rule->has_diagonals);
}

// The cost of a link, INFINITY where the cell it leads to cannot be entered.
static AstarStatus cost_over_link(AstarCosts *costs, AstarArc arc, double *step)
{
    int x, y;
    astar_cell_xy(costs->finder->grid, arc.to, &x, &y);
    AstarStatus status = astar_costs_cell(costs, x, y, step);
    if (status != ASTAR_OK || isinf(*step))
        return status;
    *step = arc.cost;
    return astar_costs_of_link(costs, arc.from, arc.to, step);
}

// The same from one cell of a path to another. A step over the seam stands in a path as a link
// does: where there is a link beside it, the cheaper one counts, as it did when the path was found.
// Where there is neither now, it is the cost of the step that it takes, if that is all.
static AstarStatus link_step(AstarCosts *costs, int x, int y, int to_x, int to_y, double *step)
{
    const AstarArc *arc = link_between(costs->finder->grid, x, y, to_x, to_y);
    AstarStatus status = ASTAR_OK;
    *step = INFINITY;
    if (arc != NULL)
        status = cost_over_link(costs, *arc, step);
    int d = astar_seam_direction(costs->finder, x, y, to_x, to_y);
    if (d >= 0) {
        uint32_t cell = astar_cell(costs->finder->grid, x, y);
        *step = fmin(*step, astar_seam_arc(costs->finder, cell, d, false).cost);
    }
    if (arc != NULL || d >= 0)
        return status;
    return is_step_apart(costs->finder, x, y, to_x, to_y)
               ? astar_costs_step(costs, x, y, astar_direction(to_x - x, to_y - y), step, NULL)
               : ASTAR_OK;
}

// Makes one step of the walk to (x, y), at the cell after the one it has come to: the next step of
// a leg, or over a link. A callback may break that off, and it is made again.
static AstarStatus walk_step(AstarSearch *search, AstarWalk *walk, AstarLeg leg, int x, int y)
{
    AstarCosts *costs = &search->costs;
    bool is_link = astar_path_link(walk->cursor.path, walk->index, NULL), clear = true;
    int direction = is_link ? 0 : astar_direction(x - walk->x, y - walk->y);
    double step;
    AstarStatus status = is_link
                             ? link_step(costs, walk->x, walk->y, x, y, &step)
                             : astar_costs_step(costs, walk->x, walk->y, direction, &step, NULL);
    walk->bad = walk->index + 1;
    if (status != ASTAR_OK || isinf(step))
        return status;
    if (!is_link)
        status = astar_leg_step(costs, &leg, &clear);
    if (status != ASTAR_OK || !clear)
        return status;
    walk->leg = leg;
    walk->has_leg = !is_link;
    if (is_link)
        walk->links += step;
    else
        add_walked_step(costs, x, y, direction, step, walk->sums);
    walk->index++;
    walk->x = x;
    walk->y = y;
    return ASTAR_RUNNING;
}

// The leg of the step that a cursor has just made.
static AstarLeg leg_of_step(const AstarFinder *finder, const AstarPathCursor *cursor)
{
    return astar_leg_at(finder, &cursor->line, cursor->step - 1);
}

// Goes by the rule for steps alone: a walker whose leg an older version drew, or beside which a
// cell was blocked since, goes on along it until it is given another path.
AstarStatus astar_walk_one_step(AstarSearch *search, const AstarPath *path, int index, bool back,
                                bool *may_go)
{
    AstarWalk walk = {.cursor = astar_path_cursor(path), .index = index};
    AstarLeg plain = {.is_slanted = false};
    int x, y;
    astar_path_cell(path, back ? index + 1 : index, &walk.x, &walk.y);
    astar_path_cell(path, back ? index : index + 1, &x, &y);
    if (!astar_inside(search->grid, walk.x, walk.y) || !astar_inside(search->grid, x, y))
        return ASTAR_BAD_CELL;
    AstarStatus status = astar_stand(search, walk.x, walk.y, false);
    if (status == ASTAR_OK)
        status = walk_step(search, &walk, plain, x, y);
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

// What the steps of a walk have cost.
static double cost_of_walk(const AstarSearch *search, const AstarWalk *walk)
{
    return walk->sums[0] + walk->sums[1] * search->finder->options.diagonal_cost + walk->links;
}

AstarStatus astar_walk_on(AstarSearch *search, AstarWalk *walk, int64_t *work)
{
    for (; *work > 0; *work -= ASTAR_WORK_A_STEP) {
        AstarPathCursor cursor = walk->cursor;
        int x, y;
        if (!astar_path_next(&cursor, &x, &y)) {
            walk->bad = -1;
            walk->cost = cost_of_walk(search, walk);
            return ASTAR_OK;
        }
        AstarLeg leg = walk->has_leg && cursor.step > 1 ? walk->leg
                                                        : leg_of_step(search->finder, &cursor);
        AstarStatus status = walk_step(search, walk, leg, x, y);
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

AstarStatus astar_walk_within(AstarSearch *search, const AstarPath *path, int first, int last,
                              double most, int *reached, double *cost, int *bad)
{
    AstarWalk walk;
    double bends = 0;
    AstarStatus status = astar_walk_begin(search, path, first, &walk);
    *reached = first;
    *cost = 0;
    *bad = status == ASTAR_OK ? first : -1;
    while (status == ASTAR_RUNNING && *reached < last) {
        int64_t work = ASTAR_WORK_A_STEP;
        int leg = walk.cursor.step == walk.cursor.line.steps ? walk.cursor.leg + 1
                                                             : walk.cursor.leg;
        if (path->points[leg].index == *reached)
            bends += astar_path_bend_cost_at(path, leg, &search->finder->options);
        status = astar_walk_on(search, &walk, &work);
        double now = cost_of_walk(search, &walk) + bends;
        if (status == ASTAR_OK && walk.index == *reached)
            *bad = walk.bad;
        if (status != ASTAR_RUNNING || now > most * ASTAR_LENIENCE)
            break;
        *reached = walk.index;
        *cost = now;
    }
    return status == ASTAR_RUNNING ? ASTAR_OK : status;
}

AstarStatus astar_add_link_now(const AstarFinder *finder, AstarPath *out, int x, int y,
                               uint32_t label)
{
    const AstarPoint *last = &out->points[out->count - 1];
    const AstarArc *arc = link_between(finder->grid, last->x, last->y, x, y);
    if (arc == NULL && is_step_apart(finder, last->x, last->y, x, y))
        return astar_path_add(out, x, y, 1);
    return astar_path_add_link(out, x, y, arc != NULL ? arc->label : label);
}

// ---- back ----

// Adds the way to a cell of the path from the one after it: by a step or over a link, whichever is
// cheaper; where neither is, as the path has it.
static AstarStatus add_way_back(AstarSearch *search, const AstarPath *path, int index,
                                AstarPath *out)
{
    AstarCosts *costs = &search->costs;
    bool over_link = astar_path_link(path, index, NULL);
    int x, y, to_x, to_y;
    astar_path_cell(path, index + 1, &x, &y);
    astar_path_cell(path, index, &to_x, &to_y);
    const AstarArc *arc = link_between(search->grid, x, y, to_x, to_y);
    if (arc != NULL && is_step_apart(search->finder, x, y, to_x, to_y)) {
        int direction = astar_direction(to_x - x, to_y - y);
        double by_link, by_step;
        AstarStatus status = cost_over_link(costs, *arc, &by_link);
        if (status == ASTAR_OK)
            status = astar_costs_step(costs, x, y, direction, &by_step, NULL);
        if (status != ASTAR_OK)
            return status;
        over_link = by_link < by_step || (by_link == by_step && over_link);
    }
    return over_link ? astar_add_link_now(search->finder, out, to_x, to_y, 0)
                     : astar_path_add(out, to_x, to_y, 1);
}

// Whether the way back along a leg may lead over a link.
static bool may_go_over_link(const AstarGrid *grid, const AstarPath *path, int leg)
{
    const AstarPoint *first = &path->points[leg];
    AstarPathCursor cursor = astar_path_cursor_at(path, first->index);
    int x, y, before_x = 0, before_y = 0;
    bool may = false;
    for (int i = first->index; i <= first[1].index && astar_grid_has_links(grid) && !may; i++) {
        astar_path_next(&cursor, &x, &y);
        may = i > first->index && link_between(grid, x, y, before_x, before_y) != NULL;
        before_x = x;
        before_y = y;
    }
    return may || astar_path_link(path, first->index, NULL);
}

// Adds a leg of the path from its end. Lines are cut only where they have to be.
static AstarStatus add_leg_back(AstarSearch *search, const AstarPath *path, int leg, AstarPath *out)
{
    const AstarPoint *first = &path->points[leg];
    AstarStatus status = ASTAR_OK;
    if (!may_go_over_link(search->grid, path, leg))
        return astar_path_add(out, first->x, first->y, first[1].index - first->index);
    for (int i = first[1].index - 1; i >= first->index && status == ASTAR_OK; i--)
        status = add_way_back(search, path, i, out);
    return status;
}

AstarStatus astar_walk_back(AstarSearch *search, const AstarPath *path, AstarPath *out)
{
    astar_path_begin(out, path, &search->allocator);
    out->goal_x = out->goal_y = -1; // where it began
    out->question.heading = ASTAR_NO_HEADING;
    AstarStatus status = ASTAR_OK;
    if (path->count > 0) {
        const AstarPoint *goal = &path->points[path->count - 1];
        bool bends = astar_counts_bends(search->finder, &out->question);
        status = astar_stand(search, goal->x, goal->y, bends);
        if (status == ASTAR_OK)
            status = astar_path_add(out, goal->x, goal->y, 1);
    }
    for (int leg = path->count - 2; leg >= 0 && status == ASTAR_OK; leg--)
        status = add_leg_back(search, path, leg, out);
    if (status != ASTAR_OK)
        return status;
    out->expanded = 0;
    astar_path_measure(out);
    int bad;
    status = astar_walk_from(search, out, 0, &out->cost, &bad);
    out->cost += astar_path_bend_cost(out, &search->finder->options);
    return status;
}
