// indexed_heap.c -- An open list that holds each node once.
//
// This heap is for graphs in which a search reaches each node by many paths, each cheaper than the
// path before. In such a graph four of five items of heap.h would be stale when they are popped,
// and a pop takes many times as long as moving an item up. The price is one word per node, which is
// updated whenever the node's item moves.

#include "openlist/indexed_heap.h"

#include "openlist/heap.h"

bool astar_indexed_heap_reserve(AstarIndexedHeap *heap, const AstarAllocator *allocator,
                                size_t nodes)
{
    if (nodes <= heap->capacity)
        return true;
    AstarOpen *items = astar_alloc(allocator, nodes, sizeof *items);
    uint32_t *places = astar_alloc(allocator, nodes, sizeof *places);
    if (items == NULL || places == NULL) {
        astar_release(allocator, items, nodes, sizeof *items);
        astar_release(allocator, places, nodes, sizeof *places);
        return false;
    }
    if (heap->count > 0)
        memcpy(items, heap->items, heap->count * sizeof *items);
    if (heap->capacity > 0)
        memcpy(places, heap->places, heap->capacity * sizeof *places);
    size_t count = heap->count;
    astar_indexed_heap_free(heap, allocator);
    *heap = (AstarIndexedHeap){items, places, count, nodes};
    return true;
}

void astar_indexed_heap_free(AstarIndexedHeap *heap, const AstarAllocator *allocator)
{
    astar_release(allocator, heap->items, heap->capacity, sizeof *heap->items);
    astar_release(allocator, heap->places, heap->capacity, sizeof *heap->places);
    *heap = (AstarIndexedHeap){0};
}

void astar_indexed_heap_clear(AstarIndexedHeap *heap)
{
    for (size_t i = 0; i < heap->count; i++)
        heap->places[astar_open_cell(heap->items[i])] = 0;
    heap->count = 0;
}

static void place_item(AstarIndexedHeap *heap, size_t at, AstarOpen item)
{
    heap->items[at] = item;
    heap->places[astar_open_cell(item)] = (uint32_t)at + 1;
}

void astar_indexed_heap_put(AstarIndexedHeap *heap, AstarOpen item)
{
    uint32_t place = heap->places[astar_open_cell(item)];
    if (place > 0 && !astar_open_before(item, heap->items[place - 1]))
        return;
    size_t at = place > 0 ? place - 1 : heap->count++;
    while (at > 0) {
        size_t parent = (at - 1) / 4;
        if (!astar_open_before(item, heap->items[parent]))
            break;
        place_item(heap, at, heap->items[parent]);
        at = parent;
    }
    place_item(heap, at, item);
}

void astar_indexed_heap_drop(AstarIndexedHeap *heap)
{
    heap->places[astar_open_cell(heap->items[0])] = 0;
    AstarOpen item = heap->items[--heap->count];
    size_t count = heap->count, at = 0;
    while (4 * at + 1 < count) {
        size_t least = astar_heap_least_child(heap->items, count, at);
        if (!astar_open_before(heap->items[least], item))
            break;
        place_item(heap, at, heap->items[least]);
        at = least;
    }
    if (count > 0)
        place_item(heap, at, item);
}
