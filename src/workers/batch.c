// batch.c -- questions handed to the workers together, and how far they are.

#include "workers/batch.h"

#include "base/array.h"

#include <string.h>

// ---- how far they are ----

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
        astar_replicas_unpin(batch->pins[i].replicas, batch->pins[i].replica);
    batch->is_pinned = false;
}

void astar_batch_wait(AstarBatch *batch)
{
    AstarWorkers *workers = batch->workers;
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

bool astar_batch_is_done(AstarBatch *batch)
{
    astar_mutex_lock(&batch->workers->mutex);
    bool is_done = batch->has_begun && batch->done == batch->count;
    astar_mutex_unlock(&batch->workers->mutex);
    return is_done;
}

void astar_batch_cancel(AstarBatch *batch, size_t number)
{
    if (number < batch->count)
        astar_put(&batch->jobs[number].is_cancelled, true);
}

// ---- making one ----

AstarStatus astar_batch_new(AstarWorkers *workers, AstarBatch **out)
{
    AstarBatch *batch = astar_alloc(&workers->allocator, 1, sizeof *batch);
    if (batch == NULL)
        return ASTAR_NO_MEMORY;
    astar_delegates_tidy(workers);
    batch->workers = workers;
    workers->references++;
    *out = batch;
    return ASTAR_OK;
}

void astar_batch_free(AstarBatch *batch)
{
    if (batch == NULL)
        return;
    AstarWorkers *workers = batch->workers;
    for (size_t i = 0; i < batch->count; i++)
        astar_batch_cancel(batch, i);
    astar_batch_wait(batch);
    const AstarAllocator *allocator = &workers->allocator;
    for (size_t i = 0; i < batch->count; i++)
        astar_job_end(&batch->jobs[i], allocator);
    astar_release(allocator, batch->jobs, batch->capacity, sizeof *batch->jobs);
    astar_release(allocator, batch->pins, batch->pin_capacity, sizeof *batch->pins);
    astar_release(allocator, batch, 1, sizeof *batch);
    astar_workers_release(workers);
}

// Makes room for one more question, about a map that the batch may not have asked about yet.
static AstarStatus reserve_job(AstarBatch *batch)
{
    const AstarAllocator *allocator = &batch->workers->allocator;
    if (batch->count == batch->capacity) {
        AstarJob *jobs = astar_array_grow(allocator, batch->jobs, batch->count, sizeof *jobs,
                                          &batch->capacity, batch->count + 1, 16);
        if (jobs == NULL)
            return ASTAR_NO_MEMORY;
        batch->jobs = jobs;
    }
    if (batch->pin_count == batch->pin_capacity) {
        AstarPin *pins = astar_array_grow(allocator, batch->pins, batch->pin_count, sizeof *pins,
                                          &batch->pin_capacity, batch->pin_count + 1, 2);
        if (pins == NULL)
            return ASTAR_NO_MEMORY;
        batch->pins = pins;
    }
    return ASTAR_OK;
}

static AstarPin *find_pin(const AstarBatch *batch, const AstarReplicas *replicas)
{
    for (size_t i = 0; i < batch->pin_count; i++)
        if (batch->pins[i].replicas == replicas)
            return &batch->pins[i];
    return NULL;
}

// Adds a job for a finder that workers can honour.
static AstarStatus add_job(AstarBatch *batch, AstarFinder *finder, AstarJob **out)
{
    AstarDelegate *delegate;
    AstarStatus status = reserve_job(batch);
    if (status == ASTAR_OK)
        status = astar_delegate_need(batch->workers, finder, &delegate);
    if (status != ASTAR_OK)
        return status;
    delegate->jobs++;
    if (find_pin(batch, delegate->replicas) == NULL)
        batch->pins[batch->pin_count++] = (AstarPin){.replicas = delegate->replicas};
    *out = &batch->jobs[batch->count];
    **out = (AstarJob){.delegate = delegate, .number = batch->count++};
    astar_path_init(&(*out)->answer.path);
    return ASTAR_OK;
}

AstarStatus astar_batch_add(AstarBatch *batch, AstarFinder *finder, int sx, int sy, int gx, int gy,
                            const AstarQuestion *question)
{
    const AstarGrid *grid = finder->grid;
    if (batch->has_begun || astar_workers_refusal(finder) != NULL)
        return ASTAR_BAD_OPTION;
    if (!astar_inside(grid, sx, sy) || !astar_inside(grid, gx, gy))
        return ASTAR_BAD_CELL;
    if (question != NULL && astar_question_refusal(finder, question) != NULL)
        return ASTAR_BAD_OPTION;
    AstarJob *job;
    AstarStatus status = add_job(batch, finder, &job);
    if (status != ASTAR_OK)
        return status;
    job->sx = sx;
    job->sy = sy;
    job->gx = gx;
    job->gy = gy;
    job->question = question != NULL ? *question : finder->question;
    return ASTAR_OK;
}

bool astar_workers_take_search(const AstarSearch *search)
{
    return astar_search_may_have_twin(search) && astar_workers_refusal(search->finder) == NULL;
}

AstarStatus astar_batch_add_search(AstarBatch *batch, const AstarSearch *search)
{
    AstarInquiry *inquiry;
    AstarJob *job;
    const AstarAllocator *allocator = &batch->workers->allocator;
    if (batch->has_begun || !astar_workers_take_search(search))
        return ASTAR_BAD_OPTION;
    AstarStatus status = astar_inquiry_new(search, allocator, &inquiry);
    if (status != ASTAR_OK)
        return status;
    status = add_job(batch, search->finder, &job);
    if (status == ASTAR_OK)
        job->inquiry = inquiry;
    else
        astar_inquiry_free(inquiry, allocator);
    return status;
}

bool astar_workers_take_baking(const AstarBaked *baked)
{
    const AstarFinder *finder = astar_baking_finder(baked);
    return astar_baking_may_have_twin(baked) && astar_workers_refusal(finder) == NULL &&
           !astar_grid_is_view(finder->grid);
}

AstarStatus astar_batch_add_baking(AstarBatch *batch, const AstarBaked *baked)
{
    AstarJob *job;
    if (batch->has_begun || !astar_workers_take_baking(baked))
        return ASTAR_BAD_OPTION;
    AstarStatus status = add_job(batch, astar_baking_finder(baked), &job);
    if (status != ASTAR_OK)
        return status;
    job->bakes = true;
    job->baking = *astar_baking_options(baked);
    return ASTAR_OK;
}

bool astar_workers_take_flow(const AstarFlow *flow)
{
    return astar_flow_may_have_twin(flow) && astar_workers_refusal(flow->finder) == NULL;
}

AstarStatus astar_batch_add_flow(AstarBatch *batch, AstarFlow *flow)
{
    if (batch->has_begun || !astar_workers_take_flow(flow))
        return ASTAR_BAD_OPTION;
    AstarJob *job;
    AstarStatus status = add_job(batch, flow->finder, &job);
    if (status != ASTAR_OK)
        return status;
    flow->references++;
    job->flow = flow;
    return ASTAR_OK;
}

size_t astar_batch_count(const AstarBatch *batch)
{
    return batch->count;
}

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
           (!is_there && finder->walkable != NULL && finder->walkable->baked != NULL);
}

static void answer_by_baked(AstarBatch *batch)
{
    const AstarWorkers *workers = batch->workers;
    AstarWorkspace *workspace = workers->seats[workers->seat_count - 1].workspace;
    for (size_t i = 0; i < batch->count; i++) {
        AstarJob *job = &batch->jobs[i];
        AstarFinder *finder = job->delegate->finder;
        bool is_fit = job->flow == NULL && !job->bakes &&
                      astar_finder_update_tables(finder) == ASTAR_OK;
        if (!is_fit || !is_baked_here(job))
            continue;
        job->answer.status = ASTAR_RUNNING; // a search that the host's steps go on with
        if (job->inquiry == NULL)
            job->answer.status = astar_find_path(workspace, finder, job->sx, job->sy, job->gx,
                                                 job->gy, &job->question, NULL, &job->answer.path);
        job->is_done = true;
        batch->done++;
    }
}

// Tells a job its replica, and what the flow has to know of the map it was then worked out for.
static void aim(const AstarBatch *batch, AstarJob *job)
{
    AstarFinder *finder = job->delegate->finder;
    job->replica = find_pin(batch, job->delegate->replicas)->replica;
    const AstarGrid *replica = astar_replicas_grid(job->delegate->replicas, job->replica);
    bool is_alike = job->flow != NULL && astar_finder_update_tables(finder) == ASTAR_OK &&
                    replica->palette_version == finder->grid->palette_version;
    job->cost_changes = is_alike ? finder->cost_changes : UINT64_MAX; // the flow begins anew
}

// Has the replicas of all maps it asks about published, and no longer edited until it is done.
static AstarStatus pin_replicas(AstarBatch *batch)
{
    for (size_t i = 0; i < batch->pin_count; i++) {
        AstarStatus status = astar_replicas_publish(batch->workers, batch->pins[i].replicas);
        if (status != ASTAR_OK)
            return status;
    }
    for (size_t i = 0; i < batch->pin_count; i++) {
        AstarPin *pin = &batch->pins[i];
        pin->replica = astar_replicas_pin(pin->replicas);
        pin->version = astar_replicas_grid(pin->replicas, pin->replica)->version;
    }
    batch->has_begun = batch->is_pinned = true;
    return ASTAR_OK;
}

AstarStatus astar_batch_begin(AstarBatch *batch)
{
    if (batch->has_begun)
        return ASTAR_OK;
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

// ---- the answers ----

// A job of a batch that was waited for; NULL where there is no such.
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
    if (job->flow != NULL || job->inquiry != NULL || job->bakes)
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
    if (job == NULL || job->inquiry == NULL)
        return ASTAR_BAD_OPTION;
    if (job->answer.status == ASTAR_CANCELLED)
        return ASTAR_CANCELLED;
    if (!astar_search_adopt(search, &job->answer))
        return ASTAR_RUNNING;
    job->answer.status = ASTAR_CANCELLED;
    return ASTAR_OK;
}

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

AstarStatus astar_batch_take_flow(AstarBatch *batch, size_t number)
{
    AstarJob *job = job_to_take(batch, number);
    if (job == NULL || job->flow == NULL)
        return ASTAR_BAD_OPTION;
    AstarStatus status = job->answer.status;
    if (status != ASTAR_OK)
        return status;
    AstarGrid *grid = job->flow->finder->grid; // perhaps a view, whose copy others edit
    unsigned entered = astar_view_enter(grid);
    bool is_taken = astar_flow_adopt(job->flow, job->flow_twin, job->cost_changes);
    astar_view_leave(grid, entered);
    if (!is_taken)
        return ASTAR_RUNNING;
    job->answer.status = ASTAR_CANCELLED;
    return ASTAR_OK;
}

uint64_t astar_batch_version(const AstarBatch *batch, size_t number)
{
    if (number >= batch->count || !batch->has_begun)
        return 0;
    return find_pin(batch, batch->jobs[number].delegate->replicas)->version;
}
