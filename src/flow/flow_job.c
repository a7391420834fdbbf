// flow_job.c -- a flow that is worked out as a whole, as a job.

#include "base/job_kind.h"

ASTAR_JOB_STEPS(step_completing_job, astar_flow_step(job, expansions, context))
ASTAR_JOB_TELLS(uint64_t, expanded_of_completing_job, astar_flow_expanded(job))
ASTAR_JOB_TELLS(size_t, bytes_of_completing_job, astar_flow_bytes(job))
ASTAR_JOB_CLOSES(close_completing_job, astar_flow_release(job))

const AstarJobKind astar_completing_job = {.name = "completing",
                                           .step = step_completing_job,
                                           .expanded = expanded_of_completing_job,
                                           .bytes = bytes_of_completing_job,
                                           .close = close_completing_job};
