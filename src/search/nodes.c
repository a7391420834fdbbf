// nodes.c -- The memory of the nodes of best-first search, and the directory of their pages.

#include "search/nodes.h"

#include "base/array.h"
#include "base/bits.h"

#include <string.h>

enum { KEPT_PAGES_BYTES = 32 * 1024 * 1024 }; // maximum memory of pages kept between two searches

static void forget_node_page(void *nodes, void *page)
{
    ((AstarNodes *)nodes)->directory[((AstarNodePage *)page)->block] = NULL;
}

// Empties the directory. If few pages are in use, only the entries of these pages are cleared.
static void forget_node_pages(AstarNodes *nodes)
{
    if (nodes->pool.used > nodes->blocks / 8)
        memset(nodes->directory, 0, nodes->blocks * sizeof *nodes->directory);
    else
        astar_pool_each(&nodes->pool, sizeof(AstarNodePage), forget_node_page, nodes);
    astar_pool_forget(&nodes->pool);
}

bool astar_nodes_begin(AstarNodes *nodes, const AstarAllocator *allocator, int width, int height)
{
    size_t columns = ((size_t)width + ASTAR_PAGE_SIDE - 1) / ASTAR_PAGE_SIDE;
    size_t rows = ((size_t)height + ASTAR_PAGE_SIDE - 1) / ASTAR_PAGE_SIDE;
    forget_node_pages(nodes);
    nodes->columns = (int32_t)columns;
    nodes->rows = (int32_t)rows;
    nodes->width = width;
    nodes->height = height;
    nodes->outside = NULL;
    if (columns * rows <= nodes->blocks)
        return true;
    nodes->directory = astar_array_shrink(allocator, nodes->directory, sizeof *nodes->directory,
                                          &nodes->blocks, columns * rows);
    return nodes->directory != NULL;
}

void astar_nodes_rest(AstarNodes *nodes, const AstarAllocator *allocator)
{
    forget_node_pages(nodes);
    astar_pool_shrink(&nodes->pool, allocator, sizeof(AstarNodePage), KEPT_PAGES_BYTES);
}

void astar_nodes_free(AstarNodes *nodes, const AstarAllocator *allocator)
{
    astar_pool_shrink(&nodes->pool, allocator, sizeof(AstarNodePage), 0);
    astar_release(allocator, nodes->directory, nodes->blocks, sizeof *nodes->directory);
    *nodes = (AstarNodes){0};
}

size_t astar_nodes_bytes(const AstarNodes *nodes)
{
    return nodes->blocks * sizeof *nodes->directory +
           astar_pool_bytes(&nodes->pool, sizeof(AstarNodePage));
}

// Table of the nodes of four neighbouring cells, indexed by 4 bits: one for each cell that can be
// entered.
#define NODE(bits, i) ((bits) >> (i)&1 ? ASTAR_UNREACHED : ASTAR_CELL_BARRED)
#define FOUR_NODES(bits)                                                                           \
    {                                                                                              \
        NODE(bits, 0), NODE(bits, 1), NODE(bits, 2), NODE(bits, 3)                                 \
    }
static const uint64_t by_bits[16][4] = {
    FOUR_NODES(0),  FOUR_NODES(1),  FOUR_NODES(2),  FOUR_NODES(3),  FOUR_NODES(4),  FOUR_NODES(5),
    FOUR_NODES(6),  FOUR_NODES(7),  FOUR_NODES(8),  FOUR_NODES(9),  FOUR_NODES(10), FOUR_NODES(11),
    FOUR_NODES(12), FOUR_NODES(13), FOUR_NODES(14), FOUR_NODES(15),
};

// Sets the nodes of a page to ASTAR_UNREACHED for free cells and to ASTAR_CELL_BARRED for all
// others. The bits of the bitmap's border are 0, so cells of the page outside the map are blocked.
static void mark_walkable(AstarNodePage *page, const AstarBits *walkable, int32_t height)
{
    const size_t first = (size_t)page->x + 1; // the first bit of a row belongs to the border
    const size_t shift = first & 63;
    const bool is_split = shift > 64 - ASTAR_PAGE_SIDE && (first >> 6) + 1 < walkable->stride;
    const uint64_t *words = astar_bits_row(walkable, page->y) + (first >> 6);
    const int rows = height - page->y < ASTAR_PAGE_SIDE ? height - page->y : ASTAR_PAGE_SIDE;
    uint64_t *node = page->nodes;
    for (int row = 0; row < rows; row++, words += walkable->stride, node += ASTAR_PAGE_SIDE) {
        uint64_t free = words[0] >> shift;
        if (is_split)
            free |= words[1] << (64 - shift);
        memcpy(node, by_bits[free & 15], sizeof *by_bits);
        memcpy(node + 4, by_bits[free >> 4 & 15], sizeof *by_bits);
    }
    for (; node < page->nodes + ASTAR_PAGE_CELLS; node++)
        *node = ASTAR_CELL_BARRED;
}

AstarNodePage *astar_nodes_add(AstarNodes *nodes, const AstarAllocator *allocator,
                               const AstarBits *walkable, int x, int y)
{
    AstarNodePage *page = astar_pool_take(&nodes->pool, allocator, sizeof *page);
    if (page == NULL)
        return NULL;
    int32_t column = x / ASTAR_PAGE_SIDE, row = y / ASTAR_PAGE_SIDE;
    page->x = column * ASTAR_PAGE_SIDE;
    page->y = row * ASTAR_PAGE_SIDE;
    page->cell = (uint32_t)page->y * (uint32_t)nodes->width + (uint32_t)page->x;
    page->linked = 0;
    page->near[4] = page;
    page->block = (uint32_t)row * (uint32_t)nodes->columns + (uint32_t)column;
    nodes->directory[page->block] = page;
    if (walkable != NULL)
        mark_walkable(page, walkable, nodes->height);
    else
        memset(page->nodes, 0xFF, sizeof page->nodes);
    return page;
}

// Returns the page that is shared by all positions outside the map, and creates the page if it is
// missing. Returns NULL if there is no memory.
static AstarNodePage *need_outside(AstarNodes *nodes, const AstarAllocator *allocator)
{
    if (nodes->outside != NULL)
        return nodes->outside;
    AstarNodePage *outside = astar_pool_take(&nodes->pool, allocator, sizeof *outside);
    if (outside == NULL)
        return NULL;
    outside->block = 0; // any index will do, because all pages are removed together
    for (int i = 0; i < ASTAR_PAGE_CELLS; i++)
        outside->nodes[i] = ASTAR_CELL_BARRED;
    return nodes->outside = outside;
}

bool astar_nodes_link(AstarNodes *nodes, const AstarAllocator *allocator, const AstarBits *walkable,
                      AstarNodePage *page, unsigned directions)
{
    for (; directions != 0; directions &= directions - 1) {
        int d = astar_lowest_bit(directions);
        int32_t column = page->x / ASTAR_PAGE_SIDE + astar_dx[d];
        int32_t row = page->y / ASTAR_PAGE_SIDE + astar_dy[d];
        bool is_inside = column >= 0 && column < nodes->columns && row >= 0 && row < nodes->rows;
        AstarNodePage *other = is_inside ? astar_nodes_page_for(nodes, allocator, walkable,
                                                                column * ASTAR_PAGE_SIDE,
                                                                row * ASTAR_PAGE_SIDE)
                                         : need_outside(nodes, allocator);
        if (other == NULL)
            return false;
        const int near = (astar_dy[d] + 1) * 3 + astar_dx[d] + 1;
        page->near[near] = other;
        page->linked |= 1u << d;
        if (other != nodes->outside) {
            other->near[8 - near] = page;
            other->linked |= 1u << (d + ASTAR_DIRECTIONS / 2) % ASTAR_DIRECTIONS;
        }
    }
    return true;
}

void astar_nodes_put_walkable(AstarNodes *nodes, int x, int y, bool is_walkable)
{
    AstarNodePage *page = astar_nodes_page(nodes, x, y);
    if (page != NULL)
        page->nodes[astar_page_place(x, y)] = is_walkable ? ASTAR_UNREACHED : ASTAR_CELL_BARRED;
}
