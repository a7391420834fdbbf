// indexed_heap.h -- an open list that holds each node once: a better way to a node moves its item
// up.

#ifndef ASTAR_INDEXED_HEAP_H
#define ASTAR_INDEXED_HEAP_H

#include "openlist/heap.h"

typedef struct AstarIndexedHeap {
    AstarOpen *items;
    uint32_t *places; // of each node's item, 1 added; 0: it has none
    size_t count, capacity;
} AstarIndexedHeap;

// Makes room for the nodes from 0 to before 'nodes'; false, and the heap as it was, when there is
// no memory.
bool astar_indexed_heap_reserve(AstarIndexedHeap *heap, const AstarAllocator *allocator,
                                size_t nodes);
void astar_indexed_heap_free(AstarIndexedHeap *heap, const AstarAllocator *allocator);
void astar_indexed_heap_clear(AstarIndexedHeap *heap);
// Adds an item, or puts it in the place of its node's if it comes before that. A better way need
// not: of a large sum a little less is the same f, and of equal ones the larger g comes first.
void astar_indexed_heap_put(AstarIndexedHeap *heap, AstarOpen item);
// Removes the first item. The heap must not be empty.
void astar_indexed_heap_drop(AstarIndexedHeap *heap);

#endif
