// trace.h -- the route that a search has found, read back from its nodes.

#ifndef ASTAR_TRACE_H
#define ASTAR_TRACE_H

#include "map/grid.h"
#include "search/bends.h"

// The way found, as far as it was read back, from its end; see trace.c.
typedef struct AstarTracing {
    AstarCell at;                   // where that begins
    const struct AstarState *state; // of it, where bends count
    size_t corners; // of the route that are left, where it was found by rays; 0: all of them
    double straight, diagonal; // cost of the steps, the latter's to be multiplied by their length
    double links;
    double said;             // by the step_cost callback, of all of them, where they are noted
    bool is_begun, is_whole; // parts[0] is all of it
} AstarTracing;

// Add the steps of a run, or the link, that led to the cell that 'tracing' is at, and go back
// there.
AstarStatus astar_trace_run(AstarSearch *search, int direction, int steps, AstarPath *path);
AstarStatus astar_trace_link(AstarSearch *search, AstarPath *path);
// Reads back some of the way that a search has found, by steps, into its 'parts[0]'; ASTAR_RUNNING
// where the work is used up before.
AstarStatus astar_search_trace_on(AstarSearch *search, int64_t *work);
// Stores it in a path.
AstarStatus astar_search_trace(AstarSearch *search, AstarPath *path);

#endif
