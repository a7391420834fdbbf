// alloc.c -- memory through the host's allocator.
//
// Every block comes zeroed. For large arrays that is to cost nothing: the system hands out zero
// pages as they are first touched, so a search over a corner of a huge world pays for that corner
// only, and a step that makes an array does not write all of it. On Linux calloc does so at first
// only; once large blocks have been freed it clears others of that size in one go. And to free a
// block takes long where many of its pages were touched: 64 MB are 5 ms. So large ones are had of
// the system itself, and given back a little with each call for memory.

#if !defined(_WIN32) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE // for MAP_ANONYMOUS
#endif

#include "base/alloc.h"

#include <stdlib.h>

// Sanitizers are to see the blocks that they watch over.
#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define ASTAR_MAPS_BLOCKS 1
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) ||                         \
    __has_feature(thread_sanitizer)
#undef ASTAR_MAPS_BLOCKS
#endif
#endif
#endif

#ifdef ASTAR_MAPS_BLOCKS

#include "base/thread.h"

#include <sys/mman.h>

enum {
    LEAST_MAPPED = 512 * 1024,             // bytes, from which on a block is mapped
    LEAST_MAPPED_UNWRITTEN = 16384 * 1024, // the same of one that need not be zeroed
    UNMAPPED_AT_ONCE = 1024 * 1024,
    UNMAPPED_A_CALL = 256 * 1024 // of the blocks that wait, which takes some 20 microseconds
};

// A block that was freed, and of which the end is given back first.
typedef struct FreedBlock {
    struct FreedBlock *next;
    size_t size;
} FreedBlock;

static AstarMutex freed_mutex = ASTAR_MUTEX_INIT;
static ASTAR_ATOMIC(FreedBlock *) freed_blocks;

// Gives some bytes at least of the blocks that wait back to the system.
static void unmap_some(size_t bytes)
{
    astar_mutex_lock(&freed_mutex);
    FreedBlock *block = astar_get(&freed_blocks);
    while (block != NULL && bytes > 0) {
        size_t part = block->size - bytes < UNMAPPED_AT_ONCE || block->size < bytes ? block->size
                                                                                    : bytes;
        bytes = part < bytes ? bytes - part : 0;
        if (part < block->size) {
            block->size -= part;
            munmap((char *)block + block->size, part);
        } else {
            FreedBlock *next = block->next;
            munmap(block, part);
            block = next;
            astar_put(&freed_blocks, next);
        }
    }
    astar_mutex_unlock(&freed_mutex);
}

static inline void unmap_what_waits(void)
{
    if (astar_get(&freed_blocks) != NULL)
        unmap_some(UNMAPPED_A_CALL);
}

// Nothing is left where the code itself goes.
__attribute__((destructor)) static void unmap_all(void)
{
    unmap_some(SIZE_MAX);
}

// Whole pages, so that an end that is given back begins with one.
static size_t mapped_size(size_t size)
{
    const size_t page = 64 * 1024; // the largest that there is
    return size <= SIZE_MAX - page ? (size + page - 1) / page * page : 0;
}

static void *map_block(size_t size)
{
    size_t whole = mapped_size(size);
    if (whole == 0)
        return NULL;
    for (int tries = 0; tries < 2; tries++) {
        void *block = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (block != MAP_FAILED)
            return block;
        unmap_all();
    }
    return NULL;
}

static void unmap_block(void *mapped, size_t size)
{
    FreedBlock *block = mapped;
    size_t whole = mapped_size(size);
    if (whole <= UNMAPPED_AT_ONCE) {
        munmap(block, whole);
        return;
    }
    astar_mutex_lock(&freed_mutex);
    *block = (FreedBlock){astar_get(&freed_blocks), whole};
    astar_put(&freed_blocks, block);
    astar_mutex_unlock(&freed_mutex);
}

static void *standard_allocate(void *context, size_t size)
{
    (void)context;
    unmap_what_waits();
    return size < LEAST_MAPPED ? calloc(1, size) : map_block(size);
}

static void standard_release(void *context, void *block, size_t size)
{
    (void)context;
    unmap_what_waits();
    if (size < LEAST_MAPPED)
        free(block);
    else
        unmap_block(block, size);
}

static void *allocate_unwritten(size_t size)
{
    unmap_what_waits();
    return size < LEAST_MAPPED_UNWRITTEN ? malloc(size) : map_block(size);
}

static void release_unwritten(void *block, size_t size)
{
    unmap_what_waits();
    if (size < LEAST_MAPPED_UNWRITTEN)
        free(block);
    else
        unmap_block(block, size);
}

#else

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

static void *allocate_unwritten(size_t size)
{
    return malloc(size);
}

static void release_unwritten(void *block, size_t size)
{
    (void)size;
    free(block);
}

#endif

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
    return allocate_unwritten(count * size);
}

void astar_release_unwritten(const AstarAllocator *allocator, void *block, size_t count,
                             size_t size)
{
    if (!is_standard(allocator))
        astar_release(allocator, block, count, size);
    else if (block != NULL)
        release_unwritten(block, count * size);
}
