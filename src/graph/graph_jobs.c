// graph_jobs.c -- searches of graphs, and distances of landmarks being measured, as jobs.

#include "astar.h"

#include "base/job_functions.h"

ASTAR_STEP_JOB(step_graph_search_job, astar_graph_search_step);
ASTAR_TELL_OF_JOB(AstarStatus, status_of_graph_search_job, astar_graph_search_status, );
ASTAR_TELL_OF_JOB(uint64_t, expanded_of_graph_search_job, astar_graph_search_expanded, );
ASTAR_TELL_OF_JOB(size_t, bytes_of_graph_search_job, astar_graph_search_bytes, );
ASTAR_CLOSE_JOB(close_graph_search_job, astar_graph_search_free);

const AstarJobKind astar_graph_search_job = {"graph search",
                                             step_graph_search_job,
                                             status_of_graph_search_job,
                                             expanded_of_graph_search_job,
                                             bytes_of_graph_search_job,
                                             close_graph_search_job};

ASTAR_STEP_QUIET_JOB(step_graph_baking_job, astar_graph_baking_step);
ASTAR_CLOSE_JOB(close_graph_baking_job, astar_graph_baking_free);

const AstarJobKind astar_graph_baking_job = {"graph baking", step_graph_baking_job, NULL, NULL,
                                             NULL,           close_graph_baking_job};
