// suppose.h -- questions about a map on which a few more cells are blocked.

#ifndef ASTAR_SUPPOSE_H
#define ASTAR_SUPPOSE_H

#include "map/grid.h"

// Whether components alone tell what is reached by a unit's steps on a map.
bool astar_components_tell(const AstarFinder *finder);
// Answers astar_search_reachable of a finder that supposes blocks, where that is told without a
// search; else ASTAR_RUNNING.
AstarStatus astar_suppose_reachable(AstarFinder *finder, int sx, int sy, int gx, int gy,
                                    bool *exists);

#endif
