// path_validity.h -- what can be done with a path once it is found.
//
// Each takes a search that the caller has taken for it, not begun: its callbacks may then leave by
// longjmp, and what was allocated for them still has an owner.

#ifndef ASTAR_PATH_VALIDITY_H
#define ASTAR_PATH_VALIDITY_H

#include "search/search.h"

// Walks the path step by step: what it costs now, or the index of the first cell that cannot be
// stepped on and an infinite cost; '*bad' is -1 where there is none.
// Only from the cell at 'first' on; its terrain must still bear the unit.
AstarStatus astar_walk_from(AstarSearch *search, const AstarPath *path, int first, double *cost,
                            int *bad);
AstarStatus astar_walk(AstarSearch *search, const AstarPath *path, double *cost, int *bad);
// Makes another path of one; 'out' is one to be built.
typedef AstarStatus (*AstarRework)(AstarSearch *search, const AstarPath *path, AstarPath *out);
AstarStatus astar_walk_back(AstarSearch *search, const AstarPath *path, AstarPath *out);
AstarStatus astar_smooth(AstarSearch *search, const AstarPath *path, AstarPath *out);
// The shortest route over cells of the path, by legs like those of astar_smooth.
AstarStatus astar_shorten(AstarSearch *search, const AstarPath *path, AstarPath *out);
AstarStatus astar_smooth_quickly(AstarSearch *search, const AstarPath *path, AstarPath *out);

// Does that to the parts of a path between its links, and puts them together again.
AstarStatus astar_rework_between_links(AstarSearch *search, const AstarPath *path,
                                       AstarRework function, AstarPath *out);

#endif
