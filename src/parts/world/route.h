// route.h -- routes over a world: their legs, and the cells of the way as it is walked.

#ifndef ASTAR_ROUTE_H
#define ASTAR_ROUTE_H

#include "map/grid.h"

// Sees what the way found costs in the world as it is now. ASTAR_UNREACHABLE: it cannot be walked.
AstarStatus astar_route_settle(AstarRouteSearch *search, void *context);

#endif
