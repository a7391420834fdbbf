// inspect.h -- what a search has come to know of each cell.

#ifndef ASTAR_INSPECT_H
#define ASTAR_INSPECT_H

#include "search/search.h"

typedef enum AstarCellState { ASTAR_UNSEEN, ASTAR_OPENED, ASTAR_CLOSED } AstarCellState;

// What the search, running or at its end, knows of a cell from the start, or backward from the
// goal.
AstarCellState astar_cell_state(const AstarSearch *search, bool backward, uint32_t cell);
// How many fronts it has: 2 where it grows from both ends, 0 where it was answered unsearched.
int astar_front_count(const AstarSearch *search);

#endif
