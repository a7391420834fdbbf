// worker_finders.c -- The finders that workers use in place of the caller's finders, and the
// snapshots that workers read.
//
// A finder belongs to one thread and one map. Therefore there is a separate finder for each seat
// (the place of one thread of the pool) and each snapshot of the map. The worker that first needs
// such a finder creates it. The options and own costs of the caller's finder never change, so
// workers may read them while the caller uses the finder. The finders in the array 'at' belong to
// the workers at their seats; everything else belongs to the caller's thread.

#include "parts/workers/worker_finders.h"

#include "layers/landmarks.h"
#include "map/blocks.h"
#include "parts/workers/workers.h"

const char *astar_workers_refusal(const AstarFinder *finder)
{
    const AstarOptions *options = &finder->options;
    if (options->cost != NULL)
        return "cost";
    if (options->step_cost != NULL)
        return "step_cost";
    if (options->estimate != NULL)
        return "a heuristic function";
    if (finder->breached != 0)
        return "breach";
    return options->avoid != NULL ? "avoid" : NULL;
}

// The functions below copy landmarks to snapshots.

static void drop_carried(AstarWorkerFinders *finders, int snapshot)
{
    AstarCarried *carried = &finders->carried[snapshot];
    if (carried->landmarks != NULL)
        astar_layer_release(carried->landmarks->layer.home, carried->landmarks);
    carried->landmarks = NULL;
}

bool astar_worker_finders_carry(AstarWorkerFinders *finders, int snapshot, AstarLandmarks **out)
{
    const AstarWorkerMap *map = finders->map;
    const AstarFinder *finder = finders->finder;
    const AstarGrid *grid = map->set.maps[snapshot];
    AstarCarried *carried = &finders->carried[snapshot];
    *out = NULL;
    if (finder->on.landmarks == NULL || carried->bakings != finder->bakings)
        drop_carried(finders, snapshot);
    if (!ASTAR_HAS_BAKING || finder->on.landmarks == NULL)
        return true;
    if (carried->landmarks == NULL || carried->version != grid->version) {
        if (grid->version != map->source->version ||
            astar_landmarks_follow(grid, finder->on.landmarks, &carried->landmarks) != ASTAR_OK)
            return false;
        carried->bakings = finder->bakings;
        carried->version = grid->version;
    }
    *out = carried->landmarks;
    astar_layer_retain(grid, *out);
    return true;
}

// Makes a worker's finder use some landmarks. First brings the tables of the finder up to date,
// because they determine which landmarks fit.
static AstarStatus take_landmarks(AstarFinder *finder, AstarLandmarks *landmarks)
{
    AstarStatus status = astar_finder_update_tables(finder);
    if (status != ASTAR_OK || finder->on.landmarks == landmarks)
        return status;
    if (landmarks != NULL)
        astar_layer_retain(finder->grid, landmarks);
    astar_layer_release(finder->grid, finder->on.landmarks);
    finder->on.landmarks = landmarks;
    finder->bakings++;
    return ASTAR_OK;
}

// The functions below create and free the workers' finders.

static AstarFinder **finder_place(AstarWorkerFinders *finders, int snapshot, int seat)
{
    return &finders->at[(size_t)seat * ASTAR_POOL_SNAPSHOTS + (size_t)snapshot];
}

AstarStatus astar_worker_finder_new(const AstarWorkerFinders *finders, int snapshot,
                                    AstarFinder **out)
{
    return astar_finder_new_like(finders->finder, finders->map->set.maps[snapshot], NULL, out);
}

AstarStatus astar_worker_finder_at(AstarWorkerFinders *finders, int snapshot, int seat,
                                   AstarLandmarks *landmarks, AstarFinder **out)
{
    AstarFinder **place = finder_place(finders, snapshot, seat);
    AstarStatus status = ASTAR_OK;
    if (*place == NULL)
        status = astar_worker_finder_new(finders, snapshot, place);
    *out = *place;
    return status == ASTAR_OK ? take_landmarks(*place, landmarks) : status;
}

static void leave_snapshot(AstarWorkerFinders *finders, int snapshot)
{
    drop_carried(finders, snapshot);
    for (int seat = 0; (size_t)seat * ASTAR_POOL_SNAPSHOTS < finders->count; seat++) {
        AstarFinder **place = finder_place(finders, snapshot, seat);
        astar_finder_release(*place);
        *place = NULL;
    }
}

// Frees the finders that workers have on a snapshot. Must be called before the entry of the
// snapshot gets another snapshot, when no thread reads it.
static void leave_snapshot_of(AstarWorkers *workers, const AstarWorkerMap *map, int snapshot)
{
    for (AstarWorkerFinders *each = workers->finders; each != NULL; each = each->next)
        if (each->map == map)
            leave_snapshot(each, snapshot);
}

// The functions below create, renew and free the snapshots of maps.

static AstarWorkerMap *new_worker_map(AstarWorkers *workers, AstarGrid *source)
{
    AstarWorkerMap *map = astar_alloc(&workers->allocator, 1, sizeof *map);
    if (map == NULL)
        return NULL;
    astar_snapshot_set_init(&map->set, ASTAR_POOL_SNAPSHOTS, NULL);
    astar_grid_retain(source);
    map->source = source;
    map->latest = -1;
    map->next = workers->maps;
    workers->maps = map;
    return map;
}

// Returns the entry of a map in the list of the workers. If the map has no entry, adds an entry
// without any snapshot. Returns NULL if memory is short.
static AstarWorkerMap *need_map(AstarWorkers *workers, AstarGrid *source)
{
    AstarWorkerMap *map = workers->maps;
    while (map != NULL && map->source != source)
        map = map->next;
    return map != NULL ? map : new_worker_map(workers, source);
}

// Frees the snapshots of the maps whose finders no worker uses any more.
static void tidy_maps(AstarWorkers *workers)
{
    for (AstarWorkerMap **link = &workers->maps; *link != NULL;) {
        AstarWorkerMap *each = *link;
        if (each->users > 0) {
            link = &each->next;
            continue;
        }
        *link = each->next;
        astar_snapshot_set_destroy(&each->set);
        astar_grid_release(each->source);
        astar_release(&workers->allocator, each, 1, sizeof *each);
    }
}

// Copies new names of layers to the latest snapshot. Naming a layer is not an edit, and is allowed
// while other threads read the snapshot. A finder that ignores a new layer needs a snapshot that
// has the name of the layer, even if the snapshot is older than the name.
static AstarStatus follow_names(const AstarWorkerMap *map)
{
    AstarGrid *latest = map->set.maps[map->latest];
    astar_grid_lock(latest);
    AstarStatus status = astar_blocks_follow_names(latest, map->source);
    astar_grid_unlock(latest);
    return status;
}

AstarStatus astar_worker_map_publish(AstarWorkers *workers, AstarWorkerMap *map)
{
    int latest = map->latest, renewed;
    if (latest >= 0 && astar_snapshot_has_baked(&map->set, latest, map->source) &&
        map->set.maps[latest]->version == map->source->version)
        return follow_names(map);
    AstarStatus status = astar_snapshot_set_renew(&map->set, map->source, -1, &renewed);
    if (status == ASTAR_BUSY)
        return follow_names(map);
    if (status == ASTAR_OK)
        map->latest = renewed;
    if (status != ASTAR_OK && renewed >= 0) {
        leave_snapshot_of(workers, map, renewed);
        astar_snapshot_set_drop(&map->set, renewed);
        map->latest = latest == renewed ? -1 : latest;
    }
    return status;
}

// The functions below create, find and free the workers' finders for a finder of the caller.

static void free_finders(AstarWorkers *workers, AstarWorkerFinders *finders)
{
    const AstarAllocator *allocator = &workers->allocator;
    for (int snapshot = 0; snapshot < ASTAR_POOL_SNAPSHOTS && finders->at != NULL; snapshot++)
        leave_snapshot(finders, snapshot);
    if (finders->map != NULL)
        finders->map->users--;
    astar_finder_release(finders->finder);
    astar_release(allocator, finders->at, finders->count, sizeof *finders->at);
    astar_release(allocator, finders, 1, sizeof *finders);
}

static AstarWorkerFinders *new_finders(AstarWorkers *workers, AstarFinder *finder)
{
    AstarWorkerFinders *finders = astar_alloc(&workers->allocator, 1, sizeof *finders);
    if (finders == NULL)
        return NULL;
    astar_finder_retain(finder);
    finders->finder = finder;
    finders->count = (size_t)workers->seat_count * ASTAR_POOL_SNAPSHOTS;
    finders->at = astar_alloc(&workers->allocator, finders->count, sizeof *finders->at);
    if (finders->at != NULL)
        finders->map = need_map(workers, finder->grid);
    if (finders->map == NULL) {
        free_finders(workers, finders);
        return NULL;
    }
    finders->map->users++;
    return finders;
}

// Removes the workers' finders for a caller's finder from the list of the workers and returns them.
// Returns NULL if there are none.
static AstarWorkerFinders *unlink_finders(AstarWorkers *workers, const AstarFinder *finder)
{
    AstarWorkerFinders **link = &workers->finders;
    while (*link != NULL && (*link)->finder != finder)
        link = &(*link)->next;
    AstarWorkerFinders *finders = *link;
    if (finders != NULL)
        *link = finders->next;
    return finders;
}

AstarStatus astar_worker_finders_need(AstarWorkers *workers, AstarFinder *finder,
                                      AstarWorkerFinders **out)
{
    AstarWorkerFinders *finders = unlink_finders(workers, finder);
    if (finders == NULL)
        finders = new_finders(workers, finder);
    if (finders == NULL)
        return ASTAR_NO_MEMORY;
    finders->next = workers->finders;
    workers->finders = finders;
    *out = finders;
    return ASTAR_OK;
}

void astar_worker_finders_tidy(AstarWorkers *workers)
{
    for (AstarWorkerFinders **link = &workers->finders; *link != NULL;) {
        AstarWorkerFinders *each = *link;
        if (each->jobs > 0 || each->finder->references > 1) {
            link = &each->next;
        } else {
            *link = each->next;
            free_finders(workers, each);
        }
    }
    tidy_maps(workers);
}

void astar_worker_finders_free(AstarWorkers *workers)
{
    while (workers->finders != NULL) {
        AstarWorkerFinders *finders = workers->finders;
        workers->finders = finders->next;
        free_finders(workers, finders);
    }
    tidy_maps(workers);
}

size_t astar_workers_bytes(const AstarWorkers *workers)
{
    size_t bytes = 0;
    int snapshots = 0;
    if (astar_workers_are_lost(workers))
        return 0;
    for (AstarWorkerMap *each = workers->maps; each != NULL; each = each->next)
        bytes += astar_snapshot_set_bytes(&each->set, &snapshots);
    return bytes;
}
