// workers.c -- a pool of threads that take questions off a list of batches.
//
// The list is first come, first served, question by question, so that what is due first is worked
// on first. Whoever takes a question or has answered one holds the pool's mutex for a moment; while
// it is worked on, nothing is held. All other parts of a pool are the host's thread's.

#include "workers/workers.h"

#include "workers/batch.h"

bool astar_workers_are_lost(const AstarWorkers *workers)
{
    return workers->threads > 0 && workers->process != astar_process_number();
}

// ---- the list ----

void astar_workers_put(AstarWorkers *workers, AstarBatch *batch)
{
    astar_mutex_lock(&workers->mutex);
    if (workers->last != NULL)
        workers->last->next = batch;
    else
        workers->first = batch;
    workers->last = batch;
    astar_mutex_unlock(&workers->mutex);
    astar_condition_wake(&workers->is_asked);
}

void astar_workers_unlink(AstarWorkers *workers, AstarBatch *batch)
{
    AstarBatch *before = NULL, *each = workers->first;
    while (each != NULL && each != batch) {
        before = each;
        each = each->next;
    }
    if (each == NULL)
        return;
    *(before != NULL ? &before->next : &workers->first) = batch->next;
    if (workers->last == batch)
        workers->last = before;
    batch->next = NULL;
}

AstarJob *astar_batch_take_job(AstarBatch *batch)
{
    while (batch->taken < batch->count) {
        AstarJob *job = &batch->jobs[batch->jobs[batch->taken++].number];
        if (!job->is_done)
            return job;
    }
    return NULL;
}

bool astar_batch_note(AstarBatch *batch, AstarJob *job, bool is_done)
{
    job->is_done = is_done;
    batch->done += is_done;
    return batch->is_awaited && batch->done == batch->count;
}

// The next question; NULL where there is none.
static AstarJob *take_job(AstarWorkers *workers, AstarBatch **batch)
{
    while (workers->first != NULL) {
        *batch = workers->first;
        AstarJob *job = astar_batch_take_job(*batch);
        if (job != NULL)
            return job;
        astar_workers_unlink(workers, *batch);
    }
    return NULL;
}

// Whether there may be one more.
static bool has_more(const AstarWorkers *workers)
{
    const AstarBatch *first = workers->first;
    return first != NULL && (first->taken < first->count || first->next != NULL);
}

// ---- threads ----

// Who hands a batch over wakes one worker, which is what takes its time; who takes a question wakes
// the next where there are more.
static void work_at(void *context)
{
    AstarSeat *seat = context;
    AstarWorkers *workers = seat->workers;
    astar_mutex_lock(&workers->mutex);
    while (!astar_get(&workers->is_closing)) {
        AstarBatch *batch;
        AstarJob *job = take_job(workers, &batch);
        if (job == NULL) {
            astar_condition_wait(&workers->is_asked, &workers->mutex);
            continue;
        }
        bool wakes = has_more(workers);
        astar_mutex_unlock(&workers->mutex);
        if (wakes)
            astar_condition_wake(&workers->is_asked);
        bool is_done = astar_job_work(job, seat, &workers->is_closing);
        size_t bytes = astar_workspace_bytes(seat->workspace);
        astar_mutex_lock(&workers->mutex);
        seat->bytes = bytes;
        if (astar_batch_note(batch, job, is_done))
            astar_condition_wake_all(&workers->is_answered);
    }
    astar_mutex_unlock(&workers->mutex);
}

static AstarStatus make_seats(AstarWorkers *workers, int count)
{
    workers->seats = astar_alloc(&workers->allocator, (size_t)count, sizeof *workers->seats);
    if (workers->seats == NULL)
        return ASTAR_NO_MEMORY;
    workers->seat_count = count;
    AstarStatus status = ASTAR_OK;
    for (int i = 0; i < count && status == ASTAR_OK; i++) {
        workers->seats[i].workers = workers;
        workers->seats[i].number = i;
        status = astar_workspace_new(&workers->allocator, &workers->seats[i].workspace);
    }
    return status;
}

static AstarStatus start_threads(AstarWorkers *workers)
{
    while (workers->threads < workers->seat_count - 1) {
        AstarSeat *seat = &workers->seats[workers->threads];
        if (!astar_thread_start(&seat->thread, work_at, seat))
            return ASTAR_NO_WORKERS;
        workers->threads++;
    }
    return ASTAR_OK;
}

AstarStatus astar_workers_new(const AstarAllocator *allocator, int threads, AstarWorkers **out)
{
    if (threads < 0 || threads > ASTAR_MAX_WORKERS)
        return ASTAR_BAD_OPTION;
#ifdef ASTAR_NO_THREADS
    if (threads > 0)
        return ASTAR_WITHOUT_THREADS;
#endif
    AstarAllocator from = astar_allocator(allocator);
    AstarWorkers *workers = astar_alloc(&from, 1, sizeof *workers);
    if (workers == NULL)
        return ASTAR_NO_MEMORY;
    workers->allocator = from;
    workers->references = 1;
    workers->process = astar_process_number();
    astar_mutex_init(&workers->mutex);
    astar_condition_init(&workers->is_asked);
    astar_condition_init(&workers->is_answered);
    AstarStatus status = make_seats(workers, threads + 1);
    if (status == ASTAR_OK)
        status = start_threads(workers);
    if (status != ASTAR_OK) {
        astar_workers_release(workers);
        return status;
    }
    *out = workers;
    return ASTAR_OK;
}

void astar_workers_close(AstarWorkers *workers)
{
    if (astar_workers_are_lost(workers))
        return;
    astar_mutex_lock(&workers->mutex);
    astar_put(&workers->is_closing, true);
    astar_mutex_unlock(&workers->mutex);
    astar_condition_wake_all(&workers->is_asked);
    for (; workers->threads > 0; workers->threads--)
        astar_thread_join(&workers->seats[workers->threads - 1].thread);
}

void astar_workers_release(AstarWorkers *workers)
{
    if (workers == NULL)
        return;
    if (--workers->references > 0 || astar_workers_are_lost(workers))
        return;
    astar_workers_close(workers);
    astar_delegates_free(workers);
    for (int i = 0; i < workers->seat_count; i++)
        astar_workspace_free(workers->seats[i].workspace);
    AstarAllocator allocator = workers->allocator;
    astar_release(&allocator, workers->spare_jobs, workers->spare_capacity,
                  sizeof *workers->spare_jobs);
    astar_release(&allocator, workers->seats, (size_t)workers->seat_count, sizeof *workers->seats);
    astar_condition_destroy(&workers->is_asked);
    astar_condition_destroy(&workers->is_answered);
    astar_mutex_destroy(&workers->mutex);
    astar_release(&allocator, workers, 1, sizeof *workers);
}

size_t astar_workers_search_bytes(AstarWorkers *workers)
{
    size_t bytes = 0;
    if (astar_workers_are_lost(workers))
        return 0;
    astar_mutex_lock(&workers->mutex);
    for (int i = 0; i < workers->seat_count; i++)
        bytes += workers->seats[i].bytes;
    astar_mutex_unlock(&workers->mutex);
    return bytes;
}

int astar_workers_count(const AstarWorkers *workers)
{
    return astar_workers_are_lost(workers) ? 0 : workers->threads;
}
