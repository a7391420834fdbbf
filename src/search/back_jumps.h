// back_jumps.h -- the nearest of a few goals, by jumps from all of them back to the start.

#ifndef ASTAR_BACK_JUMPS_H
#define ASTAR_BACK_JUMPS_H

#include "search/search.h"

AstarStatus astar_back_jumps_begin(AstarSearch *search);
AstarStatus astar_run_back_jumps(AstarSearch *search, uint64_t expansions);

// Whether a search does.
static inline bool astar_jumps_back(const AstarSearch *search)
{
    return search->algorithm == ASTAR_JPS && search->goal.kind != ASTAR_GOAL_CELL;
}

#endif
