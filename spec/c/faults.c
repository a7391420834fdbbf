// faults.c -- callbacks of a host that fail, at each of their calls in turn.
//
// Every question is asked over the same small world, with links and walls or with a wide unit, by a
// callback that answers NAN at its k-th call, and again by one that edits the grid there. Each time
// the status must say so, what was to be filled is as it was, and the next answer is the right one.

#include "astar.h"
#include "check.h"
#include "path_calls.h"

static AstarWorkspace *workspace;

enum { WIDTH = 9, HEIGHT = 7 };

typedef enum Fault { NONE, ANSWERS_NAN, EDITS } Fault;

typedef struct Host {
    AstarGrid *grid;
    Fault fault;
    int at; // the call that fails
    int calls;
} Host;

static double answer(Host *host, double cost)
{
    if (host->calls++ != host->at || host->fault == NONE)
        return cost;
    if (host->fault == ANSWERS_NAN)
        return NAN;
    CHECK(astar_grid_block(host->grid, WIDTH - 1, 0, 1, 1) == ASTAR_OK);
    astar_grid_unblock(host->grid, WIDTH - 1, 0, 1, 1); // the same map, and yet edited
    return cost;
}

static double cost_of_cell(void *context, int x, int y, int terrain, double cost)
{
    (void)terrain;
    return answer(context, (x + 2 * y) % 5 == 0 ? 2 * cost : cost);
}

static double cost_of_step(void *context, int x, int y, int to_x, int to_y, double cost)
{
    (void)x;
    (void)y;
    return answer(context, to_x * to_y % 4 == 3 ? 1.5 * cost : cost);
}

static bool is_goal(void *context, int x, int y, int terrain)
{
    (void)terrain;
    Host *host = context;
    if (host->fault == EDITS) // a goal has no cost to be wrong
        answer(host, 1);
    return x == WIDTH - 2 && y == HEIGHT - 2;
}

// ---- questions ----

typedef struct Asked {
    AstarFinder *finder;
    Host *host;
    AstarPath path;   // found before anything failed
    AstarPath broken; // one that the world has changed under
    AstarPath out;    // to be filled
    double number;    // or this
} Asked;

typedef AstarStatus (*Query)(Asked *asked);

static AstarStatus find(Asked *a)
{
    return astar_find_path(workspace, a->finder, 0, 0, WIDTH - 2, HEIGHT - 2, NULL, a->host,
                           &a->out);
}

static AstarStatus find_in_steps(Asked *a)
{
    AstarSearch *search = NULL;
    AstarStatus status = astar_search_new(workspace, a->finder, 0, 0, WIDTH - 2, HEIGHT - 2, NULL,
                                          &search);
    if (status == ASTAR_OK) {
        do {
            uint64_t before = astar_search_expanded(search);
            status = astar_search_step(search, 3, a->host);
            CHECK(astar_search_expanded(search) <= before + 3);
        } while (status == ASTAR_RUNNING);
        CHECK(astar_search_status(search) == (status == ASTAR_BAD_COST ? ASTAR_RUNNING : status));
    }
    if (status == ASTAR_BAD_COST) // it can go on
        CHECK(astar_search_step(search, UINT64_MAX, a->host) == ASTAR_OK);
    else if (status == ASTAR_OK)
        status = astar_search_path(search, &a->out);
    astar_search_free(search);
    return status;
}

static AstarStatus find_nearest(Asked *a)
{
    const AstarCell goals[] = {{WIDTH - 2, HEIGHT - 2}, {3, HEIGHT - 2}, {WIDTH - 2, 0}};
    size_t index = 9;
    AstarStatus status = astar_find_nearest(workspace, a->finder, 0, 0, goals, 3, NULL, a->host,
                                            &a->out, &index);
    CHECK(status != ASTAR_OK || index < 3);
    return status;
}

static AstarStatus find_where(Asked *a)
{
    return astar_find_where(workspace, a->finder, 0, 0, is_goal, NULL, a->host, &a->out);
}

static AstarStatus smooth(Asked *a)
{
    return smooth_path(workspace, &a->path, a->finder, a->host, &a->out);
}

static AstarStatus reverse(Asked *a)
{
    return reverse_path(workspace, &a->path, a->finder, a->host, &a->out);
}

static AstarStatus repair(Asked *a)
{
    return repair_path(workspace, &a->path, a->finder, 1, false, a->host, &a->out);
}

static AstarStatus mend(Asked *a)
{
    return repair_path(workspace, &a->broken, a->finder, 0, false, a->host, &a->out);
}

static AstarStatus check_path(Asked *a)
{
    int bad = 0;
    AstarStatus status = check_cells_of(workspace, &a->path, a->finder, a->host, &bad);
    a->number = bad;
    return status;
}

static AstarStatus raycast(Asked *a)
{
    bool stopped = false;
    int x = 0, y = 0;
    AstarStatus status = astar_raycast(workspace, a->finder, 0, 0, WIDTH - 3, 4, a->host, &stopped,
                                       &x, &y);
    a->number = stopped;
    return status;
}

static AstarStatus is_reachable(Asked *a)
{
    bool reachable = false;
    AstarStatus status = astar_reachable(workspace, a->finder, 0, 0, WIDTH - 2, HEIGHT - 2, a->host,
                                         &reachable);
    a->number = reachable;
    return status;
}

static AstarStatus flow_path(Asked *a)
{
    const AstarFlowGoal goal = {WIDTH - 2, HEIGHT - 2, 0};
    AstarFlow *flow = NULL;
    CHECK(astar_flow_new(a->finder, &goal, 1, INFINITY, &flow) == ASTAR_OK);
    AstarStatus status = astar_flow_path(flow, 0, 0, a->host, &a->out);
    double distance = -1;
    if (status == ASTAR_BAD_COST) { // it can be asked again
        CHECK(astar_flow_distance(flow, 0, 0, a->host, &distance) == ASTAR_OK);
        CHECK(near(distance, a->path.cost));
    }
    astar_flow_release(flow);
    return status;
}

static const Query queries[] = {
    find,   find_in_steps, find_nearest, find_where, smooth,       reverse,
    repair, mend,          check_path,   raycast,    is_reachable, flow_path,
};

enum { QUERIES = sizeof queries / sizeof *queries };

// ---- asking them ----

static void build(AstarGrid *grid, bool has_links_or_walls)
{
    int water;
    CHECK(astar_grid_add_terrain(grid, 3, &water) == ASTAR_OK);
    astar_grid_fill(grid, 2, 3, 4, 1, water);
    if (!has_links_or_walls)
        return;
    CHECK(astar_grid_link(grid, 2, 0, 5, 5, 0.5, 4, false) == ASTAR_OK);
    CHECK(astar_grid_wall(grid, 1, 1, ASTAR_SIDE_EAST, false) == ASTAR_OK);
}

// Asks with a fault at each call in turn; how many there were.
static int ask_with(Asked *asked, Query query, Fault fault)
{
    Host *host = asked->host;
    host->fault = NONE;
    host->calls = 0;
    CHECK(query(asked) == ASTAR_OK);
    const double cost = asked->out.cost, number = asked->number;
    const int calls = host->calls;
    AstarStatus expected = fault == EDITS ? ASTAR_GRID_CHANGED : ASTAR_BAD_COST;
    for (int k = 0; k < calls; k++) {
        host->fault = fault;
        host->at = k;
        host->calls = 0;
        CHECK(query(asked) == expected);
        CHECK(asked->out.cost == cost);
        host->fault = NONE;
        CHECK(query(asked) == ASTAR_OK);
        CHECK(asked->out.cost == cost && asked->number == number);
    }
    return calls;
}

static int ask_all(const AstarOptions *options, bool has_links_or_walls)
{
    Host host = {.fault = NONE};
    CHECK(astar_grid_new(NULL, WIDTH, HEIGHT, &host.grid) == ASTAR_OK);
    build(host.grid, has_links_or_walls);
    Asked asked = {.host = &host};
    CHECK(astar_finder_new(host.grid, options, &asked.finder) == ASTAR_OK);
    astar_path_init(&asked.path);
    astar_path_init(&asked.broken);
    astar_path_init(&asked.out);
    CHECK(astar_find_path(workspace, asked.finder, 0, 0, WIDTH - 2, HEIGHT - 2, NULL, &host,
                          &asked.path) == ASTAR_OK);
    CHECK(smooth_path(workspace, &asked.path, asked.finder, &host, &asked.broken) == ASTAR_OK);
    int x, y, calls = 0;
    astar_path_cell(&asked.broken, asked.broken.cells - 3, &x, &y);
    for (int i = 0; i < QUERIES; i++) {
        bool mends = queries[i] == mend;
        if (mends)
            CHECK(astar_grid_block(host.grid, x, y, 1, 1) == ASTAR_OK);
        calls += ask_with(&asked, queries[i], ANSWERS_NAN);
        calls += ask_with(&asked, queries[i], EDITS);
        if (mends)
            astar_grid_unblock(host.grid, x, y, 1, 1);
    }
    astar_path_destroy(&asked.out);
    astar_path_destroy(&asked.broken);
    astar_path_destroy(&asked.path);
    astar_finder_release(asked.finder);
    astar_grid_release(host.grid);
    return calls;
}

int main(void)
{
    CHECK(astar_workspace_new(NULL, &workspace) == ASTAR_OK);
    int faults = 0;
    const AstarAlgorithm algorithms[] = {ASTAR_ASTAR, ASTAR_DIJKSTRA};
    for (int kind = 0; kind < 32; kind++) {
        AstarOptions options = astar_options_default();
        bool by_steps = kind / 2 % 2 == 1;
        options.algorithm = algorithms[kind % 2];
        options.cost = by_steps ? NULL : cost_of_cell;
        options.step_cost = by_steps ? cost_of_step : NULL;
        options.size = kind / 8 % 2 + 1;
        options.diagonals = kind / 16 == 0 ? ASTAR_ALWAYS : ASTAR_NEVER;
        faults += ask_all(&options, kind / 4 % 2 == 1);
    }
    printf("%d faults\n", faults);
    astar_workspace_free(workspace);
    return report();
}
