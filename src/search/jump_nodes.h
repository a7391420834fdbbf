// jump_nodes.h -- the nodes of a search by jumps.
//
// Such a search has a node for a few cells in a thousand, far apart. So nodes lie one after another
// in the order they were made, and a hash table of their numbers finds that of a cell: both as
// small as the search is, so that they stay in the cache, whatever the size of the map. The 16
// cells of a tile of 4 x 4 have their places side by side, in one line of cache. Where patches of
// ground meet, most cells of a tile have nodes; so who finds a place taken looks among those of
// another tile, not at the next place, which another cell of the same tile would want.

#ifndef ASTAR_JUMP_NODES_H
#define ASTAR_JUMP_NODES_H

#include "base/array.h"
#include "map/grid.h"
#include "openlist/heap64.h"

// The way to a node leads from its parent diagonally, then straight.
typedef struct AstarJumpNode {
    union {
        uint32_t whole; // over uniform ground
        double real;    // elsewhere, as A* has it
    } g;
    uint32_t parent; // above ASTAR_CELL_BITS: the direction that led here, see jump_scan.h
    uint32_t cell;   // and ASTAR_JUMP_CLOSED
} AstarJumpNode;

enum { ASTAR_JUMP_TILE = 16 }; // places

#define ASTAR_JUMP_CLOSED (UINT32_C(1) << 31)

// What many nodes move to, a little at a time.
typedef struct AstarJumpGrowth {
    AstarMove array;
    size_t wiped;    // slots of the larger table; what lies behind is as before
    size_t numbered; // nodes that are in it; 0: no table is filled
} AstarJumpGrowth;

typedef struct AstarJumpNodes {
    const AstarGrid *grid;
    AstarJumpNode *nodes; // from 1 on
    size_t count, capacity;
    uint32_t *table; // of the numbers of nodes; 0: none
    size_t slots;    // that there is memory for
    uint32_t mask;   // of those in use, a power of two: a search begins with few
    int shift;       // that leaves of a hash the number of a tile's place
    size_t crowd;    // from so many nodes on they are to be given more room between expansions
    AstarJumpGrowth growth;
} AstarJumpNodes;

// Forgets all nodes and makes ready for a grid; false when there is no memory.
bool astar_jump_nodes_begin(AstarJumpNodes *nodes, const AstarAllocator *allocator,
                            const AstarGrid *grid);
// Gives memory back but for three quarters of a megabyte. Nothing is to be read after it.
void astar_jump_nodes_rest(AstarJumpNodes *nodes, const AstarAllocator *allocator);
void astar_jump_nodes_free(AstarJumpNodes *nodes, const AstarAllocator *allocator);
size_t astar_jump_nodes_bytes(const AstarJumpNodes *nodes);
// Makes some of the room that a crowd of nodes needs; false when there is no memory. Nothing is to
// be looked up before they are no crowd any more, or settled.
bool astar_jump_nodes_make_room(AstarJumpNodes *nodes, const AstarAllocator *allocator);
// Has all nodes found again, for who looks at a search between its steps. The table is no part of
// their value: const or not.
void astar_jump_nodes_settle(const AstarJumpNodes *nodes);

// The first slot where the number of a cell's node may lie.
static inline uint32_t astar_jump_home(const AstarJumpNodes *nodes, int x, int y)
{
    uint32_t hash = ((uint32_t)x >> 2) * UINT32_C(0x9E3779B1) +
                    ((uint32_t)y >> 2) * UINT32_C(0x85EBCA77);
    return hash >> nodes->shift << 4 | ((uint32_t)y & 3) << 2 | ((uint32_t)x & 3);
}

// The slot to look at after one that is taken: in the end each, for the way there is odd.
static inline uint32_t astar_jump_next_slot(const AstarJumpNodes *nodes, uint32_t at)
{
    return (at + ASTAR_JUMP_TILE + 1) & nodes->mask;
}

// Where the number of a cell's node lies, or would.
static inline uint32_t *astar_jump_slot(const AstarJumpNodes *nodes, uint32_t cell, int x, int y)
{
    uint32_t at = astar_jump_home(nodes, x, y);
    for (uint32_t number; (number = nodes->table[at]) != 0; at = astar_jump_next_slot(nodes, at))
        if ((nodes->nodes[number].cell & ~ASTAR_JUMP_CLOSED) == cell)
            break;
    return &nodes->table[at];
}

// Makes room for the node of a cell that has none; its slot, which was 'slot', or NULL when there
// is no memory. Other nodes and slots may move.
uint32_t *astar_jump_nodes_grow(AstarJumpNodes *nodes, const AstarAllocator *allocator,
                                uint32_t *slot, uint32_t cell);

// Makes the node of a cell that has none, whose slot is 'slot', in the same way.
static inline AstarJumpNode *astar_jump_nodes_add(AstarJumpNodes *nodes,
                                                  const AstarAllocator *allocator, uint32_t *slot,
                                                  uint32_t cell)
{
    if (nodes->count >= nodes->capacity || 2 * nodes->count > nodes->mask)
        slot = astar_jump_nodes_grow(nodes, allocator, slot, cell);
    if (slot == NULL)
        return NULL;
    *slot = (uint32_t)nodes->count;
    nodes->nodes[nodes->count].cell = cell;
    return &nodes->nodes[nodes->count++];
}

// The node that a slot names; NULL where it names none.
static inline AstarJumpNode *astar_jump_named(const AstarJumpNodes *nodes, const uint32_t *slot)
{
    return *slot != 0 ? &nodes->nodes[*slot] : NULL;
}

// The node of a cell; NULL where it has none.
static inline AstarJumpNode *astar_jump_node(const AstarJumpNodes *nodes, uint32_t cell)
{
    int x, y;
    astar_cell_xy(nodes->grid, cell, &x, &y);
    return astar_jump_named(nodes, astar_jump_slot(nodes, cell, x, y));
}

static inline uint32_t astar_jump_parent(const AstarJumpNode *node)
{
    return node->parent & ASTAR_CELL_MASK;
}

static inline int astar_jump_arrival(const AstarJumpNode *node)
{
    return (int)(node->parent >> ASTAR_CELL_BITS);
}

static inline bool astar_jump_is_closed(const AstarJumpNode *node)
{
    return (node->cell & ASTAR_JUMP_CLOSED) != 0;
}

#endif
