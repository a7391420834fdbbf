// jobs.h -- Jobs: one interface to all work that can be done in steps, such as searches and baking.
// Queues and threads use it to run any job.

// The functions of one kind of job. 'job' points to the object named beside the constants below.
typedef struct AstarJobKind {
    // Name of the kind.
    const char *name;
    // Continues the job by about 'expansions' expansions. Returns ASTAR_RUNNING while there is more
    // to do.
    AstarStatus (*step)(void *job, uint64_t expansions, void *context);
    // Returns the status of a job. NULL: the status is the result of the last step.
    AstarStatus (*status)(const void *job);
    // Returns the number of expansions of a job. NULL: they are not counted.
    uint64_t (*expanded)(const void *job);
    // Returns the bytes that a job occupies. NULL: another object reports them.
    size_t (*bytes)(const void *job);
    void (*close)(void *job); // releases the job, finished or not
} AstarJobKind;

ASTAR_API extern const AstarJobKind astar_search_job;       // AstarSearch, for any of its queries
ASTAR_API extern const AstarJobKind astar_preparing_job;    // AstarFinder, by astar_finder_prepare
ASTAR_API extern const AstarJobKind astar_settling_job;     // AstarFinder, by astar_finder_settle
ASTAR_API extern const AstarJobKind astar_baking_job;       // AstarBaked
ASTAR_API extern const AstarJobKind astar_completing_job;   // AstarFlow, by astar_flow_step
ASTAR_API extern const AstarJobKind astar_resolving_job;    // AstarResolving
ASTAR_API extern const AstarJobKind astar_graph_search_job; // AstarGraphSearch
ASTAR_API extern const AstarJobKind astar_graph_baking_job; // AstarGraphBaking
ASTAR_API extern const AstarJobKind astar_route_search_job; // AstarRouteSearch
