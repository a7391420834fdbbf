// nearest.c -- the goal that is cheapest to reach, of many, in one search.
//
// The goals that no way leads to are told apart by the connected components and left out. One that
// remains is an ordinary question. A few are looked for by A* with the least of their estimates,
// which is as admissible and consistent as each of them; more than that would cost more to estimate
// than it saves, so they are looked for by Dijkstra's algorithm, which needs no estimate, as are
// goals that only a function knows.
//
// Of equally cheap goals the lowest cell's is reached, the one farther north, then west. So the
// first goal met is not the end: the search goes on, towards lower goals alone, among the cells
// that a way of the same cost can lead over.

#include "search/hunt.h"

#include "map/links_and_walls.h"
#include "path/path.h"
#include "search/expand_grid.h"
#include "search/lazy_theta.h"
#include "search/links.h"
#include "search/workspace.h"
#include "unit/heuristic.h"

// Sums that round in their last places are as good as equal.
static const double ROUNDING = 1 + 1e-12;

// ---- the search ----

static int beyond_any_range(int distance, int range)
{
    distance = abs(distance);
    return distance > range ? distance - range : 0;
}

static double estimate_to_any(const AstarHunt *hunt, int x, int y)
{
    if (!hunt->guided)
        return 0;
    const AstarFinder *finder = hunt->search->finder;
    int range = hunt->search->question.range;
    double least = INFINITY;
    for (size_t i = 0; i < hunt->kept_count; i++) {
        const AstarCell *goal = &hunt->kept[i];
        double h = astar_estimate(&finder->heuristic, beyond_any_range(x - goal->x, range),
                                  beyond_any_range(y - goal->y, range));
        least = h < least ? h : least;
    }
    return least;
}

// What costs that are equal may come to by rounding. Sums of multiples of the unit are exact until
// they fill a double.
static double as_cheap_as(const AstarFinder *finder, double cost)
{
    return cost < finder->unit * 0x1p53 ? cost : cost * ROUNDING;
}

// Keeps the cell nearest to any goal; of equally near ones the cheapest, then the one whose goal is
// lowest, then the lowest.
static AstarStatus track_nearest_to_any(AstarHunt *hunt, uint32_t cell)
{
    AstarSearch *search = hunt->search;
    const AstarNode *nodes = search->fronts[0].nodes;
    AstarNear near;
    AstarStatus status = astar_hunt_distance(hunt, cell, &near);
    if (status != ASTAR_OK)
        return status;
    if (search->nearest != ASTAR_NO_CELL) {
        double g = nodes[cell].g, least = nodes[search->nearest].g;
        if (near.distance > search->nearest_distance)
            return ASTAR_OK;
        if (near.distance == search->nearest_distance) {
            if (g > as_cheap_as(search->finder, least))
                return ASTAR_OK;
            bool is_lower = near.cell < hunt->near_to ||
                            (near.cell == hunt->near_to && cell < search->nearest);
            if (!is_lower && as_cheap_as(search->finder, g) >= least)
                return ASTAR_OK;
        }
    }
    search->nearest = cell;
    search->nearest_distance = near.distance;
    hunt->near_to = near.cell;
    return ASTAR_OK;
}

static void relax_hunted(AstarHunt *hunt, AstarFront *front, const AstarSuccessor *step, double g)
{
    AstarSearch *search = hunt->search;
    AstarNode *node = &front->nodes[step->cell];
    if (node->stamp == front->stamp && (g >= node->g || (node->closed && !search->reopens)))
        return;
    double h = estimate_to_any(hunt, step->x, step->y);
    if ((search->tracks ? g : g + h) > search->limit) {
        search->pruned = true;
        return;
    }
    *node = (AstarNode){g, front->stamp, step->direction, false, 0, 0};
    double f = g + search->question.weight * h;
    astar_slotted_push(&front->open, f, astar_open(f, g, step->cell));
}

// The same over a link, without an estimate: the least over all goals would not be known.
static AstarStatus relax_hunted_over_link(AstarSearch *search, AstarFront *front,
                                          const AstarSuccessor *step, double g)
{
    AstarHunt without = {.search = search};
    relax_hunted(&without, front, step, g);
    return ASTAR_OK;
}

static AstarStatus expand_for_hunt(AstarHunt *hunt, AstarFront *front, uint32_t cell)
{
    AstarSuccessor successors[ASTAR_DIRECTIONS];
    int count = 0;
    AstarStatus status = astar_expand(hunt->search, front, cell, successors, &count);
    if (status != ASTAR_OK)
        return status;
    double g = front->nodes[cell].g;
    for (int i = 0; i < count; i++)
        relax_hunted(hunt, front, &successors[i], g + successors[i].cost);
    front->current = cell;
    if (hunt->search->linked)
        status = astar_links_expand(hunt->search, front, relax_hunted_over_link);
    return status == ASTAR_OK ? ASTAR_RUNNING : status;
}

// Whether a function says that a cell is a goal, ASTAR_OK if so.
static AstarStatus ask_test(AstarHunt *hunt, uint32_t cell)
{
    AstarSearch *search = hunt->search;
    int x, y;
    astar_cell_xy(search->grid, cell, &x, &y);
    bool is_goal = hunt->goals->test(search->costs.context, x, y, search->grid->ground[cell]);
    if (astar_finder_version(search->finder) != search->costs.version)
        return ASTAR_GRID_CHANGED;
    return is_goal ? ASTAR_OK : ASTAR_RUNNING;
}

// Whether a cell belongs to a goal lower than the one met: ASTAR_OK if so, and to which.
static AstarStatus judge_hunted(AstarHunt *hunt, uint32_t cell, uint32_t *goal)
{
    AstarSearch *search = hunt->search;
    bool is_goal = false;
    *goal = cell;
    if (hunt->goals->test != NULL)
        return cell < hunt->met ? ask_test(hunt, cell) : ASTAR_RUNNING;
    if (search->region == ASTAR_GOAL_NEAR) {
        AstarNear near;
        AstarStatus status = astar_hunt_distance(hunt, cell, &near);
        if (status != ASTAR_OK)
            return status;
        is_goal = near.distance <= search->near;
        *goal = near.cell;
    } else {
        is_goal = astar_hunt_marked(hunt, cell, goal);
    }
    return is_goal && *goal < hunt->met ? ASTAR_OK : ASTAR_RUNNING;
}

// Notes the goal met. ASTAR_RUNNING: a lower one may be as cheap.
static AstarStatus meet_goal(AstarHunt *hunt, uint32_t cell, uint32_t goal)
{
    AstarSearch *search = hunt->search;
    double bound = as_cheap_as(search->finder, search->fronts[0].nodes[cell].g);
    search->found = cell;
    hunt->met = goal;
    if (search->question.weight > 1)
        return ASTAR_OK;
    search->limit = bound < search->limit ? bound : search->limit;
    if (!hunt->guided)
        return ASTAR_RUNNING;
    size_t count = hunt->kept_count;
    hunt->kept_count = 0;
    for (size_t i = 0; i < count; i++)
        if (astar_goal_cell(hunt, &hunt->kept[i]) < goal)
            hunt->kept[hunt->kept_count++] = hunt->kept[i];
    return hunt->kept_count > 0 ? ASTAR_RUNNING : ASTAR_OK;
}

static AstarStatus give_up_hunt(const AstarHunt *hunt, AstarStatus why)
{
    AstarSearch *search = hunt->search;
    if (hunt->met != ASTAR_NO_CELL)
        return ASTAR_OK;
    if (!search->tracks || search->nearest == ASTAR_NO_CELL)
        return why;
    search->found = search->nearest;
    return ASTAR_OK;
}

// Whether the ways over a cell need no longer be followed: they cost more than the goal met, or,
// but over links, as much only where they end.
static bool is_done_with(const AstarHunt *hunt, uint32_t cell)
{
    const AstarSearch *search = hunt->search;
    if (hunt->met == ASTAR_NO_CELL)
        return false;
    if (!hunt->guided)
        return !search->linked;
    int x, y;
    astar_cell_xy(search->grid, cell, &x, &y);
    return search->fronts[0].nodes[cell].g + estimate_to_any(hunt, x, y) > search->limit;
}

// Takes cells off the open list until one is to be expanded: ASTAR_RUNNING.
static AstarStatus take_best_of_hunt(AstarHunt *hunt, AstarFront *front, uint32_t *cell)
{
    AstarSearch *search = hunt->search;
    for (;;) {
        if (astar_slotted_count(&front->open) == 0)
            return give_up_hunt(hunt, search->pruned ? ASTAR_MAX_COST : ASTAR_UNREACHABLE);
        AstarOpen item = astar_slotted_pop(&front->open);
        *cell = astar_open_cell(item);
        if (front->nodes[*cell].closed)
            continue;
        if (hunt->met != ASTAR_NO_CELL && astar_open_f(item) > search->limit)
            return ASTAR_OK;
        front->nodes[*cell].closed = true;
        uint32_t goal;
        AstarStatus status = judge_hunted(hunt, *cell, &goal);
        if (status == ASTAR_OK)
            status = meet_goal(hunt, *cell, goal);
        else if (status == ASTAR_RUNNING && search->tracks && hunt->met == ASTAR_NO_CELL)
            status = track_nearest_to_any(hunt, *cell) == ASTAR_OK ? ASTAR_RUNNING
                                                                   : ASTAR_NO_MEMORY;
        if (status != ASTAR_RUNNING)
            return status;
        if (!is_done_with(hunt, *cell))
            return search->expanded == search->question.max_expansions
                       ? give_up_hunt(hunt, ASTAR_MAX_EXPANSIONS)
                       : ASTAR_RUNNING;
    }
}

static AstarStatus run_hunt(AstarHunt *hunt)
{
    AstarSearch *search = hunt->search;
    AstarFront *front = &search->fronts[0];
    for (;;) {
        uint32_t cell;
        if (!astar_slotted_reserve(&front->open, &search->allocator, ASTAR_DIRECTIONS))
            return ASTAR_NO_MEMORY;
        AstarStatus status = take_best_of_hunt(hunt, front, &cell);
        if (status == ASTAR_RUNNING)
            status = expand_for_hunt(hunt, front, cell);
        if (status != ASTAR_RUNNING)
            return status;
        search->expanded++;
    }
}

// ---- the question ----

// Whether one goal is left to be looked for as by any question. A heuristic of the host's is not
// asked here, and would be there.
static bool is_ordinary(const AstarHunt *hunt)
{
    const AstarSearch *search = hunt->search;
    return hunt->reachable == 1 && !search->tracks && search->finder->options.estimate == NULL;
}

static AstarStatus find_only(AstarHunt *hunt, void *context)
{
    AstarSearch *search = hunt->search;
    const AstarCell *goal = &hunt->goals->cells[hunt->only];
    hunt->met = astar_goal_cell(hunt, goal);
    AstarStatus status = astar_search_begin(search, search->start_x, search->start_y, goal->x,
                                            goal->y, &search->question);
    if (status == ASTAR_RUNNING)
        status = astar_search_step(search, UINT64_MAX, context);
    return status;
}

// Whether only trying can tell if a goal will be reached.
static bool only_hunting_tells(const AstarSearch *search)
{
    const AstarQuestion *question = &search->question;
    return astar_finder_has_callbacks(search->finder) || !search->certain ||
           isfinite(question->max_cost) || question->max_expansions != UINT64_MAX;
}

// Sorts out the goals and makes ready for those that are left.
static AstarStatus prepare_hunt(AstarHunt *hunt)
{
    AstarSearch *search = hunt->search;
    bool partial = search->question.partial && hunt->goals->count > 0;
    AstarStatus status = astar_hunt_sort_out(hunt);
    if (status != ASTAR_RUNNING && (status == ASTAR_NO_MEMORY || !partial))
        return status;
    search->tracks = partial && only_hunting_tells(search);
    if (is_ordinary(hunt))
        return ASTAR_RUNNING;
    status = astar_hunt_mark(hunt);
    if (status == ASTAR_OK && hunt->reachable == 0 && !search->tracks) {
        search->region = ASTAR_GOAL_NEAR;
        status = astar_hunt_nearest_reachable(hunt, &search->near);
    }
    hunt->guided = hunt->reachable > 0 && hunt->reachable < ASTAR_MANY_GOALS &&
                   search->finder->options.algorithm != ASTAR_DIJKSTRA &&
                   !astar_grid_has_links(search->grid);
    hunt->kept_count = hunt->guided ? hunt->reachable : 0;
    return status == ASTAR_OK ? ASTAR_RUNNING : status;
}

static AstarStatus search_for_many(AstarHunt *hunt)
{
    AstarSearch *search = hunt->search;
    search->algorithm = hunt->guided ? ASTAR_ASTAR : ASTAR_DIJKSTRA;
    AstarStatus status = astar_search_plant(search, &search->fronts[0], search->start);
    if (status == ASTAR_OK && astar_grid_has_links(search->grid)) {
        status = astar_links_begin(search, 1);
        search->linked = status == ASTAR_OK;
    }
    if (status == ASTAR_OK)
        status = run_hunt(hunt);
    if (status == ASTAR_OK && search->straightens)
        status = astar_run_lazy_theta(search, UINT64_MAX);
    return status;
}

// Tells goals that a callback blocks, all of them, from goals that no way was found to.
static AstarStatus explain(AstarHunt *hunt, AstarStatus why)
{
    AstarSearch *search = hunt->search;
    bool has_failed = why == ASTAR_GOAL_BLOCKED || why == ASTAR_UNREACHABLE ||
                      why == ASTAR_MAX_COST || why == ASTAR_MAX_EXPANSIONS;
    if (!has_failed || search->finder->options.cost == NULL || search->question.range > 0 ||
        hunt->reachable == 0)
        return why;
    for (size_t i = 0; !hunt->any_free && i < hunt->goals->count; i++) {
        const AstarCell *goal = &hunt->goals->cells[i];
        double cost;
        AstarStatus status = astar_costs_cell(&search->costs, goal->x, goal->y, &cost);
        if (status != ASTAR_OK)
            return status;
        hunt->any_free = isfinite(cost);
    }
    if (!hunt->any_free)
        return ASTAR_GOAL_BLOCKED;
    return why == ASTAR_GOAL_BLOCKED ? ASTAR_UNREACHABLE : why;
}

AstarStatus astar_search_nearest(AstarSearch *search, int sx, int sy, const AstarGoals *goals,
                                 const AstarQuestion *question, void *context, size_t *index)
{
    AstarHunt hunt = {.search = search, .goals = goals, .met = ASTAR_NO_CELL};
    *index = 0;
    AstarStatus status = astar_search_refusal(search, question);
    if (status != ASTAR_OK)
        return search->status = status;
    AstarStatus posed = astar_search_pose(search, sx, sy, sx, sy, question);
    if (posed == ASTAR_START_BLOCKED || posed == ASTAR_NO_MEMORY)
        return posed;
    search->costs.context = context;
    status = goals->test == NULL ? prepare_hunt(&hunt) : ASTAR_RUNNING;
    if (status == ASTAR_RUNNING) {
        status = is_ordinary(&hunt) ? find_only(&hunt, context) : search_for_many(&hunt);
        status = explain(&hunt, status);
    }
    if (status == ASTAR_OK && goals->test == NULL)
        *index = astar_hunt_index(&hunt, hunt.met != ASTAR_NO_CELL ? hunt.met : hunt.near_to);
    return search->status = status;
}

// ---- as a question of its own ----

static AstarStatus find(AstarWorkspace *workspace, AstarFinder *finder, int sx, int sy,
                        const AstarGoals *goals, const AstarQuestion *question, void *context,
                        AstarPath *path, size_t *index)
{
    if (!astar_inside(finder->grid, sx, sy))
        return ASTAR_BAD_CELL;
    for (size_t i = 0; i < goals->count; i++)
        if (!astar_inside(finder->grid, goals->cells[i].x, goals->cells[i].y))
            return ASTAR_BAD_CELL;
    AstarSearch *search;
    AstarStatus status = astar_search_take(workspace, finder, &search);
    if (status != ASTAR_OK)
        return status;
    status = astar_search_nearest(search, sx, sy, goals, question, context, index);
    if (status == ASTAR_OK)
        status = astar_search_path(search, path);
    astar_search_give_back(search);
    return status;
}

AstarStatus astar_find_nearest(AstarWorkspace *workspace, AstarFinder *finder, int sx, int sy,
                               const AstarCell *goals, size_t count, const AstarQuestion *question,
                               void *context, AstarPath *path, size_t *index)
{
    AstarGoals list = {.cells = goals, .count = count};
    return find(workspace, finder, sx, sy, &list, question, context, path, index);
}

AstarStatus astar_find_where(AstarWorkspace *workspace, AstarFinder *finder, int sx, int sy,
                             AstarGoalTest test, const AstarQuestion *question, void *context,
                             AstarPath *path)
{
    AstarGoals any = {.test = test};
    size_t index;
    return find(workspace, finder, sx, sy, &any, question, context, path, &index);
}
