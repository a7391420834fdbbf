// workers.c -- a pool of threads that take jobs from a list of batches.
//
// Batches are served in the order in which they were handed over, job by job, so requests are
// started in the order of their batch. A thread holds the mutex of the pool only for a moment, when
// it takes or finishes a job, and holds no mutex while it works. All other parts of a pool belong
// to the caller's thread.

#include "parts/workers/workers.h"

#include "flow/flow_life.h"
#include "parts/baking/baking.h"
#include "parts/workers/batch.h"
#include "parts/workers/worker_finders.h"

bool astar_workers_are_lost(const AstarWorkers *workers)
{
    return workers->threads > 0 && workers->process != astar_process_number();
}

// The functions below keep the list of batches, from which threads take jobs.

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

// Returns the next job to be worked on, and its batch in '*batch'. Returns NULL if there is no job.
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

// Returns true if the list of batches may contain a further job.
static bool has_more(const AstarWorkers *workers)
{
    const AstarBatch *first = workers->first;
    return first != NULL && (first->taken < first->count || first->next != NULL);
}

// The functions below start and end the threads of a pool.

// Runs the loop of a worker thread. Waking a thread takes time, so handing over a batch wakes only
// one worker. A worker that takes a job wakes the next one if there are more jobs.
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
    astar_worker_finders_free(workers);
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

// ------------------------------------------------------------------------------------------------
// The functions below do the jobs of the workers: queries, searches, flows and bakings.
//
// A job runs in short steps and checks between them whether it should stop. Cancelling a request or
// closing the pool therefore does not wait long. The steps also build the layers of a snapshot, a
// part at a time. Workers that need the same layer take turns. The answer equals that of the same
// call in the caller's thread. A snapshot is not renewed while it is read, so no search
// ever restarts.
// ------------------------------------------------------------------------------------------------

// Number of expansions per step of a job. These expansions take some tenths of a millisecond.
enum { A_SLICE = 1024 };

// Returns true if a job should stop. In this case '*why' becomes the final status of the job.
static bool is_to_stop(AstarJob *job, ASTAR_ATOMIC(bool) * stops, AstarStatus *why)
{
    *why = astar_get(&job->is_cancelled) ? ASTAR_CANCELLED : ASTAR_RUNNING;
    return *why == ASTAR_CANCELLED || astar_get(stops);
}

static AstarStatus run_in_slices(AstarJob *job, const AstarJobKind *kind, void *work,
                                 ASTAR_ATOMIC(bool) * stops)
{
    AstarStatus why, status;
    do {
        if (is_to_stop(job, stops, &why))
            return why;
        status = kind->step(work, A_SLICE, NULL);
    } while (status == ASTAR_RUNNING);
    return status;
}

// The functions below answer queries and run searches.

static AstarStatus search_in_slices(AstarJob *job, AstarSearch *search, ASTAR_ATOMIC(bool) * stops)
{
    AstarStatus status = astar_stored_query_begin(&job->asked, search, 0);
    if (status == ASTAR_RUNNING)
        status = run_in_slices(job, &astar_search_job, search, stops);
    if (status == ASTAR_RUNNING || status == ASTAR_CANCELLED)
        return status;
    job->answer.expanded = astar_search_expanded(search);
    if (status == ASTAR_OK && job->asked.goals != NULL)
        job->answer.index = astar_search_index(search);
    return status == ASTAR_OK ? astar_search_path(search, &job->answer.path) : status;
}

static AstarStatus find_answer(AstarJob *job, AstarSeat *seat, ASTAR_ATOMIC(bool) * stops)
{
    AstarFinder *finder;
    AstarSearch *search;
    AstarStatus status = astar_worker_finder_at(job->finders, job->snapshot, seat->number,
                                                job->landmarks, &finder);
    if (status == ASTAR_OK)
        status = astar_search_take_unbuilt(seat->workspace, finder, &search);
    if (status != ASTAR_OK)
        return status;
    status = search_in_slices(job, search, stops);
    astar_search_free(search);
    return status;
}

// The functions below compute flows.

// Creates the flow that a worker computes in place of the caller's flow. When it is complete, the
// caller takes it together with its finder, which no other object uses.
static AstarStatus make_flow_twin(AstarJob *job)
{
    AstarFinder *finder;
    AstarStatus status = astar_worker_finder_new(job->finders, job->snapshot, &finder);
    if (status != ASTAR_OK)
        return status;
    status = astar_flow_twin(job->flow, finder, &job->flow_twin);
    astar_finder_release(finder);
    return status;
}

static AstarStatus work_out_flow(AstarJob *job, ASTAR_ATOMIC(bool) * stops)
{
    AstarStatus status = job->flow_twin == NULL ? make_flow_twin(job) : ASTAR_OK;
    return status == ASTAR_OK ? run_in_slices(job, &astar_completing_job, job->flow_twin, stops)
                              : status;
}

// The functions below run bakings.

static AstarStatus make_baked_twin(AstarJob *job)
{
    AstarFinder *finder;
    AstarStatus status = astar_worker_finder_new(job->finders, job->snapshot, &finder);
    if (!ASTAR_HAS_BAKING || status != ASTAR_OK)
        return status;
    status = astar_baking_twin(finder, &job->baking, &job->baked_twin);
    astar_finder_release(finder);
    return status;
}

static AstarStatus bake_in_slices(AstarJob *job, ASTAR_ATOMIC(bool) * stops)
{
    AstarStatus status = job->baked_twin == NULL ? make_baked_twin(job) : ASTAR_OK;
    return ASTAR_HAS_BAKING && status == ASTAR_OK
               ? run_in_slices(job, &astar_baking_job, job->baked_twin, stops)
               : status;
}

// The functions below do jobs of any kind.

bool astar_job_work(AstarJob *job, AstarSeat *seat, ASTAR_ATOMIC(bool) * stops)
{
    AstarStatus *status = &job->answer.status;
    if (astar_get(&job->is_cancelled))
        *status = ASTAR_CANCELLED;
    else if (job->flow != NULL)
        *status = work_out_flow(job, stops);
    else if (job->bakes)
        *status = bake_in_slices(job, stops);
    else
        *status = find_answer(job, seat, stops);
    return *status != ASTAR_RUNNING;
}

void astar_job_leave_to_host(AstarJob *job, AstarWorkspace *workspace)
{
    const AstarStoredQuery *asked = &job->asked;
    // The caller must continue its search, flow or baking itself.
    job->answer.status = ASTAR_RUNNING;
    if (job->flow == NULL && !job->bakes && !job->is_search)
        job->answer.status = astar_find_path(workspace, job->finders->finder, asked->sx, asked->sy,
                                             asked->gx, asked->gy, &asked->query, NULL,
                                             &job->answer.path);
}

void astar_job_leave(AstarJob *job)
{
    if (job->landmarks != NULL)
        astar_layer_release(job->landmarks->layer.home, job->landmarks);
    job->landmarks = NULL;
}

void astar_job_end(AstarJob *job, const AstarAllocator *allocator)
{
    astar_path_destroy(&job->answer.path);
    astar_stored_query_free(&job->asked, allocator);
    if (ASTAR_HAS_BAKING)
        astar_baked_free(job->baked_twin);
    astar_flow_release(job->flow_twin);
    astar_flow_release(job->flow);
    job->finders->jobs--;
}
