// batch.c -- the life of a batch: questions handed to the workers together, and how far they are.

#include "workers/batch.h"

// Jobs that memory is kept for while there is no batch: some hundred kilobytes.
enum { MOST_SPARE_JOBS = 512 };

// ---- how far they are ----

// The next one that who waits may work on: of a pool that was closed, those its threads left, too.
static AstarJob *take_awaited(AstarBatch *batch)
{
    AstarJob *job = astar_batch_take_job(batch);
    for (size_t i = 0; job == NULL && batch->workers->threads == 0 && i < batch->count; i++)
        if (!batch->jobs[i].is_done)
            job = &batch->jobs[i];
    return job;
}

static void work_or_wait(AstarBatch *batch)
{
    AstarWorkers *workers = batch->workers;
    ASTAR_ATOMIC(bool) never = false;
    AstarJob *job = take_awaited(batch);
    if (job == NULL) {
        astar_condition_wait(&workers->is_answered, &workers->mutex);
        return;
    }
    astar_mutex_unlock(&workers->mutex);
    astar_job_work(job, &workers->seats[workers->seat_count - 1], &never);
    astar_mutex_lock(&workers->mutex);
    (void)astar_batch_note(batch, job, true);
}

// From now on nobody reads the replicas for it.
static void unpin(AstarBatch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        astar_job_leave(&batch->jobs[i]);
    for (size_t i = 0; batch->is_pinned && i < batch->pin_count; i++)
        batch->pins[i].replicas->replicas[batch->pins[i].replica].batches--;
    batch->is_pinned = false;
}

// Has the host answer what workers of another process have not. Their replicas are left as they
// are.
static void answer_without_workers(AstarBatch *batch)
{
    for (size_t i = 0; i < batch->pin_count; i++) // maps may be views of shared ones
        batch->pins[i].entered = astar_view_enter(batch->pins[i].replicas->source);
    for (size_t i = 0; batch->has_begun && i < batch->count; i++) {
        AstarJob *job = &batch->jobs[i];
        if (!job->is_done && astar_get(&job->is_cancelled)) {
            job->answer.status = ASTAR_CANCELLED;
        } else if (!job->is_done) {
            astar_path_init(&job->answer.path); // a thread may have been filling it in
            astar_job_leave_to_host(job, astar_workers_own_workspace(batch->workers));
        }
        batch->done += !job->is_done;
        job->is_done = true;
    }
    for (size_t i = batch->pin_count; i-- > 0;)
        astar_view_leave(batch->pins[i].replicas->source, batch->pins[i].entered);
    batch->is_pinned = false;
}

void astar_batch_wait(AstarBatch *batch)
{
    AstarWorkers *workers = batch->workers;
    if (astar_workers_are_lost(workers)) {
        answer_without_workers(batch);
        return;
    }
    if (!batch->is_pinned)
        return;
    astar_mutex_lock(&workers->mutex);
    batch->is_awaited = true;
    while (batch->done < batch->count)
        work_or_wait(batch);
    astar_workers_unlink(workers, batch);
    astar_mutex_unlock(&workers->mutex);
    unpin(batch);
}

void astar_batch_cancel(AstarBatch *batch, size_t number)
{
    if (number < batch->count)
        astar_put(&batch->jobs[number].is_cancelled, true);
}

// ---- its life ----

AstarStatus astar_batch_new(AstarWorkers *workers, AstarBatch **out)
{
    AstarBatch *batch = astar_alloc(&workers->allocator, 1, sizeof *batch);
    if (batch == NULL)
        return ASTAR_NO_MEMORY;
    if (!astar_workers_are_lost(workers))
        astar_delegates_tidy(workers);
    batch->workers = workers;
    workers->references++;
    *out = batch;
    return ASTAR_OK;
}

// Leaves the memory of its jobs to the next batch, if that is as much as may lie idle and more than
// there is.
static void leave_jobs(AstarBatch *batch)
{
    AstarWorkers *workers = batch->workers;
    AstarJob *jobs = batch->jobs;
    size_t capacity = batch->capacity;
    if (capacity <= MOST_SPARE_JOBS && capacity > workers->spare_capacity) {
        jobs = workers->spare_jobs;
        capacity = workers->spare_capacity;
        workers->spare_jobs = batch->jobs;
        workers->spare_capacity = batch->capacity;
    }
    astar_release(&workers->allocator, jobs, capacity, sizeof *jobs);
}

void astar_batch_free(AstarBatch *batch)
{
    if (batch == NULL)
        return;
    AstarWorkers *workers = batch->workers;
    if (astar_workers_are_lost(workers)) { // of what threads had in hand nothing can be freed
        astar_workers_release(workers);
        return;
    }
    for (size_t i = 0; i < batch->count; i++)
        astar_batch_cancel(batch, i);
    astar_batch_wait(batch);
    const AstarAllocator *allocator = &workers->allocator;
    for (size_t i = 0; i < batch->count; i++)
        astar_job_end(&batch->jobs[i], allocator);
    leave_jobs(batch);
    astar_release(allocator, batch->pins, batch->pin_capacity, sizeof *batch->pins);
    astar_release(allocator, batch, 1, sizeof *batch);
    astar_workers_release(workers);
}

size_t astar_batch_count(const AstarBatch *batch)
{
    return batch->count;
}

AstarPin *astar_batch_pin(const AstarBatch *batch, const AstarReplicas *replicas)
{
    for (size_t i = 0; i < batch->pin_count; i++)
        if (batch->pins[i].replicas == replicas)
            return &batch->pins[i];
    return NULL;
}

uint64_t astar_batch_version(const AstarBatch *batch, size_t number)
{
    if (number >= batch->count || !batch->has_begun)
        return 0;
    return astar_batch_pin(batch, batch->jobs[number].delegate->replicas)->version;
}
