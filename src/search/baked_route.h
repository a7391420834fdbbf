// baked_route.h -- routes by what was baked, without a search.

#ifndef ASTAR_BAKED_ROUTE_H
#define ASTAR_BAKED_ROUTE_H

#include "derived/baked_map.h"
#include "search/search.h"

// Answers a question that is posed, and jump point search would answer, by what was baked:
// search->algorithm then says by what. It stays ASTAR_JPS where nothing is baked, or that does not
// tell. ASTAR_OK, or ASTAR_NO_MEMORY.
AstarStatus astar_baked_route_find(AstarSearch *search);
// Finds the route of a question noted by a map that may not be in force yet; how much work that is,
// in cells of a layer.
AstarStatus astar_baked_route_measure(AstarSearch *search, const AstarBakedMap *map, double *work);
// Adds the route found to a path, from its start on, and stores its steps.
AstarStatus astar_baked_route_trace(const AstarSearch *search, AstarPath *path, double *straight,
                                    double *diagonal);
// What it costs in whole numbers.
double astar_baked_route_cost(const AstarSearch *search);

static inline bool astar_is_baked(AstarAlgorithm algorithm)
{
    return algorithm == ASTAR_LABELS || algorithm == ASTAR_HIERARCHY;
}

#endif
