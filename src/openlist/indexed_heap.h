// indexed_heap.h -- An open list that holds each node once: a better way to a node moves its item
// up.

#ifndef ASTAR_INDEXED_HEAP_H
#define ASTAR_INDEXED_HEAP_H

#include "openlist/heap.h"

// A heap in which each node has at most one item.
typedef struct AstarIndexedHeap {
    AstarOpen *items;
    uint32_t *places; // per node, 1 + index of its item; 0: it has none
    size_t count, capacity;
} AstarIndexedHeap;

// Makes room for nodes with numbers below 'nodes'. If memory runs out it returns false and the heap
// stays as it was.
bool astar_indexed_heap_reserve(AstarIndexedHeap *heap, const AstarAllocator *allocator,
                                size_t nodes);
// Frees the heap.
void astar_indexed_heap_free(AstarIndexedHeap *heap, const AstarAllocator *allocator);
// Removes all items.
void astar_indexed_heap_clear(AstarIndexedHeap *heap);
// Adds an item, or replaces the item of the same node if the new one comes before it. A better way
// need not come before: if a sum is large, a slightly lower g may give the same f, and among equal
// f the larger g comes first.
void astar_indexed_heap_put(AstarIndexedHeap *heap, AstarOpen item);
// Removes the first item. The heap must not be empty.
void astar_indexed_heap_drop(AstarIndexedHeap *heap);

#endif
