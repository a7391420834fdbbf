// hexagon_range.h -- the hexagons within range of goals.

#ifndef ASTAR_HEXAGON_RANGE_H
#define ASTAR_HEXAGON_RANGE_H

#include "search/goal_range.h"

// Goes over all hexagons no more than 'reach' steps from a goal as astar_range_sweep does over
// cells; the goals are in the order of their cells, one each.
AstarStatus astar_hexagon_range_sweep(const AstarRange *range, const AstarGrid *grid, int reach,
                                      AstarRangeTake take, void *context);

#endif
