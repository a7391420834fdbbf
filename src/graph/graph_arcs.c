// graph_arcs.c -- where arcs lie: blocks of a few sizes in one array.
//
// A block that is full moves into one half as large again or a third larger, and is left to whoever
// needs its size next. Arcs keep the order in which they were made.

#include "graph/graph_arcs.h"

#include "base/array.h"

#include <string.h>

// Sizes are 2, 4, 6, 8, 12, 16, 24, 32, ...
static uint32_t block_size(int class)
{
    return class == 0 ? 2 : class % 2 == 1 ? 2u << (class + 1) / 2 : 3u << class / 2;
}

static int class_for(uint32_t count)
{
    int class = 0;
    while (block_size(class) < count)
        class ++;
    return class;
}

AstarGraphArc *astar_find_arc(const AstarGraph *graph, uint32_t from, uint32_t to)
{
    AstarGraphArc *arcs = astar_arcs_of(graph, from);
    for (uint32_t i = 0; i < graph->nodes[from].count; i++)
        if (astar_arc_to(&arcs[i]) == to)
            return &arcs[i];
    return NULL;
}

// Where a free block of a size begins, UINT32_MAX when there is no memory for one.
static uint32_t take_block(AstarGraph *graph, int class)
{
    uint32_t size = block_size(class), first = graph->free_blocks[class];
    if (first > 0) {
        graph->free_blocks[class] = graph->arcs[first - 1].label;
        return first - 1;
    }
    if (graph->arc_count + size >= UINT32_MAX)
        return UINT32_MAX;
    if (!ASTAR_RESERVE(&graph->alloc, graph->arcs, graph->arc_count, size, &graph->arc_capacity,
                       16))
        return UINT32_MAX;
    first = (uint32_t)graph->arc_count;
    graph->arc_count += size;
    return first;
}

static void give_block(AstarGraph *graph, uint32_t first, uint32_t size)
{
    int class = class_for(size);
    graph->arcs[first].label = graph->free_blocks[class];
    graph->free_blocks[class] = first + 1;
}

AstarGraphArc *astar_add_arc(AstarGraph *graph, uint32_t from, uint32_t to)
{
    AstarGraphNode *node = &graph->nodes[from];
    if (node->count == node->capacity) {
        int class = class_for(node->count + 1);
        uint32_t first = take_block(graph, class);
        if (first == UINT32_MAX)
            return NULL;
        if (node->count > 0)
            memcpy(graph->arcs + first, graph->arcs + node->arcs,
                   node->count * sizeof *graph->arcs);
        astar_free_arcs(graph, from);
        node->arcs = first;
        node->capacity = block_size(class);
    }
    AstarGraphArc *arc = graph->arcs + node->arcs + node->count++;
    *arc = (AstarGraphArc){.to = to};
    return arc;
}

void astar_remove_arc(AstarGraph *graph, uint32_t from, uint32_t to)
{
    AstarGraphNode *node = &graph->nodes[from];
    AstarGraphArc *arc = astar_find_arc(graph, from, to);
    size_t after = (size_t)(astar_arcs_of(graph, from) + --node->count - arc);
    memmove(arc, arc + 1, after * sizeof *arc);
}

void astar_free_arcs(AstarGraph *graph, uint32_t node)
{
    if (graph->nodes[node].capacity > 0)
        give_block(graph, graph->nodes[node].arcs, graph->nodes[node].capacity);
    graph->nodes[node].capacity = 0;
}
