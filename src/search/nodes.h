// nodes.h -- what best-first search knows of each cell, in one word: the cost g of the best way
// yet, whether the cell is closed, and the step that led there.
//
// Nodes lie in pages of 8 x 8 cells, which a search takes as it comes near them. A page knows the
// pages around it, so the way from a node to its neighbours needs no look at the directory. Pages
// never move, and lie at multiples of 64 bytes: the address of a node's page and the node's place
// there, added, name the node.
//
// Costs are whole numbers of a unit, see best_first.c. They are kept 32 times as large, for the
// lowest bits are those of the state.

#ifndef ASTAR_NODES_H
#define ASTAR_NODES_H

#include "base/bits.h"
#include "base/directions.h"
#include "base/pages.h"
#include "finder/finder.h"

#include <stdalign.h>

enum {
    ASTAR_STATE_MASK = (1 << ASTAR_STATE_BITS) - 1,
    ASTAR_FROM_MASK = 15, // the direction of the step that led to the cell, or one of the next two
    ASTAR_CLOSED_BIT = 16
};

// In place of the direction that led to a cell: it is the start; it was reached over a link.
enum { ASTAR_FROM_NOWHERE = 8, ASTAR_FROM_LINK = 9 };

#define ASTAR_UNREACHED UINT64_MAX // in place of a node
// In place of the node of a cell that cannot be entered: no way there is cheaper.
#define ASTAR_CELL_BARRED ((uint64_t)ASTAR_STATE_MASK)

typedef struct AstarNodePage {
    // The pages around it, row by row, itself in the middle.
    alignas(ASTAR_PAGE_CELLS) struct AstarNodePage *near[9];
    int32_t x, y;    // of its first cell
    uint32_t cell;   // the number of that cell
    uint32_t linked; // which of the pages around it 'near' has, by direction
    uint32_t block;  // of the directory
    alignas(ASTAR_PAGE_CELLS) uint64_t nodes[ASTAR_PAGE_CELLS];
} AstarNodePage;

typedef struct AstarNodes {
    AstarNodePage **directory; // of each block of 8 x 8 cells; NULL: it has no page
    size_t blocks;             // that the directory has room for
    int32_t columns, rows;     // blocks of the map
    int32_t width, height;     // of the map, in cells
    AstarNodePage *outside;    // in place of pages past the edge of the map: all of it is blocked
    AstarPagePool pool;
} AstarNodes;

// Forgets everything and makes ready for a map of that size; false when there is no memory.
bool astar_nodes_begin(AstarNodes *nodes, const AstarAllocator *allocator, int width, int height);
// Gives memory back but for what a map of middling size takes. Nothing is to be read after it.
void astar_nodes_rest(AstarNodes *nodes, const AstarAllocator *allocator);
void astar_nodes_free(AstarNodes *nodes, const AstarAllocator *allocator);
size_t astar_nodes_bytes(const AstarNodes *nodes);
// Gives the block of (x, y) a page, which it has none of; NULL when there is no memory. With
// 'walkable', the nodes of all other cells are ASTAR_CELL_BARRED.
AstarNodePage *astar_nodes_add(AstarNodes *nodes, const AstarAllocator *allocator,
                               const AstarBits *walkable, int x, int y);
// Links a page with the pages around it in these directions; false when there is no memory.
bool astar_nodes_link(AstarNodes *nodes, const AstarAllocator *allocator, const AstarBits *walkable,
                      AstarNodePage *page, unsigned directions);
// Marks a cell that the search has not reached as walkable or blocked, after an edit.
void astar_nodes_put_walkable(AstarNodes *nodes, int x, int y, bool is_walkable);

// The page of (x, y), NULL if it has none.
static inline AstarNodePage *astar_nodes_page(const AstarNodes *nodes, int x, int y)
{
    return nodes->directory[(size_t)((unsigned)y / ASTAR_PAGE_SIDE) * (size_t)nodes->columns +
                            (unsigned)x / ASTAR_PAGE_SIDE];
}

// The page of (x, y) to write; NULL when there is no memory.
static inline AstarNodePage *astar_nodes_page_for(AstarNodes *nodes,
                                                  const AstarAllocator *allocator,
                                                  const AstarBits *walkable, int x, int y)
{
    AstarNodePage *page = astar_nodes_page(nodes, x, y);
    return page != NULL ? page : astar_nodes_add(nodes, allocator, walkable, x, y);
}

// The node of (x, y). A blocked one was not reached.
static inline uint64_t astar_nodes_at(const AstarNodes *nodes, int x, int y)
{
    const AstarNodePage *page = astar_nodes_page(nodes, x, y);
    uint64_t node = page != NULL ? page->nodes[astar_page_place(x, y)] : ASTAR_UNREACHED;
    return node != ASTAR_CELL_BARRED ? node : ASTAR_UNREACHED;
}

// The node of (x, y), which the search has reached.
static inline const uint64_t *astar_nodes_reached(const AstarNodes *nodes, int x, int y)
{
    return &astar_nodes_page(nodes, x, y)->nodes[astar_page_place(x, y)];
}

// Packs a page and a place on it into one number, which names the node; the other two unpack it.
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
