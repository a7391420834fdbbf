// alloc.c -- memory through the host's allocator.
//
// Every block comes zeroed. For large arrays that costs nothing: the system hands out zero pages
// as they are first touched, so a search over a corner of a huge world pays for that corner only.

#include "base/alloc.h"

#include <stdlib.h>

static void *standard_allocate(void *context, size_t size)
{
    (void)context;
    return calloc(1, size);
}

static void standard_release(void *context, void *block, size_t size)
{
    (void)context;
    (void)size;
    free(block);
}

AstarAllocator astar_allocator(const AstarAllocator *allocator)
{
    if (allocator != NULL && allocator->allocate != NULL)
        return *allocator;
    return (AstarAllocator){standard_allocate, standard_release, NULL};
}

void *astar_alloc(const AstarAllocator *allocator, size_t count, size_t size)
{
    if (count > SIZE_MAX / size)
        return NULL;
    return allocator->allocate(allocator->context, count * size);
}

void astar_release(const AstarAllocator *allocator, void *block, size_t count, size_t size)
{
    if (block != NULL)
        allocator->release(allocator->context, block, count * size);
}
