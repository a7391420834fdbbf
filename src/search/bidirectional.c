// bidirectional.c -- NBA* (W. Pijls and H. Post, "Yet another bidirectional algorithm for finding
// the shortest path", 2009).
//
// Two A* searches grow towards each other, one from the start, one back from the goal. A cell is
// taken off an open list once in all, by whichever side comes first; the other leaves it alone.
// Wherever both have a way to a cell, the two make a whole path, and the best of those is kept. A
// cell through which no better one can lead, by either side's estimates, is not expanded. When the
// least f of a side is no better than the best path, that path is the best there is. The estimates
// must be consistent, which every named heuristic is.

#include "search/estimate.h"
#include "search/expand_grid.h"

static bool is_known(const AstarFront *front, uint32_t cell)
{
    return front->nodes[cell].stamp == front->stamp;
}

static bool is_closed(const AstarSearch *search, uint32_t cell)
{
    for (int i = 0; i < 2; i++) {
        const AstarFront *front = &search->fronts[i];
        if (is_known(front, cell) && front->nodes[cell].closed)
            return true;
    }
    return false;
}

// Notes a way to a cell, if it is its side's cheapest yet, and the path it completes, if any.
ASTAR_SPECIALIZE void relax_side(AstarSearch *search, AstarFront *front, const AstarSuccessor *step,
                                 double g, bool linked)
{
    const AstarFront *other = &search->fronts[!front->backward];
    AstarNode *node = &front->nodes[step->cell];
    if (is_closed(search, step->cell) || (is_known(front, step->cell) && g >= node->g))
        return;
    double f = g + astar_front_estimate(search, front->backward, step->x, step->y, linked);
    if (f > search->limit) {
        search->failure = ASTAR_MAX_COST;
        return;
    }
    *node = (AstarNode){g, front->stamp, step->direction, false};
    astar_slotted_push(&front->open, f, astar_open(f, g, step->cell));
    if (is_known(other, step->cell) &&
        g + other->nodes[step->cell].g < search->bidirectional.cost) {
        search->bidirectional.cost = g + other->nodes[step->cell].g;
        search->found = step->cell;
    }
}

static AstarStatus relax_side_over_link(AstarSearch *search, AstarFront *front,
                                        const AstarSuccessor *step, double g)
{
    relax_side(search, front, step, g, true);
    return ASTAR_OK;
}

static AstarStatus finish_meeting(AstarSearch *search)
{
    if (search->found == ASTAR_NO_CELL)
        return astar_search_exhausted(search);
    return search->bidirectional.cost > search->limit ? ASTAR_MAX_COST : ASTAR_OK;
}

// Whether a better path than the best yet may lead through a cell just taken off an open list.
static bool is_promising(const AstarSearch *search, const AstarFront *front, uint32_t cell)
{
    int x, y;
    astar_cell_xy(search->grid, cell, &x, &y);
    double behind = astar_front_estimate(search, !front->backward, x, y, search->linked);
    const AstarBidirectional *best = &search->bidirectional;
    return front->nodes[cell].g + best->least_f[!front->backward] - behind < best->cost;
}

// Takes a cell off the shorter open list and makes it that side's current one.
static AstarStatus take_from_shorter(AstarSearch *search)
{
    for (;;) {
        AstarFront *fronts = search->fronts;
        AstarFront *front =
            &fronts[astar_slotted_count(&fronts[1].open) < astar_slotted_count(&fronts[0].open)];
        if (astar_slotted_count(&front->open) == 0)
            return finish_meeting(search);
        AstarOpen item = astar_slotted_pop(&front->open);
        uint32_t cell = astar_open_cell(item);
        if (is_closed(search, cell))
            continue;
        front->nodes[cell].closed = true;
        search->bidirectional.least_f[front->backward] = astar_open_f(item);
        if (astar_open_f(item) >= search->bidirectional.cost)
            return finish_meeting(search);
        if (!is_promising(search, front, cell))
            continue;
        if (search->expanded == search->question.max_expansions)
            return ASTAR_MAX_EXPANSIONS;
        front->current = cell;
        return ASTAR_RUNNING;
    }
}

static AstarStatus expand_side(AstarSearch *search, AstarFront *front)
{
    AstarSuccessor successors[ASTAR_DIRECTIONS];
    int count = 0;
    AstarStatus status = astar_expand(search, front, front->current, successors, &count);
    if (status != ASTAR_OK)
        return status;
    double g = front->nodes[front->current].g;
    for (int i = 0; i < count && !search->linked; i++)
        relax_side(search, front, &successors[i], g + successors[i].cost, false);
    if (search->linked) {
        for (int i = 0; i < count; i++)
            relax_side_over_link(search, front, &successors[i], g + successors[i].cost);
        status = astar_links_expand(search, front, relax_side_over_link);
        if (status != ASTAR_OK)
            return status;
    }
    front->current = ASTAR_NO_CELL;
    search->expanded++;
    return ASTAR_OK;
}

AstarStatus astar_run_bidirectional(AstarSearch *search, uint64_t expansions)
{
    AstarFront *fronts = search->fronts;
    const AstarAllocator *allocator = &search->allocator;
    for (; expansions > 0; expansions--) {
        if (!astar_slotted_reserve(&fronts[0].open, allocator, ASTAR_DIRECTIONS) ||
            !astar_slotted_reserve(&fronts[1].open, allocator, ASTAR_DIRECTIONS))
            return ASTAR_NO_MEMORY;
        if (fronts[0].current == ASTAR_NO_CELL && fronts[1].current == ASTAR_NO_CELL) {
            AstarStatus status = take_from_shorter(search);
            if (status != ASTAR_RUNNING)
                return status;
        }
        AstarStatus status = expand_side(search, &fronts[fronts[0].current == ASTAR_NO_CELL]);
        if (status != ASTAR_OK)
            return status;
    }
    return ASTAR_RUNNING;
}
