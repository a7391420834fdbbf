// baking_job.c -- a baking, as a job.

#include "search/baking.h"

static AstarStatus step_baking_job(void *job, uint64_t expansions, void *context)
{
    (void)context;
    return astar_baking_step(job, expansions);
}

static size_t bytes_of_baking_job(const void *job)
{
    return astar_baked_facts(job).bytes;
}

static void close_baking_job(void *job)
{
    astar_baked_free(job);
}

const AstarJobKind astar_baking_job = {"baking", step_baking_job,     NULL,
                                       NULL,     bytes_of_baking_job, close_baking_job};
