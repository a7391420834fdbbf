// landmarks.c -- after any sequence of edits, those made while landmarks are measured among them,
// no estimate by landmarks is more than the way costs.
//
// Small random maps of rough ground, with units of several sizes on them, are edited in all ways.
// The ways to a goal are measured by going over all cells until none comes nearer. The seed of the
// map that fails is printed.

#include "chance.h"

#include "base/directions.h"
#include "finder/finder.h"
#include "layers/landmarks.h"
#include "map/links_and_walls.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    MAPS = ALL_OR_FEW(400, 100),
    LARGE_MAPS = ALL_OR_FEW(20, 8), // on which edits change more than is repaired
    EDITS = 30,
    SIDE = 14,
    LARGE_SIDE = 50,
    MOST_CELLS = LARGE_SIDE * LARGE_SIDE,
    TERRAINS = 4
};

// ---- the oracle: what ways cost by the finder's tables ----

static bool can_stand(const AstarFinder *finder, uint32_t cell)
{
    int x, y;
    astar_cell_xy(finder->grid, cell, &x, &y);
    return astar_bits_get(&finder->on.walkable->bits, x, y);
}

// Brings a cell nearer to the goal by its steps; whether any did.
static bool improve(const AstarFinder *finder, uint32_t cell, double *cost)
{
    const AstarGrid *grid = finder->grid;
    double before = cost[cell];
    int x, y;
    astar_cell_xy(grid, cell, &x, &y);
    unsigned free = astar_bits_around(&finder->on.walkable->bits, x, y);
    unsigned moves = astar_legal_moves_on(grid, finder->rule, x, y, free, false);
    for (; moves != 0; moves &= moves - 1) {
        int d = astar_lowest_bit(moves);
        uint32_t next = cell + (uint32_t)(astar_dy[d] * grid->width + astar_dx[d]);
        cost[cell] = fmin(cost[cell],
                          cost[next] + finder->costs.step[d & 1][finder->on.ground[next]]);
    }
    for (uint32_t i = 0; astar_grid_has_links(grid) && i < grid->links_and_walls->arcs.count; i++) {
        const AstarArc *arc = astar_arc_at(&grid->links_and_walls->arcs, i);
        if (arc->from == cell && can_stand(finder, arc->to))
            cost[cell] = fmin(cost[cell],
                              cost[arc->to] + astar_finder_round_link(finder, arc->cost));
    }
    return cost[cell] < before;
}

static void measure(const AstarFinder *finder, uint32_t goal, double *cost)
{
    for (uint32_t cell = 0; cell < finder->grid->cells; cell++)
        cost[cell] = cell == goal ? 0 : (double)INFINITY;
    bool is_nearer = true;
    while (is_nearer) {
        is_nearer = false;
        for (uint32_t cell = 0; cell < finder->grid->cells; cell++)
            if (can_stand(finder, cell))
                is_nearer |= improve(finder, cell, cost);
    }
}

// ---- maps and their edits ----

// Half of them change the wall in the middle, where there is one.
static void edit(AstarGrid *grid, bool everything)
{
    int x = below(2) == 0 ? grid->width / 2 : below(grid->width), y = below(grid->height);
    int width = 1 + below(grid->width - x), height = 1 + below(grid->height - y);
    int to_x = below(grid->width), to_y = below(grid->height);
    AstarSide side = (AstarSide)(2 * below(4));
    switch (below(everything ? 10 : 4)) {
    case 0: need(astar_grid_block(grid, x, y, 1, 1)); break;
    case 1: need(astar_grid_unblock(grid, x, y, 1, 1)); break;
    case 2: need(astar_grid_set(grid, x, y, below(TERRAINS))); break;
    case 3: need(astar_grid_unblock(grid, x, y, width, height)); break;
    case 4:
        need(astar_grid_fill(grid, x, y, width < 3 ? width : 3, height, below(TERRAINS)));
        break;
    case 5: need(astar_grid_wall(grid, x, y, side, below(2) == 0)); break;
    case 6: need(astar_grid_unwall(grid, x, y, side, below(2) == 0)); break;
    case 7:
        if (x != to_x || y != to_y)
            need(astar_grid_link(grid, x, y, to_x, to_y, below(5), 0, below(2) == 0));
        break;
    case 8: astar_grid_unlink(grid, x, y, to_x, to_y, false); break;
    default: need(astar_grid_set_cost(grid, 1 + below(TERRAINS - 2), 1 + below(6))); break;
    }
}

static AstarGrid *new_map(int side, int kinds)
{
    AstarGrid *grid;
    int terrain;
    int width = side == LARGE_SIDE ? side : 1 + below(side);
    need(astar_grid_new(NULL, width, side == LARGE_SIDE ? side : 1 + below(side), &grid));
    need(astar_grid_add_terrain(grid, 2.7, &terrain));
    need(astar_grid_add_terrain(grid, 5, &terrain));
    need(astar_grid_add_terrain(grid, INFINITY, &terrain));
    for (int y = 0; y < astar_grid_height(grid); y++)
        for (int x = 0; x < astar_grid_width(grid); x++)
            need(astar_grid_set(grid, x, y, below(4) == 0 ? TERRAINS - 1 : below(kinds)));
    if (side == LARGE_SIDE)
        need(astar_grid_fill(grid, grid->width / 2, 0, 1, grid->height, TERRAINS - 1));
    return grid;
}

static double worth(const AstarFinder *finder)
{
    const AstarLandmarks *landmarks = finder->on.landmarks;
    return landmarks->scale > 0 ? 1 / landmarks->scale : finder->min_cost / landmarks->straight;
}

// ---- the test ----

// Whether all estimates for a goal hold.
static bool holds(const AstarFinder *finder, uint32_t goal)
{
    static double cost[MOST_CELLS];
    const AstarLandmarks *landmarks = finder->on.landmarks;
    AstarLandmarkBounds bounds = astar_landmarks_bounds(landmarks, goal);
    measure(finder, goal, cost);
    for (uint32_t cell = 0; cell < finder->grid->cells; cell++) {
        uint32_t estimate = astar_landmarks_estimate(astar_landmark_distance(landmarks, cell, 0),
                                                     landmarks->table_step, &bounds,
                                                     landmarks->tables);
        if (isfinite(cost[cell]) && estimate * worth(finder) > cost[cell] * (1 + 1e-9))
            return false;
    }
    return true;
}

static AstarFinder *new_unit(AstarGrid *grid)
{
    AstarOptions options = astar_options_default();
    AstarFinder *finder;
    options.diagonals = (AstarDiagonals)below(ASTAR_DIAGONALS_COUNT);
    options.diagonal_cost = below(2) == 0 ? 1.5 : ASTAR_SQRT2;
    options.size = 1 + below(3) / 2;
    need(astar_finder_new(grid, &options, &finder));
    need(astar_finder_update(finder));
    return finder;
}

static AstarLandmarkPlan plan_of(const AstarFinder *finder, bool is_whole, int count)
{
    return (AstarLandmarkPlan){.walkable = finder->on.walkable,
                               .footprints = finder->on.footprints,
                               .rule = finder->rule,
                               .cost = finder->costs.cell,
                               .own_cost = finder->own.cost,
                               .own_count = finder->own.count,
                               .diagonal_cost = finder->options.diagonal_cost,
                               .is_whole = is_whole,
                               .straight = 1000,
                               .diagonal = (uint32_t)(1000 * finder->options.diagonal_cost),
                               .count = count};
}

// Measures without asking whether that pays, lengths where there are no links; half of the maps in
// parts, with edits in between.
static void bake(AstarFinder *finder, bool is_whole, bool everything)
{
    int count = 1 + below(4), slice = below(2) == 0 ? 0 : 1 + below(4000), edits = below(40);
    AstarStatus status;
    AstarLandmarkMaking *making;
    need(astar_landmark_making_new(finder->grid, &making));
    do {
        AstarLandmarkPlan plan = plan_of(finder, is_whole, count);
        int64_t work = slice == 0 ? ASTAR_ALL_WORK : slice;
        status = astar_landmark_making_advance(making, &plan, &work);
        for (int i = below(3); status == ASTAR_RUNNING && i > 0 && edits > 0; i--, edits--)
            edit(finder->grid, everything && !is_whole);
        need(astar_finder_update(finder));
    } while (status == ASTAR_RUNNING);
    if (status == ASTAR_OK)
        finder->on.landmarks = astar_landmark_making_take(making);
    else
        CHECK(status == ASTAR_BAD_COST);
    astar_landmark_making_free(making);
}

static void try_map(uint32_t seed)
{
    chance = seed * 7919 + 12345;
    bool is_whole = below(3) == 0;
    AstarGrid *grid = new_map(seed > MAPS ? LARGE_SIDE : SIDE, is_whole ? 1 : TERRAINS - 1);
    for (int i = below(2) * 6; i > 0 && !is_whole; i--)
        edit(grid, true);
    AstarFinder *finder = new_unit(grid);
    bool everything = below(2) == 0, all_hold = true;
    bake(finder, is_whole, everything);
    for (int i = 0; i < EDITS && all_hold && finder->on.landmarks != NULL; i++) {
        uint32_t goal = (uint32_t)below((int)grid->cells);
        all_hold = !can_stand(finder, goal) || holds(finder, goal);
        edit(grid, everything);
        need(astar_finder_update(finder));
    }
    if (!all_hold)
        printf("seed %u\n", (unsigned)seed);
    CHECK(all_hold);
    astar_finder_release(finder);
    astar_grid_release(grid);
}

int main(void)
{
    for (uint32_t seed = 1; seed <= MAPS + LARGE_MAPS; seed++)
        try_map(seed);
    return report();
}
