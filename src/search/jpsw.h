// jpsw.h -- jump point search on maps with non-uniform cells: ground of several costs, fields,
// walls, links (JPSW, after Carlson and others, 2023). run.c uses JPSW if astar_jpsw_pays returns
// true.

#ifndef ASTAR_JPSW_H
#define ASTAR_JPSW_H

#include "map/grid.h"
#include "rules/heuristic.h"
#include "search/goal.h"

typedef struct AstarScan AstarScan; // defined in jump_scan.h

// An estimate by the walk over one kind of ground, which costs 'along' per step. 'saving', the most
// that cheaper ground can save along the walk, is subtracted from the cost of the walk.
typedef struct AstarSlope {
    double along, across, saving;
} AstarSlope;

// A cell that is cheaper than a kind of ground. 'saving' is what the step onto the cell saves. 'on'
// is a lower bound of the cost from the cell to the goal. 'gain' is the total saved from the step
// onto the cell to the goal.
typedef struct AstarCheaperCell {
    int32_t x, y;
    double saving, on, gain;
} AstarCheaperCell;

enum { ASTAR_MOST_CHEAPER = 512 };
// The data from which a search on a map with non-uniform cells computes its estimates, see jpsw.c.
typedef struct AstarJpsw {
    AstarSlope slope; // the estimate that is highest at the start; all 0: none
    AstarSlope few;   // the estimate by a ground than which few cells are cheaper
    // The first and last column, and the first and last row, in which cheaper cells are listed.
    int32_t window[2][2];
    int32_t cheaper_count; // the number of cells in 'cheaper'; below 0: they are not listed
    AstarCheaperCell cheaper[ASTAR_MOST_CHEAPER]; // sorted by 'on', the lowest first
    double f;                                     // f of the node being expanded
} AstarJpsw;

// Returns true if few cells are non-uniform, so that jumping may be faster than A* for some query.
// The finder's layer of non-uniform cells must be up to date.
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
// Computes the estimates of astar_jpsw_work_out on a map with links. Returns the cost per step from
// which estimates over links are built.
AstarHeuristic astar_jpsw_walk(const AstarSearch *search, AstarJpsw *jpsw);
// Returns true if a search started now for the same query would have the same estimates as this
// search.
bool astar_jpsw_is_same(const AstarSearch *search);
// Returns the estimate of the cost from a cell to the goal.
double astar_jpsw_estimate(const AstarSearch *search, int x, int y);
// Returns a lower bound of f minus g for any node on a route through the cell (x, y), on a map with
// links. Here g is the cost up to that cell.
double astar_jpsw_least_on(const AstarSearch *search, int x, int y);

// Selects the bitmap for the node being expanded: with or without the unit's own blocks.
void astar_choose_bits(AstarScan *scan);
// Sets the costs of the steps of a jump to those of a cell's ground.
void astar_scan_ground(AstarScan *scan, uint32_t cell);
// Follows those steps out of a cell that lead to non-uniform cells or, if 'by_steps' of the scan is
// true, all steps. Returns the other directions that a best route may need, as bits by
// directions.h; the caller jumps in these directions.
unsigned astar_expand_steps(AstarScan *scan, uint32_t cell);
// Follows the links that leave a cell.
void astar_follow_links(AstarScan *scan, uint32_t cell);
// Records a path to the node at (x, y), if the path is the cheapest so far: 'before' steps of a
// first leg, then 'steps' steps of a straight leg. Coordinates include the border of the bitmaps.
void astar_note_nonuniform(AstarScan *scan, int x, int y, int before, int steps, unsigned arrival);

#endif
