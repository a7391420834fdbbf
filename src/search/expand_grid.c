// expand_grid.c -- the successors of a cell, one step in each direction.
//
// Three of the eight lead back: to the cell this one was reached from, and to the two cells beside
// it. All three are neighbours of that parent too, reached from it by one straight step at no more
// than the way over here costs, so they are left out. With a step_cost callback steps cost as the
// script likes, and all eight are followed.

#include "search/expand_grid.h"

#include "rules/corner_rules.h"
#include "search/expand_layers.h"

#include <math.h>

// By the direction of arrival: that one and two to either side. From nowhere, and over a link: all.
static const uint8_t directions_ahead[ASTAR_DIRECTIONS + 2] = {0xC7, 0x8F, 0x1F, 0x3E, 0x7C,
                                                               0xF8, 0xF1, 0xE3, 0xFF, 0xFF};

// Fills in all but the cost; field by field, since copying a struct just written stalls.
static void set_neighbour(AstarSuccessor *step, const AstarGrid *grid, uint32_t cell, int x, int y,
                          int d)
{
    step->cell = cell + (uint32_t)(astar_dy[d] * grid->width + astar_dx[d]);
    step->x = x + astar_dx[d];
    step->y = y + astar_dy[d];
    step->direction = (uint8_t)d;
}

// The steps of a finder with callbacks. They may edit the grid, which ends the search, so nothing
// read before a call is used after it. Backward, a step is one into (x, y).
static AstarStatus expand_asking(AstarSearch *search, const AstarFront *front, uint32_t cell,
                                 AstarSuccessor successors[ASTAR_DIRECTIONS], int *count)
{
    const AstarFinder *finder = search->finder;
    const AstarOptions *options = &finder->options;
    bool backward = front->backward;
    bool all = options->step_cost != NULL || astar_grid_has_walls(finder->grid);
    unsigned wanted = all ? 0xFF : directions_ahead[front->nodes[cell].from];
    AstarAround around;
    double here = 0;
    int x, y;
    astar_cell_xy(finder->grid, cell, &x, &y);
    AstarStatus status = astar_costs_around(&search->costs, cell, x, y, backward, &wanted, &around);
    if (status == ASTAR_OK && backward)
        status = astar_costs_cell(&search->costs, x, y, &here);
    *count = 0;
    for (; wanted != 0 && status == ASTAR_OK; wanted &= wanted - 1) {
        int d = astar_lowest_bit(wanted);
        AstarSuccessor *step = &successors[*count];
        set_neighbour(step, finder->grid, cell, x, y, d);
        double cost = backward ? here : around.costs[d];
        step->cost = astar_finder_round(finder, d & 1 ? cost * options->diagonal_cost : cost);
        status = backward ? astar_costs_of_step(&search->costs, step->x, step->y, (d + 4) & 7,
                                                &step->cost)
                          : astar_costs_of_step(&search->costs, x, y, d, &step->cost);
        *count += isfinite(step->cost);
    }
    return status;
}

// The steps two turns aside of the arrival that cost more than another way from the parent to the
// same cell, where all ground costs the same. After a straight step that way is one diagonal step,
// where the corner between allows it; after a diagonal one it is two straight steps past the
// corner.
static unsigned needless(const AstarOptions *options, unsigned free, int arrival)
{
    double diagonal = options->diagonal_cost;
    bool is_straight = (arrival & 1) == 0;
    if (arrival >= ASTAR_FROM_NOWHERE || options->diagonals == ASTAR_NEVER ||
        (is_straight ? diagonal >= 2 : diagonal <= 1))
        return 0;
    unsigned corners = is_straight && options->diagonals != ASTAR_ONLY_WHEN_NO_OBSTACLES ? 0xFF
                                                                                         : free;
    unsigned ahead_of = 1u << arrival;
    unsigned right = astar_rotate(ahead_of, 2) & astar_rotate(corners, 7);
    unsigned left = astar_rotate(ahead_of, 6) & astar_rotate(corners, 1);
    return right | left;
}

AstarStatus astar_expand(AstarSearch *search, const AstarFront *front, uint32_t cell,
                         AstarSuccessor successors[ASTAR_DIRECTIONS], int *count)
{
    const AstarFinder *finder = search->finder;
    if (astar_finder_has_callbacks(finder))
        return expand_asking(search, front, cell, successors, count);
    if (astar_finder_is_layered(finder)) {
        astar_expand_layers(search, front, cell, successors, count);
        return ASTAR_OK;
    }

    const AstarGrid *grid = finder->grid;
    int x, y;
    astar_cell_xy(grid, cell, &x, &y);
    unsigned free = astar_bits_around(&finder->walkable->bits, x, y);
    unsigned wanted = astar_legal_moves(finder->options.diagonals, free) &
                      directions_ahead[front->nodes[cell].from];
    if (finder->is_uniform)
        wanted &= ~needless(&finder->options, free, front->nodes[cell].from);
    AstarSuccessor *step = successors;
    for (; wanted != 0; wanted &= wanted - 1, step++) {
        int d = astar_lowest_bit(wanted);
        set_neighbour(step, grid, cell, x, y, d);
        step->cost = finder->step[d & 1][finder->ground[front->backward ? cell : step->cell]];
    }
    *count = (int)(step - successors);
    return ASTAR_OK;
}
