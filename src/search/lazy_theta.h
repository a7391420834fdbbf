// lazy_theta.h -- the rest of a search whose route may go at any angle.

#ifndef ASTAR_LAZY_THETA_H
#define ASTAR_LAZY_THETA_H

#include "search/search.h"

// Goes on with a search that has found its way by steps; ASTAR_OK when the route is ready.
AstarStatus astar_run_lazy_theta(AstarSearch *search, uint64_t expansions);
// Copies the route.
AstarStatus astar_lazy_theta_path(const AstarSearch *search, AstarPath *path);
// Forgets the route of the question before.
void astar_lazy_theta_reset(AstarSearch *search);
void astar_lazy_theta_free(AstarSearch *search);
size_t astar_lazy_theta_bytes(const AstarSearch *search);

#endif
