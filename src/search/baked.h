// baked.h -- what searches call of the part baking to answer by what was baked.
//
// parts/baking/baked_route.c defines these functions. Each call of one stands behind
// ASTAR_HAS_BAKING.

#ifndef ASTAR_BAKED_SEARCH_H
#define ASTAR_BAKED_SEARCH_H

#include "layers/baked.h"
#include "search/search.h"

static inline bool astar_is_baked(AstarAlgorithm algorithm)
{
    return algorithm == ASTAR_LABELS || algorithm == ASTAR_HIERARCHY;
}

// Answers a query that is started, and that jump point search would answer, by what was baked:
// search->algorithm then says by what. It stays ASTAR_JPS if nothing is baked, or if what is baked
// does not tell. Returns ASTAR_OK or ASTAR_NO_MEMORY.
AstarStatus astar_baked_route_find(AstarSearch *search);
// Adds the route found to a path, from its start on, and stores how many steps it has.
AstarStatus astar_baked_route_trace(const AstarSearch *search, AstarPath *path, double *straight,
                                    double *diagonal);
// Returns the cost of the route found, in whole numbers.
double astar_baked_route_cost(const AstarSearch *search);

// Frees, and counts, the memory in which a search works out such routes.
void astar_baked_scratch_free(AstarSearch *search);
size_t astar_baked_scratch_bytes(const AstarSearch *search);

#endif
