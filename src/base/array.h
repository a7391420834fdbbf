// array.h -- arrays that grow.

#ifndef ASTAR_ARRAY_H
#define ASTAR_ARRAY_H

#include "base/alloc.h"

// Moves the first 'count' elements of 'size' bytes to room for 'wanted', the new capacity, and
// gives back the old array, NULL where it had none. NULL, and the array as it was, when there is no
// memory.
void *astar_array_resize(const AstarAllocator *allocator, void *array, size_t count, size_t size,
                         size_t *capacity, size_t wanted);
// The same to twice the room it had or more, at least 'least', so that 'need' elements have it.
void *astar_array_grow(const AstarAllocator *allocator, void *array, size_t count, size_t size,
                       size_t *capacity, size_t need, size_t least);

#endif
