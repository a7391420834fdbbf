// jobs.h -- work made in slices, by one protocol.

// What can be done with any work that is made in slices, whatever it is; 'job' is a pointer to it,
// as the constants below say. Who has time to give, a frame, a thread, a queue, need know no more.
typedef struct AstarJobKind {
    const char *name;
    // Goes on by about so many expansions: ASTAR_RUNNING while there is more to do.
    AstarStatus (*step)(void *job, uint64_t expansions, void *context);
    AstarStatus (*status)(const void *job); // NULL: what its last step returned
    uint64_t (*expanded)(const void *job);  // NULL: nobody counts
    size_t (*bytes)(const void *job);       // that it holds; NULL: they are told with another's
    void (*close)(void *job);               // lets go of it, done or not
} AstarJobKind;

ASTAR_API extern const AstarJobKind astar_search_job;       // AstarSearch, of whatever question
ASTAR_API extern const AstarJobKind astar_preparing_job;    // AstarFinder: astar_finder_prepare
ASTAR_API extern const AstarJobKind astar_settling_job;     // AstarFinder: astar_finder_settle
ASTAR_API extern const AstarJobKind astar_baking_job;       // AstarBaked
ASTAR_API extern const AstarJobKind astar_completing_job;   // AstarFlow: astar_flow_step
ASTAR_API extern const AstarJobKind astar_resolving_job;    // AstarResolving
ASTAR_API extern const AstarJobKind astar_graph_search_job; // AstarGraphSearch
ASTAR_API extern const AstarJobKind astar_graph_baking_job; // AstarGraphBaking
ASTAR_API extern const AstarJobKind astar_route_search_job; // AstarRouteSearch
