// pages.c -- the memory of pages, and their directory.

#include "base/pages.h"

#include <math.h>
#include <string.h>

enum {
    LARGER_BY = 4,       // each chunk of the pages there are: so many of them lie idle at most
    MOST_AT_ONCE = 1024, // pages of a chunk: no step of a search takes long for it
    MOST_PAGE_BYTES = 32 * 1024 * 1024 // bytes of pages
};

typedef struct AstarPageChunk {
    struct AstarPageChunk *next;
    size_t count;
    AstarPage pages[];
} AstarPageChunk;

#define EIGHT INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY
const AstarPage astar_blank_page = {
    {0}, {EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT}, 0};

static size_t size_of_chunk(size_t count)
{
    return sizeof(AstarPageChunk) + count * sizeof(AstarPage);
}

static void free_chunks(AstarPages *pages, const AstarAllocator *allocator, AstarPageChunk **link)
{
    while (*link != NULL) {
        AstarPageChunk *chunk = *link;
        *link = chunk->next;
        pages->count -= chunk->count;
        astar_release(allocator, chunk, 1, size_of_chunk(chunk->count));
    }
}

// Empties the directory: by the pages in use, where those are few.
static void forget_pages(AstarPages *pages)
{
    if (pages->used > pages->blocks / 8)
        memset(pages->directory, 0, pages->blocks * sizeof *pages->directory);
    else
        for (const AstarPageChunk *chunk = pages->chunks; pages->used > 0; chunk = chunk->next)
            for (size_t i = 0; i < chunk->count && pages->used > 0; i++, pages->used--)
                pages->directory[chunk->pages[i].block] = NULL;
    pages->used = pages->next = 0;
    pages->chunk = pages->chunks;
}

bool astar_pages_begin(AstarPages *pages, const AstarAllocator *allocator, int width, int height)
{
    size_t columns = ((size_t)width + ASTAR_PAGE_SIDE - 1) / ASTAR_PAGE_SIDE;
    size_t rows = ((size_t)height + ASTAR_PAGE_SIDE - 1) / ASTAR_PAGE_SIDE;
    forget_pages(pages);
    pages->stride = columns;
    if (columns * rows <= pages->blocks)
        return true;
    astar_release(allocator, pages->directory, pages->blocks, sizeof *pages->directory);
    pages->blocks = 0;
    pages->directory = astar_alloc(allocator, columns * rows, sizeof *pages->directory);
    if (pages->directory == NULL)
        return false;
    pages->blocks = columns * rows;
    return true;
}

void astar_pages_rest(AstarPages *pages, const AstarAllocator *allocator)
{
    size_t bytes = 0;
    forget_pages(pages);
    AstarPageChunk **link = &pages->chunks;
    for (; *link != NULL && bytes <= MOST_PAGE_BYTES; link = &(*link)->next)
        bytes += size_of_chunk((*link)->count);
    free_chunks(pages, allocator, link);
}

void astar_pages_free(AstarPages *pages, const AstarAllocator *allocator)
{
    free_chunks(pages, allocator, &pages->chunks);
    astar_release(allocator, pages->directory, pages->blocks, sizeof *pages->directory);
    *pages = (AstarPages){0};
}

size_t astar_pages_bytes(const AstarPages *pages)
{
    size_t bytes = pages->blocks * sizeof *pages->directory;
    for (const AstarPageChunk *chunk = pages->chunks; chunk != NULL; chunk = chunk->next)
        bytes += size_of_chunk(chunk->count);
    return bytes;
}

// Adds memory for more pages, after the last chunk.
static bool grow_pages(AstarPages *pages, const AstarAllocator *allocator)
{
    size_t count = pages->count / LARGER_BY + 1;
    count = count < MOST_AT_ONCE ? count : MOST_AT_ONCE;
    AstarPageChunk *chunk = astar_alloc(allocator, 1, size_of_chunk(count));
    if (chunk == NULL)
        return false;
    chunk->count = count;
    pages->count += count;
    if (pages->chunk == NULL)
        pages->chunks = chunk;
    else
        pages->chunk->next = chunk;
    pages->chunk = chunk;
    pages->next = 0;
    return true;
}

AstarPage *astar_pages_add(AstarPages *pages, const AstarAllocator *allocator, int x, int y)
{
    if (pages->chunk != NULL && pages->next == pages->chunk->count && pages->chunk->next != NULL) {
        pages->chunk = pages->chunk->next;
        pages->next = 0;
    }
    if (pages->used == pages->count && !grow_pages(pages, allocator))
        return NULL;
    AstarPage **entry = astar_page_entry(pages, x, y);
    AstarPage *page = &pages->chunk->pages[pages->next++];
    pages->used++;
    memset(page->states, 0, sizeof page->states);
    for (int i = 0; i < ASTAR_PAGE_CELLS; i++)
        page->values[i] = INFINITY;
    page->block = (uint32_t)(entry - pages->directory);
    *entry = page;
    return page;
}
