// resolving_job.c -- a plan for units of a crowd, as a job.

#include "astar.h"

#include "base/job_functions.h"

ASTAR_STEP_QUIET_JOB(step_resolving_job, astar_resolving_step);
ASTAR_TELL_OF_JOB(AstarStatus, status_of_resolving_job, astar_resolving_facts, .status);
ASTAR_TELL_OF_JOB(uint64_t, expanded_of_resolving_job, astar_resolving_facts, .expanded);
ASTAR_TELL_OF_JOB(size_t, bytes_of_resolving_job, astar_resolving_facts, .bytes);

static void close_resolving_job(void *job)
{
    astar_resolving_cancel(job);
    astar_resolving_release(job);
}

const AstarJobKind astar_resolving_job = {"resolving",
                                          step_resolving_job,
                                          status_of_resolving_job,
                                          expanded_of_resolving_job,
                                          bytes_of_resolving_job,
                                          close_resolving_job};
