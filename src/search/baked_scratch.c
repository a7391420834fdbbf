// baked_scratch.c -- memory for routes by what was baked, and such a route while it is gathered.

#include "search/baked_scratch.h"

#include <string.h>

// ---- memory ----

AstarStatus astar_baked_scratch_open(AstarSearch *search)
{
    if (search->own.baked == NULL)
        search->own.baked = astar_alloc(&search->allocator, 1, sizeof *search->own.baked);
    if (search->own.baked == NULL)
        return ASTAR_NO_MEMORY;
    search->own.baked->route = (AstarBakedRoute){.places = search->own.baked->route.places};
    search->own.baked->work = 0;
    search->own.baked->has_failed = false;
    return ASTAR_OK;
}

void astar_baked_scratch_free(AstarSearch *search)
{
    AstarBakedScratch *scratch = search->own.baked;
    const AstarAllocator *allocator = &search->allocator;
    if (scratch == NULL)
        return;
    for (int i = 0; i < 2; i++) {
        astar_release(allocator, scratch->ends[i].hits, scratch->ends[i].capacity,
                      sizeof *scratch->ends[i].hits);
        astar_heap64_free(&scratch->open[i], allocator);
    }
    astar_release(allocator, scratch->climbed[0], 2 * scratch->climbed_capacity,
                  sizeof *scratch->climbed[0]);
    astar_release(allocator, scratch->spread, scratch->spread_capacity, sizeof *scratch->spread);
    astar_release(allocator, scratch->spread_hits, scratch->hit_capacity,
                  sizeof *scratch->spread_hits);
    astar_release(allocator, scratch->steps, scratch->step_capacity, sizeof *scratch->steps);
    astar_release(allocator, scratch->route.places, scratch->capacity,
                  sizeof *scratch->route.places);
    astar_release(allocator, scratch, 1, sizeof *scratch);
    search->own.baked = NULL;
}

size_t astar_baked_scratch_bytes(const AstarSearch *search)
{
    const AstarBakedScratch *scratch = search->own.baked;
    if (scratch == NULL)
        return 0;
    size_t hits = scratch->ends[0].capacity + scratch->ends[1].capacity;
    size_t words = scratch->spread_capacity + scratch->hit_capacity + scratch->step_capacity +
                   scratch->capacity;
    size_t items = scratch->open[0].capacity + scratch->open[1].capacity;
    return sizeof *scratch + hits * sizeof(AstarSubgoalHit) + words * sizeof(uint32_t) +
           2 * scratch->climbed_capacity * sizeof(AstarClimbed) + items * sizeof(uint64_t);
}

// ---- the route ----

bool astar_route_has_room(AstarSearch *search)
{
    AstarBakedScratch *scratch = search->own.baked;
    AstarBakedRoute *route = &scratch->route;
    bool has_room = ASTAR_RESERVE(&search->allocator, route->places, route->count, ASTAR_FEW_PLACES,
                                  &scratch->capacity, 64);
    scratch->has_failed |= !has_room;
    return has_room;
}

void astar_route_start(AstarSearch *search, uint32_t place)
{
    AstarBakedRoute *route = &search->own.baked->route;
    route->before = 0;
    if (astar_route_has_room(search))
        route->places[route->count++] = place;
}

void astar_route_add_way(AstarSearch *search, const AstarSubgoals *subgoals, uint32_t from,
                         uint32_t to, bool back)
{
    if (astar_route_has_room(search))
        astar_baked_route_add_legs(&search->own.baked->route, subgoals->rule->has_diagonals, from,
                                   to, back);
}

void astar_route_begin_at(AstarSearch *search, const AstarSubgoals *subgoals,
                          const AstarRouteEnd *end, uint32_t subgoal)
{
    uint32_t place = astar_place(end->x, end->y);
    astar_route_start(search, place);
    astar_route_add_way(search, subgoals, place, subgoals->places[subgoal], false);
}

void astar_route_reverse(AstarBakedScratch *scratch, size_t first)
{
    uint32_t *places = scratch->route.places;
    for (size_t i = first, j = scratch->route.count; i + 1 < j; i++) {
        uint32_t place = places[--j];
        places[j] = places[i];
        places[i] = place;
    }
}

static int direction_of_leg(uint32_t from, uint32_t to)
{
    int dx = astar_place_x(to) - astar_place_x(from), dy = astar_place_y(to) - astar_place_y(from);
    return astar_leg_direction((dx > 0) - (dx < 0), (dy > 0) - (dy < 0));
}

void astar_route_join(AstarBakedScratch *scratch, size_t middle)
{
    AstarBakedRoute *route = &scratch->route;
    uint32_t *places = route->places;
    if (scratch->has_failed)
        return;
    bool goes_on = middle > 1 && middle + 1 < route->count &&
                   direction_of_leg(places[middle - 2], places[middle]) ==
                       direction_of_leg(places[middle], places[middle + 1]);
    size_t from = middle + goes_on, to = from - 1 - goes_on;
    memmove(places + to, places + from, (route->count - from) * sizeof *places);
    route->count -= from - to;
}

uint32_t astar_route_find_seen(const AstarBakedScratch *scratch, const AstarSubgoals *subgoals,
                               uint32_t *cost)
{
    const AstarRouteEnd *start = &scratch->ends[0];
    uint32_t found = ASTAR_NO_SUBGOAL;
    for (uint32_t i = 0; i < start->count; i++) {
        const AstarSubgoalHit *hit = &start->hits[i];
        if (hit->bound < *cost &&
            astar_subgoals_see(subgoals, start->other_x, start->other_y, astar_place_x(hit->place),
                               astar_place_y(hit->place))) {
            *cost = hit->bound;
            found = i;
        }
    }
    return found;
}

void astar_route_add_seen(AstarSearch *search, const AstarSubgoals *subgoals, uint32_t hit)
{
    const AstarRouteEnd *start = &search->own.baked->ends[0];
    const AstarSubgoalHit *seen = &start->hits[hit];
    astar_route_begin_at(search, subgoals, start, seen->subgoal);
    astar_route_add_way(search, subgoals, seen->place, astar_place(start->other_x, start->other_y),
                        true);
}
