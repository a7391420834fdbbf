// fewest_bends.h -- Finds a route with the fewest bends among the cheapest routes to a cell.
//
// A search with the options 'bends' or 'bend_cost' runs by rays (fewest_bends.c) if it can.
// Otherwise it runs over cells and headings (bends.c), which takes longer.

#ifndef ASTAR_FEWEST_BENDS_H
#define ASTAR_FEWEST_BENDS_H

#include "finder/finder.h"

// Returns true if a search that counts bends can run by rays: it uses A* without callbacks, and its
// goal is one cell of a square grid whose step costs depend on terrain alone.
bool astar_can_go_by_rays(const AstarSearch *search);
// Starts a search by rays.
AstarStatus astar_rays_begin(AstarSearch *search);
// Continues a search by rays for at most 'expansions' expansions. Returns ASTAR_RUNNING if it has
// not ended.
AstarStatus astar_run_rays(AstarSearch *search, uint64_t expansions);
// Adds one more part of the route found to 'path', from the goal backwards. Returns ASTAR_OK at the
// start and ASTAR_RUNNING before.
AstarStatus astar_rays_trace(AstarSearch *search, AstarPath *path);
// Returns true if the search has started to draw rays. Such a search may have read cells for which
// it has no nodes.
bool astar_rays_are_drawn(const AstarSearch *search);

void astar_rays_free(AstarSearch *search);
size_t astar_rays_bytes(const AstarSearch *search);

#endif
