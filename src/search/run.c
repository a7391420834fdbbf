// run.c -- The phases of a query for all kinds of queries. This file stores a query, refuses it or
// answers it without a search, builds its layers, chooses an algorithm, runs the search and reads
// the route back. find.c shows the phases in order.

#include "search/run.h"

#include "finder/roads.h"
#include "map/links_and_walls.h"
#include "search/active_landmarks.h"
#include "search/any_angle.h"
#include "search/baked.h"
#include "search/bends.h"
#include "search/best_first.h"
#include "search/direct_line.h"
#include "search/estimate.h"
#include "search/fewest_bends.h"
#include "search/goal.h"
#include "search/jps.h"
#include "search/jpsw.h"
#include "search/jump_scan.h"
#include "search/links.h"
#include "search/reachable.h"
#include "search/search.h"
#include "search/search_life.h"
#include "search/suppose.h"
#include "search/trace.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>

// ------------------------------------------------------------------------------------------------
// Storing a query, refusing it, and answering it by terrain and connected components alone.
// ------------------------------------------------------------------------------------------------

bool astar_only_search_decides(const AstarSearch *search)
{
    const AstarQueryOptions *query = &search->query;
    return astar_finder_has_callbacks(search->finder) || isfinite(query->max_cost) ||
           query->max_expansions != UINT64_MAX;
}

// Returns the greatest estimate of the remaining cost from any of the reachable cells nearest to
// the goal. The search subtracts the result from each estimate. If the result were slightly too
// great, all estimates would be too small, and the search would expand every cell of all best
// paths.
static double estimate_from_nearest(const AstarSearch *search, const AstarGoal *goal)
{
    const AstarFinder *finder = search->finder;
    const AstarHeuristic *heuristic = &finder->costs.heuristic;
    double greatest = 0;
    if (goal->few == 0 || heuristic->euclidean)
        return goal->near * finder->min_cost * (1 + 1e-6);
    for (uint32_t i = 0; i < goal->few; i++) {
        AstarCell cell = search->known.precheck.near.cells[i];
        astar_come_nearest(finder->grid, &cell.x, &cell.y, goal->x, goal->y);
        double h = astar_goal_remaining(finder->grid->shape, heuristic, goal, goal->x, goal->y,
                                        cell.x, cell.y);
        greatest = h > greatest ? h : greatest;
    }
    return greatest;
}

// Changes the goal of a query whose goal cannot be reached: the search is to find the reachable
// cell nearest to it. Returns false if the work budget is used up before that cell's distance is
// known.
static bool change_goal_to_nearest(AstarSearch *search, AstarReachable *reach, bool certain,
                                   AstarGoal *goal, int64_t *work)
{
    const AstarFinder *finder = search->finder;
    AstarRings *near = &search->known.precheck.near;
    goal->tracks = !certain;
    if (!certain)
        return true;
    int x = search->start_x, y = search->start_y;
    astar_come_nearest(finder->grid, &x, &y, goal->x, goal->y);
    astar_goal_come_near(goal, &x, &y, goal->x, goal->y);
    double here = astar_estimate_between(finder->grid->shape, &finder->costs.distance, x, y,
                                         goal->x, goal->y);
    goal->kind = ASTAR_GOAL_NEAR;
    goal->range = 0;
    if (near->radius == 0)
        near->nearest = here;
    bool is_known = astar_reachable_look(reach, goal->x, goal->y, goal->body, -1, near, work);
    goal->near = near->nearest;
    goal->few = near->nearest < here && near->count <= ASTAR_MANY_NEAREST ? near->count : 0;
    goal->near_cost = estimate_from_nearest(search, goal);
    return is_known;
}

// Compares the connected components of start and goal, and fills in the goal of the search. Returns
// the statuses of a precheck, see run.h.
static AstarStatus compare_components(AstarSearch *search, AstarPrecheckResult *outcome,
                                      AstarGoal *goal, int64_t *work)
{
    const AstarQueryOptions *query = &search->query;
    AstarPrecheck *precheck = &search->known.precheck;
    AstarReachable reach;
    uint64_t version = astar_finder_version(search->finder);
    if (precheck->version != version)
        *precheck = (AstarPrecheck){
            .version = version, .within = {.nearest = INFINITY}, .near = {.nearest = INFINITY}};
    AstarStatus status = astar_reachable_advance(search, search->start_x, search->start_y,
                                                 &precheck->beyond, &reach, work);
    if (status != ASTAR_OK)
        return status;
    if (!astar_reachable_look(&reach, goal->x, goal->y, goal->body, query->range, &precheck->within,
                              work))
        return ASTAR_RUNNING;
    outcome->connected = isfinite(precheck->within.nearest);
    outcome->certain = reach.certain;
    if (!outcome->connected && !query->partial)
        return ASTAR_UNREACHABLE;
    bool certain = reach.certain && search->finder->options.estimate == NULL &&
                   !astar_only_search_decides(search);
    if (outcome->connected)
        goal->tracks = query->partial && !certain;
    else if (!change_goal_to_nearest(search, &reach, certain, goal, work))
        return ASTAR_RUNNING;
    return ASTAR_OK;
}

AstarStatus astar_search_check_terrain(const AstarSearch *search)
{
    const AstarFinder *finder = search->finder;
    const AstarQueryOptions *query = &search->query;
    if (!astar_terrain_allows(finder, search->start_x, search->start_y))
        return ASTAR_START_BLOCKED;
    bool needs_goal = query->range == 0 && !query->partial;
    return needs_goal && !astar_terrain_allows(finder, search->goal.x, search->goal.y)
               ? ASTAR_GOAL_BLOCKED
               : ASTAR_OK;
}

AstarStatus astar_search_check_reachable(AstarSearch *search, AstarPrecheckResult *outcome,
                                         AstarGoal *goal, int64_t *work)
{
    const AstarFinder *finder = search->finder;
    const AstarQueryOptions *query = &search->query;
    int range = query->range;
    *outcome = (AstarPrecheckResult){.certain = true};
    *goal = astar_goal_at(search->grid, search->goal.x, search->goal.y, range,
                          astar_finder_body(finder));
    if (!astar_terrain_allows(finder, search->start_x, search->start_y))
        return ASTAR_START_BLOCKED;
    int x = search->start_x, y = search->start_y;
    astar_goal_come_near(goal, &x, &y, goal->x, goal->y);
    outcome->connected = astar_grid_steps(search->grid, x, y, goal->x, goal->y) <= range;
    if (outcome->connected)
        return ASTAR_OK;
    bool goal_free = astar_bits_get(&finder->on.walkable->bits, goal->x, goal->y) &&
                     !astar_costs_suppose(&search->costs, goal->x, goal->y);
    if (!goal_free && range == 0 && !query->partial)
        return ASTAR_GOAL_BLOCKED;
    return compare_components(search, outcome, goal, work);
}

// Resets all fields that belong to the previous query.
static void reset_search(AstarSearch *search)
{
    search->known.outcome = (AstarPrecheckResult){.certain = true};
    search->own.linked = false;
    search->lines.any_angle = search->finder->options.any_angle;
    search->own.bends = astar_counts_bends(search->finder, &search->query);
    search->own.by_rays = false;
    astar_any_angle_reset(search);
    search->algorithm = ASTAR_AUTO;
    search->own.active.count = 0;
    search->stepped.preparing = (AstarPreparing){.in_steps = false};
    astar_links_forget(search);
    search->known.precheck.version = UINT64_MAX;
    search->stepped.sound_below = INFINITY;
    search->expanded = 0;
    search->failure = ASTAR_UNREACHABLE;
    search->own.cut.are_noted = false;
    search->found = ASTAR_NO_CELL;
    search->stepped.tracing = (AstarTracing){.is_begun = false};
}

void astar_search_note(AstarSearch *search, int sx, int sy, int gx, int gy,
                       const AstarQueryOptions *query)
{
    const AstarGrid *grid = search->grid;
    assert(astar_inside(grid, sx, sy) && astar_inside(grid, gx, gy));
    search->query = query != NULL ? *query : search->finder->query;
    search->own.weight = search->query.weight;
    search->start_x = sx;
    search->start_y = sy;
    search->start = astar_cell(grid, sx, sy);
    search->goal = astar_goal_at(grid, gx, gy, search->query.range,
                                 astar_finder_body(search->finder));
    search->limit = search->query.max_cost * ASTAR_LENIENCE;
    reset_search(search);
}

AstarStatus astar_search_precheck_stored(AstarSearch *search, int64_t *work)
{
    search->stepped.phase = ASTAR_FIND_WAY;
    AstarStatus status = astar_ignore_own_blocks(search, search->start_x, search->start_y,
                                                 search->own.bends);
    if (status == ASTAR_OK)
        status = astar_search_check_reachable(search, &search->known.outcome, &search->goal, work);
    if (search->known.outcome.connected && search->finder->options.cost != NULL &&
        search->goal.kind == ASTAR_GOAL_CELL && search->goal.cell != search->start)
        search->stepped.phase = ASTAR_CALL_GOAL;
    search->status = status == ASTAR_OK ? ASTAR_RUNNING : status;
    return status;
}

// Returns ASTAR_UNREACHABLE if, according to the components, the supposed blocks of a query
// separate the start from the goal. Otherwise returns ASTAR_OK. Without this check a search would
// expand all cells that the start can reach.
static AstarStatus check_supposed_blocks(const AstarSearch *search)
{
    const AstarQueryOptions *query = &search->query;
    AstarReachKnown known = ASTAR_REACH_UNKNOWN;
    AstarStatus status = ASTAR_OK;
    if (search->finder->supposed != NULL && query->range == 0 && !query->partial)
        status = astar_suppose_reachable(search->finder, search->start_x, search->start_y,
                                         search->goal.x, search->goal.y, &known);
    return status == ASTAR_OK && known == ASTAR_REACH_NO ? ASTAR_UNREACHABLE : status;
}

AstarStatus astar_search_precheck(AstarSearch *search, int sx, int sy, int gx, int gy,
                                  const AstarQueryOptions *query)
{
    int64_t work = ASTAR_ALL_WORK;
    astar_search_note(search, sx, sy, gx, gy, query);
    AstarStatus status = astar_search_precheck_stored(search, &work);
    if (status == ASTAR_OK)
        status = check_supposed_blocks(search);
    search->status = status == ASTAR_OK ? ASTAR_RUNNING : status;
    return status;
}

AstarStatus astar_search_refusal(const AstarSearch *search, const AstarQueryOptions *query)
{
    const AstarFinder *finder = search->finder;
    const AstarRefusal *refusal = astar_finder_refusal(finder,
                                                       query != NULL ? query : &finder->query);
    return refusal != NULL ? refusal->status : ASTAR_OK;
}

// ------------------------------------------------------------------------------------------------
// Layers that a query needs: connected components, non-uniform cells, bitmaps for jumps.
// ------------------------------------------------------------------------------------------------

AstarStatus astar_search_build_all_components(const AstarSearch *search, int64_t *work)
{
    AstarFinder *finder = astar_finder_original(search->finder);
    AstarStatus status = astar_finder_advance(finder, work);
    return status == ASTAR_OK ? astar_walkable_advance_components(search->grid, finder->on.walkable,
                                                                  finder->rule->joins_corners, work)
                              : status;
}

AstarStatus astar_search_build_components(const AstarSearch *search, int64_t *work)
{
    const AstarGoal *goal = &search->goal;
    bool is_there = astar_goal_columns(goal, search->start_x, goal->x) == 0 &&
                    astar_goal_rows(goal, search->start_y, goal->y) == 0;
    return is_there ? ASTAR_OK : astar_search_build_all_components(search, work);
}

// Builds the layers for JPSW: the non-uniform cells, and the bitmaps for jumps if JPSW may be
// faster than A* or is the finder's algorithm.
static AstarStatus build_for_jpsw(AstarFinder *finder, int64_t *work)
{
    AstarStatus status = astar_finder_need_nonuniform(finder, work);
    if (status != ASTAR_OK)
        return status;
    if (finder->options.algorithm == ASTAR_AUTO && !astar_jpsw_may_pay(finder))
        return ASTAR_OK;
    return astar_nonuniform_advance_jump(finder->grid, finder->on.nonuniform,
                                         finder->options.diagonals, work);
}

AstarStatus astar_search_build_for(AstarFinder *finder, AstarAlgorithm algorithm, int64_t *work)
{
    switch (algorithm) {
    case ASTAR_JPS:
        return astar_walkable_advance_jump(finder->grid, astar_finder_shared_walkable(finder),
                                           finder->options.diagonals, work);
    case ASTAR_JPSW: return build_for_jpsw(finder, work);
    default: return ASTAR_OK;
    }
}

// ------------------------------------------------------------------------------------------------
// Choice of the algorithm for a query that needs a search.
// ------------------------------------------------------------------------------------------------

// If the field to avoid changes from cell to cell, too many cells are non-uniform for JPSW to be
// faster than A*. A sample of the field shows this before the layer of non-uniform cells is built.
AstarAlgorithm astar_auto_algorithm(AstarFinder *finder, AstarNeeds needs)
{
    if (astar_honours(ASTAR_JPS, needs))
        return ASTAR_JPS;
    bool jumps = astar_honours(ASTAR_JPSW, needs) && !astar_finder_avoids_rough_field(finder);
    return jumps ? ASTAR_JPSW : ASTAR_ASTAR;
}

// A cost model: predicts, for ground of one cost, the distance of the goal beyond which A* takes
// less time than jump point search.
//
// Jump point search expands fewer cells, but one of its expansions takes about ten times as long.
// If obstacles are walls, houses or rooms, jump point search is faster at any distance. Random
// obstacles cause jump points everywhere. The time of jump point search divided by that of A*, on
// random obstacles, by the blocked share of the cells and by the distance of the goal:
//
//     eight moves     12    36    64   128   256   384 cells
//         10 %       0.9   0.9   1.0   1.1   1.3   1.2
//         20 %       0.7   0.9   1.1   1.1   1.4   1.5
//         30 %       0.8   0.9   1.0   1.1   1.2   1.3
//         35 %       0.8   0.8   0.9   0.9   1.0   1.2
//         40 %       0.8   0.9   0.8   0.8   0.9   1.1
//     four moves
//          1 %       3.3   5.5   4.9   2.8   1.5   2.6
//          5 %       1.7   1.5   2.2   2.2   2.8   2.5
//         10 %       1.2   1.7   2.0   2.1   1.3   3.7
//         40 %       1.0   1.2   1.2   1.3   1.4   1.6
//
// diagonal_cost 1.4 gives the same table within 0.1. diagonal_cost 1 gives the same table, too,
// except that with obstacles on 10 % of the cells both algorithms take equally long up to 192
// cells. On obstacles of 2 x 2 cells and larger ones, the ratio never exceeded 1 with eight moves.
// With four moves it reached 5.8, but only for goals nearer than about 5 cells divided by the
// blocked share, and not where walls make dead ends. In a maze with corridors 1 cell wide, jump
// point search took 2/3 of the time of A*. If 10 % of the maze's walls are open, A* is faster
// again, but only without diagonal steps.

// Distances of the goal, in columns or rows, beyond which A* is faster with diagonal steps and
// random obstacles.
enum {
    FAR_FOR_JUMPS = 64,      // usually
    FAR_ON_EVEN_STEPS = 128, // if diagonal_cost is 1 and few cells are blocked
    FAR_IN_THICKET = 192     // if random obstacles block more than 34 % of the cells
};

// Returns the distance of the goal, in columns or rows, beyond which A* is faster than jump point
// search. Returns INT_MAX if A* is never faster.
static int distance_for_steps(const AstarFinder *finder)
{
    const AstarGrid *grid = finder->grid;
    AstarClutter seen = astar_look_at_clutter(&finder->on.walkable->bits, grid->width,
                                              grid->height);
    bool has_diagonals = finder->rule->has_diagonals;
    if (astar_is_narrow(&seen) ||
        !(astar_is_scattered(&seen) || (!has_diagonals && astar_is_sprinkled(&seen))))
        return INT_MAX;
    if (!has_diagonals)
        return 0;
    // Random obstacles leave (1 - blocked share)^3 squares of 2 x 2 free cells per free cell: more
    // than 2/3 below 13 % of blocked cells, less than 2/7 above 34 %.
    if (seen.squares * 7 < seen.free * 2)
        return FAR_IN_THICKET;
    bool is_thin = seen.squares * 3 > seen.free * 2;
    return is_thin && finder->options.diagonal_cost == 1 ? FAR_ON_EVEN_STEPS : FAR_FOR_JUMPS;
}

bool astar_steps_pay(AstarFinder *finder, int dx, int dy)
{
    const int far = astar_greater(abs(dx), abs(dy));
    if (finder->options.algorithm != ASTAR_AUTO || finder->original != NULL ||
        (finder->on.landmarks != NULL && finder->on.landmarks->tables > 0) || !finder->is_uniform ||
        (finder->rule->has_diagonals && far < FAR_FOR_JUMPS) ||
        !astar_finder_allows(finder, ASTAR_PRUNING) || astar_grid_has_links_or_walls(finder->grid))
        return false;
    bool is_baked = ASTAR_HAS_BAKING &&
                    astar_baked_map_of(finder->on.walkable, finder->options.diagonals,
                                       finder->whole.straight, finder->whole.diagonal) != NULL;
    if (is_baked)
        return false;
    uint64_t version = astar_finder_version(finder) + 1;
    if (finder->scattered.at != version)
        finder->scattered.from = distance_for_steps(finder);
    finder->scattered.at = version;
    return finder->scattered.from < INT_MAX && far >= finder->scattered.from;
}

// Returns the algorithm for a query with one goal. astar_may_jump_back() also calls this function
// for queries with a few goals. 'of_query' are the needs of the query and of its goal.
ASTAR_COLD static AstarAlgorithm algorithm_for_one(const AstarSearch *search, const AstarGoal *goal,
                                                   AstarNeeds of_query)
{
    AstarAlgorithm by_name = search->finder->options.algorithm;
    if (by_name == ASTAR_ASTAR || by_name == ASTAR_DIJKSTRA)
        return by_name;
    AstarNeeds needs = astar_finder_needs(search->finder) | of_query;
    if (by_name != ASTAR_AUTO)
        return astar_honours(by_name, needs) ? by_name : ASTAR_ASTAR;
    AstarAlgorithm chosen = astar_auto_algorithm(search->finder, needs);
    bool to_cell = chosen == ASTAR_JPS && goal->kind == ASTAR_GOAL_CELL && !search->lines.any_angle;
    return to_cell && astar_steps_pay(search->finder, goal->x - search->start_x,
                                      goal->y - search->start_y)
               ? ASTAR_ASTAR
               : chosen;
}

// Returns true if the start lies outside the box of cells in range of the goal, and the rim of the
// box is short compared with the distance of the start. Each cell of the rim is then a root of a
// search from the goals to the start, because a unit from outside enters the box over its rim. The
// alternative is A*, which expands several cells for each step of the distance where obstacles
// stand between. With eight roots for each step, queries on eight kinds of maps of 64 and 128 cells
// a side took at most 1.3 times, and in mazes down to a seventh, of the time of A*.
static bool has_short_rim(const AstarSearch *search, const AstarGoal *goal)
{
    enum { ROOTS_A_STEP = 8 };
    int64_t rim = 4 * (2 * (int64_t)goal->range - 1) + 2 * (goal->body.width + goal->body.height);
    int beyond = astar_greater(astar_goal_columns(goal, search->start_x, goal->x),
                               astar_goal_rows(goal, search->start_y, goal->y));
    return beyond > 0 && rim <= astar_greater(ASTAR_MANY_GOALS, ROOTS_A_STEP * beyond);
}

// Returns true if a query has few enough goals for a jump point search from the goals to the start.
static bool has_few_goals(const AstarSearch *search, const AstarGoal *goal)
{
    switch (goal->kind) {
    case ASTAR_GOAL_BOX: return has_short_rim(search, goal);
    case ASTAR_GOAL_NEAR: return goal->few > 0;
    default: return goal->kind == ASTAR_GOAL_SET && search->many.goals.estimated_count > 0;
    }
}

// Returns the needs of the goal, which come in addition to those of the query's options.
static AstarNeeds needs_of_goal(const AstarGoal *goal)
{
    return astar_need_if(goal->tracks || goal->kind == ASTAR_GOAL_NEAR, ASTAR_NEED_NEAREST);
}

ASTAR_COLD bool astar_may_jump_back(const AstarSearch *search, const AstarGoal *goal)
{
    const AstarFinder *finder = search->finder;
    AstarNeeds needs = astar_needs_of_query(&search->query);
    if (goal->kind != ASTAR_GOAL_SET) // the search from the goals starts at each cell of the rim
        needs &= ~astar_need_if(true, ASTAR_NEED_RANGE);
    return has_few_goals(search, goal) && !goal->tracks && finder->original == NULL &&
           !search->lines.any_angle && !astar_only_search_decides(search) &&
           astar_bits_get(&finder->on.walkable->bits, search->start_x, search->start_y) &&
           algorithm_for_one(search, goal, needs) == ASTAR_JPS;
}

AstarAlgorithm astar_search_algorithm_for(const AstarSearch *search, const AstarGoal *goal)
{
    if (astar_may_jump_back(search, goal))
        return ASTAR_JPS;
    if (!astar_goal_is_of_many(goal))
        return algorithm_for_one(search, goal,
                                 astar_needs_of_query(&search->query) | needs_of_goal(goal));
    return search->many.goals.estimated_count > 0 ? ASTAR_ASTAR : ASTAR_DIJKSTRA;
}

// Chooses between JPSW and A* for a query with the algorithm "auto". JPSW is faster if few cells
// are non-uniform.
static AstarStatus choose_for_jpsw(const AstarSearch *search, const AstarGoal *goal,
                                   AstarAlgorithm *algorithm)
{
    AstarFinder *finder = search->finder;
    AstarJumpBitmaps *jump;
    AstarBentWay line;
    int64_t work = ASTAR_ALL_WORK;
    AstarStatus status = astar_finder_need_nonuniform(finder, &work);
    if (status != ASTAR_OK || finder->options.algorithm == ASTAR_JPSW)
        return status;
    *algorithm = ASTAR_ASTAR;
    if (!astar_jpsw_may_pay(finder))
        return ASTAR_OK;
    status = astar_nonuniform_jump(search->grid, finder->on.nonuniform, finder->options.diagonals,
                                   &jump);
    if (status != ASTAR_OK)
        return status;
    if (astar_find_line_on_several_costs(finder, search->start_x, search->start_y, goal->x, goal->y,
                                         &line) ||
        astar_jpsw_pays(search, goal))
        *algorithm = ASTAR_JPSW;
    return ASTAR_OK;
}

ASTAR_COLD AstarStatus astar_choose_algorithm(const AstarSearch *search, const AstarGoal *goal,
                                              AstarAlgorithm *algorithm)
{
    *algorithm = astar_search_algorithm_for(search, goal);
    return *algorithm == ASTAR_JPSW ? choose_for_jpsw(search, goal, algorithm) : ASTAR_OK;
}

static const AstarSearchFunctions by_steps = {.begin = astar_best_first_begin,
                                              .step = astar_run_best_first,
                                              .g = astar_node_g,
                                              .trace = astar_best_first_trace};
static const AstarSearchFunctions by_jumps = {
    .begin = astar_jps_begin, .step = astar_run_jps, .trace_counted = astar_jps_trace};
static const AstarSearchFunctions by_back_jumps = {.begin = astar_back_jumps_begin,
                                                   .step = astar_run_back_jumps,
                                                   .trace_counted = astar_jps_trace};
static const AstarSearchFunctions by_nonuniform_jumps = {
    .begin = astar_jpsw_begin, .step = astar_run_jpsw, .trace = astar_jpsw_trace};
static const AstarSearchFunctions over_states = {.begin = astar_bends_begin,
                                                 .step = astar_run_bends,
                                                 .g = astar_states_g,
                                                 .trace = astar_bends_trace};
// The functions for routes by baked data. The route is found when the search is prepared, so there
// is no function that runs the search.
static const AstarSearchFunctions by_baked = {
    .trace_counted = ASTAR_HAS_BAKING ? astar_baked_route_trace : NULL};

static const AstarSearchFunctions by_rays = {.begin = astar_rays_begin,
                                             .step = astar_run_rays,
                                             .g = astar_node_g,
                                             .trace = astar_rays_trace};

AstarStatus astar_search_go_over_states(AstarSearch *search, double known)
{
    search->own.by_rays = false;
    search->functions = &over_states;
    AstarStatus status = astar_bends_begin(search);
    if (status == ASTAR_OK)
        astar_states_bound(search, known);
    return status == ASTAR_OK ? ASTAR_RUNNING : status;
}

// Returns the functions of a search's algorithm. A search that counts bends does not depend on the
// chosen algorithm: it uses A* over cells and then rays, or A* over cells and headings.
static const AstarSearchFunctions *functions_of(const AstarSearch *search)
{
    if (search->own.bends)
        return search->own.by_rays ? &by_rays : &over_states;
    switch (search->algorithm) {
    case ASTAR_JPS: return astar_jumps_back(search) ? &by_back_jumps : &by_jumps;
    case ASTAR_JPSW: return &by_nonuniform_jumps;
    case ASTAR_LABELS:
    case ASTAR_HIERARCHY: return &by_baked;
    default: return &by_steps;
    }
}

static AstarStatus begin_algorithm(AstarSearch *search)
{
    if (search->functions->begin == NULL)
        return ASTAR_OK;
    if (!search->own.bends)
        astar_active_landmarks_choose(search);
    return search->functions->begin(search);
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
    search->stepped.seen = (AstarSeenMap){
        .grid = finder->grid->version,
        .field = field != NULL ? field->version : 0,
        .links_and_walls = finder->grid->links_and_walls_version,
        .tables = finder->costs.changes + astar_roads_changes(finder),
    };
    astar_active_landmarks_look(search);
}

// Returns true if an optimal search by A* takes less time than a search with the weight of the
// query, whose loop serves all kinds of queries and takes three times as long per expansion. An
// optimal route satisfies any weight. On ground of one cost the estimates are good, so a weight
// saves few expansions. Measured on hexagons and with four moves: a weight of 1.1 took 1.3 to 5
// times as long as no weight, and a weight of 2 took 0.7 to 5 times as long, except on random
// obstacles on 35 % of the cells, where it took 0.25 to 1.1 times as long.
static bool goes_without_weight(const AstarSearch *search)
{
    enum { SQUARES_OF_CLUTTER = 2 }; // random obstacles on a fifth of the cells leave so many
    const double strong = 1.5;
    const AstarFinder *finder = search->finder;
    const AstarGrid *grid = finder->grid;
    if (search->query.weight == 1 || search->algorithm != ASTAR_ASTAR ||
        finder->options.algorithm != ASTAR_AUTO || !finder->is_uniform ||
        search->goal.kind != ASTAR_GOAL_CELL || search->goal.tracks ||
        finder->options.avoid != NULL || finder->options.estimate != NULL ||
        astar_finder_has_callbacks(finder) || astar_grid_has_links_or_walls(grid))
        return false;
    if (search->query.weight < strong)
        return true;
    AstarClutter seen = astar_look_at_clutter(&finder->on.walkable->bits, grid->width,
                                              grid->height);
    return !astar_is_scattered(&seen) || astar_is_narrow(&seen) ||
           seen.squares * SQUARES_OF_CLUTTER > seen.free;
}

// Starts the chosen algorithm. 'status' is the status that the choice returned; if it is not
// ASTAR_OK, the search ends with it. Returns ASTAR_RUNNING if the search has started.
static AstarStatus start_chosen(AstarSearch *search, AstarStatus status)
{
    if (status == ASTAR_OK && goes_without_weight(search))
        search->own.weight = 1;
    if (status == ASTAR_OK && astar_grid_has_links(search->grid)) {
        int64_t work = ASTAR_ALL_WORK;
        status = astar_search_advance_links(search, &work);
        search->own.linked = status == ASTAR_OK;
    }
    if (ASTAR_HAS_BAKING && status == ASTAR_OK && search->algorithm == ASTAR_JPS &&
        !astar_jumps_back(search))
        status = astar_baked_route_find(search);
    search->own.by_rays = status == ASTAR_OK && search->own.bends && astar_can_go_by_rays(search);
    search->functions = functions_of(search);
    if (status == ASTAR_OK)
        status = begin_algorithm(search);
    astar_search_look_at_map(search);
    if (status != ASTAR_OK)
        search->status = status;
    return search->status;
}

ASTAR_COLD AstarStatus astar_search_start(AstarSearch *search)
{
    return start_chosen(search, astar_choose_algorithm(search, &search->goal, &search->algorithm));
}

// Calls the cost callback for the goal, because the callback may bar the goal itself. Returns
// ASTAR_RUNNING if the search goes on.
static AstarStatus check_goal(AstarSearch *search)
{
    double cost;
    AstarStatus status = astar_costs_cell(&search->costs, search->goal.x, search->goal.y, &cost);
    if (status != ASTAR_OK)
        return status;
    search->stepped.phase = ASTAR_FIND_WAY;
    if (isinf(cost) && !search->query.partial)
        return ASTAR_GOAL_BLOCKED;
    return ASTAR_RUNNING;
}

ASTAR_COLD AstarStatus astar_search_run(AstarSearch *search, uint64_t expansions)
{
    AstarStatus status = ASTAR_RUNNING;
    if (search->stepped.phase == ASTAR_CALL_GOAL)
        status = check_goal(search);
    if (status != ASTAR_RUNNING || search->functions->step == NULL)
        return status == ASTAR_RUNNING ? ASTAR_OK : status;
    if (!search->own.bends &&
        astar_active_landmarks_are_old(search)) { // the estimates have changed since the start
        status = astar_search_start(search);
        if (status != ASTAR_RUNNING)
            return status;
        search->expanded = 0;
    }
    status = search->functions->step(search, expansions);
    if (status != ASTAR_BAD_COST || isfinite(search->stepped.sound_below) ||
        (search->algorithm != ASTAR_JPS && search->algorithm != ASTAR_JPSW))
        return status;
    // Jump point search cannot answer the query: the costs exceed its whole numbers, or the unit
    // has a wall among its own blocks. The search is therefore restarted with A*, which has neither
    // limit. With many goals A* has no estimate.
    if (search->many.goals.estimated_count >= ASTAR_MANY_GOALS)
        search->many.goals.estimated_count = 0;
    status = astar_best_first_begin(search);
    if (status != ASTAR_OK)
        return status;
    search->algorithm = ASTAR_ASTAR;
    search->functions = &by_steps;
    search->expanded = 0;
    return search->functions->step(search, expansions);
}

// ------------------------------------------------------------------------------------------------
// Building layers within the budget of a search in steps.
//
// On a new or much edited map, a query needs layers that take longer to build than a frame has time
// for: walkable bits, components, jump bitmaps. A query in steps builds a fixed number of cells per
// expansion, independent of the clock. If an edit comes between two steps, the query is checked
// again. Layers that are half built stay with the grid, and the next query continues to build them.
// Edits may make layers stale as fast as they are built. In this case the search restarts, and
// finally takes a snapshot, see search_life.c.
// ------------------------------------------------------------------------------------------------

// Maximum work per cell of the map for building layers. After more work, the preparation stops with
// ASTAR_GRID_CHANGED at the next edit, so that the search restarts. The value is about twice the
// work for a map without edits.
enum { MOST_WORK_A_CELL = 16 };

int64_t astar_step_work(const AstarSearch *search, uint64_t expansions)
{
    uint64_t at_once = search->stepped.preparing.at_once;
    return astar_work_of(expansions < UINT64_MAX - at_once ? expansions + at_once : UINT64_MAX);
}

void astar_charge_step(const AstarSearch *search, uint64_t *expansions, int64_t work)
{
    work -= astar_work_of(search->stepped.preparing.at_once);
    uint64_t count = work > 0 ? (uint64_t)work / ASTAR_CELLS_AN_EXPANSION : 0;
    *expansions -= count < *expansions ? count : *expansions;
}

ASTAR_COLD AstarStatus astar_search_precheck_on_map(AstarSearch *search, int64_t *work)
{
    AstarPreparing *preparing = &search->stepped.preparing;
    astar_stop_ignoring_own_blocks(search);
    AstarStatus status = astar_finder_advance(search->finder, work);
    if (status == ASTAR_OK)
        status = astar_search_build_components(search, work);
    if (status == ASTAR_OK && search->costs.version != astar_finder_version(search->finder))
        status = astar_costs_begin(&search->costs, search->finder, &search->allocator);
    if (status != ASTAR_OK)
        return status;
    status = astar_search_refusal(search, &search->query); // edits may have led to a refusal
    if (status != ASTAR_OK)
        return status;
    status = astar_search_precheck_stored(search, work);
    if (status == ASTAR_RUNNING)
        return status;
    preparing->is_started = status == ASTAR_OK;
    preparing->version = search->costs.version;
    return status;
}

// Makes the precheck of a query in steps, builds the layers that it needs, and starts the search.
// If the map was edited since the precheck, the precheck is made again. Returns ASTAR_OK once the
// search has started, and ASTAR_RUNNING if the work budget is used up first.
static AstarStatus prepare_in_steps(AstarSearch *search, int64_t *work)
{
    AstarPreparing *preparing = &search->stepped.preparing;
    AstarStatus status = ASTAR_OK;
    uint64_t version = astar_finder_version(search->finder);
    if (!preparing->is_started || preparing->version != version) {
        bool is_in_vain = preparing->spent > (int64_t)MOST_WORK_A_CELL * search->grid->cells;
        if (is_in_vain && search->costs.version != version)
            return ASTAR_GRID_CHANGED;
        preparing->is_started = false;
        status = astar_search_precheck_on_map(search, work);
    }
    if (status == ASTAR_OK)
        status = astar_search_build_for(search->finder,
                                        astar_search_algorithm_for(search, &search->goal), work);
    if (status == ASTAR_OK && astar_grid_has_links(search->grid))
        status = astar_search_advance_links(search, work);
    if (status != ASTAR_OK)
        return status;
    status = astar_search_start(search);
    preparing->is_due = status != ASTAR_RUNNING;
    if (preparing->is_due)
        search->algorithm = ASTAR_AUTO; // the search has no nodes that could be inspected yet
    return preparing->is_due ? status : ASTAR_OK;
}

ASTAR_COLD AstarStatus astar_search_get_ready(AstarSearch *search, uint64_t *expansions)
{
    const AstarPreparing *preparing = &search->stepped.preparing;
    bool in_steps = preparing->in_steps;
    int64_t all = in_steps ? astar_step_work(search, *expansions) : ASTAR_ALL_WORK, work = all;
    AstarStatus status = preparing->is_due ? prepare_in_steps(search, &work)
                                           : astar_resume(search, &work);
    search->status = status == ASTAR_OK || status == ASTAR_NO_MEMORY ? ASTAR_RUNNING : status;
    search->stepped.preparing.spent += all - work;
    if (in_steps)
        astar_charge_step(search, expansions, all - work);
    return status == ASTAR_OK && in_steps && *expansions == 0 ? ASTAR_RUNNING : status;
}

// Returns true if a map is so wide that building one part of a layer takes more than the free work
// of 'at_once' expansions.
static bool is_wide(const AstarGrid *grid, uint64_t at_once)
{
    int side = grid->width > grid->height ? grid->width : grid->height;
    return (int64_t)64 * side > astar_work_of(at_once);
}

void astar_search_will_prepare(AstarSearch *search, uint64_t at_once)
{
    search->stepped.preparing = (AstarPreparing){
        .in_steps = true,
        .is_due = true,
        .at_once = search->stepped.builds_by_steps || is_wide(search->grid, at_once) ? 0 : at_once,
    };
}

void astar_search_prepare_again(AstarSearch *search, int gx, int gy, const AstarQueryOptions *query)
{
    uint64_t at_once = search->stepped.preparing.at_once;
    astar_search_note(search, search->start_x, search->start_y, gx, gy, query);
    astar_search_will_prepare(search, at_once);
}

void astar_search_build_by_steps(AstarSearch *search)
{
    search->stepped.preparing.at_once = 0;
    search->stepped.builds_by_steps = true;
}

ASTAR_COLD AstarStatus astar_search_begin_in_steps(AstarSearch *search, int sx, int sy, int gx,
                                                   int gy, const AstarQueryOptions *query,
                                                   uint64_t at_once)
{
    if (!astar_inside(search->grid, sx, sy) || !astar_inside(search->grid, gx, gy))
        return search->status = ASTAR_BAD_CELL;
    AstarStatus status = astar_search_refusal(search, query);
    if (status != ASTAR_OK)
        return search->status = status;
    astar_search_note(search, sx, sy, gx, gy, query);
    status = astar_search_check_terrain(search);
    if (status != ASTAR_OK)
        return search->status = status;
    uint64_t none = 0;
    astar_search_will_prepare(search, at_once);
    status = astar_search_get_ready(search, &none);
    return status == ASTAR_OK ? ASTAR_RUNNING : status;
}

// Builds the layers that queries with the finder's own options need, and stores the algorithm that
// answers them.
ASTAR_COLD static AstarStatus prepare_finder(AstarFinder *finder, AstarAlgorithm *algorithm,
                                             int64_t *work)
{
    AstarStatus status = astar_finder_advance(finder, work);
    if (status == ASTAR_OK)
        status = astar_walkable_advance_components(finder->grid, finder->on.walkable,
                                                   finder->rule->joins_corners, work);
    if (status != ASTAR_OK)
        return status;
    const AstarRefusal *refusal = astar_finder_refusal(finder, &finder->query);
    if (refusal != NULL)
        return refusal->status;
    AstarNeeds needs = astar_finder_needs(finder) | astar_needs_of_query(&finder->query);
    *algorithm = finder->options.algorithm != ASTAR_AUTO ? finder->options.algorithm
                                                         : astar_auto_algorithm(finder, needs);
    return astar_search_build_for(finder, *algorithm, work);
}

AstarStatus astar_finder_prepare(AstarFinder *finder, uint64_t expansions)
{
    int64_t work = astar_work_of(expansions);
    AstarAlgorithm algorithm;
    return prepare_finder(finder, &algorithm, &work);
}

// Returns the bitmaps that an algorithm uses for jumps, if they are up to date. Returns NULL if
// not, or if the algorithm uses no jumps.
static AstarJumpBitmaps *bitmaps_jumped_by(const AstarFinder *finder, AstarAlgorithm algorithm)
{
    AstarDiagonals rule = finder->options.diagonals;
    AstarJumpBitmaps *jump = NULL;
    if (algorithm == ASTAR_JPS)
        jump = astar_get(&astar_finder_shared_walkable(finder)->jumps[rule]);
    else if (algorithm == ASTAR_JPSW)
        jump = astar_get(&finder->on.nonuniform->jumps[rule]);
    return astar_jump_is_current(jump) ? jump : NULL;
}

AstarStatus astar_finder_advance_settling(AstarFinder *finder, int64_t *work)
{
    AstarAlgorithm algorithm = ASTAR_AUTO;
    AstarStatus status = prepare_finder(finder, &algorithm, work);
    AstarJumpBitmaps *jump = status == ASTAR_OK ? bitmaps_jumped_by(finder, algorithm) : NULL;
    return jump != NULL ? astar_walkable_advance_dead_ends(
                              finder->grid, astar_finder_shared_walkable(finder), jump, work)
                        : status;
}

AstarStatus astar_finder_settle(AstarFinder *finder, uint64_t expansions)
{
    int64_t work = astar_work_of(expansions);
    return astar_finder_advance_settling(finder, &work);
}

// ------------------------------------------------------------------------------------------------
// Start, continuation and result of a search.
// ------------------------------------------------------------------------------------------------

AstarStatus astar_search_begin(AstarSearch *search, int sx, int sy, int gx, int gy,
                               const AstarQueryOptions *query)
{
    if (!astar_inside(search->grid, sx, sy) || !astar_inside(search->grid, gx, gy))
        return search->status = ASTAR_BAD_CELL;
    AstarStatus status = astar_search_refusal(search, query);
    if (status != ASTAR_OK)
        return search->status = status;
    status = astar_search_precheck(search, sx, sy, gx, gy, query);
    return status == ASTAR_OK ? astar_search_start(search) : status;
}

AstarStatus astar_search_begin_connected(AstarSearch *search, int sx, int sy, int gx, int gy,
                                         const AstarQueryOptions *query, AstarAlgorithm algorithm)
{
    astar_search_note(search, sx, sy, gx, gy, query);
    search->stepped.phase = ASTAR_FIND_WAY;
    search->known.outcome.connected = true;
    search->status = ASTAR_RUNNING;
    AstarStatus status = astar_costs_begin(&search->costs, search->finder, &search->allocator);
    if (status != ASTAR_OK || algorithm == ASTAR_AUTO)
        return status == ASTAR_OK ? astar_search_start(search) : status;
    search->algorithm = algorithm;
    return start_chosen(search, ASTAR_OK);
}

// Reads back the route found, or continues to do so, within a budget of expansions.
static AstarStatus trace_found(AstarSearch *search, uint64_t *expansions)
{
    int64_t all = astar_step_work(search, *expansions), work = all;
    if (search->stepped.phase != ASTAR_TRACE)
        search->stepped.tracing = (AstarTracing){.is_begun = false};
    search->stepped.phase = ASTAR_TRACE;
    AstarStatus status = astar_search_trace_on(search, &work);
    search->stepped.tracing.is_whole = status == ASTAR_OK;
    astar_charge_step(search, expansions, all - work);
    return status;
}

AstarStatus astar_search_go_on(AstarSearch *search, uint64_t expansions, void *context)
{
    AstarStatus status = astar_search_get_ready(search, &expansions);
    if (status != ASTAR_OK)
        return status;
    search->costs.context = context;
    uint64_t before = search->expanded;
    bool is_straightened = search->stepped.phase == ASTAR_STRAIGHTEN;
    if (!is_straightened)
        status = astar_resume_trust(search, search->stepped.phase == ASTAR_TRACE
                                                ? ASTAR_OK
                                                : astar_search_run(search, expansions));
    if (search->expanded < before) // the search was restarted
        before = 0;
    uint64_t spent = search->expanded - before;
    expansions = expansions > spent ? expansions - spent : 0;
    if (status == ASTAR_OK && !is_straightened && search->stepped.preparing.in_steps)
        status = trace_found(search, &expansions);
    if (status == ASTAR_OK && search->lines.any_angle) {
        search->stepped.phase = ASTAR_STRAIGHTEN;
        status = astar_run_any_angle(search, expansions);
    }
    if (status != ASTAR_NO_MEMORY && status != ASTAR_BAD_COST)
        search->status = status;
    return status;
}

AstarStatus astar_search_reachable(AstarSearch *search, int sx, int sy, int gx, int gy,
                                   void *context, bool *exists)
{
    if (!astar_inside(search->grid, sx, sy) || !astar_inside(search->grid, gx, gy))
        return ASTAR_BAD_CELL;
    AstarReachKnown known;
    int64_t work = ASTAR_ALL_WORK;
    AstarStatus status = astar_suppose_reachable(search->finder, sx, sy, gx, gy, &known);
    *exists = known == ASTAR_REACH_YES;
    if (status != ASTAR_OK || known != ASTAR_REACH_UNKNOWN)
        return status;
    astar_search_note(search, sx, sy, gx, gy, NULL);
    status = astar_search_precheck_stored(search, &work);
    if (status == ASTAR_NO_MEMORY)
        return status;
    *exists = search->known.outcome.connected;
    if (!*exists || (search->known.outcome.certain && !astar_finder_has_callbacks(search->finder)))
        return ASTAR_OK;
    status = astar_search_start(search);
    if (status != ASTAR_RUNNING)
        return status;
    search->query.max_expansions = UINT64_MAX;
    search->limit = INFINITY;
    search->goal.tracks = search->lines.any_angle = false;
    status = astar_search_go_on(search, UINT64_MAX, context);
    *exists = status == ASTAR_OK;
    return status == ASTAR_UNREACHABLE || status == ASTAR_GOAL_BLOCKED ? ASTAR_OK : status;
}

AstarStatus astar_search_trace_path(AstarSearch *search, AstarPath *path)
{
    if (astar_finder_version(search->finder) != search->costs.version)
        return ASTAR_GRID_CHANGED; // the costs of the search are those of an older map
    return search->lines.any_angle ? astar_any_angle_path(search, path)
                                   : astar_search_trace(search, path);
}
