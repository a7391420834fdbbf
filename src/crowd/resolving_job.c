// resolving_job.c -- a plan for units of a crowd, as a job.

#include "astar.h"

static AstarStatus step_resolving_job(void *job, uint64_t expansions, void *context)
{
    (void)context;
    return astar_resolving_step(job, expansions);
}

static AstarStatus status_of_resolving_job(const void *job)
{
    return astar_resolving_facts(job).status;
}

static uint64_t expanded_of_resolving_job(const void *job)
{
    return astar_resolving_facts(job).expanded;
}

static size_t bytes_of_resolving_job(const void *job)
{
    return astar_resolving_facts(job).bytes;
}

static void close_resolving_job(void *job)
{
    astar_resolving_cancel(job);
    astar_resolving_release(job);
}

const AstarJobKind astar_resolving_job = {"resolving",
                                          step_resolving_job,
                                          status_of_resolving_job,
                                          expanded_of_resolving_job,
                                          bytes_of_resolving_job,
                                          close_resolving_job};
