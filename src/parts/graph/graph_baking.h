// graph_baking.h -- landmarks and connected components of a graph.

#ifndef ASTAR_GRAPH_BAKING_H
#define ASTAR_GRAPH_BAKING_H

#include "map/grid.h"
#include "parts/graph/graph_search.h"

// Joins the components of two nodes between which a path may have become possible.
void astar_graph_components_join(AstarGraph *graph, uint32_t a, uint32_t b);
// Records that a path may have become impossible, so that the stored components may be too large.
void astar_graph_components_loosen(AstarGraph *graph);
void astar_graph_components_drop(AstarGraph *graph);
// Records that a search without callbacks expanded 'expanded' nodes and found no path.
void astar_graph_components_note_vain(AstarGraph *graph, uint64_t expanded);
// Returns true if the components are built, or are to be built by the next call of
// astar_graph_are_apart.
static inline bool astar_graph_has_components(const AstarGraph *graph)
{
    const AstarGraphComponents *all = &graph->components;
    return all->parents != NULL || all->in_vain >= graph->keys.count;
}

// Returns true if the components show that no path leads from the node 'a' to the node 'b'.
bool astar_graph_are_apart(AstarGraph *graph, uint32_t a, uint32_t b);

void astar_graph_landmarks_free(AstarGraph *graph, AstarGraphLandmarks *landmarks);
void astar_graph_landmarks_drop(AstarGraph *graph); // frees the landmarks in use
// Returns a distance in the form in which landmarks store it. Sets '*is_exact' to false if the
// distance was rounded.
uint32_t astar_graph_landmarks_kept(double distance, bool *is_exact);
// Return true if the landmarks are valid, and return the estimate by the landmarks, which is never
// too high.
bool astar_graph_landmarks_hold(const AstarGraph *graph);
double astar_graph_landmarks_estimate(const AstarGraph *graph, uint32_t node, uint32_t goal);

#endif
