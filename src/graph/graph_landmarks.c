// graph_landmarks.c -- estimates by landmarks (ALT: Goldberg and Harrelson, SODA 2005).
//
// Of a few far-off nodes the distances to all others are kept, and from all others where ways back
// cost something else. By the triangle inequality they tell how far two nodes are apart at least,
// positions or none. What is blocked counts as open, so that doors may open and close; that a way
// is closed or gets dearer leaves the estimates too low, at worst. A new edge or a lower cost makes
// them void.
//
// Distances are kept in single precision, as bits and 1, so that 0 says unknown and fresh memory
// need not be written. Where that rounds any, estimates stay below by as much as it can.

#include "graph/graph_search.h"

#include <string.h>

void astar_graph_landmarks_free(AstarGraph *graph, AstarGraphLandmarks *landmarks)
{
    if (landmarks == NULL)
        return;
    size_t count = (size_t)landmarks->node_count * (size_t)landmarks->count;
    astar_release(&graph->alloc, landmarks->from, count, sizeof *landmarks->from);
    astar_release(&graph->alloc, landmarks->to, count, sizeof *landmarks->to);
    astar_release(&graph->alloc, landmarks, 1, sizeof *landmarks);
}

void astar_graph_landmarks_drop(AstarGraph *graph)
{
    astar_graph_landmarks_free(graph, graph->landmarks);
    graph->landmarks = NULL;
}

bool astar_graph_landmarks_hold(const AstarGraph *graph)
{
    return graph->landmarks != NULL && graph->landmarks->openings == graph->openings;
}

static double distance_of(uint32_t kept)
{
    float distance;
    kept--;
    memcpy(&distance, &kept, sizeof distance);
    return (double)distance;
}

uint32_t astar_graph_landmarks_kept(double distance, bool *is_exact)
{
    float coarse = (float)distance;
    uint32_t bits;
    memcpy(&bits, &coarse, sizeof bits);
    *is_exact = *is_exact && (double)coarse == distance;
    return bits + 1;
}

// How much farther the one distance is than the other, at least.
static double farther_by(const AstarGraphLandmarks *landmarks, uint32_t far, uint32_t near)
{
    if (far == 0 || near == 0)
        return 0;
    double a = distance_of(far), b = distance_of(near);
    return landmarks->is_exact ? a - b : a - b - (a + b) * (1.0 / 8388608);
}

double astar_graph_landmarks_estimate(const AstarGraph *graph, uint32_t node, uint32_t goal)
{
    const AstarGraphLandmarks *landmarks = graph->landmarks;
    size_t count = (size_t)landmarks->count, at = node * count, there = goal * count;
    double most = 0;
    if (node >= landmarks->node_count || goal >= landmarks->node_count)
        return 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t from_node = landmarks->from[at + i], from_goal = landmarks->from[there + i];
        const uint32_t *to = landmarks->is_symmetric ? landmarks->from : landmarks->to;
        double ahead = farther_by(landmarks, from_goal, from_node);
        double behind = farther_by(landmarks, to[at + i], to[there + i]);
        most = ahead > most ? ahead : most;
        most = behind > most ? behind : most;
    }
    return most;
}

int astar_graph_landmarks(const AstarGraph *graph, size_t *bytes)
{
    const AstarGraphLandmarks *landmarks = graph->landmarks;
    *bytes = 0;
    if (!astar_graph_landmarks_hold(graph))
        return 0;
    size_t count = (size_t)landmarks->node_count * (size_t)landmarks->count;
    *bytes = count * sizeof *landmarks->from * (landmarks->is_symmetric ? 1 : 2);
    return landmarks->count;
}
