// queries.c -- nearest goals, searches looked at, layers and options as a C host uses them.

#include "astar.h"
#include "check.h"
#include "path_calls.h"

#include <math.h>
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

// ---- nearest goals ----

static void test_nearest(void)
{
    AstarGrid *grid = new_grid(20, 5);
    AstarFinder *finder = new_finder(grid, NULL);
    AstarPath path;
    astar_path_init(&path);
    const AstarCell goals[] = {{19, 4}, {12, 0}, {6, 4}, {6, 4}};
    size_t index = 9;
    CHECK(astar_find_nearest(workspace, finder, 0, 0, goals, 4, NULL, NULL, &path, &index) ==
          ASTAR_OK);
    CHECK(index == 2 && near(path.cost, 2 + 4 * sqrt(2)));
    CHECK(astar_grid_block(grid, 6, 4, 1, 1) == ASTAR_OK);
    CHECK(astar_find_nearest(workspace, finder, 0, 0, goals, 4, NULL, NULL, &path, &index) ==
          ASTAR_OK);
    CHECK(index == 1 && path.cost == 12);
    CHECK(astar_find_nearest(workspace, finder, 0, 0, goals + 2, 2, NULL, NULL, &path, &index) ==
          ASTAR_GOAL_BLOCKED);
    CHECK(astar_find_nearest(workspace, finder, 0, 0, NULL, 0, NULL, NULL, &path, &index) ==
          ASTAR_UNREACHABLE);
    CHECK(astar_grid_block(grid, 10, 0, 1, 5) == ASTAR_OK);
    CHECK(astar_find_nearest(workspace, finder, 0, 0, goals, 2, NULL, NULL, &path, &index) ==
          ASTAR_UNREACHABLE);
    CHECK(path.cost == 12); // what it was
    astar_path_destroy(&path);
    astar_finder_release(finder);
    astar_grid_release(grid);
}

// ---- points that a host has room for ----

static void test_lent_points(void)
{
    AstarGrid *grid = new_grid(20, 5);
    AstarFinder *finder = new_finder(grid, NULL);
    AstarPoint room[4] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {-9, -9, -9}};
    AstarPath path, copy;
    for (int times = 0; times < 2; times++) {
        astar_path_init(&path);
        astar_path_init(&copy);
        path.points = room;
        path.capacity = 3;
        path.is_lent = true;
        CHECK(astar_find_path(workspace, finder, 0, 0, 19, 4, NULL, NULL, &path) == ASTAR_OK);
        CHECK(path.points == room && path.is_lent && path.count == 3 && path.cells == 20);
        CHECK(reverse_path(workspace, &path, finder, NULL, &copy) == ASTAR_OK);
        CHECK(copy.points != room && !copy.is_lent && copy.cells == 20);
        CHECK(astar_find_path(workspace, finder, 4, 4, 19, 4, NULL, NULL, &path) == ASTAR_OK);
        CHECK(path.points == room && path.count == 2 && room[1].x == 19 && room[2].y == 4);
        astar_grid_block(grid, 10, 0, 1, 4); // four points at least: down to the last row, and up
        CHECK(astar_find_path(workspace, finder, 0, 0, 19, 0, NULL, NULL, &path) == ASTAR_OK);
        CHECK(path.points != room && !path.is_lent && path.count > 3);
        CHECK(path.points[0].x == 0 && path.points[path.count - 1].x == 19);
        CHECK(room[2].y == 4 && room[3].x == -9); // left as it was
        astar_grid_unblock(grid, 10, 0, 1, 4);
        astar_path_destroy(&path);
        astar_path_destroy(&copy);
    }
    astar_finder_release(finder);
    astar_grid_release(grid);
}

static bool is_in_column(void *context, int x, int y, int terrain)
{
    const int *column = context;
    CHECK(terrain == 0);
    return x == *column && y > 0;
}

static void test_where(void)
{
    AstarGrid *grid = new_grid(9, 4);
    AstarFinder *finder = new_finder(grid, NULL);
    AstarPath path;
    astar_path_init(&path);
    int column = 3, x, y;
    CHECK(astar_find_where(workspace, finder, 0, 0, is_in_column, NULL, &column, &path) ==
          ASTAR_OK);
    astar_path_cell(&path, path.cells - 1, &x, &y);
    CHECK(x == 3 && y == 1 && near(path.cost, 2 + sqrt(2)));
    column = 9;
    CHECK(astar_find_where(workspace, finder, 0, 0, is_in_column, NULL, &column, &path) ==
          ASTAR_UNREACHABLE);
    astar_path_destroy(&path);
    astar_finder_release(finder);
    astar_grid_release(grid);
}

// ---- searches ----

// Of a search from the north-west to the south-east corner that has expanded a few cells.
static void check_search_of(const AstarSearch *search, AstarFinder *finder)
{
    int sx, sy, gx, gy;
    astar_search_ends(search, &sx, &sy, &gx, &gy);
    CHECK(sx == 0 && sy == 0 && gx == 11 && gy == 11);
    CHECK(astar_search_finder(search) == finder && astar_search_bytes(search) > 144);
    CHECK(astar_finder_options(finder)->algorithm == ASTAR_DIJKSTRA);
    CHECK(astar_search_cell(search, 0, 0) == ASTAR_CLOSED);
    CHECK(astar_search_cell(search, 11, 11) == ASTAR_UNSEEN);
    CHECK(astar_search_cell(search, 12, 0) == ASTAR_UNSEEN);
    AstarSeen seen;
    for (uint64_t cursor = 0; astar_search_seen(search, &cursor, NULL, &seen);) {
        AstarCellState expected = seen.closed ? ASTAR_CLOSED : ASTAR_OPENED;
        CHECK(astar_search_cell(search, seen.x, seen.y) == expected);
    }
}

static void test_search_is_told_of(void)
{
    AstarGrid *grid = new_grid(12, 12);
    AstarOptions options = astar_options_default();
    options.algorithm = ASTAR_DIJKSTRA;
    AstarFinder *finder = new_finder(grid, &options);
    AstarSearch *search = NULL;
    CHECK(astar_search_new(workspace, finder, 0, 0, 11, 11, NULL, &search) == ASTAR_OK);
    CHECK(astar_search_status(search) == ASTAR_RUNNING && astar_search_expanded(search) == 0);
    CHECK(astar_search_step(search, 5, NULL) == ASTAR_RUNNING);
    CHECK(astar_search_expanded(search) == 5);
    CHECK(astar_search_algorithm(search) == ASTAR_DIJKSTRA);
    check_search_of(search, finder);
    CHECK(astar_search_step(search, UINT64_MAX, NULL) == ASTAR_OK);
    CHECK(astar_search_status(search) == ASTAR_OK);

    // a path can no longer be told once what it costs has changed
    AstarPath path;
    astar_path_init(&path);
    CHECK(astar_grid_block(grid, 5, 5, 1, 1) == ASTAR_OK);
    CHECK(astar_search_path(search, &path) == ASTAR_GRID_CHANGED && path.cells == 0);
    astar_search_free(search);

    CHECK(astar_search_new(workspace, finder, 0, 0, 5, 5, NULL, &search) == ASTAR_OK);
    CHECK(astar_search_status(search) == ASTAR_GOAL_BLOCKED);
    CHECK(astar_search_algorithm(search) == ASTAR_AUTO);
    astar_search_free(search);
    astar_finder_release(finder);
    astar_grid_release(grid);
}

// ---- layers ----

static void test_links_refused(void)
{
    AstarGrid *grid = new_grid(5, 5);
    CHECK(!astar_grid_unlink(grid, 0, 0, 4, 4, false) && astar_grid_link_count(grid) == 0);
    CHECK(astar_grid_link(grid, 1, 1, 1, 1, 1, 0, false) == ASTAR_BAD_OPTION);
    const double bad[] = {-1, NAN, INFINITY, ASTAR_COST_MAX * 2};
    for (int i = 0; i < 4; i++)
        CHECK(astar_grid_link(grid, 0, 0, 4, 4, bad[i], 0, false) == ASTAR_BAD_COST);
    CHECK(astar_grid_link_count(grid) == 0);
    CHECK(astar_grid_link(grid, 0, 0, 4, 4, ASTAR_COST_MAX, 0, false) == ASTAR_OK);
    CHECK(astar_grid_link_count(grid) == 2);
    AstarOptions options = astar_options_default();
    options.algorithm = ASTAR_JPS;
    AstarFinder *finder = new_finder(grid, &options);
    AstarPath path;
    astar_path_init(&path);
    CHECK(astar_find_path(workspace, finder, 0, 0, 4, 4, NULL, NULL, &path) ==
          ASTAR_BAD_LINKS_AND_WALLS);
    CHECK(astar_grid_unlink(grid, 0, 0, 4, 4, false) && astar_grid_link_count(grid) == 0);
    CHECK(astar_find_path(workspace, finder, 0, 0, 4, 4, NULL, NULL, &path) == ASTAR_OK);
    astar_path_destroy(&path);
    astar_finder_release(finder);
    astar_grid_release(grid);
}

static void test_links_found(void)
{
    AstarGrid *grid = new_grid(5, 5);
    AstarLink link = {0};
    CHECK(!astar_grid_find_link(grid, 0, 0, 4, 4, &link));
    CHECK(astar_grid_link(grid, 0, 0, 4, 4, 2.5, 7, true) == ASTAR_OK);
    CHECK(astar_grid_find_link(grid, 0, 0, 4, 4, &link) && link.cost == 2.5 && link.label == 7);
    CHECK(link.x0 == 0 && link.y0 == 0 && link.x1 == 4 && link.y1 == 4);
    CHECK(!astar_grid_find_link(grid, 4, 4, 0, 0, &link));
    CHECK(!astar_grid_find_link(grid, 0, 0, 4, 3, &link));
    astar_grid_release(grid);
}

static void test_walls_listed(void)
{
    AstarGrid *grid = new_grid(3, 3);
    uint64_t cell = 0;
    int x, y;
    unsigned sides;
    CHECK(!astar_grid_next_walls(grid, &cell, &x, &y, &sides) && cell == 0);
    CHECK(astar_grid_wall(grid, 1, 1, ASTAR_SIDE_EAST, false) == ASTAR_OK);
    CHECK(astar_grid_wall(grid, 1, 1, ASTAR_SIDE_NORTH, true) == ASTAR_OK);
    CHECK(astar_grid_wall(grid, 2, 2, ASTAR_SIDE_SOUTH, true) == ASTAR_OK);
    CHECK(astar_grid_next_walls(grid, &cell, &x, &y, &sides) && x == 1 && y == 1);
    CHECK(sides == (1u << ASTAR_SIDE_EAST | 1u << ASTAR_SIDE_NORTH));
    CHECK(astar_grid_next_walls(grid, &cell, &x, &y, &sides) && x == 2 && y == 1);
    CHECK(sides == 1u << ASTAR_SIDE_WEST);
    CHECK(astar_grid_next_walls(grid, &cell, &x, &y, &sides) && x == 2 && y == 2);
    CHECK(sides == 1u << ASTAR_SIDE_SOUTH);
    CHECK(!astar_grid_next_walls(grid, &cell, &x, &y, &sides));
    astar_grid_release(grid);
}

static void test_flow_recalls(void)
{
    AstarGrid *grid = new_grid(9, 1);
    AstarFinder *finder = new_finder(grid, NULL);
    AstarFlow *flow = NULL;
    const AstarFlowGoal goal = {8, 0, 0};
    int x = -1, y = -1;
    CHECK(astar_flow_new(finder, &goal, 1, INFINITY, &flow) == ASTAR_OK);
    CHECK(astar_flow_finder(flow) == finder);
    CHECK(!astar_flow_recall(flow, 2, 0, &x, &y));
    CHECK(astar_flow_next(flow, 2, 0, NULL, &x, &y) == ASTAR_OK && x == 3 && y == 0);
    CHECK(astar_flow_recall(flow, 2, 0, &x, &y) && x == 3 && y == 0);
    CHECK(astar_grid_block(grid, 5, 0, 1, 1) == ASTAR_OK);
    CHECK(!astar_flow_recall(flow, 2, 0, &x, &y));
    astar_flow_release(flow);
    astar_finder_release(finder);
    astar_grid_release(grid);
}

static void test_walls(void)
{
    AstarGrid *grid = new_grid(3, 3);
    astar_grid_unwall(grid, 1, 1, ASTAR_SIDE_EAST, false); // none there yet
    CHECK(!astar_grid_has_wall(grid, 1, 1, ASTAR_SIDE_EAST));
    CHECK(astar_grid_link(grid, 0, 0, 2, 2, 1, 0, false) == ASTAR_OK);
    CHECK(!astar_grid_has_wall(grid, 1, 1, ASTAR_SIDE_EAST));
    CHECK(astar_grid_wall(grid, 1, 1, ASTAR_SIDE_EAST, true) == ASTAR_OK);
    CHECK(astar_grid_has_wall(grid, 1, 1, ASTAR_SIDE_EAST));
    CHECK(!astar_grid_has_wall(grid, 2, 1, ASTAR_SIDE_WEST));
    astar_grid_release(grid);
}

static void test_field(void)
{
    AstarField *field = NULL;
    CHECK(astar_field_new(NULL, 0, 1, &field) == ASTAR_BAD_OPTION);
    CHECK(astar_field_new(NULL, 1, 0, &field) == ASTAR_BAD_OPTION);
    CHECK(astar_field_new(NULL, ASTAR_MAX_SIDE + 1, 1, &field) == ASTAR_BAD_OPTION);
    CHECK(astar_field_new(NULL, 1, ASTAR_MAX_SIDE + 1, &field) == ASTAR_BAD_OPTION);
    CHECK(astar_field_new(NULL, 65536, 65536, &field) == ASTAR_BAD_OPTION);
    CHECK(field == NULL);
    CHECK(astar_field_new(NULL, 4, 3, &field) == ASTAR_OK);
    uint64_t version = astar_field_version(field);
    astar_field_set(field, 1, 1, 2);
    CHECK(astar_field_version(field) > version);
    version = astar_field_version(field);
    astar_field_set(field, 1, 1, 2); // nothing changes
    CHECK(astar_field_version(field) == version);

    AstarGrid *grid = new_grid(4, 4);
    AstarOptions options = astar_options_default();
    options.avoid = field;
    AstarFinder *finder = NULL;
    CHECK(astar_finder_new(grid, &options, &finder) == ASTAR_BAD_OPTION && finder == NULL);
    astar_grid_release(grid);
    astar_field_release(field);
}

// ---- options ----

static void test_options_refused(void)
{
    AstarGrid *grid = new_grid(3, 3);
    AstarField *field = NULL;
    CHECK(astar_field_new(NULL, 3, 3, &field) == ASTAR_OK);
    enum { COUNT = 15 };
    AstarOptions bad[COUNT];
    for (int i = 0; i < COUNT; i++)
        bad[i] = astar_options_default();
    bad[0].diagonals = (AstarDiagonals)(ASTAR_NEVER + 1);
    bad[1].heuristic = (AstarHeuristicName)(ASTAR_ZERO + 1);
    bad[2].algorithm = (AstarAlgorithm)99;
    bad[3].range = ASTAR_MAX_SIDE + 1;
    bad[4].size = 0;
    bad[5].size = ASTAR_MAX_SIZE + 1;
    bad[6].avoid_weight = -1;
    bad[7].avoid_weight = NAN;
    bad[8].height = ASTAR_MAX_SIZE + 1;
    bad[9].algorithm = ASTAR_JPS;
    bad[9].avoid = field;
    bad[10].diagonal_cost = 2.1;
    bad[11].weight = ASTAR_MAX_WEIGHT * 2;
    const double bends[3][4] = {{0, 1, 0, 0}, {0, 0, 0, -1}, {NAN, 0, 0, 0}};
    bad[13].bend_cost = bad[14].bend_cost = 2; // of the other they are more than that
    for (int i = 0; i < 3; i++)
        bad[12 + i].bend_costs = bends[i];
    AstarFinder *finder = NULL;
    for (int i = 0; i < COUNT; i++)
        CHECK(astar_finder_new(grid, &bad[i], &finder) == ASTAR_BAD_OPTION);
    AstarOptions wide = astar_options_default();
    wide.size = 2;
    wide.height = 1;
    wide.avoid = field;
    CHECK(astar_finder_new(grid, &wide, &finder) == ASTAR_OK);
    CHECK(astar_finder_options(finder)->size == 2 && astar_finder_options(finder)->height == 1);
    astar_finder_release(finder);
    finder = new_finder(grid, NULL);
    AstarBaking baking;
    CHECK(astar_finder_bake(finder, -1, &baking) == ASTAR_BAD_OPTION);
    CHECK(astar_finder_bake(finder, 17, &baking) == ASTAR_BAD_OPTION);
    CHECK(astar_finder_cost(finder, 0) == 1);
    CHECK(astar_grid_set_cost(grid, 0, 3) == ASTAR_OK);
    CHECK(astar_finder_cost(finder, 0) == 3);
    astar_finder_release(finder);
    astar_field_release(field);
    astar_grid_release(grid);
}

// Round a corner by two bends of 45 degrees, or one of 90.
static void test_bends_by_angle(void)
{
    AstarGrid *grid = new_grid(5, 5);
    AstarPath path;
    astar_path_init(&path);
    for (int i = 0; i < 2; i++) {
        AstarOptions options = astar_options_default();
        options.heading = ASTAR_HEADING_SOUTH;
        options.bend_cost = 3;
        double costs[] = {i == 0 ? 1 : 3, 3, 3, 3};
        options.bend_costs = costs;
        AstarFinder *finder = new_finder(grid, &options);
        CHECK(astar_find_path(workspace, finder, 0, 0, 4, 2, NULL, NULL, &path) == ASTAR_OK);
        CHECK(fabs(path.cost - (i == 0 ? 4 + 2 * sqrt(2) : 6 + 3)) < 1e-9);
        CHECK(astar_path_bends(&path) == (i == 0 ? 2 : 1));
        astar_finder_release(finder);
    }
    astar_path_destroy(&path);
    astar_grid_release(grid);
}

static void test_empty_path(void)
{
    AstarGrid *grid = new_grid(4, 4);
    AstarFinder *finder = new_finder(grid, NULL);
    AstarPath path, out;
    astar_path_init(&path);
    astar_path_init(&out);
    int bad = 9;
    CHECK(path.cells == 0 && path.count == 0);
    CHECK(!astar_path_link(&path, 0, NULL));
    CHECK(check_cells_of(workspace, &path, finder, NULL, &bad) == ASTAR_OK && bad == 0);
    CHECK(reverse_path(workspace, &path, finder, NULL, &out) == ASTAR_OK);
    CHECK(out.cells == 0 && isinf(out.cost));
    CHECK(smooth_path(workspace, &path, finder, NULL, &out) == ASTAR_OK);
    CHECK(out.cells == 0 && isinf(out.cost));
    astar_path_destroy(&out);
    astar_path_destroy(&path);
    astar_finder_release(finder);
    astar_grid_release(grid);
}

// Adds walls to a map, each one cell wide.
static void add_random_walls(AstarGrid *grid, int count, uint32_t *seed)
{
    const int width = astar_grid_width(grid), height = astar_grid_height(grid);
    for (int i = 0; i < count; i++) {
        int x = random_below(seed, width), y = random_below(seed, height);
        bool is_row = random_below(seed, 2) == 0;
        CHECK(astar_grid_block(grid, x, y, is_row ? 1 + random_below(seed, width - x) : 1,
                               is_row ? 1 : 1 + random_below(seed, height - y)) == ASTAR_OK);
    }
}

static bool retarget(AstarFinder *finder, const AstarPath *path, AstarCell goal, double bound,
                     AstarPath *out)
{
    AstarSearch *search;
    CHECK(astar_search_take(workspace, finder, &search) == ASTAR_OK);
    AstarStatus status = astar_search_retarget(search, path, 0, goal, bound, NULL, out);
    astar_search_free(search);
    return status == ASTAR_OK;
}

// Retargets paths whose structs held retargeted paths before. A new path costs at most 'bound'
// times as much as the best one, whatever the struct held. A weight keeps the first path from being
// marked as a best one, so a bound that is left from an earlier path would be used.
static void test_paths_used_again(void)
{
    enum { WIDTH = 40, HEIGHT = 40, ROUNDS = 20 };
    const double bound = 1.1, weight = 1.01;
    AstarPath first, again, best;
    astar_path_init(&first);
    astar_path_init(&again);
    astar_path_init(&best);
    uint32_t seed = 7;
    int retargeted = 0;
    for (int map = 0; map < ALL_OR_FEW(200, 20); map++) {
        AstarGrid *grid = new_grid(WIDTH, HEIGHT);
        AstarFinder *finder = new_finder(grid, NULL);
        AstarQueryOptions weighted = astar_query_default(finder);
        weighted.weight = weight;
        add_random_walls(grid, 8, &seed);
        for (int round = 0; round < ROUNDS; round++) {
            AstarCell cells[4];
            for (int i = 0; i < 4; i++)
                cells[i] = (AstarCell){random_below(&seed, WIDTH), random_below(&seed, HEIGHT)};
            AstarCell goal = cells[1];
            AstarCell near_goal = {goal.x > 1 ? goal.x - 2 : 0, goal.y > 0 ? goal.y - 1 : 0};
            if (astar_find_path(workspace, finder, cells[0].x, cells[0].y, goal.x, goal.y, NULL,
                                NULL, &first) != ASTAR_OK ||
                !retarget(finder, &first, near_goal, bound, &again) ||
                astar_find_path(workspace, finder, cells[2].x, cells[2].y, cells[3].x, cells[3].y,
                                &weighted, NULL, &again) != ASTAR_OK ||
                !retarget(finder, &again, near_goal, bound, &first))
                continue;
            retargeted++;
            CHECK(astar_find_path(workspace, finder, cells[2].x, cells[2].y, near_goal.x,
                                  near_goal.y, NULL, NULL, &best) == ASTAR_OK);
            CHECK(first.cost <= best.cost * weight * bound * (1 + 1e-9));
        }
        astar_finder_release(finder);
        astar_grid_release(grid);
    }
    CHECK(retargeted >= ALL_OR_FEW(200, 20));
    astar_path_destroy(&best);
    astar_path_destroy(&again);
    astar_path_destroy(&first);
}

// What a question has its own way counts for it alone, and for the repair of its path.
static void test_query(void)
{
    AstarGrid *grid = new_grid(9, 3);
    AstarFinder *finder = new_finder(grid, NULL);
    AstarPath path, repaired;
    astar_path_init(&path);
    astar_path_init(&repaired);
    AstarQueryOptions query = astar_query_default(finder);
    CHECK(query.weight == 1 && isinf(query.max_cost) && !query.partial);
    CHECK(query.max_expansions == UINT64_MAX && query.range == 0);
    query.range = 2;
    CHECK(astar_find_path(workspace, finder, 0, 1, 8, 1, &query, NULL, &path) == ASTAR_OK);
    CHECK(path.cells == 7 && path.query.range == 2);
    CHECK(astar_grid_block(grid, 4, 1, 1, 1) == ASTAR_OK);
    CHECK(repair_path(workspace, &path, finder, 0, false, NULL, &repaired) == ASTAR_OK);
    int x, y;
    astar_path_cell(&repaired, repaired.cells - 1, &x, &y);
    CHECK(x == 6);
    CHECK(astar_find_path(workspace, finder, 0, 1, 8, 1, NULL, NULL, &path) == ASTAR_OK &&
          path.cells > 8);
    query.max_cost = 3;
    CHECK(astar_find_path(workspace, finder, 0, 1, 8, 1, &query, NULL, &path) == ASTAR_MAX_COST);
    AstarSearch *search = NULL;
    CHECK(astar_search_new(workspace, finder, 0, 1, 8, 1, &query, &search) == ASTAR_OK);
    CHECK(astar_search_step(search, UINT64_MAX, NULL) == ASTAR_MAX_COST);
    astar_search_free(search);
    astar_path_destroy(&repaired);
    astar_path_destroy(&path);
    astar_finder_release(finder);
    astar_grid_release(grid);
}

static void test_queries_refused(void)
{
    AstarGrid *grid = new_grid(4, 4);
    AstarOptions options = astar_options_default();
    options.algorithm = ASTAR_JPS;
    AstarFinder *plain = new_finder(grid, NULL), *jps = new_finder(grid, &options);
    AstarPath path;
    astar_path_init(&path);
    const AstarQueryOptions fine = astar_query_default(plain);
    AstarQueryOptions bad[6] = {fine, fine, fine, fine, fine, fine};
    bad[0].weight = 0.5;
    bad[1].weight = NAN;
    bad[2].max_cost = -1;
    bad[3].max_expansions = 0;
    bad[4].range = -1;
    bad[5].range = ASTAR_MAX_SIDE + 1;
    const AstarCell goal = {3, 3};
    size_t index;
    for (int i = 0; i < 6; i++) {
        CHECK(astar_find_path(workspace, plain, 0, 0, 3, 3, &bad[i], NULL, &path) ==
              ASTAR_BAD_OPTION);
        CHECK(astar_find_nearest(workspace, plain, 0, 0, &goal, 1, &bad[i], NULL, &path, &index) ==
              ASTAR_BAD_OPTION);
    }
    AstarQueryOptions near_it = fine, soon = fine;
    near_it.range = 1;
    soon.weight = 2;
    CHECK(astar_find_path(workspace, jps, 0, 0, 3, 3, &near_it, NULL, &path) == ASTAR_BAD_OPTION);
    CHECK(astar_find_path(workspace, jps, 0, 0, 3, 3, &soon, NULL, &path) == ASTAR_OK &&
          path.cells == 4);
    CHECK(astar_find_path(workspace, jps, 0, 0, 3, 3, &fine, NULL, &path) == ASTAR_OK &&
          path.cells == 4);
    int costly;
    CHECK(astar_grid_add_terrain(grid, 2, &costly) == ASTAR_OK);
    astar_grid_set(grid, 1, 1, costly);
    CHECK(astar_find_path(workspace, jps, 0, 0, 3, 3, &fine, NULL, &path) == ASTAR_BAD_GROUND);
    astar_path_destroy(&path);
    astar_finder_release(jps);
    astar_finder_release(plain);
    astar_grid_release(grid);
}

// Two walls across a corridor, the second of another layer, and a field that makes up for it.
static void test_prices(void)
{
    AstarGrid *grid = new_grid(9, 2);
    int doors;
    CHECK(astar_grid_layer(grid, "doors", 5, &doors) == ASTAR_OK && doors == 1);
    CHECK(astar_grid_block(grid, 3, 0, 1, 2) == ASTAR_OK);
    CHECK(astar_grid_block_layer(grid, doors, 6, 0, 1, 2) == ASTAR_OK);
    double prices[] = {4, 1.5, NAN};
    AstarOptions options = astar_options_default();
    options.breach = prices;
    AstarFinder *raider = new_finder(grid, &options), *plain = new_finder(grid, NULL);
    AstarPath path;
    astar_path_init(&path);
    AstarBlock blocks[2] = {{-1, -1, -1}, {-1, -1, -1}};
    CHECK(astar_find_path(workspace, raider, 0, 0, 8, 0, NULL, NULL, &path) == ASTAR_OK);
    CHECK(path.cost == 8 + 5.5 && astar_path_breaches(&path, raider, blocks, 1) == 2);
    CHECK(blocks[0].x == 3 && blocks[0].y == 0 && blocks[0].layer == 0 && blocks[1].x == -1);
    CHECK(astar_path_breaches(&path, plain, NULL, 0) == 0);
    size_t count = 9;
    CHECK(astar_blockers(plain, 0, 0, 8, 0, blocks, 2, &count) == ASTAR_OK && count == 2);
    CHECK(blocks[0].x == 3 && blocks[1].x == 6 && blocks[1].layer == doors);
    CHECK(astar_blockers(plain, 0, 0, 8, 0, NULL, 0, &count) == ASTAR_OK && count == 2);
    CHECK(astar_blockers(raider, 0, 0, 8, 0, NULL, 0, &count) == ASTAR_OK && count == 0);

    AstarField *field;
    CHECK(astar_field_new(NULL, 9, 2, &field) == ASTAR_OK);
    CHECK(astar_field_fill(field, 0, 0, 9, 2, 2) == ASTAR_OK);
    const AstarAvoid avoids[] = {{field, 1}, {field, -0.5}, {NULL, 1}};
    options.avoids = avoids;
    options.avoid_count = 2;
    AstarFinder *careful = new_finder(grid, &options);
    uint64_t before = astar_finder_changes(careful);
    CHECK(astar_find_path(workspace, careful, 0, 0, 8, 0, NULL, NULL, &path) == ASTAR_OK);
    CHECK(path.cost == 16 + 5.5 && astar_finder_changes(careful) == before);
    CHECK(astar_field_set(field, 1, 0, 4) == ASTAR_OK && astar_finder_changes(careful) != before);
    options.avoid_count = 3;
    AstarFinder *none = NULL;
    CHECK(astar_finder_new(grid, &options, &none) == ASTAR_BAD_OPTION);
    options.avoid_count = ASTAR_MAX_AVOIDS + 1;
    CHECK(astar_finder_new(grid, &options, &none) == ASTAR_BAD_OPTION);
    options.avoid_count = 0;
    prices[1] = -1;
    CHECK(astar_finder_new(grid, &options, &none) == ASTAR_BAD_OPTION);
    prices[1] = INFINITY;
    CHECK(astar_finder_new(grid, &options, &none) == ASTAR_BAD_OPTION && none == NULL);
    astar_path_destroy(&path);
    astar_finder_release(careful);
    astar_finder_release(raider);
    astar_finder_release(plain);
    astar_field_release(field);
    astar_grid_release(grid);
}

static void test_texts(void)
{
    for (int a = ASTAR_OK; a < ASTAR_STATUS_COUNT; a++)
        for (int b = ASTAR_OK; b < a; b++)
            CHECK(strcmp(astar_status_text((AstarStatus)a), astar_status_text((AstarStatus)b)) !=
                  0);
    CHECK(strlen(astar_status_text((AstarStatus)99)) > 0);
}

int main(void)
{
    CHECK(astar_workspace_new(NULL, &workspace) == ASTAR_OK);
    test_nearest();
    test_lent_points();
    test_where();
    test_query();
    test_queries_refused();
    test_search_is_told_of();
    test_links_refused();
    test_walls();
    test_links_found();
    test_walls_listed();
    test_flow_recalls();
    test_field();
    test_options_refused();
    test_bends_by_angle();
    test_empty_path();
    test_paths_used_again();
    test_prices();
    test_texts();
    astar_workspace_free(workspace);
    return report();
}
