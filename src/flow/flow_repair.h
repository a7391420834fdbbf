// flow_repair.h -- Repairing flow fields after edits.

#ifndef ASTAR_FLOW_REPAIR_H
#define ASTAR_FLOW_REPAIR_H

#include "map/grid.h"

// Brings a flow up to date with its grid: repairs or restarts it after edits. See flow_repair.c.
AstarStatus astar_flow_sync(AstarFlow *flow);

#endif
