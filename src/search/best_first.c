// best_first.c -- A* (Hart, Nilsson and Raphael, 1968), and Dijkstra's algorithm as A* without an
// estimate.
//
// The loop makes one expansion a turn and keeps all it knows in the search object, so it can stop
// after any of them and go on later. A cell is taken off the open list before it is expanded and
// remembered as current; where a callback breaks the expansion off, the next call expands it again,
// which is harmless: what was already relaxed is found no cheaper.

#include "rules/corner_rules.h"
#include "search/expand_grid.h"
#include "search/jpsw.h"
#include "search/links.h"
#include "unit/heuristic.h"

// How far a cell is from the goal region along one axis, given how far from the goal.
static int beyond_goal_box(int distance, int range)
{
    distance = abs(distance);
    return distance > range ? distance - range : 0;
}

// Where the grid has links, 'linked', the estimate counts with them.
ASTAR_SPECIALIZE double estimate_to_goal(const AstarSearch *search, int x, int y, bool linked)
{
    const AstarFinder *finder = search->finder;
    int dx = x - search->goal_x, dy = y - search->goal_y;
    if (search->region == ASTAR_GOAL_BOX) {
        dx = beyond_goal_box(dx, search->question.range);
        dy = beyond_goal_box(dy, search->question.range);
    }
    if (finder->options.estimate != NULL && search->algorithm != ASTAR_DIJKSTRA)
        return finder->options.estimate(search->costs.context, abs(dx), abs(dy));
    double h = astar_estimate(&finder->heuristic, dx, dy);
    if (search->region == ASTAR_GOAL_NEAR)
        h = h > search->near_cost ? h - search->near_cost : 0;
    if (linked)
        h = astar_links_estimate(search, false, x, y, h);
    return h;
}

static bool is_goal_cell(const AstarSearch *search, uint32_t cell)
{
    if (search->region == ASTAR_GOAL_CELL)
        return cell == search->goal;
    int x, y;
    astar_cell_xy(search->finder->grid, cell, &x, &y);
    int dx = abs(x - search->goal_x), dy = abs(y - search->goal_y);
    if (search->region == ASTAR_GOAL_BOX)
        return dx <= search->question.range && dy <= search->question.range;
    return astar_estimate(&search->finder->distance, dx, dy) <= search->near;
}

// Keeps the nearest cell to the goal; of equally near ones the cheapest, then the lowest.
static void track_nearest(AstarSearch *search, uint32_t cell)
{
    const AstarNode *nodes = search->fronts[0].nodes;
    int x, y;
    astar_cell_xy(search->finder->grid, cell, &x, &y);
    double distance = astar_estimate(&search->finder->distance, x - search->goal_x,
                                     y - search->goal_y);
    if (search->nearest != ASTAR_NO_CELL) {
        double nearest = search->nearest_distance, g = nodes[search->nearest].g;
        if (distance > nearest || (distance == nearest && nodes[cell].g > g) ||
            (distance == nearest && nodes[cell].g == g && cell > search->nearest))
            return;
    }
    search->nearest = cell;
    search->nearest_distance = distance;
}

// What a step costs into a cell of that cost.
static inline double step_cost(const AstarFinder *finder, int direction, double cost)
{
    double length = direction & 1 ? finder->options.diagonal_cost : 1;
    return astar_finder_round(finder, cost * length);
}

// Notes a way to a cell, if it is the cheapest yet. The open list has room.
ASTAR_SPECIALIZE AstarStatus relax_cell(AstarSearch *search, AstarFront *front,
                                        const AstarSuccessor *step, double g, bool linked)
{
    AstarNode *node = &front->nodes[step->cell];
    if (node->stamp == front->stamp && (g >= node->g || (node->closed && !search->reopens)))
        return ASTAR_OK;
    double h = estimate_to_goal(search, step->x, step->y, linked);
    if (!(h >= 0 && h <= 1e300))
        return ASTAR_BAD_COST;
    if (search->finder->options.estimate != NULL &&
        astar_finder_version(search->finder) != search->costs.version)
        return ASTAR_GRID_CHANGED;
    if ((search->tracks || search->finder->options.estimate != NULL ? g : g + h) > search->limit) {
        search->pruned = true;
        return ASTAR_OK;
    }
    *node = (AstarNode){g, front->stamp, step->direction, false, 0, 0};
    double f = g + search->question.weight * h;
    astar_slotted_push(&front->open, f, astar_open(f, g, step->cell));
    return ASTAR_OK;
}

// The steps out of a cell that a best path may need, by the data.
static unsigned steps_by_data(const AstarSearch *search, uint32_t cell, int x, int y, int from)
{
    const AstarFinder *finder = search->finder;
    const AstarArrival *arrival = &search->arrivals[from];
    unsigned free = astar_bits_around(&finder->walkable->bits, x, y), same = 0;
    unsigned wanted = astar_legal_moves(finder->options.diagonals, free) & arrival->ahead;
    if (finder->is_uniform)
        same = free;
    else if (search->question.weight == 1)
        same = astar_canonical_same(finder, cell, free);
    return wanted & ~astar_canonical_left_out(arrival, free, same);
}

// The same by the cost callback, and what the cells entered cost.
static AstarStatus steps_by_asking(AstarSearch *search, uint32_t cell, int x, int y, int from,
                                   unsigned *wanted, AstarAround *around)
{
    const AstarArrival *arrival = &search->arrivals[from];
    *wanted = arrival->ahead;
    AstarStatus status = astar_costs_around(&search->costs, cell, x, y, false, wanted, around);
    if (status != ASTAR_OK || from == ASTAR_FROM_NOWHERE || search->question.weight > 1)
        return status;
    *wanted &= ~astar_canonical_left_out(arrival, around->known, around->same);
    return ASTAR_OK;
}

// Has what is kept of a cell 'offset' from another brought nearer: that cell's expansion will want
// it. There may be no such cell.
static inline void prefetch(const void *of_cell, int offset, size_t size)
{
    ASTAR_PREFETCH((uintptr_t)of_cell + (uintptr_t)((ptrdiff_t)offset * (ptrdiff_t)size));
}

// Follows steps as relax_cell() does, for a plain question. Costs are the data's where 'asked' is
// NULL; with 'alike', runs over such cells are jumped over.
ASTAR_SPECIALIZE void follow_plainly(AstarSearch *search, AstarFront *front, int x, int y,
                                     unsigned wanted, const double *asked, const AstarBits *areas)
{
    const AstarFinder *finder = search->finder;
    const uint8_t *ground = finder->ground;
    uint32_t cell = front->current, stamp = front->stamp;
    int width = finder->grid->width, dx = x - search->goal_x, dy = y - search->goal_y;
    double along = finder->heuristic.along, across = finder->heuristic.across;
    double g_here = front->nodes[cell].g;
    for (; wanted != 0; wanted &= wanted - 1) {
        int d = astar_lowest_bit(wanted);
        if (areas != NULL && astar_bits_get(areas, x + astar_dx[d], y + astar_dy[d])) {
            astar_expand_run(search, front, x, y, d);
            continue;
        }
        int offset = astar_dy[d] * width + astar_dx[d];
        uint32_t next = cell + (uint32_t)offset;
        AstarNode *node = &front->nodes[next];
        double g = g_here + (asked != NULL ? step_cost(finder, d, asked[d])
                                           : finder->step[d & 1][ground[next]]);
        if (node->stamp == stamp && g >= node->g)
            continue;
        int columns = abs(dx + astar_dx[d]), rows = abs(dy + astar_dy[d]);
        int greater = columns > rows ? columns : rows;
        double f = g + (along * greater + across * (columns + rows - greater));
        if (f > search->limit) {
            search->pruned = true;
            continue;
        }
        *node = (AstarNode){g, stamp, (uint8_t)d, false, 0, 0};
        prefetch(node, offset, sizeof *node);
        if (asked != NULL)
            prefetch(&search->costs.answers[next], offset, sizeof(AstarAnswer));
        astar_slotted_push(&front->open, f, astar_open(f, g, next));
    }
}

// Follows steps for any question.
static AstarStatus follow_steps(AstarSearch *search, AstarFront *front, int x, int y,
                                unsigned wanted, const double *asked)
{
    const AstarFinder *finder = search->finder;
    const AstarGrid *grid = finder->grid;
    uint32_t cell = front->current;
    double g = front->nodes[cell].g;
    AstarStatus status = ASTAR_OK;
    for (; wanted != 0 && status == ASTAR_OK; wanted &= wanted - 1) {
        int d = astar_lowest_bit(wanted);
        uint32_t next = cell + (uint32_t)(astar_dy[d] * grid->width + astar_dx[d]);
        double cost = asked != NULL ? step_cost(finder, d, asked[d])
                                    : finder->step[d & 1][finder->ground[next]];
        AstarSuccessor step = {next, x + astar_dx[d], y + astar_dy[d], (uint8_t)d, cost};
        status = relax_cell(search, front, &step, g + cost, false);
    }
    return status;
}

// Expands the current cell where no step_cost callback is asked.
static AstarStatus expand_canonically(AstarSearch *search, AstarFront *front)
{
    uint32_t cell = front->current;
    int x, y, from = front->nodes[cell].from;
    astar_cell_xy(search->grid, cell, &x, &y);
    if (search->finder->options.cost == NULL) {
        unsigned wanted = steps_by_data(search, cell, x, y, from);
        if (!search->is_plain)
            return follow_steps(search, front, x, y, wanted, NULL);
        if (search->algorithm == ASTAR_JPSW)
            follow_plainly(search, front, x, y, wanted, NULL, &search->finder->areas->rows);
        else
            follow_plainly(search, front, x, y, wanted, NULL, NULL);
        return ASTAR_OK;
    }
    unsigned wanted;
    AstarAround around;
    AstarStatus status = steps_by_asking(search, cell, x, y, from, &wanted, &around);
    if (status == ASTAR_OK && !search->is_plain)
        return follow_steps(search, front, x, y, wanted, around.costs);
    if (status == ASTAR_OK)
        follow_plainly(search, front, x, y, wanted, around.costs, NULL);
    return status;
}

static AstarStatus relax_over_link(AstarSearch *search, AstarFront *front,
                                   const AstarSuccessor *step, double g)
{
    return relax_cell(search, front, step, g, true);
}

// Expands the current cell where nothing is known of other ways: a step_cost callback is asked, or
// there is more to the grid than its ground.
static AstarStatus expand_by_steps(AstarSearch *search, AstarFront *front)
{
    AstarSuccessor successors[ASTAR_DIRECTIONS];
    int count = 0;
    AstarStatus status = astar_expand(search, front, front->current, successors, &count);
    double g = front->nodes[front->current].g;
    if (search->linked) {
        for (int i = 0; i < count && status == ASTAR_OK; i++)
            status = relax_over_link(search, front, &successors[i], g + successors[i].cost);
        return status == ASTAR_OK ? astar_links_expand(search, front, relax_over_link) : status;
    }
    for (int i = 0; i < count && status == ASTAR_OK; i++)
        status = relax_cell(search, front, &successors[i], g + successors[i].cost, false);
    return status;
}

static AstarStatus expand_best(AstarSearch *search, AstarFront *front)
{
    return search->no_pruning || search->linked ? expand_by_steps(search, front)
                                                : expand_canonically(search, front);
}

static AstarStatus give_up_search(AstarSearch *search, AstarStatus why)
{
    if (!search->tracks || search->nearest == ASTAR_NO_CELL)
        return why;
    search->found = search->nearest;
    return ASTAR_OK;
}

AstarStatus astar_search_exhausted(AstarSearch *search)
{
    return give_up_search(search, search->pruned ? ASTAR_MAX_COST : ASTAR_UNREACHABLE);
}

// Takes the next cell off the open list, ASTAR_RUNNING if it is to be expanded.
static AstarStatus take_best(AstarSearch *search, AstarFront *front)
{
    uint32_t cell;
    do {
        if (astar_slotted_count(&front->open) == 0)
            return astar_search_exhausted(search);
        cell = astar_open_cell(astar_slotted_pop(&front->open));
    } while (front->nodes[cell].closed);

    front->nodes[cell].closed = true;
    if (is_goal_cell(search, cell)) {
        search->found = cell;
        return ASTAR_OK;
    }
    if (search->tracks)
        track_nearest(search, cell);
    if (search->expanded == search->question.max_expansions)
        return give_up_search(search, ASTAR_MAX_EXPANSIONS);
    front->current = cell;
    return ASTAR_RUNNING;
}

AstarStatus astar_run_best_first(AstarSearch *search, uint64_t expansions)
{
    AstarFront *front = &search->fronts[0];
    const AstarAllocator *allocator = &search->allocator;
    size_t most = search->algorithm == ASTAR_JPSW ? ASTAR_JPSW_MOST_RUNS : ASTAR_DIRECTIONS;
    for (; expansions > 0; expansions--) {
        if (!astar_slotted_reserve(&front->open, allocator, most))
            return ASTAR_NO_MEMORY;
        if (front->current == ASTAR_NO_CELL) {
            AstarStatus status = take_best(search, front);
            if (status != ASTAR_RUNNING)
                return status;
        }
        AstarStatus status = expand_best(search, front);
        if (status != ASTAR_OK)
            return status;
        search->expanded++;
        front->current = ASTAR_NO_CELL;
    }
    return ASTAR_RUNNING;
}

double astar_best_first_estimate(const AstarSearch *search, int x, int y)
{
    return estimate_to_goal(search, x, y, search->linked);
}
