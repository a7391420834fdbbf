// blocks.h -- Layers of blocks: objects that stand on the terrain, such as units and closed doors.
// A finder may ignore layers; 'ignored' has one bit for each of them. Data built for finders are
// kept apart by these bits, and edits of ignored layers do not touch them.

#ifndef ASTAR_BLOCKS_H
#define ASTAR_BLOCKS_H

#include "map/grid.h"

// Value of 'ignored' for data that do not depend on blocks at all.
#define ASTAR_ALL_BLOCKS UINT64_MAX

// Returns the layer with a number, or NULL.
AstarBlocks *astar_blocks_at(const AstarGrid *grid, int layer);
// Appends a layer. The grid must be locked.
AstarStatus astar_blocks_add_layer(AstarGrid *grid, const char *name, size_t length, int *layer);
// Allocates the bitmap of a layer that has had no blocks so far.
AstarStatus astar_blocks_need(AstarGrid *grid, AstarBlocks *blocks);
// Makes room to count blocks on 'need' terrains, in each layer with blocks.
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

// Copying from another grid.

// Adds the layers that another grid has in addition. The common layers must have the same order.
AstarStatus astar_blocks_follow_names(AstarGrid *grid, const AstarGrid *from);
// Copies the blocks of a rectangle from another grid of the same size, all of whose layers 'grid'
// must have.
AstarStatus astar_blocks_copy(AstarGrid *grid, const AstarGrid *from, int x, int y, int width,
                              int height);
// Returns true if a part of a row has the same blocks on two grids. It compares whole words of
// bits, so a difference in cells nearby may make it return false.
bool astar_blocks_are_like(const AstarGrid *grid, const AstarGrid *from, int x, int y, int width);
// Takes over the logs of edits of another grid's layers.
void astar_blocks_take_logs(AstarGrid *grid, const AstarGrid *from);

// Layers that are not ignored.

// Returns the first layer, from 'blocks' on, that is not ignored and has had blocks; NULL if there
// is none.
static inline const AstarBlocks *astar_blocks_from(const AstarBlocks *blocks, uint64_t ignored)
{
    while (blocks != NULL && (blocks->bits.words == NULL || (blocks->bit & ignored) != 0))
        blocks = astar_get(&blocks->next);
    return blocks;
}

// Returns the first layer of a grid that is not ignored and has had blocks; NULL if there is none.
static inline const AstarBlocks *astar_blocks_first(const AstarGrid *grid, uint64_t ignored)
{
    return astar_blocks_from(&grid->blocks, ignored);
}

// Returns the next layer after 'blocks' that is not ignored and has had blocks.
static inline const AstarBlocks *astar_blocks_next(const AstarBlocks *blocks, uint64_t ignored)
{
    return astar_blocks_from(astar_get(&blocks->next), ignored);
}

// Returns the blocked cells of layers that are not ignored, in one word of row y.
static inline uint64_t astar_blocks_word(const AstarGrid *grid, uint64_t ignored, int y,
                                         size_t word)
{
    uint64_t blocked = 0;
    const AstarBlocks *each = astar_blocks_first(grid, ignored);
    for (; each != NULL; each = astar_blocks_next(each, ignored))
        blocked |= astar_bits_row(&each->bits, y)[word];
    return blocked;
}

// Returns true if a block of a layer that is not ignored stands in a rectangle.
bool astar_blocks_any(const AstarGrid *grid, uint64_t ignored, int x, int y, int width, int height);
// Appends the blocks on a cell, in layers that are not ignored, to a list of 'count' blocks with
// room for 'room'. Returns the new count, which may exceed the room.
size_t astar_blocks_list(const AstarGrid *grid, uint64_t ignored, int x, int y, AstarBlock *blocks,
                         size_t room, size_t count);
// Returns an upper bound for the number of cells of a terrain without blocks of layers that are not
// ignored. It is exact unless blocks of several layers stand on different cells.
uint32_t astar_blocks_spare(const AstarGrid *grid, uint64_t ignored, int terrain);

// Edits that are not edits of ignored layers.

// Returns the number of such edits. Equal results mean that there was no such edit in between.
uint64_t astar_version_beside(const AstarGrid *grid, uint64_t ignored);
// Returns true if the logs contain all such edits since a version of the grid.
bool astar_knows_edits_since(const AstarGrid *grid, uint64_t ignored, uint64_t version);

// Cursor over such edits since a version, one log after another.
typedef struct AstarEditsSince {
    // Ignored layers, and the version.
    uint64_t ignored, version;
    const AstarEditLog *log;   // log that is being read
    const AstarBlocks *blocks; // layer whose log comes next
    uint64_t left;             // edits left in the log
} AstarEditsSince;

// Returns a cursor at the first such edit since a version.
AstarEditsSince astar_edits_since(const AstarGrid *grid, uint64_t ignored, uint64_t version);
// Returns the next edit, or NULL after the last one.
const AstarEdit *astar_next_edit(AstarEditsSince *edits);

#endif
