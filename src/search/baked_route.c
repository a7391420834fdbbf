// baked_route.c -- routes by what was baked, without a search over the map.
//
// Where neither end sees the other, both look for the subgoals where a route can turn first, and
// what was baked tells how these are joined best; see label_route.c and hierarchy_route.c.
//
// A subgoal that the start found and that sees the goal tells a route, too: the goal's runs pass it
// where it is no turn of theirs.

#include "search/asked.h"
#include "search/baked_scratch.h"
#include "search/jps.h"

#include <stdlib.h>

enum { WORK_OF_HIT = 32, WORK_OF_TURN = 24 };

// ---- which questions ----

// Whether a search finds a route sooner, and so answers: along the direct way, or to a goal so near
// that what was baked gains little.
static bool is_left_to_search(const AstarBakedMap *map, int sx, int sy, int gx, int gy)
{
    return (abs(gx - sx) < map->near && abs(gy - sy) < map->near) ||
           (map->subgoals->rule->has_diagonals &&
            astar_subgoals_see(map->subgoals, sx + 1, sy + 1, gx + 1, gy + 1));
}

// ---- the route ----

// The route by one way of two legs, from the start or from the goal; false: there is none.
static bool find_plain_route(AstarBakedRoute *route, const AstarSubgoals *subgoals, int sx, int sy,
                             int gx, int gy)
{
    bool forward = astar_subgoals_see(subgoals, sx, sy, gx, gy);
    if (!forward && !astar_subgoals_see(subgoals, gx, gy, sx, sy))
        return false;
    uint32_t start = astar_place(sx, sy), goal = astar_place(gx, gy);
    route->places[route->count++] = start;
    astar_baked_route_add_legs(route, subgoals->rule->has_diagonals, start, goal, !forward);
    return true;
}

// Gathers the turns of a best route on the map as it was, over subgoals; none where there is no
// route. Coordinates count the border.
static AstarStatus find_route(AstarSearch *search, const AstarBakedMap *map, int sx, int sy, int gx,
                              int gy)
{
    AstarBakedScratch *scratch = search->own.baked;
    AstarSubgoalScan scan = astar_subgoal_scan(map->subgoals, map->straight, map->diagonal,
                                               &search->allocator);
    if (map->sights != NULL) {
        astar_sights_look(map->sights, &scan, &scratch->ends[0], sx, sy, gx, gy);
        astar_sights_look(map->sights, &scan, &scratch->ends[1], gx, gy, sx, sy);
    } else {
        astar_scan_ahead(&scan, &scratch->ends[0], sx, sy, gx, gy);
        astar_scan_ahead(&scan, &scratch->ends[1], gx, gy, sx, sy);
    }
    scratch->work += WORK_OF_HIT * (scratch->ends[0].count + scratch->ends[1].count);
    AstarStatus status = map->labels != NULL ? astar_label_route_find(search, map, &scan)
                                             : astar_hierarchy_route_find(search, map, &scan);
    return status == ASTAR_OK && scratch->has_failed ? ASTAR_NO_MEMORY : status;
}

static AstarStatus find_route_of(AstarSearch *search, const AstarBakedMap *map, int sx, int sy,
                                 int gx, int gy)
{
    AstarStatus status = astar_baked_scratch_open(search);
    if (status == ASTAR_OK && !astar_route_has_room(search))
        status = ASTAR_NO_MEMORY;
    if (status != ASTAR_OK ||
        find_plain_route(&search->own.baked->route, map->subgoals, sx + 1, sy + 1, gx + 1, gy + 1))
        return status;
    return find_route(search, map, sx + 1, sy + 1, gx + 1, gy + 1);
}

// ---- judging it ----

// Whether the route found is a best one on the map as it is; what was closed may lead it past
// there.
static bool is_best(AstarSearch *search, const AstarBakedMap *map, AstarBakedState state)
{
    return search->own.baked->route.count > 0 &&
           (state == ASTAR_BAKED_SAME ||
            astar_baked_route_mend(search, map->subgoals, &search->finder->on.walkable->bits));
}

// What was baked for a question; NULL: nothing, or it does not ask for the whole of a best route.
static AstarBakedMap *baked_map_for(const AstarSearch *search)
{
    const AstarFinder *finder = search->finder;
    const AstarQuestion *question = &search->question;
    bool stands_free = astar_bits_get(&finder->on.walkable->bits, search->start_x, search->start_y);
    if (finder->on.walkable->baked == NULL || !stands_free || search->own.ignores_baked ||
        finder->options.algorithm != ASTAR_AUTO || search->lines.any_angle ||
        isfinite(search->limit) || question->max_expansions != UINT64_MAX)
        return NULL;
    return astar_baked_map_of(finder->on.walkable, finder->options.diagonals,
                              finder->whole.straight, finder->whole.diagonal);
}

static AstarAlgorithm algorithm_of(const AstarBakedMap *map)
{
    return map->labels != NULL ? ASTAR_LABELS : ASTAR_HIERARCHY;
}

AstarStatus astar_baked_route_find(AstarSearch *search)
{
    const AstarFinder *finder = search->finder;
    AstarBakedMap *map = baked_map_for(search);
    if (map == NULL ||
        is_left_to_search(map, search->start_x, search->start_y, search->goal.x, search->goal.y))
        return ASTAR_OK;
    AstarBakedState state = astar_baked_map_state(finder->grid, finder->on.walkable, map);
    if (state == ASTAR_BAKED_OPENED)
        return ASTAR_OK;
    AstarStatus status = find_route_of(search, map, search->start_x, search->start_y,
                                       search->goal.x, search->goal.y);
    if (status != ASTAR_OK)
        return status;
    AstarBakedScratch *scratch = search->own.baked;
    const AstarBakedRoute *route = &scratch->route;
    scratch->cost = route->straight * map->straight + route->diagonal * map->diagonal;
    if (astar_jps_tells_apart(search, scratch->cost, route->straight, route->diagonal) &&
        is_best(search, map, state)) {
        search->algorithm = algorithm_of(map);
        search->found = search->goal.cell;
    }
    return ASTAR_OK;
}

AstarStatus astar_baked_route_measure(AstarSearch *search, const AstarBakedMap *map, double *work)
{
    AstarStatus status = find_route_of(search, map, search->start_x, search->start_y,
                                       search->goal.x, search->goal.y);
    if (status == ASTAR_OK)
        *work = (double)(search->own.baked->work + WORK_OF_TURN * search->own.baked->route.count);
    return status;
}

double astar_baked_route_cost(const AstarSearch *search)
{
    return search->own.baked->cost;
}

// Puts a route into a path that has room for it.
static void put_route(const AstarBakedRoute *route, AstarPath *path)
{
    int before_x = astar_place_x(route->places[0]), before_y = astar_place_y(route->places[0]);
    int index = 0;
    for (size_t i = 0; i < route->count; i++) {
        int x = astar_place_x(route->places[i]), y = astar_place_y(route->places[i]);
        index += x != before_x ? abs(x - before_x) : abs(y - before_y);
        path->points[i] = (AstarPoint){x - 1, y - 1, index};
        before_x = x;
        before_y = y;
    }
    path->count = (int)route->count;
    path->cells = index + 1;
}

AstarStatus astar_baked_route_trace(const AstarSearch *search, AstarPath *path, double *straight,
                                    double *diagonal)
{
    const AstarBakedRoute *route = &search->own.baked->route;
    AstarStatus status = astar_path_reserve(path, route->count);
    if (status != ASTAR_OK)
        return status;
    put_route(route, path);
    *straight = route->straight;
    *diagonal = route->diagonal;
    return ASTAR_OK;
}

// ---- in one call ----

// Whether whole numbers tell that a route is the best, without a closer look.
static bool is_known_best(const AstarFinder *finder, const AstarBakedMap *map,
                          const AstarBakedRoute *route)
{
    return astar_whole_is_exact(finder, route->straight * map->straight +
                                            route->diagonal * map->diagonal) ||
           !finder->rule->has_diagonals ||
           astar_ratio_is_exact(finder->whole, finder->options.diagonal_cost);
}

// Finds the route by a map that holds; NULL: it is not known to be the best one.
static const AstarBakedRoute *find_baked(const AstarAsked *asked, const AstarBakedMap *map,
                                         AstarBakedState state, AstarSearch *search)
{
    const AstarFinder *finder = asked->finder;
    if (find_route_of(search, map, asked->sx, asked->sy, asked->gx, asked->gy) != ASTAR_OK)
        return NULL;
    const AstarBakedRoute *route = &search->own.baked->route;
    return is_known_best(finder, map, route) && is_best(search, map, state) ? route : NULL;
}

AstarStatus astar_answer_by_baked(AstarAsked *asked)
{
    AstarFinder *finder = asked->finder;
    const AstarBits *bits = &finder->on.walkable->bits;
    AstarBakedMap *map = finder->plan.baked;
    if (is_left_to_search(map, asked->sx, asked->sy, asked->gx, asked->gy) ||
        !astar_bits_get(bits, asked->sx, asked->sy) || !astar_bits_get(bits, asked->gx, asked->gy))
        return ASTAR_RUNNING;
    AstarBakedState state = astar_baked_map_state(finder->grid, finder->on.walkable, map);
    AstarSearch *search = state == ASTAR_BAKED_OPENED
                              ? NULL
                              : astar_workspace_borrow(asked->workspace, finder);
    if (search == NULL)
        return ASTAR_RUNNING;
    const AstarBakedRoute *route = find_baked(asked, map, state, search);
    bool has_room = route != NULL &&
                    astar_path_renew(asked->path, route->count, asked->allocator) == ASTAR_OK;
    if (has_room)
        put_route(route, asked->path);
    astar_workspace_give_back(asked->workspace, search);
    return has_room
               ? astar_asked_describe(asked, algorithm_of(map), 0, route->straight, route->diagonal)
               : ASTAR_RUNNING;
}
