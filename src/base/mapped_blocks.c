// mapped_blocks.c -- Large blocks of memory, which are mapped directly from the system on Linux.
//
// The system provides zero pages when they are first touched. calloc benefits from this only at
// first: after large blocks were freed, it clears later blocks of that size as a whole. Freeing a
// block takes long if many of its pages were touched: 5 ms for 64 MB. Therefore this file maps
// large blocks itself. A freed block is returned to the system gradually: a little with each
// allocation and with each step of a search or a baking.
//
// On large maps, providing untouched pages takes 33 to 50 % of the time of a flow. The pages of a
// freed block exist already, so the block is reused, in parts of 64 KB and more, for requests that
// need no zeros. Flows that are computed one after another reuse each other's blocks in this way.
// The C library would keep such blocks in its heap. If another block lies above them, such as steps
// that were packed meanwhile, it would never return them to the system. If nothing lies above them,
// the C library returns the end of its heap in one call, which takes 3 ms for a flow of 8 MB.
//
// Huge pages are not requested. Touching one means waiting until the system has cleared 2 MB, and
// perhaps moved other pages: 2 to 38 ms if memory is fragmented.

#if !defined(_WIN32) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE // for MAP_ANONYMOUS and mremap
#endif

#include "base/mapped_blocks.h"

#include "base/alloc.h"
#include "base/thread.h"

#include <stdlib.h>

// Sanitizers need to see each block, so they disable mapping.
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

#include <sys/mman.h>

enum {
    LEAST_MAPPED = 512 * 1024, // size in bytes from which on a block is mapped
    // Size of the largest memory page of any system, in bytes. Only whole pages can be returned to
    // the system.
    LARGEST_PAGE = 64 * 1024,
    // Size in bytes from which on a block that need not be zeroed is mapped.
    LEAST_MAPPED_UNWRITTEN = LARGEST_PAGE,
    // Number of bytes of freed blocks that each call returns to the system. A step of a search may
    // make many calls.
    UNMAPPED_A_CALL = 2 * 1024,
    // Each call returns 1 / SHARE_A_CALL of the freed blocks to the system if that is more than
    // UNMAPPED_A_CALL bytes.
    SHARE_A_CALL = 2048,
    // Freed blocks beyond this number of bytes are returned to the system immediately.
    MOST_WAITING = 512 * 1024 * 1024
};

// A freed block that is kept for reuse. It is returned to the system from its end, part by part.
typedef struct FreedBlock {
    struct FreedBlock *next;
    size_t size;
} FreedBlock;

static AstarMutex freed_mutex = ASTAR_MUTEX_INIT;
static ASTAR_ATOMIC(FreedBlock *) freed_blocks;
static size_t waiting; // total number of bytes of the freed blocks
// Number of bytes of freed blocks that will be returned to the system as soon as they fill a page.
static size_t due;

// Returns to the system at least 'bytes' bytes of the freed blocks.
static void unmap_waiting(size_t bytes)
{
    FreedBlock *block = astar_get(&freed_blocks);
    while (block != NULL && bytes > 0) {
        size_t part = block->size < bytes ? block->size : bytes;
        bytes -= part;
        waiting -= part;
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
}

void astar_blocks_give_back(void)
{
    if (astar_get(&freed_blocks) == NULL)
        return;
    astar_mutex_lock(&freed_mutex);
    size_t share = waiting / SHARE_A_CALL;
    due += share > UNMAPPED_A_CALL ? share : UNMAPPED_A_CALL;
    if (due >= LARGEST_PAGE) {
        unmap_waiting(due / LARGEST_PAGE * LARGEST_PAGE);
        due %= LARGEST_PAGE;
    }
    astar_mutex_unlock(&freed_mutex);
}

// Returns all freed blocks to the system when the library is unloaded.
__attribute__((destructor)) static void unmap_all(void)
{
    astar_mutex_lock(&freed_mutex);
    unmap_waiting(SIZE_MAX);
    astar_mutex_unlock(&freed_mutex);
}

// Returns a size rounded up to whole pages. Each part of a block that is returned to the system
// then begins at a page.
static size_t mapped_size(size_t size)
{
    const size_t page = LARGEST_PAGE;
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
    astar_mutex_lock(&freed_mutex);
    *block = (FreedBlock){astar_get(&freed_blocks), whole};
    astar_put(&freed_blocks, block);
    waiting += whole;
    if (waiting > MOST_WAITING)
        unmap_waiting(waiting - MOST_WAITING);
    astar_mutex_unlock(&freed_mutex);
}

// Removes a freed block from the list and returns it: the longest one that is not longer than
// 'most'.
static FreedBlock *take_waiting(size_t most)
{
    FreedBlock *longest = NULL, *before = NULL, *last = NULL;
    for (FreedBlock *block = astar_get(&freed_blocks); block != NULL; block = block->next) {
        if (block->size <= most && (longest == NULL || block->size > longest->size)) {
            longest = block;
            before = last;
        }
        last = block;
    }
    if (longest == NULL)
        return NULL;
    if (before != NULL)
        before->next = longest->next;
    else
        astar_put(&freed_blocks, longest->next);
    waiting -= longest->size;
    return longest;
}

// Takes a freed block and extends it to 'size' bytes. Returns NULL if there is no freed block.
static void *reuse_waiting(size_t size)
{
    size_t whole = mapped_size(size);
    astar_mutex_lock(&freed_mutex);
    FreedBlock *block = take_waiting(whole);
    astar_mutex_unlock(&freed_mutex);
    if (block == NULL)
        return NULL;
    size_t left = block->size;
    void *grown = mremap(block, left, whole, MREMAP_MAYMOVE);
    if (grown != MAP_FAILED)
        return grown;
    unmap_block(block, left);
    return NULL;
}

void *astar_block_zeroed(size_t size)
{
    astar_blocks_give_back();
    return size < LEAST_MAPPED ? calloc(1, size) : map_block(size);
}

void astar_block_free_zeroed(void *block, size_t size)
{
    if (size < LEAST_MAPPED)
        free(block);
    else
        unmap_block(block, size);
}

void *astar_block_unwritten(size_t size)
{
    void *reused = size < LEAST_MAPPED_UNWRITTEN ? NULL : reuse_waiting(size);
    if (reused != NULL)
        return reused;
    astar_blocks_give_back();
    return size < LEAST_MAPPED_UNWRITTEN ? malloc(size) : map_block(size);
}

void astar_block_free_unwritten(void *block, size_t size)
{
    if (size < LEAST_MAPPED_UNWRITTEN)
        free(block);
    else
        unmap_block(block, size);
}

#else

void astar_blocks_give_back(void)
{
}

void *astar_block_zeroed(size_t size)
{
    return calloc(1, size);
}

void astar_block_free_zeroed(void *block, size_t size)
{
    (void)size;
    free(block);
}

void *astar_block_unwritten(size_t size)
{
    return malloc(size);
}

void astar_block_free_unwritten(void *block, size_t size)
{
    (void)size;
    free(block);
}

#endif
