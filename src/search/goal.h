// goal.h -- what a search looks for: what counts as its goal, the estimate to it, and the nearest
// cell, which a partial path settles for.

#ifndef ASTAR_GOAL_H
#define ASTAR_GOAL_H

#include "finder/finder.h"
#include "map/grid.h"
#include "rules/heuristic.h"
#include "search/search.h"

#include <stdlib.h>

// ------------------------------------------------------------------------------------------------
// Many goals, any of which ends the search: marked cells, or a host's test.
//
// The cells that count as goals are marked with the goal's cell.
// ------------------------------------------------------------------------------------------------

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

// ------------------------------------------------------------------------------------------------

// From this many on goals are looked for without an estimate.
enum { ASTAR_MANY_GOALS = 16 };

static const uint32_t ASTAR_NO_CELL = UINT32_MAX;

typedef enum AstarGoalKind {
    ASTAR_GOAL_CELL, // one cell
    ASTAR_GOAL_BOX,  // where dx and dy to the unit lie within 'range', or hexagons so many steps
                     // away
    ASTAR_GOAL_NEAR, // the cells no farther than 'near'
    // of many goals, see goal.h:
    ASTAR_GOAL_SET,      // the cells marked: those of the goals, or within range of them
    ASTAR_GOAL_SET_NEAR, // the cells no farther than 'near' from any goal
    ASTAR_GOAL_TEST      // the cells that pass the host's test
} AstarGoalKind;

typedef struct AstarGoal {
    AstarGoalKind kind;
    uint32_t cell;
    int32_t x, y;
    int32_t range;          // of a box; else 0
    int32_t size;           // of the unit, as what is near is counted: from all that it covers, or
                            // 1: from where it is, for it is to come to the goal's cell itself
    double near;            // by the finder's distance, in lengths of steps
    double near_cost;       // no less than any estimate from such a cell to (x, y); else 0
    AstarEstimate estimate; // the host's heuristic; NULL: the finder's counts
    bool tracks;            // keeps the nearest cell, for a partial path
    uint32_t nearest;       // of the cells closed
    double nearest_distance;
} AstarGoal;

// What a search for one of many goals is to find.
typedef struct AstarGoals {
    const AstarCell *cells; // 'count' of them, inside the grid
    size_t count;
    AstarGoalTest test; // or NULL; in place of the cells
} AstarGoals;

// Many goals, and how far the search for one has come.
typedef struct AstarGoalSet {
    AstarGoals list;
    AstarCell estimated[ASTAR_MANY_GOALS]; // that the search is guided to; once one is met, those
                                           // of them that are lower
    size_t estimated_count;                // 0: it is not guided
    bool is_ring;                          // those fill the rim of the rectangle
    int x0, y0, x1, y1;                    // around them
    uint32_t met;                          // the goal that the path found leads to
    uint32_t near_to;                      // the goal that the nearest cell is nearest to
    size_t marked;                         // of the list, where there is no range
    uint64_t compared;                     // goals, to tell how near cells are
    bool is_measured;                      // the search's 'nears' tell
} AstarGoalSet;

// The cell (x, y), or all where a unit of some size is within 'range' of it.
AstarGoal astar_goal_at(const AstarGrid *grid, int x, int y, int range, int size);
// Whether two questions look for the same around the same cell.
bool astar_goal_is_same(const AstarGoal *a, const AstarGoal *b);
// Told of each cell that is closed: ASTAR_OK where the search ends with it, ASTAR_RUNNING where it
// goes on.
AstarStatus astar_goal_close(AstarSearch *search, uint32_t cell);

static inline bool astar_goal_is_of_many(const AstarGoal *goal)
{
    return goal->kind >= ASTAR_GOAL_SET;
}

// How far a unit at a column or row is from the goal's box along that axis, given where the goal
// is.
static inline int astar_goal_beyond(const AstarGoal *goal, int at, int goal_at)
{
    int apart = at - goal_at;
    if (apart < 0)
        apart = 1 - goal->size - apart;
    return apart > goal->range ? apart - goal->range : 0;
}

// The estimate to a goal, or to what counts as it by the range of another.
static inline double astar_goal_remaining(const AstarShape *shape, const AstarHeuristic *heuristic,
                                          const AstarGoal *goal, int goal_x, int goal_y, int x,
                                          int y)
{
    if (!shape->has_corners)
        return astar_estimate_by_sides(shape, heuristic, x, y, goal_x, goal_y, goal->range);
    return astar_estimate(heuristic, astar_goal_beyond(goal, x, goal_x),
                          astar_goal_beyond(goal, y, goal_y));
}

// Moves (x, y), where a unit is, to the cell that is nearest to (goal_x, goal_y) of those that
// count as the unit's: how near that is goes by it.
static inline void astar_goal_come_near(const AstarGoal *goal, int *x, int *y, int goal_x,
                                        int goal_y)
{
    if (goal->size == 1)
        return;
    *x = astar_nearest_covered(*x, goal->size, goal_x);
    *y = astar_nearest_covered(*y, goal->size, goal_y);
}

#endif
