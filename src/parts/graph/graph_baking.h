// graph_baking.h -- which nodes of a graph become landmarks, and their distances: measured in
// slices.

#ifndef ASTAR_GRAPH_BAKING_H
#define ASTAR_GRAPH_BAKING_H

#include "map/grid.h"
#include "parts/graph/graph_search.h"

// Two nodes between which a way may have opened.
void astar_graph_components_join(AstarGraph *graph, uint32_t a, uint32_t b);
// A way may have closed.
void astar_graph_components_loosen(AstarGraph *graph);
void astar_graph_components_drop(AstarGraph *graph);
// A search without the host's word has expanded so many nodes and found no way.
void astar_graph_components_note_vain(AstarGraph *graph, uint64_t expanded);
// Whether it is known that no way leads from one node to another.
bool astar_graph_are_apart(AstarGraph *graph, uint32_t a, uint32_t b);

void astar_graph_landmarks_free(AstarGraph *graph, AstarGraphLandmarks *landmarks);
void astar_graph_landmarks_drop(AstarGraph *graph); // those in force
// A distance as it is kept; '*is_exact' ends where that is rounded.
uint32_t astar_graph_landmarks_kept(double distance, bool *is_exact);
// The estimates by landmarks, never too high.
bool astar_graph_landmarks_hold(const AstarGraph *graph);
double astar_graph_landmarks_estimate(const AstarGraph *graph, uint32_t node, uint32_t goal);

#endif
