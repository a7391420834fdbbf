// flow_pack.h -- Memory for the distances and next steps of cells, allocated only where some are
// known; and packed steps.
//
// A page holds the values of consecutive cells, which lie in a row of the map. A cell and its
// neighbours in the row nearly always lie on one page, and so do the three cells above and the
// three below. A sheet has pointers to the pages of a part of the map. Many flows may each reach a
// few cells of a large map; this way they use little memory and time. Pages never move.

#ifndef ASTAR_FLOW_PACK_H
#define ASTAR_FLOW_PACK_H

#include "base/pages.h"
#include "map/links_and_walls.h"

enum { ASTAR_STEP_BLOCK = 1024 }; // cells in a block of packed steps
// The link that a cell's step follows.
typedef struct AstarPackedLink {
    uint32_t cell;
    AstarArc arc;
} AstarPackedLink;

// The next steps of all cells, packed.
typedef struct AstarPackedSteps {
    struct AstarStepBlock **blocks; // blocks; NULL for a block without steps
    size_t total, count;            // number of blocks of the map, and of blocks packed so far
    size_t bytes;                   // bytes of the blocks
    AstarPackedLink *links;         // links of cells whose step is a link, sorted by cell
    size_t link_count, link_capacity;
} AstarPackedSteps;

// Cells on a page, and pages of a sheet.
enum { ASTAR_FLOW_PAGE_CELLS = 64, ASTAR_FLOW_SHEET_PAGES = 256 };

// Distances and next steps of consecutive cells.
typedef struct AstarFlowPage {
    double distances[ASTAR_FLOW_PAGE_CELLS]; // INFINITY: no distance yet
    uint8_t nexts[ASTAR_FLOW_PAGE_CELLS];    // 0: not known; else 1 + direction of the next step
} AstarFlowPage;

// Pointers to the pages of a part of the map.
typedef struct AstarFlowSheet {
    AstarFlowPage *pages[ASTAR_FLOW_SHEET_PAGES]; // NULL: no cell of the page was written
} AstarFlowSheet;

// All pages of a flow.
typedef struct AstarFlowPages {
    AstarFlowSheet **sheets; // sheets of the whole map; all sheets without a page are one shared
                             // blank sheet
    size_t count, added;     // number of sheets, and of sheets that are not blank
    uint32_t first, last;    // range of the existing pages
    AstarPagePool pool;
} AstarFlowPages;

// Removes all pages and prepares for a number of cells, which must be the same each time. Returns
// false if memory runs out.
bool astar_flow_pages_begin(AstarFlowPages *pages, const AstarAllocator *allocator, uint32_t cells);
// Frees all pages.
void astar_flow_pages_free(AstarFlowPages *pages, const AstarAllocator *allocator);
// Returns the bytes of all pages and sheets.
size_t astar_flow_pages_bytes(const AstarFlowPages *pages);
// Adds the missing page of a cell. Returns NULL if memory runs out.
AstarFlowPage *astar_flow_pages_add(AstarFlowPages *pages, const AstarAllocator *allocator,
                                    uint32_t cell);

// Returns a page by its index, or NULL if no cell on it was written.
static inline AstarFlowPage *astar_flow_page_at(const AstarFlowPages *pages, uint32_t index)
{
    return pages->sheets[index / ASTAR_FLOW_SHEET_PAGES]->pages[index % ASTAR_FLOW_SHEET_PAGES];
}

// Stores pointers to the distances of the cell above, the cell itself and the cell below, on a map
// of 'cells' cells. Returns false unless the left and right neighbours of each lie on the same
// page.
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

// Returns true if the steps of all cells are packed.
static inline bool astar_packed_steps_are_whole(const AstarPackedSteps *packed)
{
    return packed->blocks != NULL && packed->count == packed->total;
}
// Starts packing the steps of a number of cells.
AstarStatus astar_packed_steps_begin(AstarPackedSteps *packed, const AstarAllocator *allocator,
                                     uint32_t cells);
// Adds the next block. Each entry is 0, or 1 + a step below 15.
AstarStatus astar_packed_steps_add(AstarPackedSteps *packed, const AstarAllocator *allocator,
                                   const uint8_t steps[ASTAR_STEP_BLOCK]);
// Notes the link that a cell's step follows. Cells must come in ascending order.
AstarStatus astar_packed_steps_link(AstarPackedSteps *packed, const AstarAllocator *allocator,
                                    uint32_t cell, const AstarArc *arc);
// Frees packed steps.
void astar_packed_steps_free(AstarPackedSteps *packed, const AstarAllocator *allocator);
// Returns the bytes of packed steps.
size_t astar_packed_steps_bytes(const AstarPackedSteps *packed);
// Returns the step of a cell, or -1.
int astar_packed_step(const AstarPackedSteps *packed, uint32_t cell);
// Returns the link of a cell whose step follows a link.
const AstarArc *astar_packed_link(const AstarPackedSteps *packed, uint32_t cell);
// Packs the steps of some cells of a complete flow. Returns ASTAR_OK when all steps are packed.
AstarStatus astar_flow_pack(AstarFlow *flow);

#endif
