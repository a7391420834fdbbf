// baked_route.c -- routes by baked data, without a search over the map.
//
// If neither end of a route sees the other, the subgoals are found at which a route from each end
// can turn first. Labels or a hierarchy, each in its section below, give the best connection of
// these subgoals. A subgoal that the scans from the start find and that sees the goal also gives a
// route. Such a subgoal must be checked separately, because the scans from the goal pass it if it
// is not a turning point for them.

#include "parts/baking/baked_route.h"

#include "parts/baking/subgoals.h"
#include "search/find.h"
#include "search/jps.h"
#include "search/workspace.h"

#include <stdlib.h>
#include <string.h>

// The functions below manage the memory for routes by baked data, and build such routes.

// Memory.

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

ASTAR_COLD void astar_baked_scratch_free(AstarSearch *search)
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

// The functions below build the route.

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

ASTAR_COLD void astar_route_add_way(AstarSearch *search, const AstarSubgoals *subgoals,
                                    uint32_t from, uint32_t to, bool back)
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

ASTAR_COLD void astar_route_join(AstarBakedScratch *scratch, size_t middle)
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

// ------------------------------------------------------------------------------------------------
// The functions below lead a baked route around cells that were blocked since, at no extra cost.
//
// Consider two points of a route whose distance on an empty map equals their distance along the
// route. All orders of the steps between these points then cost the same. If a leg is no longer
// free, the longest stretch around the leg whose ends are two such points is routed again, by
// depth-first search over the orders of its steps. Around small obstacles that search visits a few
// more cells than there are steps. No other route has become shorter, so the changed route is still
// a best route.
// ------------------------------------------------------------------------------------------------

// Upper limits for routing a stretch again: its number of cells, and how often the depth-first
// search may turn back. A route with a stretch above a limit is left to an ordinary search.
enum { MOST_STRETCH_CELLS = 1 << 16, MOST_TURNS_BACK = 1 << 10 };

// Stores in 'steps' the two kinds of steps that a stretch consists of, as numbers to be added to
// the number of a cell.
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

// Finds an order of the steps of a stretch in which every step is free. Returns the kind of each
// step, in memory that the next call reuses, or NULL if no order is found.
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

// Adds a stretch to the route, in an order of its steps that is free. Returns false if no order is
// found.
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

// Returns true if the distance of two points of a route on an empty map equals their distance along
// the route.
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

// Adds to the new route the paths between two points of the old route, unchanged.
static void add_own_ways(AstarSearch *search, const AstarSubgoals *subgoals, size_t from, size_t to)
{
    const AstarBakedRoute *route = &search->own.baked->route;
    for (; from < to; from++)
        astar_route_add_way(search, subgoals, route->places[from], route->places[from + 1], false);
}

ASTAR_COLD bool astar_baked_route_mend(AstarSearch *search, const AstarSubgoals *subgoals,
                                       const AstarBits *rows)
{
    AstarBakedRoute *route = &search->own.baked->route;
    const bool has_diagonals = subgoals->rule->has_diagonals;
    const size_t count = route->count; // the changed route is appended after these places
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

// ------------------------------------------------------------------------------------------------
// Routes by hub labels over subgoals.
//
// The cost of a best route is the least sum of three parts: the path from the start to a subgoal
// near it, the distance of two subgoals by their labels, and the path from a subgoal near the goal
// to the goal. First each end scans towards the other end. The subgoals found give an upper limit
// of the cost, which bounds the scans in the other directions. The labels of the start's subgoals
// are spread over an array indexed by hub, and the labels of the goal's subgoals read this array.
// ------------------------------------------------------------------------------------------------

// A meeting: the hub that the labels of two subgoals, one found from each end, have in common.
typedef struct Meeting {
    uint32_t cost; // cost of the route
    uint32_t hub;
    uint32_t from; // the goal's subgoal
} Meeting;

// Labels.

// A label: its hubs, which take a word or half a word each, and the distances to them.
typedef struct Label {
    const uint32_t *hubs, *distances;
    uint32_t count;
} Label;

static inline Label label_of(const AstarLabels *labels, uint32_t subgoal)
{
    AstarLabelAt at = labels->labels[subgoal];
    const uint32_t *hubs = labels->words + at.at;
    return (Label){hubs, hubs + astar_hub_words(labels->wide, at.count), at.count};
}

ASTAR_SPECIALIZE void spread_by(uint32_t *spread, Label label, bool wide, uint32_t cost)
{
    for (uint32_t i = 0; i < label.count; i++) {
        uint32_t *known = &spread[astar_hub_at(label.hubs, wide, i)];
        uint32_t sum = label.distances[i] + cost;
        *known = sum < *known ? sum : *known; // random, so storing is faster than branching
    }
}

ASTAR_SPECIALIZE void clear_by(uint32_t *spread, Label label, bool wide)
{
    for (uint32_t i = 0; i < label.count; i++)
        spread[astar_hub_at(label.hubs, wide, i)] = ASTAR_NO_SUBGOAL;
}

// Looks up the label of a subgoal found from the goal in the spread labels. If a common hub gives a
// cheaper route than '*best', stores this meeting in '*best'.
ASTAR_SPECIALIZE void meet_by(const uint32_t *spread, Label label, bool wide, uint32_t subgoal,
                              uint32_t cost, Meeting *best)
{
    if (cost >= best->cost)
        return;
    uint64_t least = best->cost - cost; // below any sum with an unknown distance
    uint32_t at = ASTAR_NO_SUBGOAL;
    for (uint32_t i = 0; i < label.count; i++) {
        uint64_t sum = (uint64_t)spread[astar_hub_at(label.hubs, wide, i)] + label.distances[i];
        if (sum < least) {
            least = sum;
            at = i;
        }
    }
    if (at != ASTAR_NO_SUBGOAL)
        *best = (Meeting){(uint32_t)least + cost, astar_hub_at(label.hubs, wide, at), subgoal};
}

static void spread_label_of(AstarSearch *search, const AstarLabels *labels, uint32_t hit)
{
    AstarBakedScratch *scratch = search->own.baked;
    if (!ASTAR_RESERVE(&search->allocator, scratch->spread_hits, scratch->spread_count, 1,
                       &scratch->hit_capacity, 64)) {
        scratch->has_failed = true;
        return;
    }
    const AstarSubgoalHit *from = &scratch->ends[0].hits[hit];
    Label label = label_of(labels, from->subgoal);
    scratch->work += 2 * label.count; // spreading, and clearing later
    scratch->spread_hits[scratch->spread_count++] = hit;
    labels->wide ? spread_by(scratch->spread, label, true, from->cost)
                 : spread_by(scratch->spread, label, false, from->cost);
}

static void clear_labels(AstarBakedScratch *scratch, const AstarLabels *labels)
{
    for (uint32_t i = 0; i < scratch->spread_count; i++) {
        Label label = label_of(labels, scratch->ends[0].hits[scratch->spread_hits[i]].subgoal);
        labels->wide ? clear_by(scratch->spread, label, true)
                     : clear_by(scratch->spread, label, false);
    }
    scratch->spread_count = 0;
}

// Looks up the labels of the goal's subgoals, from number 'first' on, in the spread labels. Stores
// the cheapest meeting in '*best'.
static void meet_hits(AstarBakedScratch *scratch, const AstarLabels *labels, uint32_t first,
                      Meeting *best)
{
    const AstarRouteEnd *goal = &scratch->ends[1];
    for (uint32_t i = first; i < goal->count; i++) {
        const AstarSubgoalHit *hit = &goal->hits[i];
        if (hit->bound >= best->cost)
            continue;
        Label label = label_of(labels, hit->subgoal);
        scratch->work += label.count;
        labels->wide ? meet_by(scratch->spread, label, true, hit->subgoal, hit->cost, best)
                     : meet_by(scratch->spread, label, false, hit->subgoal, hit->cost, best);
    }
}

// The functions below find the cheapest route from start to goal by the labels of the subgoals that
// were found from both.

static void sort_hits(AstarRouteEnd *end)
{
    for (uint32_t i = 1; i < end->count; i++) {
        AstarSubgoalHit hit = end->hits[i];
        uint32_t at = i;
        for (; at > 0 && end->hits[at - 1].bound > hit.bound; at--)
            end->hits[at] = end->hits[at - 1];
        end->hits[at] = hit;
    }
}

// Spreads the labels of those of the start's subgoals, from number 'first' on, through which a
// route may cost less than 'limit'. Returns true if a label was spread.
static bool spread_hits(AstarSearch *search, const AstarLabels *labels, uint32_t first,
                        uint32_t limit)
{
    const AstarRouteEnd *start = &search->own.baked->ends[0];
    uint32_t before = search->own.baked->spread_count;
    for (uint32_t i = first; i < start->count; i++)
        if (start->hits[i].bound < limit)
            spread_label_of(search, labels, i);
    return search->own.baked->spread_count > before;
}

// Returns the cheapest meeting of a label from the start with a label from the goal. The cost of
// the result is ASTAR_NO_SUBGOAL if there is no meeting.
static Meeting meet(AstarSearch *search, const AstarBakedMap *map, const AstarSubgoalScan *scan)
{
    const AstarLabels *labels = map->labels;
    AstarBakedScratch *scratch = search->own.baked;
    AstarRouteEnd *start = &scratch->ends[0], *goal = &scratch->ends[1];
    Meeting best = {ASTAR_NO_SUBGOAL, 0, 0};
    sort_hits(start);
    sort_hits(goal);
    if (start->count > 0) {
        spread_label_of(search, labels, 0);
        meet_hits(scratch, labels, 0, &best);
        if (spread_hits(search, labels, 1, best.cost))
            meet_hits(scratch, labels, 0, &best);
    }
    scratch->has_failed |= start->has_failed || goal->has_failed;
    if (map->sights != NULL)
        return best; // with sights, both ends have found all subgoals
    uint32_t start_count = start->count, goal_count = goal->count;
    astar_scan_around(scan, goal, best.cost);
    meet_hits(scratch, labels, goal_count, &best);
    astar_scan_around(scan, start, best.cost);
    if (spread_hits(search, labels, start_count, best.cost))
        meet_hits(scratch, labels, 0, &best);
    scratch->has_failed |= start->has_failed || goal->has_failed;
    return best;
}

// The route.

// Returns the index of a hub in the label of a subgoal, or ASTAR_NO_SUBGOAL if the label does not
// contain the hub.
static uint32_t find_hub(const AstarLabels *labels, uint32_t subgoal, uint32_t hub)
{
    Label label = label_of(labels, subgoal);
    uint32_t low = 0, high = label.count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (astar_hub_at(label.hubs, labels->wide, middle) < hub)
            low = middle + 1;
        else
            high = middle;
    }
    bool has = low < label.count && astar_hub_at(label.hubs, labels->wide, low) == hub;
    return has ? low : ASTAR_NO_SUBGOAL;
}

// Adds the paths from a subgoal over other subgoals to a hub. The path between two subgoals has the
// same legs in both directions.
ASTAR_SPECIALIZE void add_ways_by(AstarSearch *search, const AstarLabels *labels,
                                  bool has_diagonals, uint32_t subgoal, uint32_t hub)
{
    AstarBakedScratch *scratch = search->own.baked;
    AstarBakedRoute route = scratch->route;
    uint32_t last = labels->order[hub], at = find_hub(labels, subgoal, hub);
    const AstarLabelAt *label = &labels->labels[subgoal];
    while (subgoal != last) {
        uint32_t way = labels->words[label->ways + at], place = label->place;
        subgoal = astar_way_subgoal(way);
        at = astar_way_place(way);
        label = &labels->labels[subgoal];
        if (route.count + 2 > scratch->capacity) {
            scratch->route = route;
            if (!astar_route_has_room(search))
                return;
            route = scratch->route;
        }
        astar_baked_route_add_legs(&route, has_diagonals, place, label->place, true);
    }
    scratch->route = route;
}

static void add_ways_to_hub(AstarSearch *search, const AstarBakedMap *map, uint32_t subgoal,
                            uint32_t hub)
{
    if (map->subgoals->rule->has_diagonals)
        add_ways_by(search, map->labels, true, subgoal, hub);
    else
        add_ways_by(search, map->labels, false, subgoal, hub);
}

// Returns the subgoal found from the start whose label gives a route of cost 'cost' to the hub.
// Returns NULL if there is none.
static const AstarSubgoalHit *hit_to_hub(const AstarBakedScratch *scratch,
                                         const AstarLabels *labels, uint32_t hub, uint32_t cost)
{
    for (uint32_t i = 0; i < scratch->spread_count; i++) {
        const AstarSubgoalHit *hit = &scratch->ends[0].hits[scratch->spread_hits[i]];
        uint32_t at = find_hub(labels, hit->subgoal, hub);
        if (at != ASTAR_NO_SUBGOAL &&
            label_of(labels, hit->subgoal).distances[at] + hit->cost == cost)
            return hit;
    }
    return NULL;
}

// Builds the route from the start over the hub of a meeting to the goal.
static void unpack_meeting(AstarSearch *search, const AstarBakedMap *map, const Meeting *meeting)
{
    AstarBakedScratch *scratch = search->own.baked;
    const AstarRouteEnd *start = &scratch->ends[0], *goal = &scratch->ends[1];
    const AstarSubgoalHit *hit = hit_to_hub(scratch, map->labels, meeting->hub,
                                            scratch->spread[meeting->hub]);
    if (hit == NULL)
        return;
    astar_route_begin_at(search, map->subgoals, start, hit->subgoal);
    add_ways_to_hub(search, map, hit->subgoal, meeting->hub);
    size_t middle = scratch->route.count;
    astar_route_begin_at(search, map->subgoals, goal, meeting->from);
    add_ways_to_hub(search, map, meeting->from, meeting->hub);
    astar_route_reverse(scratch, middle);
    astar_route_join(scratch, middle);
}

// Ensures that the array over which labels are spread has at least one entry per hub.
static AstarStatus open_spread(AstarSearch *search, size_t hubs)
{
    AstarBakedScratch *scratch = search->own.baked;
    if (hubs <= scratch->spread_capacity)
        return ASTAR_OK;
    uint32_t *spread = astar_alloc(&search->allocator, hubs, sizeof *spread);
    if (spread == NULL)
        return ASTAR_NO_MEMORY;
    astar_release(&search->allocator, scratch->spread, scratch->spread_capacity, sizeof *spread);
    memset(spread, 0xFF, hubs * sizeof *spread);
    scratch->spread = spread;
    scratch->spread_capacity = hubs;
    return ASTAR_OK;
}

AstarStatus astar_label_route_find(AstarSearch *search, const AstarBakedMap *map,
                                   const AstarSubgoalScan *scan)
{
    AstarBakedScratch *scratch = search->own.baked;
    AstarStatus status = open_spread(search, map->labels->count);
    if (status != ASTAR_OK)
        return status;
    Meeting meeting = meet(search, map, scan);
    uint32_t cost = meeting.cost, seen = astar_route_find_seen(scratch, map->subgoals, &cost);
    if (seen != ASTAR_NO_SUBGOAL)
        astar_route_add_seen(search, map->subgoals, seen);
    else if (cost != ASTAR_NO_SUBGOAL && !scratch->has_failed)
        unpack_meeting(search, map, &meeting);
    clear_labels(scratch, map->labels);
    return ASTAR_OK;
}

// ------------------------------------------------------------------------------------------------
// Routes by a contraction hierarchy over subgoals.
//
// From the subgoals of each end, a search by Dijkstra's algorithm follows only edges that lead up.
// The search with fewer nodes in its open list makes the next expansion. The two searches meet at
// the top of a best route, where the sum of their costs is least. Nodes that cannot lead to a route
// cheaper than the best one so far are pruned. A subgoal is not expanded if it can be reached more
// cheaply over a subgoal above it. In the end, each edge of the route is unpacked to its path of
// two legs.
// ------------------------------------------------------------------------------------------------

enum { WORK_OF_NODE = 64, WORK_OF_EDGE = 8 };

// The state of the two searches up the hierarchy, one from each end of the route.
typedef struct Climb {
    AstarSearch *search;
    const AstarBakedMap *map;
    const AstarSubgoalScan *scan;
    uint32_t best,
        meeting; // the least sum and the subgoal where it is reached; ASTAR_NO_SUBGOAL: none yet
} Climb;

// Memory.

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
    if (++scratch->stamp == 0) { // the stamps have wrapped around
        memset(scratch->climbed[0], 0, 2 * scratch->climbed_capacity * sizeof(AstarClimbed));
        scratch->stamp = 1;
    }
    return ASTAR_OK;
}

// Climbing.

// Returns a lower bound of the cost of any route between a subgoal and the end opposite to 'side'.
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

// Returns true if the search has reached a subgoal above 'subgoal' over which 'subgoal' is reached
// at a lower cost than 'cost'.
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

// Returns the number of the search to continue next, 0 or 1. Returns -1 if both searches are
// finished.
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

// The route.

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

// Adds to the route the paths of two legs of which an edge between two subgoals consists. The point
// of 'from' must be the last point of the route.
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
            return; // happens in no valid hierarchy
        if (edge->middle == ASTAR_NO_SUBGOAL) {
            add_way_between(search, map->subgoals, from, to);
        } else {
            push_step(search, &count, edge->middle, to);
            push_step(search, &count, from, edge->middle);
        }
    }
}

// Adds to the route the path from one of its ends up to the subgoal where the searches meet.
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
    // The path from the subgoal back to the end has the legs of the path that starts at the end.
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

// The functions below decide which queries are answered by baked data, and read the route back.

enum { WORK_OF_HIT = 32, WORK_OF_TURN = 24 };

// Choice of the queries that use baked data.

// Returns true if a search is faster than baked data for a query: the direct path is free, or the
// goal is so near that baked data saves little.
static bool is_left_to_search(const AstarBakedMap *map, int sx, int sy, int gx, int gy)
{
    return (abs(gx - sx) < map->near && abs(gy - sy) < map->near) ||
           (map->subgoals->rule->has_diagonals &&
            astar_subgoals_see(map->subgoals, sx + 1, sy + 1, gx + 1, gy + 1));
}

// The route.

// Builds the route if a single path of two legs, from the start or from the goal, is a best route.
// Returns false if neither path is free.
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

// Finds the turning points of a best route on the baked map, over subgoals. Leaves the route empty
// if there is no route. Coordinates include the border.
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

// Checking the route.

// Returns true if the found route is a best one on the current map. May change the route to lead
// around cells that were blocked since.
static bool is_best(AstarSearch *search, const AstarBakedMap *map, AstarBakedState state)
{
    return search->own.baked->route.count > 0 &&
           (state == ASTAR_BAKED_SAME ||
            astar_baked_route_mend(search, map->subgoals, &search->finder->on.walkable->bits));
}

// Returns the baked map for a query. Returns NULL if there is no such map, or if the query is not
// for a best route from cell to cell without limits.
static AstarBakedMap *baked_map_for(const AstarSearch *search)
{
    const AstarFinder *finder = search->finder;
    const AstarQueryOptions *query = &search->query;
    bool stands_free = astar_bits_get(&finder->on.walkable->bits, search->start_x, search->start_y);
    if (finder->on.walkable->baked == NULL || !stands_free || search->own.ignores_baked ||
        finder->options.algorithm != ASTAR_AUTO || search->lines.any_angle ||
        isfinite(search->limit) || query->max_expansions != UINT64_MAX)
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
    if (astar_jps_distinguishes(search, scratch->cost, route->straight, route->diagonal) &&
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

// Stores a baked route in a path that has room for its points.
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

// The functions below answer queries in one call.

// Returns true if whole-number costs prove, without counting steps, that a route is a best one.
static bool is_known_best(const AstarFinder *finder, const AstarBakedMap *map,
                          const AstarBakedRoute *route)
{
    return astar_whole_is_exact(finder, route->straight * map->straight +
                                            route->diagonal * map->diagonal) ||
           !finder->rule->has_diagonals ||
           astar_ratio_is_exact(finder->whole, finder->options.diagonal_cost);
}

// Finds the route of a query by a valid baked map. Returns NULL if it is not certain that the route
// is a best route.
static const AstarBakedRoute *find_baked(const AstarFindCall *call, const AstarBakedMap *map,
                                         AstarBakedState state, AstarSearch *search)
{
    const AstarFinder *finder = call->finder;
    if (find_route_of(search, map, call->sx, call->sy, call->gx, call->gy) != ASTAR_OK)
        return NULL;
    const AstarBakedRoute *route = &search->own.baked->route;
    return is_known_best(finder, map, route) && is_best(search, map, state) ? route : NULL;
}

bool astar_try_baked_route(const AstarFindCall *call)
{
    AstarFinder *finder = call->finder;
    const AstarBits *bits = &finder->on.walkable->bits;
    AstarBakedMap *map = finder->plan.baked;
    if (is_left_to_search(map, call->sx, call->sy, call->gx, call->gy) ||
        !astar_bits_get(bits, call->sx, call->sy) || !astar_bits_get(bits, call->gx, call->gy))
        return false;
    AstarBakedState state = astar_baked_map_state(finder->grid, finder->on.walkable, map);
    AstarSearch *search = state == ASTAR_BAKED_OPENED
                              ? NULL
                              : astar_workspace_borrow(call->workspace, finder);
    if (search == NULL)
        return false;
    const AstarBakedRoute *route = find_baked(call, map, state, search);
    bool has_room = route != NULL &&
                    astar_path_renew(call->path, route->count, call->allocator) == ASTAR_OK;
    if (has_room)
        put_route(route, call->path);
    astar_workspace_give_back(call->workspace, search);
    if (has_room)
        astar_call_describe(call, algorithm_of(map), 0, route->straight, route->diagonal);
    return has_room;
}
