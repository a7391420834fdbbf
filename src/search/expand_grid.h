// expand_grid.h -- the successors of a cell, one step in each direction.

#ifndef ASTAR_EXPAND_GRID_H
#define ASTAR_EXPAND_GRID_H

#include "search/search.h"

// Stores the steps out of the current cell that can be on a best path, and how many there are. Only
// callbacks can make it fail.
AstarStatus astar_expand(AstarSearch *search, AstarSuccessor successors[ASTAR_DIRECTIONS],
                         int *count);

#endif
