// stamps.c -- what happens when the number of a query comes round.
//
// Nodes and answers of callbacks are stamped with the number of their query, so that nothing is
// cleared between queries; after 2^32 of them an old stamp would be taken for a new one. Here that
// is the second: everything must be cleared then, and the answers stay the same.

#include "../c/check.h"

#include "search/search.h"
#include "unit/finder.h"

enum { SIDE = 30 };

static double cost_of_cell(void *context, int x, int y, int terrain, double cost)
{
    const double *factor = context;
    (void)terrain;
    return (x + y) % 3 == 0 ? *factor * cost : cost;
}

static void set_stamps(AstarSearch *search, uint32_t stamp)
{
    search->lines.angle_stamp = stamp;
}

// The search that the next query will take.
static AstarSearch *search_at_rest(AstarWorkspace *workspace, AstarFinder *finder)
{
    AstarSearch *search = NULL;
    CHECK(astar_search_take(workspace, finder, &search) == ASTAR_OK);
    astar_search_free(search);
    return search;
}

static double cost_between(AstarWorkspace *workspace, AstarFinder *finder, int sx, int sy, int gx,
                           int gy, double factor)
{
    AstarPath path;
    astar_path_init(&path);
    CHECK(astar_find_path(workspace, finder, sx, sy, gx, gy, NULL, &factor, &path) == ASTAR_OK);
    double cost = path.cost;
    astar_path_destroy(&path);
    return cost;
}

// Two walls to go around; for routes at any angle blocks that the second query's passes on
// other sides than the way by steps.
static void build(AstarGrid *grid, bool any_angle)
{
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            if (any_angle ? x * (y + 1) % 11 == 2 : x == 10 ? y < SIDE - 2 : x == 20 && y >= 2)
                CHECK(astar_grid_block(grid, x, y, 1, 1) == ASTAR_OK);
}

// The first query leaves stamps of 1 behind, those of the second are 1 again: what is left of the
// first, another way at other costs, would lead it astray.
static void test_round(const AstarOptions *options, bool comes_round, double *cost)
{
    AstarGrid *grid;
    AstarFinder *finder;
    AstarWorkspace *workspace;
    CHECK(astar_workspace_new(NULL, &workspace) == ASTAR_OK);
    CHECK(astar_grid_new(NULL, SIDE, SIDE, &grid) == ASTAR_OK);
    build(grid, options->any_angle);
    CHECK(astar_finder_new(grid, options, &finder) == ASTAR_OK);
    (void)cost_between(workspace, finder, 25, 5, 0, 0, 9);
    AstarSearch *search = search_at_rest(workspace, finder);
    if (comes_round)
        set_stamps(search, UINT32_MAX);
    *cost = cost_between(workspace, finder, 0, 0, 25, 9, 2);
    CHECK(search_at_rest(workspace, finder) == search);
    if (options->any_angle)
        CHECK(search->lines.angle_stamp == (comes_round ? 1 : 2));
    CHECK(cost_between(workspace, finder, 0, 0, 25, 9, 2) == *cost);
    astar_workspace_free(workspace);
    astar_finder_release(finder);
    astar_grid_release(grid);
}

int main(void)
{
    const AstarAlgorithm algorithms[] = {
        ASTAR_ASTAR, ASTAR_JPS,   ASTAR_JPSW,     ASTAR_DIJKSTRA,
        ASTAR_ASTAR, ASTAR_ASTAR, ASTAR_DIJKSTRA, ASTAR_AUTO,
    };
    for (int kind = 0; kind < 8; kind++) {
        AstarOptions options = astar_options_default();
        options.algorithm = algorithms[kind];
        options.cost = kind >= 4 && kind < 7 ? cost_of_cell : NULL;
        options.size = kind == 5 ? 2 : 1;
        options.any_angle = kind == 7;
        double right, after;
        test_round(&options, false, &right);
        test_round(&options, true, &after);
        CHECK(right == after);
    }
    return report();
}
