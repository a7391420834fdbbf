// core.c -- the core as a C program sees it, through astar.h alone.

#include "astar.h"
#include "check.h"
#include "path_calls.h"

#include <stdlib.h>
#include <string.h>

static AstarWorkspace *workspace;

static AstarGrid *new_grid(int width, int height)
{
    AstarGrid *grid = NULL;
    CHECK(astar_grid_new(NULL, width, height, &grid) == ASTAR_OK);
    return grid;
}

static AstarFinder *new_finder(AstarGrid *grid, const AstarOptions *options)
{
    AstarFinder *finder = NULL;
    CHECK(astar_finder_new(grid, options, &finder) == ASTAR_OK);
    return finder;
}

static int add_terrain(AstarGrid *grid, double cost)
{
    int terrain = -1;
    CHECK(astar_grid_add_terrain(grid, cost, &terrain) == ASTAR_OK);
    return terrain;
}

// ---- grid ----

static void test_grid_size(void)
{
    AstarGrid *grid = NULL;
    CHECK(astar_grid_new(NULL, 0, 5, &grid) == ASTAR_BAD_OPTION);
    CHECK(astar_grid_new(NULL, 5, -1, &grid) == ASTAR_BAD_OPTION);
    CHECK(astar_grid_new(NULL, ASTAR_MAX_SIDE + 1, 1, &grid) == ASTAR_BAD_OPTION);
    CHECK(astar_grid_new(NULL, 65536, 65536, &grid) == ASTAR_BAD_OPTION);
    CHECK(grid == NULL);

    grid = new_grid(7, 3);
    CHECK(astar_grid_width(grid) == 7 && astar_grid_height(grid) == 3);
    CHECK(astar_grid_bytes(grid) >= 7 * 3);
    astar_grid_release(grid);
    astar_grid_release(NULL);
}

static void test_terrain(void)
{
    AstarGrid *grid = new_grid(4, 4);
    int swamp = add_terrain(grid, 5), water = add_terrain(grid, INFINITY), unused;
    CHECK(swamp == 1 && water == 2 && astar_grid_terrain_count(grid) == 3);
    CHECK(astar_grid_cost(grid, 0) == 1 && astar_grid_cost(grid, swamp) == 5);
    const double bad[] = {0, -1, NAN, -INFINITY, ASTAR_COST_MIN / 2, ASTAR_COST_MAX * 2};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK(astar_grid_add_terrain(grid, bad[i], &unused) == ASTAR_BAD_COST);
        CHECK(astar_grid_set_cost(grid, swamp, bad[i]) == ASTAR_BAD_COST);
    }
    CHECK(astar_grid_terrain_count(grid) == 3 && astar_grid_cost(grid, swamp) == 5);

    astar_grid_fill(grid, 1, 1, 2, 3, swamp);
    astar_grid_set(grid, 3, 3, water);
    CHECK(astar_grid_get(grid, 0, 0) == 0 && astar_grid_get(grid, 2, 3) == swamp);
    CHECK(!astar_grid_is_walkable(grid, 3, 3) && astar_grid_is_walkable(grid, 2, 3));

    while (astar_grid_terrain_count(grid) < ASTAR_MAX_TERRAINS)
        add_terrain(grid, 2);
    CHECK(astar_grid_add_terrain(grid, 2, &unused) == ASTAR_BAD_OPTION);
    astar_grid_release(grid);
}

static void test_blocks_and_version(void)
{
    AstarGrid *grid = new_grid(5, 5);
    int swamp = add_terrain(grid, 3);
    uint64_t version = astar_grid_version(grid);
    CHECK(astar_grid_block(grid, 1, 1, 3, 2) == ASTAR_OK);
    CHECK(astar_grid_version(grid) > version);
    CHECK(astar_grid_is_blocked(grid, 3, 2) && !astar_grid_is_walkable(grid, 3, 2));
    astar_grid_set(grid, 3, 2, swamp);
    CHECK(astar_grid_is_blocked(grid, 3, 2));

    AstarGrid *copy = NULL;
    CHECK(astar_grid_clone(grid, &copy) == ASTAR_OK);
    version = astar_grid_version(grid);
    astar_grid_unblock(grid, 0, 0, 5, 5);
    CHECK(astar_grid_version(grid) > version);
    CHECK(astar_grid_is_walkable(grid, 3, 2) && astar_grid_get(grid, 3, 2) == swamp);
    CHECK(astar_grid_is_blocked(copy, 3, 2) && astar_grid_get(copy, 3, 2) == swamp);
    version = astar_grid_version(grid);
    (void)astar_grid_get(grid, 0, 0);
    CHECK(astar_grid_version(grid) == version);
    astar_grid_release(copy);
    astar_grid_release(grid);
}

static bool has_layer_name(const AstarGrid *grid, int layer, const char *expected)
{
    size_t length;
    const char *name = astar_grid_layer_name(grid, layer, &length);
    return name != NULL && length == strlen(expected) && strcmp(name, expected) == 0;
}

static void test_layers(void)
{
    AstarGrid *grid = new_grid(5, 5), *copy = NULL;
    int red = -1, again = -1, layer;
    CHECK(astar_grid_layer(grid, "", 0, &layer) == ASTAR_OK && layer == 0);
    CHECK(astar_grid_layer(grid, "red", 3, &red) == ASTAR_OK && red == 1);
    CHECK(astar_grid_layer(grid, "red", 3, &again) == ASTAR_OK && again == red);
    CHECK(astar_grid_find_layer(grid, "re", 2) == -1);
    uint64_t version = astar_grid_version(grid);
    size_t bytes = astar_grid_bytes(grid);
    CHECK(astar_grid_unblock_layer(grid, red, 0, 0, 5, 5) == ASTAR_OK);
    CHECK(astar_grid_version(grid) == version && astar_grid_bytes(grid) == bytes);
    CHECK(astar_grid_block_layer(grid, 2, 0, 0, 1, 1) == ASTAR_BAD_OPTION);
    CHECK(astar_grid_unblock_layer(grid, -1, 0, 0, 1, 1) == ASTAR_BAD_OPTION);

    CHECK(astar_grid_block_layer(grid, red, 2, 0, 1, 5) == ASTAR_OK);
    CHECK(astar_grid_version(grid) == version + 1);
    CHECK(astar_grid_is_blocked_layer(grid, red, 2, 4) && !astar_grid_is_blocked(grid, 2, 4));
    CHECK(astar_grid_is_blocked_in_any(grid, 2, 4) && !astar_grid_is_walkable(grid, 2, 4));
    CHECK(!astar_grid_is_blocked_layer(grid, 2, 2, 4) && !astar_grid_is_blocked_in_any(grid, 1, 4));
    CHECK(astar_grid_clone(grid, &copy) == ASTAR_OK);
    CHECK(has_layer_name(copy, 0, "") && has_layer_name(copy, 1, "red"));
    CHECK(astar_grid_is_blocked_layer(copy, red, 2, 4) && astar_grid_layer_count(copy) == 2);

    char name[ASTAR_MAX_LAYER_NAME + 1] = "1";
    CHECK(astar_grid_layer(grid, name, sizeof name, &layer) == ASTAR_BAD_OPTION);
    for (int i = 2; i <= ASTAR_MAX_LAYERS; i++) { // each of another length
        CHECK(astar_grid_layer(grid, name, (size_t)i, &layer) == ASTAR_OK && layer == i);
        CHECK(astar_grid_find_layer(grid, name, (size_t)i) == i);
    }
    CHECK(astar_grid_layer(grid, "more", 4, &layer) == ASTAR_BAD_OPTION);
    size_t length = 1;
    CHECK(astar_grid_layer_name(grid, ASTAR_MAX_LAYERS + 1, &length) == NULL && length == 0);
    astar_grid_release(copy);
    astar_grid_release(grid);
}

// What two kinds of units find, one of which ignores a layer.
static void test_ignored_layers(void)
{
    AstarGrid *grid = new_grid(5, 5);
    AstarOptions options = astar_options_default();
    AstarFinder *finder = NULL, *other = NULL;
    AstarPath path;
    int red;
    astar_path_init(&path);
    options.ignore = 1u << 1;
    CHECK(astar_finder_new(grid, &options, &finder) == ASTAR_BAD_OPTION); // there is none yet
    CHECK(astar_grid_layer(grid, "red", 3, &red) == ASTAR_OK);
    CHECK(astar_finder_new(grid, &options, &finder) == ASTAR_OK);
    CHECK(astar_finder_new(grid, NULL, &other) == ASTAR_OK);
    CHECK(astar_grid_block_layer(grid, red, 2, 0, 1, 5) == ASTAR_OK);
    CHECK(astar_find_path(workspace, finder, 0, 0, 4, 0, NULL, NULL, &path) == ASTAR_OK);
    CHECK(path.cost == 4);
    CHECK(astar_find_path(workspace, other, 0, 0, 4, 0, NULL, NULL, &path) == ASTAR_UNREACHABLE);
    CHECK(astar_grid_block(grid, 2, 0, 1, 4) == ASTAR_OK); // in two layers
    CHECK(astar_find_path(workspace, finder, 0, 0, 4, 0, NULL, NULL, &path) == ASTAR_OK);
    CHECK(path.cost > 4);
    CHECK(astar_grid_unblock_layer(grid, red, 0, 0, 5, 5) == ASTAR_OK);
    CHECK(astar_find_path(workspace, other, 0, 0, 4, 0, NULL, NULL, &path) == ASTAR_OK);
    CHECK(path.cost > 4);
    astar_finder_release(other);
    astar_finder_release(finder);
    astar_path_destroy(&path);
    astar_grid_release(grid);
}

// ---- rules ----

static double cost_between(AstarGrid *grid, const AstarOptions *options, int sx, int sy, int gx,
                           int gy)
{
    AstarFinder *finder = new_finder(grid, options);
    AstarPath path;
    astar_path_init(&path);
    AstarStatus status = astar_find_path(workspace, finder, sx, sy, gx, gy, NULL, NULL, &path);
    double cost = status == ASTAR_OK ? path.cost : INFINITY;
    CHECK(status == ASTAR_OK || status == ASTAR_UNREACHABLE);
    astar_path_destroy(&path);
    astar_finder_release(finder);
    return cost;
}

// From the north-west to the south-east cell of two by two.
static void test_corners(void)
{
    // a row an obstacle count, a column a rule
    const double costs[3][4] = {
        {sqrt(2), sqrt(2), sqrt(2), 2},
        {sqrt(2), sqrt(2), 2, 2},
        {sqrt(2), INFINITY, INFINITY, INFINITY},
    };
    for (int obstacles = 0; obstacles < 3; obstacles++) {
        AstarGrid *grid = new_grid(2, 2);
        if (obstacles > 0)
            CHECK(astar_grid_block(grid, 1, 0, 1, 1) == ASTAR_OK);
        if (obstacles > 1)
            CHECK(astar_grid_block(grid, 0, 1, 1, 1) == ASTAR_OK);
        AstarOptions options = astar_options_default();
        for (int rule = ASTAR_ALWAYS; rule <= ASTAR_NEVER; rule++) {
            options.diagonals = (AstarDiagonals)rule;
            CHECK(near(cost_between(grid, &options, 0, 0, 1, 1), costs[obstacles][rule]));
        }
        astar_grid_release(grid);
    }
}

enum { SIDE = 12 };

static bool is_open(const AstarGrid *grid, int x, int y)
{
    return x >= 0 && x < SIDE && y >= 0 && y < SIDE && astar_grid_is_walkable(grid, x, y);
}

// The rule for one step, written plainly: its cost, INFINITY when it is not allowed.
static double step_cost(const AstarGrid *grid, AstarDiagonals rule, int x, int y, int dx, int dy)
{
    if (!is_open(grid, x + dx, y + dy))
        return INFINITY;
    double cost = astar_grid_cost(grid, astar_grid_get(grid, x + dx, y + dy));
    if (dx == 0 || dy == 0)
        return cost;
    const int needed[] = {0, 1, 2, 3};
    if (is_open(grid, x + dx, y) + is_open(grid, x, y + dy) < needed[rule])
        return INFINITY;
    return cost * sqrt(2);
}

// Least costs from one cell by relaxing every step until nothing changes (Bellman, 1958).
static void relax_all(const AstarGrid *grid, AstarDiagonals rule, int sx, int sy,
                      double best[SIDE][SIDE])
{
    for (int i = 0; i < SIDE * SIDE; i++)
        best[i / SIDE][i % SIDE] = INFINITY;
    best[sy][sx] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < SIDE * SIDE * 9; i++) {
            int x = i / 9 % SIDE, y = i / 9 / SIDE, dx = i % 3 - 1, dy = i / 3 % 3 - 1;
            if ((dx == 0 && dy == 0) || isinf(best[y][x]))
                continue;
            double cost = best[y][x] + step_cost(grid, rule, x, y, dx, dy);
            if (cost < INFINITY && cost < best[y + dy][x + dx] - 1e-12) {
                best[y + dy][x + dx] = cost;
                changed = true;
            }
        }
    }
}

// Every cell is a neighbour of the one before, every step legal, and the cost their sum.
static void check_steps(const AstarGrid *grid, AstarDiagonals rule, const AstarPath *path)
{
    double cost = 0;
    int x, y, next_x, next_y;
    astar_path_cell(path, 0, &x, &y);
    for (int i = 1; i < path->cells; i++) {
        astar_path_cell(path, i, &next_x, &next_y);
        CHECK(abs(next_x - x) <= 1 && abs(next_y - y) <= 1 && (next_x != x || next_y != y));
        cost += step_cost(grid, rule, x, y, next_x - x, next_y - y);
        x = next_x;
        y = next_y;
    }
    CHECK(near(cost, path->cost));
    CHECK(path->points[0].index == 0 && path->points[path->count - 1].index == path->cells - 1);
}

static void check_answer(AstarGrid *grid, const AstarOptions *options, int sx, int sy, int gx,
                         int gy, double best)
{
    AstarFinder *finder = new_finder(grid, options);
    AstarPath path;
    astar_path_init(&path);
    AstarStatus status = astar_find_path(workspace, finder, sx, sy, gx, gy, NULL, NULL, &path);
    bool reachable = false;
    CHECK(astar_reachable(workspace, finder, sx, sy, gx, gy, NULL, &reachable) == ASTAR_OK);
    CHECK(reachable == (status == ASTAR_OK));
    if (!astar_grid_is_walkable(grid, gx, gy) && (sx != gx || sy != gy)) {
        CHECK(status == ASTAR_GOAL_BLOCKED);
    } else {
        CHECK(status == (isinf(best) ? ASTAR_UNREACHABLE : ASTAR_OK));
        CHECK(status != ASTAR_OK || near(path.cost, best));
    }
    if (status == ASTAR_OK)
        check_steps(grid, options->diagonals, &path);
    astar_path_destroy(&path);
    astar_finder_release(finder);
}

// On uniform ground "auto" may choose an algorithm of its own, jump point search.
static AstarGrid *random_grid(uint32_t *seed, bool is_uniform)
{
    AstarGrid *grid = new_grid(SIDE, SIDE);
    int swamp = add_terrain(grid, 2.5), road = add_terrain(grid, 0.25);
    for (int i = 0; i < SIDE * SIDE; i++) {
        int x = i % SIDE, y = i / SIDE, what = random_below(seed, 10);
        if (what < 3)
            CHECK(astar_grid_block(grid, x, y, 1, 1) == ASTAR_OK);
        else if (what < 6 && !is_uniform)
            astar_grid_set(grid, x, y, what < 5 ? swamp : road);
    }
    return grid;
}

static void test_optimal(void)
{
    uint32_t seed = 2023;
    for (int round = 0; round < 60; round++) {
        AstarGrid *grid = random_grid(&seed, round % 2 == 1);
        int sx = random_below(&seed, SIDE), sy = random_below(&seed, SIDE);
        AstarOptions options = astar_options_default();
        for (int i = 0; i < 48; i++) {
            options.diagonals = (AstarDiagonals)(i % 4);
            options.algorithm = (AstarAlgorithm)(i / 4 % 3);
            options.heuristic = (AstarHeuristicName)random_below(&seed, ASTAR_ZERO + 1);
            double best[SIDE][SIDE];
            relax_all(grid, options.diagonals, sx, sy, best);
            int gx = random_below(&seed, SIDE), gy = random_below(&seed, SIDE);
            check_answer(grid, &options, sx, sy, gx, gy, best[gy][gx]);
        }
        astar_grid_release(grid);
    }
}

// ---- searches in steps ----

static bool same_paths(const AstarPath *a, const AstarPath *b)
{
    if (a->cells != b->cells || a->cost != b->cost || a->expanded != b->expanded)
        return false;
    for (int i = 0; i < a->cells; i++) {
        int ax, ay, bx, by;
        astar_path_cell(a, i, &ax, &ay);
        astar_path_cell(b, i, &bx, &by);
        if (ax != bx || ay != by)
            return false;
    }
    return true;
}

static void compare_with_steps(AstarGrid *grid, AstarAlgorithm algorithm, uint64_t expansions)
{
    AstarOptions options = astar_options_default();
    options.algorithm = algorithm;
    AstarFinder *finder = new_finder(grid, &options);
    AstarPath whole, stepped;
    astar_path_init(&whole);
    astar_path_init(&stepped);
    AstarStatus expected = astar_find_path(workspace, finder, 0, 0, SIDE - 1, SIDE - 1, NULL, NULL,
                                           &whole);

    AstarSearch *search;
    CHECK(astar_search_new(workspace, finder, 0, 0, SIDE - 1, SIDE - 1, NULL, &search) == ASTAR_OK);
    AstarStatus status;
    do
        status = astar_search_step(search, expansions, NULL);
    while (status == ASTAR_RUNNING);
    CHECK(status == expected);
    CHECK(astar_search_step(search, expansions, NULL) == status); // the end is the end
    if (status == ASTAR_OK) {
        CHECK(astar_search_path(search, &stepped) == ASTAR_OK);
        CHECK(same_paths(&whole, &stepped));
    }
    astar_search_free(search);
    astar_path_destroy(&stepped);
    astar_path_destroy(&whole);
    astar_finder_release(finder);
}

static void test_steps(void)
{
    uint32_t seed = 77;
    for (int round = 0; round < 40; round++) {
        AstarGrid *grid = random_grid(&seed, round % 2 == 1);
        astar_grid_unblock(grid, 0, 0, 1, 1);
        for (int algorithm = ASTAR_AUTO; algorithm <= ASTAR_DIJKSTRA; algorithm++) {
            compare_with_steps(grid, (AstarAlgorithm)algorithm, 1);
            compare_with_steps(grid, (AstarAlgorithm)algorithm, 7);
        }
        astar_grid_release(grid);
    }
}

static void test_edit_not_yet_read(void)
{
    for (int algorithm = ASTAR_AUTO; algorithm <= ASTAR_JPSW; algorithm++) {
        AstarGrid *grid = new_grid(30, 30);
        AstarOptions options = astar_options_default();
        options.algorithm = (AstarAlgorithm)algorithm;
        AstarFinder *finder = new_finder(grid, &options);
        AstarPath fresh, path;
        astar_path_init(&fresh);
        astar_path_init(&path);
        AstarSearch *search;
        CHECK(astar_search_new(workspace, finder, 15, 0, 25, 5, NULL, &search) == ASTAR_OK);
        CHECK(astar_search_step(search, 1, NULL) == ASTAR_RUNNING);
        CHECK(astar_grid_block(grid, 0, 25, 2, 2) == ASTAR_OK);
        CHECK(astar_find_path(workspace, finder, 15, 0, 25, 5, NULL, NULL, &fresh) == ASTAR_OK);
        CHECK(astar_search_step(search, UINT64_MAX, NULL) == ASTAR_OK);
        CHECK(astar_search_path(search, &path) == ASTAR_OK && same_paths(&path, &fresh));
        astar_search_free(search);
        astar_path_destroy(&fresh);
        astar_path_destroy(&path);
        astar_finder_release(finder);
        astar_grid_release(grid);
    }
}

static void test_edit_between_steps(void)
{
    AstarGrid *grid = new_grid(30, 30);
    AstarOptions options = astar_options_default();
    options.algorithm = ASTAR_DIJKSTRA;
    AstarFinder *finder = new_finder(grid, &options);
    AstarSearch *search;
    CHECK(astar_search_new(workspace, finder, 0, 0, 29, 29, NULL, &search) == ASTAR_OK);
    CHECK(astar_search_step(search, 10, NULL) == ASTAR_RUNNING);
    CHECK(astar_grid_block(grid, 1, 1, 2, 2) == ASTAR_OK);
    CHECK(astar_search_restarts(search) == 0);
    CHECK(astar_search_step(search, 10, NULL) == ASTAR_RUNNING);
    CHECK(astar_search_restarts(search) == 1 && astar_search_expanded(search) == 10);
    CHECK(astar_search_step(search, UINT64_MAX, NULL) == ASTAR_OK);
    astar_search_free(search);
    astar_search_free(NULL);
    astar_finder_release(finder);
    astar_grid_release(grid);
}

// ---- callbacks ----

typedef struct Host {
    AstarGrid *grid;
    double answer; // given for the cell or step at 'ask'
    int ask;
    int asked;
    bool edits;
} Host;

static double host_cost(void *context, int x, int y, int terrain, double cost)
{
    Host *host = context;
    (void)x;
    CHECK(terrain == 0 && cost == 1);
    if (host->edits)
        CHECK(astar_grid_block(host->grid, 0, 9, 1, 1) == ASTAR_OK);
    if (host->asked++ == host->ask)
        return host->answer;
    return y == 0 ? 3 : cost;
}

static double host_step(void *context, int x, int y, int to_x, int to_y, double cost)
{
    Host *host = context;
    (void)y;
    (void)to_y;
    if (host->asked++ == host->ask)
        return host->answer;
    return to_x < x ? INFINITY : cost; // nobody walks west
}

static double host_estimate(void *context, int dx, int dy)
{
    Host *host = context;
    if (host->asked++ == host->ask)
        return host->answer;
    return dx > dy ? dx : dy;
}

static AstarStatus ask(AstarFinder *finder, Host *host, AstarPath *path)
{
    host->asked = 0;
    return astar_find_path(workspace, finder, 0, 0, 9, 0, NULL, host, path);
}

// A callback that answers 'bad' at any of its first calls makes the query fail; the next is right.
static void check_bad_answers(const AstarOptions *options, double right, const double *bad)
{
    AstarGrid *grid = new_grid(10, 10);
    AstarFinder *finder = new_finder(grid, options);
    AstarPath path;
    astar_path_init(&path);
    Host host = {.grid = grid, .ask = -1};
    CHECK(ask(finder, &host, &path) == ASTAR_OK && near(path.cost, right));
    for (; *bad != 0 || signbit(*bad); bad++) {
        for (int call = 0; call < 10; call++) {
            host.ask = call;
            host.answer = *bad;
            CHECK(ask(finder, &host, &path) == ASTAR_BAD_COST);
            CHECK(path.cells > 0); // it holds what it held
        }
        host.ask = -1;
        CHECK(ask(finder, &host, &path) == ASTAR_OK && near(path.cost, right));
    }
    astar_path_destroy(&path);
    astar_finder_release(finder);
    astar_grid_release(grid);
}

static void test_bad_answers(void)
{
    // -0.0 is bad like 0, which ends a list
    const double costs[] = {NAN, -1, -0.0, 0.5, 3e6, -INFINITY, 0};
    const double estimates[] = {NAN, -1, INFINITY, -INFINITY, 0};
    AstarOptions options = astar_options_default();
    options.cost = host_cost;
    check_bad_answers(&options, 11 + sqrt(2), costs);
    options.cost = NULL;
    options.step_cost = host_step;
    check_bad_answers(&options, 9, costs);
    options.step_cost = NULL;
    options.estimate = host_estimate;
    check_bad_answers(&options, 9, estimates);
}

static void test_editing_callback(void)
{
    AstarGrid *grid = new_grid(10, 10);
    AstarOptions options = astar_options_default();
    options.cost = host_cost;
    AstarFinder *finder = new_finder(grid, &options);
    AstarPath path;
    astar_path_init(&path);
    Host host = {.grid = grid, .ask = -1, .edits = true};
    CHECK(ask(finder, &host, &path) == ASTAR_GRID_CHANGED);
    host.edits = false;
    CHECK(ask(finder, &host, &path) == ASTAR_OK);
    CHECK(near(path.cost, 11 + sqrt(2)));
    astar_path_destroy(&path);
    astar_finder_release(finder);
    astar_grid_release(grid);
}

// ---- outcomes ----

static AstarStatus outcome(AstarGrid *grid, const AstarOptions *options, int gx, int gy,
                           AstarPath *path)
{
    AstarFinder *finder = new_finder(grid, options);
    AstarStatus status = astar_find_path(workspace, finder, 1, 1, gx, gy, NULL, NULL, path);
    astar_finder_release(finder);
    return status;
}

static void check_end(const AstarPath *path, int x, int y, bool partial)
{
    int end_x, end_y;
    astar_path_cell(path, path->cells - 1, &end_x, &end_y);
    CHECK(end_x == x && end_y == y && path->partial == partial);
}

static void test_outcomes(void)
{
    AstarGrid *grid = new_grid(9, 3);
    int water = add_terrain(grid, INFINITY);
    astar_grid_fill(grid, 6, 0, 1, 3, water);
    AstarPath path;
    astar_path_init(&path);
    AstarOptions options = astar_options_default();
    CHECK(outcome(grid, NULL, 8, 1, &path) == ASTAR_UNREACHABLE);
    CHECK(outcome(grid, NULL, 6, 1, &path) == ASTAR_GOAL_BLOCKED);
    CHECK(outcome(grid, NULL, 1, 1, &path) == ASTAR_OK && path.cells == 1 && path.cost == 0);

    options.partial = true;
    CHECK(outcome(grid, &options, 8, 1, &path) == ASTAR_OK);
    check_end(&path, 5, 1, true);
    options = astar_options_default();
    options.range = 1;
    CHECK(outcome(grid, &options, 6, 1, &path) == ASTAR_OK);
    check_end(&path, 5, 1, false);
    options = astar_options_default();
    options.max_cost = 3;
    CHECK(outcome(grid, &options, 5, 1, &path) == ASTAR_MAX_COST);
    CHECK(outcome(grid, &options, 4, 1, &path) == ASTAR_OK && path.cost == 3);
    options = astar_options_default();
    options.algorithm = ASTAR_ASTAR;
    options.max_expansions = 1;
    CHECK(outcome(grid, &options, 5, 1, &path) == ASTAR_MAX_EXPANSIONS);

    CHECK(astar_grid_block(grid, 1, 1, 1, 1) == ASTAR_OK); // the unit itself stands there
    CHECK(outcome(grid, NULL, 4, 1, &path) == ASTAR_OK);
    astar_grid_set(grid, 1, 1, water);
    CHECK(outcome(grid, NULL, 4, 1, &path) == ASTAR_START_BLOCKED);
    CHECK(path.cells == 4); // of the last one found
    astar_path_destroy(&path);
    astar_grid_release(grid);
}

static void test_options(void)
{
    AstarGrid *grid = new_grid(3, 3);
    enum { COUNT = 13 };
    AstarOptions bad[COUNT];
    for (int i = 0; i < COUNT; i++)
        bad[i] = astar_options_default();
    bad[0].diagonal_cost = 0.5;
    bad[1].diagonal_cost = NAN;
    bad[2].weight = 0.9;
    bad[3].max_cost = -1;
    bad[4].max_expansions = 0;
    bad[5].range = -1;
    bad[6].min_cost = -1;
    bad[7].algorithm = ASTAR_JPSW;
    bad[7].range = 1;
    bad[8].algorithm = ASTAR_JPSW;
    bad[8].weight = 2;
    bad[9].algorithm = ASTAR_JPSW;
    bad[9].estimate = host_estimate;
    bad[10].algorithm = ASTAR_JPS;
    bad[10].cost = host_cost;
    bad[11].algorithm = ASTAR_JPS;
    bad[11].heuristic = ASTAR_MANHATTAN;
    bad[12].algorithm = ASTAR_JPSW;
    bad[12].step_cost = host_step;
    AstarFinder *finder = NULL;
    for (int i = 0; i < COUNT; i++)
        CHECK(astar_finder_new(grid, &bad[i], &finder) == ASTAR_BAD_OPTION);

    double costs[ASTAR_MAX_TERRAINS];
    for (int i = 0; i < ASTAR_MAX_TERRAINS; i++)
        costs[i] = NAN;
    AstarOptions options = astar_options_default();
    options.costs = costs;
    costs[0] = -1;
    CHECK(astar_finder_new(grid, &options, &finder) == ASTAR_BAD_COST);
    CHECK(finder == NULL);
    costs[0] = 7;
    finder = new_finder(grid, &options);
    costs[0] = 8; // it has its own copy
    CHECK(astar_finder_cost(finder, 0) == 7);
    CHECK(astar_finder_grid(finder) == grid);
    astar_finder_release(finder);
    astar_grid_release(grid);
}

static void test_texts(void)
{
    for (int status = ASTAR_OK; status <= ASTAR_NO_MEMORY; status++)
        CHECK(strlen(astar_status_text((AstarStatus)status)) > 0);
    CHECK(strcmp(astar_status_text(ASTAR_START_BLOCKED), "start blocked") == 0);
    CHECK(strcmp(astar_status_text(ASTAR_GOAL_BLOCKED), "goal blocked") == 0);
    CHECK(strcmp(astar_status_text(ASTAR_UNREACHABLE), "unreachable") == 0);
    CHECK(strcmp(astar_status_text(ASTAR_MAX_COST), "max_cost") == 0);
    CHECK(strcmp(astar_status_text(ASTAR_MAX_EXPANSIONS), "max_expansions") == 0);
}

// ---- paths ----

static void check_cursor(const AstarPath *path)
{
    AstarPathCursor cursor = astar_path_cursor(path);
    int x, y, cursor_x, cursor_y;
    for (int i = 0; i < path->cells; i++) {
        astar_path_cell(path, i, &x, &y);
        CHECK(astar_path_next(&cursor, &cursor_x, &cursor_y) && cursor_x == x && cursor_y == y);
    }
    CHECK(!astar_path_next(&cursor, &cursor_x, &cursor_y));
}

static void test_path(void)
{
    AstarGrid *grid = new_grid(20, 10);
    CHECK(astar_grid_block(grid, 4, 2, 1, 5) == ASTAR_OK);
    AstarFinder *finder = new_finder(grid, NULL);
    AstarPath path, other;
    astar_path_init(&path);
    astar_path_init(&other);
    CHECK(astar_find_path(workspace, finder, 0, 4, 9, 4, NULL, NULL, &path) == ASTAR_OK);
    int x, y, bad;
    astar_path_cell(&path, 0, &x, &y);
    CHECK(x == 0 && y == 4);
    astar_path_cell(&path, path.cells - 1, &x, &y);
    CHECK(x == 9 && y == 4);
    check_cursor(&path);

    CHECK(reverse_path(workspace, &path, finder, NULL, &other) == ASTAR_OK);
    CHECK(other.cells == path.cells && near(other.cost, path.cost));
    astar_path_cell(&other, 0, &x, &y);
    CHECK(x == 9 && y == 4);

    CHECK(smooth_path(workspace, &path, finder, NULL, &other) == ASTAR_OK);
    CHECK(other.count <= path.count && other.length <= path.length &&
          other.cost <= path.cost + 1e-9);
    astar_path_cell(&other, other.cells - 1, &x, &y);
    CHECK(x == 9 && y == 4);

    CHECK(check_cells_of(workspace, &path, finder, NULL, &bad) == ASTAR_OK && bad == -1);
    astar_path_cell(&path, 3, &x, &y);
    CHECK(astar_grid_block(grid, x, y, 1, 1) == ASTAR_OK);
    CHECK(check_cells_of(workspace, &path, finder, NULL, &bad) == ASTAR_OK);
    CHECK(bad >= 2 && bad <= 3); // 2 if the step before it passes the block's corner

    CHECK(repair_path(workspace, &path, finder, 1, false, NULL, &other) == ASTAR_OK);
    CHECK(check_cells_of(workspace, &other, finder, NULL, &bad) == ASTAR_OK && bad == -1);
    astar_path_cell(&other, other.cells - 1, &x, &y);
    CHECK(x == 9 && y == 4);
    CHECK(repair_path(workspace, &path, finder, 1, true, NULL, &path) == ASTAR_OK);
    CHECK(path.cost <= other.cost + 1e-9);
    astar_path_cell(&path, 0, &x, &y);
    CHECK(x == 1 || y == 3); // the second cell of the path that was
    astar_path_destroy(&other);
    astar_path_destroy(&path);
    astar_path_destroy(&path); // as good as new
    CHECK(path.cells == 0);
    astar_finder_release(finder);
    astar_grid_release(grid);
}

static void test_raycast(void)
{
    AstarGrid *grid = new_grid(9, 9);
    CHECK(astar_grid_block(grid, 4, 0, 1, 6) == ASTAR_OK);
    AstarFinder *finder = new_finder(grid, NULL);
    bool stopped;
    int x, y;
    CHECK(astar_raycast(workspace, finder, 0, 2, 8, 2, NULL, &stopped, &x, &y) == ASTAR_OK);
    CHECK(stopped && x == 4 && y == 2);
    CHECK(astar_raycast(workspace, finder, 0, 7, 8, 7, NULL, &stopped, &x, &y) == ASTAR_OK &&
          !stopped);
    CHECK(astar_raycast(workspace, finder, 3, 3, 3, 3, NULL, &stopped, &x, &y) == ASTAR_OK &&
          !stopped);
    astar_finder_release(finder);
    astar_grid_release(grid);
}

// ---- references ----

static void test_references(void)
{
    AstarGrid *grid = new_grid(8, 8);
    AstarFinder *finder = new_finder(grid, NULL);
    astar_grid_retain(grid);
    astar_grid_release(grid);
    astar_grid_release(grid); // the finder's is left
    AstarPath path;
    astar_path_init(&path);
    CHECK(astar_find_path(workspace, finder, 0, 0, 7, 7, NULL, NULL, &path) == ASTAR_OK &&
          path.cells == 8);

    AstarSearch *first, *second;
    CHECK(astar_search_new(workspace, finder, 0, 0, 7, 0, NULL, &first) == ASTAR_OK);
    CHECK(astar_search_new(workspace, finder, 0, 0, 0, 7, NULL, &second) == ASTAR_OK);
    astar_finder_retain(finder);
    astar_finder_release(finder);
    astar_finder_release(finder); // the searches' are left
    CHECK(astar_search_step(first, 1, NULL) == ASTAR_RUNNING);
    CHECK(astar_search_step(second, UINT64_MAX, NULL) == ASTAR_OK);
    CHECK(astar_search_step(first, UINT64_MAX, NULL) == ASTAR_OK);
    CHECK(astar_search_path(second, &path) == ASTAR_OK && path.cost == 7);
    astar_search_free(second);
    CHECK(astar_search_path(first, &path) == ASTAR_OK && path.cost == 7);
    astar_path_destroy(&path); // before the last of what it came from
    astar_search_free(first);
    astar_finder_release(NULL);
}

int main(void)
{
    CHECK(astar_workspace_new(NULL, &workspace) == ASTAR_OK);
    test_grid_size();
    test_terrain();
    test_blocks_and_version();
    test_layers();
    test_ignored_layers();
    test_corners();
    test_optimal();
    test_steps();
    test_edit_not_yet_read();
    test_edit_between_steps();
    test_bad_answers();
    test_editing_callback();
    test_outcomes();
    test_options();
    test_texts();
    test_path();
    test_raycast();
    test_references();
    astar_workspace_free(workspace);
    return report();
}
