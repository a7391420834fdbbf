// job_kind.h -- the functions of an AstarJobKind: each is one call of what its jobs are made of.

#ifndef ASTAR_JOB_KIND_H
#define ASTAR_JOB_KIND_H

#include "astar.h"

// Calls 'call' by 'job', 'expansions' and, where it asks the host, 'context'.
#define ASTAR_JOB_STEPS(name, call)                                                                \
    static AstarStatus name(void *job, uint64_t expansions, void *context)                         \
    {                                                                                              \
        (void)context;                                                                             \
        return call;                                                                               \
    }
#define ASTAR_JOB_TELLS(type, name, call)                                                          \
    static type name(const void *job)                                                              \
    {                                                                                              \
        return call;                                                                               \
    }
#define ASTAR_JOB_CLOSES(name, call)                                                               \
    static void name(void *job)                                                                    \
    {                                                                                              \
        call;                                                                                      \
    }

#endif
