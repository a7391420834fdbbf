// prices.c -- what is built of a grid stays as it is when a terrain that no cell has gets a cost.
//
// Counted, not timed: the bitmaps, the ranks of terrains, components and jumps that a finder has
// are the same ones and current, its tables and a flow's costs count no change.

#include "../c/check.h"

#include "finder/finder.h"
#include "layers/components.h"
#include "layers/jump_bits.h"
#include "layers/walkable.h"

#include <math.h>

enum { PRICES_SIDE = 80, GRASS = 0, SWAMP, ABSENT };

typedef struct Built {
    const AstarWalkable *walkable;
    const AstarFootprints *footprints;
    const AstarComponents *components;
    const AstarJumpBitmaps *jump;
    uint64_t tables, cost_changes, bytes;
} Built;

// Builds all, and tells what there is; with 'is_current' nothing may be left to build.
static Built build_all(AstarGrid *grid, AstarFinder *finder, bool is_current)
{
    if (is_current) {
        CHECK(astar_finder_update_tables(finder) == ASTAR_OK);
        CHECK(astar_finder_is_current(finder));
        CHECK(!astar_get(&finder->on.walkable->components[1]->stale));
        CHECK(!astar_get(&finder->on.walkable->jumps[ASTAR_ONLY_WHEN_NO_OBSTACLES]->stale));
    }
    CHECK(astar_finder_update(finder) == ASTAR_OK);
    AstarComponents *components;
    AstarJumpBitmaps *jump;
    CHECK(astar_walkable_components(grid, finder->on.walkable, true, &components) == ASTAR_OK);
    CHECK(astar_walkable_jump(grid, finder->on.walkable, ASTAR_ONLY_WHEN_NO_OBSTACLES, &jump) ==
          ASTAR_OK);
    return (Built){
        finder->on.walkable,    finder->on.footprints, components, jump, finder->costs.changes,
        finder->costs.of_cells, astar_grid_bytes(grid)};
}

static void check_same(const Built *a, const Built *b)
{
    CHECK(a->walkable == b->walkable && a->footprints == b->footprints);
    CHECK(a->components == b->components && a->jump == b->jump);
    CHECK(a->tables == b->tables && a->cost_changes == b->cost_changes && a->bytes == b->bytes);
}

static void test_size(int size, bool has_swamp)
{
    AstarGrid *grid;
    AstarFinder *finder;
    int terrain;
    CHECK(astar_grid_new(NULL, PRICES_SIDE, PRICES_SIDE, &grid) == ASTAR_OK);
    CHECK(astar_grid_add_terrain(grid, 3, &terrain) == ASTAR_OK && terrain == SWAMP);
    CHECK(astar_grid_add_terrain(grid, 5, &terrain) == ASTAR_OK && terrain == ABSENT);
    if (has_swamp)
        CHECK(astar_grid_fill(grid, 3, 5, 20, 9, SWAMP) == ASTAR_OK);
    CHECK(astar_grid_block(grid, 40, 8, 3, 60) == ASTAR_OK);
    AstarOptions options = astar_options_default();
    options.size = size;
    CHECK(astar_finder_new(grid, &options, &finder) == ASTAR_OK);
    Built first = build_all(grid, finder, false);

    // dearer, cheaper than all, in between, not to be entered, to be entered again
    const double costs[] = {6, 0.5, 2, INFINITY, 4};
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
        uint64_t version = astar_grid_version(grid);
        CHECK(astar_grid_set_cost(grid, ABSENT, costs[i]) == ASTAR_OK);
        CHECK(astar_grid_cost(grid, ABSENT) == costs[i] || isinf(costs[i]));
        CHECK(astar_grid_version(grid) == version + 1); // it is an edit all the same
        CHECK(astar_grid_add_terrain(grid, costs[i], &terrain) == ASTAR_OK);
        Built now = build_all(grid, finder, true);
        first.bytes = now.bytes; // room for terrains
        check_same(&first, &now);
    }

    // It has its cost as soon as a cell has it, and what goes by that is built.
    CHECK(astar_grid_set_cost(grid, ABSENT, 7) == ASTAR_OK);
    CHECK(astar_grid_set(grid, 70, 70, ABSENT) == ASTAR_OK);
    Built then = build_all(grid, finder, false);
    CHECK(then.cost_changes > first.cost_changes && finder->costs.cell[ABSENT] == 7);
    CHECK(astar_grid_set_cost(grid, ABSENT, INFINITY) == ASTAR_OK);
    CHECK(!astar_grid_is_walkable(grid, 70, 70));
    (void)build_all(grid, finder, false);
    CHECK(!astar_bits_get(&finder->on.walkable->bits, 70, 70));
    astar_finder_release(finder);
    astar_grid_release(grid);
}

int main(void)
{
    for (int size = 1; size <= 3; size++)
        for (int has_swamp = 0; has_swamp < 2; has_swamp++)
            test_size(size, has_swamp);
    return 0;
}
