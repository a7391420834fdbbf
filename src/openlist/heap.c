// heap.c -- Memory of the open list of searches.

#include "openlist/heap.h"

#include "base/array.h"

bool astar_heap_reserve(AstarHeap *heap, const AstarAllocator *allocator, size_t more)
{
    return ASTAR_RESERVE(allocator, heap->items, heap->count, more, &heap->capacity, 256);
}

void astar_heap_free(AstarHeap *heap, const AstarAllocator *allocator)
{
    astar_release(allocator, heap->items, heap->capacity, sizeof *heap->items);
    *heap = (AstarHeap){0};
}
