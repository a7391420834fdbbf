// start_query.c -- a question as it is asked: noted, refused, or answered by the ground and the
// connected components alone.

#include "search/start_query.h"

#include "map/links_and_walls.h"
#include "search/any_angle.h"
#include "search/bends.h"
#include "search/estimate.h"
#include "search/goal_set.h"
#include "search/links.h"

#include <assert.h>

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
    AstarRings *near = &search->known.lookout.near;
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
    bool is_known = astar_reachable_look(reach, goal->x, goal->y, goal->size, -1, near, work);
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
    AstarLookout *lookout = &search->known.lookout;
    AstarReachable reach;
    uint64_t version = astar_finder_version(search->finder);
    if (lookout->version != version)
        *lookout = (AstarLookout){version, {0}, {0, INFINITY}, {0, INFINITY}};
    AstarStatus status = astar_reachable_advance(search, search->start_x, search->start_y,
                                                 &lookout->beyond, &reach, work);
    if (status != ASTAR_OK)
        return status == ASTAR_RUNNING ? ASTAR_OK : status;
    if (!astar_reachable_look(&reach, goal->x, goal->y, goal->size, question->range,
                              &lookout->within, work))
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

AstarStatus astar_search_look_at_ground(const AstarSearch *search)
{
    const AstarFinder *finder = search->finder;
    const AstarQuestion *question = &search->question;
    if (!astar_can_stand(finder, search->start_x, search->start_y))
        return ASTAR_START_BLOCKED;
    bool needs_goal = question->range == 0 && !question->partial;
    return needs_goal && !astar_can_stand(finder, search->goal.x, search->goal.y)
               ? ASTAR_GOAL_BLOCKED
               : ASTAR_RUNNING;
}

AstarStatus astar_answer_unsearched(AstarSearch *search, AstarVerdict *verdict, AstarGoal *goal,
                                    int64_t *work)
{
    const AstarFinder *finder = search->finder;
    const AstarQuestion *question = &search->question;
    int range = question->range;
    *verdict = (AstarVerdict){.certain = true};
    *goal = astar_goal_at(search->grid, search->goal.x, search->goal.y, range,
                          finder->options.size);
    if (!astar_can_stand(finder, search->start_x, search->start_y))
        return ASTAR_START_BLOCKED;
    int x = search->start_x, y = search->start_y;
    astar_goal_come_near(goal, &x, &y, goal->x, goal->y);
    verdict->connected = astar_grid_steps(search->grid, x, y, goal->x, goal->y) <= range;
    if (verdict->connected)
        return ASTAR_RUNNING;
    bool goal_free = astar_bits_get(&finder->on.walkable->bits, goal->x, goal->y) &&
                     !astar_costs_suppose(&search->costs, goal->x, goal->y);
    if (!goal_free && range == 0 && !question->partial)
        return ASTAR_GOAL_BLOCKED;
    return answer_by_components(search, verdict, goal, work);
}

// Forgets how far the question before had come.
static void reset_search(AstarSearch *search)
{
    search->known.verdict = (AstarVerdict){.certain = true};
    search->own.linked = false;
    search->lines.any_angle = search->finder->options.any_angle;
    search->own.bends = astar_counts_bends(search->finder, &search->question);
    astar_any_angle_reset(search);
    search->algorithm = ASTAR_AUTO;
    search->own.active.count = 0;
    search->slices.preparing = (AstarPreparing){.in_steps = false};
    astar_links_forget(search);
    search->known.lookout.version = UINT64_MAX;
    search->slices.sound_below = INFINITY;
    search->expanded = 0;
    search->failure = ASTAR_UNREACHABLE;
    search->own.cut.are_noted = false;
    search->found = ASTAR_NO_CELL;
    search->slices.tracing = (AstarTracing){.is_begun = false};
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
    search->goal = astar_goal_at(grid, gx, gy, search->question.range,
                                 search->finder->options.size);
    search->limit = search->question.max_cost * ASTAR_LENIENCE;
    reset_search(search);
}

AstarStatus astar_search_start(AstarSearch *search, int sx, int sy, int gx, int gy,
                               const AstarQuestion *question)
{
    int64_t work = ASTAR_ALL_WORK;
    astar_search_note(search, sx, sy, gx, gy, question);
    return astar_search_start_noted(search, &work);
}

AstarStatus astar_search_start_noted(AstarSearch *search, int64_t *work)
{
    search->slices.phase = ASTAR_FIND_WAY;
    search->status = astar_stand(search, search->start_x, search->start_y, search->own.bends);
    if (search->status == ASTAR_OK)
        search->status = astar_answer_unsearched(search, &search->known.verdict, &search->goal,
                                                 work);
    if (search->known.verdict.connected && search->finder->options.cost != NULL &&
        search->goal.kind == ASTAR_GOAL_CELL && search->goal.cell != search->start)
        search->slices.phase = ASTAR_ASK_GOAL;
    return search->status;
}

AstarStatus astar_search_refusal(const AstarSearch *search, const AstarQuestion *question)
{
    const AstarFinder *finder = search->finder;
    const AstarRefusal *refusal = astar_finder_refusal(
        finder, question != NULL ? question : &finder->question);
    return refusal != NULL ? refusal->status : ASTAR_OK;
}
