// flow_job.c -- a flow that is worked out as a whole, as a job.

#include "astar.h"

static AstarStatus step_completing_job(void *job, uint64_t expansions, void *context)
{
    return astar_flow_step(job, expansions, context);
}

static uint64_t expanded_of_completing_job(const void *job)
{
    return astar_flow_expanded(job);
}

static size_t bytes_of_completing_job(const void *job)
{
    return astar_flow_bytes(job);
}

static void close_completing_job(void *job)
{
    astar_flow_release(job);
}

const AstarJobKind astar_completing_job = {"completing",
                                           step_completing_job,
                                           NULL,
                                           expanded_of_completing_job,
                                           bytes_of_completing_job,
                                           close_completing_job};
