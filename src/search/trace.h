// trace.h -- reads the found route back from the nodes of a search.

#ifndef ASTAR_TRACE_H
#define ASTAR_TRACE_H

#include "map/grid.h"
#include "search/bends.h"

// The progress of reading a route, which is read from its end; see trace.c.
typedef struct AstarTracing {
    AstarCell at;                   // the cell reached so far
    const struct AstarState *state; // the state of that cell, if bends count
    size_t corners; // corners still to be read of a route found by rays; 0: none was read yet
    double straight, diagonal; // costs of straight steps, and of diagonal ones before
                               // multiplication by diagonal_cost
    double links;
    double said; // sum of what the 'step_cost' callback returned for the steps, if these are stored
    bool is_begun, is_whole; // is_whole: parts[0] is the complete route
} AstarTracing;

// Append to the path the steps of a run, or the link, that led to the cell 'tracing.at', and move
// 'at' to where they began.
AstarStatus astar_trace_run(AstarSearch *search, int direction, int steps, AstarPath *path);
AstarStatus astar_trace_link(AstarSearch *search, AstarPath *path);
// Reads back a part of the found route, by steps, into 'parts[0]'. Returns ASTAR_RUNNING if the
// work budget is used up first.
AstarStatus astar_search_trace_on(AstarSearch *search, int64_t *work);
// Copies the found route to a path, after reading it back if necessary.
AstarStatus astar_search_trace(AstarSearch *search, AstarPath *path);

#endif
