// estimate.h -- The estimate h of the remaining cost, from a cell to the goal of a search or, if
// the search runs backwards, to the start.

#ifndef ASTAR_ESTIMATE_H
#define ASTAR_ESTIMATE_H

#include "rules/heuristic.h"
#include "search/goal.h"
#include "search/links.h"

// Combines an estimate with the distances of the landmarks that active_landmarks.c has chosen.

// Returns the greater of 'h' and the estimate by the chosen landmarks.
static inline double astar_active_landmarks_improve(const AstarActiveLandmarks *active,
                                                    uint32_t cell, double h)
{
    int32_t most = 0;
    for (int i = 0; i < active->count; i++) {
        const AstarActiveTable *each = &active->chosen[i];
        int32_t distance = (int32_t)each->distances[(size_t)cell * active->stride];
        int32_t farther = (distance - each->bound) * each->sign;
        most = farther > most ? farther : most;
    }
    double other = most * active->worth;
    return other > h ? other : h;
}

// Returns the estimate by the cost of a walk over a map without obstacles. The estimate is
// corrected for links if 'linked' is true, and raised by landmarks if the search uses landmarks.
ASTAR_SPECIALIZE double astar_front_estimate(const AstarSearch *search, bool backward, int x, int y,
                                             bool linked)
{
    double h = astar_walk_estimate(search, backward, x, y);
    if (linked)
        h = astar_links_estimate(search, backward, x, y, h);
    if (backward || search->own.active.count == 0)
        return h;
    return astar_active_landmarks_improve(&search->own.active, astar_cell(search->grid, x, y), h);
}

// Returns the estimate of the cost from (x, y) to the goal of the query: by the caller's heuristic
// if there is one, or the least estimate to many goals. 'context' is passed to the caller's
// heuristic.
ASTAR_SPECIALIZE double astar_goal_estimate(const AstarSearch *search, void *context, int x, int y,
                                            bool linked)
{
    const AstarGoal *goal = &search->goal;
    const AstarShape *shape = search->grid->shape;
    if (goal->estimate != NULL && !shape->has_corners)
        return goal->estimate(
            context, astar_goal_columns(goal, (int)shape->apart(shape, x, y, goal->x, goal->y), 0),
            0);
    if (goal->estimate != NULL)
        return goal->estimate(context, astar_goal_columns(goal, x, goal->x),
                              astar_goal_rows(goal, y, goal->y));
    if (astar_goal_is_of_many(goal))
        return astar_goal_set_estimate(search, x, y);
    return astar_front_estimate(search, false, x, y, linked);
}

#endif
