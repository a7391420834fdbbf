// heap64.c -- Memory of the open list whose items are single words; see heap64.h.

#include "openlist/heap64.h"

#include "base/array.h"
#include "base/bits.h"

#include <string.h>

// Number of items that a list keeps between searches. Together with its nodes a search keeps less
// than a megabyte.
enum { KEPT_ITEMS = 16384 };

bool astar_heap64_grow(AstarHeap64 *keys, const AstarAllocator *allocator)
{
    size_t before = keys->capacity, newest = keys->newest;
    uint64_t *items = astar_array_grow(allocator, keys->items, before, sizeof *items,
                                       &keys->capacity, 0, 256);
    if (items == NULL)
        return false;
    memmove(items + keys->capacity - newest, items + before - newest, newest * sizeof *items);
    keys->items = items;
    return true;
}

ASTAR_HOT void astar_heap64_rest(AstarHeap64 *keys, const AstarAllocator *allocator)
{
    astar_heap64_clear(keys);
    if (keys->capacity > KEPT_ITEMS)
        keys->items = astar_array_shrink(allocator, keys->items, sizeof *keys->items,
                                         &keys->capacity, KEPT_ITEMS);
}

void astar_heap64_free(AstarHeap64 *keys, const AstarAllocator *allocator)
{
    astar_release(allocator, keys->items, keys->capacity, sizeof *keys->items);
    *keys = (AstarHeap64){0};
}
