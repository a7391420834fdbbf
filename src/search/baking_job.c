// baking_job.c -- a baking, as a job.

#include "base/job_functions.h"
#include "search/baking.h"

ASTAR_STEP_QUIET_JOB(step_baking_job, astar_baking_step);
ASTAR_TELL_OF_JOB(size_t, bytes_of_baking_job, astar_baked_facts, .bytes);
ASTAR_CLOSE_JOB(close_baking_job, astar_baked_free);

const AstarJobKind astar_baking_job = {"baking", step_baking_job,     NULL,
                                       NULL,     bytes_of_baking_job, close_baking_job};
