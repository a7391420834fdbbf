// route.h -- routes over a world: their legs, and the cells over which a unit follows a route.

#ifndef ASTAR_ROUTE_H
#define ASTAR_ROUTE_H

#include "map/grid.h"

// Computes the cost of the route that a search has found again, in the current world after edits.
// Returns ASTAR_UNREACHABLE if the route cannot be followed any more.
AstarStatus astar_route_recompute_cost(AstarRouteSearch *search, void *context);

#endif
