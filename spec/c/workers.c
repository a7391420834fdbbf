// workers.c -- questions handed to workers while the map is edited and asked by its owner.
//
// Every answer must be that of astar_find_path on a copy of the map as it was at the version that
// the batch reads. Batches are waited for late, cancelled, freed in the middle, and the pool is
// closed while they are out; `make tsan` runs it under ThreadSanitizer.

#include "astar.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 64, KINDS = 7, ROUNDS = 60, QUERIES = 12, OUT = 4, MAPS = ROUNDS + 1 };

#ifdef ASTAR_NO_THREADS
enum { THREADS = 0 }; // who waits works
#else
enum { THREADS = 3 };
#endif

// The map as it was, by the rounds of the game.
typedef struct Then {
    AstarGrid *grid;
    uint64_t version; // of the map then: the clone's grows as they part
    AstarFinder *finders[KINDS];
} Then;

typedef struct Asked {
    int kind, sx, sy, gx, gy;
    bool has_query, is_cancelled;
    AstarQueryOptions query;
} Asked;

typedef struct Out {
    AstarBatch *batch;
    Asked asked[QUERIES];
    AstarFlow *flow; // NULL: none; its number is QUERIES
    AstarFlow *same; // like it, not worked out by workers
} Out;

typedef struct Game {
    AstarGrid *grid;
    AstarFinder *finders[KINDS];
    AstarWorkspace *workspace;
    Then past[MAPS];
    int past_count;
    Out out[OUT];
    uint32_t seed;
} Game;

static AstarOptions options_of_kind(int kind)
{
    static double costs[ASTAR_MAX_TERRAINS];
    AstarOptions options = astar_options_default();
    options.diagonals = (AstarDiagonals)(kind % 4);
    switch (kind) {
    case 1: options.algorithm = ASTAR_ASTAR; break;
    case 2:
        options.size = 2;
        options.ignore = 1 << 1;
        break;
    case 3: options.any_angle = true; break;
    case 5: options.partial = true; break;
    case 4: // those that ignore a layer, too
        options.bends = ASTAR_BENDS_FEWEST;
        options.ignore = 1 << 1;
        break;
    case 6:
        for (int i = 0; i < ASTAR_MAX_TERRAINS; i++)
            costs[i] = i == 1 ? 1 : NAN;
        options.costs = costs;
        break;
    default: break;
    }
    return options;
}

static void new_finders(AstarGrid *grid, AstarFinder *finders[KINDS])
{
    for (int kind = 0; kind < KINDS; kind++) {
        AstarOptions options = options_of_kind(kind);
        CHECK(astar_finder_new(grid, &options, &finders[kind]) == ASTAR_OK);
    }
}

static void edit(Game *game)
{
    AstarGrid *grid = game->grid;
    int width = 1 + random_below(&game->seed, 9), height = 1 + random_below(&game->seed, 5);
    int x = random_below(&game->seed, SIDE - width), y = random_below(&game->seed, SIDE - height);
    switch (random_below(&game->seed, 12)) {
    case 0: astar_grid_fill(grid, x, y, width, height, random_below(&game->seed, 3)); break;
    case 1: astar_grid_set(grid, x, y, 1); break;
    case 2: astar_grid_link(grid, x, y, y, x + 1, 2, 7, false); break;
    case 3: astar_grid_wall(grid, x, y, ASTAR_SIDE_EAST, width > 3); break;
    case 4: astar_grid_unwall(grid, x, y, ASTAR_SIDE_EAST, false); break;
    case 5: astar_grid_set_cost(grid, 1, 1 + random_below(&game->seed, 3)); break;
    case 6: astar_grid_unblock(grid, x, y, width, height); break;
    case 7: astar_grid_unblock_layer(grid, 1, x, y, width, height); break;
    case 8:
    case 9: astar_grid_block_layer(grid, 1, x, y, width, height); break;
    default: astar_grid_block(grid, x, y, width, 1); break;
    }
}

static void begin_game(Game *game)
{
    int swamp, sea, red;
    *game = (Game){.seed = 4711};
    CHECK(astar_grid_new(NULL, SIDE, SIDE, &game->grid) == ASTAR_OK);
    CHECK(astar_grid_add_terrain(game->grid, 3, &swamp) == ASTAR_OK);
    CHECK(astar_grid_add_terrain(game->grid, INFINITY, &sea) == ASTAR_OK);
    CHECK(astar_grid_layer(game->grid, "red", 3, &red) == ASTAR_OK && red == 1);
    for (int i = 0; i < 60; i++)
        edit(game);
    new_finders(game->grid, game->finders);
    CHECK(astar_workspace_new(NULL, &game->workspace) == ASTAR_OK);
}

static void end_game(Game *game)
{
    for (int i = 0; i < game->past_count; i++) {
        for (int kind = 0; kind < KINDS; kind++)
            astar_finder_release(game->past[i].finders[kind]);
        astar_grid_release(game->past[i].grid);
    }
    for (int kind = 0; kind < KINDS; kind++)
        astar_finder_release(game->finders[kind]);
    astar_workspace_free(game->workspace);
    astar_grid_release(game->grid);
}

// Keeps the map as it is now.
static void keep(Game *game)
{
    Then *then = &game->past[game->past_count++];
    CHECK(astar_grid_clone(game->grid, &then->grid) == ASTAR_OK);
    then->version = astar_grid_version(game->grid);
    new_finders(then->grid, then->finders);
}

static Then *find_past(Game *game, uint64_t version)
{
    for (int i = 0; i < game->past_count; i++)
        if (game->past[i].version == version)
            return &game->past[i];
    return NULL;
}

static Asked random_query(Game *game)
{
    Asked asked = {.kind = random_below(&game->seed, KINDS)};
    asked.sx = random_below(&game->seed, SIDE);
    asked.sy = random_below(&game->seed, SIDE);
    asked.gx = random_below(&game->seed, SIDE);
    asked.gy = random_below(&game->seed, SIDE);
    asked.has_query = random_below(&game->seed, 3) == 0;
    asked.query = astar_query_default(game->finders[asked.kind]);
    asked.query.range = random_below(&game->seed, 3);
    return asked;
}

static AstarFlow *new_flow(const Game *game, int kind, int x, int y, bool forward)
{
    const AstarFlowGoal goals[] = {{x, y, 0}, {y, x, 3.5}, {x / 2, y, -1}};
    AstarFlow *flow;
    AstarFinder *finder = game->finders[kind];
    if (forward)
        CHECK(astar_reach_new(finder, x, y, 30, &flow) == ASTAR_OK);
    else
        CHECK(astar_flow_new(finder, goals, 3, INFINITY, &flow) == ASTAR_OK);
    if (kind == 1)
        astar_flow_keep_steps_only(flow);
    return flow;
}

static void hand_over_flow(Game *game, Out *out)
{
    int kind = random_below(&game->seed, KINDS), x = random_below(&game->seed, SIDE);
    int y = random_below(&game->seed, SIDE);
    bool forward = kind % 3 == 0;
    out->flow = new_flow(game, kind, x, y, forward);
    out->same = new_flow(game, kind, x, y, forward);
    int next_x, next_y;
    if (y % 2 == 0)
        astar_flow_next(out->flow, y, x, NULL, &next_x, &next_y); // as far as that
    CHECK(astar_batch_add_flow(out->batch, out->flow) == ASTAR_OK);
}

// Some of the later questions are to be begun before all others; no answer depends on that.
static void set_order(Game *game, AstarBatch *batch)
{
    size_t twice[] = {3, 1, 3}, none[] = {QUERIES + 1}, some[] = {QUERIES - 1, 2, 7};
    CHECK(astar_batch_set_order(batch, twice, 3) == ASTAR_BAD_OPTION);
    CHECK(astar_batch_set_order(batch, none, 1) == ASTAR_BAD_OPTION);
    if (random_below(&game->seed, 2) == 0)
        CHECK(astar_batch_set_order(batch, some, 3) == ASTAR_OK);
    if (random_below(&game->seed, 2) == 0)
        CHECK(astar_batch_set_order(batch, some, 1) == ASTAR_OK);
}

static void hand_over(Game *game, AstarWorkers *workers, Out *out)
{
    CHECK(astar_batch_new(workers, &out->batch) == ASTAR_OK);
    for (int i = 0; i < QUERIES; i++) {
        out->asked[i] = random_query(game);
        const Asked *asked = &out->asked[i];
        CHECK(astar_batch_add(out->batch, game->finders[asked->kind], asked->sx, asked->sy,
                              asked->gx, asked->gy,
                              asked->has_query ? &asked->query : NULL) == ASTAR_OK);
    }
    CHECK(astar_batch_count(out->batch) == QUERIES);
    set_order(game, out->batch);
    if (out->flow == NULL && random_below(&game->seed, 2) == 0)
        hand_over_flow(game, out);
    CHECK(astar_batch_begin(out->batch) == ASTAR_OK);
    CHECK(astar_batch_set_order(out->batch, NULL, 0) == ASTAR_BAD_OPTION);
}

static bool is_same(const AstarPath *a, const AstarPath *b)
{
    bool same = a->cost == b->cost && a->cells == b->cells && a->count == b->count &&
                a->partial == b->partial && a->link_count == b->link_count &&
                a->algorithm == b->algorithm && a->expanded == b->expanded;
    for (int i = 0; same && i < a->count; i++)
        same = a->points[i].x == b->points[i].x && a->points[i].y == b->points[i].y;
    return same;
}

// Whether an answer is that to the question on the map as it was.
static void compare(Game *game, Out *out, size_t number)
{
    const Asked *asked = &out->asked[number];
    AstarPath found, expected;
    astar_path_init(&found);
    astar_path_init(&expected);
    AstarStatus status = astar_batch_take(out->batch, number, &found);
    Then *then = find_past(game, astar_batch_version(out->batch, number));
    CHECK(then != NULL);
    if (then != NULL && status != ASTAR_CANCELLED) {
        CHECK(status == astar_find_path(game->workspace, then->finders[asked->kind], asked->sx,
                                        asked->sy, asked->gx, asked->gy,
                                        asked->has_query ? &asked->query : NULL, NULL, &expected));
        CHECK(status != ASTAR_OK || is_same(&found, &expected));
    }
    CHECK(status != ASTAR_CANCELLED || asked->is_cancelled);
    if (status == ASTAR_OK)
        CHECK(astar_batch_take(out->batch, number, &expected) == ASTAR_CANCELLED);
    astar_path_destroy(&found);
    astar_path_destroy(&expected);
}

// Whether a flow tells of all cells what another does that was never handed over.
static void compare_flows(Out *out)
{
    AstarStatus status = astar_batch_take_flow(out->batch, QUERIES);
    CHECK(status == ASTAR_OK || status == ASTAR_RUNNING);
    if (status == ASTAR_OK)
        CHECK(astar_batch_take_flow(out->batch, QUERIES) == ASTAR_CANCELLED);
    CHECK(astar_flow_complete(out->flow, NULL) == ASTAR_OK);
    bool same = true;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            int ax = 0, ay = 0, bx = 0, by = 0;
            double a = 0, b = 0;
            same &= astar_flow_next(out->flow, x, y, NULL, &ax, &ay) ==
                    astar_flow_next(out->same, x, y, NULL, &bx, &by);
            same &= astar_flow_distance(out->flow, x, y, NULL, &a) ==
                    astar_flow_distance(out->same, x, y, NULL, &b);
            same &= ax == bx && ay == by && a == b;
        }
    CHECK(same);
}

static void drop_out(Out *out)
{
    astar_flow_release(out->flow);
    astar_flow_release(out->same);
    astar_batch_free(out->batch);
    *out = (Out){.batch = NULL};
}

static void collect(Game *game, Out *out)
{
    astar_batch_wait(out->batch);
    for (size_t i = 0; i < QUERIES; i++)
        compare(game, out, i);
    if (out->flow != NULL)
        compare_flows(out);
    drop_out(out);
}

// The owner goes on asking its own map meanwhile.
static void ask_owner(Game *game)
{
    Asked asked = random_query(game);
    AstarPath path;
    astar_path_init(&path);
    (void)astar_find_path(game->workspace, game->finders[asked.kind], asked.sx, asked.sy, asked.gx,
                          asked.gy, NULL, NULL, &path);
    astar_path_destroy(&path);
}

static void test_rounds(void)
{
    static Game game;
    begin_game(&game);
    AstarWorkers *workers;
    CHECK(astar_workers_new(NULL, THREADS, &workers) == ASTAR_OK);
    CHECK(astar_workers_count(workers) == THREADS);
    for (int round = 0; round < ROUNDS; round++) {
        Out *out = &game.out[round % OUT];
        for (int i = random_below(&game.seed, 6); i > 0; i--)
            edit(&game);
        keep(&game);
        if (out->batch != NULL && round % 7 == 0) {
            drop_out(out); // in the middle
        }
        if (out->batch != NULL)
            collect(&game, out);
        hand_over(&game, workers, out);
        if (round % 3 == 0) {
            out->asked[round % QUERIES].is_cancelled = true;
            astar_batch_cancel(out->batch, (size_t)(round % QUERIES));
        }
        edit(&game);
        ask_owner(&game);
        if (round == ROUNDS - OUT / 2)
            astar_workers_close(workers); // what is out is still answered
    }
    CHECK(astar_workers_count(workers) == 0);
    CHECK(astar_workers_bytes(workers) > 0);
    for (int i = 0; i < OUT - 1; i++)
        if (game.out[i].batch != NULL)
            collect(&game, &game.out[i]);
    astar_workers_release(workers); // before its last batch
    drop_out(&game.out[OUT - 1]);
    end_game(&game);
}

static void bake(AstarFinder *finder, AstarBakingMethod method)
{
    AstarBaked *baked;
    AstarBakingOptions options = {.method = method, .bytes = 1 << 22, .landmarks = 2};
    AstarStatus status = astar_baking_new(finder, &options, &baked);
    while (status == ASTAR_OK && (status = astar_baking_step(baked, 4096)) == ASTAR_RUNNING)
        status = ASTAR_OK;
    CHECK(status == ASTAR_OK);
    astar_baked_free(baked);
}

// Asks what workers then have to answer, at the cost that A* finds now.
static AstarBatch *ask_baked(AstarWorkers *workers, AstarFinder *finder, AstarFinder *plain,
                             uint32_t *seed, double costs[QUERIES])
{
    AstarWorkspace *workspace;
    AstarBatch *batch;
    AstarPath path;
    astar_path_init(&path);
    CHECK(astar_workspace_new(NULL, &workspace) == ASTAR_OK);
    CHECK(astar_batch_new(workers, &batch) == ASTAR_OK);
    for (int i = 0; i < QUERIES; i++) {
        int sx = random_below(seed, SIDE), sy = random_below(seed, SIDE);
        int gx = random_below(seed, SIDE), gy = random_below(seed, SIDE);
        CHECK(astar_batch_add(batch, finder, sx, sy, gx, gy, NULL) == ASTAR_OK);
        AstarStatus status = astar_find_path(workspace, plain, sx, sy, gx, gy, NULL, NULL, &path);
        costs[i] = status == ASTAR_OK ? path.cost : -1;
    }
    CHECK(astar_batch_begin(batch) == ASTAR_OK);
    astar_path_destroy(&path);
    astar_workspace_free(workspace);
    return batch;
}

// How many routes were found by what was baked.
static int check_baked(AstarBatch *batch, const double costs[QUERIES])
{
    int baked = 0;
    AstarPath path;
    astar_path_init(&path);
    astar_batch_wait(batch);
    for (size_t i = 0; i < QUERIES; i++) {
        AstarStatus status = astar_batch_take(batch, i, &path);
        CHECK((status == ASTAR_OK) == (costs[i] >= 0));
        CHECK(status != ASTAR_OK || fabs(path.cost - costs[i]) < 1e-9);
        baked += status == ASTAR_OK && path.algorithm >= ASTAR_LABELS;
    }
    astar_path_destroy(&path);
    astar_batch_free(batch);
    return baked;
}

// What is baked of a map workers have, too: at once, and after edits, bakings anew, and with none.
static void test_baked(void)
{
    AstarGrid *grid;
    AstarFinder *finder, *plain;
    AstarWorkers *workers;
    AstarBatch *batches[2] = {NULL, NULL};
    AstarOptions options = astar_options_default();
    double costs[2][QUERIES];
    uint32_t seed = 5;
    int baked = 0;
    options.algorithm = ASTAR_ASTAR;
    CHECK(astar_workers_new(NULL, THREADS, &workers) == ASTAR_OK);
    CHECK(astar_grid_new(NULL, SIDE, SIDE, &grid) == ASTAR_OK);
    CHECK(astar_finder_new(grid, NULL, &finder) == ASTAR_OK);
    CHECK(astar_finder_new(grid, &options, &plain) == ASTAR_OK);
    for (int i = 0; i < 900; i++)
        astar_grid_block(grid, random_below(&seed, SIDE), random_below(&seed, SIDE), 1, 1);
    for (int round = 0; round < 24; round++) {
        int n = round % 2;
        if (batches[n] != NULL)
            baked += check_baked(batches[n], costs[n]);
        if (round % 3 == 0)
            bake(finder, round % 2 == 0 ? ASTAR_BAKE_LABELS : ASTAR_BAKE_HIERARCHY);
        if (round % 5 == 4)
            astar_grid_block(grid, random_below(&seed, SIDE), random_below(&seed, SIDE), 1, 1);
        batches[n] = ask_baked(workers, finder, plain, &seed, costs[n]);
    }
    for (int n = 0; n < 2; n++)
        baked += check_baked(batches[n], costs[n]);
    CHECK(baked > 100);
    astar_finder_release(finder);
    astar_finder_release(plain);
    astar_grid_release(grid);
    astar_workers_release(workers);
}

// Landmarks of a finder are brought to the copies as they are, through edits that lower distances
// and bakings anew, while the other copy is being read by them.
static void test_landmarks(void)
{
    AstarGrid *grid;
    AstarFinder *finder, *plain;
    AstarWorkers *workers;
    AstarBatch *batches[2] = {NULL, NULL};
    AstarOptions options = astar_options_default();
    double costs[2][QUERIES];
    int swamp;
    uint32_t seed = 77;
    options.algorithm = ASTAR_ASTAR;
    CHECK(astar_workers_new(NULL, THREADS, &workers) == ASTAR_OK);
    CHECK(astar_grid_new(NULL, SIDE, SIDE, &grid) == ASTAR_OK);
    CHECK(astar_grid_add_terrain(grid, 3, &swamp) == ASTAR_OK);
    CHECK(astar_finder_new(grid, &options, &finder) == ASTAR_OK);
    CHECK(astar_finder_new(grid, &options, &plain) == ASTAR_OK);
    for (int y = 4; y < SIDE; y += 8)
        astar_grid_block(grid, y % 16 == 4 ? 0 : 3, y, SIDE - 3, 1);
    for (int round = 0; round < 40; round++) {
        int n = round % 2, x = random_below(&seed, SIDE - 4), y = random_below(&seed, SIDE);
        if (batches[n] != NULL)
            check_baked(batches[n], costs[n]);
        if (round % 9 == 2)
            bake(finder, ASTAR_BAKE_LANDMARKS);
        if (round % 3 == 1)
            astar_grid_unblock(grid, x, y, 3, 1);
        if (round % 4 == 3)
            astar_grid_fill(grid, x, y, 4, 1, round % 8 == 3 ? swamp : 0);
        if (round == 30)
            astar_grid_set_cost(grid, 0, 2);
        batches[n] = ask_baked(workers, finder, plain, &seed, costs[n]);
    }
    CHECK(THREADS == 0 || astar_workers_search_bytes(workers) > 0);
    CHECK(astar_workers_bytes(workers) > 2 * sizeof(uint32_t) * SIDE * SIDE);
    for (int n = 0; n < 2; n++)
        check_baked(batches[n], costs[n]);
    astar_finder_release(finder);
    astar_finder_release(plain);
    astar_workers_release(workers);
    astar_grid_release(grid);
}

// Baking by workers, which comes into force when it is taken, after edits.
static void test_baking(void)
{
    for (int round = 0; round < 12; round++) {
        AstarGrid *grid;
        AstarFinder *finder, *plain;
        AstarWorkers *workers;
        AstarBatch *batch;
        AstarBaked *baked;
        double costs[QUERIES];
        uint32_t seed = (uint32_t)round + 1;
        AstarOptions options = astar_options_default();
        AstarBakingOptions how = {.method = (AstarBakingMethod)(round % 4), .landmarks = 2};
        options.algorithm = ASTAR_ASTAR;
        CHECK(astar_workers_new(NULL, THREADS, &workers) == ASTAR_OK);
        CHECK(astar_grid_new(NULL, SIDE, SIDE, &grid) == ASTAR_OK);
        CHECK(astar_finder_new(grid, NULL, &finder) == ASTAR_OK);
        CHECK(astar_finder_new(grid, &options, &plain) == ASTAR_OK);
        for (int y = 4; y < SIDE; y += 4)
            astar_grid_block(grid, y % 8 == 4 ? 0 : 3, y, SIDE - 3, 1);
        CHECK(astar_baking_new(finder, &how, &baked) == ASTAR_OK);
        CHECK(astar_workers_take_baking(baked));
        CHECK(astar_batch_new(workers, &batch) == ASTAR_OK);
        CHECK(astar_batch_add_baking(batch, baked) == ASTAR_OK);
        CHECK(astar_batch_begin(batch) == ASTAR_OK);
        CHECK(astar_batch_take_baking(batch, 0, baked) == ASTAR_BAD_OPTION);
        for (int i = 0; i < 6; i++)
            astar_grid_unblock(grid, random_below(&seed, SIDE - 2), 4 * i, 2, 1);
        if (round % 5 == 4)
            astar_batch_free(batch); // in the middle
        else {
            astar_batch_wait(batch);
            CHECK(astar_batch_take_flow(batch, 0) == ASTAR_BAD_OPTION);
            CHECK(astar_batch_take_baking(batch, 0, baked) == ASTAR_OK);
            CHECK(astar_batch_take_baking(batch, 0, baked) == ASTAR_CANCELLED);
            CHECK(!astar_workers_take_baking(baked));
            CHECK(how.method == ASTAR_BAKE_AUTO || astar_baked_facts(baked).method == how.method);
            astar_batch_free(batch);
        }
        (void)check_baked(ask_baked(workers, finder, plain, &seed, costs), costs);
        astar_baked_free(baked);
        astar_finder_release(finder);
        astar_finder_release(plain);
        astar_grid_release(grid);
        astar_workers_release(workers);
    }
}

enum { SEARCHES = 9, GOALS = 5 };

// Searches of a kind each: for a path, the nearest of several goals, a path made good again.
typedef struct Searches {
    AstarSearch *handed[SEARCHES], *own[SEARCHES]; // like them, made by the host's thread
    AstarBatch *batch;
} Searches;

static void begin_searches(AstarWorkspace *workspace, AstarFinder *finder, const AstarPath *path,
                           uint32_t *seed, AstarSearch *searches[SEARCHES])
{
    for (int i = 0; i < SEARCHES; i++) {
        AstarCell goals[GOALS];
        AstarSearch **search = &searches[i];
        int sx = random_below(seed, SIDE), sy = random_below(seed, SIDE);
        for (int k = 0; k < GOALS; k++)
            goals[k] = (AstarCell){random_below(seed, SIDE), random_below(seed, SIDE)};
        CHECK(astar_search_take_unbuilt(workspace, finder, search) == ASTAR_OK);
        if (i % 3 == 0)
            astar_search_begin_in_steps(*search, sx, sy, goals[0].x, goals[0].y, NULL, 0);
        else if (i % 3 == 1)
            astar_search_nearest_in_steps(*search, sx, sy, goals, (size_t)(i % GOALS), NULL, 0);
        else
            astar_search_repair_in_steps(*search, path, i % path->cells, i == 2, 0);
    }
}

static void finish_searches(Searches *searches)
{
    AstarPath a, b;
    astar_path_init(&a);
    astar_path_init(&b);
    astar_batch_wait(searches->batch);
    for (int i = 0, number = 0; i < SEARCHES; i++) {
        AstarSearch *handed = searches->handed[i], *own = searches->own[i];
        if (astar_workers_take_search(handed)) { // others ended as they began
            CHECK(astar_batch_take(searches->batch, (size_t)number, &a) != ASTAR_OK);
            CHECK(astar_batch_take_search(searches->batch, (size_t)number, handed) == ASTAR_OK);
            CHECK(astar_batch_take_search(searches->batch, (size_t)number++, handed) ==
                  ASTAR_CANCELLED);
        }
        while (astar_search_step(own, 100, NULL) == ASTAR_RUNNING)
            continue;
        CHECK(astar_search_step(handed, 1, NULL) == astar_search_status(own));
        if (astar_search_status(own) == ASTAR_OK) {
            CHECK(astar_search_path(handed, &a) == ASTAR_OK);
            CHECK(astar_search_path(own, &b) == ASTAR_OK && is_same(&a, &b));
            CHECK(i % 3 != 1 || astar_search_index(handed) == astar_search_index(own));
        }
        CHECK(astar_search_bytes(handed) > 0);
        astar_search_free(handed);
        astar_search_free(own);
    }
    astar_batch_free(searches->batch);
    astar_path_destroy(&a);
    astar_path_destroy(&b);
}

static void test_searches(void)
{
    AstarGrid *grid;
    AstarFinder *finder;
    AstarWorkers *workers;
    AstarWorkspace *workspace;
    AstarPath path;
    uint32_t seed = 3;
    astar_path_init(&path);
    CHECK(astar_workers_new(NULL, THREADS, &workers) == ASTAR_OK);
    CHECK(astar_workspace_new(NULL, &workspace) == ASTAR_OK);
    CHECK(astar_grid_new(NULL, SIDE, SIDE, &grid) == ASTAR_OK);
    CHECK(astar_finder_new(grid, NULL, &finder) == ASTAR_OK);
    CHECK(astar_find_path(workspace, finder, 0, 0, SIDE - 1, SIDE - 1, NULL, NULL, &path) ==
          ASTAR_OK);
    for (int round = 0; round < 20; round++) {
        Searches searches = {.batch = NULL};
        astar_grid_block(grid, random_below(&seed, SIDE - 3), random_below(&seed, SIDE), 3, 1);
        uint32_t same = seed;
        begin_searches(workspace, finder, &path, &same, searches.own);
        begin_searches(workspace, finder, &path, &seed, searches.handed);
        CHECK(astar_batch_new(workers, &searches.batch) == ASTAR_OK);
        for (int i = 0; i < SEARCHES; i++) {
            bool is_taken = astar_workers_take_search(searches.handed[i]);
            CHECK(astar_batch_add_search(searches.batch, searches.handed[i]) ==
                  (is_taken ? ASTAR_OK : ASTAR_BAD_OPTION));
        }
        CHECK(astar_batch_begin(searches.batch) == ASTAR_OK);
        finish_searches(&searches);
        seed++;
    }
    astar_path_destroy(&path);
    astar_finder_release(finder);
    astar_grid_release(grid);
    astar_workspace_free(workspace);
    astar_workers_release(workers);
}

// While two versions are being read, others are asked about the later one of those.
static void test_versions(void)
{
    AstarGrid *grid;
    AstarFinder *finder;
    AstarWorkers *workers;
    AstarBatch *batches[4];
    static const uint64_t expected[] = {0, 1, 1, 3};
    CHECK(astar_grid_new(NULL, 8, 8, &grid) == ASTAR_OK);
    CHECK(astar_finder_new(grid, NULL, &finder) == ASTAR_OK);
    CHECK(astar_workers_new(NULL, 0, &workers) == ASTAR_OK);
    for (int i = 0; i < 4; i++) {
        if (i == 3)
            astar_batch_wait(batches[0]);
        CHECK(astar_batch_new(workers, &batches[i]) == ASTAR_OK);
        CHECK(astar_batch_add(batches[i], finder, 0, 0, 7, 7, NULL) == ASTAR_OK);
        CHECK(astar_batch_version(batches[i], 0) == 0);
        CHECK(astar_batch_begin(batches[i]) == ASTAR_OK);
        CHECK(astar_batch_begin(batches[i]) == ASTAR_OK);
        CHECK(astar_batch_version(batches[i], 0) == expected[i]);
        CHECK(astar_batch_version(batches[i], 1) == 0);
        CHECK(astar_grid_block(grid, i, 3, 1, 1) == ASTAR_OK);
    }
    for (int i = 0; i < 4; i++)
        astar_batch_free(batches[i]);
    astar_finder_release(finder);
    astar_grid_release(grid);
    CHECK(astar_workers_bytes(workers) > 0);
    CHECK(astar_batch_new(workers, &batches[0]) == ASTAR_OK); // lets go of what nobody else has
    CHECK(astar_workers_bytes(workers) == 0);
    CHECK(astar_batch_begin(batches[0]) == ASTAR_OK);
    astar_batch_wait(batches[0]);
    astar_batch_free(batches[0]);
    astar_batch_free(NULL);
    astar_workers_release(workers);
    astar_workers_release(NULL);
}

static double same_cost(void *context, int x, int y, int terrain, double cost)
{
    (void)context;
    (void)x;
    (void)y;
    (void)terrain;
    return cost;
}

static double step_cost(void *context, int x, int y, int to_x, int to_y, double cost)
{
    (void)to_x;
    (void)to_y;
    return same_cost(context, x, y, 0, cost);
}

static double no_estimate(void *context, int dx, int dy)
{
    (void)context;
    return 0 * (dx + dy);
}

static void check_refused(AstarWorkers *workers, AstarGrid *grid, const AstarOptions *options,
                          const char *what)
{
    AstarFinder *finder;
    AstarBatch *batch;
    CHECK(astar_finder_new(grid, options, &finder) == ASTAR_OK);
    CHECK(strcmp(astar_workers_refusal(finder), what) == 0);
    CHECK(astar_batch_new(workers, &batch) == ASTAR_OK);
    CHECK(astar_batch_add(batch, finder, 0, 0, 1, 1, NULL) == ASTAR_BAD_OPTION);
    astar_batch_free(batch);
    astar_finder_release(finder);
}

static void test_flows_refused(AstarWorkers *workers, AstarFinder *finder, AstarPath *path)
{
    static const AstarFlowGoal goal = {3, 3, 0};
    AstarBatch *batch;
    AstarFlow *flow, *fleeing, *reach;
    AstarFinder *wide;
    AstarOptions options = astar_options_default();
    options.size = 2;
    CHECK(astar_finder_new(astar_finder_grid(finder), &options, &wide) == ASTAR_OK);
    CHECK(astar_flow_new(finder, &goal, 1, INFINITY, &flow) == ASTAR_OK);
    CHECK(astar_flow_flee(flow, -1.2, &fleeing) == ASTAR_OK);
    CHECK(astar_reach_new(wide, 2, 2, 9, &reach) == ASTAR_OK);
    CHECK(astar_batch_new(workers, &batch) == ASTAR_OK);
    CHECK(astar_batch_add_flow(batch, fleeing) == ASTAR_BAD_OPTION);
    CHECK(astar_batch_add_flow(batch, flow) == ASTAR_OK);
    CHECK(astar_batch_add_flow(batch, reach) == ASTAR_OK);
    CHECK(astar_grid_block(astar_finder_grid(finder), 2, 2, 1, 1) == ASTAR_OK);
    CHECK(astar_batch_begin(batch) == ASTAR_OK);
    CHECK(astar_batch_add_flow(batch, flow) == ASTAR_BAD_OPTION);
    CHECK(astar_batch_take_flow(batch, 0) == ASTAR_BAD_OPTION);
    astar_batch_wait(batch);
    CHECK(astar_batch_take(batch, 0, path) == ASTAR_BAD_OPTION);
    CHECK(astar_batch_take_flow(batch, 0) == ASTAR_OK);
    CHECK(astar_batch_take_flow(batch, 1) == ASTAR_RUNNING); // it stands among blocks
    astar_batch_free(batch);
    astar_flow_release(flow);
    astar_flow_release(fleeing);
    astar_flow_release(reach);
    astar_finder_release(wide);
}

static void test_refused(void)
{
    AstarGrid *grid;
    AstarField *field;
    AstarFinder *finder;
    AstarWorkers *workers;
    AstarBatch *batch;
    AstarPath path;
    astar_path_init(&path);
    CHECK(astar_workers_new(NULL, -1, &workers) == ASTAR_BAD_OPTION);
    CHECK(astar_workers_new(NULL, ASTAR_MAX_WORKERS + 1, &workers) == ASTAR_BAD_OPTION);
#ifdef ASTAR_NO_THREADS
    CHECK(astar_workers_new(NULL, 1, &workers) == ASTAR_WITHOUT_THREADS);
#endif
    CHECK(astar_workers_new(NULL, THREADS, &workers) == ASTAR_OK);
    CHECK(astar_grid_new(NULL, 8, 8, &grid) == ASTAR_OK);
    CHECK(astar_field_new(NULL, 8, 8, &field) == ASTAR_OK);
    AstarOptions options = astar_options_default();
    options.cost = same_cost;
    check_refused(workers, grid, &options, "cost");
    options = astar_options_default();
    options.step_cost = step_cost;
    check_refused(workers, grid, &options, "step_cost");
    options = astar_options_default();
    options.estimate = no_estimate;
    check_refused(workers, grid, &options, "a heuristic function");
    options = astar_options_default();
    options.avoid = field;
    check_refused(workers, grid, &options, "avoid");

    CHECK(astar_finder_new(grid, NULL, &finder) == ASTAR_OK);
    CHECK(astar_workers_refusal(finder) == NULL);
    CHECK(astar_batch_new(workers, &batch) == ASTAR_OK);
    CHECK(astar_batch_add(batch, finder, 0, 0, 8, 1, NULL) == ASTAR_BAD_CELL);
    CHECK(astar_batch_add(batch, finder, -1, 0, 7, 1, NULL) == ASTAR_BAD_CELL);
    CHECK(astar_batch_add(batch, finder, 0, 0, 7, 1, NULL) == ASTAR_OK);
    CHECK(astar_batch_take(batch, 0, &path) == ASTAR_BAD_OPTION); // not begun
    astar_batch_wait(batch);
    CHECK(astar_batch_begin(batch) == ASTAR_OK);
    CHECK(astar_batch_take(batch, 0, &path) == ASTAR_BAD_OPTION); // nor waited for
    CHECK(astar_batch_add(batch, finder, 0, 0, 7, 1, NULL) == ASTAR_BAD_OPTION);
    astar_batch_wait(batch);
    astar_batch_cancel(batch, 1);
    CHECK(astar_batch_take(batch, 1, &path) == ASTAR_BAD_OPTION);
    CHECK(astar_batch_take(batch, 0, &path) == ASTAR_OK);
    CHECK(astar_batch_take_flow(batch, 0) == ASTAR_BAD_OPTION);
    CHECK(astar_batch_take_flow(batch, 9) == ASTAR_BAD_OPTION);
    astar_batch_free(batch);
    test_flows_refused(workers, finder, &path);
    astar_path_destroy(&path);
    astar_finder_release(finder);
    astar_field_release(field);
    astar_grid_release(grid);
    astar_workers_release(workers);
}

// Long searches end at once where nobody wants them any more.
static void test_ends(void)
{
    enum { WIDE = 700, MANY = 40 };
    AstarGrid *grid;
    AstarFinder *finder;
    AstarWorkers *workers;
    AstarBatch *batch;
    AstarPath path;
    astar_path_init(&path);
    AstarOptions options = astar_options_default();
    options.algorithm = ASTAR_DIJKSTRA;
    CHECK(astar_grid_new(NULL, WIDE, WIDE, &grid) == ASTAR_OK);
    CHECK(astar_finder_new(grid, &options, &finder) == ASTAR_OK);
    for (int how = 0; how < 3; how++) {
        CHECK(astar_workers_new(NULL, THREADS, &workers) == ASTAR_OK);
        CHECK(astar_batch_new(workers, &batch) == ASTAR_OK);
        for (int i = 0; i < MANY; i++)
            CHECK(astar_batch_add(batch, finder, 0, 0, WIDE - 1, WIDE - 1, NULL) == ASTAR_OK);
        CHECK(astar_batch_begin(batch) == ASTAR_OK);
        for (size_t i = 1; how == 0 && i < MANY; i++)
            astar_batch_cancel(batch, i);
        if (how == 0) {
            astar_batch_wait(batch);
            CHECK(astar_batch_take(batch, 0, &path) == ASTAR_OK);
            CHECK(path.cells == WIDE);
        }
        if (how == 1)
            astar_workers_close(workers);
        astar_batch_free(batch);
        astar_workers_release(workers);
    }
    astar_path_destroy(&path);
    astar_finder_release(finder);
    astar_grid_release(grid);
}

// Memory of which one allocation fails.
typedef struct Memory {
    long left;   // until then; below 0: none fails
    long blocks; // given and not taken back
    bool failed;
} Memory;

static void *take_block(void *context, size_t size)
{
    Memory *memory = context;
    if (memory->left-- == 0) {
        memory->failed = true;
        return NULL;
    }
    memory->blocks++;
    return calloc(1, size > 0 ? size : 1);
}

static void give_block(void *context, void *block, size_t size)
{
    Memory *memory = context;
    (void)size;
    memory->blocks--;
    free(block);
}

// A batch is handed over and taken, by a pool whose host does all; false where memory failed.
static bool ask_batch(AstarWorkers *workers, AstarFinder *finder, AstarFlow *flow,
                      AstarWorkspace *workspace, Memory *memory)
{
    static const AstarCell goals[] = {{9, 3}, {3, 9}};
    AstarBatch *batch = NULL;
    AstarSearch *search = NULL;
    AstarPath path;
    astar_path_init(&path);
    AstarStatus status = astar_search_take_unbuilt(workspace, finder, &search);
    if (status == ASTAR_OK &&
        astar_search_nearest_in_steps(search, 1, 1, goals, 2, NULL, 0) != ASTAR_RUNNING)
        status = ASTAR_NO_MEMORY;
    if (status == ASTAR_OK)
        status = astar_batch_new(workers, &batch);
    for (int i = 0; status == ASTAR_OK && i < 20; i++)
        status = astar_batch_add(batch, finder, i % SIDE, 0, SIDE - 1, i % SIDE, NULL);
    if (status == ASTAR_OK)
        status = astar_batch_add_flow(batch, flow);
    if (status == ASTAR_OK)
        status = astar_batch_add_search(batch, search);
    if (status == ASTAR_OK)
        status = astar_batch_begin(batch);
    for (size_t i = 0; status == ASTAR_OK && i < 20; i++) {
        astar_batch_wait(batch);
        status = astar_batch_take(batch, i, &path);
        CHECK(status != ASTAR_OK || path.cells >= SIDE - (int)i);
    }
    if (status == ASTAR_OK)
        status = astar_batch_take_flow(batch, 20);
    if (status == ASTAR_OK)
        status = astar_batch_take_search(batch, 21, search);
    astar_batch_free(batch);
    astar_search_free(search);
    astar_path_destroy(&path);
    // A flow that cannot take what was worked out says so by ASTAR_RUNNING; a log of edits that
    // cannot grow, and a workspace that cannot keep a search, say nothing.
    CHECK(status == ASTAR_OK || memory->failed);
    CHECK(status == ASTAR_OK || status == ASTAR_NO_MEMORY || status == ASTAR_RUNNING);
    return status == ASTAR_OK;
}

static void test_memory(void)
{
    bool has_ended = false;
    for (long nth = 0; !has_ended; nth++) {
        Memory memory = {.left = -1};
        AstarAllocator allocator = {take_block, give_block, &memory};
        AstarGrid *grid;
        AstarFinder *finder;
        AstarFlow *flow;
        AstarWorkers *workers = NULL;
        AstarWorkspace *workspace;
        AstarBaking baking;
        AstarOptions options = astar_options_default();
        const AstarFlowGoal goal = {3, 3, 0};
        options.algorithm = ASTAR_ASTAR;
        CHECK(astar_grid_new(&allocator, SIDE, SIDE, &grid) == ASTAR_OK);
        CHECK(astar_finder_new(grid, &options, &finder) == ASTAR_OK);
        CHECK(astar_flow_new(finder, &goal, 1, INFINITY, &flow) == ASTAR_OK);
        CHECK(astar_workspace_new(&allocator, &workspace) == ASTAR_OK);
        for (int y = 20; y < SIDE; y += 4)
            astar_grid_block(grid, y % 8 == 4 ? 0 : 3, y, SIDE - 3, 1);
        CHECK(astar_finder_bake(finder, 2, &baking) == ASTAR_OK && baking.pivots == 2);
        memory.left = nth;
        if (astar_workers_new(&allocator, 0, &workers) == ASTAR_OK) {
            for (int round = 0; round < 3; round++) {
                astar_grid_block(grid, round, 5, 1, 1);
                (void)ask_batch(workers, finder, flow, workspace, &memory);
            }
            memory.left = -1;
            has_ended = !memory.failed;
            CHECK(ask_batch(workers, finder, flow, workspace, &memory));
        }
        CHECK(workers != NULL || memory.failed);
        astar_workers_release(workers);
        astar_workspace_free(workspace);
        astar_flow_release(flow);
        astar_finder_release(finder);
        astar_grid_release(grid);
        CHECK(memory.blocks == 0);
    }
}

int main(void)
{
    test_memory();
    test_refused();
    test_baked();
    test_landmarks();
    test_baking();
    test_searches();
    test_versions();
    test_rounds();
    test_ends();
    return report();
}
