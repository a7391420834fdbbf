// nodes.h -- The nodes of best-first search. A node is one 64-bit word per cell: the cost g of the
// best path found, whether the cell is closed, and the step that led to the cell.
//
// Nodes lie in pages of 8 x 8 cells, which a search allocates when it comes near them. A page holds
// pointers to the pages around it, so the search finds a node's neighbours without the directory.
// Pages never move, and their addresses are multiples of 64 bytes. Therefore the address of a
// node's page plus the node's index on the page, 0 to 63, identifies the node. This sum is called
// its name.
//
// Costs are whole multiples of a unit, see best_first.c. The costs are stored 32 times as large,
// because the lowest 5 bits hold the state.

#ifndef ASTAR_NODES_H
#define ASTAR_NODES_H

#include "base/bits.h"
#include "base/directions.h"
#include "base/pages.h"
#include "finder/finder.h"

#include <stdalign.h>

enum {
    ASTAR_STATE_MASK = (1 << ASTAR_STATE_BITS) - 1,
    ASTAR_FROM_MASK = 15, // direction of the step that led to the cell, or ASTAR_FROM_...
    ASTAR_CLOSED_BIT = 16 // set if the cell is closed
};

// Values used when no direction led to a cell: the cell is the start, or was reached over a link.
enum { ASTAR_FROM_NOWHERE = 8, ASTAR_FROM_LINK = 9 };

#define ASTAR_UNREACHED UINT64_MAX // the node of a cell that the search has not reached
// The node of a cell that cannot be entered. Its g is 0, so no path to the cell is cheaper.
#define ASTAR_CELL_BARRED ((uint64_t)ASTAR_STATE_MASK)

// The nodes of 8 x 8 cells.
typedef struct AstarNodePage {
    // The 3 x 3 pages around this page, row by row, with this page in the middle.
    alignas(ASTAR_PAGE_CELLS) struct AstarNodePage *near[9];
    int32_t x, y;    // column and row of the page's first cell
    uint32_t cell;   // number of the page's first cell
    uint32_t linked; // set of the directions whose page is stored in 'near'
    uint32_t block;  // index of the page in the directory
    alignas(ASTAR_PAGE_CELLS) uint64_t nodes[ASTAR_PAGE_CELLS];
} AstarNodePage;

// All nodes of a search.
typedef struct AstarNodes {
    AstarNodePage **directory; // the page of each block of 8 x 8 cells, NULL if it has none
    size_t blocks;             // number of blocks that the directory has room for
    int32_t columns, rows;     // number of blocks across and down the map
    int32_t width, height;     // size of the map in cells
    AstarNodePage *outside;    // page of blocked cells that stands for all pages outside the map
    AstarPagePool pool;
} AstarNodes;

// Removes all nodes and prepares for a map of the given size. Returns false if there is no memory.
bool astar_nodes_begin(AstarNodes *nodes, const AstarAllocator *allocator, int width, int height);
// Removes all nodes and frees their memory, apart from at most 32 MiB of pages that are kept for
// the next search. No node may be read until astar_nodes_begin() is called.
void astar_nodes_rest(AstarNodes *nodes, const AstarAllocator *allocator);
void astar_nodes_free(AstarNodes *nodes, const AstarAllocator *allocator);
size_t astar_nodes_bytes(const AstarNodes *nodes);
// Adds the page of (x, y), which must not exist yet, and returns it. Returns NULL if there is no
// memory. If the bitmap 'walkable' is given, all cells whose bit is not set get the node
// ASTAR_CELL_BARRED.
AstarNodePage *astar_nodes_add(AstarNodes *nodes, const AstarAllocator *allocator,
                               const AstarBits *walkable, int x, int y);
// Stores in a page pointers to the adjacent pages in a set of directions, and in the adjacent pages
// pointers back to the page. Adds the adjacent pages if they are missing. Returns false if there is
// no memory.
bool astar_nodes_link(AstarNodes *nodes, const AstarAllocator *allocator, const AstarBits *walkable,
                      AstarNodePage *page, unsigned directions);
// Marks a cell that the search has not reached as free or blocked, after an edit.
void astar_nodes_put_walkable(AstarNodes *nodes, int x, int y, bool is_walkable);

// Returns the page of (x, y), NULL if it has none.
static inline AstarNodePage *astar_nodes_page(const AstarNodes *nodes, int x, int y)
{
    return nodes->directory[(size_t)((unsigned)y / ASTAR_PAGE_SIDE) * (size_t)nodes->columns +
                            (unsigned)x / ASTAR_PAGE_SIDE];
}

// Returns the page of (x, y), and adds it if it is missing. Returns NULL if there is no memory.
static inline AstarNodePage *astar_nodes_page_for(AstarNodes *nodes,
                                                  const AstarAllocator *allocator,
                                                  const AstarBits *walkable, int x, int y)
{
    AstarNodePage *page = astar_nodes_page(nodes, x, y);
    return page != NULL ? page : astar_nodes_add(nodes, allocator, walkable, x, y);
}

// Returns the node of (x, y), ASTAR_UNREACHED for a blocked cell.
static inline uint64_t astar_nodes_at(const AstarNodes *nodes, int x, int y)
{
    const AstarNodePage *page = astar_nodes_page(nodes, x, y);
    uint64_t node = page != NULL ? page->nodes[astar_page_place(x, y)] : ASTAR_UNREACHED;
    return node != ASTAR_CELL_BARRED ? node : ASTAR_UNREACHED;
}

// Returns a pointer to the node of (x, y), a cell that the search must have reached.
static inline const uint64_t *astar_nodes_reached(const AstarNodes *nodes, int x, int y)
{
    return &astar_nodes_page(nodes, x, y)->nodes[astar_page_place(x, y)];
}

// Returns the name of a node: its page and its index on the page, packed into one number.
// astar_node_page() and astar_node_place() unpack them.
static inline uint64_t astar_node_name(const AstarNodePage *page, unsigned place)
{
    return (uint64_t)(uintptr_t)page + place;
}

static inline AstarNodePage *astar_node_page(uint64_t name)
{
    return (AstarNodePage *)(uintptr_t)(name & ~(uint64_t)(ASTAR_PAGE_CELLS - 1));
}

static inline unsigned astar_node_place(uint64_t name)
{
    return (unsigned)name & (ASTAR_PAGE_CELLS - 1);
}

static inline bool astar_node_is_closed(uint64_t node)
{
    return node != ASTAR_UNREACHED && (node & ASTAR_CLOSED_BIT) != 0;
}

static inline int astar_node_from(uint64_t node)
{
    return (int)(node & ASTAR_FROM_MASK);
}

#endif
