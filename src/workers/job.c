// job.c -- what workers have to do: a question and its answer, a search, a flow, or baking.
//
// It is done in steps, of which none takes long, and looked after in between: so who cancels one or
// closes the pool need not wait. The steps build what they need of a replica, too, a slice at a
// time, and several workers that need the same take turns. The answer is that of the host's own
// call: nobody edits a replica while it is read, so nothing ever begins anew.

#include "workers/batch.h"

// Expansions: some tenths of a millisecond.
enum { A_SLICE = 1024 };

// Whether it is to be left: '*why' tells what its status is then.
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

// ---- questions and searches ----

static AstarStatus search_in_slices(AstarJob *job, AstarSearch *search, ASTAR_ATOMIC(bool) * stops)
{
    AstarStatus status = astar_inquiry_begin(&job->asked, search, 0);
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
    AstarStatus status = astar_delegate_finder(job->delegate, job->replica, seat->number,
                                               job->landmarks, &finder);
    if (status == ASTAR_OK)
        status = astar_search_take_unbuilt(seat->workspace, finder, &search);
    if (status != ASTAR_OK)
        return status;
    status = search_in_slices(job, search, stops);
    astar_search_free(search);
    return status;
}

// ---- flows ----

// The twin is the host's once done, and so is its finder, which nobody else asks by.
static AstarStatus make_flow_twin(AstarJob *job)
{
    AstarFinder *finder;
    AstarStatus status = astar_delegate_new_finder(job->delegate, job->replica, &finder);
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

// ---- baking ----

static AstarStatus make_baked_twin(AstarJob *job)
{
    AstarFinder *finder;
    AstarStatus status = astar_delegate_new_finder(job->delegate, job->replica, &finder);
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

// ---- all of them ----

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
    const AstarInquiry *asked = &job->asked;
    job->answer.status = ASTAR_RUNNING; // a search or flow that the host's steps go on with
    if (job->flow == NULL && !job->bakes && !job->is_search)
        job->answer.status = astar_find_path(workspace, job->delegate->finder, asked->sx, asked->sy,
                                             asked->gx, asked->gy, &asked->question, NULL,
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
    astar_inquiry_free(&job->asked, allocator);
    if (ASTAR_HAS_BAKING)
        astar_baked_free(job->baked_twin);
    astar_flow_release(job->flow_twin);
    astar_flow_release(job->flow);
    job->delegate->jobs--;
}
