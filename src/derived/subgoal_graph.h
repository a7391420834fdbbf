// subgoal_graph.h -- the subgoals and the ways between them, for as long as it takes to bake.

#ifndef ASTAR_SUBGOAL_GRAPH_H
#define ASTAR_SUBGOAL_GRAPH_H

#include "derived/subgoals.h"

typedef struct AstarSubgoalEdge {
    uint32_t to, cost;
} AstarSubgoalEdge;

// Edges lie in pages, so that no step of a job has to move all of them, those of a subgoal side by
// side.
typedef struct AstarEdgePage {
    AstarSubgoalEdge *edges;
    size_t capacity;
} AstarEdgePage;

// The way of an edge is the one of two legs from its first subgoal to the other, which need not be
// free the other way round; there may then be no edge back, but some route of the same cost.
typedef struct AstarSubgoalGraph {
    const AstarSubgoals *subgoals;
    uint32_t straight, diagonal; // what steps cost
    AstarSubgoalEdge **first;    // of each subgoal
    uint32_t *degrees;           // how many edges it has
    AstarEdgePage *pages;
    size_t page_count, page_capacity;
    size_t count;         // edges on the last page
    AstarBits stops[2];   // by rows and by columns: where a cell is a subgoal, or not free
    int stopped_rows;     // that are made of those
    size_t stopped_words; // of columns
    uint32_t *costs;      // of the edges from the subgoal being thinned out; else 0
    uint32_t scanned, thinned;
    uint64_t kept; // edges, of those that are thinned out
} AstarSubgoalGraph;

// Begins with the graph of subgoals that are built, which stay as they are while there is a graph.
AstarStatus astar_subgoal_graph_new(const AstarSubgoals *subgoals, uint32_t straight,
                                    uint32_t diagonal, AstarSubgoalGraph **out);
// Builds on; ASTAR_RUNNING where the work is used up before.
AstarStatus astar_subgoal_graph_advance(AstarSubgoalGraph *graph, int64_t *work);
// Frees what takes long to free; false where the work is used up before. It is then done with.
bool astar_subgoal_graph_clear(AstarSubgoalGraph *graph, int64_t *work);
void astar_subgoal_graph_free(AstarSubgoalGraph *graph);

#endif
