// graph_frozen.c -- searches of a graph as it was at one moment, while it is edited.
//
// A search made in steps goes on over the graph as it was when it began. Nothing is copied for that
// but what is edited meanwhile: before an edit changes a node, or its arcs, each search that is
// held so keeps it as it is, and reads that from then on. So an edit costs a little more, and a
// search no more than its steps. Nodes added since are joined to none that it sees.

#include "base/array.h"
#include "graph/graph_search.h"

#include <string.h>

static void free_kept_nodes(AstarKeptNodes *kept, const AstarAllocator *allocator)
{
    astar_release(allocator, kept->places, kept->node_count, sizeof *kept->places);
    astar_release(allocator, kept->nodes, kept->capacity, sizeof *kept->nodes);
    astar_release(allocator, kept->arcs, kept->arc_capacity, sizeof *kept->arcs);
    *kept = (AstarKeptNodes){0};
}

size_t astar_kept_bytes(const AstarKeptNodes *kept)
{
    return kept->node_count * sizeof *kept->places + kept->capacity * sizeof *kept->nodes +
           kept->arc_capacity * sizeof *kept->arcs;
}

// Keeps a node as it is, unless that was kept already, or is newer than what is held.
static bool keep_node(AstarKeptNodes *kept, const AstarGraph *graph, uint32_t node,
                      const AstarAllocator *allocator)
{
    if (node >= kept->node_count)
        return true;
    if (kept->places == NULL)
        kept->places = astar_alloc(allocator, kept->node_count, sizeof *kept->places);
    if (kept->places == NULL)
        return false;
    if (kept->places[node] != 0)
        return true;
    AstarGraphNode as_it_is = graph->nodes[node];
    if (!ASTAR_RESERVE(allocator, kept->nodes, kept->count, 1, &kept->capacity, 16) ||
        !ASTAR_RESERVE(allocator, kept->arcs, kept->arc_count, as_it_is.count, &kept->arc_capacity,
                       64))
        return false;
    if (as_it_is.count > 0)
        memcpy(kept->arcs + kept->arc_count, astar_arcs_of(graph, node),
               as_it_is.count * sizeof *kept->arcs);
    as_it_is.arcs = (uint32_t)kept->arc_count;
    kept->arc_count += as_it_is.count;
    kept->nodes[kept->count++] = as_it_is;
    kept->places[node] = (uint32_t)kept->count;
    return true;
}

void astar_graph_keep_node(AstarGraph *graph, uint32_t node)
{
    for (AstarGraphSearch *each = graph->held; each != NULL; each = each->next_held) {
        if (each->status == ASTAR_NO_MEMORY)
            continue;
        if (!keep_node(&each->kept, graph, node, &each->alloc))
            each->status = ASTAR_NO_MEMORY;
    }
}

void astar_graph_keep_around(AstarGraph *graph, uint32_t node)
{
    if (graph->held == NULL)
        return;
    astar_graph_keep_node(graph, node);
    const AstarGraphArc *arcs = astar_arcs_of(graph, node);
    for (uint32_t i = 0; i < graph->nodes[node].count; i++)
        astar_graph_keep_node(graph, astar_arc_to(&arcs[i]));
}

bool astar_graph_has_frozen(const AstarGraph *graph)
{
    return graph->held != NULL;
}

uint64_t astar_graph_frozen_since(const AstarGraph *graph)
{
    uint64_t oldest = graph->version;
    for (const AstarGraphSearch *each = graph->held; each != NULL; each = each->next_held)
        oldest = each->kept.since; // the first to be held is the last
    return oldest;
}

AstarStatus astar_graph_search_freeze(AstarGraphSearch *search)
{
    AstarGraph *graph = search->graph;
    if (search->status != ASTAR_RUNNING || astar_is_held(search) || search->expanded > 0 ||
        search->version != graph->version || search->options.neighbours != NULL ||
        search->aim.start == ASTAR_NO_NODE) // from outside the graph
        return ASTAR_BAD_OPTION;
    search->kept.node_count = graph->keys.count;
    search->kept.since = graph->version;
    search->next_held = graph->held;
    graph->held = search;
    return ASTAR_OK;
}

void astar_graph_search_thaw(AstarGraphSearch *search)
{
    if (!astar_is_held(search))
        return;
    AstarGraphSearch **link = &search->graph->held;
    while (*link != search)
        link = &(*link)->next_held;
    *link = search->next_held;
    free_kept_nodes(&search->kept, &search->alloc);
}

uint32_t astar_graph_search_label(const AstarGraphSearch *search, uint32_t from, uint32_t to)
{
    const AstarGraphArc *arcs = astar_arcs_seen(search, from);
    uint32_t count = astar_node_seen(search, from)->count;
    for (uint32_t i = 0; i < count; i++)
        if (astar_arc_to(&arcs[i]) == to && !(arcs[i].to & ASTAR_ARC_ABSENT))
            return arcs[i].label;
    return 0;
}
