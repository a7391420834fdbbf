// search_jobs.c -- searches, and building what questions need, as jobs.

#include "astar.h"

static AstarStatus step_search_job(void *job, uint64_t expansions, void *context)
{
    return astar_search_step(job, expansions, context);
}

static AstarStatus status_of_search_job(const void *job)
{
    return astar_search_status(job);
}

static uint64_t expanded_of_search_job(const void *job)
{
    return astar_search_expanded(job);
}

static size_t bytes_of_search_job(const void *job)
{
    return astar_search_bytes(job);
}

static void close_search_job(void *job)
{
    astar_search_free(job);
}

const AstarJobKind astar_search_job = {"search",
                                       step_search_job,
                                       status_of_search_job,
                                       expanded_of_search_job,
                                       bytes_of_search_job,
                                       close_search_job};

static AstarStatus step_preparing_job(void *job, uint64_t expansions, void *context)
{
    (void)context;
    return astar_finder_prepare(job, expansions);
}

static void close_preparing_job(void *job)
{
    astar_finder_release(job);
}

const AstarJobKind astar_preparing_job = {"preparing", step_preparing_job, NULL, NULL,
                                          NULL,        close_preparing_job};

static AstarStatus step_settling_job(void *job, uint64_t expansions, void *context)
{
    (void)context;
    return astar_finder_settle(job, expansions);
}

const AstarJobKind astar_settling_job = {"settling", step_settling_job,  NULL, NULL,
                                         NULL,       close_preparing_job};
