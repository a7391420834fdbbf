// graph_jobs.c -- searches of graphs, and distances of landmarks being measured, as jobs.

#include "astar.h"

static AstarStatus step_graph_search_job(void *job, uint64_t expansions, void *context)
{
    return astar_graph_search_step(job, expansions, context);
}

static AstarStatus status_of_graph_search_job(const void *job)
{
    return astar_graph_search_status(job);
}

static uint64_t expanded_of_graph_search_job(const void *job)
{
    return astar_graph_search_expanded(job);
}

static size_t bytes_of_graph_search_job(const void *job)
{
    return astar_graph_search_bytes(job);
}

static void close_graph_search_job(void *job)
{
    astar_graph_search_free(job);
}

const AstarJobKind astar_graph_search_job = {"graph search",
                                             step_graph_search_job,
                                             status_of_graph_search_job,
                                             expanded_of_graph_search_job,
                                             bytes_of_graph_search_job,
                                             close_graph_search_job};

static AstarStatus step_graph_baking_job(void *job, uint64_t expansions, void *context)
{
    (void)context;
    return astar_graph_baking_step(job, expansions);
}

static void close_graph_baking_job(void *job)
{
    astar_graph_baking_free(job);
}

const AstarJobKind astar_graph_baking_job = {"graph baking", step_graph_baking_job, NULL, NULL,
                                             NULL,           close_graph_baking_job};
