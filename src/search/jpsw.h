// jpsw.h -- jump point search where some cells are irregular: ground of several costs, fields,
// walls, links.

#ifndef ASTAR_JPSW_H
#define ASTAR_JPSW_H

#include "map/grid.h"
#include "rules/heuristic.h"
#include "search/goal.h"

typedef struct AstarScan AstarScan; // see jump_scan.h

// An estimate by one kind of ground: the way at its cost, less what cheaper ground can save.
typedef struct AstarSlope {
    double along, across, saving;
} AstarSlope;

// A cell that is cheaper than a ground: what a step there saves, what remains from there at least,
// and what is saved then from that step on.
typedef struct AstarCheaperCell {
    int32_t x, y;
    double saving, on, gain;
} AstarCheaperCell;

enum { ASTAR_MOST_CHEAPER = 512 };
// Of jump point search where some cells are irregular, see jpsw.c.
typedef struct AstarJpsw {
    AstarSlope slope;      // that promises most; 0: none
    AstarSlope few;        // of a ground than which few cells are cheaper,
    int32_t window[2][2];  // of columns and rows: from and to where those are looked for,
    int32_t cheaper_count; // how many there are; below 0: they are not told
    AstarCheaperCell cheaper[ASTAR_MOST_CHEAPER]; // what remains from which is least first
    double f;                                     // of the node being expanded
} AstarJpsw;

// Whether jumping may be worth it, to some question: so few cells are irregular. The finder's layer
// must be current.
bool astar_jpsw_may_pay(const AstarFinder *finder);
// Whether it is to this one.
bool astar_jpsw_pays(const AstarSearch *search, const AstarGoal *goal);
// Plants the root of a search; astar_run_jpsw is its loop. That gives ASTAR_BAD_COST where A* is to
// search in its place.
AstarStatus astar_jpsw_begin(AstarSearch *search);
AstarStatus astar_run_jpsw(AstarSearch *search, uint64_t expansions);
AstarStatus astar_jpsw_trace(AstarSearch *search, AstarPath *path);
// Works out which grounds promise most, dearer than the cheapest.
void astar_jpsw_work_out(const AstarSearch *search, AstarJpsw *jpsw);
// The same where there are links: what estimates over those are to be made of, what steps cost at
// least.
AstarHeuristic astar_jpsw_walk(const AstarSearch *search, AstarJpsw *jpsw);
// Whether a search begun now would have the same estimates.
bool astar_jpsw_is_same(const AstarSearch *search);
// The estimate from a cell.
double astar_jpsw_estimate(const AstarSearch *search, int x, int y);
// On a map with links: so much more at least is the f of any node on a way through a cell than its
// cost so far.
double astar_jpsw_least_on(const AstarSearch *search, int x, int y);

// Has the node being expanded read the bits that are for it.
void astar_choose_bits(AstarScan *scan);
// Has the steps of a run cost what they do on a cell's ground.
void astar_scan_ground(AstarScan *scan, uint32_t cell);
// Follows the steps out of an irregular cell, the start or the end of a link to irregular cells;
// the others that a best path may need are to be runs: directions of directions.h.
unsigned astar_expand_steps(AstarScan *scan, uint32_t cell);
// Follows the links that leave a cell.
void astar_follow_links(AstarScan *scan, uint32_t cell);
// Notes a way to a node, if it is the cheapest yet: 'before' steps of a first leg, then 'steps'
// straight ones. Coordinates count the border.
void astar_note_irregular(AstarScan *scan, int x, int y, int before, int steps, unsigned arrival);

#endif
