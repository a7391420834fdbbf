// expand_hexagons.h -- the expansion of hexagons towards one of them.

#ifndef ASTAR_EXPAND_HEXAGONS_H
#define ASTAR_EXPAND_HEXAGONS_H

#include "search/search.h"

// How far apart two neighbouring cells of equal f are put on the open list, in f; 0: not at all.
double astar_spread_of_ties(const AstarSearch *search);

// Follows the steps out of the current cell that a best path to one cell may need, over ground that
// tells all, by an estimate that is linear. The open list has room.
AstarStatus astar_expand_hexagons(AstarSearch *search);

#endif
