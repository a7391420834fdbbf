// fewest_bends.h -- of the cheapest routes to a cell one with the fewest bends, found by rays.

#ifndef ASTAR_FEWEST_BENDS_H
#define ASTAR_FEWEST_BENDS_H

#include "finder/finder.h"

// Whether a search that counts bends can go by rays: the data tell all, the goal is one cell of a
// grid of squares, and the finder's estimate guides the search there.
bool astar_can_go_by_rays(const AstarSearch *search);
AstarStatus astar_rays_begin(AstarSearch *search);
AstarStatus astar_run_rays(AstarSearch *search, uint64_t expansions);
AstarStatus astar_rays_trace(AstarSearch *search, AstarPath *path);
// Whether the search has read more cells than its nodes tell.
bool astar_rays_are_drawn(const AstarSearch *search);

void astar_rays_free(AstarSearch *search);
size_t astar_rays_bytes(const AstarSearch *search);

#endif
