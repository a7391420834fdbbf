// flow_pages.c -- the memory of pages, and the sheets that tell them.

#include "flow/flow_pages.h"

#include <string.h>

// Not to be written.
static AstarFlowSheet blank_sheet;

bool astar_flow_pages_begin(AstarFlowPages *pages, const AstarAllocator *allocator, uint32_t cells)
{
    const size_t a_sheet = (size_t)ASTAR_FLOW_PAGE_CELLS * ASTAR_FLOW_SHEET_PAGES;
    bool is_new = pages->sheets == NULL;
    size_t count = (cells + a_sheet - 1) / a_sheet;
    if (is_new)
        pages->sheets = astar_alloc(allocator, count, sizeof *pages->sheets);
    if (pages->sheets == NULL)
        return false;
    pages->count = count;
    for (size_t i = 0; i < count; i++) {
        if (is_new)
            pages->sheets[i] = &blank_sheet;
        else if (pages->sheets[i] != &blank_sheet)
            memset(pages->sheets[i], 0, sizeof *pages->sheets[i]);
    }
    pages->first = UINT32_MAX;
    pages->last = 0;
    astar_pool_forget(&pages->pool);
    return true;
}

void astar_flow_pages_free(AstarFlowPages *pages, const AstarAllocator *allocator)
{
    for (size_t i = 0; i < pages->count; i++)
        if (pages->sheets[i] != &blank_sheet)
            astar_release(allocator, pages->sheets[i], 1, sizeof *pages->sheets[i]);
    astar_release(allocator, pages->sheets, pages->count, sizeof *pages->sheets);
    astar_pool_shrink(&pages->pool, allocator, sizeof(AstarFlowPage), 0);
    *pages = (AstarFlowPages){0};
}

size_t astar_flow_pages_bytes(const AstarFlowPages *pages)
{
    return pages->count * sizeof *pages->sheets + pages->added * sizeof **pages->sheets +
           astar_pool_bytes(&pages->pool, sizeof(AstarFlowPage));
}

AstarFlowPage *astar_flow_pages_add(AstarFlowPages *pages, const AstarAllocator *allocator,
                                    uint32_t cell)
{
    uint32_t index = cell / ASTAR_FLOW_PAGE_CELLS;
    AstarFlowSheet **sheet = &pages->sheets[index / ASTAR_FLOW_SHEET_PAGES];
    if (*sheet == &blank_sheet) {
        AstarFlowSheet *added = astar_alloc(allocator, 1, sizeof *added);
        if (added == NULL)
            return NULL;
        *sheet = added;
        pages->added++;
    }
    AstarFlowPage *page = astar_pool_take(&pages->pool, allocator, sizeof *page);
    if (page == NULL)
        return NULL;
    memset(page->nexts, 0, sizeof page->nexts);
    for (int i = 0; i < ASTAR_FLOW_PAGE_CELLS; i++)
        page->distances[i] = INFINITY;
    pages->first = index < pages->first ? index : pages->first;
    pages->last = index > pages->last ? index : pages->last;
    return (*sheet)->pages[index % ASTAR_FLOW_SHEET_PAGES] = page;
}
