// adopted_flows.c -- a flow takes all that its twin has worked out, or, without memory, nothing.
//
// A flow that flees has what it flees from take, too: where memory runs out for one of them the
// other must not have taken anything, for the twin has it once only.

#include "flow/flow_life.h"
#include "support.h"

#include "flow/flow.h"

enum { SIDE = 12, TERRAINS = 40, MOST_STEPS = 5000 };

static bool has_memory = true;

static double same_cost(void *context, int x, int y, int terrain, double cost)
{
    (void)context;
    (void)x;
    (void)y;
    (void)terrain;
    return cost;
}

static AstarGrid *new_map(void)
{
    const AstarAllocator allocator = allocator_while(&has_memory);
    AstarGrid *grid;
    CHECK(astar_grid_new(&allocator, SIDE, SIDE, &grid) == ASTAR_OK);
    return grid;
}

static AstarFinder *new_asking_finder(AstarGrid *grid)
{
    AstarOptions options = astar_options_default();
    AstarFinder *finder;
    options.cost = same_cost;
    CHECK(astar_finder_new(grid, &options, &finder) == ASTAR_OK);
    return finder;
}

static AstarFlow *new_flow_to_corner(AstarFinder *finder)
{
    AstarFlow *flow;
    const AstarFlowGoal goal = {.x = SIDE - 1, .y = SIDE - 1};
    CHECK(astar_flow_new(finder, &goal, 1, INFINITY, &flow) == ASTAR_OK);
    return flow;
}

static double distance_from_corner(AstarFlow *flow)
{
    double distance = -1;
    CHECK(astar_flow_distance(flow, 0, 0, NULL, &distance) == ASTAR_OK);
    return distance;
}

// What is fled from has memory for all it needs, what flees has not.
static void test_no_memory_for_half(void)
{
    AstarGrid *grid = new_map(), *copy;
    CHECK(astar_grid_clone(grid, &copy) == ASTAR_OK);
    AstarFinder *finder = new_asking_finder(grid), *finder_there = new_asking_finder(copy);
    AstarFlow *flow = new_flow_to_corner(finder), *flee, *twin;
    CHECK(astar_flow_flee(flow, -1.2, &flee) == ASTAR_OK);
    double distance = distance_from_corner(flow);
    CHECK(astar_flow_complete(flow, NULL) == ASTAR_OK);
    CHECK(astar_flow_twin(flee, finder_there, &twin) == ASTAR_OK);
    CHECK(astar_flow_complete(twin, NULL) == ASTAR_OK);
    has_memory = false;
    CHECK(astar_flow_adopt(flee, twin) == ASTAR_NO_MEMORY);
    has_memory = true;
    CHECK(astar_flow_is_worked_out(twin->fled.source) && !astar_flow_is_worked_out(flee));
    CHECK(distance_from_corner(flow) == distance);
    CHECK(astar_flow_adopt(flee, twin) == ASTAR_OK);
    CHECK(astar_flow_is_worked_out(flow) && astar_flow_is_worked_out(flee));
    CHECK(distance_from_corner(flow) == distance);
    CHECK(distance_from_corner(flee) < distance);
    astar_flow_release(twin);
    astar_flow_release(flee);
    astar_flow_release(flow);
    astar_finder_release(finder_there);
    astar_finder_release(finder);
    astar_grid_release(copy);
    astar_grid_release(grid);
}

// The map is no longer as the copy is when the twin has come to its end, and there is no memory.
static void test_no_memory_after_edits(void)
{
    AstarGrid *grid = new_map();
    AstarFinder *finder = new_asking_finder(grid);
    AstarFlow *flow = new_flow_to_corner(finder);
    int terrain;
    for (int i = 0; i < MOST_STEPS && !astar_flow_is_on_snapshot(flow); i++) {
        CHECK(astar_grid_block(grid, i % SIDE, 3, 1, 1) == ASTAR_OK);
        CHECK(astar_flow_step(flow, 1, NULL) == ASTAR_RUNNING);
        CHECK(astar_grid_unblock(grid, i % SIDE, 3, 1, 1) == ASTAR_OK);
    }
    CHECK(astar_flow_is_on_snapshot(flow));
    AstarStatus status = astar_flow_step(flow, UINT32_MAX, NULL); // copies the map
    CHECK(status == ASTAR_RUNNING);
    for (int i = 0; i < TERRAINS; i++)
        CHECK(astar_grid_add_terrain(grid, 2, &terrain) == ASTAR_OK);
    CHECK(astar_grid_block(grid, 3, 3, 1, 1) == ASTAR_OK);
    for (int i = 0; i < MOST_STEPS && status != ASTAR_OK; i++) {
        has_memory = false;
        status = astar_flow_step(flow, 1, NULL);
        has_memory = true;
        if (status == ASTAR_NO_MEMORY)
            status = astar_flow_step(flow, 1, NULL);
    }
    CHECK(status == ASTAR_OK && astar_flow_is_worked_out(flow));
    astar_flow_release(flow);
    astar_finder_release(finder);
    astar_grid_release(grid);
}

int main(void)
{
    test_no_memory_for_half();
    test_no_memory_after_edits();
    return report();
}
