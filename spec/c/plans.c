// plans.c -- plans for crowds on maps so large that what would make them better has no room.

#include "astar.h"
#include "check.h"

// Three walls, each with a gap at its other end than the last: the way through them is so long that
// its steps times the cells are a little more than 2^32.
enum { SIDE = 1000, LAST_LEG = 320, STEPS = 4 * (SIDE - 1) + LAST_LEG };

static AstarGrid *serpentine(void)
{
    AstarGrid *grid = NULL;
    CHECK(astar_grid_new(NULL, SIDE, SIDE, &grid) == ASTAR_OK);
    for (int wall = 1; wall <= 3; wall++)
        CHECK(astar_grid_block(grid, wall & 1 ? 0 : 1, wall * SIDE / 4, SIDE - 1, 1) == ASTAR_OK);
    return grid;
}

// The plan is handed over as it is.
static void leaves_alone_what_is_too_large(void)
{
    AstarGrid *grid = serpentine();
    AstarFinder *finder;
    AstarCrowd *crowd;
    AstarUnit unit;
    AstarResolving *resolving;
    AstarOptions options = astar_options_default();
    options.diagonals = ASTAR_NEVER;
    CHECK(astar_finder_new(grid, &options, &finder) == ASTAR_OK);
    CHECK(astar_crowd_new(finder, NULL, &crowd) == ASTAR_OK);
    CHECK(astar_crowd_add(crowd, NULL, 0, 0, 1, &unit) == ASTAR_OK);
    CHECK(astar_crowd_go(crowd, unit, SIDE - 1 - LAST_LEG, SIDE - 1) == ASTAR_OK);
    CHECK(astar_crowd_resolving(crowd, NULL, 0, NULL, &resolving) == ASTAR_OK);
    CHECK(astar_resolving_step(resolving, UINT64_MAX) == ASTAR_OK);
    AstarResolvingFacts facts = astar_resolving_facts(resolving);
    CHECK(facts.is_followed && facts.beats == STEPS && facts.cost == STEPS);
    astar_resolving_release(resolving);
    astar_crowd_release(crowd);
    astar_finder_release(finder);
    astar_grid_release(grid);
}

int main(void)
{
    leaves_alone_what_is_too_large();
    return report();
}
