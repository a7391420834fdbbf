// arena.c -- memory for very many small arrays that are freed together.
//
// As blocks of their own, hundreds of thousands of them lie all over the C library's heap. Once all
// are freed they are one run, which the library gives back to the system in one go: 170 MB are 14
// to 27 ms. In an arena they lie on pages, the later ones large enough to be mapped
// (mapped_blocks.c), and are freed page by page.

#include "base/alloc.h"

#include <string.h>

// Bytes of a page. The first ones are small, for small maps; no step takes long to free the others.
enum { LEAST_ARENA_PAGE = 16 * 1024, MOST_ARENA_PAGE = 512 * 1024 };
enum { WORK_OF_ARENA_PAGE = 4096 }; // to free it

typedef struct AstarArenaPage {
    struct AstarArenaPage *before;
    uint64_t bytes; // with these
} AstarArenaPage;

// Adds a page of twice the bytes of the one before, or as long as one array.
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
    bytes = (bytes + 7) & ~(size_t)7; // so that any type may follow
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
