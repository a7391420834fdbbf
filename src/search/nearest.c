// nearest.c -- find_nearest and find_where: one search that finds, among many goals, the goal that
// is cheapest to reach.
//
// The connected components show which goals are unreachable (goal.c); these goals are left out. If
// one goal remains, an ordinary search looks for it. For more goals, one search looks for all of
// them together, see goal.h.
//
// The query runs in one call, or in steps as the continuation of a search. After an edit between
// two steps, the goals are checked again. If this check has the same result, the search continues
// as any other search does, see search_life.c; otherwise the query restarts. After several restarts
// it runs on a snapshot of the map, see search_life.c.

#include "map/links_and_walls.h"
#include "search/goal.h"
#include "search/path.h"
#include "search/run.h"
#include "search/search.h"
#include "search/search_life.h"

#include <string.h>

// The stage that a query for one of many goals runs next.
typedef enum NearestStage {
    NEAREST_TO_POSE,
    NEAREST_TO_SORT,    // check which goals may be reachable
    NEAREST_TO_MARK,    // mark the cells that count as goals
    NEAREST_TO_LOOK,    // compute how near the reachable cells come to a goal
    NEAREST_TO_MEASURE, // compute the nearest goal of every cell
    NEAREST_TO_BEGIN,   // start the search
    NEAREST_TO_SEARCH,
    NEAREST_TO_EXPLAIN // find out why there is no route
} NearestStage;

// A query for one of many goals, and its progress.
typedef struct Nearest {
    AstarContinuation continuation;
    AstarSearch *search;
    AstarQueryOptions query;
    AstarCandidates candidates;
    AstarNearMeasuring measuring;
    NearestStage stage;
    AstarStatus why;  // the status of a failed search while its reason is determined
    size_t explained; // goals examined to determine the reason
    // The fields from here on are for a query in steps.
    AstarCandidates again;       // the candidates after an edit
    uint64_t version, looked_at; // the versions of the map for 'candidates' and for 'again'
    AstarGoals goals;
    AstarCell cells[];
} Nearest;

// Returns the index in the query's list of the first goal whose cell is 'cell'.
static size_t index_of_goal(const AstarSearch *search, uint32_t cell)
{
    size_t i = 0;
    const AstarCell *goals = search->many.goals.list.cells;
    while (astar_cell(search->grid, goals[i].x, goals[i].y) != cell)
        i++;
    return i;
}

// Returns true if only one goal is left and an ordinary search can look for it. An ordinary search
// would call the caller's heuristic, which a search for many goals never calls. Therefore finders
// with a heuristic callback are excluded.
static bool is_ordinary(const Nearest *nearest)
{
    const AstarSearch *search = nearest->search;
    return nearest->goals.test == NULL && nearest->candidates.reachable == 1 &&
           !search->goal.tracks && search->finder->options.estimate == NULL;
}

// Preparing the search.

// Starts the query. The goals of the query are checked later.
static AstarStatus start_nearest(Nearest *nearest, int64_t *work)
{
    AstarSearch *search = nearest->search;
    int x = search->start_x, y = search->start_y;
    if (!search->stepped.preparing.in_steps) {
        astar_search_note(search, x, y, x, y, &nearest->query);
        return astar_search_precheck_stored(search, work);
    }
    AstarStatus status = astar_search_build_all_components(search, work);
    if (status != ASTAR_OK)
        return status;
    astar_search_prepare_again(search, x, y, &nearest->query);
    search->stepped.preparing.is_due = false;
    status = astar_search_precheck_on_map(search, work);
    nearest->version = search->stepped.preparing.version;
    return status;
}

static AstarStatus begin_goals(Nearest *nearest)
{
    AstarSearch *search = nearest->search;
    AstarGoalLists *lists = search->many.lists;
    if (lists == NULL)
        search->many.lists = lists = astar_alloc(&search->allocator, 1, sizeof *lists);
    if (lists == NULL)
        return ASTAR_NO_MEMORY;
    search->many.goals = (AstarGoalSet){
        .list = nearest->goals, .estimated = lists->estimated, .met = ASTAR_NO_CELL};
    nearest->candidates = (AstarCandidates){.goals = &nearest->goals, .first = lists->first};
    nearest->measuring = (AstarNearMeasuring){0};
    if (nearest->goals.test != NULL)
        search->goal.kind = ASTAR_GOAL_TEST;
    nearest->stage = nearest->goals.test != NULL ? NEAREST_TO_BEGIN : NEAREST_TO_SORT;
    return ASTAR_OK;
}

// Decides how to search once it is known which goals are reachable. Returns ASTAR_RUNNING, or the
// status with which the query ends.
static AstarStatus choose_goals(Nearest *nearest)
{
    AstarSearch *search = nearest->search;
    AstarGoal *goal = &search->goal;
    const AstarCandidates *candidates = &nearest->candidates;
    bool partial = search->query.partial && nearest->goals.count > 0;
    if (candidates->reachable == 0 && !partial)
        return candidates->any_free ? ASTAR_UNREACHABLE : ASTAR_GOAL_BLOCKED;
    goal->tracks = partial && (!search->known.outcome.certain || astar_only_search_decides(search));
    nearest->stage = NEAREST_TO_BEGIN;
    if (is_ordinary(nearest))
        return ASTAR_RUNNING;
    goal->kind = ASTAR_GOAL_SET;
    bool is_guided = candidates->reachable <= ASTAR_MOST_ROOTS &&
                     search->finder->options.algorithm != ASTAR_DIJKSTRA &&
                     astar_finder_allows(search->finder, ASTAR_MANY_ESTIMATES);
    astar_goal_set_aim(search, candidates->first, is_guided ? candidates->reachable : 0);
    if (candidates->reachable >= ASTAR_MANY_GOALS && !astar_may_jump_back(search, goal))
        astar_goal_set_aim(search, candidates->first, 0);
    nearest->stage = NEAREST_TO_MARK;
    return astar_goal_set_begin_marks(search) == ASTAR_OK ? ASTAR_RUNNING : ASTAR_NO_MEMORY;
}

// Chooses the stage that follows the marking of the goals, for a query for the nearest goal.
static void look_nearest(Nearest *nearest)
{
    const AstarGoal *goal = &nearest->search->goal;
    bool is_far = nearest->candidates.reachable == 0 && !goal->tracks;
    if (is_far)
        astar_candidates_begin_measuring(&nearest->candidates);
    nearest->stage = is_far ? NEAREST_TO_LOOK : NEAREST_TO_MEASURE;
}

// Returns true if the whole map must be measured: a search in steps has too many goals to compare
// each cell with all of them within a step.
static bool is_to_be_measured(const Nearest *nearest)
{
    const AstarSearch *search = nearest->search;
    bool asks = search->goal.tracks || search->goal.kind == ASTAR_GOAL_SET_NEAR;
    return asks && search->stepped.preparing.in_steps && nearest->goals.count > ASTAR_MANY_GOALS;
}

// Starts the search for the goals. Returns ASTAR_RUNNING, or the status with which the query ends.
static AstarStatus begin_nearest(Nearest *nearest)
{
    AstarSearch *search = nearest->search;
    if (!is_ordinary(nearest))
        return astar_search_start(search);
    const AstarCell *goal = &nearest->goals.cells[nearest->candidates.only];
    int x = search->start_x, y = search->start_y;
    search->many.goals.met = astar_cell(search->grid, goal->x, goal->y);
    if (!search->stepped.preparing.in_steps)
        return astar_search_begin(search, x, y, goal->x, goal->y, &nearest->query);
    astar_search_prepare_again(search, goal->x, goal->y, &nearest->query);
    return ASTAR_RUNNING;
}

// Runs the next stage of the query. Returns ASTAR_RUNNING, or the status with which the query ends.
static AstarStatus make_ready(Nearest *nearest, int64_t *work)
{
    AstarSearch *search = nearest->search;
    AstarStatus status = ASTAR_OK;
    switch (nearest->stage) {
    case NEAREST_TO_POSE:
        status = start_nearest(nearest, work);
        if (status == ASTAR_OK)
            status = begin_goals(nearest);
        break;
    case NEAREST_TO_SORT:
        status = astar_candidates_sort(&nearest->candidates, search, work);
        if (status == ASTAR_OK)
            return choose_goals(nearest);
        break;
    case NEAREST_TO_MARK:
        status = astar_goal_set_mark(search, work);
        if (status == ASTAR_OK)
            look_nearest(nearest);
        break;
    case NEAREST_TO_LOOK:
        status = astar_candidates_measure(&nearest->candidates, search, work);
        if (status != ASTAR_OK)
            break;
        search->goal.kind = ASTAR_GOAL_SET_NEAR;
        search->goal.near = nearest->candidates.nearest;
        nearest->stage = NEAREST_TO_MEASURE;
        break;
    case NEAREST_TO_MEASURE:
        if (is_to_be_measured(nearest))
            status = astar_goal_set_measure(search, &nearest->measuring, work);
        if (status == ASTAR_OK)
            status = astar_search_build_for(
                search->finder, astar_search_algorithm_for(search, &search->goal), work);
        if (status == ASTAR_OK)
            nearest->stage = NEAREST_TO_BEGIN;
        break;
    default:
        status = begin_nearest(nearest);
        if (status == ASTAR_RUNNING)
            nearest->stage = NEAREST_TO_SEARCH;
        return status;
    }
    return status == ASTAR_OK ? ASTAR_RUNNING : status;
}

// The end.

static bool is_failure(AstarStatus status)
{
    return status == ASTAR_GOAL_BLOCKED || status == ASTAR_UNREACHABLE ||
           status == ASTAR_MAX_COST || status == ASTAR_MAX_EXPANSIONS;
}

// Returns true if the search must call the cost callback to find out whether that callback blocks
// all goals.
static bool is_to_be_explained(const Nearest *nearest)
{
    const AstarSearch *search = nearest->search;
    return is_failure(nearest->why) && search->finder->options.cost != NULL &&
           nearest->query.range == 0 && nearest->candidates.reachable > 0;
}

// Finds out why a search failed: because a callback blocks all goals, or because no route leads to
// them. Returns the status for this cause. Examines at most 'most' more goals, and returns
// ASTAR_RUNNING if more must be examined.
static AstarStatus explain(Nearest *nearest, uint64_t most)
{
    AstarSearch *search = nearest->search;
    AstarCandidates *candidates = &nearest->candidates;
    if (!is_to_be_explained(nearest))
        return nearest->why;
    for (; !candidates->any_free && nearest->explained < nearest->goals.count; most--) {
        const AstarCell *goal = &nearest->goals.cells[nearest->explained];
        double cost;
        if (most == 0)
            return ASTAR_RUNNING;
        AstarStatus status = astar_costs_cell(&search->costs, goal->x, goal->y, &cost);
        if (status != ASTAR_OK)
            return status;
        candidates->any_free = isfinite(cost);
        nearest->explained++;
    }
    if (!candidates->any_free)
        return ASTAR_GOAL_BLOCKED;
    return nearest->why == ASTAR_GOAL_BLOCKED ? ASTAR_UNREACHABLE : nearest->why;
}

// Returns the status with which a query is refused, or ASTAR_OK. On a map that wraps around, a
// range and partial paths are not supported.
static AstarStatus refused_nearest(const AstarSearch *search, const AstarQueryOptions *query)
{
    const AstarQueryOptions *q = query != NULL ? query : &search->finder->query;
    bool is_near = search->grid->shape->wraps != 0 && (q->range > 0 || q->partial);
    return is_near ? ASTAR_BAD_WRAP : astar_search_refusal(search, query);
}

// The functions below run the query in one call.

static AstarStatus query_goals(AstarSearch *search, int sx, int sy, const AstarGoals *goals,
                               const AstarQueryOptions *query, void *context, size_t *index)
{
    Nearest nearest = {.search = search, .goals = *goals};
    int64_t work = ASTAR_ALL_WORK;
    *index = 0;
    AstarStatus status = refused_nearest(search, query);
    if (status != ASTAR_OK)
        return search->status = status;
    nearest.query = query != NULL ? *query : search->finder->query;
    search->start_x = sx;
    search->start_y = sy;
    search->costs.context = context;
    status = ASTAR_RUNNING;
    while (status == ASTAR_RUNNING && nearest.stage != NEAREST_TO_SEARCH)
        status = make_ready(&nearest, &work);
    if (status == ASTAR_RUNNING)
        status = astar_search_go_on(search, UINT64_MAX, context);
    nearest.why = status;
    status = explain(&nearest, UINT64_MAX);
    if (status == ASTAR_OK && goals->test == NULL)
        *index = astar_search_index(search);
    return search->status = status;
}

static bool are_goals_inside(const AstarSearch *search, int sx, int sy, const AstarCell *goals,
                             size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!astar_inside(search->grid, goals[i].x, goals[i].y))
            return false;
    return astar_inside(search->grid, sx, sy);
}

AstarStatus astar_search_nearest(AstarSearch *search, int sx, int sy, const AstarCell *goals,
                                 size_t count, const AstarQueryOptions *query, void *context,
                                 size_t *index)
{
    if (!are_goals_inside(search, sx, sy, goals, count))
        return ASTAR_BAD_CELL;
    AstarGoals list = {.cells = goals, .count = count};
    return query_goals(search, sx, sy, &list, query, context, index);
}

AstarStatus astar_search_where(AstarSearch *search, int sx, int sy, AstarGoalTest test,
                               const AstarQueryOptions *query, void *context)
{
    if (!astar_inside(search->grid, sx, sy))
        return ASTAR_BAD_CELL;
    AstarGoals any = {.test = test};
    size_t index;
    return query_goals(search, sx, sy, &any, query, context, &index);
}

size_t astar_search_index(const AstarSearch *search)
{
    const AstarGoalSet *set = &search->many.goals;
    return index_of_goal(search, set->met != ASTAR_NO_CELL ? set->met : set->near_to);
}

// The functions below run the query in steps.

static Nearest *nearest_of(AstarSearch *search)
{
    return (Nearest *)search->stepped.continuation;
}

// Returns true if a running search may continue after edits, provided that the same goals are
// reachable.
static bool may_go_on(const Nearest *nearest)
{
    const AstarSearch *search = nearest->search;
    return nearest->stage == NEAREST_TO_SEARCH && nearest->goals.test == NULL &&
           !search->goal.tracks && search->goal.kind != ASTAR_GOAL_SET_NEAR &&
           search->finder->original == NULL && astar_finder_allows(search->finder, ASTAR_RESUMING);
}

static bool is_sorted_alike(const AstarCandidates *a, const AstarCandidates *b)
{
    bool are_many = a->reachable > ASTAR_MOST_ROOTS && b->reachable > ASTAR_MOST_ROOTS;
    size_t count = a->reachable <= ASTAR_MOST_ROOTS ? a->reachable : 0;
    return (are_many || (a->reachable == b->reachable && a->only == b->only)) &&
           memcmp(a->first, b->first, count * sizeof *a->first) == 0;
}

// Checks after an edit whether the same goals as before are reachable. Returns ASTAR_OK if they
// are, ASTAR_GRID_CHANGED if not, and ASTAR_RUNNING if the work budget is used up first.
static AstarStatus sort_again(Nearest *nearest, uint64_t version, int64_t *work)
{
    AstarSearch *search = nearest->search;
    bool was_certain = search->known.outcome.certain;
    if (nearest->looked_at != version)
        nearest->again = (AstarCandidates){.goals = &nearest->goals,
                                           .first = search->many.lists->first_again};
    nearest->looked_at = version;
    AstarStatus status = astar_search_build_all_components(search, work);
    if (status == ASTAR_OK)
        status = astar_candidates_sort(&nearest->again, search, work);
    if (status != ASTAR_OK)
        return status;
    if (search->known.outcome.certain != was_certain ||
        !is_sorted_alike(&nearest->candidates, &nearest->again))
        return ASTAR_GRID_CHANGED;
    nearest->candidates.any_free = nearest->again.any_free;
    nearest->version = version;
    return ASTAR_OK;
}

static void restart_nearest(AstarSearch *search)
{
    Nearest *nearest = nearest_of(search);
    nearest->stage = NEAREST_TO_POSE;
    nearest->explained = 0;
}

// Prepares the query on the current map, within the work budget. Returns ASTAR_OK when the search
// can run.
static AstarStatus keep_ready(Nearest *nearest, int64_t *work)
{
    AstarStatus status = ASTAR_RUNNING;
    while (status == ASTAR_RUNNING) {
        uint64_t version = astar_finder_version(nearest->search->finder);
        bool is_current = nearest->stage == NEAREST_TO_POSE || nearest->version == version;
        if (is_current && nearest->stage >= NEAREST_TO_SEARCH)
            return ASTAR_OK;
        if (*work <= 0)
            return ASTAR_RUNNING;
        if (is_current) {
            status = make_ready(nearest, work);
            continue;
        }
        status = may_go_on(nearest) ? sort_again(nearest, version, work) : ASTAR_GRID_CHANGED;
        status = status == ASTAR_OK ? ASTAR_RUNNING : status;
    }
    return status;
}

static bool is_over(AstarStatus status)
{
    return status == ASTAR_OK || is_failure(status);
}

static AstarStatus step_nearest(AstarSearch *search, uint64_t expansions, void *context)
{
    Nearest *nearest = nearest_of(search);
    int64_t all = astar_step_work(search, expansions), work = all;
    AstarStatus status = keep_ready(nearest, &work);
    astar_charge_step(search, &expansions, all - work);
    search->costs.context = context;
    if (status == ASTAR_NO_MEMORY && nearest->stage < NEAREST_TO_SEARCH)
        nearest->stage = NEAREST_TO_POSE; // the stage may have been interrupted halfway
    if (status != ASTAR_OK || expansions == 0)
        return status == ASTAR_OK ? ASTAR_RUNNING : status;
    if (nearest->stage == NEAREST_TO_SEARCH) {
        nearest->why = astar_search_go_on(search, expansions, context);
        if (!is_over(nearest->why))
            return nearest->why;
        nearest->stage = NEAREST_TO_EXPLAIN;
    }
    return explain(nearest, expansions);
}

static void free_nearest(AstarSearch *search)
{
    Nearest *nearest = nearest_of(search);
    astar_release(&search->allocator, nearest, nearest->continuation.bytes, 1);
}

static void describe_nearest(const AstarSearch *search, AstarStoredQuery *stored)
{
    Nearest *nearest = (Nearest *)search->stepped.continuation;
    stored->query = nearest->query;
    stored->test = nearest->goals.test;
    stored->goals = nearest->goals.test == NULL ? nearest->cells : NULL;
    stored->goal_count = nearest->goals.count;
}

static AstarStatus begin_in_steps(AstarSearch *search, int sx, int sy, const AstarGoals *goals,
                                  const AstarQueryOptions *query, uint64_t at_once)
{
    AstarStatus status = refused_nearest(search, query);
    if (status != ASTAR_OK)
        return search->status = status;
    size_t bytes = sizeof(Nearest) + goals->count * sizeof *goals->cells;
    Nearest *nearest = astar_alloc(&search->allocator, bytes, 1);
    if (nearest == NULL)
        return search->status = ASTAR_NO_MEMORY;
    search->stepped.continuation = &nearest->continuation;
    nearest->continuation = (AstarContinuation){step_nearest, free_nearest, restart_nearest, bytes,
                                                describe_nearest};
    nearest->search = search;
    nearest->goals = (AstarGoals){nearest->cells, goals->count, goals->test};
    if (goals->count > 0)
        memcpy(nearest->cells, goals->cells, goals->count * sizeof *goals->cells);
    astar_search_note(search, sx, sy, sx, sy, query);
    nearest->query = search->query;
    astar_search_will_prepare(search, at_once);
    return search->status = ASTAR_RUNNING;
}

AstarStatus astar_search_nearest_in_steps(AstarSearch *search, int sx, int sy,
                                          const AstarCell *goals, size_t count,
                                          const AstarQueryOptions *query, uint64_t at_once)
{
    if (!are_goals_inside(search, sx, sy, goals, count))
        return search->status = ASTAR_BAD_CELL;
    AstarGoals list = {.cells = goals, .count = count};
    return begin_in_steps(search, sx, sy, &list, query, at_once);
}

AstarStatus astar_search_where_in_steps(AstarSearch *search, int sx, int sy, AstarGoalTest test,
                                        const AstarQueryOptions *query, uint64_t at_once)
{
    if (!astar_inside(search->grid, sx, sy))
        return search->status = ASTAR_BAD_CELL;
    AstarGoals any = {.test = test};
    return begin_in_steps(search, sx, sy, &any, query, at_once);
}
