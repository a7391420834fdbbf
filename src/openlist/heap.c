// heap.c -- the memory of the open list.

#include "openlist/heap.h"

#include "base/array.h"

bool astar_heap_reserve(AstarHeap *heap, const AstarAllocator *allocator, size_t more)
{
    if (heap->count + more <= heap->capacity)
        return true;
    AstarOpen *items = astar_array_grow(allocator, heap->items, heap->count, sizeof *items,
                                        &heap->capacity, heap->count + more, 256);
    if (items == NULL)
        return false;
    heap->items = items;
    return true;
}

void astar_heap_free(AstarHeap *heap, const AstarAllocator *allocator)
{
    astar_release(allocator, heap->items, heap->capacity, sizeof *heap->items);
    *heap = (AstarHeap){0};
}
