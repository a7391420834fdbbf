// incremental.h -- searches that take edits in and go on.

#ifndef ASTAR_INCREMENTAL_H
#define ASTAR_INCREMENTAL_H

#include "search/estimate.h"

// Takes in what was edited since the search last looked: ASTAR_OK once it is done, ASTAR_RUNNING
// where the work is used up before, ASTAR_GRID_CHANGED where the search must be begun anew.
AstarStatus astar_take_edits(AstarSearch *search, int64_t *work);

void astar_cuts_free(AstarSearch *search);
size_t astar_cuts_bytes(const AstarSearch *search);

// Whether an item of the open list is of a way that was cut since, and another has been found that
// costs more.
static inline bool astar_open_is_stale(const AstarSearch *search, AstarOpen item)
{
    return astar_open_g(item) < (float)astar_node_g(search, astar_open_cell(item));
}

#endif
