// goal_set.h -- many goals, any of which ends the search: marked cells, or a host's test.
//
// The cells that count as goals are marked with the goal's cell.

#ifndef ASTAR_GOAL_SET_H
#define ASTAR_GOAL_SET_H

#include "search/distance_transform.h"
#include "search/search.h"

// Marks the cells that count as goals with the lowest goal they are within range of.
AstarStatus astar_goal_set_mark(AstarSearch *search);
static inline bool astar_goal_set_is_marked(const AstarSearch *search, uint32_t cell)
{
    int x, y;
    astar_cell_xy(search->grid, cell, &x, &y);
    return astar_pages_state(&search->goal_marks, x, y) != 0;
}

// Makes the search's 'nears' ready to be measured from cells still to be put.
AstarStatus astar_goal_set_need_nears(AstarSearch *search);

// The least of the estimates to the goals.
double astar_goal_set_estimate(const AstarSearch *search, int x, int y);
// See astar_goal_close().
AstarStatus astar_goal_set_close(AstarSearch *search, uint32_t cell);
// Whether, once a goal is met, no way over a cell need be followed.
bool astar_goal_set_is_past(const AstarSearch *search, uint32_t cell);

#endif
