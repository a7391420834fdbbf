// jpsw_pays.c -- a cost model: whether a question is answered sooner by jumps than step by step.
//
// Every irregular cell that JPSW comes to is a node, and a node costs it a few times what a cell
// costs A*. So they must be a small share of what can be entered: a third breaks even on open
// ground and on game maps, half of that where blocks are scattered, for each corner is a node, too,
// and half of both where no step is diagonal, for then a node looks up and down from all of its
// row. Among scattered blocks a search floods where cheaper ground is so far below the commonest
// that estimates say little, and where no step is diagonal, for then nearly all routes tie: there
// only next to nothing may be irregular.
//
// Measured over six kinds of game maps, an open one and blocks scattered over 5 to 40 %, odd cells
// from a single one to 30 %, dearer and cheaper, goals near and far.

#include "derived/irregular.h"
#include "map/blocks.h"
#include "search/jpsw.h"

#include <stdlib.h>

// So many cells that can be entered, for each irregular one, at least.
enum {
    LEAST_CELLS = 3,
    LEAST_BY_LANDMARKS = 8, // where estimates are good, which A* makes more of
    LEAST_AMONG_SCATTERED = 6,
    LEAST_IN_FLOOD = 300,
    STRAIGHT_STEPS_TIMES = 2, // as many where no step is diagonal
    MOST_SHORT = 20           // steps that an estimate may fall short by,
};
#define MOST_SHORT_SHARE 0.4 // and this share of the walk, if that is more

// The ground a finder can enter.
typedef struct Enterable {
    uint32_t cells, most; // the latter of one terrain,
    int common;           // which is this
} Enterable;

static Enterable look_at_ground(const AstarFinder *finder)
{
    const AstarGrid *grid = finder->grid;
    Enterable ground = {0, 0, 0};
    for (int i = 0; i < grid->terrain_count; i++) {
        uint32_t spare = astar_blocks_spare(grid, finder->options.ignore, i);
        if (spare == 0 || isinf(finder->cell_cost[i]))
            continue;
        ground.cells += spare;
        ground.common = spare > ground.most ? i : ground.common;
        ground.most = spare > ground.most ? spare : ground.most;
    }
    return ground;
}

// Whether irregular cells are few enough.
static bool are_few(const AstarFinder *finder, uint32_t cells, uint32_t least)
{
    if (!finder->rule->has_diagonals)
        least *= STRAIGHT_STEPS_TIMES;
    return (uint64_t)finder->irregular->count * least <= cells;
}

bool astar_jpsw_may_pay(const AstarFinder *finder)
{
    uint32_t least = finder->landmarks != NULL ? LEAST_BY_LANDMARKS : LEAST_CELLS;
    return are_few(finder, look_at_ground(finder).cells, least);
}

// Whether the estimate is so far below a walk over the commonest ground that the search will flood
// the map between.
static bool estimate_falls_short(const AstarSearch *search, int terrain)
{
    const AstarFinder *finder = search->finder;
    int dx = abs(search->start_x - search->goal.x), dy = abs(search->start_y - search->goal.y);
    AstarHeuristic common = astar_heuristic(finder->rule->heuristic, finder->rule,
                                            finder->step[0][terrain],
                                            finder->step[finder->rule->has_diagonals][terrain]);
    double walk = astar_estimate(&common, dx, dy), most = MOST_SHORT * common.along;
    most = most > MOST_SHORT_SHARE * walk ? most : MOST_SHORT_SHARE * walk;
    return walk - astar_estimate(&finder->heuristic, dx, dy) > most &&
           walk - astar_jpsw_promise(search) > most;
}

bool astar_jpsw_pays(const AstarSearch *search)
{
    const AstarFinder *finder = search->finder;
    if (finder->landmarks != NULL || !astar_finder_allows(finder, ASTAR_PRUNING) ||
        astar_irregular_scattered(search->grid, finder->irregular) == 0)
        return true;
    Enterable ground = look_at_ground(finder);
    bool floods = !finder->rule->has_diagonals || estimate_falls_short(search, ground.common);
    return are_few(finder, ground.cells, floods ? LEAST_IN_FLOOD : LEAST_AMONG_SCATTERED);
}
