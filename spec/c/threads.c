// threads.c -- one map, asked by eight threads at once, from its first question on.
//
// Nothing has been built of the map when they begin: each asks by its own finder, of its own rule,
// size and costs, with a workspace of its own, so that all that is built of the map is built while
// others want it. Every answer must be that of a map asked by one thread alone. `make tsan` runs
// it under ThreadSanitizer.

#ifndef ASTAR_NO_THREADS
#define _POSIX_C_SOURCE 200809L // barriers
#include <pthread.h>
#endif

#include "astar.h"
#include "check.h"
#include "path_calls.h"

#ifdef ASTAR_NO_THREADS

int main(void)
{
    CHECK(true); // one thread a map: nothing to see
    return report();
}

#else

#include <string.h>

enum { THREADS = 9, ROUNDS = ALL_OR_FEW(6, 2), SIDE = 72, QUERIES = 24, NUMBERS = 24 * QUERIES };

typedef struct Map {
    AstarGrid *grid;
    AstarField *field;
} Map;

// What one thread is told, number by number: checks are counted by the first thread only.
typedef struct Told {
    double numbers[NUMBERS];
    int count;
} Told;

typedef struct Asker {
    const Map *map;
    int kind;
    bool linked;
    Told told;
} Asker;

static pthread_barrier_t all_are_ready;

static void note(Told *told, double number)
{
    if (told->count < NUMBERS)
        told->numbers[told->count++] = number;
}

static void note_path(Told *told, AstarStatus status, const AstarPath *path)
{
    note(told, status);
    if (status != ASTAR_OK)
        return;
    note(told, path->cost);
    note(told, path->cells);
    note(told, (double)path->expanded);
    double sum = 0;
    for (int i = 0; i < path->count; i++)
        sum += path->points[i].x + 1000.0 * path->points[i].y * (i + 1);
    note(told, sum);
}

static Map new_map(uint32_t seed, bool linked)
{
    Map map;
    int swamp, sea, red;
    CHECK(astar_grid_new(NULL, SIDE, SIDE, &map.grid) == ASTAR_OK);
    CHECK(astar_field_new(NULL, SIDE, SIDE, &map.field) == ASTAR_OK);
    CHECK(astar_grid_add_terrain(map.grid, 3, &swamp) == ASTAR_OK);
    CHECK(astar_grid_add_terrain(map.grid, INFINITY, &sea) == ASTAR_OK);
    CHECK(astar_grid_layer(map.grid, "red", 3, &red) == ASTAR_OK);
    for (int i = 0; i < 60; i++) {
        int width = 1 + random_below(&seed, 9), height = 1 + random_below(&seed, 9);
        int x = random_below(&seed, SIDE - width), y = random_below(&seed, SIDE - height);
        astar_grid_fill(map.grid, x, y, width, height, i % 12 == 0 ? sea : i % 3 == 0 ? swamp : 0);
        astar_grid_block_layer(map.grid, i % 5 == 0 ? red : 0, y, x, i % 2 == 0 ? width : 1,
                               i % 2 == 0 ? 1 : height);
    }
    astar_field_stamp(map.field, SIDE / 2, SIDE / 2, SIDE / 3, 4);
    for (int i = 0; linked && i < 12; i++)
        CHECK(astar_grid_link(map.grid, i * 5, i, SIDE - 1 - i, i * 6, 4, (uint32_t)i,
                              i % 3 == 0) == ASTAR_OK);
    for (int i = 0; linked && i < 30; i++)
        CHECK(astar_grid_wall(map.grid, 2 * i, 70 - 2 * i, ASTAR_SIDE_EAST, i % 2 == 0) ==
              ASTAR_OK);
    return map;
}

static double uneven(void *context, int x, int y, int terrain, double cost)
{
    (void)context;
    (void)terrain;
    return (x * 7 + y * 3) % 5 == 0 ? 2 * cost : cost;
}

static double steep(void *context, int x, int y, int to_x, int to_y, double cost)
{
    (void)context;
    (void)x;
    (void)to_x;
    return to_y > y ? cost * 1.5 : cost;
}

// Costs by which all terrain is the same, on which jump point search may jump.
static void fill_even(double costs[ASTAR_MAX_TERRAINS])
{
    for (int i = 0; i < ASTAR_MAX_TERRAINS; i++)
        costs[i] = i == 1 ? 1 : NAN;
}

static AstarOptions options_of(const Asker *asker, const double *even)
{
    AstarOptions options = astar_options_default();
    options.diagonals = (AstarDiagonals)(asker->kind % 4);
    bool may_jump = !asker->linked;
    switch (asker->kind) {
    case 0: options.algorithm = may_jump ? ASTAR_JPS : ASTAR_AUTO; break;
    case 1: options.algorithm = ASTAR_ASTAR; break;
    case 2:
        options.algorithm = ASTAR_JPSW;
        options.avoid = asker->map->field;
        break;
    case 3: options.cost = uneven; break;
    case 4: options.size = 2; break;
    case 5: options.any_angle = true; break;
    case 6:
        options.avoid = asker->map->field;
        options.step_cost = steep;
        options.algorithm = ASTAR_DIJKSTRA;
        break;
    case 7: options.size = 3; break;
    default: // shares what the third has, but for the rule
        options.algorithm = ASTAR_JPSW;
        options.avoid = asker->map->field;
    }
    options.costs = asker->kind == 0 || asker->kind == 5 ? even : NULL;
    return options;
}

// Some ignore blocks, of a layer that there is and of one that they name while others ask.
static uint64_t ignored_by(Asker *asker)
{
    int red = 0, other = 0;
    if (asker->kind % 3 != 1)
        return 0;
    const char name = (char)('0' + asker->kind / 4);
    note(&asker->told, astar_grid_layer(asker->map->grid, "red", 3, &red));
    note(&asker->told, astar_grid_layer(asker->map->grid, &name, 1, &other));
    return UINT64_C(1) << red | UINT64_C(1) << other;
}

static bool is_told(void *context, int x, int y, int terrain)
{
    (void)context;
    return terrain == 1 && x > 10 && y > 10;
}

static void query_flow(Told *told, AstarFinder *finder, int gx, int gy, int x, int y)
{
    const AstarFlowGoal goals[] = {{gx, gy, 0}, {y, x, 3}};
    AstarFlow *flow = NULL;
    AstarPath path;
    astar_path_init(&path);
    double distance = -1;
    note(told, astar_flow_new(finder, goals, 2, INFINITY, &flow));
    note(told, astar_flow_distance(flow, x, y, NULL, &distance));
    note(told, distance);
    note_path(told, astar_flow_path(flow, x, y, NULL, &path), &path);
    astar_flow_release(flow);
    note(told, astar_reach_new(finder, x, y, 9, &flow));
    note(told, astar_flow_complete(flow, NULL));
    note(told, (double)astar_flow_expanded(flow));
    astar_flow_release(flow);
    astar_path_destroy(&path);
}

// What is asked of a path found.
static void ask_about_path(Told *told, AstarWorkspace *workspace, AstarFinder *finder,
                           const AstarPath *path)
{
    AstarPath other;
    int bad = 0;
    astar_path_init(&other);
    note_path(told, smooth_path(workspace, path, finder, NULL, &other), &other);
    note_path(told, reverse_path(workspace, path, finder, NULL, &other), &other);
    note_path(told, repair_path(workspace, path, finder, 0, true, NULL, &other), &other);
    note(told, check_cells_of(workspace, path, finder, NULL, &bad));
    note(told, bad);
    astar_path_destroy(&other);
}

// Builds what it needs by as little at a time as there is, while others build all at once.
static AstarStatus find_in_steps(AstarWorkspace *workspace, AstarFinder *finder, AstarCell from,
                                 AstarCell to, AstarPath *path)
{
    AstarSearch *search = NULL;
    AstarStatus status = astar_search_take_unbuilt(workspace, finder, &search);
    if (status != ASTAR_OK)
        return status;
    status = astar_search_begin_in_steps(search, from.x, from.y, to.x, to.y, NULL, 0);
    while (status == ASTAR_RUNNING)
        status = astar_search_step(search, 1, NULL);
    if (status == ASTAR_OK)
        status = astar_search_path(search, path);
    astar_search_free(search);
    return status;
}

static void ask_queries(Asker *asker, AstarWorkspace *workspace, AstarFinder *finder)
{
    Told *told = &asker->told;
    uint32_t seed = 77 + (uint32_t)asker->kind;
    AstarPath path;
    astar_path_init(&path);
    for (int i = 0; i < QUERIES; i++) {
        int sx = random_below(&seed, SIDE), sy = random_below(&seed, SIDE);
        int gx = random_below(&seed, SIDE), gy = random_below(&seed, SIDE);
        int first = (i + asker->kind) % 8, x = 0, y = 0;
        const AstarCell goals[] = {{gx, gy}, {sy, sx}, {SIDE - 1, gy}};
        bool yes = false;
        size_t index = 9;
        AstarStatus status = ASTAR_OK;
        switch (first) { // each thread begins with another question
        case 0:
            status = astar_find_path(workspace, finder, sx, sy, gx, gy, NULL, NULL, &path);
            note_path(told, status, &path);
            if (status == ASTAR_OK)
                ask_about_path(told, workspace, finder, &path);
            break;
        case 1: query_flow(told, finder, gx, gy, sx, sy); break;
        case 2:
            status = astar_find_nearest(workspace, finder, sx, sy, goals, 3, NULL, NULL, &path,
                                        &index);
            note_path(told, status, &path);
            note(told, status == ASTAR_OK ? (double)index : -1);
            break;
        case 3:
            note(told, astar_reachable(workspace, finder, sx, sy, gx, gy, NULL, &yes));
            note(told, yes);
            note(told, astar_clearance(finder, gx, gy, &x));
            note(told, x);
            break;
        case 4:
            note(told, astar_raycast(workspace, finder, sx, sy, gx, gy, NULL, &yes, &x, &y));
            note(told, yes + 10.0 * x + 1000.0 * y);
            (void)astar_grid_bytes(asker->map->grid);
            break;
        case 5:
        case 6:
            status = find_in_steps(workspace, finder, goals[1], goals[0], &path);
            note_path(told, status, &path);
            break;
        default:
            status = astar_find_where(workspace, finder, sx, sy, is_told, NULL, NULL, &path);
            note_path(told, status, &path);
        }
    }
    AstarBaking baking = {0};
    if (asker->kind == 0) {
        note(told, astar_finder_bake(finder, 4, &baking));
        note(told, baking.pivots);
    }
    astar_path_destroy(&path);
}

// Asks by finders made one after the other, so that what is built is let go of and taken again.
static void ask(Asker *asker)
{
    AstarWorkspace *workspace = NULL;
    double even[ASTAR_MAX_TERRAINS];
    fill_even(even);
    note(&asker->told, astar_workspace_new(NULL, &workspace));
    for (int i = 0; i < 2; i++) {
        AstarFinder *finder = NULL;
        AstarOptions options = options_of(asker, even);
        options.ignore = ignored_by(asker);
        note(&asker->told, astar_finder_new(asker->map->grid, &options, &finder));
        ask_queries(asker, workspace, finder);
        astar_finder_release(finder);
    }
    astar_workspace_free(workspace);
}

static void *ask_with_others(void *context)
{
    Asker *asker = context;
    astar_grid_retain(asker->map->grid);
    pthread_barrier_wait(&all_are_ready);
    ask(asker);
    astar_grid_release(asker->map->grid);
    return NULL;
}

// Edits, some of them large, that leave layers stale, so that they are built again; then some that
// change little of the field, or all of it.
static void edit(const Map *map, int times)
{
    if (times > 1)
        astar_field_stamp(map->field, SIDE / 2, SIDE / 2, times > 2 ? SIDE : 3, 2);
    if (times != 1)
        return;
    astar_grid_block(map->grid, 3, 3, 40, 1);
    astar_grid_block_layer(map->grid, 1, 30, 3, 1, 60);
    astar_grid_unblock(map->grid, 20, 1, 1, 40);
    astar_grid_fill(map->grid, 0, 30, SIDE, 4, 1);
    astar_grid_unblock(map->grid, 0, SIDE / 2, SIDE, SIDE / 2);
}

// Asks all at once, and each alone of a map of its own; the answers must be the same.
static void compare(const Map *map, uint32_t seed, bool linked, int edits)
{
    static Asker alone, together[THREADS];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        together[i] = (Asker){.map = map, .kind = i, .linked = linked};
        CHECK(pthread_create(&threads[i], NULL, ask_with_others, &together[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    for (int i = 0; i < THREADS; i++) {
        Map own = new_map(seed, linked);
        for (int times = 1; times <= edits; times++)
            edit(&own, times);
        alone = (Asker){.map = &own, .kind = i, .linked = linked};
        ask(&alone);
        CHECK(alone.told.count > 2 * QUERIES && alone.told.count < NUMBERS);
        CHECK(alone.told.count == together[i].told.count);
        CHECK(memcmp(alone.told.numbers, together[i].told.numbers,
                     (size_t)alone.told.count * sizeof(double)) == 0);
        astar_field_release(own.field);
        astar_grid_release(own.grid);
    }
}

static void test_first_queries(uint32_t seed, bool linked)
{
    Map map = new_map(seed, linked);
    compare(&map, seed, linked, 0);
    for (int times = 1; times <= 3; times++) {
        edit(&map, times);
        compare(&map, seed, linked, times);
    }
    astar_field_release(map.field);
    astar_grid_release(map.grid);
}

int main(void)
{
    CHECK(pthread_barrier_init(&all_are_ready, NULL, THREADS) == 0);
    for (int i = 0; i < ROUNDS; i++)
        test_first_queries((uint32_t)i + 1, i % 2 == 1);
    pthread_barrier_destroy(&all_are_ready);
    return report();
}

#endif
