// alloc.c -- memory through the host's allocator.
//
// Every block comes zeroed. For large arrays that costs next to nothing, see mapped_blocks.c: a
// search over a corner of a huge world pays for that corner only, and a step that makes an array
// does not write all of it.

#include "base/alloc.h"

static void *standard_allocate(void *context, size_t size)
{
    (void)context;
    return astar_block_zeroed(size);
}

static void standard_release(void *context, void *block, size_t size)
{
    (void)context;
    astar_block_free_zeroed(block, size);
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

static bool is_standard(const AstarAllocator *allocator)
{
    return allocator->allocate == standard_allocate;
}

void *astar_alloc_unwritten(const AstarAllocator *allocator, size_t count, size_t size)
{
    if (!is_standard(allocator) || count > SIZE_MAX / size)
        return astar_alloc(allocator, count, size);
    return astar_block_unwritten(count * size);
}

void astar_release_unwritten(const AstarAllocator *allocator, void *block, size_t count,
                             size_t size)
{
    if (!is_standard(allocator))
        astar_release(allocator, block, count, size);
    else if (block != NULL)
        astar_block_free_unwritten(block, count * size);
}
