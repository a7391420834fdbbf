// pages.c -- Pages: memory for the parts of a map that were written.

#include "base/pages.h"

#include "base/array.h"

#include <math.h>
#include <string.h>

enum {
    // The number of pages of a new chunk is 1 / LARGER_BY of the number of existing pages, so at
    // most that share of the pages is unused.
    LARGER_BY = 4,
    MOST_AT_ONCE = 1024, // most pages of a chunk, so that an allocation does not take long
    MOST_PAGE_BYTES = 32 * 1024 * 1024 // number of bytes of pages that astar_pages_rest keeps
};

// The header of a chunk of pages.
typedef struct AstarPageChunk {
    struct AstarPageChunk *next;
    char *pages; // first page; its address is a multiple of ASTAR_PAGE_ALIGNMENT
    size_t count;
} AstarPageChunk;

#define EIGHT INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY
const AstarPage astar_blank_page = {
    {0}, {EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT}, 0};

// The following functions manage pools of pages.

static size_t size_of_chunk(size_t count, size_t page_size)
{
    return sizeof(AstarPageChunk) + ASTAR_PAGE_ALIGNMENT + count * page_size;
}

// Adds a chunk of pages to a pool, after the last chunk.
static bool grow_pool(AstarPagePool *pool, const AstarAllocator *allocator, size_t page_size)
{
    size_t count = pool->count / LARGER_BY + 1;
    count = count < MOST_AT_ONCE ? count : MOST_AT_ONCE;
    AstarPageChunk *chunk = astar_alloc_unwritten(allocator, 1, size_of_chunk(count, page_size));
    if (chunk == NULL)
        return false;
    uintptr_t past = (uintptr_t)(chunk + 1) % ASTAR_PAGE_ALIGNMENT;
    char *pages = (char *)(chunk + 1) + (past > 0 ? ASTAR_PAGE_ALIGNMENT - past : 0);
    *chunk = (AstarPageChunk){NULL, pages, count};
    pool->count += count;
    if (pool->chunk == NULL)
        pool->chunks = chunk;
    else
        pool->chunk->next = chunk;
    pool->chunk = chunk;
    pool->next = 0;
    return true;
}

static void *page_of(const AstarPageChunk *chunk, size_t index, size_t page_size)
{
    return chunk->pages + index * page_size;
}

void *astar_pool_take(AstarPagePool *pool, const AstarAllocator *allocator, size_t page_size)
{
    if (pool->chunk != NULL && pool->next == pool->chunk->count && pool->chunk->next != NULL) {
        pool->chunk = pool->chunk->next;
        pool->next = 0;
    }
    if (pool->used == pool->count && !grow_pool(pool, allocator, page_size))
        return NULL;
    pool->used++;
    return page_of(pool->chunk, pool->next++, page_size);
}

void astar_pool_forget(AstarPagePool *pool)
{
    pool->used = pool->next = 0;
    pool->chunk = pool->chunks;
}

void astar_pool_shrink(AstarPagePool *pool, const AstarAllocator *allocator, size_t page_size,
                       size_t bytes)
{
    size_t kept = 0;
    AstarPageChunk **link = &pool->chunks;
    if (pool->count * (page_size + size_of_chunk(0, 0)) <= bytes) { // even with a page per chunk
        pool->chunk = pool->chunks;
        return;
    }
    for (; *link != NULL && kept < bytes; link = &(*link)->next)
        kept += size_of_chunk((*link)->count, page_size);
    while (*link != NULL) {
        AstarPageChunk *chunk = *link;
        *link = chunk->next;
        pool->count -= chunk->count;
        astar_release_unwritten(allocator, chunk, 1, size_of_chunk(chunk->count, page_size));
    }
    pool->chunk = pool->chunks;
}

size_t astar_pool_bytes(const AstarPagePool *pool, size_t page_size)
{
    size_t bytes = 0;
    for (const AstarPageChunk *chunk = pool->chunks; chunk != NULL; chunk = chunk->next)
        bytes += size_of_chunk(chunk->count, page_size);
    return bytes;
}

void astar_pool_each(const AstarPagePool *pool, size_t page_size,
                     void (*function)(void *context, void *page), void *context)
{
    size_t left = pool->used;
    for (const AstarPageChunk *chunk = pool->chunks; left > 0; chunk = chunk->next)
        for (size_t i = 0; i < chunk->count && left > 0; i++, left--)
            function(context, page_of(chunk, i, page_size));
}

// The following functions manage the pages of a map.

static void forget_page(void *pages, void *page)
{
    ((AstarPages *)pages)->directory[((AstarPage *)page)->block] = NULL;
}

// Clears the directory of pages. If few pages are in use, only the entries of these pages are
// cleared.
static void forget_pages(AstarPages *pages)
{
    if (pages->pool.used > pages->blocks / 8)
        memset(pages->directory, 0, pages->blocks * sizeof *pages->directory);
    else
        astar_pool_each(&pages->pool, sizeof(AstarPage), forget_page, pages);
    astar_pool_forget(&pages->pool);
}

bool astar_pages_begin(AstarPages *pages, const AstarAllocator *allocator, int width, int height)
{
    size_t columns = ((size_t)width + ASTAR_PAGE_SIDE - 1) / ASTAR_PAGE_SIDE;
    size_t rows = ((size_t)height + ASTAR_PAGE_SIDE - 1) / ASTAR_PAGE_SIDE;
    forget_pages(pages);
    pages->stride = columns;
    if (columns * rows <= pages->blocks)
        return true;
    pages->directory = astar_array_shrink(allocator, pages->directory, sizeof *pages->directory,
                                          &pages->blocks, columns * rows);
    return pages->directory != NULL;
}

void astar_pages_rest(AstarPages *pages, const AstarAllocator *allocator)
{
    forget_pages(pages);
    astar_pool_shrink(&pages->pool, allocator, sizeof(AstarPage), MOST_PAGE_BYTES);
}

void astar_pages_free(AstarPages *pages, const AstarAllocator *allocator)
{
    astar_pool_shrink(&pages->pool, allocator, sizeof(AstarPage), 0);
    astar_release(allocator, pages->directory, pages->blocks, sizeof *pages->directory);
    *pages = (AstarPages){0};
}

size_t astar_pages_bytes(const AstarPages *pages)
{
    return pages->blocks * sizeof *pages->directory +
           astar_pool_bytes(&pages->pool, sizeof(AstarPage));
}

AstarPage *astar_pages_add(AstarPages *pages, const AstarAllocator *allocator, int x, int y)
{
    AstarPage **entry = astar_page_entry(pages, x, y);
    AstarPage *page = astar_pool_take(&pages->pool, allocator, sizeof *page);
    if (page == NULL)
        return NULL;
    memset(page->states, 0, sizeof page->states);
    for (int i = 0; i < ASTAR_PAGE_CELLS; i++)
        page->values[i] = INFINITY;
    page->block = (uint32_t)(entry - pages->directory);
    *entry = page;
    return page;
}
