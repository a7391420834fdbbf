// jpsw_cost_model.c -- a cost model: whether a question is answered sooner by jumps than step by
// step.
//
// Every irregular cell that JPSW comes to is a node, and a node costs it a few times what a cell
// costs A*. So they must be a small share of what can be entered: a third breaks even on open
// ground and on game maps, half of that where blocks are scattered, for each corner is a node, too,
// and half of both where no step is diagonal, for then a node looks up and down from all of its
// row. Among scattered blocks a search floods where much ground is so far below the commonest that
// estimates say little, at all where no step is diagonal, for then nearly all routes tie: there
// only next to nothing may be irregular. The first expansion comes to all irregular cells in sight:
// A* is at a near goal before that, with nothing in its way, the nearer the weaker its estimate is.
// Where cheaper cells are told one by one (jpsw_estimate.c), that of jumps is much the better.
//
// Measured over six kinds of game maps, an open one and blocks scattered over 5 to 40 %, odd cells
// from a single one to 30 %, dearer and cheaper, goals near and far.

#include "derived/irregular.h"
#include "map/blocks.h"
#include "map/links_and_walls.h"
#include "search/jps.h"

#include <stdlib.h>

// So many cells that can be entered, for each irregular one, at least.
enum {
    LEAST_CELLS = 3,
    LEAST_BY_LANDMARKS = 8, // where estimates are good, which A* makes more of
    LEAST_AMONG_SCATTERED = 6,
    LEAST_IN_FLOOD = 300,
    LEAST_CELLS_OF_TOLD = 512, // for a cheaper one
    STRAIGHT_STEPS_TIMES = 2   // as many where no step is diagonal
};
enum { NEAR_BY_STEPS = 32, FAR_FOR_TOLD = 16 }; // cells along each axis
#define MUCH_CHEAPER 0.6

// The ground a finder can enter.
typedef struct Enterable {
    uint32_t cells, most; // the latter of one terrain,
    int common;           // which is this
    uint32_t cheaper;     // than that
} Enterable;

ASTAR_ONCE Enterable look_at_ground(const AstarFinder *finder)
{
    const AstarGrid *grid = finder->grid;
    uint32_t spare[ASTAR_MAX_TERRAINS];
    Enterable ground = {0};
    for (int i = 0; i < grid->terrains.count; i++) {
        bool enters = !isinf(finder->costs.cell[i]);
        spare[i] = enters ? astar_blocks_spare(grid, finder->options.ignore, i) : 0;
        ground.cells += spare[i];
        ground.common = spare[i] > ground.most ? i : ground.common;
        ground.most = spare[i] > ground.most ? spare[i] : ground.most;
    }
    for (int i = 0; i < grid->terrains.count; i++)
        if (finder->costs.cell[i] < finder->costs.cell[ground.common])
            ground.cheaper += spare[i];
    return ground;
}

// Whether irregular cells are few enough.
static bool are_few(const AstarFinder *finder, uint32_t cells, uint32_t least)
{
    if (!finder->rule->has_diagonals)
        least *= STRAIGHT_STEPS_TIMES;
    return (uint64_t)finder->on.irregular->count * least <= cells;
}

bool astar_jpsw_may_pay(const AstarFinder *finder)
{
    uint32_t least = finder->landmarks != NULL ? LEAST_BY_LANDMARKS : LEAST_CELLS;
    return are_few(finder, look_at_ground(finder).cells, least);
}

// Whether a goal is so near, with no block on the direct way.
static bool is_near(const AstarFinder *finder, int x, int y, const AstarGoal *goal, int left)
{
    const AstarBits *bits = &finder->on.walkable->bits;
    for (; left >= 0 && astar_bits_get(bits, x, y) && (x != goal->x || y != goal->y); left--) {
        x += (goal->x > x) - (goal->x < x);
        y += (goal->y > y) - (goal->y < y);
    }
    return x == goal->x && y == goal->y;
}

bool astar_jpsw_pays(const AstarSearch *search, const AstarGoal *goal)
{
    const AstarFinder *finder = search->finder;
    const bool has_diagonals = finder->rule->has_diagonals;
    Enterable ground = look_at_ground(finder);
    double step = finder->costs.step[0][ground.common], along = finder->costs.heuristic.along;
    double share = along < step ? along / step : 1; // A* opens more cells the less that is
    int near = (int)(NEAR_BY_STEPS * share * share);
    if (has_diagonals && !astar_grid_has_links_or_walls(finder->grid) &&
        is_near(finder, search->start_x, search->start_y, goal, near))
        return false;
    if (finder->landmarks != NULL || !astar_finder_allows(finder, ASTAR_PRUNING) ||
        astar_irregular_scattered(search->grid, finder->on.irregular) == 0)
        return true;
    // Where cheaper cells are told, estimates are good to a goal that is not near, unlike those of
    // A*; where much ground is odd they may fall short of the commonest.
    bool tells = ground.cheaper <= ASTAR_MOST_CHEAPER &&
                 ground.cheaper * LEAST_CELLS_OF_TOLD <= ground.cells;
    int far = astar_greater(abs(goal->x - search->start_x), abs(goal->y - search->start_y));
    if (share < 1 && tells && has_diagonals && far > FAR_FOR_TOLD)
        return true;
    bool floods = !tells && share < (has_diagonals ? MUCH_CHEAPER : 1) &&
                  ground.cells - ground.most > ASTAR_MOST_CHEAPER;
    return are_few(finder, ground.cells, floods ? LEAST_IN_FLOOD : LEAST_AMONG_SCATTERED);
}
