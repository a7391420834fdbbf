// search_jobs.c -- searches, and building what questions need, as jobs.

#include "base/job_kind.h"

ASTAR_JOB_STEPS(step_search_job, astar_search_step(job, expansions, context))
ASTAR_JOB_TELLS(AstarStatus, status_of_search_job, astar_search_status(job))
ASTAR_JOB_TELLS(uint64_t, expanded_of_search_job, astar_search_expanded(job))
ASTAR_JOB_TELLS(size_t, bytes_of_search_job, astar_search_bytes(job))
ASTAR_JOB_CLOSES(close_search_job, astar_search_free(job))

const AstarJobKind astar_search_job = {"search",
                                       step_search_job,
                                       status_of_search_job,
                                       expanded_of_search_job,
                                       bytes_of_search_job,
                                       close_search_job};

ASTAR_JOB_STEPS(step_preparing_job, astar_finder_prepare(job, expansions))
ASTAR_JOB_STEPS(step_settling_job, astar_finder_settle(job, expansions))
ASTAR_JOB_CLOSES(close_preparing_job, astar_finder_release(job))

const AstarJobKind astar_preparing_job = {
    .name = "preparing", .step = step_preparing_job, .close = close_preparing_job};
const AstarJobKind astar_settling_job = {
    .name = "settling", .step = step_settling_job, .close = close_preparing_job};
