// alloc.c -- Memory from the host's allocator, and arenas for very many small arrays.
//
// Every block is zeroed. For large arrays zeroing takes almost no time, see mapped_blocks.c: a
// search in a corner of a huge world only uses memory for that corner, and a step that allocates an
// array does not write all of it.

#include "base/alloc.h"

#include "base/mapped_blocks.h"

#include <string.h>

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

// Arenas: memory for very many small arrays that are freed together.
//
// As separate blocks, hundreds of thousands of small arrays would be scattered over the heap of the
// C library. When all are freed they form one free range, which the library returns to the system
// in one call: 170 MB take 14 to 27 ms. In an arena the small arrays lie on pages that are freed
// one by one. Later pages are large enough to be mapped (mapped_blocks.c).

// Sizes in bytes of the smallest and the largest page. The first pages are small, for small maps.
// The largest page is limited so that freeing one does not take long.
enum { LEAST_ARENA_PAGE = 16 * 1024, MOST_ARENA_PAGE = 512 * 1024 };
enum { WORK_OF_ARENA_PAGE = 4096 }; // work of freeing a page, in cells of a layer

// The header of a page of an arena.
typedef struct AstarArenaPage {
    struct AstarArenaPage *before;
    uint64_t bytes; // bytes of the page, header included
} AstarArenaPage;

// Adds a page to an arena. The page is twice as large as the latest one, or large enough for one
// array of 'array' bytes.
static bool add_arena_page(AstarArena *arena, const AstarAllocator *allocator, size_t array)
{
    size_t bytes = arena->page != NULL ? 2 * (size_t)arena->page->bytes : LEAST_ARENA_PAGE;
    bytes = bytes < MOST_ARENA_PAGE ? bytes : MOST_ARENA_PAGE;
    bytes = bytes < array + sizeof *arena->page ? array + sizeof *arena->page : bytes;
    AstarArenaPage *page = astar_alloc(allocator, 1, bytes);
    if (page == NULL)
        return false;
    *page = (AstarArenaPage){arena->page, bytes};
    arena->page = page;
    arena->used = sizeof *page;
    return true;
}

bool astar_arena_reserve(AstarArena *arena, const AstarAllocator *allocator, size_t bytes)
{
    bool has_room = arena->page != NULL && arena->page->bytes - arena->used >= bytes;
    return has_room || add_arena_page(arena, allocator, bytes);
}

void *astar_arena_take(AstarArena *arena, const AstarAllocator *allocator, size_t bytes)
{
    if (bytes > SIZE_MAX / 2)
        return NULL;
    bytes = (bytes + 7) & ~(size_t)7; // keeps blocks aligned for any type
    if (!astar_arena_reserve(arena, allocator, bytes))
        return NULL;
    void *taken = (char *)arena->page + arena->used;
    arena->used += bytes;
    return taken;
}

void *astar_arena_grow(AstarArena *arena, const AstarAllocator *allocator, void *array,
                       size_t count, size_t size, size_t *capacity, size_t least)
{
    size_t wanted = *capacity > 0 ? 2 * *capacity : least;
    void *grown = wanted <= SIZE_MAX / size ? astar_arena_take(arena, allocator, wanted * size)
                                            : NULL;
    if (grown == NULL)
        return NULL;
    if (count > 0)
        memcpy(grown, array, count * size);
    *capacity = wanted;
    return grown;
}

size_t astar_arena_page_bytes(const AstarArena *arena)
{
    return arena->page != NULL ? (size_t)arena->page->bytes : 0;
}

bool astar_arena_drop_page(AstarArena *arena, const AstarAllocator *allocator)
{
    AstarArenaPage *page = arena->page;
    if (page == NULL)
        return false;
    arena->page = page->before;
    arena->used = astar_arena_page_bytes(arena);
    astar_release(allocator, page, 1, (size_t)page->bytes);
    return true;
}

bool astar_arena_clear(AstarArena *arena, const AstarAllocator *allocator, int64_t *work)
{
    for (; arena->page != NULL; *work -= WORK_OF_ARENA_PAGE) {
        if (*work <= 0)
            return false;
        astar_arena_drop_page(arena, allocator);
    }
    return true;
}
