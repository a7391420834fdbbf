// grid.c -- Grids: terrain, costs of terrains, and the notification of layers about edits.
//
// Each cell has one byte that names its terrain. Costs are stored in a palette, so that changing
// the cost of a terrain touches no cell. Blocks are stored in separate bitmaps, see blocks.c. The
// layers that finders share, such as bitmaps of walkable cells, are attached to the grid. Each edit
// updates them cell by cell, or leaves them to be rebuilt after a large edit.
//
// While no thread edits, any number of threads may read. Readers write only reference counts and,
// while they hold the mutex of the grid, layers.

#include "map/grid.h"

#include "base/array.h"
#include "map/blocks.h"
#include "map/links_and_walls.h"
#include "map/snapshot.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { FIRST_TERRAINS = 2 }; // number of terrains that a new grid has room for

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

// Computes a factor that replaces divisions by the width. The results are exact for all cells,
// because cell numbers have 28 bits, and the width has at most as many bits as the shift has beyond
// 28 (H. Warren, "Hacker's Delight", 10-9).
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
        return ASTAR_BAD_OPTION; // on a narrower map two neighbours would be the same cell

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

    // The log of the copy does not contain the edits of the original.
    copy->version = copy->log.forgotten = grid->version;
    copy->palette_version = grid->palette_version;
    copy->has_all_layers = grid->has_all_layers;
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

// Returns the bytes of a grid itself, without grids that share its map. The function holds the
// lock, because a thread may call it for a shared copy while another thread edits that copy.
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

// The following functions log edits.

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

void astar_grid_notify_layers(AstarGrid *grid, int x, int y, int width, int height)
{
    if (grid->attachment != NULL)
        grid->attachment->edited(grid, &(AstarEdit){x, y, width, height, grid->version}, 0);
}

void astar_grid_edited(AstarGrid *grid, int x, int y, int width, int height)
{
    log_edit(grid, x, y, width, height);
    astar_grid_notify_layers(grid, x, y, width, height);
}

bool astar_grid_has_rectangle(const AstarGrid *grid, int x, int y, int width, int height)
{
    return x >= 0 && y >= 0 && width >= 1 && height >= 1 && width <= grid->width - x &&
           height <= grid->height - y;
}

// The following functions compute positions of cells and of their neighbours, for the shape of the
// grid.

// Returns the number of columns and of rows after which the map wraps around. The number is 0 for a
// direction in which the map does not wrap around.
static AstarCell way_round(const AstarGrid *grid)
{
    unsigned wraps = grid->shape->wraps;
    return (AstarCell){(wraps & 1) != 0 ? grid->width : 0, (wraps & 2) != 0 ? grid->height : 0};
}

static int nearest_to(int at, int to, int way)
{
    int apart = 2 * (at - to);
    return apart > way ? at - way : -apart > way ? at + way : at;
}

bool astar_go_round(const AstarGrid *grid, int *x, int *y)
{
    AstarCell way = way_round(grid);
    *x += *x < 0 ? way.x : *x >= grid->width ? -way.x : 0;
    *y += *y < 0 ? way.y : *y >= grid->height ? -way.y : 0;
    return astar_inside(grid, *x, *y);
}

void astar_come_nearest(const AstarGrid *grid, int *x, int *y, int to_x, int to_y)
{
    AstarCell way = way_round(grid);
    *x = nearest_to(*x, to_x, way.x);
    *y = nearest_to(*y, to_y, way.y);
}

unsigned astar_grid_sides(const AstarGrid *grid)
{
    return grid->shape->sides;
}

bool astar_grid_neighbour(const AstarGrid *grid, int x, int y, AstarSide direction, int *to_x,
                          int *to_y)
{
    if (!astar_inside(grid, x, y) || (int)direction >= ASTAR_DIRECTIONS)
        return false;
    int d = grid->shape->steps_over[astar_phase(grid->shape, x, y)][direction];
    if (d == ASTAR_NO_SIDE)
        return false;
    x += astar_dx[d];
    y += astar_dy[d];
    if (!astar_go_round(grid, &x, &y))
        return false;
    *to_x = x;
    *to_y = y;
    return true;
}

int astar_grid_direction(const AstarGrid *grid, int x, int y, int to_x, int to_y)
{
    if (!astar_inside(grid, x, y) || !astar_inside(grid, to_x, to_y))
        return ASTAR_NO_SIDE;
    astar_come_nearest(grid, &to_x, &to_y, x, y);
    int dx = to_x - x, dy = to_y - y;
    if (dx < -1 || dx > 1 || dy < -1 || dy > 1 || (dx == 0 && dy == 0))
        return ASTAR_NO_SIDE;
    int d = astar_direction(dx, dy);
    return grid->shape->sides_of[astar_phase(grid->shape, x, y)][d];
}

double astar_grid_length(const AstarGrid *grid, int x0, int y0, int x1, int y1)
{
    return grid->shape->length(grid->shape, x0, y0, x1, y1);
}

int64_t astar_grid_steps(const AstarGrid *grid, int x0, int y0, int x1, int y1)
{
    if (grid->shape->wraps != 0 && astar_inside(grid, x0, y0) && astar_inside(grid, x1, y1))
        astar_come_nearest(grid, &x0, &y0, x1, y1);
    return astar_cells_apart(grid->shape, x0, y0, x1, y1);
}

void astar_grid_center(const AstarGrid *grid, int x, int y, double *center_x, double *center_y)
{
    astar_shape_center(grid->shape, x, y, center_x, center_y);
}

void astar_grid_cell_at(const AstarGrid *grid, double point_x, double point_y, int *x, int *y)
{
    assert(fabs(point_x) <= 0x1p30 && fabs(point_y) <= 0x1p30);
    astar_shape_cell_at(grid->shape, point_x, point_y, x, y);
}

// The following functions read and change terrains and their costs.

static void palette_changed(AstarGrid *grid)
{
    grid->palette_version++;
    if (grid->attachment != NULL)
        grid->attachment->repriced(grid);
}

// Sets the cost of a terrain. If layers exist and no cell has the terrain, the new cost takes
// effect only when a cell gets the terrain. Until then the cost affects no result, and an immediate
// change would force all layers that depend on costs to be rebuilt.
static void set_price(AstarGrid *grid, int terrain, double cost)
{
    AstarPrice *price = &grid->terrains.prices[terrain];
    price->asked = cost;
    astar_grid_note_edit(grid);
    if (grid->attachment != NULL && grid->terrains.present[terrain] == 0)
        return;
    price->cost = cost;
    palette_changed(grid);
}

void astar_grid_take_price(AstarGrid *grid, int terrain, AstarPrice price)
{
    bool is_other = grid->terrains.prices[terrain].cost != price.cost;
    grid->terrains.prices[terrain] = price;
    if (is_other)
        palette_changed(grid);
}

AstarStatus astar_grid_add_terrain(AstarGrid *grid, double cost, int *terrain)
{
    if (!astar_is_terrain_cost(cost))
        return ASTAR_BAD_COST;
    if (grid->terrains.count == ASTAR_MAX_TERRAINS)
        return ASTAR_BAD_OPTION;
    if (!astar_grid_may_change(grid))
        return ASTAR_NO_MEMORY;
    AstarStatus status = astar_grid_reserve_terrains(grid, (size_t)grid->terrains.count + 1);
    if (status != ASTAR_OK)
        return status;
    *terrain = grid->terrains.count++;
    grid->terrains.prices[*terrain].cost = (double)INFINITY;
    set_price(grid, *terrain, cost);
    return ASTAR_OK;
}

static bool has_terrain(const AstarGrid *grid, int terrain)
{
    return terrain >= 0 && terrain < grid->terrains.count;
}

AstarStatus astar_grid_set_cost(AstarGrid *grid, int terrain, double cost)
{
    if (!has_terrain(grid, terrain))
        return ASTAR_BAD_OPTION;
    if (!astar_is_terrain_cost(cost))
        return ASTAR_BAD_COST;
    if (grid->terrains.prices[terrain].asked == cost)
        return ASTAR_OK;
    if (!astar_grid_may_change(grid))
        return ASTAR_NO_MEMORY;
    set_price(grid, terrain, cost);
    return ASTAR_OK;
}

double astar_grid_cost(const AstarGrid *grid, int terrain)
{
    return has_terrain(grid, terrain) ? grid->terrains.prices[terrain].asked : (double)NAN;
}

int astar_grid_terrain_count(const AstarGrid *grid)
{
    return grid->terrains.count;
}

// The following functions read and change the terrain of cells.

int astar_grid_get(const AstarGrid *grid, int x, int y)
{
    return astar_inside(grid, x, y) ? grid->ground[astar_cell(grid, x, y)] : -1;
}

// Updates the numbers of cells per terrain before 'cells' consecutive cells, all of terrain
// 'before', get the terrain 'terrain'.
static void recount(AstarGrid *grid, uint32_t cell, uint32_t cells, int before, int terrain)
{
    astar_blocks_recount(grid, cell, cells, before, terrain);
    grid->terrains.present[before] -= cells;
    if (grid->terrains.present[before] == 0)
        grid->palette_version++;
    if (grid->terrains.present[terrain] == 0) {
        grid->terrains.prices[terrain].cost = grid->terrains.prices[terrain].asked;
        palette_changed(grid);
    }
    grid->terrains.present[terrain] += cells;
}

// Sets the terrain of 'count' consecutive cells, run by run. Returns true if at least one cell
// changed.
static bool fill_cells(AstarGrid *grid, uint32_t cell, uint32_t count, int terrain)
{
    bool changed = false;
    for (uint32_t end = cell + count, run; cell < end; cell += run) {
        uint8_t *ground = grid->ground + cell;
        run = astar_run_length(ground, end - cell);
        if (*ground == terrain)
            continue;
        recount(grid, cell, run, *ground, terrain);
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
    if (!astar_grid_may_change(grid))
        return ASTAR_NO_MEMORY;
    recount(grid, cell, 1, before, terrain);
    grid->ground[cell] = (uint8_t)terrain;
    astar_grid_edited(grid, x, y, 1, 1);
    return ASTAR_OK;
}

AstarStatus astar_grid_fill(AstarGrid *grid, int x, int y, int width, int height, int terrain)
{
    if (!astar_grid_has_rectangle(grid, x, y, width, height))
        return ASTAR_BAD_CELL;
    if (!has_terrain(grid, terrain))
        return ASTAR_BAD_OPTION;
    if (!astar_grid_may_change(grid))
        return ASTAR_NO_MEMORY;
    bool changed = false;
    if (width == grid->width) // whole rows are consecutive in memory
        changed = fill_cells(grid, astar_cell(grid, 0, y), (uint32_t)width * (uint32_t)height,
                             terrain);
    else
        for (int row = y; row < y + height; row++)
            changed |= fill_cells(grid, astar_cell(grid, x, row), (uint32_t)width, terrain);
    if (changed)
        astar_grid_edited(grid, x, y, width, height);
    return ASTAR_OK;
}

AstarStatus astar_grid_get_cells(const AstarGrid *grid, int x, int y, int width, int height,
                                 uint8_t *terrains)
{
    if (!astar_grid_has_rectangle(grid, x, y, width, height))
        return ASTAR_BAD_CELL;
    for (int row = y; row < y + height; row++, terrains += width)
        memcpy(terrains, grid->ground + astar_cell(grid, x, row), (size_t)width);
    return ASTAR_OK;
}

// Sets the terrains of 'count' consecutive cells, run by run. Returns true if at least one cell
// changed.
static bool put_cells(AstarGrid *grid, uint32_t cell, uint32_t count, const uint8_t *terrains)
{
    bool changed = false;
    for (uint32_t at = 0, run; at < count; at += run) {
        run = astar_run_length(terrains + at, count - at);
        changed |= fill_cells(grid, cell + at, run, terrains[at]);
    }
    return changed;
}

// Sets the terrains of a rectangle of cells. The rows of 'terrains' begin 'stride' bytes apart.
static void put_rows(AstarGrid *grid, int x, int y, int width, int height, const uint8_t *terrains,
                     size_t stride)
{
    int first = y + height, last = y - 1; // first and last row in which a terrain changes
    for (int row = y; row < y + height; row++) {
        const uint8_t *from = terrains + (size_t)(row - y) * stride;
        if (!put_cells(grid, astar_cell(grid, x, row), (uint32_t)width, from))
            continue;
        first = row < first ? row : first;
        last = row;
    }
    if (first <= last)
        astar_grid_edited(grid, x, first, width, last - first + 1);
}

AstarStatus astar_grid_set_cells(AstarGrid *grid, int x, int y, int width, int height,
                                 const uint8_t *terrains)
{
    if (!astar_grid_has_rectangle(grid, x, y, width, height))
        return ASTAR_BAD_CELL;
    for (size_t i = 0, count = (size_t)width * (size_t)height; i < count; i++)
        if (!has_terrain(grid, terrains[i]))
            return ASTAR_BAD_OPTION;
    if (!astar_grid_may_change(grid))
        return ASTAR_NO_MEMORY;
    put_rows(grid, x, y, width, height, terrains, (size_t)width);
    return ASTAR_OK;
}

AstarStatus astar_grid_copy_cells(AstarGrid *grid, const AstarGrid *from, int x, int y, int width,
                                  int height)
{
    assert(astar_grid_has_rectangle(grid, x, y, width, height));
    put_rows(grid, x, y, width, height, from->ground + astar_cell(grid, x, y), (size_t)grid->width);
    return astar_blocks_copy(grid, from, x, y, width, height);
}

bool astar_grid_is_walkable(const AstarGrid *grid, int x, int y)
{
    return astar_inside(grid, x, y) &&
           isfinite(grid->terrains.prices[astar_grid_get(grid, x, y)].cost) &&
           !astar_blocks_any(grid, 0, x, y, 1, 1);
}
