// goal.h -- what a search looks for: what counts as its goal, the estimate to it, and the nearest
// cell, which a partial path settles for.

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
    double distance; // INFINITY: of none yet
    uint32_t cell;   // the nearest; of equally near ones the lowest
} AstarNear;

static inline bool astar_is_nearer(const AstarNear *near, const AstarNear *other)
{
    return near->distance < other->distance ||
           (near->distance == other->distance && near->cell < other->cell);
}

// Makes a cell one of those that distances are measured from.
static inline void astar_near_put(AstarNear *cells, uint32_t cell)
{
    cells[cell] = (AstarNear){0, cell};
}

// Measuring in slices: how many rows are cleared, how many lines done of both passes, and how many
// rows are widened of all passes.
typedef struct AstarNearMeasuring {
    int32_t cleared, lines;
    int64_t widened;
} AstarNearMeasuring;

// Makes the next row one with nothing to measure from.
void astar_near_clear_row(AstarNear *cells, const AstarGrid *grid, AstarNearMeasuring *measuring,
                          int64_t *work);
// Measures, obstacles or not, by a distance that is not euclidean; false where the work is used up
// before.
bool astar_near_measure(AstarNear *cells, const AstarGrid *grid, const AstarHeuristic *distance,
                        AstarNearMeasuring *measuring, int64_t *work);
// Gives each cell what the nearest has of those that a unit of some size covers there; or, with
// 'covered', of those from which it covers the cell. False where the work is used up before.
bool astar_near_widen(AstarNear *cells, const AstarGrid *grid, int size, bool covered,
                      AstarNearMeasuring *measuring, int64_t *work);

// A cell that has a value from the outset.
typedef struct AstarSeed {
    uint32_t cell;
    double value;
} AstarSeed;

// Goals, and the memory to go over the cells around them.
typedef struct AstarRange {
    AstarSeed *goals;
    size_t count, capacity;
    // The band of rows at hand: a bit for each cell that is marked, and of those the goal.
    uint64_t *marked;
    uint32_t *whose;
    size_t cells;  // room for so many
    int32_t y0, y; // its first row, and the next one to be told
    size_t left;   // cells without a mark
    size_t goal;   // how many have marked their runs,
    int64_t runs;  // and how many runs the next one has
} AstarRange;

// What a search for one of many goals is to find.
typedef struct AstarGoals {
    const AstarCell *cells; // 'count' of them, inside the grid
    size_t count;
    AstarGoalTest test; // or NULL; in place of the cells
} AstarGoals;

// From this many on goals are looked for without an estimate.
enum { ASTAR_MANY_GOALS = 16 };

// Of many goals those that may be reached, told apart by the connected components.
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

typedef enum AstarGoalKind {
    ASTAR_GOAL_CELL, // one cell
    ASTAR_GOAL_BOX,  // where dx and dy to the unit lie within 'range', or hexagons so many steps
                     // away
    ASTAR_GOAL_NEAR, // the cells no farther than 'near'
    // of many goals:
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
    uint32_t few;           // how many cells lie that near, which the search knows; 0: it does not
    AstarEstimate estimate; // the host's heuristic; NULL: the finder's counts
    bool tracks;            // keeps the nearest cell, for a partial path
    uint32_t nearest;       // of the cells closed
    double nearest_distance;
} AstarGoal;

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

// Told of a cell, and of the goal within range of it whose value is the least.
typedef AstarStatus (*AstarRangeTake)(void *context, uint32_t cell, const AstarSeed *goal);

static inline void astar_range_add(AstarRange *range, uint32_t cell, double value)
{
    range->goals[range->count++] = (AstarSeed){cell, value};
}

// Goes over all cells where a unit of some size is within 'reach' columns and rows of a goal, or
// without corners as many steps away, each once, in order; until one is not taken. The reach is 0
// where the size is 1 alone.
AstarStatus astar_range_sweep(AstarRange *range, const AstarGrid *grid, int reach, int size,
                              AstarRangeTake take, void *context);
// The same in slices, of a reach above 0; ASTAR_RUNNING where the work is used up before.
void astar_range_begin_sweep(AstarRange *range, const AstarGrid *grid);
AstarStatus astar_range_sweep_on(AstarRange *range, const AstarGrid *grid, int reach, int size,
                                 AstarRangeTake take, void *context, int64_t *work);

// Of a question with many goals, see goal.c.
typedef struct AstarMany {
    AstarGoalSet goals;
    AstarPages goal_marks;   // the cells that count as one, and as which
    AstarRange around;       // what is within range of them
    struct AstarNear *nears; // and how near each cell lies to them; NULL: nobody asked yet
} AstarMany;

// ---- many goals, any of which ends the search: the cells marked with a goal's cell, or a host's
// test ----

// Marks the cells that count as goals with the lowest goal they are within range of: begun once,
// then continued. Returns ASTAR_RUNNING if the work ends first.
AstarStatus astar_goal_set_begin_marks(AstarSearch *search);
AstarStatus astar_goal_set_mark(AstarSearch *search, int64_t *work);
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

// Sorts out the goals for a question that is started: ASTAR_OK, ASTAR_RUNNING where the work is
// used up before. To begin with, all is zero but 'goals'.
AstarStatus astar_candidates_sort(AstarCandidates *candidates, AstarSearch *search, int64_t *work);
// Then, where none can be reached: how near what can be lies to any goal, begun once.
void astar_candidates_begin_measuring(AstarCandidates *candidates);
AstarStatus astar_candidates_measure(AstarCandidates *candidates, AstarSearch *search,
                                     int64_t *work);

static const uint32_t ASTAR_NO_CELL = UINT32_MAX;

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

// Makes room for so many goals and what is no farther from them, and empties it.
AstarStatus astar_range_begin(AstarRange *range, const AstarAllocator *allocator,
                              const AstarGrid *grid, size_t goals, int reach);
void astar_range_free(AstarRange *range, const AstarAllocator *allocator);
size_t astar_range_bytes(const AstarRange *range);

#endif
