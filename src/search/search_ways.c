// search_ways.c -- the ways to search for a question that is started, in the order they are tried.

#include "map/links_and_walls.h"
#include "search/baked_scratch.h"
#include "search/bends.h"
#include "search/estimate.h"
#include "search/jps.h"
#include "search/links.h"
#include "search/start_query.h"

// A field that changes everywhere tells at a glance that too many cells are irregular.
AstarAlgorithm astar_auto_algorithm(AstarFinder *finder, AstarNeeds needs)
{
    if (astar_honours(ASTAR_JPS, needs))
        return ASTAR_JPS;
    bool jumps = astar_honours(ASTAR_JPSW, needs) && !astar_finder_avoids_rough_field(finder);
    return jumps ? ASTAR_JPSW : ASTAR_ASTAR;
}

static AstarAlgorithm algorithm_for_one(const AstarSearch *search, const AstarGoal *goal,
                                        AstarNeeds of_question)
{
    AstarAlgorithm asked = search->finder->options.algorithm;
    if (asked == ASTAR_ASTAR || asked == ASTAR_DIJKSTRA)
        return asked;
    bool is_nearest = goal->tracks || goal->kind == ASTAR_GOAL_NEAR;
    AstarNeeds needs = astar_finder_needs(search->finder) | of_question |
                       astar_need_if(is_nearest, ASTAR_NEED_NEAREST);
    if (asked != ASTAR_AUTO)
        return astar_honours(asked, needs) ? asked : ASTAR_ASTAR;
    return astar_auto_algorithm(search->finder, needs);
}

// Where the unit begins beyond a box it comes in over the rim of that.
static bool has_few_goals(const AstarSearch *search, const AstarGoal *goal)
{
    if (goal->kind == ASTAR_GOAL_BOX)
        return 4 * (2 * (int64_t)goal->range + goal->size - 1) <= ASTAR_MANY_GOALS &&
               (astar_goal_beyond(goal, search->start_x, goal->x) > 0 ||
                astar_goal_beyond(goal, search->start_y, goal->y) > 0);
    return goal->kind == ASTAR_GOAL_SET && search->many.goals.estimated_count > 0;
}

bool astar_may_jump_back(const AstarSearch *search, const AstarGoal *goal)
{
    const AstarFinder *finder = search->finder;
    AstarNeeds needs = astar_needs_of_question(&search->question);
    if (goal->kind == ASTAR_GOAL_BOX) // all of that is gone for
        needs &= ~astar_need_if(true, ASTAR_NEED_RANGE);
    return has_few_goals(search, goal) && !goal->tracks && finder->original == NULL &&
           !search->lines.any_angle && !astar_only_trying_tells(search) &&
           astar_bits_get(&finder->on.walkable->bits, search->start_x, search->start_y) &&
           algorithm_for_one(search, goal, needs) == ASTAR_JPS;
}

AstarAlgorithm astar_search_algorithm_for(const AstarSearch *search, const AstarGoal *goal)
{
    if (astar_may_jump_back(search, goal))
        return ASTAR_JPS;
    if (!astar_goal_is_of_many(goal))
        return algorithm_for_one(search, goal, astar_needs_of_question(&search->question));
    return search->many.goals.estimated_count > 0 ? ASTAR_ASTAR : ASTAR_DIJKSTRA;
}

// Jumping is worth it where not too many cells are irregular.
static AstarStatus choose_for_jpsw(const AstarSearch *search, const AstarGoal *goal,
                                   AstarAlgorithm *algorithm)
{
    AstarFinder *finder = search->finder;
    AstarJumpBitmaps *jump;
    AstarBentWay view;
    int64_t work = ASTAR_ALL_WORK;
    AstarStatus status = astar_finder_need_irregular(finder, &work);
    if (status != ASTAR_OK || finder->options.algorithm == ASTAR_JPSW)
        return status;
    *algorithm = ASTAR_ASTAR;
    if (!astar_jpsw_may_pay(finder))
        return ASTAR_OK;
    status = astar_irregular_jump(search->grid, finder->on.irregular, finder->options.diagonals,
                                  &jump);
    if (status != ASTAR_OK)
        return status;
    if (astar_plain_view(finder, search->start_x, search->start_y, goal->x, goal->y, &view) ||
        astar_jpsw_pays(search, goal))
        *algorithm = ASTAR_JPSW;
    return ASTAR_OK;
}

AstarStatus astar_choose_algorithm(const AstarSearch *search, const AstarGoal *goal,
                                   AstarAlgorithm *algorithm)
{
    *algorithm = astar_search_algorithm_for(search, goal);
    return *algorithm == ASTAR_JPSW ? choose_for_jpsw(search, goal, algorithm) : ASTAR_OK;
}

static const AstarSearchWay by_steps = {.begin = astar_best_first_begin,
                                        .step = astar_run_best_first,
                                        .g = astar_node_g,
                                        .trace = astar_best_first_trace};
static const AstarSearchWay by_jumps = {
    .begin = astar_jps_begin, .step = astar_run_jps, .trace_counted = astar_jps_trace};
static const AstarSearchWay by_back_jumps = {.begin = astar_back_jumps_begin,
                                             .step = astar_run_back_jumps,
                                             .trace_counted = astar_jps_trace};
static const AstarSearchWay by_irregular_jumps = {
    .begin = astar_jpsw_begin, .step = astar_run_jpsw, .trace = astar_jpsw_trace};
static const AstarSearchWay over_states = {.begin = astar_bends_begin,
                                           .step = astar_run_bends,
                                           .g = astar_states_g,
                                           .trace = astar_bends_trace};
static const AstarSearchWay by_baked = {.trace_counted = ASTAR_HAS_BAKING ? astar_baked_route_trace
                                                                          : NULL}; // found at once

// Where bends count that is it whatever the algorithm is.
static const AstarSearchWay *way_by(const AstarSearch *search)
{
    if (search->own.bends)
        return &over_states;
    switch (search->algorithm) {
    case ASTAR_JPS: return astar_jumps_back(search) ? &by_back_jumps : &by_jumps;
    case ASTAR_JPSW: return &by_irregular_jumps;
    case ASTAR_LABELS:
    case ASTAR_HIERARCHY: return &by_baked;
    default: return &by_steps;
    }
}

static AstarStatus begin_search_way(AstarSearch *search)
{
    if (search->way->begin == NULL)
        return ASTAR_OK;
    if (!search->own.bends)
        astar_active_landmarks_choose(search);
    return search->way->begin(search);
}

AstarStatus astar_search_advance_links(AstarSearch *search, int64_t *work)
{
    AstarAlgorithm algorithm;
    AstarStatus status = astar_choose_algorithm(search, &search->goal, &algorithm);
    if (status != ASTAR_OK)
        return status;
    AstarJpsw jpsw;
    AstarHeuristic walk = algorithm == ASTAR_JPSW && !search->own.bends
                              ? astar_jpsw_walk(search, &jpsw)
                              : search->finder->costs.heuristic;
    return astar_links_advance(search, false, walk, work);
}

void astar_search_look_at_map(AstarSearch *search)
{
    const AstarFinder *finder = search->finder;
    const AstarField *field = finder->options.avoid;
    search->slices.seen = (AstarSeenMap){
        .grid = finder->grid->version,
        .field = field != NULL ? field->version : 0,
        .links_and_walls = finder->grid->links_and_walls_version,
        .tables = finder->costs.changes,
    };
    astar_active_landmarks_look(search);
}

AstarStatus astar_search_prepare(AstarSearch *search)
{
    AstarStatus status = astar_choose_algorithm(search, &search->goal, &search->algorithm);
    if (status == ASTAR_OK && astar_grid_has_links(search->grid)) {
        int64_t work = ASTAR_ALL_WORK;
        status = astar_search_advance_links(search, &work);
        search->own.linked = status == ASTAR_OK;
    }
    if (ASTAR_HAS_BAKING && status == ASTAR_OK && search->algorithm == ASTAR_JPS &&
        !astar_jumps_back(search))
        status = astar_baked_route_find(search);
    search->way = way_by(search);
    if (status == ASTAR_OK)
        status = begin_search_way(search);
    astar_search_look_at_map(search);
    if (status != ASTAR_OK)
        search->status = status;
    return search->status;
}

// The cost callback may refuse the goal itself.
static AstarStatus ask_about_goal(AstarSearch *search)
{
    double cost;
    AstarStatus status = astar_costs_cell(&search->costs, search->goal.x, search->goal.y, &cost);
    if (status != ASTAR_OK)
        return status;
    search->slices.phase = ASTAR_FIND_WAY;
    if (isinf(cost) && !search->question.partial)
        return ASTAR_GOAL_BLOCKED;
    return ASTAR_RUNNING;
}

AstarStatus astar_search_run(AstarSearch *search, uint64_t expansions)
{
    AstarStatus status = ASTAR_RUNNING;
    if (search->slices.phase == ASTAR_ASK_GOAL)
        status = ask_about_goal(search);
    if (status != ASTAR_RUNNING || search->way->step == NULL)
        return status == ASTAR_RUNNING ? ASTAR_OK : status;
    if (!search->own.bends &&
        astar_active_landmarks_are_old(search)) { // other estimates than it began by
        status = begin_search_way(search);
        if (status != ASTAR_OK)
            return status;
        search->expanded = 0;
    }
    status = search->way->step(search, expansions);
    if (status != ASTAR_BAD_COST || isfinite(search->slices.sound_below) ||
        (search->algorithm != ASTAR_JPS && search->algorithm != ASTAR_JPSW))
        return status;
    // Beyond the whole numbers, or with a wall among blocks of its own: begun again with A*, whose
    // costs are real ones, and whose steps go everywhere.
    status = astar_best_first_begin(search);
    if (status != ASTAR_OK)
        return status;
    search->algorithm = ASTAR_ASTAR;
    search->way = &by_steps;
    search->expanded = 0;
    return search->way->step(search, expansions);
}
