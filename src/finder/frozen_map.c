// frozen_map.c -- A snapshot of the map and the field that a finder reads.
//
// If a map is edited all the time, a long computation on it might never finish. The computation
// then runs on a copy: a snapshot of the map (map/clone.c) and of the field to avoid, both made in
// as many steps as needed. If the map belongs to another Lua state, the copy of the map that was
// published last is retained instead, and only the field is copied.

#include "finder/frozen_map.h"

#include "finder/finder.h"

AstarStatus astar_frozen_map_begin(AstarFrozenMap *frozen, const AstarFinder *finder)
{
    AstarGrid *grid = finder->grid;
    AstarStatus status;
    if (astar_grid_is_view(grid)) {
        status = astar_view_new(astar_grid_shared(grid), &frozen->view);
        if (status == ASTAR_OK)
            astar_view_enter_as(frozen->view, grid);
    } else {
        status = astar_snapshot_begin(&frozen->map, grid);
    }
    if (status == ASTAR_OK && finder->options.avoid != NULL)
        status = astar_field_copy_begin(&frozen->field, finder->options.avoid);
    // The prices of blocks must be those of the retained copy, so the field is copied completely
    // now.
    int64_t work = ASTAR_ALL_WORK;
    if (status == ASTAR_OK && finder->avoided.sum != NULL && frozen->view != NULL) {
        astar_field_sum_sync(finder->avoided.sum);
        status = astar_field_copy_advance(&frozen->field, &work);
        astar_field_copy_end(&frozen->field);
    }
    return status;
}

static AstarStatus copy_on(AstarFrozenMap *frozen, int64_t *work)
{
    AstarStatus status = ASTAR_OK;
    if (frozen->map.grid != NULL)
        status = astar_snapshot_advance(&frozen->map, work);
    if (status == ASTAR_OK && frozen->field.field != NULL)
        status = astar_field_copy_advance(&frozen->field, work);
    if (status == ASTAR_OK && frozen->map.grid != NULL)
        status = astar_snapshot_end(&frozen->map);
    if (status == ASTAR_OK)
        astar_field_copy_end(&frozen->field);
    return status;
}

AstarStatus astar_frozen_map_advance(AstarFrozenMap *frozen, AstarFinder *finder,
                                     uint64_t expansions, AstarFinder **out)
{
    AstarFinder *like = astar_finder_original(finder);
    int64_t work = astar_work_of(expansions);
    AstarStatus status = copy_on(frozen, &work);
    if (status == ASTAR_OK)
        status = astar_finder_update_tables(like);
    if (status != ASTAR_OK)
        return status;
    AstarGrid *grid = frozen->view != NULL ? frozen->view : frozen->map.copy;
    return astar_finder_new_like(like, grid, frozen->field.copy, out);
}

size_t astar_frozen_map_bytes(const AstarFrozenMap *frozen)
{
    size_t bytes = 0;
    if (frozen->map.copy != NULL)
        bytes += astar_grid_bytes(frozen->map.copy);
    if (frozen->field.copy != NULL)
        bytes += astar_field_bytes(frozen->field.copy);
    return bytes;
}

void astar_frozen_map_free(AstarFrozenMap *frozen)
{
    astar_grid_release(frozen->map.grid);
    astar_grid_release(frozen->map.copy);
    astar_field_release(frozen->field.field);
    astar_field_release(frozen->field.copy);
    astar_grid_release(frozen->view);
}
