// smooth.h -- fewer, straighter legs along a path, in slices where wanted.

#ifndef ASTAR_SMOOTH_H
#define ASTAR_SMOOTH_H

#include "path/sight.h"
#include "search/path_validity.h"

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

#endif
