// snapshot.c -- a map as it is at one moment, copied a little at a time while edits go on.
//
// Rows are copied from the first to the last. An edit of rows that are there already is made in the
// copy at once, which costs about what it cost the map; one of rows still to come is copied with
// them. So once the last row is there the copy is the map as it is then, however much was edited
// meanwhile, and no log of edits need reach back. Where an edit finds no memory for that, the rows
// are copied anew.

#include "map/snapshot.h"

#include "map/links_and_walls.h"
#include "map/replica.h"

AstarStatus astar_snapshot_begin(AstarSnapshot *snapshot, AstarGrid *grid)
{
    AstarStatus status = astar_replica_begin(grid, &snapshot->copy);
    if (status != ASTAR_OK)
        return status;
    snapshot->grid = grid;
    snapshot->rows = 0;
    astar_grid_retain(grid);
    astar_grid_lock(grid); // other readers may begin one, too
    snapshot->next = grid->snapshots;
    grid->snapshots = snapshot;
    astar_grid_unlock(grid);
    return ASTAR_OK;
}

void astar_snapshot_leave(AstarSnapshot *snapshot)
{
    AstarGrid *grid = snapshot->grid;
    if (grid == NULL)
        return;
    astar_grid_lock(grid);
    AstarSnapshot **link = &grid->snapshots;
    while (*link != snapshot)
        link = &(*link)->next;
    *link = snapshot->next;
    astar_grid_unlock(grid);
    snapshot->grid = NULL;
    astar_grid_release(grid);
}

static AstarStatus copy_rectangle(const AstarSnapshot *snapshot, int x, int y, int width,
                                  int height)
{
    AstarStatus status = astar_replica_follow_kinds(snapshot->copy, snapshot->grid);
    return status == ASTAR_OK
               ? astar_grid_copy_cells(snapshot->copy, snapshot->grid, x, y, width, height)
               : status;
}

AstarStatus astar_snapshot_advance(AstarSnapshot *snapshot, int64_t *work)
{
    const AstarGrid *grid = snapshot->grid;
    for (; snapshot->rows < grid->height; snapshot->rows++, *work -= grid->width) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        AstarStatus status = copy_rectangle(snapshot, 0, snapshot->rows, grid->width, 1);
        if (status == ASTAR_OK)
            status = astar_walls_copy(snapshot->copy, grid, snapshot->rows, 1);
        if (status != ASTAR_OK)
            return status;
    }
    return ASTAR_OK;
}

AstarStatus astar_snapshot_end(AstarSnapshot *snapshot)
{
    AstarStatus status = astar_replica_follow_kinds(snapshot->copy, snapshot->grid);
    if (status == ASTAR_OK)
        status = astar_links_clone(snapshot->grid, snapshot->copy);
    if (status != ASTAR_OK)
        return status;
    astar_replica_take_versions(snapshot->copy, snapshot->grid);
    astar_snapshot_leave(snapshot);
    return ASTAR_OK;
}

// A wall tells of one of the two cells that it stands between.
static AstarStatus follow_walls_about(AstarSnapshot *snapshot, int y, int height)
{
    uint64_t version = snapshot->grid->links_and_walls_version;
    if (snapshot->copy->links_and_walls_version == version)
        return ASTAR_OK;
    int first = y > 0 ? y - 1 : 0, end = y + height + 1;
    end = end < snapshot->rows ? end : snapshot->rows;
    AstarStatus status = ASTAR_OK;
    if (first < end)
        status = astar_walls_copy(snapshot->copy, snapshot->grid, first, end - first);
    snapshot->copy->links_and_walls_version = version;
    return status;
}

void astar_snapshots_tell(AstarGrid *grid, int x, int y, int width, int height)
{
    for (AstarSnapshot *each = grid->snapshots; each != NULL; each = each->next) {
        int rows = each->rows - y < height ? each->rows - y : height;
        AstarStatus status = rows > 0 ? copy_rectangle(each, x, y, width, rows) : ASTAR_OK;
        if (status == ASTAR_OK)
            status = follow_walls_about(each, y, height);
        if (status != ASTAR_OK)
            each->rows = 0;
    }
}
