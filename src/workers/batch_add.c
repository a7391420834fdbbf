// batch_add.c -- what a batch is asked: questions, searches, flows, baking.

#include "workers/batch.h"

#include "base/array.h"

// The memory that a batch before it has left.
static void take_spare_jobs(AstarBatch *batch)
{
    AstarWorkers *workers = batch->workers;
    batch->jobs = workers->spare_jobs;
    batch->capacity = workers->spare_capacity;
    workers->spare_jobs = NULL;
    workers->spare_capacity = 0;
}

// Makes room for one more question, about a map that the batch may not have asked about yet.
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
    if (astar_batch_pin(batch, delegate->replicas) == NULL)
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
    if (batch->has_begun || astar_workers_are_lost(batch->workers) ||
        astar_workers_refusal(finder) != NULL)
        return ASTAR_BAD_OPTION;
    if (!astar_inside(grid, sx, sy) || !astar_inside(grid, gx, gy))
        return ASTAR_BAD_CELL;
    if (question != NULL && astar_question_refusal(finder, question) != NULL)
        return ASTAR_BAD_OPTION;
    AstarJob *job;
    AstarStatus status = add_job(batch, finder, &job);
    if (status != ASTAR_OK)
        return status;
    const AstarQuestion *asked = question != NULL ? question : &finder->question;
    job->asked = (AstarInquiry){.sx = sx, .sy = sy, .gx = gx, .gy = gy, .question = *asked};
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
    AstarInquiry asked;
    AstarStatus status = astar_inquiry_note(&asked, search, allocator);
    if (status == ASTAR_OK)
        status = add_job(batch, search->finder, &job);
    if (status != ASTAR_OK) {
        astar_inquiry_free(&asked, allocator);
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
