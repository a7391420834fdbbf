// graph_scale.c -- how far a straight line can be trusted as an estimate.
//
// A route is no cheaper than the straight distance times the least that any arc costs per length:
// one cheap edge, a teleporter, lowers that for all. Where an arc leads from or to a node without a
// position nothing is known. What is least is counted, so that an edit needs no look at all arcs,
// but one that takes the last of the cheapest away: then the next question does. Blocked arcs
// count, so that opening a door changes no estimate.

#include "graph/graph_arcs.h"

// What an arc costs per length, INFINITY where it has none.
static double cost_per_length(const AstarGraph *graph, uint32_t from, const AstarGraphArc *arc)
{
    const AstarGraphNode *a = &graph->nodes[from], *b = &graph->nodes[astar_arc_to(arc)];
    double length = astar_straight(a->x - b->x, a->y - b->y);
    return length > 0 ? arc->cost / length : (double)INFINITY;
}

static bool is_unplaced(const AstarGraph *graph, uint32_t from, const AstarGraphArc *arc)
{
    return !astar_is_placed(&graph->nodes[from]) ||
           !astar_is_placed(&graph->nodes[astar_arc_to(arc)]);
}

static void take_least_arc(AstarGraph *graph, double cost)
{
    if (cost < graph->least) {
        graph->least = cost;
        graph->least_count = 0;
    }
    if (cost == graph->least) {
        graph->least_count++;
        graph->least_is_outdated = false; // all others cost as much, or more
    }
}

void astar_count_arc(AstarGraph *graph, uint32_t from, AstarGraphArc *arc)
{
    if (arc->to & ASTAR_ARC_ABSENT)
        return;
    if (is_unplaced(graph, from, arc))
        graph->unplaced++;
    else
        take_least_arc(graph, cost_per_length(graph, from, arc));
}

void astar_discount_arc(AstarGraph *graph, uint32_t from, AstarGraphArc *arc)
{
    if (arc->to & ASTAR_ARC_ABSENT)
        return;
    if (is_unplaced(graph, from, arc))
        graph->unplaced--;
    else if (cost_per_length(graph, from, arc) == graph->least && graph->least_count > 0)
        graph->least_is_outdated = --graph->least_count == 0;
}

static void find_least_arc(AstarGraph *graph)
{
    graph->least = (double)INFINITY;
    graph->least_count = 0;
    for (uint32_t node = 0; node < graph->keys.count; node++) {
        const AstarGraphArc *arcs = astar_arcs_of(graph, node);
        for (uint32_t i = 0; i < graph->nodes[node].count; i++)
            if (!(arcs[i].to & ASTAR_ARC_ABSENT) && !is_unplaced(graph, node, &arcs[i]))
                take_least_arc(graph, cost_per_length(graph, node, &arcs[i]));
    }
    graph->least_is_outdated = false;
}

double astar_graph_scale(AstarGraph *graph)
{
    if (graph->unplaced > 0)
        return 0;
    if (graph->least_is_outdated)
        find_least_arc(graph);
    return isinf(graph->least) ? 0 : graph->least;
}
