// goal_close.c -- what the search makes of a cell that is closed: the goal, or the nearest to it
// yet.

#include "search/goal_set.h"

static bool is_goal_cell(const AstarSearch *search, uint32_t cell)
{
    const AstarGoal *goal = &search->goal;
    if (goal->kind == ASTAR_GOAL_CELL)
        return cell == goal->cell;
    int x, y;
    astar_cell_xy(search->grid, cell, &x, &y);
    if (search->grid->shape->wraps != 0)
        astar_come_nearest(search->grid, &x, &y, goal->x, goal->y);
    astar_goal_come_near(goal, &x, &y, goal->x, goal->y);
    if (goal->kind == ASTAR_GOAL_BOX)
        return astar_cells_apart(search->grid->shape, x, y, goal->x, goal->y) <= goal->range;
    return astar_estimate_between(search->grid->shape, &search->finder->costs.distance, x, y,
                                  goal->x, goal->y) <= goal->near;
}

// Keeps the nearest cell to the goal; of equally near ones the cheapest, then the lowest.
static void track_nearest(AstarSearch *search, uint32_t cell)
{
    AstarGoal *goal = &search->goal;
    int x, y;
    astar_cell_xy(search->grid, cell, &x, &y);
    if (search->grid->shape->wraps != 0)
        astar_come_nearest(search->grid, &x, &y, goal->x, goal->y);
    astar_goal_come_near(goal, &x, &y, goal->x, goal->y);
    double distance = astar_estimate_between(search->grid->shape, &search->finder->costs.distance,
                                             x, y, goal->x, goal->y);
    if (goal->nearest != ASTAR_NO_CELL) {
        double nearest = goal->nearest_distance;
        if (distance > nearest)
            return;
        double g = astar_search_g(search, cell), least = astar_search_g(search, goal->nearest);
        if (distance == nearest && (g > least || (g == least && cell > goal->nearest)))
            return;
    }
    goal->nearest = cell;
    goal->nearest_distance = distance;
}

AstarStatus astar_goal_close(AstarSearch *search, uint32_t cell)
{
    if (astar_goal_is_of_many(&search->goal))
        return astar_goal_set_close(search, cell);
    if (is_goal_cell(search, cell)) {
        search->found = cell;
        return ASTAR_OK;
    }
    if (search->goal.tracks)
        track_nearest(search, cell);
    return ASTAR_RUNNING;
}
