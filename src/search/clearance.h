// clearance.h -- how large a unit fits, and what it stands on.

#ifndef ASTAR_CLEARANCE_H
#define ASTAR_CLEARANCE_H

#include "search/search.h"

// Whether all the unit covers at (x, y) lies inside the grid and is ground it can enter; blocks do
// not count, which may be the unit itself.
bool astar_can_stand(const AstarFinder *finder, int x, int y);
// Whether the unit would stand on blocks there that could be in its way, and on nothing else that
// bars it. Of one no wider than a cell that can be, past a corner, only where step_cost is asked or
// 'bends' count.
bool astar_covers_block(const AstarFinder *finder, int x, int y, bool bends);
// Takes note that the unit stands at (x, y), where the query begins: blocks that it covers there
// are itself and must not be in its way.
AstarStatus astar_stand(AstarSearch *search, int x, int y, bool bends);
// Takes that back.
void astar_unstand(AstarSearch *search);

#endif
