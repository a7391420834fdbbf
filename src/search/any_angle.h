// any_angle.h -- the rest of a search whose route may go at any angle.

#ifndef ASTAR_ANY_ANGLE_H
#define ASTAR_ANY_ANGLE_H

#include "search/search.h"

// Goes on with a search that has found its way by steps; ASTAR_OK when the route is ready.
AstarStatus astar_run_any_angle(AstarSearch *search, uint64_t expansions);
// Copies the route.
AstarStatus astar_any_angle_path(const AstarSearch *search, AstarPath *path);
// Forgets the route of the question before.
void astar_any_angle_reset(AstarSearch *search);
void astar_any_angle_free(AstarSearch *search);
size_t astar_any_angle_bytes(const AstarSearch *search);

#endif
