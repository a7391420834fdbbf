// flow_pack.h -- the distances of cells, and where units go on from them, in memory where any are
// known only.
//
// A page holds those of cells that follow one another by number, as rows do: of a cell and of those
// beside it, of the three above, and of the three below each lie on one page, nearly always. A
// sheet tells the pages of a part of the map. So a flow that reaches a few cells of a large map,
// one of many perhaps, takes memory and time for those. Pages never move.

#ifndef ASTAR_FLOW_PACK_H
#define ASTAR_FLOW_PACK_H

#include "base/pages.h"

enum { ASTAR_FLOW_PAGE_CELLS = 64, ASTAR_FLOW_SHEET_PAGES = 256 };

typedef struct AstarFlowPage {
    double distances[ASTAR_FLOW_PAGE_CELLS]; // INFINITY: there is none yet
    uint8_t nexts[ASTAR_FLOW_PAGE_CELLS];    // 0: not known, else 1 + the direction to go on
} AstarFlowPage;

typedef struct AstarFlowSheet {
    AstarFlowPage *pages[ASTAR_FLOW_SHEET_PAGES]; // NULL: nothing was written
} AstarFlowSheet;

typedef struct AstarFlowPages {
    AstarFlowSheet **sheets; // of the whole map; those without a page share a blank one
    size_t count, added;     // of sheets; of those that are not blank
    uint32_t first, last;    // the pages there are lie between
    AstarPagePool pool;
} AstarFlowPages;

// Forgets everything and makes ready for so many cells, each time as many; false when there is no
// memory.
bool astar_flow_pages_begin(AstarFlowPages *pages, const AstarAllocator *allocator, uint32_t cells);
void astar_flow_pages_free(AstarFlowPages *pages, const AstarAllocator *allocator);
size_t astar_flow_pages_bytes(const AstarFlowPages *pages);
// Gives a cell the page that it has not; NULL when there is no memory.
AstarFlowPage *astar_flow_pages_add(AstarFlowPages *pages, const AstarAllocator *allocator,
                                    uint32_t cell);

// The page of so many cells; NULL: nothing was written of them.
static inline AstarFlowPage *astar_flow_page_at(const AstarFlowPages *pages, uint32_t index)
{
    return pages->sheets[index / ASTAR_FLOW_SHEET_PAGES]->pages[index % ASTAR_FLOW_SHEET_PAGES];
}

// Where the distances of the cells above one, of itself and below it are kept, on a map of so many
// cells; false unless those of the cells beside each are on the same page.
static inline bool astar_flow_rows(const AstarFlowPages *pages, uint32_t cells, uint32_t width,
                                   uint32_t cell, const double *rows[3])
{
    uint32_t at = cell - width;
    for (int i = 0; i < 3; i++, at += width) {
        uint32_t place = at % ASTAR_FLOW_PAGE_CELLS;
        if (at >= cells - 1 || place - 1 >= ASTAR_FLOW_PAGE_CELLS - 2)
            return false;
        const AstarFlowPage *page = astar_flow_page_at(pages, at / ASTAR_FLOW_PAGE_CELLS);
        if (page == NULL)
            return false;
        rows[i] = &page->distances[place];
    }
    return true;
}

#endif
