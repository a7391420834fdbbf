// replica.c -- copies of a grid that follow it.
//
// A copy follows by looking: cells that the logs of edits name, or all where they do not reach
// back, are compared with the grid's, and what differs is edited. So nothing is recorded while the
// grid is edited, no order matters, and what is built of the copy is mended by its edits as ever.
// Then it takes the grid's version and logs: to who goes from one copy to another it is one map
// that was edited in between.

#include "map/replica.h"

#include "map/blocks.h"
#include "map/links_and_walls.h"

#include <string.h>

AstarStatus astar_replica_new(const AstarGrid *grid, AstarGrid **out)
{
    AstarGrid *replica;
    AstarStatus status = astar_grid_copy(grid, &replica);
    if (status != ASTAR_OK)
        return status;
    replica->is_replica = true;
    astar_replica_take_versions(replica, grid);
    *out = replica;
    return ASTAR_OK;
}

AstarStatus astar_replica_begin(const AstarGrid *grid, AstarGrid **out)
{
    AstarStatus status = astar_grid_new_shaped(&grid->allocator, grid->shape->offset, grid->width,
                                               grid->height, out);
    if (status == ASTAR_OK)
        (*out)->is_replica = true;
    return status;
}

void astar_replica_take_versions(AstarGrid *replica, const AstarGrid *grid)
{
    replica->palette_version = grid->palette_version;
    replica->links_and_walls_version = grid->links_and_walls_version;
    astar_grid_take_log(replica, grid);
}

// ---- following ----

static AstarStatus follow_palette(AstarGrid *replica, const AstarGrid *grid)
{
    AstarStatus status = ASTAR_OK;
    for (int i = 0; status == ASTAR_OK && i < grid->terrain_count; i++) {
        int added;
        if (i == replica->terrain_count)
            status = astar_grid_add_terrain(replica, grid->prices[i].asked, &added);
        if (status == ASTAR_OK)
            astar_grid_take_price(replica, i, grid->prices[i]);
    }
    return status;
}

AstarStatus astar_replica_follow_kinds(AstarGrid *replica, const AstarGrid *grid)
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

AstarStatus astar_replica_follow(AstarGrid *replica, const AstarGrid *grid)
{
    uint64_t from = replica->version;
    AstarStatus status = astar_replica_follow_kinds(replica, grid);
    if (status == ASTAR_OK)
        status = astar_knows_edits_since(grid, 0, from) ? follow_edits(replica, grid, from)
                                                        : follow_cells(replica, grid);
    if (status == ASTAR_OK && replica->links_and_walls_version != grid->links_and_walls_version)
        status = astar_links_and_walls_follow(replica, grid);
    if (status == ASTAR_OK)
        astar_replica_take_versions(replica, grid);
    return status;
}
