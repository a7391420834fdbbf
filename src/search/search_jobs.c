// search_jobs.c -- searches, and building what questions need, as jobs.

#include "astar.h"

#include "base/job_functions.h"

ASTAR_STEP_JOB(step_search_job, astar_search_step);
ASTAR_TELL_OF_JOB(AstarStatus, status_of_search_job, astar_search_status, );
ASTAR_TELL_OF_JOB(uint64_t, expanded_of_search_job, astar_search_expanded, );
ASTAR_TELL_OF_JOB(size_t, bytes_of_search_job, astar_search_bytes, );
ASTAR_CLOSE_JOB(close_search_job, astar_search_free);

const AstarJobKind astar_search_job = {"search",
                                       step_search_job,
                                       status_of_search_job,
                                       expanded_of_search_job,
                                       bytes_of_search_job,
                                       close_search_job};

ASTAR_STEP_QUIET_JOB(step_preparing_job, astar_finder_prepare);
ASTAR_STEP_QUIET_JOB(step_settling_job, astar_finder_settle);
ASTAR_CLOSE_JOB(close_preparing_job, astar_finder_release);

const AstarJobKind astar_preparing_job = {"preparing", step_preparing_job, NULL, NULL,
                                          NULL,        close_preparing_job};
const AstarJobKind astar_settling_job = {"settling", step_settling_job,  NULL, NULL,
                                         NULL,       close_preparing_job};
