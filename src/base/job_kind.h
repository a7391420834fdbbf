// job_kind.h -- Macros that define the functions of an AstarJobKind. Each of these functions
// consists of a single call.

#ifndef ASTAR_JOB_KIND_H
#define ASTAR_JOB_KIND_H

#include "astar.h"

// Defines the step function of a kind of job. The expression 'call' may use 'job', 'expansions' and
// 'context'.
#define ASTAR_JOB_STEPS(name, call)                                                                \
    static AstarStatus name(void *job, uint64_t expansions, void *context)                         \
    {                                                                                              \
        (void)context;                                                                             \
        return call;                                                                               \
    }
// Defines a function that returns a fact about a job. The expression 'call' may use 'job'.
#define ASTAR_JOB_TELLS(type, name, call)                                                          \
    static type name(const void *job)                                                              \
    {                                                                                              \
        return call;                                                                               \
    }
// Defines the close function of a kind of job. The expression 'call' may use 'job'.
#define ASTAR_JOB_CLOSES(name, call)                                                               \
    static void name(void *job)                                                                    \
    {                                                                                              \
        call;                                                                                      \
    }

#endif
