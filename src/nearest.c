// nearest.c -- the goal that is cheapest to reach, of many, in one search.
//
// The goals that no way leads to are told apart by the connected components and left out. One that
// remains is an ordinary question. A few are looked for by A* with the least of their estimates,
// which is as admissible and consistent as each of them; more than that would cost more to estimate
// than it saves, so they are looked for by Dijkstra's algorithm, which needs no estimate, as are
// goals that only a function knows. Of goals that cost the same the one taken off the open list
// first is reached: with the larger g, then the lower cell. Goals are told by marks on the nodes of
// the front that grows back from a goal, which is not at work here.

#include "nearest.h"

#include "any_angle.h"
#include "edges.h"
#include "expand_grid.h"
#include "heuristic.h"
#include "links.h"
#include "path.h"
#include "reachable.h"

// From this many on goals are looked for without an estimate.
enum { MANY = 16 };

typedef struct Hunt {
    AstarSearch *search;
    const AstarGoals *goals;
    AstarReach reach;
    uint32_t kept[MANY]; // the goals with an estimate, by number
    size_t kept_count;   // 0: no estimates
    size_t reachable;    // goals that may be reached
    size_t only;         // the last of them
    bool any_free;       // of the others, some are not blocked
} Hunt;

// ---- which goals there are ----

// Marks a cell as belonging to a goal, unless it belongs to one before.
static void mark(AstarSearch *search, int x, int y, size_t goal)
{
    AstarFront *marks = &search->fronts[1];
    AstarNode *node = &marks->nodes[astar_cell(search->grid, x, y)];
    if (node->stamp == marks->stamp)
        return;
    node->stamp = marks->stamp;
    node->g = (double)goal;
}

static void mark_around(AstarSearch *search, const AstarCell *goal, size_t number)
{
    const AstarGrid *grid = search->grid;
    int range = search->finder->options.range;
    int left = goal->x > range ? goal->x - range : 0;
    int top = goal->y > range ? goal->y - range : 0;
    for (int y = top; y < grid->height && y - goal->y <= range; y++)
        for (int x = left; x < grid->width && x - goal->x <= range; x++)
            mark(search, x, y, number);
}

static bool marked(const AstarSearch *search, uint32_t cell, size_t *goal)
{
    const AstarFront *marks = &search->fronts[1];
    const AstarNode *node = &marks->nodes[cell];
    if (node->stamp != marks->stamp)
        return false;
    *goal = (size_t)node->g;
    return true;
}

static bool is_at(const AstarSearch *search, const AstarCell *goal)
{
    int range = search->finder->options.range;
    return abs(search->start_x - goal->x) <= range && abs(search->start_y - goal->y) <= range;
}

// Sorts out the goals: those that can be reached by the data are marked. What it would end with if
// none of them is reached, ASTAR_RUNNING if one may be.
static AstarStatus sort_out(Hunt *hunt)
{
    AstarSearch *search = hunt->search;
    const AstarFinder *finder = search->finder;
    AstarReach *reach = &hunt->reach;
    AstarStatus status = astar_reach_from(finder, search->start_x, search->start_y, reach);
    if (status != ASTAR_OK)
        return status;
    search->certain = reach->certain;
    hunt->any_free = hunt->goals->count == 0;
    for (size_t i = 0; i < hunt->goals->count; i++) {
        const AstarCell *goal = &hunt->goals->cells[i];
        if (!is_at(search, goal) &&
            !astar_reach_has_within(reach, goal->x, goal->y, finder->options.range)) {
            hunt->any_free |= finder->options.range > 0 ||
                              astar_bits_get(&finder->walkable->bits, goal->x, goal->y);
            continue;
        }
        mark_around(search, goal, i);
        hunt->only = i;
        if (hunt->reachable++ < MANY)
            hunt->kept[hunt->reachable - 1] = (uint32_t)i;
    }
    if (hunt->reachable > 0)
        return ASTAR_RUNNING;
    return hunt->any_free ? ASTAR_UNREACHABLE : ASTAR_GOAL_BLOCKED;
}

// How near the reachable cell nearest to any goal lies to it.
static double nearest_reachable(const Hunt *hunt)
{
    const AstarSearch *search = hunt->search;
    double nearest = INFINITY;
    for (size_t i = 0; i < hunt->goals->count; i++) {
        const AstarCell *goal = &hunt->goals->cells[i];
        double here = astar_estimate(&search->finder->distance, search->start_x - goal->x,
                                     search->start_y - goal->y);
        here = here < nearest ? here : nearest;
        nearest = astar_reach_nearest(&hunt->reach, goal->x, goal->y, here);
    }
    return nearest;
}

// ---- the search ----

static int beyond(int distance, int range)
{
    distance = abs(distance);
    return distance > range ? distance - range : 0;
}

static double estimate(const Hunt *hunt, int x, int y)
{
    const AstarFinder *finder = hunt->search->finder;
    int range = finder->options.range;
    double least = hunt->kept_count > 0 ? INFINITY : 0;
    for (size_t i = 0; i < hunt->kept_count; i++) {
        const AstarCell *goal = &hunt->goals->cells[hunt->kept[i]];
        double h = astar_estimate(&finder->heuristic, beyond(x - goal->x, range),
                                  beyond(y - goal->y, range));
        least = h < least ? h : least;
    }
    return least;
}

// How near the cell lies to the nearest goal, and which that is.
static double distance_to_goals(const AstarSearch *search, const AstarGoals *goals, uint32_t cell,
                                size_t *which)
{
    int x, y;
    astar_cell_xy(search->grid, cell, &x, &y);
    double least = INFINITY;
    for (size_t i = 0; i < goals->count; i++) {
        double distance = astar_estimate(&search->finder->distance, x - goals->cells[i].x,
                                         y - goals->cells[i].y);
        if (distance < least) {
            least = distance;
            *which = i;
        }
    }
    return least;
}

// Keeps the cell nearest to any goal; of equally near ones the cheapest, then the lowest.
static void track(Hunt *hunt, uint32_t cell)
{
    AstarSearch *search = hunt->search;
    const AstarNode *nodes = search->fronts[0].nodes;
    size_t which;
    double distance = distance_to_goals(search, hunt->goals, cell, &which);
    if (search->nearest != ASTAR_NO_CELL) {
        double nearest = search->nearest_distance, g = nodes[search->nearest].g;
        if (distance > nearest || (distance == nearest && nodes[cell].g > g) ||
            (distance == nearest && nodes[cell].g == g && cell > search->nearest))
            return;
    }
    search->nearest = cell;
    search->nearest_distance = distance;
}

static void relax(Hunt *hunt, AstarFront *front, const AstarSuccessor *step, double g)
{
    AstarSearch *search = hunt->search;
    AstarNode *node = &front->nodes[step->cell];
    if (node->stamp == front->stamp && (g >= node->g || (node->closed && !search->reopens)))
        return;
    double h = estimate(hunt, step->x, step->y);
    if ((search->tracks ? g : g + h) > search->limit) {
        search->pruned = true;
        return;
    }
    *node = (AstarNode){g, front->stamp, step->direction, false, 0, 0};
    double f = g + search->finder->options.weight * h;
    astar_queue_push(&front->open, f, astar_open(f, g, step->cell));
}

// The same over a link, without an estimate: the least over all goals would not be known.
static AstarStatus relax_linked(AstarSearch *search, AstarFront *front, const AstarSuccessor *step,
                                double g)
{
    Hunt without = {.search = search};
    relax(&without, front, step, g);
    return ASTAR_OK;
}

static AstarStatus expand(Hunt *hunt, AstarFront *front, uint32_t cell)
{
    AstarSuccessor successors[ASTAR_DIRECTIONS];
    int count = 0;
    AstarStatus status = astar_expand(hunt->search, front, cell, successors, &count);
    if (status != ASTAR_OK)
        return status;
    double g = front->nodes[cell].g;
    for (int i = 0; i < count; i++)
        relax(hunt, front, &successors[i], g + successors[i].cost);
    front->current = cell;
    if (hunt->search->linked)
        status = astar_links_expand(hunt->search, front, relax_linked);
    return status == ASTAR_OK ? ASTAR_RUNNING : status;
}

// Whether the search ends at a cell: ASTAR_OK if so.
static AstarStatus judge(Hunt *hunt, uint32_t cell, size_t *index)
{
    AstarSearch *search = hunt->search;
    if (hunt->goals->test != NULL) {
        int x, y;
        astar_cell_xy(search->grid, cell, &x, &y);
        bool is_goal = hunt->goals->test(search->costs.context, x, y, search->grid->ground[cell]);
        if (astar_finder_version(search->finder) != search->costs.version)
            return ASTAR_GRID_CHANGED;
        return is_goal ? ASTAR_OK : ASTAR_RUNNING;
    }
    if (search->region == ASTAR_GOAL_NEAR)
        return distance_to_goals(search, hunt->goals, cell, index) <= search->near ? ASTAR_OK
                                                                                   : ASTAR_RUNNING;
    return marked(search, cell, index) ? ASTAR_OK : ASTAR_RUNNING;
}

static AstarStatus give_up(Hunt *hunt, AstarStatus why, size_t *index)
{
    AstarSearch *search = hunt->search;
    if (!search->tracks || search->nearest == ASTAR_NO_CELL)
        return why;
    search->found = search->nearest;
    distance_to_goals(search, hunt->goals, search->found, index);
    return ASTAR_OK;
}

// Takes the next cell off the open list, ASTAR_RUNNING if it is to be expanded.
static AstarStatus choose_next(Hunt *hunt, AstarFront *front, uint32_t *cell, size_t *index)
{
    AstarSearch *search = hunt->search;
    do {
        if (astar_queue_count(&front->open) == 0)
            return give_up(hunt, search->pruned ? ASTAR_MAX_COST : ASTAR_UNREACHABLE, index);
        *cell = astar_open_cell(astar_queue_pop(&front->open));
    } while (front->nodes[*cell].closed);
    front->nodes[*cell].closed = true;
    AstarStatus status = judge(hunt, *cell, index);
    if (status == ASTAR_OK)
        search->found = *cell;
    if (status != ASTAR_RUNNING)
        return status;
    if (search->tracks)
        track(hunt, *cell);
    return search->expanded == search->most_expansions ? give_up(hunt, ASTAR_MAX_EXPANSIONS, index)
                                                       : ASTAR_RUNNING;
}

static AstarStatus run(Hunt *hunt, size_t *index)
{
    AstarSearch *search = hunt->search;
    AstarFront *front = &search->fronts[0];
    for (;;) {
        uint32_t cell;
        if (!astar_queue_reserve(&front->open, &search->grid->allocator, ASTAR_DIRECTIONS))
            return ASTAR_NO_MEMORY;
        AstarStatus status = choose_next(hunt, front, &cell, index);
        if (status == ASTAR_RUNNING)
            status = expand(hunt, front, cell);
        if (status != ASTAR_RUNNING)
            return status;
        search->expanded++;
    }
}

// ---- the question ----

// A single goal is an ordinary question.
static AstarStatus find_only(Hunt *hunt, void *context, size_t *index)
{
    AstarSearch *search = hunt->search;
    const AstarCell *goal = &hunt->goals->cells[hunt->only];
    *index = hunt->only;
    AstarStatus status = astar_search_begin(search, search->start_x, search->start_y, goal->x,
                                            goal->y);
    if (status == ASTAR_RUNNING)
        status = astar_search_step(search, UINT64_MAX, context);
    return status == ASTAR_GOAL_BLOCKED && hunt->any_free ? ASTAR_UNREACHABLE : status;
}

// Whether only trying can tell if a goal will be reached.
static bool is_uncertain(const AstarOptions *options)
{
    return options->cost != NULL || options->step_cost != NULL || isfinite(options->max_cost) ||
           options->max_expansions != UINT64_MAX;
}

// Marks the goals and makes ready for those that are left.
static AstarStatus prepare(Hunt *hunt)
{
    AstarSearch *search = hunt->search;
    const AstarOptions *options = &search->finder->options;
    AstarStatus status = astar_search_plant(search, &search->fronts[1], search->start);
    if (status != ASTAR_OK)
        return status;
    search->fronts[1].nodes[search->start].stamp--; // a mark means a goal
    bool partial = options->partial && hunt->goals->count > 0;
    status = sort_out(hunt);
    if (status != ASTAR_RUNNING && (status == ASTAR_NO_MEMORY || !partial))
        return status;
    search->tracks = partial && (is_uncertain(options) || !search->certain);
    if (hunt->reachable == 0 && !search->tracks) {
        search->region = ASTAR_GOAL_NEAR;
        search->near = nearest_reachable(hunt);
    }
    if (hunt->reachable < MANY && options->algorithm != ASTAR_DIJKSTRA &&
        !astar_grid_has_links(search->grid))
        hunt->kept_count = hunt->reachable;
    return ASTAR_RUNNING;
}

AstarStatus astar_search_nearest(AstarSearch *search, int sx, int sy, const AstarGoals *goals,
                                 void *context, size_t *index)
{
    Hunt hunt = {.search = search, .goals = goals};
    AstarStatus status = ASTAR_RUNNING;
    *index = 0;
    const AstarFinder *finder = search->finder;
    if (finder->options.algorithm == ASTAR_JPS && !finder->is_uniform)
        return search->status = ASTAR_BAD_OPTION;
    AstarStatus posed = astar_search_pose(search, sx, sy, sx, sy);
    if (posed == ASTAR_START_BLOCKED || posed == ASTAR_NO_MEMORY)
        return posed;
    if (goals->test == NULL)
        status = prepare(&hunt);
    if (status == ASTAR_RUNNING && hunt.reachable == 1 && !search->tracks)
        return find_only(&hunt, context, index);
    search->algorithm = hunt.kept_count > 0 ? ASTAR_ASTAR : ASTAR_DIJKSTRA;
    search->costs.context = context;
    if (status == ASTAR_RUNNING)
        status = astar_search_plant(search, &search->fronts[0], search->start);
    if (status == ASTAR_OK && astar_grid_has_links(search->grid)) {
        status = astar_links_begin(search, 1);
        search->linked = status == ASTAR_OK;
    }
    if (status == ASTAR_OK)
        status = run(&hunt, index);
    if (status == ASTAR_OK && search->straightens)
        status = astar_run_any_angle(search, UINT64_MAX);
    return search->status = status;
}

// ---- as a question of its own ----

static AstarStatus find(AstarFinder *finder, int sx, int sy, const AstarGoals *goals, void *context,
                        AstarPath *path, size_t *index)
{
    if (!astar_inside(finder->grid, sx, sy))
        return ASTAR_BAD_CELL;
    for (size_t i = 0; i < goals->count; i++)
        if (!astar_inside(finder->grid, goals->cells[i].x, goals->cells[i].y))
            return ASTAR_BAD_CELL;
    AstarSearch *search;
    AstarStatus status = astar_search_take(finder, &search);
    if (status != ASTAR_OK)
        return status;
    status = astar_search_nearest(search, sx, sy, goals, context, index);
    if (status == ASTAR_OK)
        status = astar_search_path(search, path);
    astar_search_give_back(search);
    return status;
}

AstarStatus astar_find_nearest(AstarFinder *finder, int sx, int sy, const AstarCell *goals,
                               size_t count, void *context, AstarPath *path, size_t *index)
{
    AstarGoals list = {.cells = goals, .count = count};
    return find(finder, sx, sy, &list, context, path, index);
}

AstarStatus astar_find_where(AstarFinder *finder, int sx, int sy, AstarGoalTest test, void *context,
                             AstarPath *path)
{
    AstarGoals any = {.test = test};
    size_t index;
    return find(finder, sx, sy, &any, context, path, &index);
}
