// batch.c -- Batches: requests handed to the workers together. Creates a batch, fills it with
// requests, hands it over, waits for it and takes the answers.

#include "parts/workers/batch.h"

#include "base/array.h"
#include "flow/flow_life.h"
#include "map/blocks.h"
#include "parts/baking/baked_map.h"
#include "parts/baking/baking.h"
#include "parts/workers/worker_finders.h"
#include "parts/workers/workers.h"
#include "share/shared_map.h"

// Maximum number of jobs whose memory is kept while there is no batch. Their memory is some hundred
// kilobytes.
enum { MOST_SPARE_JOBS = 512 };

// The functions below wait for a batch and cancel its requests.

// Returns the next job that the thread that waits for a batch may work on itself, or NULL if there
// is none. If the pool was closed, jobs that its threads left unfinished are returned as well.
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

// Releases the snapshots that a batch reads. Must be called when no thread reads them for this
// batch any more.
static void unpin(AstarBatch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        astar_job_leave(&batch->jobs[i]);
    for (size_t i = 0; batch->is_pinned && i < batch->pin_count; i++)
        astar_unmark(&batch->pins[i].map->set.maps[batch->pins[i].snapshot]->holders);
    batch->is_pinned = false;
}

// Answers all open requests of a batch in the calling thread. Used in a process that was forked:
// the worker threads exist only in the process that forked this one. The snapshots are left as
// they are.
static void answer_without_workers(AstarBatch *batch)
{
    for (size_t i = 0; i < batch->pin_count; i++) // the grid may be a view of a shared map
        batch->pins[i].entered = astar_view_enter(batch->pins[i].map->source);
    for (size_t i = 0; batch->has_begun && i < batch->count; i++) {
        AstarJob *job = &batch->jobs[i];
        if (!job->is_done && astar_get(&job->is_cancelled)) {
            job->answer.status = ASTAR_CANCELLED;
        } else if (!job->is_done) {
            astar_path_init(&job->answer.path); // a worker thread may have been writing this path
            astar_job_leave_to_host(job, astar_workers_own_workspace(batch->workers));
        }
        batch->done += !job->is_done;
        job->is_done = true;
    }
    for (size_t i = batch->pin_count; i-- > 0;)
        astar_view_leave(batch->pins[i].map->source, batch->pins[i].entered);
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

// The functions below create and free batches.

AstarStatus astar_batch_new(AstarWorkers *workers, AstarBatch **out)
{
    AstarBatch *batch = astar_alloc(&workers->allocator, 1, sizeof *batch);
    if (batch == NULL)
        return ASTAR_NO_MEMORY;
    if (!astar_workers_are_lost(workers))
        astar_worker_finders_tidy(workers);
    batch->workers = workers;
    workers->references++;
    *out = batch;
    return ASTAR_OK;
}

// Keeps the memory of a batch's jobs for the next batch. Frees the memory instead if it is larger
// than that of MOST_SPARE_JOBS jobs, or not larger than the memory kept already.
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
    // The worker threads of another process may still use this memory, so it is not freed.
    if (astar_workers_are_lost(workers)) {
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

AstarPin *astar_batch_pin(const AstarBatch *batch, const AstarWorkerMap *map)
{
    for (size_t i = 0; i < batch->pin_count; i++)
        if (batch->pins[i].map == map)
            return &batch->pins[i];
    return NULL;
}

uint64_t astar_batch_version(const AstarBatch *batch, size_t number)
{
    if (number >= batch->count || !batch->has_begun)
        return 0;
    return astar_batch_pin(batch, batch->jobs[number].finders->map)->version;
}

// ------------------------------------------------------------------------------------------------
// The functions below add requests to a batch: queries, searches, flows and bakings.
// ------------------------------------------------------------------------------------------------

// Gives a batch the job memory that an earlier batch has left.
static void take_spare_jobs(AstarBatch *batch)
{
    AstarWorkers *workers = batch->workers;
    batch->jobs = workers->spare_jobs;
    batch->capacity = workers->spare_capacity;
    workers->spare_jobs = NULL;
    workers->spare_capacity = 0;
}

// Makes room in a batch for one more job, and for one more pin in case the job's map is new to the
// batch. Returns ASTAR_NO_MEMORY if there is no memory.
static AstarStatus reserve_job(AstarBatch *batch)
{
    const AstarAllocator *allocator = &batch->workers->allocator;
    if (batch->jobs == NULL)
        take_spare_jobs(batch);
    bool has_room = ASTAR_RESERVE(allocator, batch->jobs, batch->count, 1, &batch->capacity, 16) &&
                    ASTAR_RESERVE(allocator, batch->pins, batch->pin_count, 1, &batch->pin_capacity,
                                  2);
    return has_room ? ASTAR_OK : ASTAR_NO_MEMORY;
}

// Adds a job to a batch. Fails if workers cannot use the finder of the job.
static AstarStatus add_job(AstarBatch *batch, AstarFinder *finder, AstarJob **out)
{
    AstarWorkerFinders *finders;
    AstarStatus status = reserve_job(batch);
    if (status == ASTAR_OK)
        status = astar_worker_finders_need(batch->workers, finder, &finders);
    if (status != ASTAR_OK)
        return status;
    finders->jobs++;
    if (astar_batch_pin(batch, finders->map) == NULL)
        batch->pins[batch->pin_count++] = (AstarPin){.map = finders->map};
    *out = &batch->jobs[batch->count];
    **out = (AstarJob){.finders = finders, .number = batch->count++};
    astar_path_init(&(*out)->answer.path);
    return ASTAR_OK;
}

AstarStatus astar_batch_add(AstarBatch *batch, AstarFinder *finder, int sx, int sy, int gx, int gy,
                            const AstarQueryOptions *query)
{
    const AstarGrid *grid = finder->grid;
    if (batch->has_begun || astar_workers_are_lost(batch->workers) ||
        astar_workers_refusal(finder) != NULL)
        return ASTAR_BAD_OPTION;
    if (!astar_inside(grid, sx, sy) || !astar_inside(grid, gx, gy))
        return ASTAR_BAD_CELL;
    if (query != NULL && astar_query_refusal(finder, query) != NULL)
        return ASTAR_BAD_OPTION;
    AstarJob *job;
    AstarStatus status = add_job(batch, finder, &job);
    if (status != ASTAR_OK)
        return status;
    const AstarQueryOptions *asked = query != NULL ? query : &finder->query;
    job->asked = (AstarStoredQuery){.sx = sx, .sy = sy, .gx = gx, .gy = gy, .query = *asked};
    return ASTAR_OK;
}

bool astar_workers_take_search(const AstarSearch *search)
{
    return astar_search_may_have_twin(search) && astar_workers_refusal(search->finder) == NULL;
}

AstarStatus astar_batch_add_search(AstarBatch *batch, const AstarSearch *search)
{
    AstarJob *job;
    if (batch->has_begun || astar_workers_are_lost(batch->workers) ||
        !astar_workers_take_search(search))
        return ASTAR_BAD_OPTION;
    const AstarAllocator *allocator = &batch->workers->allocator;
    AstarStoredQuery asked;
    AstarStatus status = astar_stored_query_copy(&asked, search, allocator);
    if (status == ASTAR_OK)
        status = add_job(batch, search->finder, &job);
    if (status != ASTAR_OK) {
        astar_stored_query_free(&asked, allocator);
        return status;
    }
    job->asked = asked;
    job->is_search = true;
    return ASTAR_OK;
}

#if ASTAR_HAS_BAKING
bool astar_workers_take_baking(const AstarBaked *baked)
{
    const AstarFinder *finder = astar_baking_finder(baked);
    return astar_baking_may_have_twin(baked) && astar_workers_refusal(finder) == NULL &&
           !astar_grid_is_view(finder->grid);
}

AstarStatus astar_batch_add_baking(AstarBatch *batch, const AstarBaked *baked)
{
    AstarJob *job;
    if (batch->has_begun || astar_workers_are_lost(batch->workers) ||
        !astar_workers_take_baking(baked))
        return ASTAR_BAD_OPTION;
    AstarStatus status = add_job(batch, astar_baking_finder(baked), &job);
    if (status != ASTAR_OK)
        return status;
    job->bakes = true;
    job->baking = *astar_baking_options(baked);
    return ASTAR_OK;
}
#endif

bool astar_workers_take_flow(const AstarFlow *flow)
{
    return astar_flow_may_have_twin(flow) && astar_workers_refusal(flow->finder) == NULL;
}

AstarStatus astar_batch_add_flow(AstarBatch *batch, AstarFlow *flow)
{
    if (batch->has_begun || astar_workers_are_lost(batch->workers) ||
        !astar_workers_take_flow(flow))
        return ASTAR_BAD_OPTION;
    AstarJob *job;
    AstarStatus status = add_job(batch, flow->finder, &job);
    if (status != ASTAR_OK)
        return status;
    flow->references++;
    job->flow = flow;
    return ASTAR_OK;
}

// ------------------------------------------------------------------------------------------------
// The functions below hand a batch over to the workers: its order, the snapshots of its maps,
// and the requests that are answered immediately.
// ------------------------------------------------------------------------------------------------

// Marks the jobs listed in 'numbers'. Returns false if a number is too large or listed twice. The
// field 'is_done' of a job serves as the mark, because no job is done before the batch begins.
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

// Returns true if the caller's map has baked data for a job's finder and the snapshot does not have
// that data. This happens if the data was baked after the snapshot was renewed and could not be
// copied to the snapshot.
static bool is_baked_here(AstarJob *job)
{
    const AstarFinder *finder = job->finders->finder;
    bool is_there = astar_snapshot_has_baked(&job->finders->map->set, job->snapshot,
                                             job->finders->map->source);
    return !astar_worker_finders_carry(job->finders, job->snapshot, &job->landmarks) ||
           (!is_there && finder->on.walkable != NULL && finder->on.walkable->baked != NULL);
}

static void answer_by_baked(AstarBatch *batch)
{
    AstarWorkspace *workspace = astar_workers_own_workspace(batch->workers);
    for (size_t i = 0; i < batch->count; i++) {
        AstarJob *job = &batch->jobs[i];
        AstarFinder *finder = job->finders->finder;
        bool is_fit = job->flow == NULL && !job->bakes &&
                      astar_finder_update_tables(finder) == ASTAR_OK;
        if (!is_fit || !is_baked_here(job))
            continue;
        astar_job_leave_to_host(job, workspace);
        job->is_done = true;
        batch->done++;
    }
}

// Chooses the snapshot that a job reads.
static void aim(const AstarBatch *batch, AstarJob *job)
{
    job->snapshot = astar_batch_pin(batch, job->finders->map)->snapshot;
}

// Renews the snapshots of all maps of a batch, and pins them. A pinned snapshot is held, so that it
// stays unchanged until the batch is done.
static AstarStatus pin_snapshots(AstarBatch *batch)
{
    for (size_t i = 0; i < batch->pin_count; i++) {
        AstarStatus status = astar_worker_map_publish(batch->workers, batch->pins[i].map);
        if (status != ASTAR_OK)
            return status;
    }
    for (size_t i = 0; i < batch->pin_count; i++) {
        AstarPin *pin = &batch->pins[i];
        pin->snapshot = pin->map->latest;
        AstarGrid *snapshot = pin->map->set.maps[pin->snapshot];
        astar_mark(&snapshot->holders);
        pin->version = snapshot->version;
    }
    batch->has_begun = batch->is_pinned = true;
    return ASTAR_OK;
}

// Starts a batch whose worker threads belong to another process. astar_batch_wait then answers its
// requests.
static void begin_without_workers(AstarBatch *batch)
{
    for (size_t i = 0; i < batch->pin_count; i++)
        batch->pins[i].version = batch->pins[i].map->source->version;
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
    for (size_t i = 0; i < batch->pin_count; i++) // the grid may be a view of a shared map
        batch->pins[i].entered = astar_view_enter(batch->pins[i].map->source);
    AstarStatus status = pin_snapshots(batch);
    for (size_t i = 0; status == ASTAR_OK && i < batch->count; i++)
        aim(batch, &batch->jobs[i]);
    if (status == ASTAR_OK)
        answer_by_baked(batch);
    for (size_t i = batch->pin_count; i-- > 0;)
        astar_view_leave(batch->pins[i].map->source, batch->pins[i].entered);
    if (status == ASTAR_OK)
        astar_workers_put(batch->workers, batch);
    return status;
}

// ------------------------------------------------------------------------------------------------
// The functions below return the answers of a batch after it was waited for.
// ------------------------------------------------------------------------------------------------

// Returns the job with the given number in a batch. Returns NULL if there is no such job or the
// batch is not finished.
static AstarJob *job_to_take(AstarBatch *batch, size_t number)
{
    return number < batch->count && !batch->is_pinned && batch->has_begun ? &batch->jobs[number]
                                                                          : NULL;
}

AstarStatus astar_batch_take(AstarBatch *batch, size_t number, AstarPath *path)
{
    AstarJob *job = job_to_take(batch, number);
    if (job == NULL)
        return ASTAR_BAD_OPTION;
    AstarStatus status = job->answer.status;
    if (status != ASTAR_OK)
        return status;
    if (job->flow != NULL || job->is_search || job->bakes)
        return ASTAR_BAD_OPTION;
    astar_path_destroy(path);
    *path = job->answer.path;
    astar_path_init(&job->answer.path);
    job->answer.status = ASTAR_CANCELLED;
    return ASTAR_OK;
}

AstarStatus astar_batch_take_search(AstarBatch *batch, size_t number, AstarSearch *search)
{
    AstarJob *job = job_to_take(batch, number);
    if (job == NULL || !job->is_search)
        return ASTAR_BAD_OPTION;
    if (job->answer.status == ASTAR_CANCELLED)
        return ASTAR_CANCELLED;
    if (!astar_search_adopt(search, &job->answer))
        return ASTAR_RUNNING;
    job->answer.status = ASTAR_CANCELLED;
    return ASTAR_OK;
}

#if ASTAR_HAS_BAKING
AstarStatus astar_batch_take_baking(AstarBatch *batch, size_t number, AstarBaked *baked)
{
    AstarJob *job = job_to_take(batch, number);
    if (job == NULL || !job->bakes)
        return ASTAR_BAD_OPTION;
    AstarStatus status = job->answer.status;
    if (status == ASTAR_OK)
        status = astar_baking_adopt(baked, job->baked_twin);
    if (status == ASTAR_OK)
        job->answer.status = ASTAR_CANCELLED;
    return status;
}
#endif

AstarStatus astar_batch_take_flow(AstarBatch *batch, size_t number)
{
    AstarJob *job = job_to_take(batch, number);
    if (job == NULL || job->flow == NULL)
        return ASTAR_BAD_OPTION;
    AstarStatus status = job->answer.status;
    if (status != ASTAR_OK)
        return status;
    // This grid may be a view of a shared map, whose owner edits the map in another thread.
    AstarGrid *grid = job->flow->finder->grid;
    unsigned entered = astar_view_enter(grid);
    status = astar_flow_adopt(job->flow, job->flow_twin);
    astar_view_leave(grid, entered);
    if (status != ASTAR_OK)
        return ASTAR_RUNNING;
    job->answer.status = ASTAR_CANCELLED;
    return ASTAR_OK;
}
