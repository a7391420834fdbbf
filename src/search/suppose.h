// suppose.h -- queries about a map on which a few more cells are blocked.

#ifndef ASTAR_SUPPOSE_H
#define ASTAR_SUPPOSE_H

#include "map/grid.h"

// Returns true if the connected components alone determine what a unit can reach on a map.
bool astar_components_tell(const AstarFinder *finder);
// Answers astar_search_reachable for a finder that supposes blocks, if no search is needed for the
// answer; otherwise returns ASTAR_RUNNING.
AstarStatus astar_suppose_reachable(AstarFinder *finder, int sx, int sy, int gx, int gy,
                                    bool *exists);

#endif
