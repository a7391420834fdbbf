// graph_landmarks.h -- distances between a few far-off nodes and all others.

#ifndef ASTAR_GRAPH_LANDMARKS_H
#define ASTAR_GRAPH_LANDMARKS_H

#include "graph/graph_arcs.h"

typedef struct AstarGraphLandmarks {
    uint64_t openings;   // of the graph when its distances were measured
    uint32_t node_count; // of those there were
    int count;
    bool is_symmetric;   // every way back costs the same: there is no 'to'
    bool is_exact;       // no distance was rounded
    uint32_t *from, *to; // count for each node, side by side
} AstarGraphLandmarks;

void astar_graph_landmarks_free(AstarGraph *graph, AstarGraphLandmarks *landmarks);
void astar_graph_landmarks_drop(AstarGraph *graph); // those in force
// A distance as it is kept; '*is_exact' ends where that is rounded.
uint32_t astar_graph_landmarks_kept(double distance, bool *is_exact);
// The estimates by landmarks, never too high.
bool astar_graph_landmarks_hold(const AstarGraph *graph);
double astar_graph_landmarks_estimate(const AstarGraph *graph, uint32_t node, uint32_t goal);

#endif
