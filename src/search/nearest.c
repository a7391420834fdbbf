// nearest.c -- the goal that is cheapest to reach, of many, in one search.
//
// The goals that no way leads to are told apart by the connected components and left out. One that
// remains is an ordinary question; more are looked for at once, see goal_set.h. What is asked of
// each goal in turn goes by the cells around it, until that has come to more work than measuring
// the whole map (distance_transform.h).

#include "map/links_and_walls.h"
#include "path/path.h"
#include "rules/heuristic.h"
#include "search/goal_set.h"
#include "search/reachable.h"

// The goals that a question is about, as far as the components tell them apart.
typedef struct Candidates {
    AstarSearch *search;
    const AstarGoals *goals;
    AstarReachable reach;
    size_t reachable; // goals that may be reached
    size_t only;      // the last of them
    bool any_free;    // of the others, some are not blocked
} Candidates;

// Which goal is the first in a cell.
static size_t index_of_goal(const Candidates *candidates, uint32_t cell)
{
    size_t i = 0;
    const AstarCell *goals = candidates->goals->cells;
    while (astar_cell(candidates->search->grid, goals[i].x, goals[i].y) != cell)
        i++;
    return i;
}

// ---- which goals can be reached ----

// Measures how near every cell lies to one that can be reached.
static AstarStatus measure_reach(Candidates *candidates, const AstarHeuristic *distance)
{
    AstarSearch *search = candidates->search;
    const AstarGrid *grid = search->grid;
    AstarStatus status = astar_goal_set_need_nears(search);
    if (status != ASTAR_OK)
        return status;
    for (int y = 0; y < grid->height; y++)
        for (int x = 0; x < grid->width; x++)
            if (astar_reachable_has(&candidates->reach, x, y))
                astar_near_put(search->nears, astar_cell(grid, x, y));
    astar_near_measure(search->nears, grid, distance);
    return ASTAR_OK;
}

static bool is_at(const AstarSearch *search, const AstarCell *goal)
{
    return astar_cells_apart(search->grid->shape, search->start_x, search->start_y, goal->x,
                             goal->y) <= search->question.range;
}

// Whether a goal can be reached by the data. 'is_measured': search->nears tells.
static bool can_reach(Candidates *candidates, const AstarCell *goal, bool is_measured)
{
    AstarSearch *search = candidates->search;
    int range = search->question.range;
    if (is_at(search, goal))
        return true;
    return is_measured ? search->nears[astar_cell(search->grid, goal->x, goal->y)].distance <= range
                       : astar_reachable_has_within(&candidates->reach, goal->x, goal->y, range);
}

// Notes a goal, which can be reached or not.
static void note_goal(Candidates *candidates, size_t number, bool reachable)
{
    AstarSearch *search = candidates->search;
    const AstarCell *goal = &candidates->goals->cells[number];
    if (!reachable) {
        candidates->any_free |= search->question.range > 0 ||
                                astar_bits_get(&search->finder->walkable->bits, goal->x, goal->y);
        return;
    }
    candidates->only = number;
    if (candidates->reachable++ < ASTAR_MANY_GOALS)
        search->goals.estimated[candidates->reachable - 1] = *goal;
}

// Sorts out the goals: what it would end with if none is reached, ASTAR_RUNNING if one may be.
static AstarStatus sort_out(Candidates *candidates)
{
    AstarSearch *search = candidates->search;
    AstarReachable *reach = &candidates->reach;
    const AstarHeuristic cells = {1, 0, false};
    bool is_measured = false;
    AstarStatus status = astar_reachable_from(search, search->start_x, search->start_y, reach);
    search->verdict.certain = reach->certain;
    candidates->any_free = candidates->goals->count == 0;
    for (size_t i = 0; status == ASTAR_OK && i < candidates->goals->count; i++) {
        note_goal(candidates, i, can_reach(candidates, &candidates->goals->cells[i], is_measured));
        if (!is_measured && reach->visited > search->grid->cells) {
            status = measure_reach(candidates, &cells);
            is_measured = true;
        }
    }
    if (status != ASTAR_OK)
        return status;
    if (candidates->reachable > 0)
        return ASTAR_RUNNING;
    return candidates->any_free ? ASTAR_UNREACHABLE : ASTAR_GOAL_BLOCKED;
}

// How near the reachable cell nearest to any goal lies to it.
static AstarStatus measure_nearest(Candidates *candidates, double *nearest)
{
    AstarSearch *search = candidates->search;
    bool is_measured = false;
    candidates->reach.visited = 0;
    *nearest = INFINITY;
    for (size_t i = 0; i < candidates->goals->count; i++) {
        const AstarCell *goal = &candidates->goals->cells[i];
        uint32_t cell = astar_cell(search->grid, goal->x, goal->y);
        double here = astar_estimate_between(search->grid->shape, &search->finder->distance,
                                             search->start_x, search->start_y, goal->x, goal->y);
        *nearest = fmin(*nearest, here);
        if (!is_measured && candidates->reach.visited > search->grid->cells) {
            AstarStatus status = measure_reach(candidates, &search->finder->distance);
            if (status != ASTAR_OK)
                return status;
            is_measured = true;
        }
        *nearest = is_measured
                       ? fmin(*nearest, search->nears[cell].distance)
                       : astar_reachable_nearest(&candidates->reach, goal->x, goal->y, *nearest);
    }
    return ASTAR_OK;
}

// ---- the question ----

// Whether one goal is left to be looked for as by any question. A heuristic of the host's is not
// asked here, and would be there.
static bool is_ordinary(const Candidates *candidates)
{
    const AstarSearch *search = candidates->search;
    return candidates->reachable == 1 && !search->goal.tracks &&
           search->finder->options.estimate == NULL;
}

static AstarStatus find_only(Candidates *candidates, void *context)
{
    AstarSearch *search = candidates->search;
    const AstarCell *goal = &candidates->goals->cells[candidates->only];
    search->goals.met = astar_cell(search->grid, goal->x, goal->y);
    AstarStatus status = astar_search_begin(search, search->start_x, search->start_y, goal->x,
                                            goal->y, &search->question);
    if (status == ASTAR_RUNNING)
        status = astar_search_step(search, UINT64_MAX, context);
    return status;
}

// Sorts out the goals and makes ready for those that are left.
static AstarStatus prepare_candidates(Candidates *candidates)
{
    AstarSearch *search = candidates->search;
    AstarGoal *goal = &search->goal;
    bool partial = search->question.partial && candidates->goals->count > 0;
    AstarStatus status = sort_out(candidates);
    if (status != ASTAR_RUNNING && (status == ASTAR_NO_MEMORY || !partial))
        return status;
    goal->tracks = partial && (!search->verdict.certain || astar_only_trying_tells(search));
    if (is_ordinary(candidates))
        return ASTAR_RUNNING;
    goal->kind = ASTAR_GOAL_SET;
    status = astar_goal_set_mark(search);
    if (status == ASTAR_OK && candidates->reachable == 0 && !goal->tracks) {
        goal->kind = ASTAR_GOAL_SET_NEAR;
        status = measure_nearest(candidates, &goal->near);
    }
    bool is_guided = candidates->reachable < ASTAR_MANY_GOALS &&
                     search->finder->options.algorithm != ASTAR_DIJKSTRA &&
                     astar_finder_allows(search->finder, ASTAR_MANY_ESTIMATES);
    search->goals.estimated_count = is_guided ? candidates->reachable : 0;
    return status == ASTAR_OK ? ASTAR_RUNNING : status;
}

static AstarStatus search_for_any(AstarSearch *search, void *context)
{
    AstarStatus status = astar_search_prepare(search);
    return status == ASTAR_RUNNING ? astar_search_step(search, UINT64_MAX, context) : status;
}

// Tells goals that a callback blocks, all of them, from goals that no way was found to.
static AstarStatus explain(Candidates *candidates, AstarStatus why)
{
    AstarSearch *search = candidates->search;
    bool has_failed = why == ASTAR_GOAL_BLOCKED || why == ASTAR_UNREACHABLE ||
                      why == ASTAR_MAX_COST || why == ASTAR_MAX_EXPANSIONS;
    if (!has_failed || search->finder->options.cost == NULL || search->question.range > 0 ||
        candidates->reachable == 0)
        return why;
    for (size_t i = 0; !candidates->any_free && i < candidates->goals->count; i++) {
        const AstarCell *goal = &candidates->goals->cells[i];
        double cost;
        AstarStatus status = astar_costs_cell(&search->costs, goal->x, goal->y, &cost);
        if (status != ASTAR_OK)
            return status;
        candidates->any_free = isfinite(cost);
    }
    if (!candidates->any_free)
        return ASTAR_GOAL_BLOCKED;
    return why == ASTAR_GOAL_BLOCKED ? ASTAR_UNREACHABLE : why;
}

static AstarStatus ask_for_goals(AstarSearch *search, int sx, int sy, const AstarGoals *goals,
                                 const AstarQuestion *question, void *context, size_t *index)
{
    Candidates candidates = {.search = search, .goals = goals};
    *index = 0;
    AstarStatus status = astar_search_refusal(search, question);
    if (status != ASTAR_OK)
        return search->status = status;
    status = astar_search_pose(search, sx, sy, sx, sy, question);
    if (status != ASTAR_RUNNING)
        return status;
    search->costs.context = context;
    search->goals = (AstarGoalSet){.list = *goals, .met = ASTAR_NO_CELL};
    if (goals->test != NULL)
        search->goal.kind = ASTAR_GOAL_TEST;
    else
        status = prepare_candidates(&candidates);
    if (status == ASTAR_RUNNING) {
        status = is_ordinary(&candidates) ? find_only(&candidates, context)
                                          : search_for_any(search, context);
        status = explain(&candidates, status);
    }
    if (status == ASTAR_OK && goals->test == NULL) {
        const AstarGoalSet *set = &search->goals;
        *index = index_of_goal(&candidates, set->met != ASTAR_NO_CELL ? set->met : set->near_to);
    }
    return search->status = status;
}

AstarStatus astar_search_nearest(AstarSearch *search, int sx, int sy, const AstarCell *goals,
                                 size_t count, const AstarQuestion *question, void *context,
                                 size_t *index)
{
    if (!astar_inside(search->grid, sx, sy))
        return ASTAR_BAD_CELL;
    for (size_t i = 0; i < count; i++)
        if (!astar_inside(search->grid, goals[i].x, goals[i].y))
            return ASTAR_BAD_CELL;
    AstarGoals list = {.cells = goals, .count = count};
    return ask_for_goals(search, sx, sy, &list, question, context, index);
}

AstarStatus astar_search_where(AstarSearch *search, int sx, int sy, AstarGoalTest test,
                               const AstarQuestion *question, void *context)
{
    if (!astar_inside(search->grid, sx, sy))
        return ASTAR_BAD_CELL;
    AstarGoals any = {.test = test};
    size_t index;
    return ask_for_goals(search, sx, sy, &any, question, context, &index);
}
