// graph_components.c -- which nodes hang together, so that hopeless questions cost no search.
//
// A forest of nodes (union by the lower number, with path halving): two nodes in different trees
// have no way between them, in either direction. Of two in one tree nothing is known: one-way edges
// count as if they led both ways, and edges that were taken away or blocked since stay in. So an
// edit costs next to nothing: what opens a way joins two trees, what closes one only notes that
// trees may be too large.
//
// They are built once searches have expanded as many nodes in vain as there are, since they were
// built last, by the next question that is answered in one go: that takes about as long again. Who
// never asks in vain never pays for them.

#include "graph/graph_arcs.h"

#include "base/array.h"

void astar_graph_components_drop(AstarGraph *graph)
{
    AstarGraphComponents *all = &graph->components;
    astar_release(&graph->alloc, all->parents, all->capacity, sizeof *all->parents);
    *all = (AstarGraphComponents){.in_vain = all->in_vain};
}

static uint32_t find_root(AstarGraphComponents *all, uint32_t node)
{
    if (node >= all->count)
        return node; // added since, and joined to none
    uint32_t *parents = all->parents;
    while (parents[node] != node)
        node = parents[node] = parents[parents[node]];
    return node;
}

// Makes room for a node and those before it.
static bool cover_node(AstarGraph *graph, uint32_t node)
{
    AstarGraphComponents *all = &graph->components;
    size_t needed = (size_t)node + 1;
    if (needed > all->count && !ASTAR_RESERVE(&graph->alloc, all->parents, all->count,
                                              needed - all->count, &all->capacity, 16))
        return false;
    for (; all->count < needed; all->count++)
        all->parents[all->count] = all->count;
    return true;
}

static void join_roots(AstarGraphComponents *all, uint32_t a, uint32_t b)
{
    uint32_t first = find_root(all, a), second = find_root(all, b);
    all->parents[first < second ? second : first] = first < second ? first : second;
}

void astar_graph_components_join(AstarGraph *graph, uint32_t a, uint32_t b)
{
    if (graph->components.parents == NULL)
        return;
    if (cover_node(graph, a > b ? a : b))
        join_roots(&graph->components, a, b);
    else
        astar_graph_components_drop(graph);
}

void astar_graph_components_loosen(AstarGraph *graph)
{
    graph->components.may_be_split = true;
}

static void build_graph_components(AstarGraph *graph)
{
    AstarGraphComponents *all = &graph->components;
    all->count = 0;
    if (graph->keys.count == 0 || !cover_node(graph, graph->keys.count - 1)) {
        astar_graph_components_drop(graph); // without memory searches go on as before
        return;
    }
    for (uint32_t node = 0; node < graph->keys.count; node++) {
        const AstarGraphArc *arcs = astar_arcs_of(graph, node);
        if (graph->nodes[node].flags & ASTAR_NODE_BLOCKED)
            continue;
        for (uint32_t i = 0; i < graph->nodes[node].count; i++) {
            uint32_t to = astar_arc_to(&arcs[i]);
            if (!(arcs[i].to & (ASTAR_ARC_ABSENT | ASTAR_ARC_BLOCKED)) &&
                !(graph->nodes[to].flags & ASTAR_NODE_BLOCKED))
                join_roots(all, node, to);
        }
    }
    all->may_be_split = false;
    all->in_vain = 0;
}

void astar_graph_components_note_vain(AstarGraph *graph, uint64_t expanded)
{
    AstarGraphComponents *all = &graph->components;
    all->in_vain += expanded;
}

bool astar_graph_are_apart(AstarGraph *graph, uint32_t a, uint32_t b)
{
    AstarGraphComponents *all = &graph->components;
    if (all->in_vain >= graph->keys.count && (all->parents == NULL || all->may_be_split))
        build_graph_components(graph);
    return all->parents != NULL && !(graph->nodes[a].flags & ASTAR_NODE_BLOCKED) &&
           find_root(all, a) != find_root(all, b);
}
