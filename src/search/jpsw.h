// jpsw.h -- jump point search on maps with non-uniform cells: ground of several costs, fields,
// walls, links (JPSW, after Carlson and others, 2023). run.c uses it where astar_jpsw_pays.

#ifndef ASTAR_JPSW_H
#define ASTAR_JPSW_H

#include "map/grid.h"
#include "rules/heuristic.h"
#include "search/goal.h"

typedef struct AstarScan AstarScan; // defined in jump_scan.h

// An estimate by the walk over one kind of ground, minus 'saving', the most that cheaper ground can
// save on the way.
typedef struct AstarSlope {
    double along, across, saving;
} AstarSlope;

// A cell that is cheaper than a kind of ground. 'saving' is what the step onto it saves, 'on' a
// lower bound of the cost from it to the goal, 'gain' the total saved from that step on.
typedef struct AstarCheaperCell {
    int32_t x, y;
    double saving, on, gain;
} AstarCheaperCell;

enum { ASTAR_MOST_CHEAPER = 512 };
// The estimates of a search on a map with non-uniform cells, see jpsw.c.
typedef struct AstarJpsw {
    AstarSlope slope;     // the estimate that is highest at the start; all 0: none
    AstarSlope few;       // the estimate by a ground than which few cells are cheaper
    int32_t window[2][2]; // the first and last column, and the first and last row, in which cheaper
                          // cells are listed
    int32_t cheaper_count; // the number of cells in 'cheaper'; below 0: they are not listed
    AstarCheaperCell cheaper[ASTAR_MOST_CHEAPER]; // sorted by 'on', the lowest first
    double f;                                     // f of the node being expanded
} AstarJpsw;

// Returns true if jumping may be faster than A* for some query because few cells are non-uniform.
// The finder's layer must be up to date.
bool astar_jpsw_may_pay(const AstarFinder *finder);
// Returns true if jumping is expected to be faster than A* for this query.
bool astar_jpsw_pays(const AstarSearch *search, const AstarGoal *goal);
// Starts a search by JPSW, which astar_run_jpsw then runs. astar_run_jpsw returns ASTAR_BAD_COST if
// A* must search instead.
AstarStatus astar_jpsw_begin(AstarSearch *search);
AstarStatus astar_run_jpsw(AstarSearch *search, uint64_t expansions);
AstarStatus astar_jpsw_trace(AstarSearch *search, AstarPath *path);
// Computes the estimates by ground that costs more than the cheapest.
void astar_jpsw_work_out(const AstarSearch *search, AstarJpsw *jpsw);
// Computes the same estimates as astar_jpsw_work_out on a map with links. Returns the cost per step
// from which estimates over links are built.
AstarHeuristic astar_jpsw_walk(const AstarSearch *search, AstarJpsw *jpsw);
// Returns true if a search started now would have the same estimates as this one.
bool astar_jpsw_is_same(const AstarSearch *search);
// Returns the estimate of the cost from a cell to the goal.
double astar_jpsw_estimate(const AstarSearch *search, int x, int y);
// Returns, on a map with links, a lower bound of f minus g for any node on a route through a cell,
// where g is the cost up to that cell.
double astar_jpsw_least_on(const AstarSearch *search, int x, int y);

// Selects the bitmap for the node being expanded: with or without the unit's own blocks.
void astar_choose_bits(AstarScan *scan);
// Sets the costs of the steps of a jump to those of a cell's ground.
void astar_scan_ground(AstarScan *scan, uint32_t cell);
// Follows the steps out of a cell that is expanded step by step, if they lead to non-uniform cells.
// Returns the other directions that a best route may need, as bits by directions.h; the caller
// jumps in these.
unsigned astar_expand_steps(AstarScan *scan, uint32_t cell);
// Follows the links that leave a cell.
void astar_follow_links(AstarScan *scan, uint32_t cell);
// Records a way to a node, if it is the cheapest so far: 'before' steps of a first leg, then
// 'steps' straight ones. Coordinates count the border.
void astar_note_irregular(AstarScan *scan, int x, int y, int before, int steps, unsigned arrival);

#endif
