// baked_detours.c -- a baked route led past what was closed since, as cheaply.
//
// Where two places of a route lie no nearer to each other on an empty map than by the route, all
// orders of its steps between them cost the same. Where a leg is no longer free, the longest such
// stretch around it is walked anew, depth first: past what is small that takes a few cells more
// than there are steps. No other route has become shorter, so the one that gets past all that was
// closed is a best one still.

#include "search/baked_scratch.h"

#include <string.h>

// A stretch is left to a search that has more cells, or where the walk turns back more often.
enum { MOST_STRETCH_CELLS = 1 << 16, MOST_TURNS_BACK = 1 << 10 };

// The steps of both kinds that a stretch is made of, to be added to a place.
static void get_steps(bool has_diagonals, uint32_t from, uint32_t to, uint32_t steps[2])
{
    int dx = astar_place_x(to) - astar_place_x(from), dy = astar_place_y(to) - astar_place_y(from);
    int sign_x = (dx > 0) - (dx < 0), sign_y = (dy > 0) - (dy < 0);
    uint32_t along_x = (uint32_t)sign_x, along_y = (uint32_t)sign_y << 16;
    steps[0] = has_diagonals ? along_x + along_y : along_x;
    steps[1] = has_diagonals && dx * sign_x > dy * sign_y ? along_x : along_y;
}

static bool is_way_free(const AstarSubgoals *subgoals, const AstarBits *rows, uint32_t from,
                        uint32_t to)
{
    return astar_subgoals_is_free(subgoals, rows, astar_place_x(from), astar_place_y(from),
                                  astar_place_x(to), astar_place_y(to));
}

static bool is_marked(const uint32_t *marks, size_t at)
{
    return (marks[at / 32] >> at % 32 & 1) != 0;
}

// Finds an order in which the steps of a stretch can be made: the kind of each, in memory that is
// the next one's, too. NULL: none is found.
static const uint32_t *find_detour(AstarSearch *search, const AstarSubgoals *subgoals,
                                   const AstarBits *rows, uint32_t place, AstarTwoLegs legs,
                                   const uint32_t steps[2])
{
    AstarBakedScratch *scratch = search->own.baked;
    size_t left[2] = {(size_t)legs.first, (size_t)legs.then}, count = left[0] + left[1];
    size_t beyond[2] = {1, left[0] + 1}, cells = beyond[1] * (left[1] + 1), words = cells / 32 + 1;
    if (cells > MOST_STRETCH_CELLS || !ASTAR_RESERVE(&search->allocator, scratch->steps, 0,
                                                     words + count, &scratch->step_capacity, 64))
        return NULL;
    uint32_t *blind = scratch->steps, *kinds = blind + words, turns_back = 0;
    memset(blind, 0, words * sizeof *blind);
    for (size_t made = 0, cell = 0; made < count;) {
        uint32_t kind = 0;
        while (kind < 2 && (left[kind] == 0 || is_marked(blind, cell + beyond[kind]) ||
                            !is_way_free(subgoals, rows, place, place + steps[kind])))
            kind++;
        if (kind < 2) {
            left[kind]--;
            place += steps[kind];
            cell += beyond[kind];
            kinds[made++] = kind;
        } else {
            if (made == 0 || ++turns_back > MOST_TURNS_BACK)
                return NULL;
            blind[cell / 32] |= UINT32_C(1) << cell % 32;
            kind = kinds[--made];
            left[kind]++;
            place -= steps[kind];
            cell -= beyond[kind];
        }
    }
    return kinds;
}

// Adds a stretch by what is free of it; false: no order of its steps is found that is.
static bool add_detour(AstarSearch *search, const AstarSubgoals *subgoals, const AstarBits *rows,
                       uint32_t from, uint32_t to)
{
    bool has_diagonals = subgoals->rule->has_diagonals;
    AstarTwoLegs legs = astar_legs_between(has_diagonals, from, to);
    uint32_t steps[2];
    get_steps(has_diagonals, from, to, steps);
    const uint32_t *kinds = find_detour(search, subgoals, rows, from, legs, steps);
    if (kinds == NULL)
        return false;
    for (; from != to; from += steps[*kinds++])
        astar_route_add_way(search, subgoals, from, from + steps[*kinds], false);
    return true;
}

// Whether two places of a route lie no nearer to each other on an empty map.
static bool is_shortest(const uint32_t *places, bool has_diagonals, size_t from, size_t to)
{
    AstarTwoLegs least = astar_legs_between(has_diagonals, places[from], places[to]);
    for (size_t i = from; i < to; i++) {
        AstarTwoLegs legs = astar_legs_between(has_diagonals, places[i], places[i + 1]);
        least.first -= legs.first;
        least.then -= legs.then;
    }
    return least.first == 0 && least.then == 0;
}

// Adds the route's own ways between two of its places.
static void add_own_ways(AstarSearch *search, const AstarSubgoals *subgoals, size_t from, size_t to)
{
    const AstarBakedRoute *route = &search->own.baked->route;
    for (; from < to; from++)
        astar_route_add_way(search, subgoals, route->places[from], route->places[from + 1], false);
}

bool astar_baked_route_mend(AstarSearch *search, const AstarSubgoals *subgoals,
                            const AstarBits *rows)
{
    AstarBakedRoute *route = &search->own.baked->route;
    const bool has_diagonals = subgoals->rule->has_diagonals;
    const size_t count = route->count; // behind its places grow those of the route as it will be
    size_t done = 0;
    for (size_t i = 1; i < count; i++) {
        if (is_way_free(subgoals, rows, route->places[i - 1], route->places[i]))
            continue;
        size_t from = i - 1, to = i;
        for (size_t before = 0; before < to - from;) {
            before = to - from;
            to += to + 1 < count && is_shortest(route->places, has_diagonals, from, to + 1);
            from -= from > done && is_shortest(route->places, has_diagonals, from - 1, to);
        }
        if (done == 0) {
            astar_route_start(search, route->places[0]);
            route->straight = route->diagonal = 0;
        }
        add_own_ways(search, subgoals, done, from);
        if (!add_detour(search, subgoals, rows, route->places[from], route->places[to]))
            return false;
        done = i = to;
    }
    if (done == 0)
        return true;
    add_own_ways(search, subgoals, done, count - 1);
    route->count -= count;
    memmove(route->places, route->places + count, route->count * sizeof *route->places);
    return !search->own.baked->has_failed;
}
