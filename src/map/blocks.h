// blocks.h -- what stands on the ground, in layers, and what of it counts for whom.
//
// Finders may ignore layers: 'ignored' has their bits. What is derived of a grid is told apart by
// them, and takes no note of edits in layers that it ignores.

#ifndef ASTAR_BLOCKS_H
#define ASTAR_BLOCKS_H

#include "map/grid.h"

// Of a layer that does not know which blocks there are: it reads none.
#define ASTAR_ALL_BLOCKS UINT64_MAX

// The layer of a number; NULL: there is none.
AstarBlocks *astar_blocks_at(const AstarGrid *grid, int layer);
// Adds a layer to the end, while the grid is locked.
AstarStatus astar_blocks_add_layer(AstarGrid *grid, const char *name, size_t length, int *layer);
// Makes room for blocks where there were none yet.
AstarStatus astar_blocks_need(AstarGrid *grid, AstarBlocks *blocks);
// Makes room to count blocks of that many terrains, where there are blocks.
AstarStatus astar_blocks_reserve_terrains(AstarGrid *grid, size_t need);
// Counts cells, one after another, that change from one terrain to another.
void astar_blocks_recount(AstarGrid *grid, uint32_t cell, uint32_t cells, int before, int terrain);
// Gives a copy, which has the same terrains and no blocks, those that there are.
AstarStatus astar_blocks_clone(const AstarGrid *grid, AstarGrid *copy);
void astar_blocks_free(AstarGrid *grid);
size_t astar_blocks_bytes(const AstarGrid *grid);

// ---- another grid's ----

// Gives the grid the layers of another, which has those of this one in the same order.
AstarStatus astar_blocks_follow_names(AstarGrid *grid, const AstarGrid *from);
// Makes the blocks of a rectangle what they are on an equally large grid whose layers this one has.
AstarStatus astar_blocks_copy(AstarGrid *grid, const AstarGrid *from, int x, int y, int width,
                              int height);
// Whether a stretch of a row is blocked as there, or not: cells close to it may count, too.
bool astar_blocks_are_like(const AstarGrid *grid, const AstarGrid *from, int x, int y, int width);
// Takes the logs of edits of another grid's layers.
void astar_blocks_take_logs(AstarGrid *grid, const AstarGrid *from);

// ---- layers that count ----

// The first layer from one on that counts and holds blocks, or has; NULL: there is none.
static inline const AstarBlocks *astar_blocks_from(const AstarBlocks *blocks, uint64_t ignored)
{
    while (blocks != NULL && (blocks->bits.words == NULL || (blocks->bit & ignored) != 0))
        blocks = astar_get(&blocks->next);
    return blocks;
}

static inline const AstarBlocks *astar_blocks_first(const AstarGrid *grid, uint64_t ignored)
{
    return astar_blocks_from(&grid->blocks, ignored);
}

static inline const AstarBlocks *astar_blocks_next(const AstarBlocks *blocks, uint64_t ignored)
{
    return astar_blocks_from(astar_get(&blocks->next), ignored);
}

// The blocks in a word of row y.
static inline uint64_t astar_blocks_word(const AstarGrid *grid, uint64_t ignored, int y,
                                         size_t word)
{
    uint64_t blocked = 0;
    const AstarBlocks *each = astar_blocks_first(grid, ignored);
    for (; each != NULL; each = astar_blocks_next(each, ignored))
        blocked |= astar_bits_row(&each->bits, y)[word];
    return blocked;
}

// Whether any block stands in a rectangle.
bool astar_blocks_any(const AstarGrid *grid, uint64_t ignored, int x, int y, int width, int height);
// Stores those on a cell behind 'count' blocks, as far as there is room; how many there are then.
size_t astar_blocks_list(const AstarGrid *grid, uint64_t ignored, int x, int y, AstarBlock *blocks,
                         size_t room, size_t count);
// How many cells of a terrain are free of blocks: so many at most, where layers overlap fewer.
uint32_t astar_blocks_spare(const AstarGrid *grid, uint64_t ignored, int terrain);

// ---- edits that count ----

// Counts them: equal versions mean that none was made.
uint64_t astar_version_beside(const AstarGrid *grid, uint64_t ignored);
// Whether all of them since a version of the grid's are known.
bool astar_knows_edits_since(const AstarGrid *grid, uint64_t ignored, uint64_t version);

// Those since a version, each in turn; what was edited in one layer after another.
typedef struct AstarEditsSince {
    uint64_t ignored, version;
    const AstarEditLog *log;   // being read
    const AstarBlocks *blocks; // whose log comes next
    uint64_t left;             // in the log
} AstarEditsSince;

AstarEditsSince astar_edits_since(const AstarGrid *grid, uint64_t ignored, uint64_t version);
// NULL: there are no more.
const AstarEdit *astar_next_edit(AstarEditsSince *edits);

#endif
