// grid.c -- the ground, what stands on it, and who is told when either changes.
//
// A byte a cell names its terrain; the costs stand in a palette, so changing what swamp costs
// touches no cell. Blocks live in bitmaps of their own, see blocks.c. The walkable bitmaps that
// finders share hang off the grid and are repaired by every edit, cell by cell, or left to be
// rebuilt after a large one.
//
// While nobody edits, any number of threads may read. What they write are the counts of references
// and, under the grid's mutex, what is built of it.

#include "map/grid.h"

#include "base/array.h"
#include "map/blocks.h"
#include "map/links_and_walls.h"

#include <assert.h>
#include <string.h>

enum { FIRST_TERRAINS = 2 }; // what there is room for at first

AstarStatus astar_grid_reserve_terrains(AstarGrid *grid, size_t need)
{
    const AstarAllocator *allocator = &grid->allocator;
    size_t count = (size_t)grid->terrains.count;
    size_t room = grid->terrains.price_capacity, counts = grid->terrains.present_capacity;
    if (!ASTAR_RESERVE(allocator, grid->terrains.prices, count, need - count, &room,
                       FIRST_TERRAINS))
        return ASTAR_NO_MEMORY;
    grid->terrains.price_capacity = (uint32_t)room;
    if (!ASTAR_RESERVE(allocator, grid->terrains.present, count, need - count, &counts,
                       FIRST_TERRAINS))
        return ASTAR_NO_MEMORY;
    grid->terrains.present_capacity = (uint32_t)counts;
    return astar_blocks_reserve_terrains(grid, need);
}

// Works out what stands in for a division by the width, exact for all cells: their numbers have 28
// bits, the width at most as many as the rest of the shift (H. Warren, "Hacker's Delight", 10-9).
static void set_inverse(AstarGrid *grid)
{
    enum { CELL_BITS = 28 };
    static_assert(ASTAR_MAX_CELLS <= 1 << CELL_BITS, "a cell must fit");
    grid->rows.shift = CELL_BITS;
    while (grid->width >> (grid->rows.shift - CELL_BITS) != 0)
        grid->rows.shift++;
    grid->rows.inverse = (UINT64_C(1) << grid->rows.shift) / (uint64_t)grid->width + 1;
}

AstarStatus astar_grid_new_shaped(const AstarAllocator *allocator, AstarOffset offset, int width,
                                  int height, AstarGrid **out)
{
    if (offset >= ASTAR_OFFSET_COUNT || width < 1 || height < 1 || width > ASTAR_MAX_SIDE ||
        height > ASTAR_MAX_SIDE || (int64_t)width * height > ASTAR_MAX_CELLS)
        return ASTAR_BAD_OPTION;
    unsigned wraps = astar_shapes[offset].wraps;
    if (((wraps & 1) != 0 && width < 3) || ((wraps & 2) != 0 && height < 3))
        return ASTAR_BAD_OPTION; // two neighbours would be one cell

    AstarAllocator from = astar_allocator(allocator);
    AstarGrid *grid = astar_alloc(&from, 1, sizeof *grid);
    if (grid == NULL)
        return ASTAR_NO_MEMORY;
    grid->allocator = from;
    astar_put(&grid->references, 1);
    astar_mutex_init(&grid->mutex);
    grid->home = grid;
    grid->blocks.bit = 1;
    grid->shape = &astar_shapes[offset];
    grid->width = width;
    grid->height = height;
    grid->cells = (uint32_t)width * (uint32_t)height;
    set_inverse(grid);
    grid->ground = astar_alloc(&from, grid->cells, 1);
    if (grid->ground == NULL || astar_grid_reserve_terrains(grid, 1) != ASTAR_OK) {
        astar_grid_release(grid);
        return ASTAR_NO_MEMORY;
    }
    grid->terrains.count = 1;
    grid->terrains.prices[0] = (AstarPrice){1, 1};
    grid->terrains.present[0] = grid->cells;
    *out = grid;
    return ASTAR_OK;
}

AstarStatus astar_grid_new(const AstarAllocator *allocator, int width, int height, AstarGrid **out)
{
    return astar_grid_new_shaped(allocator, ASTAR_NO_OFFSET, width, height, out);
}

AstarStatus astar_grid_copy(const AstarGrid *grid, AstarGrid **out)
{
    AstarGrid *copy;
    AstarStatus status = astar_grid_new_shaped(&grid->allocator, grid->shape->offset, grid->width,
                                               grid->height, &copy);
    if (status != ASTAR_OK)
        return status;
    status = astar_grid_reserve_terrains(copy, (size_t)grid->terrains.count);
    copy->terrains.count = grid->terrains.count;
    if (status == ASTAR_OK)
        status = astar_blocks_clone(grid, copy);
    if (status == ASTAR_OK)
        status = astar_links_and_walls_clone(grid, copy);
    if (status != ASTAR_OK) {
        astar_grid_release(copy);
        return status;
    }

    copy->version = copy->log.forgotten = grid->version; // its edits are not in the log
    copy->palette_version = grid->palette_version;
    memcpy(copy->terrains.prices, grid->terrains.prices,
           (size_t)grid->terrains.count * sizeof *copy->terrains.prices);
    memcpy(copy->terrains.present, grid->terrains.present,
           (size_t)grid->terrains.count * sizeof *copy->terrains.present);
    memcpy(copy->ground, grid->ground, grid->cells);
    *out = copy;
    return ASTAR_OK;
}

void astar_grid_retain(AstarGrid *grid)
{
    astar_count_up(&grid->references);
}

void astar_grid_release(AstarGrid *grid)
{
    if (grid == NULL || !astar_count_down(&grid->references))
        return;
    AstarAllocator allocator = grid->allocator;
    if (grid->tie != NULL)
        grid->tie->free(grid);
    if (grid->attachment != NULL)
        grid->attachment->free(grid);
    astar_links_and_walls_free(grid);
    astar_blocks_free(grid);
    astar_release(&allocator, grid->ground, grid->cells, 1);
    astar_release(&allocator, grid->terrains.prices, grid->terrains.price_capacity,
                  sizeof *grid->terrains.prices);
    astar_release(&allocator, grid->terrains.present, grid->terrains.present_capacity,
                  sizeof *grid->terrains.present);
    astar_edit_log_free(&grid->log, &allocator);
    astar_mutex_destroy(&grid->mutex);
    astar_release(&allocator, grid, 1, sizeof *grid);
}

int astar_grid_width(const AstarGrid *grid)
{
    return grid->width;
}

int astar_grid_height(const AstarGrid *grid)
{
    return grid->height;
}

AstarOffset astar_grid_offset(const AstarGrid *grid)
{
    return grid->shape->offset;
}

uint64_t astar_grid_version(const AstarGrid *grid)
{
    return grid->version;
}

// All of it under the lock: of a copy that is shared another thread may ask than may edit it.
static size_t own_bytes(const AstarGrid *grid)
{
    astar_grid_lock(grid);
    size_t bytes = sizeof *grid + grid->cells + astar_links_and_walls_bytes(grid);
    bytes += grid->terrains.price_capacity * sizeof *grid->terrains.prices;
    bytes += grid->terrains.present_capacity * sizeof *grid->terrains.present;
    bytes += grid->log.capacity * sizeof *grid->log.edits + astar_blocks_bytes(grid);
    if (grid->attachment != NULL)
        bytes += grid->attachment->bytes(grid);
    astar_grid_unlock(grid);
    return bytes;
}

size_t astar_grid_bytes(const AstarGrid *grid)
{
    size_t bytes = grid->tie != NULL ? grid->tie->bytes(grid) : 0;
    return grid->home == grid ? bytes + own_bytes(grid) : bytes;
}

// ---- edits ----

static void log_edit(AstarGrid *grid, int x, int y, int width, int height)
{
    AstarEdit edit = {x, y, width, height, ++grid->version};
    astar_edit_log_add(&grid->log, &grid->allocator, edit);
}

void astar_grid_take_log(AstarGrid *grid, const AstarGrid *from)
{
    grid->version = from->version;
    astar_edit_log_take(&grid->log, &grid->allocator, &from->log);
    astar_blocks_take_logs(grid, from);
}

void astar_grid_note_edit(AstarGrid *grid)
{
    log_edit(grid, ASTAR_AT_NO_CELL, 0, 0, 0);
}

void astar_grid_note_links_and_walls(AstarGrid *grid, int x, int y)
{
    log_edit(grid, x, y, 0, 0);
    grid->links_and_walls_version++;
}

void astar_grid_tell(AstarGrid *grid, int x, int y, int width, int height)
{
    if (grid->attachment != NULL)
        grid->attachment->edited(grid, &(AstarEdit){x, y, width, height, grid->version}, 0);
}

void astar_grid_edited(AstarGrid *grid, int x, int y, int width, int height)
{
    log_edit(grid, x, y, width, height);
    astar_grid_tell(grid, x, y, width, height);
}

bool astar_grid_has_rectangle(const AstarGrid *grid, int x, int y, int width, int height)
{
    return x >= 0 && y >= 0 && width >= 1 && height >= 1 && width <= grid->width - x &&
           height <= grid->height - y;
}
