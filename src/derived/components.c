// components.c -- the connected components of a bitmap, kept current as bits flip.
//
// Every set cell belongs to a node, every node to a component by union-find. A label of four bytes
// a cell would cost more than the map itself, so the map is cut into tiles: a cell stores one byte,
// which of its tile's nodes is its own. A tile has few, as a rule one.
//
// One sweep over the tiles builds it, a run of cells at a time: a run joins the node of a run above
// it in the same tile, or begins a node, and its node is united with those of the other cells it
// touches.
//
// Setting a bit only ever joins. Clearing one splits nothing while the set cells around it still
// hold together among themselves, which the eight bits around it tell. Otherwise what it has cut
// off is sought and labelled anew; where that takes too long, everything is rebuilt before a label
// is next asked for.

#include "derived/components.h"

#include "base/array.h"
#include "base/directions.h"
#include "derived/component_cut.h"
#include "derived/component_patch.h"
#include "map/grid.h"

#include <assert.h>
#include <string.h>

enum {
    NO_NODE = -1,
    MOST_NODES = ASTAR_TILE * ASTAR_TILE / 2, // a sweep begins in one tile: a checkerboard's
    SPARE_NODES = 6,                          // room for cells that are set or cut off later
    MOST_TILES = 64                           // that a part cut off may lie in
};

static_assert(MOST_NODES + SPARE_NODES <= UINT8_MAX, "a tile's node must fit a byte");

AstarStatus astar_components_new(const AstarGrid *grid, bool diagonal, AstarComponents **out)
{
    const AstarAllocator *allocator = &grid->allocator;
    AstarComponents *c = astar_alloc(allocator, 1, sizeof *c);
    if (c == NULL)
        return ASTAR_NO_MEMORY;
    c->allocator = *allocator;
    c->diagonal = diagonal;
    astar_put(&c->stale, true);
    c->width = grid->width;
    c->height = grid->height;
    c->columns = ((uint32_t)grid->width + ASTAR_TILE - 1) / ASTAR_TILE;
    c->rows = ((uint32_t)grid->height + ASTAR_TILE - 1) / ASTAR_TILE;
    c->local = astar_alloc(allocator, grid->cells, 1);
    c->tiles = astar_alloc(allocator, (size_t)c->columns * c->rows, sizeof *c->tiles);
    if (c->local == NULL || c->tiles == NULL) {
        astar_components_free(c);
        return ASTAR_NO_MEMORY;
    }
    *out = c;
    return ASTAR_OK;
}

void astar_components_free(AstarComponents *c)
{
    if (c == NULL)
        return;
    AstarAllocator allocator = c->allocator;
    astar_component_patch_free(&allocator, c->patch);
    astar_release(&allocator, c->local, (size_t)c->width * (size_t)c->height, 1);
    astar_release(&allocator, c->tiles, (size_t)c->columns * c->rows, sizeof *c->tiles);
    astar_release(&allocator, c->parent, c->node_capacity, sizeof *c->parent);
    astar_release(&allocator, c, 1, sizeof *c);
}

size_t astar_components_bytes(const AstarComponents *c)
{
    if (c == NULL)
        return 0;
    return sizeof *c + astar_component_patch_bytes(c->patch) +
           (size_t)c->width * (size_t)c->height + (size_t)c->columns * c->rows * sizeof *c->tiles +
           c->node_capacity * sizeof *c->parent;
}

// ---- union-find ----

// Nodes are far fewer than that: a bit for roots, beside their rank.
static const uint32_t ROOT = (uint32_t)1 << 31;

// Reads only: threads may ask for labels at once.
static uint32_t root_of(const AstarComponents *c, uint32_t node)
{
    while ((c->parent[node] & ROOT) == 0)
        node = c->parent[node];
    return node;
}

// The same, and halves the way there.
static uint32_t find_root(AstarComponents *c, uint32_t node)
{
    for (uint32_t parent; ((parent = c->parent[node]) & ROOT) == 0; node = parent)
        if ((c->parent[parent] & ROOT) == 0)
            parent = c->parent[node] = c->parent[parent];
    return node;
}

// By rank, no root is farther than the logarithm of the number of nodes: labels need not shorten
// the way to it.
static void unite(AstarComponents *c, uint32_t a, uint32_t b)
{
    a = find_root(c, a);
    b = find_root(c, b);
    if (a == b)
        return;
    uint32_t low = a < b ? a : b, high = a < b ? b : a; // early nodes gather the large components
    if (c->parent[low] < c->parent[high]) {
        c->parent[low] = high;
        return;
    }
    if (c->parent[low] == c->parent[high])
        c->parent[low]++;
    c->parent[high] = low;
}

static AstarTile *tile_at(const AstarComponents *c, int x, int y)
{
    return &c->tiles[(uint32_t)y / ASTAR_TILE * c->columns + (uint32_t)x / ASTAR_TILE];
}

static uint8_t *local_at(const AstarComponents *c, int x, int y)
{
    return &c->local[(size_t)y * (size_t)c->width + (size_t)x];
}

static uint32_t component_node_at(const AstarComponents *c, int x, int y)
{
    return tile_at(c, x, y)->first + *local_at(c, x, y);
}

// By a patch, what hangs together gets a label beyond those there were.
static uint32_t patched_label(const AstarComponentPatch *patch, int x, int y)
{
    const AstarComponents *under = patch->under;
    uint32_t node = astar_component_patch_cell(patch, x, y), label = 0;
    if (node == UINT32_MAX) {
        label = astar_components_label(under, x, y);
        node = astar_component_patch_label(patch, label);
    }
    return node == UINT32_MAX ? label : under->node_count + patch->roots[node];
}

uint32_t astar_components_label(const AstarComponents *c, int x, int y)
{
    assert(!astar_get(&c->stale));
    if (c->patch != NULL)
        return patched_label(c->patch, x, y);
    return root_of(c, component_node_at(c, x, y));
}

// Gives a tile one more node, a component of its own. There must be room.
static int add_node(AstarComponents *c, AstarTile *tile)
{
    assert(tile->count < tile->capacity);
    int local = tile->count++;
    c->parent[tile->first + (uint32_t)local] = ROOT;
    return local;
}

// ---- building ----

// Up to 32 bits of a row from cell x on.
static uint32_t bits_from(const AstarBits *bits, int x, int y, int count)
{
    const uint64_t *row = astar_bits_row(bits, y);
    size_t bit = (size_t)(x + 1);
    unsigned shift = bit & 63;
    uint64_t word = row[bit >> 6] >> shift;
    if (shift + (unsigned)count > 64)
        word |= row[(bit >> 6) + 1] << (64 - shift);
    return (uint32_t)(word & (((uint64_t)1 << count) - 1));
}

static bool same_tile(int x0, int y0, int x1, int y1)
{
    return x0 / ASTAR_TILE == x1 / ASTAR_TILE && y0 / ASTAR_TILE == y1 / ASTAR_TILE;
}

// The cells of the row above that the run [x, x + length) of row y touches, as bits from x - 1 on.
// Where a run ends with its tile, the cell diagonally beyond is in a tile that is swept later and
// looks back itself, unless it belongs to the tiles above.
static uint32_t touched_above(const AstarComponents *c, const AstarBits *bits, int x, int y,
                              int length)
{
    uint32_t above = bits_from(bits, x - 1, y - 1, length + 2);
    uint32_t ends = (uint32_t)1 << (length + 1);
    if (!c->diagonal)
        return above & ~ends & ~(uint32_t)1;
    bool later = (x + length) % ASTAR_TILE == 0 && y % ASTAR_TILE != 0;
    return later ? above & ~ends : above;
}

// Gives a run of cells its node and unites it with all it touches above and to the west.
static void label_run(AstarComponents *c, const AstarBits *bits, AstarTile *tile, int x, int y,
                      int length)
{
    uint32_t above = touched_above(c, bits, x, y, length);
    int local = NO_NODE;
    for (uint32_t rest = above & ~(above << 1); rest != 0 && local == NO_NODE; rest &= rest - 1) {
        int touched = x - 1 + astar_lowest_bit(rest);
        // A run above may begin in the tile to the west: its first cell in this tile counts.
        if (touched < x && x % ASTAR_TILE == 0 && (above >> 1 & 1) != 0)
            touched = x;
        if (same_tile(touched, y - 1, x, y))
            local = *local_at(c, touched, y - 1);
    }
    if (local == NO_NODE)
        local = add_node(c, tile);
    memset(local_at(c, x, y), local, (size_t)length);

    uint32_t node = tile->first + (uint32_t)local;
    for (; above != 0; above &= above - 1)
        unite(c, node, component_node_at(c, x - 1 + astar_lowest_bit(above), y - 1));
    if (x % ASTAR_TILE == 0) {
        if (astar_bits_get(bits, x - 1, y))
            unite(c, node, component_node_at(c, x - 1, y));
        if (c->diagonal && (y + 1) % ASTAR_TILE != 0 && astar_bits_get(bits, x - 1, y + 1))
            unite(c, node, component_node_at(c, x - 1, y + 1));
    }
}

static void label_tile(AstarComponents *c, const AstarBits *bits, int x0, int y0)
{
    AstarTile *tile = tile_at(c, x0, y0);
    *tile = (AstarTile){c->node_count, 0, MOST_NODES};
    int width = c->width - x0 < ASTAR_TILE ? c->width - x0 : ASTAR_TILE;
    int bottom = c->height - y0 < ASTAR_TILE ? c->height : y0 + ASTAR_TILE;
    for (int y = y0; y < bottom; y++) {
        uint32_t row = bits_from(bits, x0, y, width);
        while (row != 0) {
            int from = astar_lowest_bit(row);
            int length = astar_lowest_bit(~(uint64_t)(row >> from));
            label_run(c, bits, tile, x0 + from, y, length);
            row &= ~((((uint32_t)1 << length) - 1) << from);
        }
    }
    tile->capacity = (uint16_t)(tile->count + SPARE_NODES);
    c->node_count += tile->capacity;
}

// Makes room for the nodes of one more tile.
static bool reserve_nodes(AstarComponents *c)
{
    uint32_t need = c->node_count + MOST_NODES + SPARE_NODES;
    if (need <= c->node_capacity)
        return true;
    uint32_t capacity = c->node_capacity + c->node_capacity / 2;
    if (capacity < need)
        capacity = need + c->columns * c->rows * (SPARE_NODES + 2);
    size_t room = c->node_capacity;
    uint32_t *parent = astar_array_resize(&c->allocator, c->parent, c->node_count, sizeof *parent,
                                          &room, capacity);
    if (parent == NULL)
        return false;
    c->parent = parent;
    c->node_capacity = capacity;
    return true;
}

AstarStatus astar_components_update(AstarComponents *c, const AstarBits *bits)
{
    if (!astar_get(&c->stale))
        return ASTAR_OK;
    c->node_count = 0;
    for (int y = 0; y < c->height; y += ASTAR_TILE)
        for (int x = 0; x < c->width; x += ASTAR_TILE) {
            if (!reserve_nodes(c))
                return ASTAR_NO_MEMORY;
            label_tile(c, bits, x, y);
        }
    astar_put(&c->stale, false);
    return ASTAR_OK;
}

// ---- edits ----

// A cell was set: it joins a node of its tile or begins one, and unites all it touches.
static void join_cell(AstarComponents *c, int x, int y, unsigned around)
{
    AstarTile *tile = tile_at(c, x, y);
    int local = NO_NODE;
    for (int d = 0; d < ASTAR_DIRECTIONS; d++)
        if ((around >> d & 1) != 0 && same_tile(x, y, x + astar_dx[d], y + astar_dy[d]))
            local = *local_at(c, x + astar_dx[d], y + astar_dy[d]);
    if (local == NO_NODE && tile->count == tile->capacity) {
        astar_put(&c->stale, true);
        return;
    }
    if (local == NO_NODE)
        local = add_node(c, tile);
    *local_at(c, x, y) = (uint8_t)local;
    for (int d = 0; d < ASTAR_DIRECTIONS; d++)
        if ((around >> d & 1) != 0)
            unite(c, component_node_at(c, x, y),
                  component_node_at(c, x + astar_dx[d], y + astar_dy[d]));
}

// Whether the set cells around a cleared one still hold together among themselves. Neighbours in
// the ring touch; by diagonal steps two straight neighbours also touch past the corner between
// them, and without diagonal steps a corner alone touches nothing.
static bool holds_together(bool diagonal, unsigned around)
{
    unsigned straight = around & ASTAR_STRAIGHTS;
    unsigned left = astar_rotate(straight, 1), right = astar_rotate(straight, 7);
    unsigned ring = diagonal ? around | (left & right) : straight | (around & (left | right));
    unsigned begins = ring & ~astar_rotate(ring, 1);
    return (begins & (begins - 1)) == 0; // at most one stretch of the ring
}

// The nodes of a part that was cut off, one for each tile it lies in.
typedef struct NewNodes {
    AstarTile *tiles[MOST_TILES];
    uint8_t locals[MOST_TILES];
    int count;
} NewNodes;

// Finds or adds the part's node in a tile; NO_NODE where there is no room.
static int node_of_part(AstarComponents *c, NewNodes *nodes, AstarTile *tile)
{
    for (int i = nodes->count - 1; i >= 0; i--)
        if (nodes->tiles[i] == tile)
            return nodes->locals[i];
    if (nodes->count == MOST_TILES || tile->count == tile->capacity)
        return NO_NODE;
    int local = add_node(c, tile);
    nodes->tiles[nodes->count] = tile;
    nodes->locals[nodes->count++] = (uint8_t)local;
    unite(c, nodes->tiles[0]->first + nodes->locals[0], tile->first + (uint32_t)local);
    return local;
}

// Labels a part that was cut off; false where there is no room for its nodes.
static bool label_part(AstarComponents *c, const AstarComponentCut *split, int part)
{
    NewNodes nodes = {.count = 0};
    for (int i = 0; i < split->count; i++) {
        const AstarCutSide *side = &split->sides[i];
        for (int j = 0; astar_component_cut_part(split, i) == part && j < side->count; j++) {
            int x = (int)(side->cells[j] % (uint32_t)c->width);
            int y = (int)(side->cells[j] / (uint32_t)c->width);
            int local = node_of_part(c, &nodes, tile_at(c, x, y));
            if (local == NO_NODE)
                return false;
            *local_at(c, x, y) = (uint8_t)local;
        }
    }
    return true;
}

// A cell was cleared whose neighbours no longer hold together: labels what that has cut off.
static bool cut_off(AstarComponents *c, const AstarBits *bits, int x, int y, unsigned around)
{
    AstarComponentCut split;
    if (!astar_component_cut_find(&split, bits, c->width, c->diagonal, x, y, around))
        return false;
    int rest = astar_component_cut_rest(&split);
    for (int i = 0; i < split.count; i++)
        if (astar_component_cut_part(&split, i) == i && i != rest && !label_part(c, &split, i))
            return false;
    return true;
}

void astar_components_edited(AstarComponents *c, const AstarBits *bits, int x, int y)
{
    if (astar_get(&c->stale))
        return;
    unsigned around = astar_bits_around(bits, x, y);
    if (astar_bits_get(bits, x, y))
        join_cell(c, x, y, c->diagonal ? around : around & ASTAR_STRAIGHTS);
    else if (!holds_together(c->diagonal, around) && !cut_off(c, bits, x, y, around))
        astar_put(&c->stale, true);
}
