// flow_repair.h -- flows kept up with their grids.

#ifndef ASTAR_FLOW_REPAIR_H
#define ASTAR_FLOW_REPAIR_H

#include "map/grid.h"

// Brings the flow up to date with its grid, see flow_repair.c.
AstarStatus astar_flow_sync(AstarFlow *flow);

#endif
