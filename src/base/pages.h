// pages.h -- a number and a byte for each cell of a map, in memory where they are written only.
//
// Cells lie in blocks of 8 x 8. A block has a page once one of its cells is written; a directory of
// all blocks finds it. What is kept of a cell and of those around it so lies in few lines of cache,
// and a search takes memory for the part of the map that it reaches. Pages never move. To forget
// everything costs no more than what was written did.

#ifndef ASTAR_PAGES_H
#define ASTAR_PAGES_H

#include "base/alloc.h"

#include <math.h>

enum { ASTAR_PAGE_SIDE = 8, ASTAR_PAGE_CELLS = ASTAR_PAGE_SIDE * ASTAR_PAGE_SIDE };

typedef struct AstarPage {
    uint8_t states[ASTAR_PAGE_CELLS]; // 0: nothing was written
    double values[ASTAR_PAGE_CELLS];  // INFINITY: nothing was
    uint32_t block;                   // that it is of
} AstarPage;

// Memory for pages of one size, which is given back all at once.
typedef struct AstarPagePool {
    struct AstarPageChunk *chunks, *chunk; // all there is; where the next page lies
    size_t next;                           // page of that chunk
    size_t used, count;                    // pages; that there is memory for
} AstarPagePool;

// If the size of pages is a multiple of this number, so are their addresses.
enum { ASTAR_PAGE_ALIGNMENT = 128 };

// A page, with anything in it; NULL when there is no memory. Each time of the same size.
void *astar_pool_take(AstarPagePool *pool, const AstarAllocator *allocator, size_t page_size);
// Takes all pages back.
void astar_pool_forget(AstarPagePool *pool);
// Gives memory back, when no page is in use, but for so many bytes of it about.
void astar_pool_shrink(AstarPagePool *pool, const AstarAllocator *allocator, size_t page_size,
                       size_t bytes);
size_t astar_pool_bytes(const AstarPagePool *pool, size_t page_size);
// Calls a function for each page in use.
void astar_pool_each(const AstarPagePool *pool, size_t page_size,
                     void (*function)(void *context, void *page), void *context);

typedef struct AstarPages {
    AstarPage **directory; // of each block; NULL: nothing was written
    size_t blocks;         // that it has room for
    size_t stride;         // blocks in a row
    AstarPagePool pool;
} AstarPages;

// Of a block without a page. Not to be written.
extern const AstarPage astar_blank_page;

// Forgets everything and makes ready for a map of that size; false when there is no memory.
bool astar_pages_begin(AstarPages *pages, const AstarAllocator *allocator, int width, int height);
// Gives memory back but for what a map of middling size takes. Nothing is to be read after it.
void astar_pages_rest(AstarPages *pages, const AstarAllocator *allocator);
void astar_pages_free(AstarPages *pages, const AstarAllocator *allocator);
size_t astar_pages_bytes(const AstarPages *pages);
// Gives the block of (x, y) a page, which it has none of; NULL when there is no memory.
AstarPage *astar_pages_add(AstarPages *pages, const AstarAllocator *allocator, int x, int y);

static inline AstarPage **astar_page_entry(const AstarPages *pages, int x, int y)
{
    return &pages->directory[(size_t)((unsigned)y / ASTAR_PAGE_SIDE) * pages->stride +
                             (unsigned)x / ASTAR_PAGE_SIDE];
}

// Where on its page a cell lies.
static inline unsigned astar_page_place(int x, int y)
{
    return ((unsigned)y % ASTAR_PAGE_SIDE) * ASTAR_PAGE_SIDE + (unsigned)x % ASTAR_PAGE_SIDE;
}

// The page of (x, y) to read, which may be the blank one.
static inline const AstarPage *astar_page_at(const AstarPages *pages, int x, int y)
{
    const AstarPage *page = *astar_page_entry(pages, x, y);
    return page != NULL ? page : &astar_blank_page;
}

// The page of (x, y) to write; NULL when there is no memory.
static inline AstarPage *astar_page_for(AstarPages *pages, const AstarAllocator *allocator, int x,
                                        int y)
{
    AstarPage *page = *astar_page_entry(pages, x, y);
    return page != NULL ? page : astar_pages_add(pages, allocator, x, y);
}

// What was written last of (x, y): the byte, the number.
static inline uint8_t astar_pages_state(const AstarPages *pages, int x, int y)
{
    return astar_page_at(pages, x, y)->states[astar_page_place(x, y)];
}

static inline double astar_pages_value(const AstarPages *pages, int x, int y)
{
    return astar_page_at(pages, x, y)->values[astar_page_place(x, y)];
}

#endif
