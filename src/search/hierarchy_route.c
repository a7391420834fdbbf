// hierarchy_route.c -- routes by a contraction hierarchy over subgoals.
//
// From what either end found a search goes up only, by Dijkstra's algorithm, that with fewer nodes
// waiting first; where they meet at the least sum is the top of a best route. What cannot lead to a
// route that costs less than the best yet is left out, and a subgoal that is reached more cheaply
// over one above it leads to none. The edges of the route are unfolded to the ways of two legs that
// they stand for.

#include "search/baked_scratch.h"

#include <string.h>

enum { WORK_OF_NODE = 64, WORK_OF_EDGE = 8 };

// Both searches.
typedef struct Climb {
    AstarSearch *search;
    const AstarBakedMap *map;
    const AstarSubgoalScan *scan;
    uint32_t best, meeting; // the least sum, and where; ASTAR_NO_SUBGOAL: none yet
} Climb;

// ---- memory ----

static AstarStatus open_climbed(AstarSearch *search, size_t count)
{
    AstarBakedScratch *scratch = search->own.baked;
    if (count > scratch->climbed_capacity) {
        AstarClimbed *made = astar_alloc(&search->allocator, 2 * count, sizeof *made);
        if (made == NULL)
            return ASTAR_NO_MEMORY;
        astar_release(&search->allocator, scratch->climbed[0], 2 * scratch->climbed_capacity,
                      sizeof *made);
        scratch->climbed[0] = made;
        scratch->climbed[1] = made + count;
        scratch->climbed_capacity = count;
        scratch->stamp = 0;
    }
    if (++scratch->stamp == 0) { // the stamps have come round
        memset(scratch->climbed[0], 0, 2 * scratch->climbed_capacity * sizeof(AstarClimbed));
        scratch->stamp = 1;
    }
    return ASTAR_OK;
}

// ---- climbing ----

// No more than what any route costs from the other end to a subgoal.
static uint32_t estimate_beyond(const Climb *climb, int side, uint32_t subgoal)
{
    const AstarRouteEnd *end = &climb->search->own.baked->ends[side];
    uint32_t place = climb->map->subgoals->places[subgoal];
    return astar_scan_estimate(climb->scan, astar_place_x(place) - end->other_x,
                               astar_place_y(place) - end->other_y);
}

static void reach_from(Climb *climb, int side, uint32_t subgoal, uint32_t cost, uint32_t parent)
{
    AstarBakedScratch *scratch = climb->search->own.baked;
    AstarClimbed *known = &scratch->climbed[side][subgoal];
    AstarHeap64 *open = &scratch->open[side];
    if ((known->stamp == scratch->stamp && known->cost <= cost) || cost >= ASTAR_SUBGOALS_FAR ||
        cost + estimate_beyond(climb, side, subgoal) >= climb->best)
        return;
    if (!astar_heap64_has_room(open) && !astar_heap64_grow(open, &climb->search->allocator)) {
        scratch->has_failed = true;
        return;
    }
    *known = (AstarClimbed){cost, parent, scratch->stamp};
    astar_heap64_push(open, (uint64_t)cost << ASTAR_CELL_BITS | subgoal);
}

// Whether a subgoal is reached more cheaply over one above it.
static bool is_stalled(const Climb *climb, int side, uint32_t subgoal, uint32_t cost)
{
    const AstarHierarchy *hierarchy = climb->map->hierarchy;
    const AstarBakedScratch *scratch = climb->search->own.baked;
    for (uint32_t i = hierarchy->first[subgoal]; i < hierarchy->first[subgoal + 1]; i++) {
        const AstarUpEdge *edge = &hierarchy->edges[i];
        const AstarClimbed *above = &scratch->climbed[side][edge->to];
        if (above->stamp == scratch->stamp && above->cost + edge->cost < cost)
            return true;
    }
    return false;
}

static void climb_from(Climb *climb, int side, uint32_t subgoal, uint32_t cost)
{
    const AstarHierarchy *hierarchy = climb->map->hierarchy;
    AstarBakedScratch *scratch = climb->search->own.baked;
    const AstarClimbed *other = &scratch->climbed[1 - side][subgoal];
    if (cost > scratch->climbed[side][subgoal].cost ||
        cost + estimate_beyond(climb, side, subgoal) >= climb->best)
        return;
    if (other->stamp == scratch->stamp && other->cost + cost < climb->best) {
        climb->best = other->cost + cost;
        climb->meeting = subgoal;
    }
    scratch->work += WORK_OF_NODE +
                     WORK_OF_EDGE * (hierarchy->first[subgoal + 1] - hierarchy->first[subgoal]);
    if (is_stalled(climb, side, subgoal, cost))
        return;
    for (uint32_t i = hierarchy->first[subgoal]; i < hierarchy->first[subgoal + 1]; i++)
        reach_from(climb, side, hierarchy->edges[i].to, cost + hierarchy->edges[i].cost, subgoal);
}

// The side to go on with; -1: neither can better what was found.
static int choose_side(const Climb *climb)
{
    const AstarHeap64 *open = climb->search->own.baked->open;
    if (astar_heap64_is_empty(&open[0]))
        return astar_heap64_is_empty(&open[1]) ? -1 : 1;
    if (astar_heap64_is_empty(&open[1]))
        return 0;
    return open[1].count < open[0].count;
}

static void climb_both(Climb *climb)
{
    AstarBakedScratch *scratch = climb->search->own.baked;
    for (int side = 0; side < 2; side++) {
        const AstarRouteEnd *end = &scratch->ends[side];
        astar_heap64_clear(&scratch->open[side]);
        for (uint32_t i = 0; i < end->count; i++)
            reach_from(climb, side, end->hits[i].subgoal, end->hits[i].cost, ASTAR_NO_SUBGOAL);
    }
    for (int side; (side = choose_side(climb)) >= 0 && !scratch->has_failed;) {
        AstarHeap64 *open = &scratch->open[side];
        uint64_t item = astar_heap64_pop(open);
        uint32_t cost = (uint32_t)(item >> ASTAR_CELL_BITS);
        if (cost >= climb->best)
            astar_heap64_clear(open);
        else
            climb_from(climb, side, (uint32_t)item & ASTAR_CELL_MASK, cost);
    }
}

// ---- the route ----

static void push_step(AstarSearch *search, size_t *count, uint32_t from, uint32_t to)
{
    AstarBakedScratch *scratch = search->own.baked;
    if (!ASTAR_RESERVE(&search->allocator, scratch->steps, *count, 2, &scratch->step_capacity,
                       64)) {
        scratch->has_failed = true;
        return;
    }
    scratch->steps[(*count)++] = from;
    scratch->steps[(*count)++] = to;
}

static void add_way_between(AstarSearch *search, const AstarSubgoals *subgoals, uint32_t from,
                            uint32_t to)
{
    uint32_t a = subgoals->places[from], b = subgoals->places[to];
    bool forward = astar_subgoals_see(subgoals, astar_place_x(a), astar_place_y(a),
                                      astar_place_x(b), astar_place_y(b));
    astar_route_add_way(search, subgoals, a, b, !forward);
}

// Adds the ways that an edge between two subgoals stands for, of which the first was added last.
static void unfold(AstarSearch *search, const AstarBakedMap *map, uint32_t from, uint32_t to)
{
    AstarBakedScratch *scratch = search->own.baked;
    size_t count = 0;
    push_step(search, &count, from, to);
    while (count > 0 && !scratch->has_failed) {
        to = scratch->steps[--count];
        from = scratch->steps[--count];
        const AstarUpEdge *edge = astar_hierarchy_edge(map->hierarchy, from, to);
        if (edge == NULL)
            return; // no hierarchy is so made
        if (edge->middle == ASTAR_NO_SUBGOAL) {
            add_way_between(search, map->subgoals, from, to);
        } else {
            push_step(search, &count, edge->middle, to);
            push_step(search, &count, from, edge->middle);
        }
    }
}

// Adds the way from an end up to where both meet.
static void add_climb(const Climb *climb, int side)
{
    AstarSearch *search = climb->search;
    AstarBakedScratch *scratch = search->own.baked;
    const AstarClimbed *climbed = scratch->climbed[side];
    size_t first = scratch->route.count;
    uint32_t subgoal = climb->meeting;
    astar_route_start(search, climb->map->subgoals->places[subgoal]);
    for (; climbed[subgoal].parent != ASTAR_NO_SUBGOAL; subgoal = climbed[subgoal].parent)
        unfold(search, climb->map, subgoal, climbed[subgoal].parent);
    // From the subgoal back to its end, whose legs these are.
    const AstarRouteEnd *end = &scratch->ends[side];
    astar_route_add_way(search, climb->map->subgoals, climb->map->subgoals->places[subgoal],
                        astar_place(end->x, end->y), true);
    if (side == 0)
        astar_route_reverse(scratch, first);
    else
        astar_route_join(scratch, first);
}

AstarStatus astar_hierarchy_route_find(AstarSearch *search, const AstarBakedMap *map,
                                       const AstarSubgoalScan *scan)
{
    AstarBakedScratch *scratch = search->own.baked;
    Climb climb = {search, map, scan, ASTAR_NO_SUBGOAL, ASTAR_NO_SUBGOAL};
    AstarStatus status = open_climbed(search, (size_t)map->hierarchy->count + 1);
    if (status != ASTAR_OK)
        return status;
    for (int side = 0; side < 2; side++) {
        if (map->sights == NULL)
            astar_scan_around(scan, &scratch->ends[side], ASTAR_NO_SUBGOAL);
        scratch->has_failed |= scratch->ends[side].has_failed;
    }
    uint32_t seen = astar_route_find_seen(scratch, map->subgoals, &climb.best);
    if (!scratch->has_failed)
        climb_both(&climb);
    if (scratch->has_failed)
        return ASTAR_NO_MEMORY;
    if (climb.meeting != ASTAR_NO_SUBGOAL) {
        add_climb(&climb, 0);
        add_climb(&climb, 1);
    } else if (seen != ASTAR_NO_SUBGOAL) {
        astar_route_add_seen(search, map->subgoals, seen);
    }
    return ASTAR_OK;
}
