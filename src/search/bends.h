// bends.h -- A*, and Dijkstra's algorithm, over cells and headings, where bends count.
//
// A state is a cell and the side over which the step left that led there: on squares its direction,
// on hexagons what stays the same along a straight line. What a route costs on from a cell depends
// on both.

#ifndef ASTAR_BENDS_H
#define ASTAR_BENDS_H

#include "finder/finder.h"

typedef struct AstarState {
    double g;        // as the search adds it up, bends included
    double step;     // what the last one costs, as step_cost callbacks have it
    uint32_t bends;  // on the way here
    uint32_t cell;   //
    uint32_t parent; // its number; of the start its own
    uint32_t next;   // another state of the same cell; 0: none, that is the start
    uint8_t from;    // the side, else as AstarNode has it; the start's own heading, if it has one
    bool closed;
} AstarState;

static inline bool astar_counts_bends(const AstarFinder *finder, const AstarQuestion *question)
{
    return question->bends == ASTAR_BENDS_FEWEST || finder->options.bend_cost > 0;
}

AstarStatus astar_bends_begin(AstarSearch *search);
// Has a search that has just begun leave out what costs more than a route that is known.
void astar_states_bound(AstarSearch *search, double known);
AstarStatus astar_run_bends(AstarSearch *search, uint64_t expansions);
double astar_states_g(const AstarSearch *search, uint32_t cell);
AstarStatus astar_bends_trace(AstarSearch *search, AstarPath *path);

void astar_states_free(AstarSearch *search);
size_t astar_states_bytes(const AstarSearch *search);

// Of the states of a cell that the search has reached the cheapest one, of those the one of the
// fewest bends.
const AstarState *astar_states_best(const AstarSearch *search, uint32_t cell);
bool astar_states_has_closed(const AstarSearch *search, uint32_t cell);
// The state before one on the way to it, itself of the start.
const AstarState *astar_states_parent(const AstarSearch *search, const AstarState *state);

#endif
