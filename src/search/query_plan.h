// query_plan.h -- The plan of a finder: facts that all its queries need, computed once for each
// version of the map. The struct AstarQueryPlan is in finder.h.

#ifndef ASTAR_QUERY_PLAN_H
#define ASTAR_QUERY_PLAN_H

#include "search/find.h"

// Makes the plan of a finder for the present map. Returns false if the finder is not up to date. If
// layers are still missing, the plan's version is set to 0, so that the next query makes it again.
bool astar_plan_make(AstarFinder *finder);
// Returns true if the plan is up to date, after making it if necessary.
bool astar_plan_is_ready(AstarFinder *finder);
// Returns the jump point search that answers a query, ASTAR_JPS or ASTAR_JPSW, if the query wants a
// route and nothing else. Returns ASTAR_AUTO for any other query, and for a query that is refused.
// The finder must be up to date.
AstarAlgorithm astar_plan_algorithm(const AstarFinder *finder, const AstarQueryOptions *query);
// Returns true if A* is faster than jump point search for a query on terrain of one cost.
bool astar_plan_prefers_astar(const AstarFindCall *call);

#endif
