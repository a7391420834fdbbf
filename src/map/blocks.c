// blocks.c -- Layers of blocks as bitmaps beside the terrain, so that the terrain is unchanged when
// a block is removed.
//
// Each layer has its own log of edits. If units are blocks of one layer, their moves cause
// thousands of edits. These edits must not push other edits out of the log that is read by finders
// which ignore units.

#include "map/blocks.h"

#include "base/array.h"
#include "map/snapshot.h"

#include <string.h>

AstarStatus astar_grid_layer(AstarGrid *grid, const char *name, size_t length, int *layer)
{
    AstarStatus status = ASTAR_OK;
    if (length > ASTAR_MAX_LAYER_NAME)
        return ASTAR_BAD_OPTION;
    if (grid->copies.is_clone && !grid->has_all_layers &&
        astar_grid_find_layer(grid, name, length) < 0 && astar_grid_part(grid, NULL) != ASTAR_OK)
        return ASTAR_NO_MEMORY;
    astar_grid_lock(grid);
    int found = astar_grid_find_layer(grid, name, length);
    if (found < 0)
        status = grid->home != grid || grid->has_all_layers
                     ? ASTAR_BAD_OPTION
                     : astar_blocks_add_layer(grid, name, length, &found);
    astar_grid_unlock(grid);
    if (status == ASTAR_OK)
        *layer = found;
    return status;
}

void astar_grid_close_layers(AstarGrid *grid)
{
    grid->has_all_layers = true;
}

bool astar_grid_has_all_layers(const AstarGrid *grid)
{
    return grid->has_all_layers;
}

// The following functions set and remove blocks.

// Updates the numbers of blocked cells per terrain, before the blocks of a row of cells are set or
// removed according to 'blocked'. Only cells that change are counted.
static void recount_covered(const AstarGrid *grid, AstarBlocks *blocks, int x, int y, int width,
                            bool blocked)
{
    const uint64_t *row = astar_bits_row(&blocks->bits, y);
    const uint8_t *ground = grid->ground + astar_cell(grid, 0, y);
    size_t first = (size_t)x + 1, last = first + (size_t)width - 1;
    for (size_t word = first >> 6; word <= last >> 6; word++) {
        uint64_t changed = (blocked ? ~row[word] : row[word]) & astar_bits_mask(word, first, last);
        for (; changed != 0; changed &= changed - 1)
            blocks->covered[ground[(word << 6) + (size_t)astar_lowest_bit(changed) - 1]] +=
                blocked ? 1 : UINT32_MAX;
    }
}

// Logs an edit of the blocks in a rectangle and notifies the layers built for finders.
static void blocks_edited(AstarGrid *grid, AstarBlocks *blocks, int x, int y, int width, int height)
{
    AstarEdit edit = {x, y, width, height, ++grid->version};
    astar_edit_log_add(&blocks->log, &grid->allocator, edit);
    if (grid->attachment != NULL)
        grid->attachment->edited(grid, &edit, blocks->bit);
}

static void put_blocks(AstarGrid *grid, AstarBlocks *blocks, int x, int y, int width, int height,
                       bool blocked)
{
    bool changed = false;
    for (int row = y; row < y + height; row++) {
        recount_covered(grid, blocks, x, row, width, blocked);
        changed |= astar_bits_put_row(&blocks->bits, x, row, width, blocked);
    }
    if (changed)
        blocks_edited(grid, blocks, x, y, width, height);
}

static AstarStatus set_blocks(AstarGrid *grid, int layer, int x, int y, int width, int height,
                              bool blocked)
{
    AstarBlocks *blocks = astar_blocks_at(grid, layer);
    if (!astar_grid_has_rectangle(grid, x, y, width, height))
        return ASTAR_BAD_CELL;
    if (blocks == NULL)
        return ASTAR_BAD_OPTION;
    if (!astar_grid_may_change(grid))
        return ASTAR_NO_MEMORY;
    blocks = astar_blocks_at(grid, layer); // from here on a clone has its own layers
    AstarStatus status = blocked ? astar_blocks_need(grid, blocks) : ASTAR_OK;
    if (status == ASTAR_OK && blocks->bits.words != NULL)
        put_blocks(grid, blocks, x, y, width, height, blocked);
    return status;
}

AstarStatus astar_grid_block_layer(AstarGrid *grid, int layer, int x, int y, int width, int height)
{
    return set_blocks(grid, layer, x, y, width, height, true);
}

AstarStatus astar_grid_unblock_layer(AstarGrid *grid, int layer, int x, int y, int width,
                                     int height)
{
    return set_blocks(grid, layer, x, y, width, height, false);
}

AstarStatus astar_grid_block(AstarGrid *grid, int x, int y, int width, int height)
{
    return astar_grid_block_layer(grid, 0, x, y, width, height);
}

AstarStatus astar_grid_unblock(AstarGrid *grid, int x, int y, int width, int height)
{
    return astar_grid_unblock_layer(grid, 0, x, y, width, height);
}

// Returns how many of 'count' consecutive cells are blocked in a layer.
static uint32_t count_blocked(const AstarGrid *grid, const AstarBlocks *blocks, uint32_t cell,
                              uint32_t count)
{
    uint32_t blocked = 0;
    for (uint32_t here; count > 0; cell += here, count -= here) {
        int x, y;
        astar_cell_xy(grid, cell, &x, &y);
        uint32_t rest = (uint32_t)(grid->width - x); // number of cells left in the row
        here = count < rest ? count : rest;
        blocked += astar_bits_count(&blocks->bits, x, y, (int)here);
    }
    return blocked;
}

void astar_blocks_recount(AstarGrid *grid, uint32_t cell, uint32_t cells, int before, int terrain)
{
    for (AstarBlocks *each = &grid->blocks; each != NULL; each = astar_get(&each->next)) {
        if (each->bits.words == NULL)
            continue;
        uint32_t blocked = count_blocked(grid, each, cell, cells);
        each->covered[before] -= blocked;
        each->covered[terrain] += blocked;
    }
}

// The following functions copy blocks from another grid.

// Copies a layer's blocks in a part of a row from the same layer of another grid. Returns true if a
// cell changed.
static bool copy_block_row(const AstarGrid *grid, AstarBlocks *blocks, const AstarBlocks *from,
                           int x, int y, int width)
{
    const uint64_t *theirs = astar_bits_row(&from->bits, y);
    uint64_t *row = astar_bits_row(&blocks->bits, y), any = 0;
    const uint8_t *ground = grid->ground + astar_cell(grid, 0, y);
    size_t first = (size_t)x + 1, last = first + (size_t)width - 1;
    for (size_t word = first >> 6; word <= last >> 6; word++) {
        uint64_t changed = (row[word] ^ theirs[word]) & astar_bits_mask(word, first, last);
        row[word] ^= changed;
        any |= changed;
        for (; changed != 0; changed &= changed - 1) {
            int bit = astar_lowest_bit(changed);
            blocks->covered[ground[(word << 6) + (size_t)bit - 1]] += row[word] >> bit & 1
                                                                          ? 1
                                                                          : UINT32_MAX;
        }
    }
    return any != 0;
}

static AstarStatus copy_layer(AstarGrid *grid, AstarBlocks *blocks, const AstarBlocks *from, int x,
                              int y, int width, int height)
{
    if (from->bits.words == NULL)
        return ASTAR_OK; // 'from' has no blocks in this layer, and neither has the grid
    if (astar_blocks_need(grid, blocks) != ASTAR_OK)
        return ASTAR_NO_MEMORY;
    int first = y + height, last = y - 1; // first and last row in which the two grids differ
    for (int row = y; row < y + height; row++) {
        if (!copy_block_row(grid, blocks, from, x, row, width))
            continue;
        first = row < first ? row : first;
        last = row;
    }
    if (first <= last)
        blocks_edited(grid, blocks, x, first, width, last - first + 1);
    return ASTAR_OK;
}

AstarStatus astar_blocks_copy(AstarGrid *grid, const AstarGrid *from, int x, int y, int width,
                              int height)
{
    AstarStatus status = ASTAR_OK;
    const AstarBlocks *theirs = &from->blocks;
    AstarBlocks *each = &grid->blocks;
    for (; each != NULL && status == ASTAR_OK; each = astar_get(&each->next)) {
        status = copy_layer(grid, each, theirs, x, y, width, height);
        theirs = astar_get(&theirs->next);
    }
    return status;
}

bool astar_blocks_are_like(const AstarGrid *grid, const AstarGrid *from, int x, int y, int width)
{
    size_t first = ((size_t)x + 1) >> 6, last = (size_t)(x + width) >> 6;
    const AstarBlocks *theirs = &from->blocks, *each = &grid->blocks;
    for (; each != NULL; each = astar_get(&each->next), theirs = astar_get(&theirs->next)) {
        if (theirs->bits.words == NULL)
            continue; // 'from' has no blocks in this layer, and neither has the grid
        if (each->bits.words == NULL ||
            memcmp(astar_bits_row(&each->bits, y) + first, astar_bits_row(&theirs->bits, y) + first,
                   (last - first + 1) * sizeof(uint64_t)) != 0)
            return false;
    }
    return true;
}

// The following functions answer queries about blocks.

bool astar_grid_is_blocked_layer(const AstarGrid *grid, int layer, int x, int y)
{
    const AstarBlocks *blocks = astar_blocks_at(grid, layer);
    return blocks != NULL && blocks->bits.words != NULL && astar_inside(grid, x, y) &&
           astar_bits_get(&blocks->bits, x, y);
}

bool astar_grid_is_blocked(const AstarGrid *grid, int x, int y)
{
    return astar_grid_is_blocked_layer(grid, 0, x, y);
}

bool astar_blocks_any(const AstarGrid *grid, uint64_t ignored, int x, int y, int width, int height)
{
    const AstarBlocks *each = astar_blocks_first(grid, ignored);
    for (; each != NULL; each = astar_blocks_next(each, ignored))
        for (int row = y; row < y + height; row++)
            if (astar_any_bit(&each->bits, x, row, width))
                return true;
    return false;
}

size_t astar_blocks_list(const AstarGrid *grid, uint64_t ignored, int x, int y, AstarBlock *blocks,
                         size_t room, size_t count)
{
    const AstarBlocks *each = astar_blocks_first(grid, ignored);
    for (; each != NULL; each = astar_blocks_next(each, ignored)) {
        if (!astar_bits_get(&each->bits, x, y))
            continue;
        if (count < room)
            blocks[count] = (AstarBlock){x, y, astar_lowest_bit(each->bit)};
        count++;
    }
    return count;
}

bool astar_grid_is_blocked_in_any(const AstarGrid *grid, int x, int y)
{
    return astar_inside(grid, x, y) && astar_blocks_any(grid, 0, x, y, 1, 1);
}

uint32_t astar_blocks_spare(const AstarGrid *grid, uint64_t ignored, int terrain)
{
    uint32_t most = 0;
    const AstarBlocks *each = astar_blocks_first(grid, ignored);
    for (; each != NULL; each = astar_blocks_next(each, ignored))
        most = each->covered[terrain] > most ? each->covered[terrain] : most;
    return grid->terrains.present[terrain] - most;
}

// The following functions count and list the edits of a grid, without edits of ignored layers.

uint64_t astar_version_beside(const AstarGrid *grid, uint64_t ignored)
{
    uint64_t version = grid->version;
    const AstarBlocks *each = ignored != 0 ? &grid->blocks : NULL;
    for (; each != NULL; each = astar_get(&each->next))
        if ((each->bit & ignored) != 0)
            version -= each->log.made;
    return version;
}

bool astar_knows_edits_since(const AstarGrid *grid, uint64_t ignored, uint64_t version)
{
    if (grid->log.forgotten > version)
        return false;
    const AstarBlocks *each = astar_blocks_first(grid, ignored);
    while (each != NULL && each->log.forgotten <= version)
        each = astar_blocks_next(each, ignored);
    return each == NULL;
}

AstarEditsSince astar_edits_since(const AstarGrid *grid, uint64_t ignored, uint64_t version)
{
    return (AstarEditsSince){.ignored = ignored,
                             .version = version,
                             .log = &grid->log,
                             .blocks = astar_blocks_first(grid, ignored),
                             .left = astar_edit_log_since(&grid->log, version)};
}

const AstarEdit *astar_next_edit(AstarEditsSince *edits)
{
    while (edits->left == 0) {
        if (edits->blocks == NULL)
            return NULL;
        edits->log = &edits->blocks->log;
        edits->left = astar_edit_log_since(edits->log, edits->version);
        edits->blocks = astar_blocks_next(edits->blocks, edits->ignored);
    }
    return astar_edit_log_at(edits->log, edits->log->made - edits->left--);
}

bool astar_grid_changes(const AstarGrid *grid, uint64_t version, AstarRectangle *changes,
                        size_t capacity, size_t *count)
{
    *count = 0;
    if (!astar_knows_edits_since(grid, 0, version))
        return false;
    AstarEditsSince edits = astar_edits_since(grid, 0, version);
    for (const AstarEdit *e = astar_next_edit(&edits); e != NULL; e = astar_next_edit(&edits)) {
        bool has_size = e->width > 0; // false for an edit of links or walls, which has no size
        if (!astar_edit_is_at_cells(e))
            return false;
        if (*count < capacity)
            changes[*count] = (AstarRectangle){e->x, e->y, has_size ? e->width : 1,
                                               has_size ? e->height : 1};
        ++*count;
    }
    return true;
}

// Names and memory of the layers of blocks.
//
// A layer allocates its bitmap when it gets its first block. A finder may name a layer that does
// not exist yet. Creating such a layer is the only change that a reader makes to a map. The reader
// appends the layer to the end of the list while it holds the lock; other readers traverse the list
// without the lock. A view cannot add layers, because another thread edits its map; the view has
// the layers that were published.

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

// Creates a layer. Its name is stored with a zero byte after it.
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

ASTAR_COLD AstarStatus astar_blocks_add_layer(AstarGrid *grid, const char *name, size_t length,
                                              int *layer)
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

// The following functions manage the memory of layers.

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

// The following functions copy layers from another grid.

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
