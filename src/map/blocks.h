// blocks.h -- Layers of blocks: objects on the terrain that bar cells, such as units and closed
// doors.
//
// A finder may ignore some layers. The parameter 'ignored' in this file is the set of the ignored
// layers, one bit per layer. Finders that ignore different layers have separate data, and an edit
// of an ignored layer does not touch the data.

#ifndef ASTAR_BLOCKS_H
#define ASTAR_BLOCKS_H

#include "map/grid.h"

// Value of 'ignored' for data that do not depend on blocks at all.
#define ASTAR_ALL_BLOCKS UINT64_MAX

// Returns the layer with a number, or NULL if there is none.
AstarBlocks *astar_blocks_at(const AstarGrid *grid, int layer);
// Appends a layer of blocks to a grid. The grid must be locked.
AstarStatus astar_blocks_add_layer(AstarGrid *grid, const char *name, size_t length, int *layer);
// Allocates the bitmap of a layer that has had no blocks so far.
AstarStatus astar_blocks_need(AstarGrid *grid, AstarBlocks *blocks);
// Makes room, in each layer with blocks, to count the blocked cells of 'need' terrains.
AstarStatus astar_blocks_reserve_terrains(AstarGrid *grid, size_t need);
// Updates the numbers of blocked cells per terrain when 'cells' consecutive cells change from
// terrain 'before' to 'terrain'.
void astar_blocks_recount(AstarGrid *grid, uint32_t cell, uint32_t cells, int before, int terrain);
// Copies the layers and blocks of a grid to a copy that has the same terrains and no blocks.
AstarStatus astar_blocks_clone(const AstarGrid *grid, AstarGrid *copy);
// Frees all layers of blocks.
void astar_blocks_free(AstarGrid *grid);
// Returns the bytes of all layers of blocks.
size_t astar_blocks_bytes(const AstarGrid *grid);

// The following functions copy layers and blocks from another grid.

// Adds to a grid the layers that only the other grid has. A layer that both grids have must have
// the same number in both.
AstarStatus astar_blocks_follow_names(AstarGrid *grid, const AstarGrid *from);
// Copies the blocks of a rectangle from another grid of the same size. 'grid' must have all layers
// of the other grid.
AstarStatus astar_blocks_copy(AstarGrid *grid, const AstarGrid *from, int x, int y, int width,
                              int height);
// Returns true if a part of a row has the same blocks on two grids. The function compares whole
// words of bits, so it may return false because of cells next to that part.
bool astar_blocks_are_like(const AstarGrid *grid, const AstarGrid *from, int x, int y, int width);
// Replaces the logs of edits of the layers by those of another grid.
void astar_blocks_take_logs(AstarGrid *grid, const AstarGrid *from);

// The following functions read layers that are not ignored.

// Returns the first layer that is not ignored and has had blocks, starting the search with
// 'blocks'. Returns NULL if there is none.
static inline const AstarBlocks *astar_blocks_from(const AstarBlocks *blocks, uint64_t ignored)
{
    while (blocks != NULL && (blocks->bits.words == NULL || (blocks->bit & ignored) != 0))
        blocks = astar_get(&blocks->next);
    return blocks;
}

// Returns the first layer of a grid that is not ignored and has had blocks. Returns NULL if there
// is none.
static inline const AstarBlocks *astar_blocks_first(const AstarGrid *grid, uint64_t ignored)
{
    return astar_blocks_from(&grid->blocks, ignored);
}

// Returns the next layer after 'blocks' that is not ignored and has had blocks. Returns NULL if
// there is none.
static inline const AstarBlocks *astar_blocks_next(const AstarBlocks *blocks, uint64_t ignored)
{
    return astar_blocks_from(astar_get(&blocks->next), ignored);
}

// Returns the cells of row y that are blocked in a layer that is not ignored, as word number 'word'
// of a row of bits.
static inline uint64_t astar_blocks_word(const AstarGrid *grid, uint64_t ignored, int y,
                                         size_t word)
{
    uint64_t blocked = 0;
    const AstarBlocks *each = astar_blocks_first(grid, ignored);
    for (; each != NULL; each = astar_blocks_next(each, ignored))
        blocked |= astar_bits_row(&each->bits, y)[word];
    return blocked;
}

// Returns true if a rectangle contains a block of a layer that is not ignored.
bool astar_blocks_any(const AstarGrid *grid, uint64_t ignored, int x, int y, int width, int height);
// Appends the blocks on a cell, except those of ignored layers, to a list. The list has 'count'
// blocks so far and room for 'room' blocks. Returns the new count, which may exceed the room.
size_t astar_blocks_list(const AstarGrid *grid, uint64_t ignored, int x, int y, AstarBlock *blocks,
                         size_t room, size_t count);
// Returns an upper bound for the number of cells that have a terrain and no block, apart from
// blocks of ignored layers. The bound is exact unless blocks of several layers lie on different
// cells.
uint32_t astar_blocks_spare(const AstarGrid *grid, uint64_t ignored, int terrain);

// The following functions count and list the edits of a grid, without edits of ignored layers.

// Returns the number of edits of a grid, without edits of ignored layers. If two calls return equal
// numbers, no such edit was made between them.
uint64_t astar_version_beside(const AstarGrid *grid, uint64_t ignored);
// Returns true if the logs contain all edits since a version of the grid, apart from edits of
// ignored layers.
bool astar_knows_edits_since(const AstarGrid *grid, uint64_t ignored, uint64_t version);

// Cursor over the edits since a version, without edits of ignored layers. The cursor reads one log
// after another.
typedef struct AstarEditsSince {
    // Set of ignored layers; version of the grid.
    uint64_t ignored, version;
    const AstarEditLog *log;   // log that is being read
    const AstarBlocks *blocks; // layer whose log comes next
    uint64_t left;             // number of edits of 'log' that are left
} AstarEditsSince;

// Returns a cursor at the first edit since a version, without edits of ignored layers.
AstarEditsSince astar_edits_since(const AstarGrid *grid, uint64_t ignored, uint64_t version);
// Returns the next edit of a cursor, or NULL after the last one.
const AstarEdit *astar_next_edit(AstarEditsSince *edits);

#endif
