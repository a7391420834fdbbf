// jobs.c -- all kinds of work in slices by one protocol, however they are sliced.

#include "astar.h"
#include "check.h"

enum { WIDE = 96, TALL = 64, NODES = 200 };

static AstarGrid *new_grid(uint32_t seed)
{
    AstarGrid *grid;
    CHECK(astar_grid_new(NULL, WIDE, TALL, &grid) == ASTAR_OK);
    for (int i = 0; i < WIDE * TALL / 5; i++)
        astar_grid_block(grid, 1 + random_below(&seed, WIDE - 2), random_below(&seed, TALL), 1, 1);
    return grid;
}

// Runs a job to its end, by so many expansions a step; what it came to.
static AstarStatus run_job(const AstarJobKind *kind, void *job, uint64_t expansions)
{
    AstarStatus status;
    long steps = 0;
    do {
        status = kind->step(job, expansions, NULL);
        CHECK(kind->status == NULL || kind->status(job) == status);
    } while (status == ASTAR_RUNNING && ++steps < 10000000);
    CHECK(kind->bytes == NULL || kind->bytes(job) > 0);
    CHECK(kind->expanded == NULL || kind->expanded(job) > 0);
    CHECK(expansions == UINT64_MAX || steps > 0);
    return status;
}

static void search_grid(AstarFinder *finder, uint64_t expansions)
{
    AstarWorkspace *workspace;
    AstarSearch *search;
    AstarPath path, whole;
    astar_path_init(&path);
    astar_path_init(&whole);
    CHECK(astar_workspace_new(NULL, &workspace) == ASTAR_OK);
    AstarStatus expected = astar_find_path(workspace, finder, 0, 0, WIDE - 1, TALL - 1, NULL, NULL,
                                           &whole);
    CHECK(astar_search_new(workspace, finder, 0, 0, WIDE - 1, TALL - 1, NULL, &search) == ASTAR_OK);
    CHECK(run_job(&astar_search_job, search, expansions) == expected);
    CHECK(expected != ASTAR_OK ||
          (astar_search_path(search, &path) == ASTAR_OK && near(path.cost, whole.cost)));
    astar_search_job.close(search);
    astar_path_destroy(&path);
    astar_path_destroy(&whole);
    astar_workspace_free(workspace);
}

static void work_on_grid(AstarFinder *finder, uint64_t expansions)
{
    const AstarBakingOptions labels = {.method = ASTAR_BAKE_LABELS, .bytes = 1 << 20};
    AstarBaked *baked;
    AstarFlow *flow;
    AstarFlowGoal goal = {0, 0, 0};
    bool is_current = false;
    astar_finder_retain(finder);
    CHECK(run_job(&astar_preparing_job, finder, UINT64_MAX) == ASTAR_OK);
    astar_preparing_job.close(finder);
    CHECK(astar_baking_new(finder, &labels, &baked) == ASTAR_OK);
    CHECK(run_job(&astar_baking_job, baked, expansions) == ASTAR_OK);
    CHECK(astar_baked_is_current(baked, &is_current) == ASTAR_OK && is_current);
    astar_baking_job.close(baked);
    CHECK(astar_flow_new(finder, &goal, 1, (double)INFINITY, &flow) == ASTAR_OK);
    CHECK(run_job(&astar_completing_job, flow, expansions) == ASTAR_OK);
    astar_completing_job.close(flow);
}

static void resolve(AstarFinder *finder, uint64_t expansions)
{
    AstarCrowd *crowd;
    AstarUnit units[2];
    AstarResolving *resolving;
    CHECK(astar_crowd_new(finder, NULL, &crowd) == ASTAR_OK);
    CHECK(astar_crowd_add(crowd, NULL, 0, 0, 1, &units[0]) == ASTAR_OK);
    CHECK(astar_crowd_add(crowd, NULL, 0, 20, 1, &units[1]) == ASTAR_OK);
    CHECK(astar_crowd_go(crowd, units[0], 0, 20) == ASTAR_OK);
    CHECK(astar_crowd_go(crowd, units[1], 0, 0) == ASTAR_OK);
    CHECK(astar_crowd_resolving(crowd, NULL, 0, NULL, &resolving) == ASTAR_OK);
    CHECK(run_job(&astar_resolving_job, resolving, expansions) == ASTAR_OK);
    astar_resolving_job.close(resolving);
    astar_crowd_release(crowd);
}

static void work_on_graph(uint64_t expansions)
{
    AstarGraph *graph;
    AstarGraphSearch *search;
    AstarGraphBaking *baking;
    CHECK(astar_graph_new(NULL, &graph) == ASTAR_OK);
    for (uint32_t i = 0; i < NODES; i++) {
        AstarName key = {.kind = ASTAR_NAME_NUMBER, .number = i};
        uint32_t node;
        CHECK(astar_graph_put(graph, &key, i, 0, &node) == ASTAR_OK && node == i);
        CHECK(i == 0 || astar_graph_connect(graph, i - 1, i, 1, 0, false) == ASTAR_OK);
    }
    CHECK(astar_graph_search_new(graph, NULL, &search) == ASTAR_OK);
    CHECK(astar_graph_search_to(search, 0, NODES - 1, NULL, NULL) == ASTAR_RUNNING);
    CHECK(run_job(&astar_graph_search_job, search, expansions) == ASTAR_OK);
    astar_graph_search_job.close(search);
    CHECK(astar_graph_baking_new(graph, 4, &baking) == ASTAR_OK);
    CHECK(run_job(&astar_graph_baking_job, baking, expansions) == ASTAR_OK);
    size_t bytes;
    CHECK(astar_graph_landmarks(graph, &bytes) == 4);
    astar_graph_baking_job.close(baking);
    astar_graph_release(graph);
}

static void search_world(uint64_t expansions)
{
    AstarGrid *palette;
    AstarFinder *finder;
    AstarWorld *world;
    AstarWorldFinder *world_finder;
    AstarRouteSearch *search;
    static const uint8_t open[ASTAR_CHUNK_SIDE * ASTAR_CHUNK_SIDE];
    CHECK(astar_grid_new(NULL, 1, 1, &palette) == ASTAR_OK);
    CHECK(astar_finder_new(palette, NULL, &finder) == ASTAR_OK);
    CHECK(astar_world_new(NULL, palette, NULL, &world) == ASTAR_OK);
    for (int32_t cx = 0; cx < 4; cx++)
        CHECK(astar_world_put(world, cx, 0, open, NULL) == ASTAR_OK);
    CHECK(astar_world_finder_new(world, finder, 4, &world_finder) == ASTAR_OK);
    CHECK(astar_route_search_new(world_finder, 0, 0, 3 * ASTAR_CHUNK_SIDE, 9, &search) == ASTAR_OK);
    CHECK(run_job(&astar_route_search_job, search, expansions) == ASTAR_OK);
    astar_route_search_job.close(search);
    astar_world_finder_release(world_finder);
    astar_world_release(world);
    astar_finder_release(finder);
    astar_grid_release(palette);
}

int main(void)
{
    static const uint64_t slices[] = {1, 7, 100, UINT64_MAX};
    for (int i = 0; i < 4; i++) {
        AstarGrid *grid = new_grid((uint32_t)i + 1);
        AstarFinder *finder;
        CHECK(astar_finder_new(grid, NULL, &finder) == ASTAR_OK);
        search_grid(finder, slices[i]);
        work_on_grid(finder, slices[i]);
        resolve(finder, slices[i]);
        work_on_graph(slices[i]);
        search_world(slices[i]);
        astar_finder_release(finder);
        astar_grid_release(grid);
    }
    return report();
}
