// map_snapshot.c -- A snapshot of the map and the field that a finder reads.
//
// If a map is edited all the time, a long computation on it might never finish. The computation
// then runs on a snapshot of the map (map/clone.c) and of the field to avoid. Both snapshots are
// made in steps. If the map belongs to another Lua state, the copy of the map that was published
// last is retained instead, and only the field is copied.

#include "finder/map_snapshot.h"

#include "finder/finder.h"

AstarStatus astar_map_snapshot_begin(AstarMapSnapshot *snapshot, const AstarFinder *finder)
{
    AstarGrid *grid = finder->grid;
    AstarStatus status;
    if (astar_grid_is_view(grid)) {
        status = astar_view_new(astar_grid_shared(grid), &snapshot->view);
        if (status == ASTAR_OK)
            astar_view_enter_as(snapshot->view, grid);
    } else {
        status = astar_snapshot_begin(&snapshot->map, grid);
    }
    if (status == ASTAR_OK && finder->options.avoid != NULL)
        status = astar_field_copy_begin(&snapshot->field, finder->options.avoid);
    // The prices of blocks must be those of the retained copy of the map, so the whole field is
    // copied in this call.
    int64_t work = ASTAR_ALL_WORK;
    if (status == ASTAR_OK && finder->avoided.sum != NULL && snapshot->view != NULL) {
        astar_field_sum_sync(finder->avoided.sum);
        status = astar_field_copy_advance(&snapshot->field, &work);
        astar_field_copy_end(&snapshot->field);
    }
    return status;
}

static AstarStatus copy_on(AstarMapSnapshot *snapshot, int64_t *work)
{
    AstarStatus status = ASTAR_OK;
    if (snapshot->map.grid != NULL)
        status = astar_snapshot_advance(&snapshot->map, work);
    if (status == ASTAR_OK && snapshot->field.field != NULL)
        status = astar_field_copy_advance(&snapshot->field, work);
    if (status == ASTAR_OK && snapshot->map.grid != NULL)
        status = astar_snapshot_end(&snapshot->map);
    if (status == ASTAR_OK)
        astar_field_copy_end(&snapshot->field);
    return status;
}

AstarStatus astar_map_snapshot_advance(AstarMapSnapshot *snapshot, AstarFinder *finder,
                                       uint64_t expansions, AstarFinder **out)
{
    AstarFinder *like = astar_finder_original(finder);
    int64_t work = astar_work_of(expansions);
    AstarStatus status = copy_on(snapshot, &work);
    if (status == ASTAR_OK)
        status = astar_finder_update_tables(like);
    if (status != ASTAR_OK)
        return status;
    AstarGrid *grid = snapshot->view != NULL ? snapshot->view : snapshot->map.copy;
    return astar_finder_new_like(like, grid, snapshot->field.copy, out);
}

size_t astar_map_snapshot_bytes(const AstarMapSnapshot *snapshot)
{
    size_t bytes = 0;
    if (snapshot->map.copy != NULL)
        bytes += astar_grid_bytes(snapshot->map.copy);
    if (snapshot->field.copy != NULL)
        bytes += astar_field_bytes(snapshot->field.copy);
    return bytes;
}

void astar_map_snapshot_free(AstarMapSnapshot *snapshot)
{
    astar_grid_release(snapshot->map.grid);
    astar_grid_release(snapshot->map.copy);
    astar_field_release(snapshot->field.field);
    astar_field_release(snapshot->field.copy);
    astar_grid_release(snapshot->view);
}
