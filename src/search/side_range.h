// side_range.h -- the cells without corners within range of goals.

#ifndef ASTAR_SIDE_RANGE_H
#define ASTAR_SIDE_RANGE_H

#include "search/goal_range.h"

// Goes over all cells no more than 'reach' steps from a goal as astar_range_sweep_on does over
// cells; the goals are in the order of their cells, one each. What it has come to lies with the
// range until it has gone over all, or that is dropped.
AstarStatus astar_side_range_sweep_on(AstarRange *range, const AstarGrid *grid, int reach,
                                      AstarRangeTake take, void *context, int64_t *work);
void astar_side_range_drop(AstarRange *range, const AstarAllocator *allocator);
size_t astar_side_range_bytes(const AstarRange *range);

#endif
