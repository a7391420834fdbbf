// smooth.c -- the fewest straight legs along a path.
//
// Every cell of the path may be the end of a leg, if the line to it is clear and its steps cost no
// more than the part of the path it replaces: a shortcut never leads through the swamp that the
// path went around. A breadth-first search over the cells, legs as its steps, finds the fewest
// legs; from each cell the farthest is tried first.

#include "clearance.h"
#include "path.h"
#include "raycast.h"
#include "walk.h"

#include <math.h>

static AstarStatus need_spots(AstarSearch *search, size_t count)
{
    const AstarAllocator *allocator = &search->grid->allocator;
    if (count <= search->spot_capacity)
        return ASTAR_OK;
    AstarSpot *spots = astar_alloc(allocator, count, sizeof *spots);
    if (spots == NULL)
        return ASTAR_NO_MEMORY;
    astar_release(allocator, search->spots, search->spot_capacity, sizeof *spots);
    search->spots = spots;
    search->spot_capacity = count;
    return ASTAR_OK;
}

// Lists the cells of the path and what it costs to get to each.
static AstarStatus list_spots(AstarSearch *search, const AstarPath *path)
{
    AstarPathCursor cursor = astar_path_cursor(path);
    AstarSpot *spots = search->spots;
    for (int i = 0; i < path->cells; i++) {
        int x, y;
        astar_path_next(&cursor, &x, &y);
        double step = 0;
        if (i > 0) {
            int direction = astar_direction(x - spots[i - 1].x, y - spots[i - 1].y);
            AstarStatus status = astar_costs_step(&search->costs, spots[i - 1].x, spots[i - 1].y,
                                                  direction, &step, NULL);
            if (status != ASTAR_OK)
                return status;
        }
        double before = i > 0 ? spots[i - 1].cost : 0;
        double cost = before + astar_finder_round(search->finder, step);
        spots[i] = (AstarSpot){.x = x, .y = y, .cost = cost, .before = -1};
    }
    return ASTAR_OK;
}

// Whether a leg may go from one spot to a later one.
static AstarStatus try_leg(AstarSearch *search, int from, int to, bool *good)
{
    const AstarSpot *a = &search->spots[from], *b = &search->spots[to];
    *good = to == from + 1; // a step of the path itself
    if (*good)
        return ASTAR_OK;
    double limit = b->cost - a->cost;
    AstarRay ray;
    AstarStatus status = astar_cast(&search->costs, a->x, a->y, b->x, b->y, limit, &ray);
    *good = !ray.stopped && ray.cost <= limit;
    return status;
}

// Finds for the last of 'count' spots a way of the fewest legs.
static AstarStatus find_legs(AstarSearch *search, int count)
{
    AstarSpot *spots = search->spots;
    int last = count - 1, queued = 1;
    spots[0].before = spots[0].queued = 0;
    for (int next = 0; spots[last].before < 0; next++) {
        int from = spots[next].queued;
        for (int to = last; to > from && spots[last].before < 0; to--) {
            if (spots[to].before >= 0)
                continue;
            bool good;
            AstarStatus status = try_leg(search, from, to, &good);
            if (status != ASTAR_OK)
                return status;
            if (good) {
                spots[to].before = from;
                spots[queued++].queued = to;
            }
        }
    }
    return ASTAR_OK;
}

// Builds the path of the legs found, gathered from its end.
static AstarStatus build_legs(const AstarSearch *search, int count, AstarPath *out)
{
    const AstarSpot *spots = search->spots;
    AstarStatus status = astar_path_add(out, spots[count - 1].x, spots[count - 1].y, 1);
    for (int i = count - 1; i > 0 && status == ASTAR_OK; i = spots[i].before) {
        const AstarSpot *from = &spots[spots[i].before];
        AstarLine line = astar_line(spots[i].x, spots[i].y, from->x, from->y, out->orthogonal);
        status = astar_path_add(out, from->x, from->y, (int)line.steps);
    }
    astar_path_turn(out);
    return status;
}

AstarStatus astar_smooth(AstarSearch *search, const AstarPath *path, AstarPath *out)
{
    if (path->link_count > 0)
        return astar_rework_between_links(search, path, astar_smooth, out);
    astar_path_clear(out, &search->grid->allocator);
    out->expanded = path->expanded;
    out->algorithm = path->algorithm;
    out->partial = path->partial;
    out->orthogonal = path->orthogonal;
    out->goal_x = path->goal_x;
    out->goal_y = path->goal_y;
    AstarStatus status = astar_stand(search, path->points[0].x, path->points[0].y);
    if (status == ASTAR_OK)
        status = need_spots(search, (size_t)path->cells);
    if (status == ASTAR_OK)
        status = list_spots(search, path);
    if (status == ASTAR_OK)
        status = find_legs(search, path->cells);
    if (status == ASTAR_OK)
        status = build_legs(search, path->cells, out);
    if (status != ASTAR_OK)
        return status;
    astar_path_measure(out);
    int bad;
    return astar_walk(search, out, &out->cost, &bad);
}
