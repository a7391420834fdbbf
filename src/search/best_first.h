// best_first.h -- the successors of a cell, one step in each direction.

#ifndef ASTAR_BEST_FIRST_H
#define ASTAR_BEST_FIRST_H

#include "search/search.h"

// Stores the steps out of the current cell that can be on a best path, and how many there are. Only
// callbacks can make it fail.
AstarStatus astar_expand(AstarSearch *search, AstarSuccessor successors[ASTAR_DIRECTIONS],
                         int *count);

// best_first.c: the expansion of hexagons towards one of them.

// How far apart two neighbouring cells of equal f are put on the open list, in f; 0: not at all.
double astar_spread_of_ties(const AstarSearch *search);

// Follows the steps out of the current cell that a best path to one cell may need, over ground that
// tells all, by an estimate that is linear. The open list has room.
AstarStatus astar_expand_hexagons(AstarSearch *search);

#endif
