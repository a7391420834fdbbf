// route_job.c -- a search for a route over a world, as a job.

#include "base/job_kind.h"

ASTAR_JOB_STEPS(step_route_search_job, astar_route_search_step(job, expansions, context))
ASTAR_JOB_TELLS(AstarStatus, status_of_route_search_job, astar_route_search_status(job))
ASTAR_JOB_TELLS(uint64_t, expanded_of_route_search_job, astar_route_search_expanded(job))
ASTAR_JOB_CLOSES(close_route_search_job, astar_route_search_free(job))

const AstarJobKind astar_route_search_job = {.name = "route search",
                                             .step = step_route_search_job,
                                             .status = status_of_route_search_job,
                                             .expanded = expanded_of_route_search_job,
                                             .close = close_route_search_job};
