// oracle.c -- the rules of movement written plainly, and Dijkstra's algorithm over them.

#include "oracle.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

static bool is_inside(const World *world, int x, int y)
{
    return x >= 0 && y >= 0 && x < world->width && y < world->height;
}

// ---- cells ----

// What the ground costs this unit.
static double ground_cost(const World *world, const AstarOptions *options, int cell)
{
    int terrain = world->ground[cell];
    if (options->costs != NULL && !isnan(options->costs[terrain]))
        return options->costs[terrain];
    return world->cost[terrain];
}

bool oracle_is_blocked(const World *world, const AstarOptions *options, int x, int y)
{
    return (world->blocked[y * world->width + x] & ~options->ignore) != 0;
}

bool oracle_can_stand(const World *world, const AstarOptions *options, int x, int y)
{
    for (int row = y; row < y + options->size; row++)
        for (int column = x; column < x + options->size; column++)
            if (!is_inside(world, column, row) ||
                isinf(ground_cost(world, options, row * world->width + column)))
                return false;
    return true;
}

// What one cell costs, as if the unit were that small.
static double cell_cost(const World *world, const AstarOptions *options, int x, int y)
{
    int cell = y * world->width + x;
    double cost = ground_cost(world, options, cell);
    if (options->avoid != NULL)
        cost += options->avoid_weight * fmax(astar_field_get(options->avoid, x, y), 0);
    if (options->cost != NULL && isfinite(cost))
        cost = options->cost(NULL, x, y, world->ground[cell], cost);
    return cost;
}

// The dearest cell covered. A unit of several cells is itself the blocks it covers at its start.
static double entry_cost(const World *world, const AstarOptions *options, int sx, int sy, int x,
                         int y)
{
    int size = options->size;
    // A unit of one cell can stand on a blocked cell only where its step_cost lets it.
    bool is_itself = size > 1 || options->step_cost != NULL;
    bool lifts = is_itself && oracle_can_stand(world, options, sx, sy);
    double most = 0;
    for (int row = y; row < y + size; row++)
        for (int column = x; column < x + size; column++) {
            if (!is_inside(world, column, row))
                return INFINITY;
            bool own = lifts && column >= sx && column < sx + size && row >= sy && row < sy + size;
            if (!own && oracle_is_blocked(world, options, column, row))
                return INFINITY;
            most = fmax(most, cell_cost(world, options, column, row));
        }
    return most;
}

// ---- steps ----

static int side_of(int dx, int dy)
{
    return dy < 0 ? 0 : dx > 0 ? 1 : dy > 0 ? 2 : 3;
}

static bool is_barred(const World *world, int x, int y, int dx, int dy)
{
    return world->walls[y * world->width + x][side_of(dx, dy)];
}

// Of the two ways around a diagonal step, how many are open and how many walls close.
static void count_ways(const World *world, const Reach *reach, int x, int y, int dx, int dy,
                       int *open, int *walled)
{
    bool barred[2] = {
        is_barred(world, x, y, dx, 0) || is_barred(world, x + dx, y, 0, dy),
        is_barred(world, x, y, 0, dy) || is_barred(world, x, y + dy, dx, 0),
    };
    double beside[2] = {
        reach->entry[y * world->width + x + dx],
        reach->entry[(y + dy) * world->width + x],
    };
    *open = *walled = 0;
    for (int i = 0; i < 2; i++) {
        *walled += barred[i];
        *open += !barred[i] && isfinite(beside[i]);
    }
}

static bool is_allowed(const World *world, AstarDiagonals rule, const Reach *reach, int x, int y,
                       int dx, int dy)
{
    if (dx == 0 || dy == 0)
        return !is_barred(world, x, y, dx, dy);
    int open, walled;
    count_ways(world, reach, x, y, dx, dy, &open, &walled);
    int needed = rule == ASTAR_ALWAYS ? 0 : rule == ASTAR_IF_AT_MOST_ONE_OBSTACLE ? 1 : 2;
    return rule != ASTAR_NEVER && walled < 2 && open >= needed;
}

double oracle_step(const World *world, const AstarOptions *options, const Reach *reach, int from,
                   int to)
{
    int x = from % world->width, y = from / world->width;
    int to_x = to % world->width, to_y = to / world->width;
    int dx = to_x - x, dy = to_y - y;
    if (abs(dx) > 1 || abs(dy) > 1 || from == to || isinf(reach->entry[to]) ||
        !is_allowed(world, options->diagonals, reach, x, y, dx, dy))
        return INFINITY;
    double cost = reach->entry[to] * (dx != 0 && dy != 0 ? options->diagonal_cost : 1);
    return options->step_cost != NULL ? options->step_cost(NULL, x, y, to_x, to_y, cost) : cost;
}

double oracle_link(const World *world, const AstarOptions *options, const Reach *reach, int from,
                   int to)
{
    for (int i = 0; i < world->link_count; i++) {
        const WorldLink *link = &world->links[i];
        if (link->from != from || link->to != to || isinf(reach->entry[to]))
            continue;
        return options->step_cost == NULL
                   ? link->cost
                   : options->step_cost(NULL, from % world->width, from / world->width,
                                        to % world->width, to / world->width, link->cost);
    }
    return INFINITY;
}

// ---- Dijkstra ----

static void improve(Reach *reach, int cell, double distance)
{
    if (distance < reach->distance[cell])
        reach->distance[cell] = distance;
}

static void relax(const World *world, const AstarOptions *options, Reach *reach, int cell)
{
    int x = cell % world->width, y = cell / world->width;
    double here = reach->distance[cell];
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if ((dx != 0 || dy != 0) && is_inside(world, x + dx, y + dy)) {
                int to = cell + dy * world->width + dx;
                improve(reach, to, here + oracle_step(world, options, reach, cell, to));
            }
    for (int i = 0; i < world->link_count; i++)
        if (world->links[i].from == cell) {
            int to = world->links[i].to;
            improve(reach, to, here + oracle_link(world, options, reach, cell, to));
        }
}

void oracle_reach(const World *world, const AstarOptions *options, int sx, int sy, Reach *reach)
{
    int cells = world->width * world->height;
    bool closed[MOST_CELLS] = {false};
    for (int cell = 0; cell < cells; cell++) {
        reach->entry[cell] = entry_cost(world, options, sx, sy, cell % world->width,
                                        cell / world->width);
        reach->distance[cell] = INFINITY;
    }
    if (!oracle_can_stand(world, options, sx, sy))
        return;
    reach->distance[sy * world->width + sx] = 0;
    for (;;) {
        int nearest = -1;
        for (int cell = 0; cell < cells; cell++)
            if (!closed[cell] && isfinite(reach->distance[cell]) &&
                (nearest < 0 || reach->distance[cell] < reach->distance[nearest]))
                nearest = cell;
        if (nearest < 0)
            return;
        closed[nearest] = true;
        relax(world, options, reach, nearest);
    }
}

double oracle_ground_distance(const AstarOptions *options, int dx, int dy)
{
    dx = abs(dx);
    dy = abs(dy);
    if (options->diagonals == ASTAR_NEVER)
        return dx + dy;
    int diagonals = dx < dy ? dx : dy;
    return (dx < dy ? dy : dx) - diagonals + diagonals * options->diagonal_cost;
}

void oracle_away(const AstarOptions *options, int range, int x, int y, int gx, int gy, int *dx,
                 int *dy)
{
    int most = range > 0 ? options->size : 1;
    *dx = *dy = INT_MAX;
    for (int covered = 0; covered < most; covered++) {
        *dx = abs(x + covered - gx) < *dx ? abs(x + covered - gx) : *dx;
        *dy = abs(y + covered - gy) < *dy ? abs(y + covered - gy) : *dy;
    }
}
