// snapshot_set.c -- The snapshots of one map that are renewed in turn.
//
// A snapshot is read by the threads that have marked it in a lane, and by the jobs that hold it.
// Only a snapshot that is read by none of them is renewed. A thread that reads a snapshot for long
// therefore never delays the thread that edits the map: the editing thread makes a further
// snapshot. The set has at most 'most' snapshots; if all of them are read, renewing fails.

#include "share/snapshot_set.h"

#include "layers/baked.h"

void astar_snapshot_set_init(AstarSnapshotSet *set, int most, const AstarReaderLane *lanes)
{
    *set = (AstarSnapshotSet){.most = most, .lanes = lanes};
    astar_mutex_init(&set->mutex);
}

// Puts a snapshot into an entry and releases the one that the entry had. The mutex is held because
// another thread may be counting the memory of all snapshots.
static void put_snapshot(AstarSnapshotSet *set, int index, AstarGrid *map)
{
    astar_mutex_lock(&set->mutex);
    AstarGrid *before = set->maps[index];
    set->maps[index] = map;
    astar_mutex_unlock(&set->mutex);
    astar_grid_release(before);
}

void astar_snapshot_set_drop(AstarSnapshotSet *set, int index)
{
    put_snapshot(set, index, NULL);
}

void astar_snapshot_set_destroy(AstarSnapshotSet *set)
{
    for (int i = 0; i < set->most; i++)
        astar_snapshot_set_drop(set, i);
    astar_mutex_destroy(&set->mutex);
}

// Returns true if a thread has marked a snapshot in a lane, or a job holds it. A reader may turn
// its mark into a hold: it holds the snapshot first and then removes the mark. The function reads
// the lanes before 'holders', so it sees the mark or the hold.
static bool is_read(AstarSnapshotSet *set, int index)
{
    uint32_t readers = 0;
    for (int i = 0; set->lanes != NULL && i < ASTAR_LANES; i++)
        readers += astar_get_in_order(&set->lanes[i].marks[index]);
    return readers + astar_get_in_order(&set->maps[index]->holders) > 0;
}

bool astar_snapshot_is_unread(AstarSnapshotSet *set, int index)
{
    return set->maps[index] != NULL && !is_read(set, index);
}

int astar_snapshot_set_unread(AstarSnapshotSet *set, int except, bool oldest)
{
    int best = -1;
    for (int i = 0; i < set->most; i++) {
        if (i == except || !astar_snapshot_is_unread(set, i))
            continue;
        uint64_t version = set->maps[i]->version;
        if (best < 0 || (version < set->maps[best]->version) == oldest)
            best = i;
    }
    return best;
}

// Makes a further snapshot, because no existing one is unread. '*index' becomes its index. Returns
// ASTAR_BUSY if the set has as many snapshots as it may have.
static AstarStatus add_snapshot(AstarSnapshotSet *set, const AstarGrid *grid, int *index)
{
    int free = 0;
    while (free < set->most && set->maps[free] != NULL)
        free++;
    if (free == set->most)
        return ASTAR_BUSY;
    AstarGrid *map;
    AstarStatus status = astar_snapshot_new(grid, &map);
    if (status != ASTAR_OK)
        return status;
    put_snapshot(set, free, map);
    *index = free;
    return ASTAR_OK;
}

// Brings a snapshot up to date with a map and its baked data. The lock of the snapshot prevents
// other threads from freeing its layers or counting its memory meanwhile.
static AstarStatus bring_up_to_date(AstarGrid *map, const AstarGrid *grid)
{
    AstarStatus status = ASTAR_OK;
    astar_grid_lock(map);
    if (map->version != grid->version)
        status = astar_snapshot_renew(map, grid);
    if (ASTAR_HAS_BAKING && status == ASTAR_OK)
        status = astar_baked_maps_follow(map, grid->home);
    astar_grid_unlock(map);
    return status;
}

AstarStatus astar_snapshot_set_renew(AstarSnapshotSet *set, const AstarGrid *grid, int except,
                                     int *index)
{
    *index = astar_snapshot_set_unread(set, except, false);
    AstarStatus status = *index < 0 ? add_snapshot(set, grid, index) : ASTAR_OK;
    if (status != ASTAR_OK)
        return status;
    status = bring_up_to_date(set->maps[*index], grid);
    set->bakings[*index] = astar_get(&grid->home->bakings);
    return status;
}

size_t astar_snapshot_set_bytes(AstarSnapshotSet *set, int *count)
{
    size_t bytes = 0;
    astar_mutex_lock(&set->mutex);
    for (int i = 0; i < set->most; i++) {
        if (set->maps[i] == NULL)
            continue;
        bytes += astar_grid_bytes(set->maps[i]);
        ++*count;
    }
    astar_mutex_unlock(&set->mutex);
    return bytes;
}

bool astar_snapshot_has_baked(const AstarSnapshotSet *set, int index, const AstarGrid *grid)
{
    return set->bakings[index] == astar_get(&grid->home->bakings);
}
