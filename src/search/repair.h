// repair.h -- a path that the world has changed under, made good again.

#ifndef ASTAR_REPAIR_H
#define ASTAR_REPAIR_H

#include "search/search.h"

// Makes 'out' a path from the cell at 'from' of 'path' to where that one was to lead. Takes a
// search that the caller has taken for it, not begun, as for path_validity.h.
AstarStatus astar_repair(AstarSearch *search, const AstarPath *path, int from, bool optimal,
                         AstarPath *out);
// The same as what the search's steps are for; ASTAR_RUNNING, or ASTAR_NO_MEMORY.
AstarStatus astar_repair_in_steps(AstarSearch *search, const AstarPath *path, int from,
                                  bool optimal, uint64_t at_once);

#endif
