// resolving_job.c -- a plan for units of a crowd, as a job.

#include "base/job_kind.h"

ASTAR_JOB_STEPS(step_resolving_job, astar_resolving_step(job, expansions))
ASTAR_JOB_TELLS(AstarStatus, status_of_resolving_job, astar_resolving_facts(job).status)
ASTAR_JOB_TELLS(uint64_t, expanded_of_resolving_job, astar_resolving_facts(job).expanded)
ASTAR_JOB_TELLS(size_t, bytes_of_resolving_job, astar_resolving_facts(job).bytes)
ASTAR_JOB_CLOSES(close_resolving_job, astar_resolving_cancel(job); astar_resolving_release(job))

const AstarJobKind astar_resolving_job = {"resolving",
                                          step_resolving_job,
                                          status_of_resolving_job,
                                          expanded_of_resolving_job,
                                          bytes_of_resolving_job,
                                          close_resolving_job};
