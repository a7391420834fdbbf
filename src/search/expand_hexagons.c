// expand_hexagons.c -- the expansion of hexagons towards one of them.
//
// It stands apart so that squares do not pay for the phase that a hexagon's neighbours go by.
//
// Where all ground costs the same, every hexagon of a ring around the start has the same f in a
// search without estimates, and they leave the open list by their numbers. So these are spread over
// the slots of that f by their numbers, too: the order is the same, with small heaps in place of a
// large one. A ring keeps clear of the next, and even if an edit brought other costs in, no item
// would overtake one of less by as much as a step costs.

#include "search/expand_grid.h"

// The free neighbours of a cell, and those worth following after the arrival there.
static unsigned steps_to_hexagons(const AstarFinder *finder, uint32_t cell, int x, int y, int from)
{
    const AstarShape *shape = finder->grid->shape;
    unsigned phase = astar_phase(shape, x, y);
    const AstarSideArrival *arrival = &finder->side_arrivals[phase][from];
    unsigned free = astar_bits_around(&finder->on.walkable->bits, x, y) & shape->around[phase];
    unsigned same = free;
    if (!finder->is_uniform)
        same = astar_canonical_same(finder->on.ground, finder->grid, cell,
                                    free & (arrival->past[0] | arrival->past[1]));
    return free & arrival->ahead & ~astar_side_order_left_out(arrival, same);
}

double astar_spread_of_ties(const AstarSearch *search)
{
    const AstarFinder *finder = search->finder;
    const double part = (ASTAR_SLOTS_A_STEP - 1.0) / ASTAR_SLOTS_A_STEP;
    bool has_rings = finder->is_uniform && finder->costs.heuristic.along == 0 &&
                     !search->own.linked && finder->options.avoid == NULL;
    double cells = (double)finder->grid->width * finder->grid->height;
    return has_rings ? part * finder->min_cost / cells : 0;
}

AstarStatus astar_expand_hexagons(AstarSearch *search)
{
    const AstarFinder *finder = search->finder;
    const AstarShape *shape = finder->grid->shape;
    const uint8_t *ground = finder->on.ground;
    AstarFront *front = &search->front;
    const int x = front->x, y = front->y, width = finder->grid->width;
    const uint32_t cell = front->current;
    const double g_here = astar_current_g(search), along = finder->costs.heuristic.along;
    const double spread = search->own.best_first.spread;
    unsigned wanted = steps_to_hexagons(finder, cell, x, y, astar_current_from(search));
    AstarMiddle here = astar_middle(shape, x, y);
    AstarMiddle goal = astar_middle(shape, search->goal.x, search->goal.y);
    int left = (int)(here.along - goal.along), lines = (int)(here.across - goal.across);
    const int8_t *side_of = shape->sides_of[astar_phase(shape, x, y)];
    for (; wanted != 0; wanted &= wanted - 1) {
        int d = astar_lowest_bit(wanted), side = side_of[d];
        int next_x = x + astar_dx[d], next_y = y + astar_dy[d];
        uint32_t next = cell + (uint32_t)(astar_dy[d] * width + astar_dx[d]);
        AstarPage *page = astar_page_for(&front->nodes, &search->allocator, next_x, next_y);
        if (page == NULL)
            return ASTAR_NO_MEMORY;
        unsigned place = astar_page_place(next_x, next_y);
        double g = g_here + finder->costs.step[0][ground[next]];
        if (g >= page->values[place])
            continue;
        int halves = abs(left + shape->along[side]);
        int across = abs(lines + shape->across[side]);
        double f = g + along * (halves > across ? (halves + across) / 2 : across);
        if (f > search->limit) {
            search->failure = ASTAR_MAX_COST;
            continue;
        }
        page->states[place] = (uint8_t)(d + 1);
        page->values[place] = g;
        astar_slotted_push(&front->open, f + spread * next, astar_open(f, g, next));
    }
    return ASTAR_OK;
}
