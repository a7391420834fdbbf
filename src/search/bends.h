// bends.h -- A* and Dijkstra's algorithm over cells and headings, for queries in which bends count.
//
// A state is a cell and the side over which the last step entered it. On squares the side is the
// direction of the step. On hexagons it is the number that stays the same along a straight line.
// The cost of the rest of a route depends on both the cell and the side.

#ifndef ASTAR_BENDS_H
#define ASTAR_BENDS_H

#include "finder/finder.h"

typedef struct AstarState {
    double g;       // cost so far as the search sums it, bends included
    double step;    // cost of the last step as a 'step_cost' callback returned it
    uint32_t bends; // bends so far
    uint32_t cell;
    uint32_t parent; // number of the parent state; the start state is its own parent
    uint32_t next;   // number of another state of the same cell; 0 (the start state): none
    // The side over which the last step entered the cell, or another value as in a node of A*. For
    // the start it is the heading of the query.
    uint8_t from;
    bool closed;
} AstarState;

static inline bool astar_counts_bends(const AstarFinder *finder, const AstarQueryOptions *query)
{
    return query->bends == ASTAR_BENDS_FEWEST || finder->options.bend_cost > 0;
}

AstarStatus astar_bends_begin(AstarSearch *search);
// Makes a search that has just begun prune all routes that cost more than a known route.
void astar_states_bound(AstarSearch *search, double known);
AstarStatus astar_run_bends(AstarSearch *search, uint64_t expansions);
double astar_states_g(const AstarSearch *search, uint32_t cell);
AstarStatus astar_bends_trace(AstarSearch *search, AstarPath *path);

void astar_states_free(AstarSearch *search);
size_t astar_states_bytes(const AstarSearch *search);

// Returns the cheapest state of a cell that the search has reached; among equally cheap states the
// one with the fewest bends.
const AstarState *astar_states_best(const AstarSearch *search, uint32_t cell);
bool astar_states_has_closed(const AstarSearch *search, uint32_t cell);
// Returns the state from which the search reached a state. The parent of the start state is the
// start state itself.
const AstarState *astar_states_parent(const AstarSearch *search, const AstarState *state);

#endif
