// estimate.h -- the estimate h of what remains, from a cell to where a front of a search is going.

#ifndef ASTAR_ESTIMATE_H
#define ASTAR_ESTIMATE_H

#include "rules/heuristic.h"
#include "search/goal_set.h"
#include "search/links.h"
#include "search/marks.h"

// By walks over open ground.
ASTAR_SPECIALIZE double astar_walk_estimate(const AstarSearch *search, bool backward, int x, int y)
{
    const AstarGoal *goal = &search->goal;
    int dx = x - (backward ? search->start_x : goal->x);
    int dy = y - (backward ? search->start_y : goal->y);
    if (backward || goal->kind == ASTAR_GOAL_CELL)
        return astar_estimate(&search->finder->heuristic, dx, dy);
    double h = astar_estimate(&search->finder->heuristic, astar_goal_beyond(goal, dx),
                              astar_goal_beyond(goal, dy));
    return h > goal->near_cost ? h - goal->near_cost : 0;
}

// The same where the grid has links, 'linked', and where the search goes by landmarks.
ASTAR_SPECIALIZE double astar_front_estimate(const AstarSearch *search, bool backward, int x, int y,
                                             bool linked)
{
    double h = astar_walk_estimate(search, backward, x, y);
    if (linked)
        h = astar_links_estimate(search, backward, x, y, h);
    if (backward || search->marks.count == 0)
        return h;
    return astar_marks_improve(&search->marks, astar_cell(search->grid, x, y), h);
}

// By the host's heuristic, if it has one, or to many goals. 'context' is the host's.
ASTAR_SPECIALIZE double astar_goal_estimate(const AstarSearch *search, void *context, int x, int y,
                                            bool linked)
{
    const AstarGoal *goal = &search->goal;
    if (goal->estimate != NULL)
        return goal->estimate(context, astar_goal_beyond(goal, x - goal->x),
                              astar_goal_beyond(goal, y - goal->y));
    if (astar_goal_is_of_many(goal))
        return astar_goal_set_estimate(search, x, y);
    return astar_front_estimate(search, false, x, y, linked);
}

#endif
