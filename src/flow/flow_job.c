// flow_job.c -- a flow that is worked out as a whole, as a job.

#include "astar.h"

#include "base/job_functions.h"

ASTAR_STEP_JOB(step_completing_job, astar_flow_step);
ASTAR_TELL_OF_JOB(uint64_t, expanded_of_completing_job, astar_flow_expanded, );
ASTAR_TELL_OF_JOB(size_t, bytes_of_completing_job, astar_flow_bytes, );
ASTAR_CLOSE_JOB(close_completing_job, astar_flow_release);

const AstarJobKind astar_completing_job = {"completing",
                                           step_completing_job,
                                           NULL,
                                           expanded_of_completing_job,
                                           bytes_of_completing_job,
                                           close_completing_job};
