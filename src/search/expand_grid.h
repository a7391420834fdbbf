// expand_grid.h -- the successors of a cell, one step in each direction.

#ifndef ASTAR_EXPAND_GRID_H
#define ASTAR_EXPAND_GRID_H

#include "search/search.h"

// Stores the steps out of a cell that can be on a best path, and how many there are. Only callbacks
// can make it fail.
AstarStatus astar_expand(AstarSearch *search, const AstarFront *front, uint32_t cell,
                         AstarSuccessor successors[ASTAR_DIRECTIONS], int *count);

#endif
