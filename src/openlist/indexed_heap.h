// indexed_heap.h -- An open list that holds each node once: a cheaper path to a node moves its item
// up.

#ifndef ASTAR_INDEXED_HEAP_H
#define ASTAR_INDEXED_HEAP_H

#include "openlist/heap.h"

// A heap in which each node has at most one item.
typedef struct AstarIndexedHeap {
    AstarOpen *items;
    uint32_t *places; // per node, 1 + index of its item; 0: the node has no item
    size_t count, capacity;
} AstarIndexedHeap;

// Makes room for nodes with numbers below 'nodes'. Returns false if memory runs out; the heap then
// stays as it was.
bool astar_indexed_heap_reserve(AstarIndexedHeap *heap, const AstarAllocator *allocator,
                                size_t nodes);
// Frees the heap.
void astar_indexed_heap_free(AstarIndexedHeap *heap, const AstarAllocator *allocator);
// Removes all items of the heap.
void astar_indexed_heap_clear(AstarIndexedHeap *heap);
// Adds an item. If the heap already has an item of the same node, the item that comes first is
// kept. The item of a cheaper path to a node need not come first: for very large sums a slightly
// lower g may give the same f, and among equal f the larger g comes first.
void astar_indexed_heap_put(AstarIndexedHeap *heap, AstarOpen item);
// Removes the first item of the heap. The heap must not be empty.
void astar_indexed_heap_drop(AstarIndexedHeap *heap);

#endif
