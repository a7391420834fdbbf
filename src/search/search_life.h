// search_life.h -- runs the steps of a search, continues it after edits, and runs it on a snapshot
// of its map.

#ifndef ASTAR_SEARCH_LIFE_H
#define ASTAR_SEARCH_LIFE_H

#include "finder/finder.h"

typedef struct AstarStoredQuery AstarStoredQuery;

// The versions of the map that a search has last checked; see search_life.c.
typedef struct AstarSeenMap {
    uint64_t grid, field,
        links_and_walls; // versions of the grid, of the field, and of the links and walls
    uint64_t tables;     // version of the finder's tables of costs
} AstarSeenMap;

// The functions of a query that is more than a search for the path to one goal: a search for one of
// many goals (nearest.c), a repair of a path (repair.c), or a search of a snapshot (search_life.c).
// The steps of the search call these functions.
typedef struct AstarContinuation {
    AstarStatus (*step)(AstarSearch *search, uint64_t expansions, void *context);
    void (*free)(AstarSearch *search);
    // Restarts the query after an edit that may have changed its result, see search_life.c.
    void (*restart)(AstarSearch *search);
    size_t bytes; // number of bytes of the continuation and of all that it owns
    // Stores the query in 'stored', so that another thread can run the query. The search remains
    // the owner of the goals and the path that 'stored' refers to. The pointer is NULL if no other
    // search can run the query.
    void (*describe)(const AstarSearch *search, AstarStoredQuery *stored);
} AstarContinuation;

// A query, stored independently of the search that runs it.
struct AstarStoredQuery {
    int32_t sx, sy, gx, gy;
    AstarQueryOptions query;
    AstarCell *goals; // the goals of a search for the nearest; NULL: another query
    size_t goal_count;
    AstarGoalTest test; // the test that such a query has in place of goals
    AstarPath path;     // the path to repair; without cells: another query
    int from;
    bool optimal;
};

// Returns true if another thread can run the search's query: the search has not ended, and no
// callback decides its goals.
bool astar_search_may_have_twin(const AstarSearch *search);
// Copies the query of a search. If the search has a continuation, its 'describe' must not be NULL.
// After ASTAR_NO_MEMORY 'stored' is filled in partly and must be freed.
AstarStatus astar_stored_query_copy(AstarStoredQuery *stored, const AstarSearch *search,
                                    const AstarAllocator *allocator);
void astar_stored_query_free(AstarStoredQuery *stored, const AstarAllocator *allocator);
// Starts a stored query in another search, to be run in steps. Each step may spend the
// extra work 'at_once' on building layers.
AstarStatus astar_stored_query_begin(const AstarStoredQuery *stored, AstarSearch *twin,
                                     uint64_t at_once);
// Makes astar_search_index return 'index', the index of the goal reached. The goals must live as
// long as the search.
void astar_search_set_goal_met(AstarSearch *search, const AstarCell *goals, size_t count,
                               size_t index);

// The result of a search that another thread ran. astar_search_adopt takes over the path, if one
// was found.
typedef struct AstarTwinAnswer {
    AstarStatus status;
    AstarPath path;
    size_t index; // the index of the goal reached, of several
    uint64_t expanded;
} AstarTwinAnswer;

// Ends a search with the result of another one. Returns false, and changes nothing, if the search
// has ended already or the result is not final.
bool astar_search_adopt(AstarSearch *search, AstarTwinAnswer *answer);

// The functions below decide whether a search can continue after edits of its map.

// Checks before a step whether the search can continue after edits. Returns ASTAR_OK if it can,
// ASTAR_GRID_CHANGED if it must restart, ASTAR_RUNNING if the work budget is used up before the
// check is done, or ASTAR_NO_MEMORY. With the last two results the search is unchanged.
AstarStatus astar_resume(AstarSearch *search, int64_t *work);
// Returns the status of a step, or ASTAR_GRID_CHANGED if edits may have changed what the step
// found.
AstarStatus astar_resume_trust(AstarSearch *search, AstarStatus status);

// Returns the search that runs the steps of a search: the search itself, or the search of its
// snapshot.
const AstarSearch *astar_search_searching(const AstarSearch *search);

#endif
