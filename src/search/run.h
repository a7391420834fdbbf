// run.h -- The phases of a query for all kinds of queries: functions that store a query, refuse it
// or answer it without a search, build its layers, choose an algorithm and run the search.
//
// In the functions that start or restart a search, ASTAR_RUNNING means that the search has started.
// These are astar_search_start, astar_search_begin, astar_search_begin_connected and
// astar_search_go_over_states. In the functions with a work budget or with a budget of expansions,
// ASTAR_RUNNING means that the budget is used up.
//
// Queries in one call (find.c, which shows the phases in order) use these functions if the finder's
// plan does not know the result of a phase. So do searches in steps, and the queries that consist
// of several searches (nearest.c, repair.c).

#ifndef ASTAR_RUN_H
#define ASTAR_RUN_H

#include "search/goal.h"
#include "search/reachable.h"

// The cells to which a path was rejected because it cost more than the limit. The cells are stored
// only if callbacks decide which cells can be entered or which cells are goals: then only the
// search itself can show whether the goal is reachable. A rejected cell may be reached later by a
// cheaper path, so the list is evaluated at the end of the search.
typedef struct AstarCutWays {
    uint32_t *cells;
    size_t count, capacity;
    bool are_noted; // true if the search stores these cells
} AstarCutWays;

// State of preparing a query whose search is run in steps.
typedef struct AstarPreparing {
    bool in_steps;    // true if building layers counts as expansions
    bool is_due;      // true until the query is prepared
    bool is_started;  // true once the query was checked on the map at 'version'
    uint64_t version; // version of the finder at that time
    uint64_t at_once; // work that each step may do in addition to its budget, in expansions
    int64_t spent;    // work done so far
} AstarPreparing;

// The phase of a search: what its next step does.
typedef enum AstarPhase {
    ASTAR_CALL_GOAL, // calls the cost callback to find out whether the goal can be entered
    ASTAR_FIND_WAY,  // runs the search
    ASTAR_TRACE,     // reads back the route found
    ASTAR_STRAIGHTEN // turns the route into an any-angle path
} AstarPhase;

// The functions of one algorithm, see the constants in run.c.
typedef struct AstarSearchFunctions {
    AstarStatus (*begin)(AstarSearch *search);
    AstarStatus (*step)(AstarSearch *search, uint64_t expansions);
    // Returns the cost of the best path found so far to a cell that was reached. The pointer is
    // NULL for algorithms that never return a path to the nearest cell.
    double (*g)(const AstarSearch *search, uint32_t cell);
    // Adds to 'path' the part of the route from one node back to an earlier node. Returns
    // ASTAR_RUNNING, or ASTAR_OK when the start is reached.
    AstarStatus (*trace)(AstarSearch *search, AstarPath *path);
    // Adds the whole route to 'path' and stores how many straight and diagonal steps the route has.
    // Algorithms on terrain of one cost have this function in place of 'trace'.
    AstarStatus (*trace_counted)(const AstarSearch *search, AstarPath *path, double *straight,
                                 double *diagonal);
} AstarSearchFunctions;

// Returns ASTAR_OK, or the reason why the finder's algorithm cannot answer a query on the grid in
// its present state.
AstarStatus astar_search_refusal(const AstarSearch *search, const AstarQueryOptions *query);
// Stores a query in the search and resets what remains of the previous query.
void astar_search_note(AstarSearch *search, int sx, int sy, int gx, int gy,
                       const AstarQueryOptions *query);

// The precheck of a query. The functions below return ASTAR_OK if a search is needed, ASTAR_RUNNING
// if the work budget is used up before this is known, and otherwise the status with which the query
// ends.

// Checks the terrain of start and goal. The work is bounded.
AstarStatus astar_search_check_terrain(const AstarSearch *search);
// Finds out from terrain and components whether the goal of a stored query can be reached. Stores
// what is known in '*outcome' and the goal of the search in '*goal'.
AstarStatus astar_search_check_reachable(AstarSearch *search, AstarPrecheckResult *outcome,
                                         AstarGoal *goal, int64_t *work);
// Makes the whole precheck of a stored query, and prepares the search for the blocks that its unit
// covers.
AstarStatus astar_search_precheck_stored(AstarSearch *search, int64_t *work);
// Stores a query and makes its whole precheck, without a work budget.
AstarStatus astar_search_precheck(AstarSearch *search, int sx, int sy, int gx, int gy,
                                  const AstarQueryOptions *query);
// Returns true if callbacks or limits are set, so that only a search can show whether a route
// exists.
bool astar_only_search_decides(const AstarSearch *search);

// Building of layers, within a work budget.

// Builds the components that the query needs. Returns ASTAR_RUNNING if the work budget is used up
// first.
AstarStatus astar_search_build_components(const AstarSearch *search, int64_t *work);
// Builds the components of the whole map, whatever the query. Returns ASTAR_RUNNING if the work
// budget is used up first.
AstarStatus astar_search_build_all_components(const AstarSearch *search, int64_t *work);
// Builds the layers that an algorithm needs for queries of a finder. Returns ASTAR_RUNNING if the
// work budget is used up first.
AstarStatus astar_search_build_for(AstarFinder *finder, AstarAlgorithm algorithm, int64_t *work);

// Choice of the algorithm for a query.

// Returns the algorithm for a query with the given needs if the finder's algorithm is "auto".
AstarAlgorithm astar_auto_algorithm(AstarFinder *finder, AstarNeeds needs);
// Returns true if, on terrain of one cost, A* is faster than jump point search for a goal 'dx'
// columns and 'dy' rows away. The finder must be up to date.
bool astar_steps_pay(AstarFinder *finder, int dx, int dy);
// Returns true if a query for a few goals, or for cells near a goal, is answered by jump point
// search from the goals to the start, see jps.c.
bool astar_may_jump_back(const AstarSearch *search, const AstarGoal *goal);
// Returns the algorithm for a query. The result may be JPSW on a map where A* is faster, because
// the function does not build the non-uniform cells, which would show this.
AstarAlgorithm astar_search_algorithm_for(const AstarSearch *search, const AstarGoal *goal);
// Chooses the algorithm for a query, with A* in place of JPSW if A* is faster. Builds the layers
// that this choice needs.
AstarStatus astar_choose_algorithm(const AstarSearch *search, const AstarGoal *goal,
                                   AstarAlgorithm *algorithm);
// Prepares a query for the links of its grid. Returns ASTAR_RUNNING if the work budget is used up
// first. The layers of the query's algorithm must have been built.
AstarStatus astar_search_advance_links(AstarSearch *search, int64_t *work);
// Chooses the algorithm of a query that needs a search, and starts the search. This is the second
// half of astar_search_begin(). Returns ASTAR_RUNNING if the search has started, otherwise the
// status with which the query ends.
AstarStatus astar_search_start(AstarSearch *search);
// Runs a search for at most 'expansions' expansions.
AstarStatus astar_search_run(AstarSearch *search, uint64_t expansions);
// Restarts a search by rays as a search over cells and headings. 'known' is the cost of a route
// that was found, or INFINITY. Returns ASTAR_RUNNING, or ASTAR_NO_MEMORY.
AstarStatus astar_search_go_over_states(AstarSearch *search, double known);
// Stores the versions of the map and of all other data that the search reads, see search_life.c.
void astar_search_look_at_map(AstarSearch *search);

// Queries in steps, and the run of a search.

// Stores and starts a query whose goal is known to be connected. With ASTAR_AUTO the
// function chooses the algorithm; otherwise it uses the given one. Returns the same statuses as
// astar_search_start().
AstarStatus astar_search_begin_connected(AstarSearch *search, int sx, int sy, int gx, int gy,
                                         const AstarQueryOptions *query, AstarAlgorithm algorithm);
// Does the work of astar_finder_settle() within a work budget.
AstarStatus astar_finder_advance_settling(AstarFinder *finder, int64_t *work);
// Gets a search ready to run: prepares its query if that is still due, otherwise checks with
// astar_resume() whether the search can continue after edits. For a query in steps, subtracts the
// work done from '*expansions'. Returns ASTAR_OK once the search can run, ASTAR_RUNNING if the
// expansions are used up first, ASTAR_GRID_CHANGED if the search must restart, ASTAR_NO_MEMORY, or
// the final status of the query.
AstarStatus astar_search_get_ready(AstarSearch *search, uint64_t *expansions);
// Returns the work that a step with a budget of expansions may do, including the free work
// 'at_once'.
int64_t astar_step_work(const AstarSearch *search, uint64_t expansions);
// Subtracts work done, apart from the free work 'at_once', from a budget of expansions.
void astar_charge_step(const AstarSearch *search, uint64_t *expansions, int64_t work);
// Marks the query just stored as one that runs in steps. Each step may do work worth 'at_once'
// expansions in addition to its budget.
void astar_search_will_prepare(AstarSearch *search, uint64_t at_once);
// Stores a query in steps from the start of the search to another goal. The next step prepares the
// query on the map as it is at that time.
void astar_search_prepare_again(AstarSearch *search, int gx, int gy,
                                const AstarQueryOptions *query);
// Makes the precheck of the stored query on the present map, and returns the same statuses as the
// other prechecks.
AstarStatus astar_search_precheck_on_map(AstarSearch *search, int64_t *work);
// Does the work of astar_search_step() for a search without a continuation (AstarContinuation,
// search_life.h), but does not restart the search after an edit. It gets the search ready, runs it
// and, in a search in steps, reads the route back.
AstarStatus astar_search_go_on(AstarSearch *search, uint64_t expansions, void *context);
// Does the work of astar_search_path() for a search without a continuation.
AstarStatus astar_search_trace_path(AstarSearch *search, AstarPath *path);

#endif
