// graph_frozen.h -- searches of a graph as it was at one moment, while it is edited.

#ifndef ASTAR_GRAPH_FROZEN_H
#define ASTAR_GRAPH_FROZEN_H

#include "graph/graph_arcs.h"

// What a frozen search has kept of the nodes that were edited since.
typedef struct AstarKeptNodes {
    uint32_t *places;      // of each node 1 added to where it is kept; 0: it is as it was
    size_t node_count;     // that there were; 0: nothing is frozen
    AstarGraphNode *nodes; // whose blocks begin where they do in 'arcs'
    size_t count, capacity;
    AstarGraphArc *arcs;
    size_t arc_count, arc_capacity;
} AstarKeptNodes;

size_t astar_kept_bytes(const AstarKeptNodes *kept);

// A node is about to be edited: each frozen search keeps it as it is, or, without memory, has
// changed.
void astar_graph_keep_node(AstarGraph *graph, uint32_t node);
// The same of a node and all that arcs join it to.
void astar_graph_keep_around(AstarGraph *graph, uint32_t node);
// Nodes get other numbers: every frozen search has changed.
void astar_graph_thaw_all(AstarGraph *graph);

#endif
