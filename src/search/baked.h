// baked.h -- the functions by which searches use baked data.
//
// parts/baking/baked_route.c defines these functions. Each call of one is guarded by
// ASTAR_HAS_BAKING, so that the part can be left out.

#ifndef ASTAR_BAKED_SEARCH_H
#define ASTAR_BAKED_SEARCH_H

#include "layers/baked.h"
#include "search/find.h"
#include "search/search.h"

static inline bool astar_is_baked(AstarAlgorithm algorithm)
{
    return algorithm == ASTAR_LABELS || algorithm == ASTAR_HIERARCHY;
}

// Answers a query from baked data, if there is any and jump point search would otherwise run the
// query. Sets search->algorithm to the kind of baked data used. The algorithm stays ASTAR_JPS if
// nothing is baked, or if the baked data does not decide the query. Returns ASTAR_OK or
// ASTAR_NO_MEMORY.
AstarStatus astar_baked_route_find(AstarSearch *search);
// Answers a query in one call by the baked data of the finder's plan. Returns false, and leaves the
// path unchanged, if the baked data does not decide the query or there is no memory for the path.
bool astar_try_baked_route(const AstarFindCall *call);
// Appends the found route to a path, from its start on, and stores how many straight and diagonal
// steps the route has.
AstarStatus astar_baked_route_trace(const AstarSearch *search, AstarPath *path, double *straight,
                                    double *diagonal);
// Returns the cost of the route found, in the whole-number unit of the baked data.
double astar_baked_route_cost(const AstarSearch *search);

// Free, or count in bytes, the memory in which a search computes routes from baked data.
void astar_baked_scratch_free(AstarSearch *search);
size_t astar_baked_scratch_bytes(const AstarSearch *search);

#endif
