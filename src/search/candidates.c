// candidates.c -- of many goals those that may be reached, told apart by the connected components.
//
// What is asked of each goal in turn goes by the cells around it, until that has come to more work
// than measuring the whole map (distance_transform.c).

#include "rules/heuristic.h"
#include "search/goal_set.h"

enum { WORK_OF_A_GOAL = 8 };

// Measures how near every cell lies to one that can be reached, or to what the unit covers there,
// where that counts; ASTAR_RUNNING where the work is used up before.
static AstarStatus measure_reach(AstarCandidates *candidates, AstarSearch *search,
                                 const AstarHeuristic *distance, int64_t *work)
{
    const AstarGrid *grid = search->grid;
    AstarNearMeasuring *measuring = &candidates->measuring;
    AstarStatus status = astar_goal_set_need_nears(search);
    if (status != ASTAR_OK)
        return status;
    while (measuring->cleared < grid->height) {
        if (*work <= 0)
            return ASTAR_RUNNING;
        int y = measuring->cleared;
        astar_near_clear_row(search->many.nears, grid, measuring, work);
        for (int x = 0; x < grid->width; x++)
            if (astar_reachable_has(&candidates->reach, x, y))
                astar_near_put(search->many.nears, astar_cell(grid, x, y));
    }
    candidates->is_measured = astar_near_widen(search->many.nears, grid, search->goal.size, true,
                                               measuring, work) &&
                              astar_near_measure(search->many.nears, grid, distance, measuring,
                                                 work);
    return candidates->is_measured ? ASTAR_OK : ASTAR_RUNNING;
}

// The same once all that was seen around goals has come to more work.
static AstarStatus measure_reach_if_due(AstarCandidates *candidates, AstarSearch *search,
                                        const AstarHeuristic *distance, int64_t *work)
{
    if (candidates->is_measured || candidates->reach.visited <= search->grid->cells)
        return ASTAR_OK;
    return measure_reach(candidates, search, distance, work);
}

// ---- which goals can be reached ----

// Whether a goal can be reached by the data; false, and nothing told, where the work is used up
// before.
static bool can_be_reached(AstarCandidates *candidates, const AstarSearch *search,
                           const AstarCell *goal, bool *reachable, int64_t *work)
{
    int range = search->question.range;
    AstarRings *rings = &candidates->rings;
    *reachable = astar_unit_apart(search->grid->shape, search->start_x, search->start_y,
                                  search->goal.size, goal->x, goal->y) <= range;
    if (*reachable)
        return true;
    if (candidates->is_measured) {
        *reachable = search->many.nears[astar_cell(search->grid, goal->x, goal->y)].distance <=
                     range;
        return true;
    }
    if (rings->radius == 0)
        rings->nearest = INFINITY;
    if (!astar_reachable_look(&candidates->reach, goal->x, goal->y, search->goal.size, range, rings,
                              work))
        return false;
    *reachable = isfinite(rings->nearest);
    return true;
}

// Notes the goal looked at, and goes on to the next.
static void note_goal(AstarCandidates *candidates, const AstarSearch *search, bool reachable)
{
    const AstarCell *goal = &candidates->goals->cells[candidates->at];
    if (!reachable)
        candidates->any_free |= search->question.range > 0 ||
                                (astar_bits_get(&search->finder->on.walkable->bits, goal->x,
                                                goal->y) &&
                                 !astar_costs_suppose(&search->costs, goal->x, goal->y));
    else
        candidates->only = candidates->at;
    if (reachable && candidates->reachable++ < ASTAR_MANY_GOALS)
        candidates->first[candidates->reachable - 1] = *goal;
    candidates->at++;
    candidates->rings = (AstarRings){0};
}

static AstarStatus begin_sorting(AstarCandidates *candidates, AstarSearch *search, int64_t *work)
{
    AstarStatus status = astar_reachable_advance(search, search->start_x, search->start_y,
                                                 &candidates->beyond, &candidates->reach, work);
    if (status != ASTAR_OK)
        return status;
    search->known.verdict.certain = candidates->reach.certain;
    candidates->any_free = candidates->goals->count == 0;
    candidates->is_begun = true;
    return ASTAR_OK;
}

AstarStatus astar_candidates_sort(AstarCandidates *candidates, AstarSearch *search, int64_t *work)
{
    const AstarHeuristic cells = {1, 0, false};
    AstarStatus status = candidates->is_begun ? ASTAR_OK : begin_sorting(candidates, search, work);
    while (status == ASTAR_OK && candidates->at < candidates->goals->count) {
        const AstarCell *goal = &candidates->goals->cells[candidates->at];
        bool reachable;
        status = measure_reach_if_due(candidates, search, &cells, work);
        if (status != ASTAR_OK)
            break;
        if (*work <= 0 || !can_be_reached(candidates, search, goal, &reachable, work))
            return ASTAR_RUNNING;
        note_goal(candidates, search, reachable);
        *work -= WORK_OF_A_GOAL;
    }
    return status;
}

// ---- how near the others can be come to ----

// The same of one goal more; false where the work is used up before.
static bool look_near(AstarCandidates *candidates, const AstarSearch *search, int64_t *work)
{
    const AstarCell *goal = &candidates->goals->cells[candidates->at];
    const AstarGrid *grid = search->grid;
    AstarRings *rings = &candidates->rings;
    int x = search->start_x, y = search->start_y;
    astar_goal_come_near(&search->goal, &x, &y, goal->x, goal->y);
    double here = astar_estimate_between(grid->shape, &search->finder->costs.distance, x, y,
                                         goal->x, goal->y);
    if (rings->radius == 0)
        rings->nearest = fmin(candidates->nearest, here);
    if (candidates->is_measured)
        rings->nearest = fmin(rings->nearest,
                              search->many.nears[astar_cell(grid, goal->x, goal->y)].distance);
    else if (!astar_reachable_look(&candidates->reach, goal->x, goal->y, search->goal.size, -1,
                                   rings, work))
        return false;
    candidates->nearest = rings->nearest;
    candidates->at++;
    *rings = (AstarRings){0};
    return true;
}

void astar_candidates_begin_measuring(AstarCandidates *candidates)
{
    candidates->nearest = INFINITY;
    candidates->reach.visited = 0;
    candidates->is_measured = false;
    candidates->measuring = (AstarNearMeasuring){0};
    candidates->at = 0;
}

AstarStatus astar_candidates_measure(AstarCandidates *candidates, AstarSearch *search,
                                     int64_t *work)
{
    while (candidates->at < candidates->goals->count) {
        AstarStatus status = measure_reach_if_due(candidates, search,
                                                  &search->finder->costs.distance, work);
        if (status != ASTAR_OK)
            return status;
        if (*work <= 0 || !look_near(candidates, search, work))
            return ASTAR_RUNNING;
        *work -= WORK_OF_A_GOAL;
    }
    return ASTAR_OK;
}
