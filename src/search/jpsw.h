// jpsw.h -- jump point search where some cells are irregular.

#ifndef ASTAR_JPSW_H
#define ASTAR_JPSW_H

#include "search/expand_jps.h"

// Whether jumping may be worth it, to some question: so few cells are irregular. The finder's layer
// must be current.
bool astar_jpsw_may_pay(const AstarFinder *finder);
// Whether it is to this one.
bool astar_jpsw_pays(const AstarSearch *search);
// The estimate from the start by the dearer grounds, see jpsw.c, before the search is begun; 0
// where they promise nothing.
double astar_jpsw_promise(const AstarSearch *search);
// Plants the root of a search; astar_run_jpsw is its loop. That gives ASTAR_BAD_COST where A* is to
// search in its place.
AstarStatus astar_jpsw_begin(AstarSearch *search);
AstarStatus astar_run_jpsw(AstarSearch *search, uint64_t expansions);
AstarStatus astar_jpsw_trace(AstarSearch *search, AstarPath *path);
// Whether a search begun now would have the same estimates.
bool astar_jpsw_is_same(const AstarSearch *search);
// What estimates over links are to be made of: what steps cost at least.
AstarHeuristic astar_jpsw_walk(const AstarSearch *search);
// The estimate from a cell.
double astar_jpsw_estimate(const AstarSearch *search, int x, int y);
// On a map with links: so much more at least is the f of any node on a way through a cell than its
// cost so far.
double astar_jpsw_least_on(const AstarSearch *search, int x, int y);

// ---- nodes ----

// The way from a node's parent to it: the direction and the steps of its first leg, and of the one
// straight after it.
typedef struct AstarLegs {
    int directions[2], steps[2];
} AstarLegs;

AstarLegs astar_jump_legs(const AstarSearch *search, uint32_t parent, uint32_t cell);

// ---- what expand_jps.c needs of it ----

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
