// jump_nodes.c -- the memory of the nodes of a jump point search, and their hash table.
//
// The table is at most half full. To grow, the table is cleared and all nodes are entered again; if
// an earlier search needed a table of that size, its memory is used. With many nodes, growing all
// at once would take longer than a timed step may last. Therefore large arrays are moved, and large
// tables are refilled, a few nodes per expansion, before they are full. A large array grows by a
// quarter rather than to twice its size, because on a large map the nodes are most of the memory of
// a thread's searches. Between searches only as much memory is kept as most searches need. The few
// searches that need many times as much allocate it again, in less than 1 % of their time.

#include "search/jump_nodes.h"

#include <string.h>

enum {
    FEWEST_NODES = 32,
    MANY_NODES = 4096,    // from this count on the array grows by a quarter
    FEWEST_SLOTS = 64,    // number of slots of the smallest table
    FIRST_SLOTS = 128,    // the size at which a search begins, if so much memory is there
    MANY_SLOTS = 4096,    // from this size on the table doubles; below, it grows fourfold
    CROWD_SLOTS = 65536,  // from this size on the growth is spread over expansions
    CROWD_SHARE = 16,     // 1 in 16 slots is left for nodes until the growth ends
    NODES_AT_A_TIME = 64, // nodes entered into the table per expansion
    KEPT_NODES = 32768,   // maximum nodes kept between searches: half a megabyte
    KEPT_SLOTS = 65536    // maximum slots kept between searches: a quarter of a megabyte
};

size_t astar_jump_nodes_bytes(const AstarJumpNodes *nodes)
{
    return (nodes->capacity + nodes->growth.array.capacity) * sizeof *nodes->nodes +
           nodes->slots * sizeof *nodes->table;
}

static void drop_jump_growth(AstarJumpNodes *nodes, const AstarAllocator *allocator)
{
    if (nodes->growth.array.to != NULL)
        astar_array_drop_move(allocator, sizeof *nodes->nodes, &nodes->growth.array);
    nodes->growth = (AstarJumpGrowth){0};
}

void astar_jump_nodes_free(AstarJumpNodes *nodes, const AstarAllocator *allocator)
{
    drop_jump_growth(nodes, allocator);
    astar_release(allocator, nodes->nodes, nodes->capacity, sizeof *nodes->nodes);
    astar_release(allocator, nodes->table, nodes->slots, sizeof *nodes->table);
    *nodes = (AstarJumpNodes){0};
}

// Computes 'crowd', the number of nodes at which the search starts to make more room, from the
// sizes of the table and the array.
static void set_jump_crowd(AstarJumpNodes *nodes)
{
    size_t slots = (size_t)nodes->mask + 1, spare = slots / CROWD_SHARE;
    size_t room = nodes->capacity < slots / 2 ? nodes->capacity : slots / 2;
    nodes->crowd = slots < CROWD_SLOTS ? SIZE_MAX : room - (spare < room ? spare : room);
}

// Sets the number of slots of the table that are in use.
static void use_slots(AstarJumpNodes *nodes, size_t slots)
{
    nodes->mask = (uint32_t)(slots - 1);
    nodes->shift = 32;
    for (size_t tiles = slots / ASTAR_JUMP_TILE; tiles > 1; tiles /= 2)
        nodes->shift--;
}

ASTAR_HOT void astar_jump_nodes_rest(AstarJumpNodes *nodes, const AstarAllocator *allocator)
{
    drop_jump_growth(nodes, allocator);
    if (nodes->capacity > KEPT_NODES)
        nodes->nodes = astar_array_shrink(allocator, nodes->nodes, sizeof *nodes->nodes,
                                          &nodes->capacity, KEPT_NODES);
    if (nodes->slots > KEPT_SLOTS) {
        nodes->table = astar_array_shrink(allocator, nodes->table, sizeof *nodes->table,
                                          &nodes->slots, KEPT_SLOTS);
        use_slots(nodes, KEPT_SLOTS);
    }
    nodes->grid = NULL;
}

// Sets the number of slots in use to 'slots', a power of two. Stores in '*wiped' how many of them,
// from the first on, are known to be empty; the other slots keep old numbers.
ASTAR_HOT static bool reserve_slots(AstarJumpNodes *nodes, const AstarAllocator *allocator,
                                    size_t slots, size_t *wiped)
{
    *wiped = slots <= nodes->slots ? 0 : slots;
    if (slots > nodes->slots) {
        uint32_t *table = astar_array_resize(allocator, nodes->table, 0, sizeof *table,
                                             &nodes->slots, slots);
        if (table == NULL)
            return false;
        nodes->table = table;
    }
    use_slots(nodes, slots);
    return true;
}

static void wipe_jump_slots(AstarJumpNodes *nodes, size_t from, size_t to)
{
    memset(nodes->table + from, 0, (to - from) * sizeof *nodes->table);
}

ASTAR_HOT bool astar_jump_nodes_begin(AstarJumpNodes *nodes, const AstarAllocator *allocator,
                                      const AstarGrid *grid)
{
    size_t slots = nodes->slots < FIRST_SLOTS ? nodes->slots : FIRST_SLOTS,
           before = ((size_t)nodes->mask + 1) / 4, wiped;
    slots = before > slots ? before : slots;
    slots = slots > 0 ? slots : FEWEST_SLOTS;
    drop_jump_growth(nodes, allocator);
    nodes->grid = grid;
    nodes->count = 1;
    if (!reserve_slots(nodes, allocator, slots, &wiped))
        return false;
    wipe_jump_slots(nodes, wiped, slots);
    set_jump_crowd(nodes);
    return true;
}

// Enters the nodes 'from' to 'to' - 1 into the table. Each node belongs to another cell, so the
// nodes in slots already taken need not be compared.
static void number_jump_nodes(AstarJumpNodes *nodes, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        uint32_t cell = nodes->nodes[i].cell & ~ASTAR_JUMP_CLOSED;
        int x, y;
        astar_cell_xy(nodes->grid, cell, &x, &y);
        uint32_t at = astar_jump_home(nodes, x, y);
        while (nodes->table[at] != 0)
            at = astar_jump_next_slot(nodes, at);
        nodes->table[at] = (uint32_t)i;
    }
}

static bool grow_table(AstarJumpNodes *nodes, const AstarAllocator *allocator)
{
    size_t slots = (size_t)nodes->mask + 1, wiped;
    slots *= slots < MANY_SLOTS ? 4 : 2;
    if (!reserve_slots(nodes, allocator, slots, &wiped))
        return false;
    wipe_jump_slots(nodes, wiped, slots);
    number_jump_nodes(nodes, 1, nodes->count);
    set_jump_crowd(nodes);
    return true;
}

// Returns the capacity that the array of nodes grows to.
static size_t next_capacity(const AstarJumpNodes *nodes)
{
    size_t now = nodes->capacity, wanted = now < MANY_NODES ? 2 * now : now + now / 4;
    return wanted > FEWEST_NODES ? wanted : FEWEST_NODES;
}

static bool reserve_node(AstarJumpNodes *nodes, const AstarAllocator *allocator)
{
    if (nodes->count < nodes->capacity)
        return true;
    size_t filled = nodes->capacity > 0 ? nodes->count : 0;
    AstarJumpNode *grown = astar_array_resize(allocator, nodes->nodes, filled, sizeof *nodes->nodes,
                                              &nodes->capacity, next_capacity(nodes));
    if (grown == NULL)
        return false;
    nodes->nodes = grown;
    set_jump_crowd(nodes);
    return true;
}

// The functions below make the array and the table grow, a little per expansion.

static size_t least_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

static bool move_jump_nodes(AstarJumpNodes *nodes, const AstarAllocator *allocator)
{
    AstarJumpNode *moved = astar_array_move(allocator, nodes->nodes, nodes->count, sizeof *moved,
                                            &nodes->capacity, next_capacity(nodes),
                                            &nodes->growth.array, 4 * NODES_AT_A_TIME);
    if (moved == NULL)
        return false;
    nodes->nodes = moved;
    set_jump_crowd(nodes);
    return true;
}

// Clears up to 'most' slots of the larger table or, if all are clear, enters up to 'most' nodes.
static void fill_jump_table(AstarJumpNodes *nodes, size_t most)
{
    AstarJumpGrowth *growth = &nodes->growth;
    size_t slots = (size_t)nodes->mask + 1;
    if (growth->wiped < slots) {
        size_t end = least_of(slots - growth->wiped, most) + growth->wiped;
        wipe_jump_slots(nodes, growth->wiped, end);
        growth->wiped = end;
        return;
    }
    size_t end = least_of(nodes->count - growth->numbered, most) + growth->numbered;
    number_jump_nodes(nodes, growth->numbered, end);
    growth->numbered = end;
    if (end < nodes->count)
        return;
    *growth = (AstarJumpGrowth){0};
    set_jump_crowd(nodes);
}

bool astar_jump_nodes_make_room(AstarJumpNodes *nodes, const AstarAllocator *allocator)
{
    AstarJumpGrowth *growth = &nodes->growth;
    size_t slots = (size_t)nodes->mask + 1;
    if (growth->numbered == 0 && nodes->count + slots / CROWD_SHARE >= nodes->capacity)
        return move_jump_nodes(nodes, allocator);
    if (growth->numbered == 0) {
        if (!reserve_slots(nodes, allocator, 2 * slots, &growth->wiped))
            return false;
        growth->numbered = 1;
    }
    fill_jump_table(nodes, growth->wiped <= nodes->mask ? 16 * NODES_AT_A_TIME : NODES_AT_A_TIME);
    return true;
}

void astar_jump_nodes_finish_table(const AstarJumpNodes *nodes)
{
    while (nodes->growth.numbered > 0)
        fill_jump_table((AstarJumpNodes *)nodes, SIZE_MAX);
}

uint32_t *astar_jump_nodes_grow(AstarJumpNodes *nodes, const AstarAllocator *allocator,
                                uint32_t *slot, uint32_t cell)
{
    if (!reserve_node(nodes, allocator))
        return NULL;
    if (2 * nodes->count <= nodes->mask)
        return slot;
    if (!grow_table(nodes, allocator))
        return NULL;
    int x, y;
    astar_cell_xy(nodes->grid, cell, &x, &y);
    return astar_jump_slot(nodes, cell, x, y);
}
