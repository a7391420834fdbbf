// heap64.c -- the memory of an open list of single words.

#include "openlist/heap64.h"

#include <string.h>

bool astar_heap64_grow(AstarHeap64 *keys, const AstarAllocator *allocator)
{
    size_t capacity = keys->capacity < 256 ? 256 : keys->capacity * 2;
    uint64_t *items = astar_alloc(allocator, capacity, sizeof *items);
    if (items == NULL)
        return false;
    if (keys->items != NULL) {
        memcpy(items, keys->items, keys->count * sizeof *items);
        memcpy(items + capacity - keys->newest, keys->items + keys->capacity - keys->newest,
               keys->newest * sizeof *items);
    }
    astar_release(allocator, keys->items, keys->capacity, sizeof *items);
    keys->items = items;
    keys->capacity = capacity;
    return true;
}

void astar_heap64_free(AstarHeap64 *keys, const AstarAllocator *allocator)
{
    astar_release(allocator, keys->items, keys->capacity, sizeof *keys->items);
    *keys = (AstarHeap64){0};
}
