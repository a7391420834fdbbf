// jpsw_estimate.h -- what remains of a way over ground of several costs, at least.

#ifndef ASTAR_JPSW_ESTIMATE_H
#define ASTAR_JPSW_ESTIMATE_H

#include "search/search.h"

// Works out which grounds promise most, dearer than the cheapest.
void astar_jpsw_work_out(const AstarSearch *search, AstarJpsw *jpsw);
// The same where there are links: what estimates over those are to be made of, what steps cost at
// least.
AstarHeuristic astar_jpsw_walk(const AstarSearch *search, AstarJpsw *jpsw);
// The estimate from the start by the dearer grounds, before the search is begun; 0 where they
// promise nothing.
double astar_jpsw_promise(const AstarSearch *search);
// Whether a search begun now would have the same estimates.
bool astar_jpsw_is_same(const AstarSearch *search);
// The estimate from a cell.
double astar_jpsw_estimate(const AstarSearch *search, int x, int y);
// On a map with links: so much more at least is the f of any node on a way through a cell than its
// cost so far.
double astar_jpsw_least_on(const AstarSearch *search, int x, int y);

#endif
