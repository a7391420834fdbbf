// best_first.c -- A* (Hart, Nilsson and Raphael, 1968), and Dijkstra's algorithm as A* without an
// estimate.
//
// The loop makes one expansion a turn and keeps all it knows in the search object, so it can stop
// after any of them and go on later. A cell is taken off the open list before it is expanded and
// remembered as current; where a callback breaks the expansion off, the next call expands it again,
// which is harmless: what was already relaxed is found no cheaper.

#include "expand_grid.h"
#include "heuristic.h"

// How far a cell is from the goal region along one axis, given how far from the goal.
static int beyond(int distance, int range)
{
    distance = abs(distance);
    return distance > range ? distance - range : 0;
}

static double estimate(const AstarSearch *search, int x, int y)
{
    const AstarFinder *finder = search->finder;
    int dx = x - search->goal_x, dy = y - search->goal_y;
    if (search->region == ASTAR_GOAL_BOX) {
        dx = beyond(dx, finder->options.range);
        dy = beyond(dy, finder->options.range);
    }
    if (finder->options.estimate != NULL && search->algorithm != ASTAR_DIJKSTRA)
        return finder->options.estimate(search->costs.context, abs(dx), abs(dy));
    double h = astar_estimate(&finder->heuristic, dx, dy);
    if (search->region == ASTAR_GOAL_NEAR)
        h = h > search->near_cost ? h - search->near_cost : 0;
    return h;
}

static bool is_goal(const AstarSearch *search, uint32_t cell)
{
    if (search->region == ASTAR_GOAL_CELL)
        return cell == search->goal;
    int x, y;
    astar_cell_xy(search->finder->grid, cell, &x, &y);
    int dx = abs(x - search->goal_x), dy = abs(y - search->goal_y);
    if (search->region == ASTAR_GOAL_BOX)
        return dx <= search->finder->options.range && dy <= search->finder->options.range;
    return astar_estimate(&search->finder->distance, dx, dy) <= search->near;
}

// Keeps the nearest cell to the goal; of equally near ones the cheapest, then the lowest.
static void track(AstarSearch *search, uint32_t cell)
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

// Notes a way to a cell, if it is the cheapest yet. The open list has room.
static inline AstarStatus relax(AstarSearch *search, AstarFront *front, const AstarSuccessor *step,
                                double g)
{
    AstarNode *node = &front->nodes[step->cell];
    if (node->stamp == front->stamp && (g >= node->g || (node->closed && !search->reopens)))
        return ASTAR_OK;
    double h = estimate(search, step->x, step->y);
    if (!(h >= 0 && h <= 1e300))
        return ASTAR_BAD_COST;
    if (search->finder->options.estimate != NULL &&
        search->finder->grid->version != search->costs.version)
        return ASTAR_GRID_CHANGED;
    if ((search->tracks || search->finder->options.estimate != NULL ? g : g + h) > search->limit) {
        search->pruned = true;
        return ASTAR_OK;
    }
    *node = (AstarNode){g, front->stamp, step->direction, false};
    double f = g + search->finder->options.weight * h;
    astar_queue_push(&front->open, f, astar_open(f, g, step->cell));
    return ASTAR_OK;
}

// The steps out of a cell that a best path may need.
static unsigned steps_wanted(const AstarSearch *search, uint32_t cell, int x, int y, int from)
{
    const AstarFinder *finder = search->finder;
    const AstarArrival *arrival = &search->arrivals[from];
    unsigned free = astar_bits_around(&finder->walkable->bits, x, y);
    unsigned legal = astar_legal_moves(finder->options.diagonals, free) & arrival->ahead;
    unsigned same = finder->is_uniform            ? free
                    : finder->options.weight == 1 ? astar_canonical_same(finder->grid, cell, free)
                                                  : 0;
    return legal & ~astar_canonical_left_out(arrival, free, same);
}

// Follows steps as relax() does, for a plain question.
static void expand_plainly(AstarSearch *search, AstarFront *front, uint32_t cell, int x, int y,
                           unsigned wanted)
{
    const AstarFinder *finder = search->finder;
    const uint8_t *ground = finder->grid->ground;
    int width = finder->grid->width, dx = x - search->goal_x, dy = y - search->goal_y;
    uint32_t stamp = front->stamp;
    double along = finder->heuristic.along, across = finder->heuristic.across;
    double g_here = front->nodes[cell].g;
    for (; wanted != 0; wanted &= wanted - 1) {
        int d = astar_lowest_bit(wanted);
        uint32_t next = cell + (uint32_t)(astar_dy[d] * width + astar_dx[d]);
        AstarNode *node = &front->nodes[next];
        double g = g_here + finder->step[d & 1][ground[next]];
        if (node->stamp == stamp && g >= node->g)
            continue;
        int columns = abs(dx + astar_dx[d]), rows = abs(dy + astar_dy[d]);
        int greater = columns > rows ? columns : rows;
        double f = g + (along * greater + across * (columns + rows - greater));
        if (f > search->limit) {
            search->pruned = true;
            continue;
        }
        *node = (AstarNode){g, stamp, (uint8_t)d, false};
        astar_queue_push(&front->open, f, astar_open(f, g, next));
    }
}

// Expands the current cell where no callback is asked.
static AstarStatus expand_by_data(AstarSearch *search, AstarFront *front)
{
    const AstarFinder *finder = search->finder;
    const AstarGrid *grid = finder->grid;
    uint32_t cell = front->current;
    int x, y;
    astar_cell_xy(grid, cell, &x, &y);
    double g = front->nodes[cell].g;
    unsigned wanted = steps_wanted(search, cell, x, y, front->nodes[cell].from);
    if (search->is_plain) {
        expand_plainly(search, front, cell, x, y, wanted);
        return ASTAR_OK;
    }
    AstarStatus status = ASTAR_OK;
    for (; wanted != 0 && status == ASTAR_OK; wanted &= wanted - 1) {
        int d = astar_lowest_bit(wanted);
        uint32_t next = cell + (uint32_t)(astar_dy[d] * grid->width + astar_dx[d]);
        double cost = finder->step[d & 1][grid->ground[next]];
        AstarSuccessor step = {next, x + astar_dx[d], y + astar_dy[d], (uint8_t)d, cost};
        status = relax(search, front, &step, g + cost);
    }
    return status;
}

static AstarStatus expand_current(AstarSearch *search, AstarFront *front)
{
    if (!astar_finder_asks(search->finder))
        return expand_by_data(search, front);
    AstarSuccessor successors[ASTAR_DIRECTIONS];
    int count = 0;
    AstarStatus status = astar_expand(search, front, front->current, successors, &count);
    double g = front->nodes[front->current].g;
    for (int i = 0; i < count && status == ASTAR_OK; i++)
        status = relax(search, front, &successors[i], g + successors[i].cost);
    return status;
}

static AstarStatus give_up(AstarSearch *search, AstarStatus why)
{
    if (!search->tracks || search->nearest == ASTAR_NO_CELL)
        return why;
    search->found = search->nearest;
    return ASTAR_OK;
}

AstarStatus astar_search_exhausted(AstarSearch *search)
{
    return give_up(search, search->pruned ? ASTAR_MAX_COST : ASTAR_UNREACHABLE);
}

// Takes the next cell off the open list, ASTAR_RUNNING if it is to be expanded.
static AstarStatus choose_next(AstarSearch *search, AstarFront *front)
{
    uint32_t cell;
    do {
        if (astar_queue_count(&front->open) == 0)
            return astar_search_exhausted(search);
        cell = astar_open_cell(astar_queue_pop(&front->open));
    } while (front->nodes[cell].closed);

    front->nodes[cell].closed = true;
    if (is_goal(search, cell)) {
        search->found = cell;
        return ASTAR_OK;
    }
    if (search->tracks)
        track(search, cell);
    if (search->expanded == search->most_expansions)
        return give_up(search, ASTAR_MAX_EXPANSIONS);
    front->current = cell;
    return ASTAR_RUNNING;
}

AstarStatus astar_run_best_first(AstarSearch *search, uint64_t expansions)
{
    AstarFront *front = &search->fronts[0];
    const AstarAllocator *allocator = &search->finder->grid->allocator;
    for (; expansions > 0; expansions--) {
        if (!astar_queue_reserve(&front->open, allocator, ASTAR_DIRECTIONS))
            return ASTAR_NO_MEMORY;
        if (front->current == ASTAR_NO_CELL) {
            AstarStatus status = choose_next(search, front);
            if (status != ASTAR_RUNNING)
                return status;
        }
        AstarStatus status = expand_current(search, front);
        if (status != ASTAR_OK)
            return status;
        search->expanded++;
        front->current = ASTAR_NO_CELL;
    }
    return ASTAR_RUNNING;
}
