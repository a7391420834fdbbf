// baking_job.c -- a baking, as a job.

#include "base/job_kind.h"

ASTAR_JOB_STEPS(step_baking_job, astar_baking_step(job, expansions))
ASTAR_JOB_TELLS(size_t, bytes_of_baking_job, astar_baked_facts(job).bytes)
ASTAR_JOB_CLOSES(close_baking_job, astar_baked_free(job))

const AstarJobKind astar_baking_job = {.name = "baking",
                                       .step = step_baking_job,
                                       .bytes = bytes_of_baking_job,
                                       .close = close_baking_job};
