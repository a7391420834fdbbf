// smooth.h -- smooths a path into fewer, straighter legs, in one call or in steps.

#ifndef ASTAR_SMOOTH_H
#define ASTAR_SMOOTH_H

#include "search/path.h"
#include "search/repair.h"

#include <math.h>

// Returns the distance between the centres of two cells.
static inline double astar_distance(int x0, int y0, int x1, int y1)
{
    double dx = (double)x1 - x0, dy = (double)y1 - y0;
    return sqrt(dx * dx + dy * dy);
}

typedef enum AstarSmoothStage {
    ASTAR_SMOOTH_CUT,     // starts with the next part
    ASTAR_SMOOTH_LIST,    // lists the cells of the part, and the costs up to them if costs matter
    ASTAR_SMOOTH_GALLOP,  // chooses the cells at which the new path turns
    ASTAR_SMOOTH_SHORTEN, // moves these turns along the part, or drops them
    ASTAR_SMOOTH_WALK,    // walks along the whole new path to find its cost
    ASTAR_SMOOTH_DONE
} AstarSmoothStage;

// The state of smoothing one path.
typedef struct AstarSmoothing {
    AstarSmoothStage stage;
    const AstarPath *path;
    AstarPath *out;
    bool is_sound;   // true if the path is known to be walkable on the current map
    int first, last; // first and last point of the current part of the path
    AstarWalk walk;
    bool is_plain; // true if astar_sight_is_plain: costs need not be listed
    int count;     // cells of the part
    int listed;    // legs of the part that are listed
    int priced;    // cells of the part whose costs are listed
    int turns;     // turns chosen, whose cells are in the search's 'lines.turns'
    int reached;   // the farthest cell known to be visible from the last turn; -1: none yet
    int stride;    // distance from that cell to the next one tried
    bool doubles;  // true while each stride is twice the one before, until a cell is not visible
    bool looked;   // true if the end of the part was tried
    int along_heading; // cell where the first leg ends, if it follows the heading; else 0
    int turn;          // the turn that is being moved
    int kept;          // turns kept so far by the moving
} AstarSmoothing;

// Starts to smooth a path into 'out'. The path must not change until the smoothing has ended.
void astar_smoothing_begin(const AstarSearch *search, AstarSmoothing *smoothing,
                           const AstarPath *path, AstarPath *out);
// Continues to smooth a path, within the work budget. Returns ASTAR_RUNNING while there is more to
// do. A callback may interrupt the work; the next call continues after the interruption. After
// ASTAR_NO_MEMORY the next call restarts the smoothing.
AstarStatus astar_smoothing_run(AstarSearch *search, AstarSmoothing *smoothing, int64_t *work);

// Smooths a path in one call.
AstarStatus astar_smooth(AstarSearch *search, const AstarPath *path, AstarPath *out);

// Returns the cost of a path of straight legs, without the cost of bends. astar_sight_is_plain must
// be true for the finder.
double astar_cost_of_lines(const AstarFinder *finder, const AstarPath *path);

#endif
