// find.h -- Queries in one call: the query, its state from phase to phase, and the place where its
// result is stored.

#ifndef ASTAR_FIND_H
#define ASTAR_FIND_H

#include "finder/finder.h"
#include "search/path.h"
#include "search/search.h"

// A query in one call.
typedef struct AstarFindCall {
    AstarFinder *finder;
    AstarWorkspace *workspace;
    int sx, sy, gx, gy;
    const AstarQueryOptions *query;
    const AstarAllocator *allocator; // allocator for the points of the path
    AstarPath *path;                 // the answer
    void *context;                   // the context of callbacks
    // The phases of the query set the fields below, see find.c.
    AstarAlgorithm algorithm; // as astar_plan_algorithm() returns it
    bool is_line_barred;      // true if the direct line is known to be barred
    bool prefers_astar;       // true if A* is faster than jump point search, on terrain of one cost
    bool is_connected;        // true if the plan proves that the goal can be reached
    bool is_borrowed;         // true if 'search' stays in the list of the workspace
    bool jumps;               // true if jump point search runs on the bitmaps of the plan
    AstarSearch *search;      // the search that answers the query; NULL: none yet
} AstarFindCall;

// Fills in the cost, the length and the other fields of a path whose points are already stored.
// 'straight' and 'diagonal' are its numbers of steps.
ASTAR_SPECIALIZE void astar_call_describe(const AstarFindCall *call, AstarAlgorithm algorithm,
                                          uint64_t expanded, double straight, double diagonal)
{
    const AstarFinder *finder = call->finder;
    AstarPath *path = call->path;
    path->length = straight + diagonal * ASTAR_SQRT2;
    straight *= finder->min_cost;
    diagonal *= finder->min_cost;
    path->cost = straight + diagonal * finder->options.diagonal_cost;
    path->expanded = expanded;
    path->algorithm = algorithm;
    path->partial = false;
    path->orthogonal = !finder->rule->has_diagonals;
    path->goal_x = call->gx;
    path->goal_y = call->gy;
    path->query = *call->query;
    path->offset = (AstarOffset)finder->plan.offset;
    path->best_at = call->query->weight == 1 ? finder->plan.best_at : 0;
}

// Adds the end (x, y) of a leg of 'steps' steps to a path, which must have room for it. Adds
// nothing if 'steps' is 0.
ASTAR_SPECIALIZE void astar_put_leg(AstarPath *path, int x, int y, int steps)
{
    if (steps == 0)
        return;
    path->cells += steps;
    path->points[path->count++] = (AstarPoint){x, y, path->cells - 1};
}

#endif
