// route_job.c -- a search for a route over a world, as a job.

#include "astar.h"

static AstarStatus step_route_search_job(void *job, uint64_t expansions, void *context)
{
    return astar_route_search_step(job, expansions, context);
}

static AstarStatus status_of_route_search_job(const void *job)
{
    return astar_route_search_status(job);
}

static uint64_t expanded_of_route_search_job(const void *job)
{
    return astar_route_search_expanded(job);
}

static void close_route_search_job(void *job)
{
    astar_route_search_free(job);
}

const AstarJobKind astar_route_search_job = {
    "route search", step_route_search_job, status_of_route_search_job, expanded_of_route_search_job,
    NULL,           close_route_search_job};
