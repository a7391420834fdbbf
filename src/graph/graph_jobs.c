// graph_jobs.c -- searches of graphs, and distances of landmarks being measured, as jobs.

#include "base/job_kind.h"

ASTAR_JOB_STEPS(step_graph_search_job, astar_graph_search_step(job, expansions, context))
ASTAR_JOB_TELLS(AstarStatus, status_of_graph_search_job, astar_graph_search_status(job))
ASTAR_JOB_TELLS(uint64_t, expanded_of_graph_search_job, astar_graph_search_expanded(job))
ASTAR_JOB_TELLS(size_t, bytes_of_graph_search_job, astar_graph_search_bytes(job))
ASTAR_JOB_CLOSES(close_graph_search_job, astar_graph_search_free(job))

const AstarJobKind astar_graph_search_job = {"graph search",
                                             step_graph_search_job,
                                             status_of_graph_search_job,
                                             expanded_of_graph_search_job,
                                             bytes_of_graph_search_job,
                                             close_graph_search_job};

ASTAR_JOB_STEPS(step_graph_baking_job, astar_graph_baking_step(job, expansions))
ASTAR_JOB_CLOSES(close_graph_baking_job, astar_graph_baking_free(job))

const AstarJobKind astar_graph_baking_job = {
    .name = "graph baking", .step = step_graph_baking_job, .close = close_graph_baking_job};
