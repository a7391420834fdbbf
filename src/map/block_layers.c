// block_layers.c -- layers of blocks: their names, and the memory they take.
//
// A layer takes memory from its first block on. A finder may name one that has none yet: that is
// the one thing about a map that readers write, with the grid locked; it is added at the end, and
// read without the lock. Never of a map that others edit: a view has the layers that were
// published.

#include "map/blocks.h"

#include "base/array.h"

#include <string.h>

// ---- names ----

static bool has_name(const AstarBlocks *blocks, const char *name, size_t length)
{
    return blocks->length == length && (length == 0 || memcmp(blocks->name, name, length) == 0);
}

static int number_of(const AstarBlocks *blocks)
{
    return astar_lowest_bit(blocks->bit);
}

AstarBlocks *astar_blocks_at(const AstarGrid *grid, int layer)
{
    AstarBlocks *each = (AstarBlocks *)&grid->blocks;
    while (each != NULL && number_of(each) != layer)
        each = astar_get(&each->next);
    return each;
}

int astar_grid_find_layer(const AstarGrid *grid, const char *name, size_t length)
{
    const AstarBlocks *each = &grid->blocks;
    while (each != NULL && !has_name(each, name, length))
        each = astar_get(&each->next);
    return each != NULL ? number_of(each) : -1;
}

int astar_grid_layer_count(const AstarGrid *grid)
{
    int count = 0;
    for (const AstarBlocks *each = &grid->blocks; each != NULL; each = astar_get(&each->next))
        count++;
    return count;
}

const char *astar_grid_layer_name(const AstarGrid *grid, int layer, size_t *length)
{
    const AstarBlocks *blocks = astar_blocks_at(grid, layer);
    *length = blocks != NULL ? blocks->length : 0;
    if (blocks == NULL)
        return NULL;
    return blocks->name != NULL ? blocks->name : "";
}

static void free_blocks(const AstarAllocator *allocator, AstarBlocks *blocks)
{
    astar_bits_free(allocator, &blocks->bits);
    astar_release(allocator, blocks->covered, blocks->covered_capacity, sizeof *blocks->covered);
    astar_edit_log_free(&blocks->log, allocator);
    astar_release(allocator, blocks->name, blocks->length + 1, 1);
}

// A layer with a name, which is followed by a zero.
static AstarBlocks *new_blocks(const AstarAllocator *allocator, const char *name, size_t length)
{
    AstarBlocks *blocks = astar_alloc(allocator, 1, sizeof *blocks);
    if (blocks == NULL)
        return NULL;
    blocks->name = astar_alloc(allocator, length + 1, 1);
    if (blocks->name == NULL) {
        astar_release(allocator, blocks, 1, sizeof *blocks);
        return NULL;
    }
    memcpy(blocks->name, name, length);
    blocks->length = length;
    return blocks;
}

AstarStatus astar_blocks_add_layer(AstarGrid *grid, const char *name, size_t length, int *layer)
{
    AstarBlocks *last = &grid->blocks;
    for (AstarBlocks *next; (next = astar_get(&last->next)) != NULL;)
        last = next;
    if (number_of(last) == ASTAR_MAX_LAYERS)
        return ASTAR_BAD_OPTION;
    AstarBlocks *added = new_blocks(&grid->allocator, name, length);
    if (added == NULL)
        return ASTAR_NO_MEMORY;
    added->bit = last->bit << 1;
    *layer = number_of(added);
    astar_put(&last->next, added);
    return ASTAR_OK;
}

// ---- memory ----

static AstarStatus reserve_covered(const AstarGrid *grid, AstarBlocks *blocks, size_t need)
{
    if (need <= blocks->covered_capacity)
        return ASTAR_OK;
    size_t count = blocks->covered_capacity;
    bool has_room = ASTAR_RESERVE(&grid->allocator, blocks->covered, count, need - count,
                                  &blocks->covered_capacity, 1);
    return has_room ? ASTAR_OK : ASTAR_NO_MEMORY;
}

AstarStatus astar_blocks_reserve_terrains(AstarGrid *grid, size_t need)
{
    AstarStatus status = ASTAR_OK;
    AstarBlocks *each = &grid->blocks;
    for (; each != NULL && status == ASTAR_OK; each = astar_get(&each->next))
        if (each->bits.words != NULL)
            status = reserve_covered(grid, each, need);
    return status;
}

AstarStatus astar_blocks_need(AstarGrid *grid, AstarBlocks *blocks)
{
    if (blocks->bits.words != NULL)
        return ASTAR_OK;
    AstarStatus status = reserve_covered(grid, blocks, (size_t)grid->terrains.count);
    if (status != ASTAR_OK)
        return status;
    if (!astar_edit_log_begin(&blocks->log, &grid->allocator))
        return ASTAR_NO_MEMORY;
    AstarBits bits = astar_bits_new(&grid->allocator, grid->width, grid->height);
    if (bits.words == NULL)
        return ASTAR_NO_MEMORY;
    blocks->bits = bits;
    return ASTAR_OK;
}

static AstarStatus copy_blocks(const AstarGrid *grid, const AstarBlocks *from, AstarGrid *copy,
                               AstarBlocks *to)
{
    if (from->bits.words == NULL)
        return ASTAR_OK;
    AstarStatus status = astar_blocks_need(copy, to);
    if (status != ASTAR_OK)
        return status;
    memcpy(to->bits.words, from->bits.words, from->bits.count * sizeof *from->bits.words);
    memcpy(to->covered, from->covered, (size_t)grid->terrains.count * sizeof *from->covered);
    return ASTAR_OK;
}

AstarStatus astar_blocks_clone(const AstarGrid *grid, AstarGrid *copy)
{
    AstarStatus status = copy_blocks(grid, &grid->blocks, copy, &copy->blocks);
    const AstarBlocks *each = astar_get(&grid->blocks.next);
    for (; each != NULL && status == ASTAR_OK; each = astar_get(&each->next)) {
        int layer;
        status = astar_blocks_add_layer(copy, each->name, each->length, &layer);
        if (status == ASTAR_OK)
            status = copy_blocks(grid, each, copy, astar_blocks_at(copy, layer));
    }
    return status;
}

void astar_blocks_free(AstarGrid *grid)
{
    AstarBlocks *next = astar_get(&grid->blocks.next);
    free_blocks(&grid->allocator, &grid->blocks);
    for (AstarBlocks *each; (each = next) != NULL;) {
        next = astar_get(&each->next);
        free_blocks(&grid->allocator, each);
        astar_release(&grid->allocator, each, 1, sizeof *each);
    }
}

size_t astar_blocks_bytes(const AstarGrid *grid)
{
    size_t bytes = 0;
    for (const AstarBlocks *each = &grid->blocks; each != NULL; each = astar_get(&each->next)) {
        bytes += each->covered_capacity * sizeof *each->covered;
        bytes += each->log.capacity * sizeof *each->log.edits;
        if (each->bits.words != NULL)
            bytes += each->bits.count * sizeof *each->bits.words;
        if (each->name != NULL)
            bytes += sizeof *each + each->length + 1;
    }
    return bytes;
}

// ---- another grid's ----

AstarStatus astar_blocks_follow_names(AstarGrid *grid, const AstarGrid *from)
{
    AstarStatus status = ASTAR_OK;
    const AstarBlocks *each = astar_get(&from->blocks.next);
    for (int layer; each != NULL && status == ASTAR_OK; each = astar_get(&each->next))
        if (astar_grid_find_layer(grid, each->name, each->length) < 0)
            status = astar_blocks_add_layer(grid, each->name, each->length, &layer);
    return status;
}

void astar_blocks_take_logs(AstarGrid *grid, const AstarGrid *from)
{
    const AstarBlocks *theirs = &from->blocks;
    AstarBlocks *each = &grid->blocks;
    for (; each != NULL; each = astar_get(&each->next), theirs = astar_get(&theirs->next))
        astar_edit_log_take(&each->log, &grid->allocator, &theirs->log);
}
