// replicas.c -- the copies of a map that workers read.

#include "workers/replicas.h"

#include "workers/workers.h"

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

bool astar_replicas_have_baked(const AstarReplicas *replicas, int replica)
{
    return replicas->replicas[replica].bakings == astar_get(&replicas->source->home->bakings);
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
