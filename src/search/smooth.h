// smooth.h -- fewer, straighter legs along a path, in slices where wanted.

#ifndef ASTAR_SMOOTH_H
#define ASTAR_SMOOTH_H

#include "path/path.h"
#include "search/path_validity.h"

#include <math.h>

#define ASTAR_SHORTER (1 - 1e-9) // times as long, or less: otherwise it is none

// How far apart the middles of two cells lie.
static inline double astar_distance(int x0, int y0, int x1, int y1)
{
    double dx = (double)x1 - x0, dy = (double)y1 - y0;
    return sqrt(dx * dx + dy * dy);
}

typedef enum AstarSmoothKind {
    ASTAR_FEWEST_LEGS,
    ASTAR_SHORTEST_ROUTE, // over cells of the path, by legs like those of the fewest
    ASTAR_FEWER_POINTS    // quickly: points of the path are let go
} AstarSmoothKind;

typedef enum AstarSmoothStage {
    ASTAR_SMOOTH_CUT,    // the next part is taken up
    ASTAR_SMOOTH_LIST,   // its cells are listed
    ASTAR_SMOOTH_CHOOSE, // and those chosen where legs end
    ASTAR_SMOOTH_WALK,   // what is made of all parts is walked for its cost
    ASTAR_SMOOTH_DONE
} AstarSmoothStage;

// One path on its way to be another.
typedef struct AstarSmoothing {
    AstarSmoothKind kind;
    AstarSmoothStage stage;
    const AstarPath *path;
    AstarPath *out;
    int first, last; // points of the path: where the part at hand begins and ends
    AstarPathCursor cursor;
    AstarWalk walk;
    // Choosing among the cells of the part, its spots:
    AstarView view;
    uint64_t spent; // by the view, on what is done; a callback may break off what is not
    int count, queued;
    int at;         // the spot, or place in the queue, whose legs are looked for; the next point
    int to;         // where the next of them would end; -1: none was looked for yet
    int anchor;     // where the leg of fewer points begins
    bool looks_far; // the farthest there may be comes next
} AstarSmoothing;

// Begins to make 'out', one to be built, of a path that stays as it is meanwhile.
void astar_smoothing_begin(const AstarSearch *search, AstarSmoothing *smoothing,
                           AstarSmoothKind kind, const AstarPath *path, AstarPath *out);
// Goes on with it, as far as the work lasts: ASTAR_RUNNING while there is more. A callback may
// break that off, and it goes on from there; after ASTAR_NO_MEMORY it begins anew.
AstarStatus astar_smoothing_run(AstarSearch *search, AstarSmoothing *smoothing, int64_t *work);

// At once.
AstarStatus astar_smooth(AstarSearch *search, const AstarPath *path, AstarPath *out);
AstarStatus astar_smooth_quickly(AstarSearch *search, const AstarPath *path, AstarPath *out);

// string_pulling.c: a route at any angle is drawn taut.

// A route being drawn taut. No callbacks are asked: the bitmap tells of all lines.
typedef struct AstarPulling {
    const AstarGrid *grid;
    AstarPath *path;
    AstarView from, to; // what the cells before and after a turning point see
    int at, kept;       // the turning point at hand; the last one that stays so far
    AstarPoint point;   // where it is now
    bool moves;         // it may be moved on
    bool changed;       // by going over the turning points this time
} AstarPulling;

// Begins to draw the points of 'path' taut; what else the path holds is no longer true then.
void astar_pulling_begin(AstarPulling *pulling, AstarCosts *costs, AstarPath *path);
// Goes on as far as the work lasts: ASTAR_RUNNING, or ASTAR_OK when it is taut.
AstarStatus astar_pulling_run(AstarPulling *pulling, int64_t *work);

// lazy_theta.c: the rest of a search whose route may go at any angle.

// Goes on with a search that has found its way by steps; ASTAR_OK when the route is ready.
AstarStatus astar_run_lazy_theta(AstarSearch *search, uint64_t expansions);
// Copies the route.
AstarStatus astar_lazy_theta_path(const AstarSearch *search, AstarPath *path);
// Forgets the route of the question before.
void astar_lazy_theta_reset(AstarSearch *search);
void astar_lazy_theta_free(AstarSearch *search);
size_t astar_lazy_theta_bytes(const AstarSearch *search);

#endif
