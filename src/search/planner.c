// planner.c -- which way a question in one call is answered: the ways there are, in the order they
// are tried.
//
// Most questions of a game ask for a route and nothing else, over a map that was not edited since
// the last one. What such a question needs of its unit and the map is worked out once a version of
// both and kept with the finder; then the ways that remain are tried in their order. The answer is
// that of a search that is posed, to the bit; what none of them answers is asked of one.

#include "search/planner.h"

#include "map/links_and_walls.h"
#include "search/jpsw.h"

// ---- the ways ----

// In their order.
static const struct QuickWay {
    AstarStatus (*answer)(const AstarAsked *asked);
    AstarAlgorithm by; // what it is an answer of: that must be able to honour all that is asked
} quick_ways[] = {
    {ASTAR_HAS_BAKING ? astar_answer_by_baked : NULL, ASTAR_JPS}, // baked_route.c; NULL: left out
    {astar_answer_directly, ASTAR_JPS},                           // direct_route.c
    {astar_answer_by_jumps, ASTAR_JPS},                           // plain_search.c
    {astar_answer_in_view, ASTAR_JPSW},                           // view_route.c
    {astar_answer_over_costs, ASTAR_JPSW},                        // plain_search.c
};

// ---- what they need ----

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

// The ways that a plain question may be answered, a bit each: those by one algorithm.
static unsigned ways_for(const AstarFinder *finder, const AstarQuestion *question)
{
    unsigned found = 0;
    AstarAlgorithm by = is_plain_question(finder, question, ASTAR_JPS) ? ASTAR_JPS : ASTAR_JPSW;
    if (by == ASTAR_JPSW && !is_plain_question(finder, question, by))
        return 0;
    for (unsigned i = 0; i < sizeof quick_ways / sizeof *quick_ways; i++)
        found |= (unsigned)(quick_ways[i].by == by && quick_ways[i].answer != NULL) << i;
    return found;
}

// The bitmaps to jump by where there are diagonal steps, if they are current; else NULL.
static const AstarJumpBitmaps *current_bitmaps(const AstarFinder *finder)
{
    const AstarJumpBitmaps *jump = astar_get(&finder->walkable->jumps[finder->options.diagonals]);
    return astar_jump_is_current(jump) && finder->rule->has_diagonals ? jump : NULL;
}

static const AstarComponents *current_components(const AstarFinder *finder)
{
    const AstarComponents *components = astar_get(
        &finder->walkable->components[finder->rule->joins_corners]);
    return components != NULL && !astar_get(&components->stale) ? components : NULL;
}

// Counts all that a plan is made of: what is current stays so as long as nothing is edited.
static inline uint64_t plan_version(const AstarFinder *finder)
{
    return 1 + finder->grid->version + astar_finder_field_version(finder);
}

// Makes the plan of a finder that of the map as it is; false where the finder is not up to date.
// What is not all there yet is looked for again.
static bool make_plan(AstarFinder *finder)
{
    AstarQueryPlan *plan = &finder->plan;
    if (!astar_finder_is_current(finder))
        return false;
    plan->ways = ways_for(finder, &finder->question);
    plan->jump = current_bitmaps(finder);
    plan->components = current_components(finder);
    plan->home = finder->grid->home;
    bool is_whole = plan->components != NULL &&
                    (plan->jump != NULL || !finder->rule->has_diagonals || !finder->is_uniform);
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
        ((plan->version != plan_version(finder) || plan->home != grid->home) && !make_plan(finder)))
        return ASTAR_RUNNING;
    unsigned left = asked->question != NULL ? ways_for(finder, asked->question) : plan->ways;
    if (asked->question == NULL)
        asked->question = &finder->question;
    AstarStatus status = ASTAR_RUNNING;
    for (; left != 0 && status == ASTAR_RUNNING; left &= left - 1)
        status = quick_ways[astar_lowest_bit(left)].answer(asked);
    return status;
}

bool astar_find_directly(AstarWorkspace *workspace, AstarFinder *finder, int sx, int sy, int gx,
                         int gy, const AstarQuestion *question, AstarPath *path)
{
    AstarAsked asked = {finder, workspace, sx, sy, gx, gy, question, &path->allocator, path};
    return astar_answer_at_once(&asked) == ASTAR_OK;
}
