// query_plan.c -- The plan of a finder: facts that all its queries need, computed once for each
// version of the map.
//
// Most queries in games want a route and nothing else, and the map was not edited since the last
// query. For such queries the plan holds the algorithm and the layers that are up to date. Without
// the plan, each phase of a query (find.c) finds these facts out again. Then a query for a goal at
// most 8 cells away takes 1.35 times the CPU instructions, and a query between far cells of a map
// of rooms, 192 x 192 cells, takes 1.07 times the instructions.

#include "search/query_plan.h"

#include "map/links_and_walls.h"
#include "search/baked.h"
#include "search/jpsw.h"
#include "search/run.h"

#include <limits.h>

// Returns true if a query wants a route and nothing else, and if the jump point search 'by' honours
// all options of the query and of its finder.
static bool is_plain_query(const AstarFinder *finder, const AstarQueryOptions *q, AstarAlgorithm by)
{
    const AstarOptions *options = &finder->options;
    bool jumps = options->algorithm == ASTAR_AUTO || options->algorithm == by;
    // On a map with walls the components do not prove that the goal can be reached, so a query with
    // 'partial' may need the reachable cell nearest to the goal. JPSW cannot find that cell.
    bool is_nearest = by == ASTAR_JPSW && q->partial && astar_grid_has_walls(finder->grid);
    return jumps && !is_nearest && astar_query_is_plain(options, q) &&
           (q == &finder->query || astar_finder_refusal(finder, q) == NULL) &&
           astar_honours(by, astar_finder_needs(finder) | astar_needs_of_query(q));
}

AstarAlgorithm astar_plan_algorithm(const AstarFinder *finder, const AstarQueryOptions *query)
{
    if (is_plain_query(finder, query, ASTAR_JPS))
        return ASTAR_JPS;
    return is_plain_query(finder, query, ASTAR_JPSW) ? ASTAR_JPSW : ASTAR_AUTO;
}

// Stores in the plan the layers that are up to date.
static void look_at_layers(AstarFinder *finder)
{
    AstarQueryPlan *plan = &finder->plan;
    const AstarWalkable *walkable = finder->on.walkable;
    const AstarOptions *options = &finder->options;
    const AstarJumpBitmaps *jump = astar_get(&walkable->jumps[options->diagonals]);
    const AstarComponents *components = astar_get(
        &walkable->components[finder->rule->joins_corners]);
    plan->jump = astar_jump_is_current(jump) ? jump : NULL;
    plan->components = components != NULL && !astar_get(&components->stale) ? components : NULL;
    plan->has_nonuniform_jumps = false;
    plan->baked = NULL;
    if (ASTAR_HAS_BAKING && options->algorithm == ASTAR_AUTO)
        plan->baked = astar_baked_map_of(walkable, options->diagonals, finder->whole.straight,
                                         finder->whole.diagonal);
}

// Stores in the plan whether bitmaps for JPSW are up to date. Returns true if the plan is complete
// in this respect: the bitmaps are up to date, or JPSW would not be faster than A*.
static bool look_at_nonuniform(AstarFinder *finder)
{
    const AstarNonUniform *nonuniform = finder->on.nonuniform;
    bool is_known = nonuniform != NULL && astar_nonuniform_is_current(nonuniform);
    if (finder->options.algorithm != ASTAR_JPSW &&
        (astar_finder_avoids_rough_field(finder) || (is_known && !astar_jpsw_may_pay(finder))))
        return true;
    bool has_jumps = is_known && astar_jump_is_current(
                                     astar_get(&nonuniform->jumps[finder->options.diagonals]));
    finder->plan.has_nonuniform_jumps = has_jumps;
    return has_jumps;
}

bool astar_plan_make(AstarFinder *finder)
{
    AstarQueryPlan *plan = &finder->plan;
    if (!astar_finder_is_current(finder))
        return false;
    plan->field = finder->options.avoid;
    plan->best_at = astar_finder_version(finder) + 1;
    plan->offset = (uint8_t)finder->grid->shape->offset;
    look_at_layers(finder);
    AstarAlgorithm algorithm = astar_plan_algorithm(finder, &finder->query);
    // If A* is faster for the farthest goals, the bitmaps for jumps may never be built. The plan is
    // complete without them.
    bool is_astar_faster = algorithm == ASTAR_JPS && plan->jump == NULL &&
                           astar_steps_pay(finder, INT_MAX, 0);
    bool is_whole = algorithm == ASTAR_JPS ? plan->jump != NULL || is_astar_faster
                                           : algorithm != ASTAR_JPSW || look_at_nonuniform(finder);
    plan->algorithm = (uint8_t)algorithm;
    plan->version = is_whole ? astar_plan_version(finder) : 0;
    return true;
}

bool astar_plan_prefers_astar(const AstarFindCall *call)
{
    return call->finder->on.landmarks == NULL &&
           astar_steps_pay(call->finder, call->gx - call->sx, call->gy - call->sy);
}
