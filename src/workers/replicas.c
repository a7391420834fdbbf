// replicas.c -- the copies of a map that workers read.

#include "workers/replicas.h"

#include "derived/baked_map.h"
#include "map/blocks.h"
#include "workers/delegate.h"

static AstarReplicas *new_replicas(AstarWorkers *workers, AstarGrid *source)
{
    AstarReplicas *replicas = astar_alloc(&workers->allocator, 1, sizeof *replicas);
    if (replicas == NULL)
        return NULL;
    astar_grid_retain(source);
    replicas->source = source;
    replicas->latest = -1;
    replicas->next = workers->replicas;
    workers->replicas = replicas;
    return replicas;
}

AstarReplicas *astar_replicas_need(AstarWorkers *workers, AstarGrid *source)
{
    AstarReplicas *replicas = workers->replicas;
    while (replicas != NULL && replicas->source != source)
        replicas = replicas->next;
    return replicas != NULL ? replicas : new_replicas(workers, source);
}

// A replica that no batch reads; -1: there is none.
static int find_idle(const AstarReplicas *replicas)
{
    int latest = replicas->latest;
    if (latest >= 0 && replicas->replicas[latest].batches == 0)
        return latest;
    for (int i = 0; i < ASTAR_POOL_REPLICAS; i++)
        if (replicas->replicas[i].batches == 0)
            return i;
    return -1;
}

static void let_go_of(AstarWorkers *workers, AstarReplicas *replicas, int replica)
{
    AstarReplica *gone = &replicas->replicas[replica];
    astar_delegates_leave(workers, replicas, replica);
    astar_grid_release(gone->grid);
    gone->grid = NULL;
    if (replicas->latest == replica)
        replicas->latest = -1;
}

// Brings a replica up to date with the map, and with what is baked of that.
static AstarStatus follow(AstarWorkers *workers, AstarReplicas *replicas, int replica)
{
    AstarReplica *followed = &replicas->replicas[replica];
    const AstarGrid *source = replicas->source;
    AstarStatus status = ASTAR_OK;
    if (followed->grid == NULL)
        status = astar_replica_new(source, &followed->grid);
    if (status != ASTAR_OK)
        return status;
    astar_grid_lock(followed->grid);
    if (followed->grid->version != source->version)
        status = astar_replica_follow(followed->grid, source);
    if (ASTAR_HAS_BAKING && status == ASTAR_OK)
        status = astar_baked_maps_follow(followed->grid, source->home);
    astar_grid_unlock(followed->grid);
    followed->bakings = astar_get(&source->home->bakings);
    if (status != ASTAR_OK)
        let_go_of(workers, replicas, replica);
    return status;
}

bool astar_replicas_have_baked(const AstarReplicas *replicas, int replica)
{
    return replicas->replicas[replica].bakings == astar_get(&replicas->source->home->bakings);
}

// Naming a layer of blocks is no edit, and may be done while others read. Who ignores one asks of a
// replica that has it, be that older than the name.
static AstarStatus follow_names(const AstarReplicas *replicas)
{
    AstarGrid *latest = replicas->replicas[replicas->latest].grid;
    astar_grid_lock(latest);
    AstarStatus status = astar_blocks_follow_names(latest, replicas->source);
    astar_grid_unlock(latest);
    return status;
}

AstarStatus astar_replicas_publish(AstarWorkers *workers, AstarReplicas *replicas)
{
    int latest = replicas->latest, idle = find_idle(replicas);
    bool is_current = latest >= 0 && astar_replicas_have_baked(replicas, latest) &&
                      replicas->replicas[latest].grid->version == replicas->source->version;
    if (is_current || idle < 0)
        return follow_names(replicas);
    AstarStatus status = follow(workers, replicas, idle);
    if (status == ASTAR_OK)
        replicas->latest = idle;
    return status;
}

int astar_replicas_pin(AstarReplicas *replicas)
{
    replicas->replicas[replicas->latest].batches++;
    return replicas->latest;
}

void astar_replicas_unpin(AstarReplicas *replicas, int replica)
{
    replicas->replicas[replica].batches--;
}

AstarGrid *astar_replicas_grid(const AstarReplicas *replicas, int replica)
{
    return replicas->replicas[replica].grid;
}

void astar_replicas_tidy(AstarWorkers *workers)
{
    for (AstarReplicas **link = &workers->replicas; *link != NULL;) {
        AstarReplicas *each = *link;
        if (each->delegates > 0) {
            link = &each->next;
            continue;
        }
        *link = each->next;
        for (int i = 0; i < ASTAR_POOL_REPLICAS; i++)
            astar_grid_release(each->replicas[i].grid);
        astar_grid_release(each->source);
        astar_release(&workers->allocator, each, 1, sizeof *each);
    }
}

size_t astar_workers_bytes(const AstarWorkers *workers)
{
    size_t bytes = 0;
    for (const AstarReplicas *each = workers->replicas; each != NULL; each = each->next)
        for (int i = 0; i < ASTAR_POOL_REPLICAS; i++)
            bytes += each->replicas[i].grid != NULL ? astar_grid_bytes(each->replicas[i].grid) : 0;
    return bytes;
}
