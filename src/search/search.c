// search.c -- a search asked, stepped and read; workspace.c takes it out and puts it to rest.

#include "search/search.h"

#include "base/mapped_blocks.h"
#include "map/links_and_walls.h"
#include "rules/heuristic.h"
#include "search/active_landmarks.h"
#include "search/baked_route.h"
#include "search/bends.h"
#include "search/clearance.h"
#include "search/distance_transform.h"
#include "search/jps.h"
#include "search/jpsw.h"
#include "search/lazy_theta.h"
#include "search/links.h"
#include "search/plain_view.h"
#include "search/reachable.h"
#include "search/resume.h"

#include <assert.h>

// In the order of AstarStatus.
static const char *const status_texts[] = {
    "found",
    "running",
    "start blocked",
    "goal blocked",
    "unreachable",
    "max_cost",
    "max_expansions",
    "grid changed",
    "cost out of range",
    "option out of range",
    "not enough memory",
    "algorithm cannot honour links and walls",
    "algorithm cannot honour ground of several costs",
    "cell outside the grid",
    "not a saved grid, or a damaged one",
    "more cells than max_cells",
    "occupied",
    "not loaded",
    "every copy is being read",
    "name taken",
    "built without threads",
    "no more threads can be started",
    "cancelled",
    "unsolvable",
    "bytes",
};
static_assert(sizeof status_texts / sizeof *status_texts == ASTAR_STATUS_COUNT,
              "a text for each of AstarStatus");

const char *astar_status_text(AstarStatus status)
{
    return status < ASTAR_STATUS_COUNT ? status_texts[status] : "unknown status";
}

// ---- the question ----

bool astar_only_trying_tells(const AstarSearch *search)
{
    const AstarQuestion *question = &search->question;
    return astar_finder_has_callbacks(search->finder) || isfinite(question->max_cost) ||
           question->max_expansions != UINT64_MAX;
}

// What to look for where there is no way to the goal: as near to it as the unit can come.
// False where the work is used up before that is known.
static bool settle_for_nearest(AstarSearch *search, AstarReachable *reach, bool certain,
                               AstarGoal *goal, int64_t *work)
{
    const AstarFinder *finder = search->finder;
    AstarRings *near = &search->lookout.near;
    goal->tracks = !certain;
    if (!certain)
        return true;
    double here = astar_estimate_between(finder->grid->shape, &finder->distance, search->start_x,
                                         search->start_y, goal->x, goal->y);
    goal->kind = ASTAR_GOAL_NEAR;
    goal->range = 0;
    if (near->radius == 0)
        near->nearest = here;
    bool is_known = astar_reachable_look(reach, goal->x, goal->y, -1, near, work);
    goal->near = near->nearest;
    goal->near_cost = goal->near * finder->min_cost * (1 + 1e-6);
    return is_known;
}

// Answers by the components; ASTAR_RUNNING if it cannot, and what to look for; ASTAR_OK where the
// work is used up before.
static AstarStatus answer_by_components(AstarSearch *search, AstarVerdict *verdict, AstarGoal *goal,
                                        int64_t *work)
{
    const AstarQuestion *question = &search->question;
    AstarLookout *lookout = &search->lookout;
    AstarReachable reach;
    uint64_t version = astar_finder_version(search->finder);
    if (lookout->version != version)
        *lookout = (AstarLookout){version, {0}, {0, INFINITY}, {0, INFINITY}};
    AstarStatus status = astar_reachable_advance(search, search->start_x, search->start_y,
                                                 &lookout->beyond, &reach, work);
    if (status != ASTAR_OK)
        return status == ASTAR_RUNNING ? ASTAR_OK : status;
    if (!astar_reachable_look(&reach, goal->x, goal->y, question->range, &lookout->within, work))
        return ASTAR_OK;
    verdict->connected = isfinite(lookout->within.nearest);
    verdict->certain = reach.certain;
    if (!verdict->connected && !question->partial)
        return ASTAR_UNREACHABLE;
    bool certain = reach.certain && search->finder->options.estimate == NULL &&
                   !astar_only_trying_tells(search);
    if (verdict->connected)
        goal->tracks = question->partial && !certain;
    else if (!settle_for_nearest(search, &reach, certain, goal, work))
        return ASTAR_OK;
    return ASTAR_RUNNING;
}

// The same, and first by the terrain.
static AstarStatus answer_without_search(AstarSearch *search, AstarVerdict *verdict,
                                         AstarGoal *goal, int64_t *work)
{
    const AstarFinder *finder = search->finder;
    const AstarQuestion *question = &search->question;
    int range = question->range;
    *verdict = (AstarVerdict){.certain = true};
    *goal = astar_goal_at(search->grid, search->goal.x, search->goal.y, range);
    if (!astar_can_stand(finder, search->start_x, search->start_y))
        return ASTAR_START_BLOCKED;
    verdict->connected = astar_cells_apart(search->grid->shape, search->start_x, search->start_y,
                                           goal->x, goal->y) <= range;
    if (verdict->connected)
        return ASTAR_RUNNING;
    bool goal_free = astar_bits_get(&finder->walkable->bits, goal->x, goal->y);
    if (!goal_free && range == 0 && !question->partial)
        return ASTAR_GOAL_BLOCKED;
    return answer_by_components(search, verdict, goal, work);
}

// A field that changes everywhere tells at a glance that too many cells are irregular.
AstarAlgorithm astar_auto_algorithm(AstarFinder *finder, AstarNeeds needs)
{
    if (astar_honours(ASTAR_JPS, needs))
        return ASTAR_JPS;
    bool jumps = astar_honours(ASTAR_JPSW, needs) && !astar_finder_avoids_rough_field(finder);
    return jumps ? ASTAR_JPSW : ASTAR_ASTAR;
}

AstarAlgorithm astar_search_algorithm_for(const AstarSearch *search, const AstarGoal *goal)
{
    AstarAlgorithm asked = search->finder->options.algorithm;
    if (search->takes_edits)
        return asked == ASTAR_DIJKSTRA ? asked : ASTAR_ASTAR;
    if (astar_goal_is_of_many(goal))
        return search->goals.estimated_count > 0 ? ASTAR_ASTAR : ASTAR_DIJKSTRA;
    if (asked == ASTAR_ASTAR || asked == ASTAR_DIJKSTRA)
        return asked;
    bool is_nearest = goal->tracks || goal->kind == ASTAR_GOAL_NEAR;
    AstarNeeds needs = astar_finder_needs(search->finder) |
                       astar_needs_of_question(&search->question) |
                       astar_need_if(is_nearest, ASTAR_NEED_NEAREST);
    if (asked != ASTAR_AUTO)
        return astar_honours(asked, needs) ? asked : ASTAR_ASTAR;
    return astar_auto_algorithm(search->finder, needs);
}

// Jumping is worth it where not too many cells are irregular.
static AstarStatus choose_for_jpsw(const AstarSearch *search, const AstarGoal *goal,
                                   AstarAlgorithm *algorithm)
{
    AstarFinder *finder = search->finder;
    AstarJumpBitmaps *jump;
    AstarPlainView view;
    int64_t work = ASTAR_ALL_WORK;
    AstarStatus status = astar_finder_need_irregular(finder, &work);
    if (status != ASTAR_OK || finder->options.algorithm == ASTAR_JPSW)
        return status;
    *algorithm = ASTAR_ASTAR;
    if (!astar_jpsw_may_pay(finder))
        return ASTAR_OK;
    status = astar_irregular_jump(search->grid, finder->irregular, finder->options.diagonals,
                                  &jump);
    if (status != ASTAR_OK)
        return status;
    if (astar_plain_view(finder, search->start_x, search->start_y, goal->x, goal->y, &view) ||
        astar_jpsw_pays(search))
        *algorithm = ASTAR_JPSW;
    return ASTAR_OK;
}

// What is to answer a question.
static AstarStatus choose_algorithm(const AstarSearch *search, const AstarGoal *goal,
                                    AstarAlgorithm *algorithm)
{
    *algorithm = astar_search_algorithm_for(search, goal);
    return *algorithm == ASTAR_JPSW ? choose_for_jpsw(search, goal, algorithm) : ASTAR_OK;
}

AstarStatus astar_search_plant(AstarSearch *search)
{
    const AstarAllocator *allocator = &search->allocator;
    AstarFront *front = &search->front;
    int x = search->start_x, y = search->start_y;
    if (!astar_pages_begin(&front->nodes, allocator, search->grid->width, search->grid->height) ||
        !astar_slotted_reserve(&front->open, allocator, 1))
        return ASTAR_NO_MEMORY;
    AstarPage *page = astar_page_for(&front->nodes, allocator, x, y);
    if (page == NULL)
        return ASTAR_NO_MEMORY;
    page->states[astar_page_place(x, y)] = ASTAR_FROM_NOWHERE + 1;
    page->values[astar_page_place(x, y)] = 0;
    front->current = ASTAR_NO_CELL;
    astar_slotted_clear(&front->open, search->finder->min_cost / ASTAR_SLOTS_A_STEP);
    astar_slotted_push(&front->open, 0, astar_open(0, 0, search->start));
    return ASTAR_OK;
}

static AstarStatus plant_roots(AstarSearch *search)
{
    if (search->bends)
        return astar_bends_begin(search);
    if (astar_is_baked(search->algorithm))
        return ASTAR_OK;
    astar_active_landmarks_choose(search);
    if (search->algorithm == ASTAR_JPS)
        return astar_jps_begin(search);
    if (search->algorithm == ASTAR_JPSW)
        return astar_jpsw_begin(search);
    return astar_best_first_begin(search);
}

// Forgets how far the question before had come.
static void reset_search(AstarSearch *search)
{
    search->verdict = (AstarVerdict){.certain = true};
    search->linked = false;
    search->any_angle = search->finder->options.any_angle;
    search->bends = astar_counts_bends(search->finder, &search->question);
    search->takes_edits = search->walks_again = false;
    search->cuts.count = 0;
    search->cuts.total = 0;
    astar_lazy_theta_reset(search);
    search->algorithm = ASTAR_AUTO;
    search->active.count = 0;
    search->preparing = (AstarPreparing){.in_steps = false};
    astar_links_forget(search);
    search->lookout.version = UINT64_MAX;
    search->sound_below = INFINITY;
    search->expanded = 0;
    search->failure = ASTAR_UNREACHABLE;
    search->found = ASTAR_NO_CELL;
    search->tracing = (AstarTracing){.is_begun = false};
}

void astar_search_note(AstarSearch *search, int sx, int sy, int gx, int gy,
                       const AstarQuestion *question)
{
    const AstarGrid *grid = search->grid;
    assert(astar_inside(grid, sx, sy) && astar_inside(grid, gx, gy));
    search->question = question != NULL ? *question : search->finder->question;
    search->start_x = sx;
    search->start_y = sy;
    search->start = astar_cell(grid, sx, sy);
    search->goal = astar_goal_at(grid, gx, gy, search->question.range);
    search->limit = search->question.max_cost * ASTAR_LENIENCE;
    reset_search(search);
}

AstarStatus astar_search_pose(AstarSearch *search, int sx, int sy, int gx, int gy,
                              const AstarQuestion *question)
{
    int64_t work = ASTAR_ALL_WORK;
    astar_search_note(search, sx, sy, gx, gy, question);
    return astar_search_pose_noted(search, &work);
}

AstarStatus astar_search_pose_noted(AstarSearch *search, int64_t *work)
{
    search->phase = ASTAR_FIND_WAY;
    search->status = astar_stand(search, search->start_x, search->start_y, search->bends);
    if (search->status == ASTAR_OK)
        search->status = answer_without_search(search, &search->verdict, &search->goal, work);
    if (search->verdict.connected && search->finder->options.cost != NULL &&
        search->goal.kind == ASTAR_GOAL_CELL && search->goal.cell != search->start)
        search->phase = ASTAR_ASK_GOAL;
    return search->status;
}

AstarStatus astar_search_advance_links(AstarSearch *search, int64_t *work)
{
    AstarAlgorithm algorithm;
    AstarStatus status = choose_algorithm(search, &search->goal, &algorithm);
    if (status != ASTAR_OK)
        return status;
    AstarHeuristic walk = algorithm == ASTAR_JPSW && !search->bends ? astar_jpsw_walk(search)
                                                                    : search->finder->heuristic;
    return astar_links_advance(search, false, walk, work);
}

AstarStatus astar_search_prepare(AstarSearch *search)
{
    AstarStatus status = choose_algorithm(search, &search->goal, &search->algorithm);
    if (status == ASTAR_OK && astar_grid_has_links(search->grid)) {
        int64_t work = ASTAR_ALL_WORK;
        status = astar_search_advance_links(search, &work);
        search->linked = status == ASTAR_OK;
    }
    if (ASTAR_HAS_BAKING && status == ASTAR_OK && search->algorithm == ASTAR_JPS)
        status = astar_baked_route_find(search);
    if (status == ASTAR_OK)
        status = plant_roots(search);
    astar_resume_look(search);
    if (status != ASTAR_OK)
        search->status = status;
    return search->status;
}

AstarStatus astar_search_pose_again(AstarSearch *search, int64_t *work)
{
    AstarVerdict verdict;
    AstarGoal goal;
    AstarAlgorithm algorithm;
    if (astar_goal_is_of_many(&search->goal)) // they were looked at before, see nearest.c
        return ASTAR_OK;
    AstarStatus status = answer_without_search(search, &verdict, &goal, work);
    if (status == ASTAR_OK)
        return ASTAR_RUNNING;
    AstarStatus chosen = choose_algorithm(search, &goal, &algorithm);
    if (status == ASTAR_NO_MEMORY || chosen != ASTAR_OK)
        return ASTAR_NO_MEMORY;
    AstarAlgorithm searching = astar_is_baked(search->algorithm) ? ASTAR_JPS : search->algorithm;
    bool same = status == ASTAR_RUNNING && verdict.connected == search->verdict.connected &&
                verdict.certain == search->verdict.certain && algorithm == searching &&
                astar_goal_is_same(&goal, &search->goal) &&
                (algorithm != ASTAR_JPSW || astar_jpsw_is_same(search));
    return same ? ASTAR_OK : ASTAR_GRID_CHANGED;
}

AstarStatus astar_search_refusal(const AstarSearch *search, const AstarQuestion *question)
{
    const AstarFinder *finder = search->finder;
    const AstarRefusal *refusal = astar_finder_refusal(
        finder, question != NULL ? question : &finder->question);
    return refusal != NULL ? refusal->status : ASTAR_OK;
}

AstarStatus astar_search_begin(AstarSearch *search, int sx, int sy, int gx, int gy,
                               const AstarQuestion *question)
{
    if (!astar_inside(search->grid, sx, sy) || !astar_inside(search->grid, gx, gy))
        return search->status = ASTAR_BAD_CELL;
    AstarStatus status = astar_search_refusal(search, question);
    if (status != ASTAR_OK)
        return search->status = status;
    status = astar_search_pose(search, sx, sy, gx, gy, question);
    return status == ASTAR_RUNNING ? astar_search_prepare(search) : status;
}

AstarStatus astar_search_begin_connected(AstarSearch *search, int sx, int sy, int gx, int gy,
                                         const AstarQuestion *question)
{
    astar_search_note(search, sx, sy, gx, gy, question);
    search->phase = ASTAR_FIND_WAY;
    search->verdict.connected = true;
    search->status = ASTAR_RUNNING;
    AstarStatus status = astar_costs_begin(&search->costs, search->finder, &search->allocator);
    return status == ASTAR_OK ? astar_search_prepare(search) : status;
}

// The cost callback may refuse the goal itself.
static AstarStatus ask_about_goal(AstarSearch *search)
{
    double cost;
    AstarStatus status = astar_costs_cell(&search->costs, search->goal.x, search->goal.y, &cost);
    if (status != ASTAR_OK)
        return status;
    search->phase = ASTAR_FIND_WAY;
    if (isinf(cost) && !search->question.partial)
        return ASTAR_GOAL_BLOCKED;
    return ASTAR_RUNNING;
}

static AstarStatus run_algorithm(AstarSearch *search, uint64_t expansions)
{
    if (search->phase == ASTAR_ASK_GOAL) {
        AstarStatus status = ask_about_goal(search);
        if (status != ASTAR_RUNNING)
            return status;
    }
    if (search->bends)
        return astar_run_bends(search, expansions);
    if (astar_is_baked(search->algorithm))
        return ASTAR_OK;
    if (astar_active_landmarks_are_old(search)) { // other estimates than it began by
        AstarStatus status = plant_roots(search);
        if (status != ASTAR_OK)
            return status;
        search->expanded = 0;
    }
    if (search->algorithm == ASTAR_JPS || search->algorithm == ASTAR_JPSW) {
        AstarStatus status = search->algorithm == ASTAR_JPS ? astar_run_jps(search, expansions)
                                                            : astar_run_jpsw(search, expansions);
        if (status != ASTAR_BAD_COST || isfinite(search->sound_below))
            return status;
        // Beyond the whole numbers, or with a wall among blocks of its own: begun again with A*,
        // whose costs are real ones, and whose steps go everywhere.
        status = astar_best_first_begin(search);
        if (status != ASTAR_OK)
            return status;
        search->algorithm = ASTAR_ASTAR;
        search->expanded = 0;
    }
    return astar_run_best_first(search, expansions);
}

// Reads the way back that was found just now, or goes on with that.
static AstarStatus trace_found(AstarSearch *search, uint64_t *expansions)
{
    int64_t all = astar_step_work(search, *expansions), work = all;
    if (search->phase != ASTAR_TRACE)
        search->tracing = (AstarTracing){.is_begun = false};
    search->phase = ASTAR_TRACE;
    AstarStatus status = astar_search_trace_on(search, &work);
    search->tracing.is_whole = status == ASTAR_OK;
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
    bool is_straightened = search->phase == ASTAR_STRAIGHTEN;
    if (!is_straightened)
        status = astar_resume_trust(
            search, search->phase == ASTAR_TRACE ? ASTAR_OK : run_algorithm(search, expansions));
    if (search->expanded < before) // begun again
        before = 0;
    uint64_t spent = search->expanded - before;
    expansions = expansions > spent ? expansions - spent : 0;
    if (status == ASTAR_OK && !is_straightened && search->preparing.in_steps &&
        !search->takes_edits)
        status = trace_found(search, &expansions);
    if (status == ASTAR_OK && search->any_angle) {
        search->phase = ASTAR_STRAIGHTEN;
        status = astar_run_lazy_theta(search, expansions);
        if (status == ASTAR_OK && search->walks_again)
            status = astar_lazy_theta_walk_again(search);
    }
    if (status != ASTAR_NO_MEMORY && status != ASTAR_BAD_COST)
        search->status = status;
    return status;
}

AstarStatus astar_search_step(AstarSearch *search, uint64_t expansions, void *context)
{
    if (search->status != ASTAR_RUNNING)
        return search->status;
    astar_blocks_give_back();
    if (search->errand == NULL)
        return astar_search_go_on(search, expansions, context);
    AstarStatus status = search->errand->step(search, expansions, context);
    bool goes_on = status == ASTAR_NO_MEMORY || status == ASTAR_BAD_COST;
    search->status = goes_on ? ASTAR_RUNNING : status;
    return status;
}

AstarStatus astar_search_reachable(AstarSearch *search, int sx, int sy, int gx, int gy,
                                   void *context, bool *exists)
{
    if (!astar_inside(search->grid, sx, sy) || !astar_inside(search->grid, gx, gy))
        return ASTAR_BAD_CELL;
    AstarStatus status = astar_search_pose(search, sx, sy, gx, gy, NULL);
    if (status == ASTAR_NO_MEMORY)
        return status;
    *exists = search->verdict.connected;
    if (!*exists || (search->verdict.certain && !astar_finder_has_callbacks(search->finder)))
        return ASTAR_OK;
    status = astar_search_prepare(search);
    if (status != ASTAR_RUNNING)
        return status;
    search->question.max_expansions = UINT64_MAX;
    search->limit = INFINITY;
    search->goal.tracks = search->any_angle = false;
    status = astar_search_step(search, UINT64_MAX, context);
    *exists = status == ASTAR_OK;
    return status == ASTAR_UNREACHABLE || status == ASTAR_GOAL_BLOCKED ? ASTAR_OK : status;
}

// ---- the answer ----

AstarStatus astar_search_way(AstarSearch *search, AstarPath *path)
{
    if (astar_finder_version(search->finder) != search->costs.version)
        return ASTAR_GRID_CHANGED; // its costs are no longer known
    return search->any_angle ? astar_lazy_theta_path(search, path)
                             : astar_search_trace(search, path);
}

AstarStatus astar_search_path(AstarSearch *search, AstarPath *path)
{
    const AstarErrand *errand = search->errand;
    assert(search->status == ASTAR_OK);
    return errand != NULL && errand->path != NULL ? errand->path(search, path)
                                                  : astar_search_way(search, path);
}
