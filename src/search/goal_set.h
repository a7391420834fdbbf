// goal_set.h -- many goals, any of which ends the search: marked cells, or a host's test.
//
// The cells that count as goals are marked with the goal's cell.

#ifndef ASTAR_GOAL_SET_H
#define ASTAR_GOAL_SET_H

#include "finder/finder.h"
#include "search/search.h"

// goal.c

// Marks the cells that count as goals with the lowest goal they are within range of: begun once,
// then gone on with; ASTAR_RUNNING where the work is used up before.
AstarStatus astar_goal_set_begin_marks(AstarSearch *search);
AstarStatus astar_goal_set_mark(AstarSearch *search, int64_t *work);
static inline bool astar_goal_set_is_marked(const AstarSearch *search, uint32_t cell)
{
    int x, y;
    astar_cell_xy(search->grid, cell, &x, &y);
    return astar_pages_state(&search->many.goal_marks, x, y) != 0;
}

// Makes sure that the search has 'nears'.
AstarStatus astar_goal_set_need_nears(AstarSearch *search);
// Measures how near every cell lies to a goal, with 'measuring' zero at first; ASTAR_RUNNING where
// the work is used up before.
AstarStatus astar_goal_set_measure(AstarSearch *search, AstarNearMeasuring *measuring,
                                   int64_t *work);

// Has the search guided to so many goals, fewer than ASTAR_MANY_GOALS.
void astar_goal_set_aim(AstarSearch *search, const AstarCell *goals, size_t count);
// The least of the estimates to the goals, or less.
double astar_goal_set_estimate(const AstarSearch *search, int x, int y);
// See astar_goal_close().
AstarStatus astar_goal_set_close(AstarSearch *search, uint32_t cell);
// Whether, once a goal is met, no way over a cell need be followed.
bool astar_goal_set_is_past(const AstarSearch *search, uint32_t cell);

// reachable.c: what can be reached from a cell, by components.

// The components a unit at one cell is in touch with.
typedef struct AstarReachable {
    const AstarFinder *finder;
    AstarComponents *components;
    uint32_t labels[ASTAR_DIRECTIONS];
    int count;
    uint32_t *beyond; // the labels of those that links lead to, in order; the search's memory
    uint32_t beyond_count;
    bool certain;     // no wall may part what is in one component
    uint64_t visited; // cells looked at in rings
} AstarReachable;

// The search lends its memory until the next such call.
AstarStatus astar_reachable_from(AstarSearch *search, int x, int y, AstarReachable *reach);
// The same as far as the work goes, with 'beyond' zero at first; ASTAR_RUNNING where that is used
// up before.
AstarStatus astar_reachable_advance(AstarSearch *search, int x, int y, AstarBeyond *beyond,
                                    AstarReachable *reach, int64_t *work);
// Whether a cell can be reached.
bool astar_reachable_has(const AstarReachable *reach, int x, int y);
// How near to (x, y) a unit of some size comes, of what can be reached, by the finder's distance,
// at most rings->nearest; with a 'range', not -1, whether it comes within so many columns and rows,
// which leaves that finite. False where the work is used up before.
bool astar_reachable_look(AstarReachable *reach, int x, int y, int size, int range,
                          AstarRings *rings, int64_t *work);

// goal.c: of many goals those that may be reached, told apart by the connected components.

typedef struct AstarCandidates {
    const AstarGoals *goals;
    AstarCell first[ASTAR_MANY_GOALS]; // of those that may be reached
    size_t reachable;                  // how many there are
    size_t only;                       // the last of them
    bool any_free;                     // of the others, some are not blocked
    double nearest; // how near to any goal lies what can be reached, once that was asked

    // how far that has come
    AstarReachable reach;
    AstarBeyond beyond;
    AstarNearMeasuring measuring;
    bool is_begun, is_measured;
    size_t at;        // the goal to be looked at
    AstarRings rings; // around it
} AstarCandidates;

// Sorts out the goals for a question that is started: ASTAR_OK, ASTAR_RUNNING where the work is
// used up before. To begin with, all is zero but 'goals'.
AstarStatus astar_candidates_sort(AstarCandidates *candidates, AstarSearch *search, int64_t *work);
// Then, where none can be reached: how near what can be lies to any goal, begun once.
void astar_candidates_begin_measuring(AstarCandidates *candidates);
AstarStatus astar_candidates_measure(AstarCandidates *candidates, AstarSearch *search,
                                     int64_t *work);

#endif
