// jump_nodes.h -- the nodes of a jump point search, in an array with a hash table.
//
// Jump point search has a node for a few cells in a thousand, far apart. Therefore the nodes lie in
// an array in the order in which they were created, and a hash table of their numbers finds the
// node of a cell. The sizes of the array and of the table depend on the search and not on the map,
// so they stay in the processor's cache. The 16 cells of a tile of 4 x 4 have neighbouring slots,
// in one cache line. Where different kinds of ground meet, most cells of a tile have nodes.
// Therefore, if a slot is occupied, the next slot tried belongs to another tile; the slot beside it
// is likely to be needed by a cell of the same tile.

#ifndef ASTAR_JUMP_NODES_H
#define ASTAR_JUMP_NODES_H

#include "base/array.h"
#include "map/grid.h"
#include "openlist/heap64.h"

// A node of a jump point search. The path from its parent has a diagonal leg, then a straight one.
typedef struct AstarJumpNode {
    union {
        uint32_t whole; // g over uniform ground
        double real;    // g on maps with non-uniform cells, in the same unit as that of A*
    } g;
    // The parent's cell in the low ASTAR_CELL_BITS bits; above them how the node was reached, see
    // jump_scan.h.
    uint32_t parent;
    uint32_t cell; // the cell, and the flag ASTAR_JUMP_CLOSED
} AstarJumpNode;

enum { ASTAR_JUMP_TILE = 16 }; // slots of one tile

#define ASTAR_JUMP_CLOSED (UINT32_C(1) << 31)

// The progress of moving a large array of nodes and refilling its hash table, a little per
// expansion.
typedef struct AstarJumpGrowth {
    AstarMove array;
    size_t wiped;    // slots of the larger table that are cleared; the slots after them are not yet
    size_t numbered; // nodes entered into the larger table; 0: no table is being filled
} AstarJumpGrowth;

typedef struct AstarJumpNodes {
    const AstarGrid *grid;
    AstarJumpNode *nodes; // the first node has number 1
    size_t count, capacity;
    uint32_t *table; // numbers of nodes by hash; 0: an empty slot
    size_t slots;    // the number of slots allocated
    // The size of the table minus 1: a power of two minus 1. The table is small when a search
    // begins, and grows.
    uint32_t mask;
    int shift;    // shifts a hash so that the number of a tile's place remains
    size_t crowd; // from this count on, more room is made between expansions
    AstarJumpGrowth growth;
} AstarJumpNodes;

// Removes all nodes and prepares the table for a grid. Returns false if there is no memory.
bool astar_jump_nodes_begin(AstarJumpNodes *nodes, const AstarAllocator *allocator,
                            const AstarGrid *grid);
// Frees the memory that exceeds three quarters of a megabyte. No node may be read afterwards.
void astar_jump_nodes_rest(AstarJumpNodes *nodes, const AstarAllocator *allocator);
void astar_jump_nodes_free(AstarJumpNodes *nodes, const AstarAllocator *allocator);
size_t astar_jump_nodes_bytes(const AstarJumpNodes *nodes);
// Does a limited part of making more room. Call it while count >= crowd. Returns false if there is
// no memory. No node may be looked up until count < crowd again or until
// astar_jump_nodes_finish_table was called.
bool astar_jump_nodes_make_room(AstarJumpNodes *nodes, const AstarAllocator *allocator);
// Finishes the filling of a larger hash table, so that all nodes can be looked up between the steps
// of a search. Only the table changes, not the nodes, so the parameter is const.
void astar_jump_nodes_finish_table(const AstarJumpNodes *nodes);

// Returns the slot of the hash table to try first for a cell's node.
static inline uint32_t astar_jump_home(const AstarJumpNodes *nodes, int x, int y)
{
    uint32_t hash = ((uint32_t)x >> 2) * UINT32_C(0x9E3779B1) +
                    ((uint32_t)y >> 2) * UINT32_C(0x85EBCA77);
    return hash >> nodes->shift << 4 | ((uint32_t)y & 3) << 2 | ((uint32_t)x & 3);
}

// Returns the slot to try after a slot that is taken. The stride is odd, so every slot is tried in
// the end.
static inline uint32_t astar_jump_next_slot(const AstarJumpNodes *nodes, uint32_t at)
{
    return (at + ASTAR_JUMP_TILE + 1) & nodes->mask;
}

// Returns the slot that holds the number of a cell's node, or the empty slot where that number
// belongs.
static inline uint32_t *astar_jump_slot(const AstarJumpNodes *nodes, uint32_t cell, int x, int y)
{
    uint32_t at = astar_jump_home(nodes, x, y);
    for (uint32_t number; (number = nodes->table[at]) != 0; at = astar_jump_next_slot(nodes, at))
        if ((nodes->nodes[number].cell & ~ASTAR_JUMP_CLOSED) == cell)
            break;
    return &nodes->table[at];
}

// Makes room for the node of a cell that has no node yet and whose slot was 'slot'. Returns the
// cell's slot in the table now, or NULL if there is no memory. Other nodes and slots may move.
uint32_t *astar_jump_nodes_grow(AstarJumpNodes *nodes, const AstarAllocator *allocator,
                                uint32_t *slot, uint32_t cell);

// Adds the node of a cell that has no node yet and whose slot is 'slot'. Returns NULL if there is
// no memory. Other nodes and slots may move.
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

// Returns the node whose number a slot holds, or NULL for an empty slot.
static inline AstarJumpNode *astar_jump_named(const AstarJumpNodes *nodes, const uint32_t *slot)
{
    return *slot != 0 ? &nodes->nodes[*slot] : NULL;
}

// Returns the node of a cell, or NULL if the cell has none.
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
