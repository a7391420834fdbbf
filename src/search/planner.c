// planner.c -- which way a question in one call is answered: the ways there are, in the order they
// are tried.
//
// Most questions of a game ask for a route and nothing else, over a map that was not edited since
// the last one. What such a question needs of its unit and the map is worked out once a version of
// both and kept with the finder; then the ways that remain are tried in their order. The answer is
// that of a search that is started, to the bit; what none of them answers is asked of one.

#include "search/asked.h"

#include "derived/baked_map.h"
#include "map/links_and_walls.h"
#include "search/jps.h"
#include "search/start_query.h"

// What there is of a unit and the map.
enum {
    HAS_BAKED = 1,
    HAS_JUMPS = 2, // bitmaps of ground that all costs the same
    HAS_DIAGONALS = 4,
    HAS_NO_LANDMARKS = 8,
    HAS_IRREGULAR_JUMPS = 16, // the same around irregular cells, which are so few that they may pay
    HAS_NO_LINKS_OR_WALLS = 32
};

// ---- the ways ----

// In their order.
static const struct QuickWay {
    AstarStatus (*answer)(AstarAsked *asked);
    AstarAlgorithm by; // what it is an answer of: that must be able to honour all that is asked
    unsigned needs;
} quick_ways[] = {
    {astar_answer_directly, ASTAR_JPS, HAS_JUMPS | HAS_DIAGONALS},           // direct_route.c
    {ASTAR_HAS_BAKING ? astar_answer_by_baked : NULL, ASTAR_JPS, HAS_BAKED}, // baked_route.c
    {astar_answer_by_jumps, ASTAR_JPS, HAS_JUMPS | HAS_NO_LANDMARKS},        // plain_search.c
    {astar_answer_in_view, ASTAR_JPSW, HAS_IRREGULAR_JUMPS},                 // plain_view.c
    {astar_answer_over_costs, ASTAR_JPSW, HAS_NO_LINKS_OR_WALLS},            // plain_search.c
};

// Whether a route is all that is asked for, by a question that jumps of that kind can honour.
static bool is_plain_question(const AstarFinder *finder, const AstarQuestion *q, AstarAlgorithm by)
{
    const AstarOptions *options = &finder->options;
    bool jumps = options->algorithm == ASTAR_AUTO || options->algorithm == by;
    bool is_nearest = by == ASTAR_JPSW && q->partial && // see reachable.c
                      astar_grid_has_walls(finder->grid);
    return jumps && !is_nearest && !options->any_angle && isinf(q->max_cost) &&
           q->max_expansions == UINT64_MAX && q->bends == ASTAR_BENDS_ANY &&
           (q == &finder->question || astar_finder_refusal(finder, q) == NULL) &&
           astar_honours(by, astar_finder_needs(finder) | astar_needs_of_question(q));
}

// What answers a question that is plain; ASTAR_AUTO: it is none.
static AstarAlgorithm algorithm_for(const AstarFinder *finder, const AstarQuestion *question)
{
    if (is_plain_question(finder, question, ASTAR_JPS))
        return ASTAR_JPS;
    return is_plain_question(finder, question, ASTAR_JPSW) ? ASTAR_JPSW : ASTAR_AUTO;
}

// The ways by an algorithm, a bit each.
static uint8_t ways_by(AstarAlgorithm algorithm, unsigned has)
{
    unsigned found = 0;
    for (unsigned i = 0; i < sizeof quick_ways / sizeof *quick_ways; i++)
        found |= (unsigned)(quick_ways[i].by == algorithm && (quick_ways[i].needs & ~has) == 0)
                 << i;
    return (uint8_t)found;
}

// ---- the plan ----

// Counts all that a plan is made of: what is current stays so as long as nothing of it changes.
static inline uint64_t plan_version(const AstarFinder *finder)
{
    const AstarField *field = finder->plan.field;
    return 1 + finder->grid->version + (field != NULL ? field->version : 0) + finder->bakings +
           astar_get(&finder->grid->home->bakings);
}

// Takes note of the layers that are current.
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
    plan->baked = NULL;
    if (ASTAR_HAS_BAKING && options->algorithm == ASTAR_AUTO)
        plan->baked = astar_baked_map_of(walkable, options->diagonals, finder->whole.straight,
                                         finder->whole.diagonal);
    unsigned has = plan->baked != NULL ? HAS_BAKED : 0;
    has |= plan->jump != NULL ? HAS_JUMPS : 0;
    has |= finder->rule->has_diagonals ? HAS_DIAGONALS : 0;
    has |= finder->landmarks == NULL ? HAS_NO_LANDMARKS : 0;
    has |= astar_grid_has_links_or_walls(finder->grid) ? 0 : HAS_NO_LINKS_OR_WALLS;
    plan->has = (uint8_t)has;
}

// Takes note of the irregular cells, if they are current; whether they are, as far as they are
// wanted.
static bool look_at_irregular(AstarFinder *finder)
{
    const AstarIrregular *irregular = finder->on.irregular;
    bool is_known = irregular != NULL && astar_irregular_is_current(irregular);
    if (finder->options.algorithm != ASTAR_JPSW &&
        (astar_finder_avoids_rough_field(finder) || (is_known && !astar_jpsw_may_pay(finder))))
        return true;
    bool has_jumps = is_known &&
                     astar_jump_is_current(astar_get(&irregular->jumps[finder->options.diagonals]));
    if (has_jumps)
        finder->plan.has |= HAS_IRREGULAR_JUMPS;
    return has_jumps;
}

// Makes the plan of a finder that of the map as it is; false where the finder is not up to date.
// What is not all there yet is looked for again.
static bool make_plan(AstarFinder *finder)
{
    AstarQueryPlan *plan = &finder->plan;
    if (!astar_finder_is_current(finder))
        return false;
    plan->field = finder->options.avoid;
    plan->best_at = astar_finder_version(finder) + 1;
    plan->offset = (uint8_t)finder->grid->shape->offset;
    look_at_layers(finder);
    AstarAlgorithm by = algorithm_for(finder, &finder->question);
    bool is_whole = by == ASTAR_JPS ? plan->jump != NULL
                                    : by != ASTAR_JPSW || look_at_irregular(finder);
    plan->ways = ways_by(by, plan->has);
    plan->version = is_whole ? plan_version(finder) : 0;
    return true;
}

// ---- the question ----

ASTAR_HOT AstarStatus astar_answer_at_once(AstarAsked *asked)
{
    AstarFinder *finder = asked->finder;
    const AstarQueryPlan *plan = &finder->plan;
    const AstarGrid *grid = finder->grid;
    if (!astar_inside(grid, asked->sx, asked->sy) || !astar_inside(grid, asked->gx, asked->gy) ||
        ((plan->version != plan_version(finder) || finder->home != grid->home) &&
         !make_plan(finder)))
        return ASTAR_RUNNING;
    unsigned left = plan->ways;
    if (asked->question == NULL)
        asked->question = &finder->question;
    else
        left = ways_by(algorithm_for(finder, asked->question), plan->has);
    AstarStatus status = ASTAR_RUNNING;
    for (; left != 0 && status == ASTAR_RUNNING; left &= left - 1)
        status = quick_ways[astar_lowest_bit(left)].answer(asked);
    return status;
}

AstarStatus astar_answer_in_sight(AstarAsked *asked)
{
    AstarFinder *finder = asked->finder;
    int64_t work = ASTAR_ALL_WORK;
    if (!finder->rule->has_diagonals || algorithm_for(finder, asked->question) != ASTAR_JPS)
        return ASTAR_RUNNING;
    AstarStatus status = astar_search_build_for(finder, ASTAR_JPS, &work);
    if (status != ASTAR_OK)
        return status;
    bool is_known = make_plan(finder) && finder->plan.jump != NULL;
    return is_known ? astar_answer_directly(asked) : ASTAR_RUNNING;
}
