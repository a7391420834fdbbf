// jpsw.h -- jump point search where some cells are irregular.

#ifndef ASTAR_JPSW_H
#define ASTAR_JPSW_H

#include "search/search.h"

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

// jpsw_estimate.c: what remains of a way over ground of several costs, at least.

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

#endif
