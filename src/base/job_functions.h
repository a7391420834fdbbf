// job_functions.h -- the functions of an AstarJobKind that only hand their job on: it takes any by
// a void pointer, so that each needs one of its own.

#ifndef ASTAR_JOB_FUNCTIONS_H
#define ASTAR_JOB_FUNCTIONS_H

#define ASTAR_STEP_JOB(name, step)                                                                 \
    static AstarStatus name(void *job, uint64_t expansions, void *context)                         \
    {                                                                                              \
        return step(job, expansions, context);                                                     \
    }                                                                                              \
    struct AstarJobKind

// The same of one that asks no callbacks.
#define ASTAR_STEP_QUIET_JOB(name, step)                                                           \
    static AstarStatus name(void *job, uint64_t expansions, void *context)                         \
    {                                                                                              \
        (void)context;                                                                             \
        return step(job, expansions);                                                              \
    }                                                                                              \
    struct AstarJobKind

// 'fact' is behind the closing bracket: nothing, or a field.
#define ASTAR_TELL_OF_JOB(type, name, tell, fact)                                                  \
    static type name(const void *job)                                                              \
    {                                                                                              \
        return tell(job) fact;                                                                     \
    }                                                                                              \
    struct AstarJobKind

#define ASTAR_CLOSE_JOB(name, close)                                                               \
    static void name(void *job)                                                                    \
    {                                                                                              \
        close(job);                                                                                \
    }                                                                                              \
    struct AstarJobKind

#endif
