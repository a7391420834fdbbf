// flow_pack.h -- Memory for the distances and next steps of cells, allocated only for parts of a
// map where distances are known. This header also declares packed steps.
//
// A page holds the values of consecutive cells, which lie in one row of the map. A cell and its
// neighbours in the row nearly always lie on one page, and so do the three cells above and the
// three cells below. A sheet has pointers to the pages of a part of the map. Many flows may each
// reach only a few cells of a large map. With pages these flows take little memory and time. Pages
// never move.

#ifndef ASTAR_FLOW_PACK_H
#define ASTAR_FLOW_PACK_H

#include "base/pages.h"
#include "map/links_and_walls.h"

enum { ASTAR_STEP_BLOCK = 1024 }; // number of cells in a block of packed steps
// The link that the next step of a cell follows.
typedef struct AstarPackedLink {
    uint32_t cell;
    AstarArc arc;
} AstarPackedLink;

// The next steps of all cells, packed.
typedef struct AstarPackedSteps {
    struct AstarStepBlock **blocks; // blocks of packed steps; NULL for a block without steps
    size_t total, count;            // number of blocks of the map; number of blocks packed so far
    size_t bytes;                   // total size of the blocks in bytes
    AstarPackedLink *links;         // the links of cells whose step is a link, sorted by cell
    size_t link_count, link_capacity;
} AstarPackedSteps;

// Number of cells on a page; number of pages of a sheet.
enum { ASTAR_FLOW_PAGE_CELLS = 64, ASTAR_FLOW_SHEET_PAGES = 256 };

// Distances and next steps of consecutive cells.
typedef struct AstarFlowPage {
    double distances[ASTAR_FLOW_PAGE_CELLS]; // INFINITY: the cell has no distance yet
    uint8_t nexts[ASTAR_FLOW_PAGE_CELLS]; // 0: the next step is not known; else 1 + its direction
} AstarFlowPage;

// A sheet: pointers to the pages of a part of the map.
typedef struct AstarFlowSheet {
    AstarFlowPage *pages[ASTAR_FLOW_SHEET_PAGES]; // NULL: no cell of the page was written
} AstarFlowSheet;

// All pages of a flow.
typedef struct AstarFlowPages {
    // The sheets of the whole map. All sheets without a page are the same blank sheet.
    AstarFlowSheet **sheets;
    size_t count, added;  // number of sheets; number of sheets that are not blank
    uint32_t first, last; // lowest and highest index of an existing page
    AstarPagePool pool;
} AstarFlowPages;

// Removes all pages and prepares for a map of 'cells' cells. The number must be the same in each
// call. Returns false if memory runs out.
bool astar_flow_pages_begin(AstarFlowPages *pages, const AstarAllocator *allocator, uint32_t cells);
// Frees all pages.
void astar_flow_pages_free(AstarFlowPages *pages, const AstarAllocator *allocator);
// Returns the bytes of all pages and sheets.
size_t astar_flow_pages_bytes(const AstarFlowPages *pages);
// Allocates the missing page of a cell. Returns NULL if memory runs out.
AstarFlowPage *astar_flow_pages_add(AstarFlowPages *pages, const AstarAllocator *allocator,
                                    uint32_t cell);

// Returns the page with an index, or NULL if no cell of the page was written.
static inline AstarFlowPage *astar_flow_page_at(const AstarFlowPages *pages, uint32_t index)
{
    return pages->sheets[index / ASTAR_FLOW_SHEET_PAGES]->pages[index % ASTAR_FLOW_SHEET_PAGES];
}

// Stores a pointer to the distance of a cell of a map of 'cells' cells. Returns false unless the
// cell lies on the same page as its left and right neighbours.
static inline bool astar_flow_row(const AstarFlowPages *pages, uint32_t cells, uint32_t cell,
                                  double **row)
{
    const uint32_t place = cell % ASTAR_FLOW_PAGE_CELLS;
    if (cell >= cells - 1 || place - 1 >= ASTAR_FLOW_PAGE_CELLS - 2)
        return false;
    AstarFlowPage *page = astar_flow_page_at(pages, cell / ASTAR_FLOW_PAGE_CELLS);
    if (page == NULL)
        return false;
    *row = &page->distances[place];
    return true;
}

// Stores pointers to three distances: of the cell above 'cell', of 'cell', and of the cell below.
// The map has 'cells' cells. Returns false unless each of the three lies on the same page as its
// left and right neighbours.
static inline bool astar_flow_rows(const AstarFlowPages *pages, uint32_t cells, uint32_t width,
                                   uint32_t cell, double *rows[3])
{
    return astar_flow_row(pages, cells, cell - width, &rows[0]) &&
           astar_flow_row(pages, cells, cell, &rows[1]) &&
           astar_flow_row(pages, cells, cell + width, &rows[2]);
}

// Returns true if the steps of all cells are packed.
static inline bool astar_packed_steps_are_whole(const AstarPackedSteps *packed)
{
    return packed->blocks != NULL && packed->count == packed->total;
}
// Starts packing the steps of 'cells' cells.
AstarStatus astar_packed_steps_begin(AstarPackedSteps *packed, const AstarAllocator *allocator,
                                     uint32_t cells);
// Adds the next block of packed steps. Each entry of 'steps' is 0 for no step, or 1 + a step. Steps
// are below 15.
AstarStatus astar_packed_steps_add(AstarPackedSteps *packed, const AstarAllocator *allocator,
                                   const uint8_t steps[ASTAR_STEP_BLOCK]);
// Stores the link that the step of a cell follows. The cells of successive calls must be in
// ascending order.
AstarStatus astar_packed_steps_link(AstarPackedSteps *packed, const AstarAllocator *allocator,
                                    uint32_t cell, const AstarArc *arc);
// Frees packed steps.
void astar_packed_steps_free(AstarPackedSteps *packed, const AstarAllocator *allocator);
// Returns the bytes of packed steps.
size_t astar_packed_steps_bytes(const AstarPackedSteps *packed);
// Returns the step of a cell, or -1 if the cell has no step.
int astar_packed_step(const AstarPackedSteps *packed, uint32_t cell);
// Returns the link of a cell whose step follows a link.
const AstarArc *astar_packed_link(const AstarPackedSteps *packed, uint32_t cell);
// Packs the steps of further cells of a complete flow, within the budget. Returns ASTAR_OK when all
// steps are packed.
AstarStatus astar_flow_pack(AstarFlow *flow);

#endif
