// any_angle.h -- the second phase of an any-angle search, which shortens the route found by steps.

#ifndef ASTAR_ANY_ANGLE_H
#define ASTAR_ANY_ANGLE_H

#include "map/grid.h"

// A cell of a path that is being smoothed.
typedef struct AstarSpot {
    int32_t x, y;
    int32_t end;      // number of the last cell of the straight leg that continues from this cell
    bool is_straight; // true if that leg passes through the centres of all its cells
} AstarSpot;

// A new route counts as shorter only if its length is at most this factor times the length of the
// old route.
#define ASTAR_SHORTER (1 - 1e-9)

// The state of a search that draws routes as straight lines at any angle, see any_angle.c and
// smooth.c.
typedef struct AstarLines {
    bool any_angle; // true if the route may go at any angle
    AstarSpot *spots;
    size_t spot_capacity;
    double *costs; // costs up to each of 'spots'
    size_t cost_capacity;
    int32_t *turns; // numbers of the cells of the path at which the smoothed path turns
    size_t turn_capacity;
    struct AstarSmoothing *smoothing; // state of smoothing in one call; NULL: never needed yet
    struct AstarAngles *angles;       // NULL: never needed yet
} AstarLines;

// Continues a search that has found its route by steps. Returns ASTAR_OK when the any-angle route
// is ready.
AstarStatus astar_run_any_angle(AstarSearch *search, uint64_t expansions);
// Copies the any-angle route that was found to a path.
AstarStatus astar_any_angle_path(const AstarSearch *search, AstarPath *path);
// Discards the any-angle route of the previous query.
void astar_any_angle_reset(AstarSearch *search);
void astar_any_angle_free(AstarSearch *search);
size_t astar_any_angle_bytes(const AstarSearch *search);

#endif
