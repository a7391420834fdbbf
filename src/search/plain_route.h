// plain_route.h -- the route that jump point search finds, where nothing else is asked.

#ifndef ASTAR_PLAIN_ROUTE_H
#define ASTAR_PLAIN_ROUTE_H

#include "search/search.h"

// Answers a question as astar_find_path does; the points come from 'allocator'. ASTAR_RUNNING, and
// the path as it was, where it is none of those that this file answers. Without a workspace, NULL,
// it answers what needs no search.
AstarStatus astar_plain_route(AstarWorkspace *workspace, AstarFinder *finder, int sx, int sy,
                              int gx, int gy, const AstarQuestion *question,
                              const AstarAllocator *allocator, AstarPath *path);

#endif
