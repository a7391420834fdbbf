// dead_ends.c -- searches that leave out dead ends find the routes that others find, whatever was
// edited.
//
// A question with a limit for expansions, however high, follows all turns, and so do those of a map
// on which none are looked for; the lengths are Dijkstra's, too. Dead ends are looked for in slices
// of any length, edits between them. The seed of the map that fails is
// printed. Of all corner rules and sizes, over uniform ground and with irregular cells.

#include "layers/dead_ends.h"
#include "chance.h"
#include "support.h"

#include "finder/finder.h"
#include "layers/jump_turns.h"
#include "layers/nonuniform.h"
#include "map/grid.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#ifndef MAPS
#define MAPS ALL_OR_FEW(320, 80)
#endif
enum { ROUNDS = 6, QUERIES = 60 };

// ---- maps ----

static void fill(AstarGrid *grid, int boxes, int most, bool blocks)
{
    int width = astar_grid_width(grid), height = astar_grid_height(grid);
    for (int i = 0; i < boxes; i++) {
        int x = below(width), y = below(height), w = 1 + below(most), h = 1 + below(most);
        w = x + w <= width ? w : width - x;
        h = y + h <= height ? h : height - y;
        if (blocks)
            astar_grid_block(grid, x, y, w, h);
        else
            astar_grid_unblock(grid, x, y, w, h);
    }
}

// Chambers in rock, and corridors one cell wide that begin in them.
static void dig(AstarGrid *grid, int chambers)
{
    int width = astar_grid_width(grid), height = astar_grid_height(grid);
    for (int i = 0; i < chambers; i++) {
        int x = below(width - 5), y = below(height - 5), length = 1 + below(14);
        bool across = below(2) == 0;
        int most = across ? width - x : height - y;
        astar_grid_unblock(grid, x, y, 2 + below(3), 2 + below(3));
        length = length < most ? length : most;
        astar_grid_unblock(grid, x, y, across ? length : 1, across ? 1 : length);
    }
}

// Noise, boxes on open ground, halls and alcoves in rock, or chambers and corridors.
static AstarGrid *new_map(void)
{
    AstarGrid *grid = NULL;
    int width = 6 + below(60), height = 6 + below(60);
    need(astar_grid_new(NULL, width, height, &grid));
    switch (below(5)) {
    case 0: fill(grid, width * height / (3 + below(10)), 1, true); break;
    case 1: fill(grid, 5 + below(30), 8, true); break;
    case 2:
        astar_grid_block(grid, 0, 0, width, height);
        fill(grid, 8 + below(40), 12, false);
        break;
    default: astar_grid_block(grid, 0, 0, width, height); dig(grid, width * height / 24);
    }
    return grid;
}

// Cells of another cost, thin walls and links.
static void make_nonuniform(AstarGrid *grid)
{
    int width = astar_grid_width(grid), height = astar_grid_height(grid), costly = 0;
    need(astar_grid_add_terrain(grid, below(2) == 0 ? 3 : 0.5, &costly));
    for (int i = below(width * height / 40 + 2); i >= 0; i--)
        need(astar_grid_set(grid, below(width), below(height), costly));
    for (int i = below(6); i > 0; i--)
        astar_grid_wall(grid, below(width), below(height), (AstarSide)below(4), below(2) == 0);
    for (int i = below(3); i > 0; i--) {
        int x = below(width), y = below(height), to_x = below(width), to_y = below(height);
        astar_grid_link(grid, x, y, to_x, to_y, 1 + below(30), 0, below(2) == 0);
    }
}

static void edit(AstarGrid *grid, bool is_nonuniform)
{
    int edits = below(6) == 0 ? 40 + below(40) : 1 + below(3);
    fill(grid, edits, below(20) == 0 ? 20 : 1, below(2) == 0);
    for (int i = is_nonuniform ? below(4) : 0; i > 0; i--)
        need(astar_grid_set(grid, below(astar_grid_width(grid)), below(astar_grid_height(grid)),
                            below(astar_grid_terrain_count(grid))));
}

// ---- finders ----

// What the finders of a map are for.
typedef struct Unit {
    AstarDiagonals rule;
    bool is_nonuniform;
    int size;
    double diagonal_cost;
} Unit;

static Unit unit_by(AstarDiagonals rule)
{
    return (Unit){rule, false, 1, sqrt(2)};
}

static AstarFinder *new_finder(AstarGrid *grid, const Unit *unit, AstarAlgorithm algorithm)
{
    AstarOptions options = astar_options_default();
    AstarFinder *finder = NULL;
    options.diagonals = unit->rule;
    options.algorithm = algorithm;
    options.size = unit->size;
    options.diagonal_cost = unit->diagonal_cost;
    need(astar_finder_new(grid, &options, &finder));
    return finder;
}

static AstarFinder *new_jumper(AstarGrid *grid, const Unit *unit)
{
    return new_finder(grid, unit, unit->is_nonuniform ? ASTAR_JPSW : ASTAR_JPS);
}

static AstarJumpBitmaps *jump_of(const AstarGrid *grid, AstarFinder *finder)
{
    AstarJumpBitmaps *jump = NULL;
    int64_t work = ASTAR_ALL_WORK;
    AstarDiagonals rule = finder->options.diagonals;
    need(astar_finder_update(finder));
    if (finder->options.algorithm == ASTAR_JPSW) {
        need(astar_finder_need_nonuniform(finder, &work));
        need(astar_nonuniform_jump(grid, finder->on.nonuniform, rule, &jump));
    } else {
        need(astar_walkable_jump(grid, finder->on.walkable, rule, &jump));
    }
    return jump;
}

// Finds dead ends within a work budget.
static void find_dead_ends(const AstarGrid *grid, AstarFinder *finder, int64_t work)
{
    AstarJumpBitmaps *jump = jump_of(grid, finder);
    AstarStatus status = astar_dead_ends_advance(jump, &finder->on.walkable->bits, &work);
    CHECK((status == ASTAR_OK) == (astar_get(&jump->known_dead_ends) != NULL));
    CHECK(status == ASTAR_OK || (status == ASTAR_RUNNING && work <= 0));
}

// ---- questions ----

static AstarStatus ask(AstarWorkspace *workspace, AstarFinder *finder, const int at[4],
                       uint64_t most, AstarPath *path)
{
    AstarQueryOptions query = astar_query_default(finder);
    query.max_expansions = most;
    return astar_find_path(workspace, finder, at[0], at[1], at[2], at[3], &query, NULL, path);
}

static bool same_route(const AstarPath *a, const AstarPath *b)
{
    for (int i = 0; i < a->count && i < b->count; i++)
        if (a->points[i].x != b->points[i].x || a->points[i].y != b->points[i].y)
            return false;
    return a->count == b->count && a->cost == b->cost;
}

static bool agrees(AstarWorkspace *workspace, AstarFinder *finder, AstarFinder *plain,
                   AstarFinder *oracle, const int at[4])
{
    AstarPath path, other, all, least;
    astar_path_init(&path);
    astar_path_init(&other);
    astar_path_init(&all);
    astar_path_init(&least);
    AstarStatus status = ask(workspace, finder, at, UINT64_MAX, &path);
    bool same = status == ask(workspace, finder, at, UINT64_MAX - 1, &other) &&
                status == ask(workspace, plain, at, UINT64_MAX, &all) &&
                status == ask(workspace, oracle, at, UINT64_MAX, &least);
    if (same && status == ASTAR_OK)
        same = same_route(&path, &other) && same_route(&path, &all) &&
               other.expanded == all.expanded &&
               fabs(path.cost - least.cost) <= 1e-9 * least.cost &&
               path.expanded <= 2 * other.expanded;
    astar_path_destroy(&path);
    astar_path_destroy(&other);
    astar_path_destroy(&all);
    astar_path_destroy(&least);
    return same;
}

static bool test_map(uint32_t seed, AstarWorkspace *workspace)
{
    chance = seed;
    AstarGrid *grid = new_map();
    chance = seed;
    AstarGrid *twin = new_map();
    int width = astar_grid_width(grid), height = astar_grid_height(grid);
    const Unit unit = {(AstarDiagonals)below(ASTAR_DIAGONALS_COUNT), below(3) == 0,
                       below(4) == 0 ? 2 + below(2) : 1,
                       below(2) == 0 ? 1 + below(8) / 8.0 : sqrt(2)};
    const int size = unit.size;
    if (unit.is_nonuniform) {
        uint32_t before = chance;
        make_nonuniform(grid);
        chance = before;
        make_nonuniform(twin);
    }
    AstarFinder *finder = new_jumper(grid, &unit), *plain = new_jumper(twin, &unit);
    AstarFinder *oracle = new_finder(grid, &unit, ASTAR_DIJKSTRA);
    bool same = true;
    for (int round = 0; round < ROUNDS && same; round++) {
        for (int i = below(8); i > 0; i--)
            find_dead_ends(grid, finder, below(4) == 0 ? below(100000) : below(3000));
        if (below(4) != 0)
            find_dead_ends(grid, finder, ASTAR_ALL_WORK);
        for (int i = 0; i < QUERIES && same; i++) {
            const int at[4] = {below(width - size + 1), below(height - size + 1),
                               below(width - size + 1), below(height - size + 1)};
            same = agrees(workspace, finder, plain, oracle, at);
        }
        uint32_t before = chance;
        edit(grid, unit.is_nonuniform);
        chance = before;
        edit(twin, unit.is_nonuniform);
    }
    astar_finder_release(finder);
    astar_finder_release(oracle);
    astar_finder_release(plain);
    astar_grid_release(grid);
    astar_grid_release(twin);
    return same;
}

// ---- what it saves ----

// A hall whose southern wall has many niches, and a goal beyond a wall. Runs by diagonals turn past
// a niche's corner; for others it widens inside.
static AstarGrid *new_hall(AstarDiagonals rule)
{
    AstarGrid *grid = NULL;
    need(astar_grid_new(NULL, 200, 60, &grid));
    astar_grid_block(grid, 0, 40, 200, 20);
    for (int x = 3; x < 190; x += 7) {
        astar_grid_unblock(grid, x, 40, 3, 4);
        if (rule == ASTAR_NEVER) {
            astar_grid_block(grid, x, 40, 1, 1);
            astar_grid_block(grid, x + 2, 40, 1, 1);
        }
    }
    astar_grid_block(grid, 154, 5, 1, 35);
    return grid;
}

static uint64_t expanded(AstarWorkspace *workspace, AstarFinder *finder)
{
    static const int across[4] = {1, 38, 198, 38};
    AstarPath path;
    astar_path_init(&path);
    need(ask(workspace, finder, across, UINT64_MAX, &path));
    uint64_t count = path.expanded;
    astar_path_destroy(&path);
    return count;
}

static void test_niches(AstarWorkspace *workspace, AstarDiagonals rule, bool is_nonuniform)
{
    Unit unit = unit_by(rule);
    AstarGrid *grid = new_hall(rule);
    unit.is_nonuniform = is_nonuniform;
    AstarFinder *finder = new_jumper(grid, &unit);
    uint64_t before = expanded(workspace, finder);
    find_dead_ends(grid, finder, ASTAR_ALL_WORK);
    uint64_t pruned = expanded(workspace, finder);
    CHECK(pruned < before);
    CHECK(astar_dead_ends_bytes(jump_of(grid, finder)) < (rule == ASTAR_NEVER ? 1 : 4) * 200 * 60);
    astar_grid_block(grid, 100, 20, 1, 1); // what is known is out of date until it is looked for
    CHECK(expanded(workspace, finder) >= before);
    find_dead_ends(grid, finder, ASTAR_ALL_WORK);
    CHECK(expanded(workspace, finder) < before);
    astar_finder_release(finder);
    astar_grid_release(grid);
}

// No question looks for dead ends.
static void test_queries(AstarWorkspace *workspace, AstarDiagonals rule, bool is_nonuniform)
{
    Unit unit = unit_by(rule);
    AstarGrid *grid = new_hall(rule);
    unit.is_nonuniform = is_nonuniform;
    AstarFinder *finder = new_jumper(grid, &unit);
    uint64_t before = expanded(workspace, finder);
    for (int i = 0; i < 1000; i++)
        CHECK(expanded(workspace, finder) == before);
    CHECK(jump_of(grid, finder)->dead_ends == NULL);
    astar_finder_release(finder);
    astar_grid_release(grid);
}

static void *allocate_some(void *left, size_t size)
{
    return (*(int *)left)-- > 0 ? calloc(1, size) : NULL;
}

// Where there is no memory for some of it all is as it was.
static void test_without_memory(AstarWorkspace *workspace, AstarDiagonals rule, int allocations)
{
    int left = INT_MAX;
    AstarAllocator allocator = {allocate_some, release_any, &left};
    AstarGrid *grid = NULL;
    need(astar_grid_new(&allocator, 200, 60, &grid));
    fill(grid, 60, 6, true);
    astar_grid_unblock(grid, 0, 38, 200, 1); // the way that is asked for
    const Unit unit = unit_by(rule);
    AstarFinder *finder = new_jumper(grid, &unit);
    AstarJumpBitmaps *jump = jump_of(grid, finder);
    left = allocations;
    int64_t work = ASTAR_ALL_WORK;
    CHECK(astar_dead_ends_advance(jump, &finder->on.walkable->bits, &work) == ASTAR_NO_MEMORY);
    CHECK(left < 0 && jump->dead_ends == NULL);
    left = INT_MAX;
    expanded(workspace, finder);
    astar_finder_release(finder);
    astar_grid_release(grid);
}

int main(void)
{
    AstarWorkspace *workspace = NULL;
    need(astar_workspace_new(NULL, &workspace));
    for (uint32_t seed = 1; seed <= MAPS; seed++)
        if (!test_map(seed, workspace)) {
            printf("the map of seed %u\n", (unsigned)seed);
            CHECK(false);
            break;
        }
    for (int rule = 0; rule <= ASTAR_NEVER; rule++)
        for (int i = 0; i < 2; i++) {
            test_niches(workspace, (AstarDiagonals)rule, i == 1);
            test_queries(workspace, (AstarDiagonals)rule, i == 1);
        }
    for (int i = 0; i < 4; i++) {
        test_without_memory(workspace, ASTAR_NEVER, i);
        test_without_memory(workspace, ASTAR_ONLY_WHEN_NO_OBSTACLES, i);
    }
    astar_workspace_free(workspace);
    return report();
}
