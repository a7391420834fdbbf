// route_job.c -- a search for a route over a world, as a job.

#include "astar.h"

#include "base/job_functions.h"

ASTAR_STEP_JOB(step_route_search_job, astar_route_search_step);
ASTAR_TELL_OF_JOB(AstarStatus, status_of_route_search_job, astar_route_search_status, );
ASTAR_TELL_OF_JOB(uint64_t, expanded_of_route_search_job, astar_route_search_expanded, );
ASTAR_CLOSE_JOB(close_route_search_job, astar_route_search_free);

const AstarJobKind astar_route_search_job = {
    "route search", step_route_search_job, status_of_route_search_job, expanded_of_route_search_job,
    NULL,           close_route_search_job};
