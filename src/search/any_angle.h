// any_angle.h -- the rest of a search whose route may go at any angle.

#ifndef ASTAR_ANY_ANGLE_H
#define ASTAR_ANY_ANGLE_H

#include "map/grid.h"

// A cell of a path being smoothed.
typedef struct AstarSpot {
    int32_t x, y;
    int32_t end;      // number of the last cell of the straight leg that leads on from it
    bool is_straight; // the leg goes through the middles of the cells in between, too
} AstarSpot;

#define ASTAR_SHORTER (1 - 1e-9) // times as long, or less: otherwise it is not shorter

// Of routes made of lines at any angle, see any_angle.c and smooth.c.
typedef struct AstarLines {
    bool any_angle; // the route is to go so
    AstarSpot *spots;
    size_t spot_capacity;
    double *costs; // up to each of these
    size_t cost_capacity;
    int32_t *turns; // numbers of cells of such a path at which the smoothed one turns
    size_t turn_capacity;
    struct AstarSmoothing *smoothing; // of a path smoothed at once; NULL: there was none yet
    struct AstarAngles *angles;       // NULL: there was no such route yet
} AstarLines;

// Goes on with a search that has found its way by steps; ASTAR_OK when the route is ready.
AstarStatus astar_run_any_angle(AstarSearch *search, uint64_t expansions);
// Copies the route.
AstarStatus astar_any_angle_path(const AstarSearch *search, AstarPath *path);
// Forgets the route of the question before.
void astar_any_angle_reset(AstarSearch *search);
void astar_any_angle_free(AstarSearch *search);
size_t astar_any_angle_bytes(const AstarSearch *search);

#endif
