// incremental.h -- searches that take edits in and go on.

#ifndef ASTAR_INCREMENTAL_H
#define ASTAR_INCREMENTAL_H

#include "search/estimate.h"

// Takes in what was edited since the search last looked: ASTAR_OK once it is done, ASTAR_RUNNING
// where the work is used up before, ASTAR_GRID_CHANGED where the search must be begun anew.
AstarStatus astar_take_edits(AstarSearch *search, int64_t *work);

// Whether an item of the open list is of a way that was cut since, and another has been found. The
// root's is of no way.
static inline bool astar_open_is_stale(const AstarSearch *search, AstarOpen item)
{
    uint32_t cell = astar_open_cell(item);
    int x, y;
    astar_cell_xy(search->grid, cell, &x, &y);
    double h = astar_goal_estimate(search, search->costs.context, x, y, search->linked);
    double f = astar_pages_value(&search->front.nodes, x, y) + search->question.weight * h;
    return cell != search->start && astar_open_f(item) < f * (1 - 1e-13);
}

#endif
