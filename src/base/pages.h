// pages.h -- A number and a byte for each cell of a map, with memory only for the parts that were
// written.
//
// The map is divided into blocks of 8 x 8 cells. A block gets a page when one of its cells is first
// written, and a directory of all blocks finds it. The data of a cell and its neighbours thus lie
// in few cache lines, and a search uses memory only for the part of the map that it reaches. Pages
// never move. The time for discarding all data is proportional to the number of pages that were
// written.

#ifndef ASTAR_PAGES_H
#define ASTAR_PAGES_H

#include "base/alloc.h"

#include <math.h>

// Number of cells per side of a block, and number of cells in a block.
enum { ASTAR_PAGE_SIDE = 8, ASTAR_PAGE_CELLS = ASTAR_PAGE_SIDE * ASTAR_PAGE_SIDE };

// The data of a block of cells.
typedef struct AstarPage {
    uint8_t states[ASTAR_PAGE_CELLS]; // 0: not written
    double values[ASTAR_PAGE_CELLS];  // INFINITY: not written
    uint32_t block;                   // index of the block
} AstarPage;

// Memory for pages of one size. All pages of a pool are released together.
typedef struct AstarPagePool {
    struct AstarPageChunk *chunks, *chunk; // list of all chunks; chunk that holds the next page
    size_t next;                           // index of the next page in 'chunk'
    size_t used, count;                    // number of pages in use; number of pages allocated
} AstarPagePool;

// A page whose size is a multiple of this number has an address that is a multiple of it.
enum { ASTAR_PAGE_ALIGNMENT = 128 };

// Takes a page, with arbitrary contents, from a pool. Returns NULL if memory runs out. All pages of
// a pool have the same size.
void *astar_pool_take(AstarPagePool *pool, const AstarAllocator *allocator, size_t page_size);
// Marks all pages of a pool as unused, without freeing them.
void astar_pool_forget(AstarPagePool *pool);
// Frees the memory of a pool except for about 'bytes' bytes. No page may be in use.
void astar_pool_shrink(AstarPagePool *pool, const AstarAllocator *allocator, size_t page_size,
                       size_t bytes);
// Returns the bytes of a pool.
size_t astar_pool_bytes(const AstarPagePool *pool, size_t page_size);
// Calls a function for each page of a pool that is in use.
void astar_pool_each(const AstarPagePool *pool, size_t page_size,
                     void (*function)(void *context, void *page), void *context);

// A number and a byte for each cell of a map, stored in pages.
typedef struct AstarPages {
    AstarPage **directory; // page of each block; NULL: not written
    size_t blocks;         // number of blocks in the directory
    size_t stride;         // number of blocks per row
    AstarPagePool pool;
} AstarPages;

// A shared, read-only page in place of all blocks without a page of their own.
extern const AstarPage astar_blank_page;

// Discards all data and prepares 'pages' for a map of the given size. Returns false if memory runs
// out.
bool astar_pages_begin(AstarPages *pages, const AstarAllocator *allocator, int width, int height);
// Frees memory beyond what a map of medium size needs. Afterwards nothing may be read until
// astar_pages_begin.
void astar_pages_rest(AstarPages *pages, const AstarAllocator *allocator);
// Frees all pages.
void astar_pages_free(AstarPages *pages, const AstarAllocator *allocator);
// Returns the bytes of all pages.
size_t astar_pages_bytes(const AstarPages *pages);
// Allocates the missing page of the block that contains (x, y). Returns NULL if memory runs out.
AstarPage *astar_pages_add(AstarPages *pages, const AstarAllocator *allocator, int x, int y);

// Returns the entry of the directory for the block that contains (x, y).
static inline AstarPage **astar_page_entry(const AstarPages *pages, int x, int y)
{
    return &pages->directory[(size_t)((unsigned)y / ASTAR_PAGE_SIDE) * pages->stride +
                             (unsigned)x / ASTAR_PAGE_SIDE];
}

// Returns the index of a cell within its page.
static inline unsigned astar_page_place(int x, int y)
{
    return ((unsigned)y % ASTAR_PAGE_SIDE) * ASTAR_PAGE_SIDE + (unsigned)x % ASTAR_PAGE_SIDE;
}

// Returns the page of (x, y) for reading. The result may be the shared blank page.
static inline const AstarPage *astar_page_at(const AstarPages *pages, int x, int y)
{
    const AstarPage *page = *astar_page_entry(pages, x, y);
    return page != NULL ? page : &astar_blank_page;
}

// Returns the page of (x, y) for writing, and allocates it if it is missing. Returns NULL if memory
// runs out.
static inline AstarPage *astar_page_for(AstarPages *pages, const AstarAllocator *allocator, int x,
                                        int y)
{
    AstarPage *page = *astar_page_entry(pages, x, y);
    return page != NULL ? page : astar_pages_add(pages, allocator, x, y);
}

// Returns the byte that is stored for cell (x, y).
static inline uint8_t astar_pages_state(const AstarPages *pages, int x, int y)
{
    return astar_page_at(pages, x, y)->states[astar_page_place(x, y)];
}

// Returns the number that is stored for cell (x, y).
static inline double astar_pages_value(const AstarPages *pages, int x, int y)
{
    return astar_page_at(pages, x, y)->values[astar_page_place(x, y)];
}

#endif
