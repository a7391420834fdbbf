// hunt.c -- a search for one of many goals: which there are, which can be reached, how near they
// are.
//
// Whatever the goals and their range, time and memory stay in proportion to the map. Cells within
// range are marked once each (goal_range.h), on the nodes of the front that grows back from a goal,
// which is not at work here. What is asked of each goal or of each cell in turn goes by the ones in
// question, until that has come to more work than measuring the whole map (distance_transform.h).

#include "search/hunt.h"

#include "unit/heuristic.h"

// ---- which goals there are ----

size_t astar_hunt_index(const AstarHunt *hunt, uint32_t cell)
{
    size_t i = 0;
    while (astar_goal_cell(hunt, &hunt->goals->cells[i]) != cell)
        i++;
    return i;
}

// Marks a cell as belonging to the goal in another.
static void mark_goal_cell(AstarSearch *search, uint32_t cell, uint32_t goal)
{
    AstarFront *marks = &search->fronts[1];
    marks->nodes[cell].stamp = marks->stamp;
    marks->nodes[cell].g = goal;
}

static AstarStatus mark_in_range(void *context, uint32_t cell, const AstarSeed *goal)
{
    mark_goal_cell(context, cell, goal->cell);
    return ASTAR_OK;
}

AstarStatus astar_hunt_mark(AstarHunt *hunt)
{
    AstarSearch *search = hunt->search;
    const AstarGoals *goals = hunt->goals;
    int range = search->question.range;
    AstarStatus status = astar_search_plant(search, &search->fronts[1], search->start);
    if (status != ASTAR_OK)
        return status;
    search->fronts[1].nodes[search->start].stamp--; // a mark means a goal
    for (size_t i = 0; range == 0 && i < goals->count; i++) {
        uint32_t cell = astar_goal_cell(hunt, &goals->cells[i]);
        mark_goal_cell(search, cell, cell);
    }
    if (range == 0)
        return ASTAR_OK;
    status = astar_range_begin(&search->around, &search->allocator, search->grid, goals->count);
    if (status != ASTAR_OK)
        return status;
    for (size_t i = 0; i < goals->count; i++) {
        uint32_t cell = astar_goal_cell(hunt, &goals->cells[i]);
        astar_range_add(&search->around, cell, cell);
    }
    return astar_range_sweep(&search->around, search->grid, range, mark_in_range, search);
}

// ---- how near cells lie to each other ----

static AstarStatus need_nears(AstarSearch *search)
{
    if (search->nears == NULL)
        search->nears = astar_alloc(&search->allocator, search->cells, sizeof *search->nears);
    if (search->nears == NULL)
        return ASTAR_NO_MEMORY;
    astar_near_clear(search->nears, search->grid);
    return ASTAR_OK;
}

// Measures how near every cell lies to one that can be reached.
static AstarStatus measure_reach(AstarHunt *hunt, const AstarHeuristic *distance)
{
    AstarSearch *search = hunt->search;
    const AstarGrid *grid = search->grid;
    AstarStatus status = need_nears(search);
    if (status != ASTAR_OK)
        return status;
    for (int y = 0; y < grid->height; y++)
        for (int x = 0; x < grid->width; x++)
            if (astar_reachable_has(&hunt->reach, x, y))
                astar_near_put(search->nears, astar_cell(grid, x, y));
    astar_near_measure(search->nears, grid, distance);
    return ASTAR_OK;
}

// Measures how near every cell lies to a goal.
static AstarStatus measure_goals(AstarHunt *hunt)
{
    AstarSearch *search = hunt->search;
    AstarStatus status = need_nears(search);
    if (status != ASTAR_OK)
        return status;
    for (size_t i = 0; i < hunt->goals->count; i++)
        astar_near_put(search->nears, astar_goal_cell(hunt, &hunt->goals->cells[i]));
    astar_near_measure(search->nears, search->grid, &search->finder->distance);
    hunt->is_measured = true;
    return ASTAR_OK;
}

AstarStatus astar_hunt_distance(AstarHunt *hunt, uint32_t cell, AstarNear *nearest)
{
    const AstarSearch *search = hunt->search;
    hunt->compared += hunt->goals->count;
    if (!hunt->is_measured && hunt->compared > search->grid->cells) {
        AstarStatus status = measure_goals(hunt);
        if (status != ASTAR_OK)
            return status;
    }
    if (hunt->is_measured) {
        *nearest = search->nears[cell];
        return ASTAR_OK;
    }
    int x, y;
    astar_cell_xy(search->grid, cell, &x, &y);
    *nearest = (AstarNear){INFINITY, 0};
    for (size_t i = 0; i < hunt->goals->count; i++) {
        const AstarCell *goal = &hunt->goals->cells[i];
        AstarNear each = {astar_estimate(&search->finder->distance, x - goal->x, y - goal->y),
                          astar_goal_cell(hunt, goal)};
        if (astar_is_nearer(&each, nearest))
            *nearest = each;
    }
    return ASTAR_OK;
}

// ---- which goals can be reached ----

static bool is_at(const AstarSearch *search, const AstarCell *goal)
{
    int range = search->question.range;
    return abs(search->start_x - goal->x) <= range && abs(search->start_y - goal->y) <= range;
}

// Whether a goal can be reached by the data. 'is_measured': search->nears tells.
static bool can_reach(AstarHunt *hunt, const AstarCell *goal, bool is_measured)
{
    AstarSearch *search = hunt->search;
    int range = search->question.range;
    if (is_at(search, goal))
        return true;
    return is_measured ? search->nears[astar_goal_cell(hunt, goal)].distance <= range
                       : astar_reachable_has_within(&hunt->reach, goal->x, goal->y, range);
}

// Notes a goal, which can be reached or not.
static void note_goal(AstarHunt *hunt, size_t number, bool reachable)
{
    const AstarFinder *finder = hunt->search->finder;
    const AstarCell *goal = &hunt->goals->cells[number];
    if (!reachable) {
        hunt->any_free |= hunt->search->question.range > 0 ||
                          astar_bits_get(&finder->walkable->bits, goal->x, goal->y);
        return;
    }
    hunt->only = number;
    if (hunt->reachable++ < ASTAR_MANY_GOALS)
        hunt->kept[hunt->reachable - 1] = *goal;
}

AstarStatus astar_hunt_sort_out(AstarHunt *hunt)
{
    static const AstarHeuristic columns_and_rows = {1, 0, false};
    AstarSearch *search = hunt->search;
    AstarReachable *reach = &hunt->reach;
    bool is_measured = false;
    AstarStatus status = astar_reachable_from(search, search->start_x, search->start_y, reach);
    search->certain = reach->certain;
    hunt->any_free = hunt->goals->count == 0;
    for (size_t i = 0; status == ASTAR_OK && i < hunt->goals->count; i++) {
        note_goal(hunt, i, can_reach(hunt, &hunt->goals->cells[i], is_measured));
        if (!is_measured && reach->visited > search->grid->cells) {
            status = measure_reach(hunt, &columns_and_rows);
            is_measured = true;
        }
    }
    if (status != ASTAR_OK)
        return status;
    if (hunt->reachable > 0)
        return ASTAR_RUNNING;
    return hunt->any_free ? ASTAR_UNREACHABLE : ASTAR_GOAL_BLOCKED;
}

AstarStatus astar_hunt_nearest_reachable(AstarHunt *hunt, double *nearest)
{
    AstarSearch *search = hunt->search;
    bool is_measured = false;
    hunt->reach.visited = 0;
    *nearest = INFINITY;
    for (size_t i = 0; i < hunt->goals->count; i++) {
        const AstarCell *goal = &hunt->goals->cells[i];
        double here = astar_estimate(&search->finder->distance, search->start_x - goal->x,
                                     search->start_y - goal->y);
        *nearest = fmin(*nearest, here);
        if (!is_measured && hunt->reach.visited > search->grid->cells) {
            AstarStatus status = measure_reach(hunt, &search->finder->distance);
            if (status != ASTAR_OK)
                return status;
            is_measured = true;
        }
        *nearest = is_measured ? fmin(*nearest, search->nears[astar_goal_cell(hunt, goal)].distance)
                               : astar_reachable_nearest(&hunt->reach, goal->x, goal->y, *nearest);
    }
    return ASTAR_OK;
}
