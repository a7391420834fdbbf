// smooth.h -- fewer, straighter legs along a path, in steps where wanted.

#ifndef ASTAR_SMOOTH_H
#define ASTAR_SMOOTH_H

#include "search/path.h"
#include "search/repair.h"

#include <math.h>

// How far apart the middles of two cells lie.
static inline double astar_distance(int x0, int y0, int x1, int y1)
{
    double dx = (double)x1 - x0, dy = (double)y1 - y0;
    return sqrt(dx * dx + dy * dy);
}

typedef enum AstarSmoothStage {
    ASTAR_SMOOTH_CUT,     // the next part is taken up
    ASTAR_SMOOTH_LIST,    // its cells are listed, and what it costs to get there if that counts
    ASTAR_SMOOTH_GALLOP,  // cells are chosen at which it turns
    ASTAR_SMOOTH_SHORTEN, // these are moved along the part, or dropped
    ASTAR_SMOOTH_WALK,    // what is made of all parts is walked for its cost
    ASTAR_SMOOTH_DONE
} AstarSmoothStage;

// One path being made into another.
typedef struct AstarSmoothing {
    AstarSmoothStage stage;
    const AstarPath *path;
    AstarPath *out;
    bool is_sound;   // the path can be walked on the map as it is
    int first, last; // points of the path: where the part at hand begins and ends
    AstarWalk walk;
    bool is_plain;     // sight is: costs need not be listed
    int count;         // cells of the part
    int listed;        // legs of it
    int priced;        // cells of it
    int turns;         // cells chosen, whose numbers the search has
    int reached;       // the farthest cell known to be in sight of the last turn; -1: none yet
    int stride;        // how far beyond that the next look goes
    bool doubles;      // each stride is twice as long as the one before, until one is too long
    bool looked;       // to the end of the part
    int along_heading; // cell where the first leg ends, if it follows the heading; else 0
    int turn;          // the turn that is being moved
    int kept;          // turns that stay, up to there
} AstarSmoothing;

// Begins to make 'out', one to be built, of a path that stays as it is meanwhile.
void astar_smoothing_begin(const AstarSearch *search, AstarSmoothing *smoothing,
                           const AstarPath *path, AstarPath *out);
// Goes on with it, as far as the work lasts: ASTAR_RUNNING while there is more. A callback may
// break that off, and it goes on from there; after ASTAR_NO_MEMORY it begins anew.
AstarStatus astar_smoothing_run(AstarSearch *search, AstarSmoothing *smoothing, int64_t *work);

// At once.
AstarStatus astar_smooth(AstarSearch *search, const AstarPath *path, AstarPath *out);

// What a path of straight legs costs where sight is plain, bends apart.
double astar_cost_of_lines(const AstarFinder *finder, const AstarPath *path);

#endif
