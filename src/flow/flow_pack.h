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
#include "map/links_and_walls.h"

enum { ASTAR_STEP_BLOCK = 1024 }; // cells
// The link over which a cell's step goes.
typedef struct AstarPackedLink {
    uint32_t cell;
    AstarArc arc;
} AstarPackedLink;

typedef struct AstarPackedSteps {
    struct AstarStepBlock **blocks; // NULL for one without any step
    size_t total, count;            // how many there are to be, and are
    size_t bytes;                   // of the blocks
    AstarPackedLink *links;         // in the order of their cells
    size_t link_count, link_capacity;
} AstarPackedSteps;

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

static inline bool astar_packed_steps_are_whole(const AstarPackedSteps *packed)
{
    return packed->blocks != NULL && packed->count == packed->total;
}
// Begins with none, for so many cells.
AstarStatus astar_packed_steps_begin(AstarPackedSteps *packed, const AstarAllocator *allocator,
                                     uint32_t cells);
// Adds the next block: of each cell 0, or 1 + a step below 15.
AstarStatus astar_packed_steps_add(AstarPackedSteps *packed, const AstarAllocator *allocator,
                                   const uint8_t steps[ASTAR_STEP_BLOCK]);
// Notes the link over which a cell's step goes; no cell comes before the last one noted.
AstarStatus astar_packed_steps_link(AstarPackedSteps *packed, const AstarAllocator *allocator,
                                    uint32_t cell, const AstarArc *arc);
void astar_packed_steps_free(AstarPackedSteps *packed, const AstarAllocator *allocator);
size_t astar_packed_steps_bytes(const AstarPackedSteps *packed);
// The step of a cell, -1 for none.
int astar_packed_step(const AstarPackedSteps *packed, uint32_t cell);
// The link of a cell whose step goes over one.
const AstarArc *astar_packed_link(const AstarPackedSteps *packed, uint32_t cell);
// Packs the steps of some of a flow whose distances are all known: ASTAR_OK when all are packed.
AstarStatus astar_flow_pack(AstarFlow *flow);

#endif
