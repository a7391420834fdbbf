// replica.c -- copies of a grid that follow it.
//
// A copy follows by looking: cells that the logs of edits name, or all where they do not reach
// back, are compared with the grid's, and what differs is edited. So nothing is recorded while the
// grid is edited, no order matters, and what is built of the copy is mended by its edits as ever.
// Then it takes the grid's version and logs: to who goes from one copy to another it is one map
// that was edited in between.
//
// One can be made a little at a time, row by row, while the map is edited: it follows that once,
// when all rows are there, so no edit knows of it.

#include "map/replica.h"

#include "map/blocks.h"
#include "map/links_and_walls.h"

#include <string.h>

static void take_versions(AstarGrid *replica, const AstarGrid *grid)
{
    replica->palette_version = grid->palette_version;
    replica->links_and_walls_version = grid->links_and_walls_version;
    astar_grid_take_log(replica, grid);
}

AstarStatus astar_replica_new(const AstarGrid *grid, AstarGrid **out)
{
    AstarGrid *replica;
    AstarStatus status = astar_grid_copy(grid, &replica);
    if (status != ASTAR_OK)
        return status;
    replica->is_replica = true;
    take_versions(replica, grid);
    *out = replica;
    return ASTAR_OK;
}

// ---- following ----

static AstarStatus follow_palette(AstarGrid *replica, const AstarGrid *grid)
{
    AstarStatus status = ASTAR_OK;
    for (int i = 0; status == ASTAR_OK && i < grid->terrains.count; i++) {
        int added;
        if (i == replica->terrains.count)
            status = astar_grid_add_terrain(replica, grid->terrains.prices[i].asked, &added);
        if (status == ASTAR_OK)
            astar_grid_take_price(replica, i, grid->terrains.prices[i]);
    }
    return status;
}

// The terrains and layers of blocks that there are, which must come before cells.
static AstarStatus follow_kinds(AstarGrid *replica, const AstarGrid *grid)
{
    AstarStatus status = follow_palette(replica, grid);
    return status == ASTAR_OK ? astar_blocks_follow_names(replica, grid) : status;
}

// Those of blocks, too, one layer's after another's.
static AstarStatus follow_edits(AstarGrid *replica, const AstarGrid *grid, uint64_t from)
{
    AstarStatus status = ASTAR_OK;
    AstarEditsSince edits = astar_edits_since(grid, 0, from);
    for (const AstarEdit *edit; status == ASTAR_OK && (edit = astar_next_edit(&edits)) != NULL;)
        if (edit->width > 0)
            status = astar_grid_copy_cells(replica, grid, edit->x, edit->y, edit->width,
                                           edit->height);
    return status;
}

static bool is_row_like(const AstarGrid *replica, const AstarGrid *grid, int y, int x, int width)
{
    uint32_t cell = astar_cell(grid, x, y);
    return memcmp(replica->ground + cell, grid->ground + cell, (size_t)width) == 0 &&
           astar_blocks_are_like(replica, grid, x, y, width);
}

// Looks through all cells. Where much differs, the rest is taken as one edit.
static AstarStatus follow_cells(AstarGrid *replica, const AstarGrid *grid)
{
    enum { STRETCH = 64, MOST_EDITS = 1024 };
    AstarStatus status = ASTAR_OK;
    int edits = 0;
    for (int y = 0; status == ASTAR_OK && y < grid->height; y++) {
        if (is_row_like(replica, grid, y, 0, grid->width))
            continue;
        if (edits > MOST_EDITS)
            return astar_grid_copy_cells(replica, grid, 0, y, grid->width, grid->height - y);
        for (int x = 0, width; status == ASTAR_OK && x < grid->width; x += width) {
            width = grid->width - x < STRETCH ? grid->width - x : STRETCH;
            if (is_row_like(replica, grid, y, x, width))
                continue;
            status = astar_grid_copy_cells(replica, grid, x, y, width, 1);
            edits++;
        }
    }
    return status;
}

// Follows all but links and walls since a version.
static AstarStatus follow_since(AstarGrid *replica, const AstarGrid *grid, uint64_t from)
{
    AstarStatus status = follow_kinds(replica, grid);
    if (status != ASTAR_OK)
        return status;
    return astar_knows_edits_since(grid, 0, from) ? follow_edits(replica, grid, from)
                                                  : follow_cells(replica, grid);
}

AstarStatus astar_replica_follow(AstarGrid *replica, const AstarGrid *grid)
{
    AstarStatus status = follow_since(replica, grid, replica->version);
    if (status == ASTAR_OK && replica->links_and_walls_version != grid->links_and_walls_version)
        status = astar_links_and_walls_follow(replica, grid);
    if (status == ASTAR_OK)
        take_versions(replica, grid);
    return status;
}

// ---- a little at a time ----

AstarStatus astar_snapshot_begin(AstarSnapshot *snapshot, AstarGrid *grid)
{
    AstarStatus status = astar_grid_new_shaped(&grid->allocator, grid->shape->offset, grid->width,
                                               grid->height, &snapshot->copy);
    if (status != ASTAR_OK)
        return status;
    astar_grid_retain(grid);
    snapshot->grid = grid;
    snapshot->rows = 0;
    snapshot->version = grid->version;
    snapshot->copy->is_replica = true;
    snapshot->copy->links_and_walls_version = grid->links_and_walls_version;
    return ASTAR_OK;
}

AstarStatus astar_snapshot_advance(AstarSnapshot *snapshot, int64_t *work)
{
    const AstarGrid *grid = snapshot->grid;
    for (; snapshot->rows < grid->height; snapshot->rows++, *work -= grid->width) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        AstarStatus status = follow_kinds(snapshot->copy, grid);
        if (status == ASTAR_OK)
            status = astar_grid_copy_cells(snapshot->copy, grid, 0, snapshot->rows, grid->width, 1);
        if (status == ASTAR_OK)
            status = astar_walls_copy(snapshot->copy, grid, snapshot->rows, 1);
        if (status != ASTAR_OK)
            return status;
    }
    return ASTAR_OK;
}

AstarStatus astar_snapshot_end(AstarSnapshot *snapshot)
{
    AstarGrid *grid = snapshot->grid, *copy = snapshot->copy;
    AstarStatus status = follow_since(copy, grid, snapshot->version);
    if (status == ASTAR_OK && copy->links_and_walls_version != grid->links_and_walls_version)
        status = astar_walls_copy(copy, grid, 0, grid->height);
    if (status == ASTAR_OK)
        status = astar_links_clone(grid, copy);
    if (status != ASTAR_OK)
        return status;
    take_versions(copy, grid);
    snapshot->grid = NULL;
    astar_grid_release(grid);
    return ASTAR_OK;
}
