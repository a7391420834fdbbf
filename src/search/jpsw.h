// jpsw.h -- jump point search where some cells are irregular.

#ifndef ASTAR_JPSW_H
#define ASTAR_JPSW_H

#include "search/search.h"

// Whether jumping may be worth it, to some question: so few cells are irregular. The finder's layer
// must be current.
bool astar_jpsw_may_pay(const AstarFinder *finder);
// Whether it is to this one.
bool astar_jpsw_pays(const AstarSearch *search);
// Plants the root of a search; astar_run_jpsw is its loop. That gives ASTAR_BAD_COST where A* is to
// search in its place.
AstarStatus astar_jpsw_begin(AstarSearch *search);
AstarStatus astar_run_jpsw(AstarSearch *search, uint64_t expansions);
AstarStatus astar_jpsw_trace(AstarSearch *search, AstarPath *path);

#endif
