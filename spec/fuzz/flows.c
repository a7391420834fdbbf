// flows.c -- flow fields and reaches, asked again and again while the map is edited under them.

#include "queries.h"

#include <math.h>

void ask_new_flow(Input *input, const World *world, Unit *unit)
{
    astar_flow_release(unit->flow);
    unit->flow = NULL;
    unit->goal_count = next_below(input, MOST_GOALS + 1);
    for (int i = 0; i < MOST_GOALS; i++) {
        AstarFlowGoal *goal = &unit->goals[i];
        random_cell(input, world, &goal->x, &goal->y);
        goal->value = next_below(input, 4) == 0 ? next_below(input, 9) - 4 : 0;
    }
    AstarStatus status = unit->goal_count > 0
                             ? astar_flow_new(unit->finder, unit->goals, (size_t)unit->goal_count,
                                              INFINITY, &unit->flow)
                             : astar_reach_new(unit->finder, unit->goals[0].x, unit->goals[0].y,
                                               INFINITY, &unit->flow);
    REQUIRE(status == ASTAR_OK);
}

// The least of what the goals and the ways there cost.
static double best_goal(const World *world, const Unit *unit, const Reach *reach)
{
    double best = INFINITY;
    for (int i = 0; i < unit->goal_count; i++) {
        const AstarFlowGoal *goal = &unit->goals[i];
        best = fmin(best, goal->value + best_within(world, unit, reach, goal->x, goal->y));
    }
    return best;
}

static void check_flow(const World *world, Unit *unit, int x, int y)
{
    Reach reach;
    double distance, cost;
    oracle_reach(world, &unit->options, x, y, &reach);
    double best = best_goal(world, unit, &reach);
    AstarStatus status = astar_flow_distance(unit->flow, x, y, NULL, &distance);
    REQUIRE((status == ASTAR_OK) == isfinite(best));
    if (status != ASTAR_OK)
        return;
    REQUIRE(near(distance, best));
    AstarPath path;
    astar_path_init(&path);
    REQUIRE(astar_flow_path(unit->flow, x, y, NULL, &path) == ASTAR_OK);
    REQUIRE(cell_at(world, &path, 0) == y * world->width + x);
    REQUIRE(walk(world, unit, &reach, &path, &cost) == -1 && near(cost, path.cost));
    Reach end; // from the last cell on there is nothing left to walk
    int last = cell_at(world, &path, path.cells - 1);
    oracle_reach(world, &unit->options, last % world->width, last / world->width, &end);
    REQUIRE(near(cost + best_goal(world, unit, &end), distance));
    astar_path_destroy(&path);
}

static void check_reach(const World *world, Unit *unit, int x, int y)
{
    Reach reach;
    double distance, cost;
    oracle_reach(world, &unit->options, unit->goals[0].x, unit->goals[0].y, &reach);
    double best = reach.distance[y * world->width + x];
    AstarStatus status = astar_flow_distance(unit->flow, x, y, NULL, &distance);
    REQUIRE((status == ASTAR_OK) == isfinite(best));
    if (status != ASTAR_OK)
        return;
    REQUIRE(near(distance, best));
    AstarPath path;
    astar_path_init(&path);
    REQUIRE(astar_flow_path(unit->flow, x, y, NULL, &path) == ASTAR_OK);
    REQUIRE(cell_at(world, &path, path.cells - 1) == y * world->width + x);
    REQUIRE(walk(world, unit, &reach, &path, &cost) == -1);
    REQUIRE(near(cost, path.cost) && near(cost, distance));
    astar_path_destroy(&path);
}

// Blocks below a unit of several cells count to a flow, as other units will stand there, and so do
// those it is asked about; the oracle lifts them.
static bool stands_on_blocks(const World *world, const Unit *unit, int x, int y)
{
    for (int row = y; row < y + unit->options.size && row < world->height; row++)
        for (int column = x; column < x + unit->options.size && column < world->width; column++)
            if (oracle_is_blocked(world, &unit->options, column, row))
                return unit->options.size > 1;
    return false;
}

void query_flow(Input *input, const World *world, Unit *unit)
{
    int x, y, bytes = next_below(input, 8);
    random_cell(input, world, &x, &y);
    if (unit->flow == NULL)
        return;
    if (bytes == 0)
        REQUIRE(astar_flow_update(unit->flow, NULL) == ASTAR_OK);
    if (bytes == 1)
        REQUIRE(astar_flow_complete(unit->flow, NULL) == ASTAR_OK);
    if (isfinite(unit->options.max_cost) || stands_on_blocks(world, unit, x, y) ||
        stands_on_blocks(world, unit, unit->goals[0].x, unit->goals[0].y))
        return;
    if (unit->goal_count > 0)
        check_flow(world, unit, x, y);
    else
        check_reach(world, unit, x, y);
}
