// goal.h -- The goals of a search: which cells are goals, the estimate of the cost to them, and the
// nearest cell found, where a partial path ends.

#ifndef ASTAR_GOAL_H
#define ASTAR_GOAL_H

#include "base/pages.h"
#include "base/shape.h"
#include "finder/finder.h"
#include "map/grid.h"
#include "rules/heuristic.h"
#include "search/reachable.h"

#include <stdlib.h>

typedef struct AstarNear {
    double distance; // distance to 'cell'; INFINITY if there is no such cell
    uint32_t cell;   // the nearest cell; among equally near ones the lowest
} AstarNear;

static inline bool astar_is_nearer(const AstarNear *near, const AstarNear *other)
{
    return near->distance < other->distance ||
           (near->distance == other->distance && near->cell < other->cell);
}

// Makes a cell a source: distances are measured from all such cells.
static inline void astar_near_put(AstarNear *cells, uint32_t cell)
{
    cells[cell] = (AstarNear){0, cell};
}

// The progress of a measurement in steps: the number of rows cleared, of lines done in both passes
// together, and of rows widened in all passes together.
typedef struct AstarNearMeasuring {
    int32_t cleared, lines;
    int64_t widened;
} AstarNearMeasuring;

// Resets the next row of 'cells': each cell gets an infinite distance and is not a source.
void astar_near_clear_row(AstarNear *cells, const AstarGrid *grid, AstarNearMeasuring *measuring,
                          int64_t *work);
// Computes for each cell the nearest of the cells set by astar_near_put, as if there were no
// obstacles. The distance must not be euclidean. Returns false if the work budget is used up first.
bool astar_near_measure(AstarNear *cells, const AstarGrid *grid, const AstarHeuristic *distance,
                        AstarNearMeasuring *measuring, int64_t *work);
// Sets the value of each cell to the best value of the cells that a unit covers at this cell. If
// 'covered' is true, sets the value of each cell to the best value of the positions at which a unit
// with this body covers the cell. Returns false if the work budget is used up first.
bool astar_near_widen(AstarNear *cells, const AstarGrid *grid, AstarBody body, bool covered,
                      AstarNearMeasuring *measuring, int64_t *work);

// A goal and its value. If several goals have a cell within range, the goal of the lowest value
// gets the cell.
typedef struct AstarSeed {
    uint32_t cell;
    double value;
} AstarSeed;

// A list of goals, and the memory to visit all cells within range of them.
typedef struct AstarRange {
    AstarSeed *goals;
    size_t count, capacity;
    // The band of rows being processed: 'marked' has a bit per cell, 1 if the cell is marked;
    // 'whose' contains the index of the goal that marked the cell.
    uint64_t *marked;
    uint32_t *whose;
    size_t cells;  // capacity of the band in cells
    int32_t y0, y; // the band's first row, and the next row to pass to the callback
    size_t left;   // cells of the band that are not marked yet
    size_t goal;   // goals whose runs of cells are all marked in this band
    int64_t runs;  // runs of the next goal that are marked
} AstarRange;

// The goals of a search for any one of many goals.
typedef struct AstarGoals {
    const AstarCell *cells; // 'count' cells inside the grid
    size_t count;
    AstarGoalTest test; // a test used in place of the cells, or NULL
} AstarGoals;

enum {
    ASTAR_MANY_GOALS = 16, // from this number of goals on, A* has no estimate
    // The greatest number of goals from which jump point search runs back to the start. A search by
    // Dijkstra's algorithm ends at the nearest goal, which is the sooner the more goals there are.
    // On six kinds of maps of 512 x 512 cells, jumps back from 64 goals took 0.07 to 0.22 of
    // the time of Dijkstra's algorithm, and jumps back from 100 goals 0.1 to 0.35.
    ASTAR_MOST_ROOTS = 128
};

// The goals of a query that may be reachable, according to the connected components.
typedef struct AstarCandidates {
    const AstarGoals *goals;
    AstarCell *first; // the first goals that may be reachable, at most ASTAR_MOST_ROOTS
    size_t reachable; // the number of goals that may be reachable
    size_t only;      // the last goal that may be reachable
    bool any_free;    // true if some unreachable goal is not blocked
    double nearest;   // least distance from a reachable cell to any goal, once it is measured

    // The fields from here on are the progress of finding these goals.
    AstarReachable reach;
    AstarBeyond beyond;
    AstarNearMeasuring measuring;
    bool is_begun, is_measured;
    size_t at;        // the next goal to examine
    AstarRings rings; // the progress of the search for reachable cells around that goal
} AstarCandidates;

typedef enum AstarGoalKind {
    ASTAR_GOAL_CELL, // one cell
    // The cells where the unit is at most 'range' columns and 'range' rows away from the goal, or
    // on hexagons at most 'range' steps; 'range' is a field of AstarGoal.
    ASTAR_GOAL_BOX,
    ASTAR_GOAL_NEAR, // the cells at a distance of at most 'near'
    // The kinds from here on are for queries with many goals.
    ASTAR_GOAL_SET,      // the marked cells: the goals, or the cells within range of them
    ASTAR_GOAL_SET_NEAR, // the cells at a distance of at most 'near' from any goal
    ASTAR_GOAL_TEST      // the cells that pass the caller's test
} AstarGoalKind;

typedef struct AstarGoal {
    AstarGoalKind kind;
    uint32_t cell;
    int32_t x, y;
    int32_t range; // the range of a box; else 0
    // The body of the unit if distances are measured from all the cells that it covers. One cell if
    // they are measured from the unit's north-west cell, because that cell itself must reach the
    // goal's cell.
    AstarBody body;
    double near;      // by the finder's distance, in lengths of steps
    double near_cost; // an upper bound of the estimate from a cell within 'near' to (x, y); else 0
    uint32_t few;     // number of reachable cells that near, if the search knows them all; else 0
    AstarEstimate estimate; // the caller's heuristic; NULL: the finder's heuristic is used
    bool tracks;            // true if the nearest cell is kept for a partial path
    uint32_t nearest;       // the nearest of the closed cells
    double nearest_distance;
} AstarGoal;

// Many goals, and the progress of the search for one of them.
typedef struct AstarGoalSet {
    AstarGoals list;
    // The goals for which the estimate is computed, or from which jumps lead back to the start.
    // Once the search has reached a goal, the list contains only goals with a lower cell number.
    AstarCell *estimated;
    size_t estimated_count; // 0: the search has no estimate
    bool is_ring;           // true if these goals fill the rim of the rectangle around them
    int x0, y0, x1, y1;     // the rectangle around them
    uint32_t met;           // the goal that the found path leads to
    uint32_t near_to;       // the goal that is nearest to goal.nearest
    size_t marked;          // goals of the list that are marked, for a query without a range
    uint64_t compared;      // goals compared so far to find the nearest goal of a cell
    bool is_measured;       // true if the search's 'nears' hold the nearest goal of every cell
} AstarGoalSet;

// A callback that receives a cell, and the goal of the lowest value within range of that cell.
typedef AstarStatus (*AstarRangeTake)(void *context, uint32_t cell, const AstarSeed *goal);

static inline void astar_range_add(AstarRange *range, uint32_t cell, double value)
{
    range->goals[range->count++] = (AstarSeed){cell, value};
}

// Calls 'take' once for each cell where a unit with a body is within range of a goal, in the order
// of the cells. Within range means at most 'reach' columns and rows away, or on a grid without
// corners at most 'reach' steps. Stops when 'take' returns another status than ASTAR_OK. A reach of
// 0 is allowed only for a body of one cell.
AstarStatus astar_range_sweep(AstarRange *range, const AstarGrid *grid, int reach, AstarBody body,
                              AstarRangeTake take, void *context);
// Visit the same cells as astar_range_sweep, but in steps and for a reach above 0. The first
// function begins the visit, the second continues it. The second returns ASTAR_RUNNING if the work
// budget is used up before the visit ends.
void astar_range_begin_sweep(AstarRange *range, const AstarGrid *grid);
AstarStatus astar_range_sweep_on(AstarRange *range, const AstarGrid *grid, int reach,
                                 AstarBody body, AstarRangeTake take, void *context, int64_t *work);

// Memory for lists of goals. It is allocated for the first query with many goals. It is not part of
// the AstarCandidates, because these may lie on the stack, where callbacks nest up to 80 queries in
// 256 kB.
typedef struct AstarGoalLists {
    AstarCell estimated[ASTAR_MOST_ROOTS];   // for AstarGoalSet
    AstarCell first[ASTAR_MOST_ROOTS];       // the first reachable goals
    AstarCell first_again[ASTAR_MOST_ROOTS]; // the first reachable goals after an edit
} AstarGoalLists;

// The data that a search needs only if it has many goals, see goal.c.
typedef struct AstarMany {
    AstarGoalSet goals;
    AstarGoalLists *lists;   // NULL until a query has many goals
    AstarPages goal_marks;   // the cells that count as a goal, and which goal
    AstarRange around;       // memory to find the cells within range of goals
    struct AstarNear *nears; // the nearest goal of each cell; NULL: never needed yet
} AstarMany;

// The functions below serve searches for any one of many goals. The cells that count as goals are
// marked with the cell of their goal, unless a test of the caller decides.

// Mark each cell that counts as a goal with the lowest goal within range of it. The first function
// begins the marking, the second continues it. The second returns ASTAR_RUNNING if the work budget
// is used up before all cells are marked.
AstarStatus astar_goal_set_begin_marks(AstarSearch *search);
AstarStatus astar_goal_set_mark(AstarSearch *search, int64_t *work);
// Allocates the search's 'nears' if there are none.
AstarStatus astar_goal_set_need_nears(AstarSearch *search);
// Computes the nearest goal of every cell. 'measuring' must be zero at the first call. Returns
// ASTAR_RUNNING if the work budget is used up first.
AstarStatus astar_goal_set_measure(AstarSearch *search, AstarNearMeasuring *measuring,
                                   int64_t *work);

// Sets the goals for which the estimate is computed, or from which jumps lead back: at most
// ASTAR_MOST_ROOTS.
void astar_goal_set_aim(AstarSearch *search, const AstarCell *goals, size_t count);
// Returns a lower bound of the estimates from (x, y) to all goals.
double astar_goal_set_estimate(const AstarSearch *search, int x, int y);
// Handles a closed cell as astar_goal_close does, for a search with many goals.
AstarStatus astar_goal_set_close(AstarSearch *search, uint32_t cell);
// Returns true if no route over a cell can lead to a goal that is better than the goal already
// reached.
bool astar_goal_set_is_past(const AstarSearch *search, uint32_t cell);

// Finds the goals that may be reachable, for a query that is being started. Returns ASTAR_OK, or
// ASTAR_RUNNING if the work budget is used up first. At the first call all fields except 'goals'
// must be zero.
AstarStatus astar_candidates_sort(AstarCandidates *candidates, AstarSearch *search, int64_t *work);
// Compute how near the reachable cells come to any goal, for a query without a reachable goal. The
// first function begins the computation, the second continues it and returns ASTAR_RUNNING if the
// work budget is used up first.
void astar_candidates_begin_measuring(AstarCandidates *candidates);
AstarStatus astar_candidates_measure(AstarCandidates *candidates, AstarSearch *search,
                                     int64_t *work);

static const uint32_t ASTAR_NO_CELL = UINT32_MAX;

// Returns a goal that consists of the cell (x, y). With a range above 0 it consists of all cells
// from which a unit with this body is within 'range' of (x, y).
AstarGoal astar_goal_at(const AstarGrid *grid, int x, int y, int range, AstarBody body);
// Returns true if two goals that have the same cell also have the same kind, distance and tracking
// of the nearest cell.
bool astar_goal_is_same(const AstarGoal *a, const AstarGoal *b);
// Handles a cell that is being closed: checks whether it is the goal or the nearest cell so far.
// Returns ASTAR_OK if the search ends with the cell, ASTAR_RUNNING if the search continues.
AstarStatus astar_goal_close(AstarSearch *search, uint32_t cell);

static inline bool astar_goal_is_of_many(const AstarGoal *goal)
{
    return goal->kind >= ASTAR_GOAL_SET;
}

// Returns how far a unit lies outside the goal's range, along one axis: 0 if it is within range.
// The unit covers 'side' cells along the axis. 'at' is the unit's column (or row), 'goal_at' the
// goal's.
static inline int astar_goal_beyond(const AstarGoal *goal, int side, int at, int goal_at)
{
    int apart = at - goal_at;
    if (apart < 0)
        apart = 1 - side - apart;
    return apart > goal->range ? apart - goal->range : 0;
}

// Return the number of columns, or of rows, by which a unit at column 'x', or row 'y', lies outside
// the goal's range.
static inline int astar_goal_columns(const AstarGoal *goal, int x, int goal_x)
{
    return astar_goal_beyond(goal, goal->body.width, x, goal_x);
}

static inline int astar_goal_rows(const AstarGoal *goal, int y, int goal_y)
{
    return astar_goal_beyond(goal, goal->body.height, y, goal_y);
}

// Returns the estimate from (x, y) to the goal cell, reduced by the range of 'goal'.
static inline double astar_goal_remaining(const AstarShape *shape, const AstarHeuristic *heuristic,
                                          const AstarGoal *goal, int goal_x, int goal_y, int x,
                                          int y)
{
    if (!shape->has_corners)
        return astar_estimate_by_sides(shape, heuristic, x, y, goal_x, goal_y, goal->range);
    return astar_estimate(heuristic, astar_goal_columns(goal, x, goal_x),
                          astar_goal_rows(goal, y, goal_y));
}

// Moves (x, y), the cell of a unit, to the cell covered by that unit which is nearest to (goal_x,
// goal_y). The distance of the unit is measured from the covered cell.
static inline void astar_goal_come_near(const AstarGoal *goal, int *x, int *y, int goal_x,
                                        int goal_y)
{
    if (astar_is_one_cell(goal->body))
        return;
    *x = astar_nearest_covered(*x, goal->body.width, goal_x);
    *y = astar_nearest_covered(*y, goal->body.height, goal_y);
}

// Empties the list and reserves memory for 'goals' goals and for the cells within 'reach' of them.
AstarStatus astar_range_begin(AstarRange *range, const AstarAllocator *allocator,
                              const AstarGrid *grid, size_t goals, int reach);
void astar_range_free(AstarRange *range, const AstarAllocator *allocator);
size_t astar_range_bytes(const AstarRange *range);

#endif
