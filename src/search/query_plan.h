// query_plan.h -- The plan of a finder: facts that all its queries need, computed once for each
// version of the map. The struct AstarQueryPlan is in finder.h.

#ifndef ASTAR_QUERY_PLAN_H
#define ASTAR_QUERY_PLAN_H

#include "finder/field_sum.h"
#include "map/field.h"
#include "search/find.h"

// Makes the plan of a finder for the present map. Returns false if the finder is not up to date. If
// layers are still missing, the plan's version is set to 0, so that the next query makes it again.
bool astar_plan_make(AstarFinder *finder);
// Returns the jump point search that answers a query, ASTAR_JPS or ASTAR_JPSW, if the query wants a
// route and nothing else. Returns ASTAR_AUTO for any other query, and for a query that is refused.
// The finder must be up to date.
AstarAlgorithm astar_plan_algorithm(const AstarFinder *finder, const AstarQueryOptions *query);
// Returns true if A* is faster than jump point search for a query on terrain of one cost.
bool astar_plan_prefers_astar(const AstarFindCall *call);

// Returns the sum of the versions of all data that a plan depends on. The plan is up to date as
// long as the sum is unchanged, because each version only grows. If the field to avoid is made of
// others, their changes are taken first.
static inline uint64_t astar_plan_version(const AstarFinder *finder)
{
    const AstarField *field = finder->plan.field;
    if (field != NULL && finder->avoided.sum != NULL)
        astar_field_sum_sync(finder->avoided.sum);
    return 1 + finder->grid->version + (field != NULL ? field->version : 0) + finder->bakings +
           astar_get(&finder->grid->home->bakings);
}

// Returns true if the plan is up to date, after making it if necessary.
static inline bool astar_plan_is_ready(AstarFinder *finder)
{
    const AstarQueryPlan *plan = &finder->plan;
    bool is_current = plan->version == astar_plan_version(finder) &&
                      finder->home == finder->grid->home;
    return is_current || astar_plan_make(finder);
}

#endif
