// jump_nodes.c -- the memory of the nodes of a search by jumps, and their table.
//
// A table at most half full is searched by linear probing. It grows by numbering all nodes anew, in
// the memory that a search before it has left where that is enough. Many nodes grow by a quarter,
// not to twice as many: on a large map they are most of what a thread's searches take.

#include "search/jump_nodes.h"

#include "base/array.h"

#include <string.h>

enum {
    FEWEST_NODES = 32,
    MANY_NODES = 4096,                 // from so many on they grow by less
    FEWEST_SLOTS = 64,                 // the first time
    FIRST_SLOTS = 256,                 // of a search, where there is memory for so many
    MANY_SLOTS = 4096,                 // from so many on they grow by less
    TILE = 16,                         // slots
    MOST_NODE_BYTES = 32 * 1024 * 1024 // bytes
};

size_t astar_jump_nodes_bytes(const AstarJumpNodes *nodes)
{
    return nodes->capacity * sizeof *nodes->nodes + nodes->slots * sizeof *nodes->table;
}

void astar_jump_nodes_free(AstarJumpNodes *nodes, const AstarAllocator *allocator)
{
    astar_release(allocator, nodes->nodes, nodes->capacity, sizeof *nodes->nodes);
    astar_release(allocator, nodes->table, nodes->slots, sizeof *nodes->table);
    *nodes = (AstarJumpNodes){0};
}

void astar_jump_nodes_rest(AstarJumpNodes *nodes, const AstarAllocator *allocator)
{
    if (astar_jump_nodes_bytes(nodes) > MOST_NODE_BYTES)
        astar_jump_nodes_free(nodes, allocator);
    nodes->grid = NULL;
}

// Uses so many slots, all of them empty.
static void use_slots(AstarJumpNodes *nodes, size_t slots)
{
    nodes->mask = (uint32_t)(slots - 1);
    nodes->shift = 32;
    for (size_t tiles = slots / TILE; tiles > 1; tiles /= 2)
        nodes->shift--;
}

static bool reserve_slots(AstarJumpNodes *nodes, const AstarAllocator *allocator, size_t slots)
{
    if (slots <= nodes->slots) {
        memset(nodes->table, 0, slots * sizeof *nodes->table);
        use_slots(nodes, slots);
        return true;
    }
    uint32_t *table = astar_alloc(allocator, slots, sizeof *table);
    if (table == NULL)
        return false;
    astar_release(allocator, nodes->table, nodes->slots, sizeof *nodes->table);
    nodes->table = table;
    nodes->slots = slots;
    use_slots(nodes, slots);
    return true;
}

bool astar_jump_nodes_begin(AstarJumpNodes *nodes, const AstarAllocator *allocator,
                            const AstarGrid *grid)
{
    size_t slots = nodes->slots < FIRST_SLOTS ? nodes->slots : FIRST_SLOTS,
           before = ((size_t)nodes->mask + 1) / 4;
    slots = before > slots ? before : slots;
    nodes->grid = grid;
    nodes->count = 1;
    return reserve_slots(nodes, allocator, slots > 0 ? slots : FEWEST_SLOTS);
}

static bool grow_table(AstarJumpNodes *nodes, const AstarAllocator *allocator)
{
    size_t slots = (size_t)nodes->mask + 1;
    if (!reserve_slots(nodes, allocator, slots < MANY_SLOTS ? 4 * slots : 2 * slots))
        return false;
    for (uint32_t i = 1; i < nodes->count; i++) {
        uint32_t cell = nodes->nodes[i].cell & ~ASTAR_JUMP_CLOSED;
        int x, y;
        astar_cell_xy(nodes->grid, cell, &x, &y);
        *astar_jump_slot(nodes, cell, x, y) = i;
    }
    return true;
}

static bool reserve_node(AstarJumpNodes *nodes, const AstarAllocator *allocator)
{
    if (nodes->count < nodes->capacity)
        return true;
    size_t before = nodes->capacity, filled = before > 0 ? nodes->count : 0;
    size_t wanted = before < MANY_NODES ? 2 * before : before + before / 4;
    AstarJumpNode *grown = astar_array_resize(allocator, nodes->nodes, filled, sizeof *nodes->nodes,
                                              &nodes->capacity,
                                              wanted > FEWEST_NODES ? wanted : FEWEST_NODES);
    if (grown == NULL)
        return false;
    nodes->nodes = grown;
    return true;
}

AstarJumpNode *astar_jump_nodes_add(AstarJumpNodes *nodes, const AstarAllocator *allocator,
                                    uint32_t *slot, uint32_t cell)
{
    if (!reserve_node(nodes, allocator))
        return NULL;
    if (2 * nodes->count > nodes->mask) {
        if (!grow_table(nodes, allocator))
            return NULL;
        int x, y;
        astar_cell_xy(nodes->grid, cell, &x, &y);
        slot = astar_jump_slot(nodes, cell, x, y);
    }
    *slot = (uint32_t)nodes->count;
    nodes->nodes[nodes->count].cell = cell;
    return &nodes->nodes[nodes->count++];
}
