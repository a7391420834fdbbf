// grid.c -- the ground, what stands on it, and who is told when either changes.
//
// A byte a cell names its terrain; the costs stand in a palette, so changing what swamp costs
// touches no cell. Blocks live in a bitmap of their own, so taking a block away brings the ground
// back; it is allocated with the first block. The walkable bitmaps that finders share hang off the
// grid and are repaired by every edit, cell by cell, or left to be rebuilt after a large one.
//
// While nobody edits, any number of threads may read. What they write are the counts of references
// and, under the grid's mutex, what is built of it.

#include "map/grid.h"

#include "base/array.h"
#include "map/links_and_walls.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { FIRST_EDITS = 16, FIRST_TERRAINS = 4 }; // what there is room for at first

static AstarStatus reserve_terrains(AstarGrid *grid, size_t need)
{
    const AstarAllocator *allocator = &grid->allocator;
    size_t count = (size_t)grid->terrain_count;
    if (need > grid->cost_capacity) {
        double *cost = astar_array_grow(allocator, grid->cost, count, sizeof *cost,
                                        &grid->cost_capacity, need, FIRST_TERRAINS);
        if (cost == NULL)
            return ASTAR_NO_MEMORY;
        grid->cost = cost;
    }
    if (need > grid->present_capacity) {
        uint32_t *present = astar_array_grow(allocator, grid->present, count, sizeof *present,
                                             &grid->present_capacity, need, FIRST_TERRAINS);
        if (present == NULL)
            return ASTAR_NO_MEMORY;
        grid->present = present;
    }
    if (need > grid->covered_capacity) {
        uint32_t *covered = astar_array_grow(allocator, grid->covered, count, sizeof *covered,
                                             &grid->covered_capacity, need, FIRST_TERRAINS);
        if (covered == NULL)
            return ASTAR_NO_MEMORY;
        grid->covered = covered;
    }
    return ASTAR_OK;
}

// Works out what stands in for a division by the width, exact for all cells: their numbers have 28
// bits, the width at most as many as the rest of the shift (H. Warren, "Hacker's Delight", 10-9).
static void set_inverse(AstarGrid *grid)
{
    enum { CELL_BITS = 28 };
    static_assert(ASTAR_MAX_CELLS <= 1 << CELL_BITS, "a cell must fit");
    grid->shift = CELL_BITS;
    while (grid->width >> (grid->shift - CELL_BITS) != 0)
        grid->shift++;
    grid->inverse = (UINT64_C(1) << grid->shift) / (uint64_t)grid->width + 1;
}

static AstarStatus new_grid_of(const AstarAllocator *allocator, const AstarShape *shape, int width,
                               int height, AstarGrid **out)
{
    if (width < 1 || height < 1 || width > ASTAR_MAX_SIDE || height > ASTAR_MAX_SIDE ||
        (int64_t)width * height > ASTAR_MAX_CELLS)
        return ASTAR_BAD_OPTION;

    AstarAllocator from = astar_allocator(allocator);
    AstarGrid *grid = astar_alloc(&from, 1, sizeof *grid);
    if (grid == NULL)
        return ASTAR_NO_MEMORY;
    grid->allocator = from;
    astar_put(&grid->references, 1);
    astar_mutex_init(&grid->mutex);
    grid->home = grid;
    grid->shape = shape;
    grid->width = width;
    grid->height = height;
    grid->cells = (uint32_t)width * (uint32_t)height;
    set_inverse(grid);
    grid->ground = astar_alloc(&from, grid->cells, 1);
    if (grid->ground == NULL || reserve_terrains(grid, 1) != ASTAR_OK) {
        astar_grid_release(grid);
        return ASTAR_NO_MEMORY;
    }
    grid->terrain_count = 1;
    grid->cost[0] = 1;
    grid->present[0] = grid->cells;
    *out = grid;
    return ASTAR_OK;
}

AstarStatus astar_grid_new(const AstarAllocator *allocator, int width, int height, AstarGrid **out)
{
    return new_grid_of(allocator, &astar_shapes[ASTAR_NO_OFFSET], width, height, out);
}

AstarStatus astar_grid_new_hexagons(const AstarAllocator *allocator, AstarOffset offset, int width,
                                    int height, AstarGrid **out)
{
    if (offset == ASTAR_NO_OFFSET || offset >= ASTAR_OFFSET_COUNT)
        return ASTAR_BAD_OPTION;
    return new_grid_of(allocator, &astar_shapes[offset], width, height, out);
}

// Creates the block layer where there is none yet.
static AstarStatus need_blocks(AstarGrid *grid)
{
    if (grid->blocked.words != NULL)
        return ASTAR_OK;
    AstarBits bits = astar_bits_new(&grid->allocator, grid->width, grid->height);
    if (bits.words == NULL)
        return ASTAR_NO_MEMORY;
    grid->blocked = bits;
    return ASTAR_OK;
}

AstarStatus astar_grid_clone(const AstarGrid *grid, AstarGrid **out)
{
    AstarGrid *copy;
    AstarStatus status = new_grid_of(&grid->allocator, grid->shape, grid->width, grid->height,
                                     &copy);
    if (status != ASTAR_OK)
        return status;
    if (grid->blocked.words != NULL)
        status = need_blocks(copy);
    if (status == ASTAR_OK)
        status = reserve_terrains(copy, (size_t)grid->terrain_count);
    if (status == ASTAR_OK)
        status = astar_links_and_walls_clone(grid, copy);
    if (status != ASTAR_OK) {
        astar_grid_release(copy);
        return status;
    }

    copy->version = grid->version;
    copy->palette_version = grid->palette_version;
    copy->terrain_count = grid->terrain_count;
    memcpy(copy->cost, grid->cost, (size_t)grid->terrain_count * sizeof *copy->cost);
    memcpy(copy->present, grid->present, (size_t)grid->terrain_count * sizeof *copy->present);
    memcpy(copy->covered, grid->covered, (size_t)grid->terrain_count * sizeof *copy->covered);
    memcpy(copy->ground, grid->ground, grid->cells);
    if (grid->blocked.words != NULL)
        memcpy(copy->blocked.words, grid->blocked.words,
               grid->blocked.count * sizeof *grid->blocked.words);
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
    astar_bits_free(&allocator, &grid->blocked);
    astar_release(&allocator, grid->ground, grid->cells, 1);
    astar_release(&allocator, grid->cost, grid->cost_capacity, sizeof *grid->cost);
    astar_release(&allocator, grid->present, grid->present_capacity, sizeof *grid->present);
    astar_release(&allocator, grid->covered, grid->covered_capacity, sizeof *grid->covered);
    astar_release(&allocator, grid->edits, grid->edit_capacity, sizeof *grid->edits);
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
    bytes += grid->cost_capacity * sizeof *grid->cost;
    bytes += grid->present_capacity * sizeof *grid->present;
    bytes += grid->covered_capacity * sizeof *grid->covered;
    bytes += grid->edit_capacity * sizeof *grid->edits;
    if (grid->blocked.words != NULL)
        bytes += grid->blocked.count * sizeof *grid->blocked.words;
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

// ---- the log of edits ----

// Gives the log twice the room. Without memory it stays as it is, and forgets earlier.
static void grow_edits(AstarGrid *grid)
{
    size_t capacity = grid->edit_capacity == 0 ? FIRST_EDITS : 2 * grid->edit_capacity;
    AstarEdit *edits = astar_alloc(&grid->allocator, capacity, sizeof *edits);
    if (edits == NULL)
        return;
    for (uint64_t i = 0, version = grid->version; i < grid->edit_count; i++, version--)
        edits[version & (capacity - 1)] = *astar_grid_edit(grid, version);
    astar_release(&grid->allocator, grid->edits, grid->edit_capacity, sizeof *edits);
    grid->edits = edits;
    grid->edit_capacity = capacity;
}

static void log_edit(AstarGrid *grid, int x, int y, int width, int height)
{
    if (grid->edit_count == grid->edit_capacity && grid->edit_capacity < ASTAR_EDITS)
        grow_edits(grid);
    grid->version++;
    if (grid->edit_count < grid->edit_capacity)
        grid->edit_count++;
    if (grid->edit_count > 0)
        grid->edits[grid->version & (grid->edit_capacity - 1)] = (AstarEdit){x, y, width, height};
}

void astar_grid_take_log(AstarGrid *grid, const AstarGrid *from)
{
    while (grid->edit_capacity < from->edit_count) {
        size_t before = grid->edit_capacity;
        grow_edits(grid);
        if (grid->edit_capacity == before)
            break;
    }
    size_t most = grid->edit_capacity, count = from->edit_count;
    grid->version = from->version;
    grid->edit_count = count < most ? count : most;
    for (uint64_t i = 0; i < grid->edit_count; i++)
        grid->edits[(from->version - i) & (most - 1)] = *astar_grid_edit(from, from->version - i);
}

// ---- terrain ----

void astar_grid_note_links_and_walls(AstarGrid *grid)
{
    log_edit(grid, 0, 0, 0, 0);
    grid->links_and_walls_version++;
}

void astar_grid_tell(AstarGrid *grid, int x, int y, int width, int height)
{
    if (grid->attachment != NULL)
        grid->attachment->edited(grid, &(AstarEdit){x, y, width, height});
}

static void palette_changed(AstarGrid *grid)
{
    log_edit(grid, 0, 0, 0, 0);
    grid->palette_version++;
    if (grid->attachment != NULL)
        grid->attachment->repriced(grid);
}

AstarStatus astar_grid_add_terrain(AstarGrid *grid, double cost, int *terrain)
{
    if (!astar_is_terrain_cost(cost))
        return ASTAR_BAD_COST;
    if (grid->terrain_count == ASTAR_MAX_TERRAINS)
        return ASTAR_BAD_OPTION;
    AstarStatus status = reserve_terrains(grid, (size_t)grid->terrain_count + 1);
    if (status != ASTAR_OK)
        return status;
    *terrain = grid->terrain_count++;
    grid->cost[*terrain] = cost;
    palette_changed(grid);
    return ASTAR_OK;
}

static bool has_terrain(const AstarGrid *grid, int terrain)
{
    return terrain >= 0 && terrain < grid->terrain_count;
}

AstarStatus astar_grid_set_cost(AstarGrid *grid, int terrain, double cost)
{
    if (!has_terrain(grid, terrain))
        return ASTAR_BAD_OPTION;
    if (!astar_is_terrain_cost(cost))
        return ASTAR_BAD_COST;
    if (grid->cost[terrain] != cost) {
        grid->cost[terrain] = cost;
        palette_changed(grid);
    }
    return ASTAR_OK;
}

double astar_grid_cost(const AstarGrid *grid, int terrain)
{
    return has_terrain(grid, terrain) ? grid->cost[terrain] : (double)NAN;
}

int astar_grid_terrain_count(const AstarGrid *grid)
{
    return grid->terrain_count;
}

// Cells of the rectangle have changed.
static void edited(AstarGrid *grid, int x, int y, int width, int height)
{
    log_edit(grid, x, y, width, height);
    astar_grid_tell(grid, x, y, width, height);
}

// ---- ground ----

int astar_grid_get(const AstarGrid *grid, int x, int y)
{
    return astar_inside(grid, x, y) ? grid->ground[astar_cell(grid, x, y)] : -1;
}

// Counts cells that change from one terrain to another, some of them blocked.
static void recount(AstarGrid *grid, int before, int terrain, uint32_t cells, uint32_t blocked)
{
    grid->covered[before] -= blocked;
    grid->covered[terrain] += blocked;
    grid->present[before] -= cells;
    if (grid->present[before] == 0)
        grid->palette_version++;
    if (grid->present[terrain] == 0)
        grid->palette_version++;
    grid->present[terrain] += cells;
}

static uint32_t count_blocked(const AstarGrid *grid, uint32_t cell, uint32_t count)
{
    uint32_t blocked = 0;
    for (uint32_t here; count > 0 && grid->blocked.words != NULL; cell += here, count -= here) {
        int x, y;
        astar_cell_xy(grid, cell, &x, &y);
        uint32_t rest = (uint32_t)(grid->width - x); // of the row
        here = count < rest ? count : rest;
        blocked += astar_bits_count(&grid->blocked, x, y, (int)here);
    }
    return blocked;
}

// Gives 'count' cells their terrain and keeps count, run by run; true when any had another.
static bool fill_cells(AstarGrid *grid, uint32_t cell, uint32_t count, int terrain)
{
    bool changed = false;
    for (uint32_t end = cell + count, run; cell < end; cell += run) {
        uint8_t *ground = grid->ground + cell;
        run = astar_run_length(ground, end - cell);
        if (*ground == terrain)
            continue;
        recount(grid, *ground, terrain, run, count_blocked(grid, cell, run));
        memset(ground, terrain, run);
        changed = true;
    }
    return changed;
}

AstarStatus astar_grid_set(AstarGrid *grid, int x, int y, int terrain)
{
    if (!astar_inside(grid, x, y))
        return ASTAR_BAD_CELL;
    if (!has_terrain(grid, terrain))
        return ASTAR_BAD_OPTION;
    uint32_t cell = astar_cell(grid, x, y);
    int before = grid->ground[cell];
    if (before == terrain)
        return ASTAR_OK;
    recount(grid, before, terrain, 1, count_blocked(grid, cell, 1));
    grid->ground[cell] = (uint8_t)terrain;
    edited(grid, x, y, 1, 1);
    return ASTAR_OK;
}

static bool is_rectangle(const AstarGrid *grid, int x, int y, int width, int height)
{
    return x >= 0 && y >= 0 && width >= 1 && height >= 1 && width <= grid->width - x &&
           height <= grid->height - y;
}

AstarStatus astar_grid_fill(AstarGrid *grid, int x, int y, int width, int height, int terrain)
{
    if (!is_rectangle(grid, x, y, width, height))
        return ASTAR_BAD_CELL;
    if (!has_terrain(grid, terrain))
        return ASTAR_BAD_OPTION;
    bool changed = false;
    if (width == grid->width) // whole rows lie one after another
        changed = fill_cells(grid, astar_cell(grid, 0, y), (uint32_t)width * (uint32_t)height,
                             terrain);
    else
        for (int row = y; row < y + height; row++)
            changed |= fill_cells(grid, astar_cell(grid, x, row), (uint32_t)width, terrain);
    if (changed)
        edited(grid, x, y, width, height);
    return ASTAR_OK;
}

AstarStatus astar_grid_get_cells(const AstarGrid *grid, int x, int y, int width, int height,
                                 uint8_t *terrains)
{
    if (!is_rectangle(grid, x, y, width, height))
        return ASTAR_BAD_CELL;
    for (int row = y; row < y + height; row++, terrains += width)
        memcpy(terrains, grid->ground + astar_cell(grid, x, row), (size_t)width);
    return ASTAR_OK;
}

// Gives cells that lie one after another a terrain each, run by run; true when any had another.
static bool put_cells(AstarGrid *grid, uint32_t cell, uint32_t count, const uint8_t *terrains)
{
    bool changed = false;
    for (uint32_t at = 0, run; at < count; at += run) {
        run = astar_run_length(terrains + at, count - at);
        changed |= fill_cells(grid, cell + at, run, terrains[at]);
    }
    return changed;
}

AstarStatus astar_grid_set_cells(AstarGrid *grid, int x, int y, int width, int height,
                                 const uint8_t *terrains)
{
    if (!is_rectangle(grid, x, y, width, height))
        return ASTAR_BAD_CELL;
    for (size_t i = 0, count = (size_t)width * (size_t)height; i < count; i++)
        if (!has_terrain(grid, terrains[i]))
            return ASTAR_BAD_OPTION;
    int first = y + height, last = y - 1; // of the rows that differ
    for (int row = y; row < y + height; row++, terrains += width) {
        if (!put_cells(grid, astar_cell(grid, x, row), (uint32_t)width, terrains))
            continue;
        first = row < first ? row : first;
        last = row;
    }
    if (first <= last)
        edited(grid, x, first, width, last - first + 1);
    return ASTAR_OK;
}

// ---- blocks ----

// Makes a stretch of a row blocked as in another grid; true when it was otherwise.
static bool copy_blocks(AstarGrid *grid, const AstarGrid *from, int x, int y, int width)
{
    if (grid->blocked.words == NULL)
        return false;
    const uint64_t *theirs = from->blocked.words != NULL ? astar_bits_row(&from->blocked, y) : NULL;
    uint64_t *row = astar_bits_row(&grid->blocked, y), any = 0;
    const uint8_t *ground = grid->ground + astar_cell(grid, 0, y);
    size_t first = (size_t)x + 1, last = first + (size_t)width - 1;
    for (size_t word = first >> 6; word <= last >> 6; word++) {
        uint64_t changed = row[word] ^ (theirs != NULL ? theirs[word] : 0);
        changed &= astar_bits_mask(word, first, last);
        row[word] ^= changed;
        any |= changed;
        for (; changed != 0; changed &= changed - 1) {
            int bit = astar_lowest_bit(changed);
            grid->covered[ground[(word << 6) + (size_t)bit - 1]] += row[word] >> bit & 1
                                                                        ? 1
                                                                        : UINT32_MAX;
        }
    }
    return any != 0;
}

AstarStatus astar_grid_copy_cells(AstarGrid *grid, const AstarGrid *from, int x, int y, int width,
                                  int height)
{
    assert(is_rectangle(grid, x, y, width, height));
    if (from->blocked.words != NULL && need_blocks(grid) != ASTAR_OK)
        return ASTAR_NO_MEMORY;
    int first = y + height, last = y - 1; // of the rows that differ
    for (int row = y; row < y + height; row++) {
        uint32_t cell = astar_cell(grid, x, row);
        bool changed = put_cells(grid, cell, (uint32_t)width, from->ground + cell);
        changed |= copy_blocks(grid, from, x, row, width);
        if (!changed)
            continue;
        first = row < first ? row : first;
        last = row;
    }
    if (first <= last)
        edited(grid, x, first, width, last - first + 1);
    return ASTAR_OK;
}

// Counts by their terrains the cells of a row that are to be blocked or not, those that were not.
static void recount_covered(AstarGrid *grid, int x, int y, int width, bool blocked)
{
    const uint64_t *row = astar_bits_row(&grid->blocked, y);
    const uint8_t *ground = grid->ground + astar_cell(grid, 0, y);
    size_t first = (size_t)x + 1, last = first + (size_t)width - 1;
    for (size_t word = first >> 6; word <= last >> 6; word++) {
        uint64_t changed = (blocked ? ~row[word] : row[word]) & astar_bits_mask(word, first, last);
        for (; changed != 0; changed &= changed - 1)
            grid->covered[ground[(word << 6) + (size_t)astar_lowest_bit(changed) - 1]] +=
                blocked ? 1 : UINT32_MAX;
    }
}

static void put_blocks(AstarGrid *grid, int x, int y, int width, int height, bool blocked)
{
    bool changed = false;
    for (int row = y; row < y + height; row++) {
        recount_covered(grid, x, row, width, blocked);
        changed |= astar_bits_put_row(&grid->blocked, x, row, width, blocked);
    }
    if (changed)
        edited(grid, x, y, width, height);
}

AstarStatus astar_grid_block(AstarGrid *grid, int x, int y, int width, int height)
{
    if (!is_rectangle(grid, x, y, width, height))
        return ASTAR_BAD_CELL;
    AstarStatus status = need_blocks(grid);
    if (status == ASTAR_OK)
        put_blocks(grid, x, y, width, height, true);
    return status;
}

AstarStatus astar_grid_unblock(AstarGrid *grid, int x, int y, int width, int height)
{
    if (!is_rectangle(grid, x, y, width, height))
        return ASTAR_BAD_CELL;
    if (grid->blocked.words != NULL)
        put_blocks(grid, x, y, width, height, false);
    return ASTAR_OK;
}

bool astar_grid_is_blocked(const AstarGrid *grid, int x, int y)
{
    return astar_inside(grid, x, y) && grid->blocked.words != NULL &&
           astar_bits_get(&grid->blocked, x, y);
}

bool astar_grid_is_walkable(const AstarGrid *grid, int x, int y)
{
    return astar_inside(grid, x, y) && isfinite(grid->cost[astar_grid_get(grid, x, y)]) &&
           !astar_grid_is_blocked(grid, x, y);
}
