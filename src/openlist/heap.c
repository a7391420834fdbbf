// heap.c -- the memory of the open list.

#include "openlist/heap.h"

bool astar_heap_reserve(AstarHeap *heap, const AstarAllocator *allocator, size_t more)
{
    if (heap->count + more <= heap->capacity)
        return true;
    size_t capacity = heap->capacity < 256 ? 256 : heap->capacity * 2;
    AstarOpen *items = astar_alloc(allocator, capacity, sizeof *items);
    if (items == NULL)
        return false;
    if (heap->count > 0)
        memcpy(items, heap->items, heap->count * sizeof *items);
    astar_release(allocator, heap->items, heap->capacity, sizeof *items);
    heap->items = items;
    heap->capacity = capacity;
    return true;
}

void astar_heap_free(AstarHeap *heap, const AstarAllocator *allocator)
{
    astar_release(allocator, heap->items, heap->capacity, sizeof *heap->items);
    *heap = (AstarHeap){0};
}
