// array.c -- arrays that grow.

#include "base/array.h"

#include <string.h>

void *astar_array_resize(const AstarAllocator *allocator, void *array, size_t count, size_t size,
                         size_t *capacity, size_t wanted)
{
    void *grown = astar_alloc(allocator, wanted, size);
    if (grown == NULL)
        return NULL;
    if (count > 0)
        memcpy(grown, array, count * size);
    astar_release(allocator, array, *capacity, size);
    *capacity = wanted;
    return grown;
}

void *astar_array_grow(const AstarAllocator *allocator, void *array, size_t count, size_t size,
                       size_t *capacity, size_t need, size_t least)
{
    size_t wanted = 2 * *capacity; // no array fills half of memory
    wanted = wanted < least ? least : wanted;
    return astar_array_resize(allocator, array, count, size, capacity,
                              wanted < need ? need : wanted);
}
