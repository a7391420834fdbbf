// trace.h -- Reads the found route back from the nodes of a search.

#ifndef ASTAR_TRACE_H
#define ASTAR_TRACE_H

#include "map/grid.h"
#include "search/bends.h"

// The progress of reading a route back, which is read from its end; see trace.c.
typedef struct AstarTracing {
    AstarCell at;                   // the cell reached so far
    const struct AstarState *state; // the state of that cell, if bends count
    size_t corners; // corners still to be read of a route found by rays; 0: none was read yet
    // Sums of the costs of straight steps, and of diagonal steps before multiplication by
    // diagonal_cost.
    double straight, diagonal;
    double links;
    double step_costs;       // sum of the results of the 'step_cost' callback, if they are stored
    bool is_begun, is_whole; // is_whole: parts[0] is the complete route
} AstarTracing;

// Append to the path the steps of a run, or the link, by which the search reached the cell
// 'tracing.at'. Afterwards move 'tracing.at' to the cell where the run or the link begins.
AstarStatus astar_trace_run(AstarSearch *search, int direction, int steps, AstarPath *path);
AstarStatus astar_trace_link(AstarSearch *search, AstarPath *path);
// Reads a part of the found route back into search->parts[0], for a search in steps. Returns
// ASTAR_RUNNING if the work budget is used up before the route is complete.
AstarStatus astar_search_trace_on(AstarSearch *search, int64_t *work);
// Copies the found route to a path, after reading it back if necessary.
AstarStatus astar_search_trace(AstarSearch *search, AstarPath *path);

#endif
