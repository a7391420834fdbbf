// suppose.h -- queries about a map on which a few more cells are blocked.

#ifndef ASTAR_SUPPOSE_H
#define ASTAR_SUPPOSE_H

#include "map/grid.h"
#include "search/reachable.h"

// Returns true if the connected components alone determine what a unit can reach on a map.
bool astar_components_decide(const AstarFinder *finder);
// Finds out from the components whether the goal can be reached with the blocks that a finder
// supposes, and stores what is known in '*known'. Fails only if memory does.
AstarStatus astar_suppose_reachable(AstarFinder *finder, int sx, int sy, int gx, int gy,
                                    AstarReachKnown *known);

#endif
