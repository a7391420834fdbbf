// batch_begin.c -- a batch is handed over: in which order, on which copies of its maps, and what is
// answered by the host at once.

#include "workers/batch.h"

#include "derived/baked_map.h"
#include "map/blocks.h"
#include "share/shared_map.h"

// Before it begins no job is done: so 'is_done' is free to tell which numbers are listed.
static bool mark_listed(AstarBatch *batch, const size_t *numbers, size_t count)
{
    bool is_fine = true;
    for (size_t i = 0; i < count && is_fine; i++) {
        is_fine = numbers[i] < batch->count && !batch->jobs[numbers[i]].is_done;
        if (is_fine)
            batch->jobs[numbers[i]].is_done = true;
    }
    return is_fine;
}

AstarStatus astar_batch_set_order(AstarBatch *batch, const size_t *numbers, size_t count)
{
    if (batch->has_begun)
        return ASTAR_BAD_OPTION;
    bool is_fine = mark_listed(batch, numbers, count);
    size_t after = count;
    for (size_t i = 0; i < batch->count && is_fine; i++)
        if (!batch->jobs[i].is_done)
            batch->jobs[after++].number = i;
    for (size_t i = 0; i < count && is_fine; i++)
        batch->jobs[i].number = numbers[i];
    for (size_t i = 0; i < batch->count; i++)
        batch->jobs[i].is_done = false;
    return is_fine ? ASTAR_OK : ASTAR_BAD_OPTION;
}

// Whether questions by a finder are answered by what was baked and its replica has not: what was
// baked since that was published, where it could not be brought there.
static bool is_baked_here(AstarJob *job)
{
    const AstarFinder *finder = job->delegate->finder;
    bool is_there = astar_replicas_have_baked(job->delegate->replicas, job->replica);
    return !astar_delegate_carry(job->delegate, job->replica, &job->landmarks) ||
           (!is_there && finder->on.walkable != NULL && finder->on.walkable->baked != NULL);
}

static void answer_by_baked(AstarBatch *batch)
{
    AstarWorkspace *workspace = astar_workers_own_workspace(batch->workers);
    for (size_t i = 0; i < batch->count; i++) {
        AstarJob *job = &batch->jobs[i];
        AstarFinder *finder = job->delegate->finder;
        bool is_fit = job->flow == NULL && !job->bakes &&
                      astar_finder_update_tables(finder) == ASTAR_OK;
        if (!is_fit || !is_baked_here(job))
            continue;
        astar_job_leave_to_host(job, workspace);
        job->is_done = true;
        batch->done++;
    }
}

// Tells a job its replica.
static void aim(const AstarBatch *batch, AstarJob *job)
{
    job->replica = astar_batch_pin(batch, job->delegate->replicas)->replica;
}

// ---- replicas ----

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

// Brings a replica up to date with the map.
static AstarStatus follow(AstarWorkers *workers, AstarReplicas *replicas, int replica)
{
    AstarReplica *followed = &replicas->replicas[replica];
    const AstarGrid *source = replicas->source;
    AstarStatus status = ASTAR_OK;
    if (followed->grid == NULL)
        status = astar_replica_new(source, &followed->grid);
    if (status != ASTAR_OK)
        return status;
    status = astar_replica_catch_up(followed->grid, source);
    followed->bakings = astar_get(&source->home->bakings);
    if (status != ASTAR_OK)
        let_go_of(workers, replicas, replica);
    return status;
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

// Brings a replica that no batch reads up to date with the map, and makes that the latest; where
// there is none, the latest stays what it is.
static AstarStatus publish(AstarWorkers *workers, AstarReplicas *replicas)
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

// Has the replicas of all maps it asks about published, and no longer edited until it is done.
static AstarStatus pin_replicas(AstarBatch *batch)
{
    for (size_t i = 0; i < batch->pin_count; i++) {
        AstarStatus status = publish(batch->workers, batch->pins[i].replicas);
        if (status != ASTAR_OK)
            return status;
    }
    for (size_t i = 0; i < batch->pin_count; i++) {
        AstarPin *pin = &batch->pins[i];
        pin->replica = pin->replicas->latest;
        pin->replicas->replicas[pin->replica].batches++;
        pin->version = pin->replicas->replicas[pin->replica].grid->version;
    }
    batch->has_begun = batch->is_pinned = true;
    return ASTAR_OK;
}

// Of a batch whose workers are lost: astar_batch_wait has the host answer it.
static void begin_without_workers(AstarBatch *batch)
{
    for (size_t i = 0; i < batch->pin_count; i++)
        batch->pins[i].version = batch->pins[i].replicas->source->version;
    batch->has_begun = true;
}

AstarStatus astar_batch_begin(AstarBatch *batch)
{
    if (batch->has_begun)
        return ASTAR_OK;
    if (astar_workers_are_lost(batch->workers)) {
        begin_without_workers(batch);
        return ASTAR_OK;
    }
    for (size_t i = 0; i < batch->pin_count; i++) // maps may be views of shared ones
        batch->pins[i].entered = astar_view_enter(batch->pins[i].replicas->source);
    AstarStatus status = pin_replicas(batch);
    for (size_t i = 0; status == ASTAR_OK && i < batch->count; i++)
        aim(batch, &batch->jobs[i]);
    if (status == ASTAR_OK)
        answer_by_baked(batch);
    for (size_t i = batch->pin_count; i-- > 0;)
        astar_view_leave(batch->pins[i].replicas->source, batch->pins[i].entered);
    if (status == ASTAR_OK)
        astar_workers_put(batch->workers, batch);
    return status;
}
