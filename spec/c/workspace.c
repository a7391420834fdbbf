// workspace.c -- one workspace for grids of all sizes: what it answers, and what it keeps.

#include "astar.h"
#include "check.h"

enum { WORLDS = 12 };

typedef struct World {
    AstarGrid *grid;
    AstarFinder *finder;
    int width, height;
} World;

static double uneven(void *context, int x, int y, int terrain, double cost)
{
    (void)context;
    (void)terrain;
    return (x * 7 + y * 3) % 5 == 0 ? 2 * cost : cost;
}

static World new_world(uint32_t *seed, int kind)
{
    World world = {.width = 1 + random_below(seed, 12 * (kind + 1)),
                   .height = 3 + random_below(seed, 12 * (kind + 1))};
    CHECK(astar_grid_new(NULL, world.width, world.height, &world.grid) == ASTAR_OK);
    for (int i = world.width * world.height / 5; i > 0; i--)
        astar_grid_block(world.grid, random_below(seed, world.width),
                         random_below(seed, world.height), 1, 1);
    if (kind % 4 == 2)
        CHECK(astar_grid_link(world.grid, 0, 0, world.width - 1, world.height - 1, 5, 1, false) ==
              ASTAR_OK);
    AstarOptions options = astar_options_default();
    options.cost = kind % 3 == 1 ? uneven : NULL;
    options.algorithm = kind % 4 == 3 ? ASTAR_DIJKSTRA : ASTAR_AUTO;
    options.any_angle = kind % 5 == 4;
    CHECK(astar_finder_new(world.grid, &options, &world.finder) == ASTAR_OK);
    return world;
}

static void free_world(World *world)
{
    astar_finder_release(world->finder);
    astar_grid_release(world->grid);
}

// The same question, of a workspace used before and of one of its own.
static void ask_twice(AstarWorkspace *used, const World *world, uint32_t *seed)
{
    AstarWorkspace *fresh = NULL;
    CHECK(astar_workspace_new(NULL, &fresh) == ASTAR_OK);
    AstarWorkspace *workspaces[] = {used, fresh};
    AstarPath paths[2];
    AstarStatus statuses[2];
    size_t indices[2] = {0, 0};
    int sx = random_below(seed, world->width), sy = random_below(seed, world->height);
    AstarCell goals[20];
    for (int i = 0; i < 20; i++)
        goals[i] = (AstarCell){random_below(seed, world->width), random_below(seed, world->height)};
    bool many = random_below(seed, 2) == 0;
    for (int i = 0; i < 2; i++) {
        astar_path_init(&paths[i]);
        statuses[i] = many ? astar_find_nearest(workspaces[i], world->finder, sx, sy, goals, 20,
                                                NULL, NULL, &paths[i], &indices[i])
                           : astar_find_path(workspaces[i], world->finder, sx, sy, goals[0].x,
                                             goals[0].y, NULL, NULL, &paths[i]);
    }
    CHECK(statuses[0] == statuses[1] && indices[0] == indices[1]);
    CHECK(paths[0].cost == paths[1].cost && paths[0].cells == paths[1].cells);
    CHECK(paths[0].expanded == paths[1].expanded);
    for (int i = 0; i < 2; i++)
        astar_path_destroy(&paths[i]);
    astar_workspace_free(fresh);
}

static void test_many_grids(void)
{
    AstarWorkspace *workspace = NULL;
    World worlds[WORLDS];
    uint32_t seed = 7;
    CHECK(astar_workspace_new(NULL, &workspace) == ASTAR_OK);
    for (int i = 0; i < WORLDS; i++)
        worlds[i] = new_world(&seed, i);
    for (int i = 0; i < 3000; i++) {
        World *world = &worlds[random_below(&seed, WORLDS)];
        ask_twice(workspace, world, &seed);
        if (i % 100 == 99) { // another in its place
            free_world(world);
            *world = new_world(&seed, (int)(world - worlds));
        }
    }
    for (int i = 0; i < WORLDS; i++)
        free_world(&worlds[i]);
    astar_workspace_free(workspace);
}

static void ask_corners(AstarWorkspace *workspace, const World *world, int times)
{
    AstarPath path;
    astar_path_init(&path);
    for (int i = 0; i < times; i++)
        CHECK(astar_find_path(workspace, world->finder, 0, 0, world->width - 1, world->height - 1,
                              NULL, NULL, &path) == ASTAR_OK);
    astar_path_destroy(&path);
}

static World new_open(int side)
{
    World world = {.width = side, .height = side};
    AstarOptions options = astar_options_default();
    options.algorithm = ASTAR_ASTAR;
    CHECK(astar_grid_new(NULL, side, side, &world.grid) == ASTAR_OK);
    CHECK(astar_finder_new(world.grid, &options, &world.finder) == ASTAR_OK);
    return world;
}

// The memory of a large map goes some time after the last question about it.
static void test_what_is_kept(void)
{
    AstarWorkspace *workspace = NULL;
    World large = new_open(400), small = new_open(20), less_small = new_open(30);
    CHECK(astar_workspace_new(NULL, &workspace) == ASTAR_OK);
    size_t empty = astar_workspace_bytes(workspace);
    ask_corners(workspace, &large, 1);
    size_t with_large = astar_workspace_bytes(workspace);
    CHECK(with_large > empty && with_large < empty + 400 * 400 * 4); // for a way across, no more
    ask_corners(workspace, &large, 20);
    CHECK(astar_workspace_bytes(workspace) == with_large);
    ask_corners(workspace, &less_small, 1);
    size_t with_both = astar_workspace_bytes(workspace);
    CHECK(with_both > with_large);
    ask_corners(workspace, &small, 20); // has room in that
    CHECK(astar_workspace_bytes(workspace) == with_both);
    ask_corners(workspace, &small, 300);
    CHECK(astar_workspace_bytes(workspace) < 400 * 400);
    for (int i = 0; i < 30; i++) {
        World other = new_open(40 + 10 * i);
        ask_corners(workspace, &other, 1);
        free_world(&other);
    }
    CHECK(astar_workspace_bytes(workspace) < with_large * 4);
    free_world(&large);
    free_world(&small);
    free_world(&less_small);
    astar_workspace_free(workspace);
}

typedef struct Nested {
    AstarWorkspace *workspace;
    World *world;
    int depth, calls;
} Nested;

static double ask_again(void *context, int x, int y, int terrain, double cost)
{
    Nested *nested = context;
    (void)x, (void)y, (void)terrain;
    nested->calls++;
    if (nested->depth < 3 && nested->calls % 9 == 0) {
        AstarPath path;
        astar_path_init(&path);
        nested->depth++;
        CHECK(astar_find_path(nested->workspace, nested->world->finder, 0, 0, 9, 9, NULL, nested,
                              &path) == ASTAR_OK);
        CHECK(near(path.cost, 9 * sqrt(2)));
        nested->depth--;
        astar_path_destroy(&path);
    }
    return cost;
}

// Callbacks that ask the same finder with the same workspace; searches that outlive it.
static void test_within_a_query(void)
{
    AstarOptions options = astar_options_default();
    World world = {.width = 10, .height = 10};
    Nested nested = {.world = &world};
    AstarSearch *search = NULL, *other = NULL;
    AstarPath path;
    astar_path_init(&path);
    options.cost = ask_again;
    CHECK(astar_workspace_new(NULL, &nested.workspace) == ASTAR_OK);
    CHECK(astar_grid_new(NULL, 10, 10, &world.grid) == ASTAR_OK);
    CHECK(astar_finder_new(world.grid, &options, &world.finder) == ASTAR_OK);
    CHECK(astar_find_path(nested.workspace, world.finder, 0, 0, 9, 9, NULL, &nested, &path) ==
          ASTAR_OK);
    CHECK(near(path.cost, 9 * sqrt(2)) && nested.calls > 100);
    CHECK(astar_search_new(nested.workspace, world.finder, 0, 0, 9, 9, NULL, &search) == ASTAR_OK);
    CHECK(astar_search_new(nested.workspace, world.finder, 9, 0, 0, 9, NULL, &other) == ASTAR_OK);
    astar_workspace_free(nested.workspace);
    nested.depth = 3; // asks no more
    CHECK(astar_search_step(search, UINT64_MAX, &nested) == ASTAR_OK);
    astar_search_free(other);
    CHECK(astar_search_path(search, &path) == ASTAR_OK && near(path.cost, 9 * sqrt(2)));
    astar_search_free(search);
    astar_path_destroy(&path);
    free_world(&world);
    astar_workspace_free(NULL);
}

int main(void)
{
    test_many_grids();
    test_what_is_kept();
    test_within_a_query();
    return report();
}
