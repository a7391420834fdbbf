// alloc.h -- memory through the host's allocator.

#ifndef ASTAR_ALLOC_H
#define ASTAR_ALLOC_H

#include "astar.h"

// The standard allocator where 'allocator' is NULL, else a copy of it.
AstarAllocator astar_allocator(const AstarAllocator *allocator);

// 'count' zeroed elements of 'size' bytes, or NULL, also where the product overflows.
void *astar_alloc(const AstarAllocator *allocator, size_t count, size_t size);
// Takes back what astar_alloc gave for the same count and size; NULL is fine.
void astar_release(const AstarAllocator *allocator, void *block, size_t count, size_t size);
// The same without zeroing, where the allocator is the standard one: for what is written before it
// is read, a part at a time.
void *astar_alloc_unwritten(const AstarAllocator *allocator, size_t count, size_t size);
void astar_release_unwritten(const AstarAllocator *allocator, void *block, size_t count,
                             size_t size);

#endif
