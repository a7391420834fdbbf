// batch_take.c -- the answers of a batch that was waited for.

#include "workers/batch.h"

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
    AstarGrid *grid = job->flow->finder->grid; // perhaps a view, whose copy others edit
    unsigned entered = astar_view_enter(grid);
    status = astar_flow_adopt(job->flow, job->flow_twin);
    astar_view_leave(grid, entered);
    if (status != ASTAR_OK)
        return ASTAR_RUNNING;
    job->answer.status = ASTAR_CANCELLED;
    return ASTAR_OK;
}
