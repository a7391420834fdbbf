// ground.c -- what is on the ground, and what it costs.
//
// A byte a cell names its terrain; the costs stand in a palette, so changing what swamp costs
// touches no cell.

#include "map/blocks.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// ---- terrain ----

static void palette_changed(AstarGrid *grid)
{
    grid->palette_version++;
    if (grid->attachment != NULL)
        grid->attachment->repriced(grid);
}

// While anything is built of the grid, a terrain that no cell has is given its price when one gets
// it: until then that changes no answer, and would have all built anew that tells terrains apart by
// what can be entered and what is dearer.
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

// ---- ground ----

int astar_grid_get(const AstarGrid *grid, int x, int y)
{
    return astar_inside(grid, x, y) ? grid->ground[astar_cell(grid, x, y)] : -1;
}

// Counts cells, one after another, that change from one terrain to another.
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

// Gives 'count' cells their terrain and keeps count, run by run; true when any had another.
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
    if (width == grid->width) // whole rows lie one after another
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

// The same of a rectangle whose rows begin 'stride' terrains apart.
static void put_rows(AstarGrid *grid, int x, int y, int width, int height, const uint8_t *terrains,
                     size_t stride)
{
    int first = y + height, last = y - 1; // of the rows that differ
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
