// baked_route.c -- routes by hub labels over subgoals.
//
// Start and goal each look for the subgoals where a route can turn first; the least sum of the ways
// to two of these and their distance by the labels is the cost of a best route. First they look
// each other's way: what that finds bounds what must be looked at all around. The start's labels
// are spread over an array by hubs, and those of the goal read it.
//
// A subgoal that the start found and that sees the goal tells a route, too: the goal's runs pass it
// where it is no turn of theirs.

#include "search/baked_route.h"

#include "base/array.h"
#include "path/path.h"
#include "search/jps.h"
#include "search/subgoal_scan.h"

#include <stdlib.h>
#include <string.h>

// Where two labels meet.
typedef struct Meeting {
    uint32_t cost; // of the route
    uint32_t hub;
    uint32_t from; // the goal's subgoal
} Meeting;

struct AstarBakedScratch {
    AstarRouteEnd ends[2];
    uint32_t *spread; // the least cost from the start, by hub; ASTAR_NO_SUBGOAL: none of its labels
                      // has it
    size_t spread_capacity;
    uint32_t *spread_hits; // of the start's: those whose labels are spread
    uint32_t spread_count;
    size_t hit_capacity;
    uint32_t *places; // the turns of the route, from its start on; the border counted
    size_t count, capacity;
    uint32_t cost, straight, diagonal; // of the route; steps
    bool has_failed;                   // for want of memory
};

// ---- memory ----

static AstarStatus open_scratch(AstarSearch *search, size_t hubs)
{
    AstarBakedScratch *scratch = search->baked;
    if (scratch == NULL)
        scratch = search->baked = astar_alloc(&search->allocator, 1, sizeof *scratch);
    if (scratch == NULL)
        return ASTAR_NO_MEMORY;
    scratch->count = 0;
    scratch->has_failed = false;
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

void astar_baked_route_free(AstarSearch *search)
{
    AstarBakedScratch *scratch = search->baked;
    const AstarAllocator *allocator = &search->allocator;
    if (scratch == NULL)
        return;
    for (int i = 0; i < 2; i++)
        astar_release(allocator, scratch->ends[i].hits, scratch->ends[i].capacity,
                      sizeof *scratch->ends[i].hits);
    astar_release(allocator, scratch->spread, scratch->spread_capacity, sizeof *scratch->spread);
    astar_release(allocator, scratch->spread_hits, scratch->hit_capacity,
                  sizeof *scratch->spread_hits);
    astar_release(allocator, scratch->places, scratch->capacity, sizeof *scratch->places);
    astar_release(allocator, scratch, 1, sizeof *scratch);
    search->baked = NULL;
}

size_t astar_baked_route_bytes(const AstarSearch *search)
{
    const AstarBakedScratch *scratch = search->baked;
    if (scratch == NULL)
        return 0;
    size_t hits = scratch->ends[0].capacity + scratch->ends[1].capacity;
    return sizeof *scratch + hits * sizeof(AstarSubgoalHit) +
           (scratch->spread_capacity + scratch->hit_capacity + scratch->capacity) *
               sizeof(uint32_t);
}

static uint32_t *grow_words(const AstarSearch *search, uint32_t *words, size_t count,
                            size_t *capacity)
{
    return astar_array_grow(&search->allocator, words, count, sizeof *words, capacity, 0, 64);
}

// ---- labels ----

// A label, and its hubs of either width.
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
        uint32_t hub = astar_hub_at(label.hubs, wide, i), sum = label.distances[i] + cost;
        if (sum < spread[hub])
            spread[hub] = sum;
    }
}

ASTAR_SPECIALIZE void clear_by(uint32_t *spread, Label label, bool wide)
{
    for (uint32_t i = 0; i < label.count; i++)
        spread[astar_hub_at(label.hubs, wide, i)] = ASTAR_NO_SUBGOAL;
}

// Looks for a cheaper meeting by the label of one of the goal's subgoals.
ASTAR_SPECIALIZE void meet_by(const uint32_t *spread, Label label, bool wide, uint32_t subgoal,
                              uint32_t cost, Meeting *best)
{
    if (cost >= best->cost)
        return;
    uint32_t least = best->cost - cost, at = ASTAR_NO_SUBGOAL;
    for (uint32_t i = 0; i < label.count; i++) {
        uint32_t known = spread[astar_hub_at(label.hubs, wide, i)];
        if (known < least && known + label.distances[i] < least) {
            least = known + label.distances[i];
            at = i;
        }
    }
    if (at != ASTAR_NO_SUBGOAL)
        *best = (Meeting){least + cost, astar_hub_at(label.hubs, wide, at), subgoal};
}

static void spread_label_of(AstarSearch *search, const AstarLabels *labels, uint32_t hit)
{
    AstarBakedScratch *scratch = search->baked;
    if (scratch->spread_count == scratch->hit_capacity) {
        uint32_t *hits = grow_words(search, scratch->spread_hits, scratch->spread_count,
                                    &scratch->hit_capacity);
        scratch->has_failed |= hits == NULL;
        if (hits == NULL)
            return;
        scratch->spread_hits = hits;
    }
    const AstarSubgoalHit *from = &scratch->ends[0].hits[hit];
    Label label = label_of(labels, from->subgoal);
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

// Meets the goal's subgoals from one on with what is spread.
static void meet_hits(const AstarBakedScratch *scratch, const AstarLabels *labels, uint32_t first,
                      Meeting *best)
{
    const AstarRouteEnd *goal = &scratch->ends[1];
    for (uint32_t i = first; i < goal->count; i++) {
        const AstarSubgoalHit *hit = &goal->hits[i];
        if (hit->bound >= best->cost)
            continue;
        Label label = label_of(labels, hit->subgoal);
        labels->wide ? meet_by(scratch->spread, label, true, hit->subgoal, hit->cost, best)
                     : meet_by(scratch->spread, label, false, hit->subgoal, hit->cost, best);
    }
}

// ---- joining both ends ----

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

// Spreads the labels of the start's subgoals from one on that may do better; whether there are any.
static bool spread_hits(AstarSearch *search, const AstarLabels *labels, uint32_t first,
                        uint32_t limit)
{
    const AstarRouteEnd *start = &search->baked->ends[0];
    uint32_t before = search->baked->spread_count;
    for (uint32_t i = first; i < start->count; i++)
        if (start->hits[i].bound < limit)
            spread_label_of(search, labels, i);
    return search->baked->spread_count > before;
}

// The cheapest meeting; its cost is ASTAR_NO_SUBGOAL where there is none.
static Meeting meet(AstarSearch *search, const AstarSubgoalScan *scan, const AstarLabels *labels)
{
    AstarBakedScratch *scratch = search->baked;
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
    uint32_t start_count = start->count, goal_count = goal->count;
    astar_scan_around(scan, goal, best.cost);
    meet_hits(scratch, labels, goal_count, &best);
    astar_scan_around(scan, start, best.cost);
    if (spread_hits(search, labels, start_count, best.cost))
        meet_hits(scratch, labels, 0, &best);
    scratch->has_failed |= start->has_failed | goal->has_failed;
    return best;
}

// The start's subgoal that sees the goal so that the route costs less than any met;
// ASTAR_NO_SUBGOAL: none.
static uint32_t hit_that_sees_goal(const AstarBakedScratch *scratch, const AstarSubgoals *subgoals,
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

// ---- the route ----

static void add_place(AstarSearch *search, uint32_t place)
{
    AstarBakedScratch *scratch = search->baked;
    if (scratch->count > 0 && scratch->places[scratch->count - 1] == place)
        return;
    if (scratch->count == scratch->capacity) {
        uint32_t *places = grow_words(search, scratch->places, scratch->count, &scratch->capacity);
        scratch->has_failed |= places == NULL;
        if (places == NULL)
            return;
        scratch->places = places;
    }
    scratch->places[scratch->count++] = place;
}

// The turn of the way of two legs from one place to another.
static uint32_t turn_between(const AstarSubgoals *subgoals, uint32_t from, uint32_t to)
{
    int x = astar_place_x(from), y = astar_place_y(from);
    int to_x = astar_place_x(to), to_y = astar_place_y(to);
    if (!subgoals->rule->has_diagonals)
        return astar_place(to_x, y);
    int steps = astar_two_legs(true, to_x - x, to_y - y).first;
    return astar_place(to_x > x ? x + steps : x - steps, to_y > y ? y + steps : y - steps);
}

// Adds the way between two places, of which 'from' is the last one added; 'back': the legs are
// those from 'to'.
static void add_way(AstarSearch *search, const AstarSubgoals *subgoals, uint32_t from, uint32_t to,
                    bool back)
{
    add_place(search, back ? turn_between(subgoals, to, from) : turn_between(subgoals, from, to));
    add_place(search, to);
}

// The place of a hub in a label, which has it.
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

// Adds the subgoals from one on to a hub; the legs are those from each next one.
static void add_ways_to_hub(AstarSearch *search, const AstarBakedMap *map, uint32_t subgoal,
                            uint32_t hub)
{
    const AstarLabels *labels = map->labels;
    const uint32_t *places = map->subgoals->places;
    uint32_t last = labels->order[hub], at = find_hub(labels, subgoal, hub);
    while (subgoal != last) {
        Label label = label_of(labels, subgoal);
        uint32_t way = label.distances[label.count + at];
        uint32_t next = way & (ASTAR_MOST_SUBGOALS - 1);
        add_way(search, map->subgoals, places[subgoal], places[next], true);
        subgoal = next;
        at = way >> ASTAR_WAY_BITS;
    }
}

static void reverse_places(AstarBakedScratch *scratch, size_t first)
{
    for (size_t i = first, j = scratch->count; i + 1 < j; i++) {
        uint32_t place = scratch->places[--j];
        scratch->places[j] = scratch->places[i];
        scratch->places[i] = place;
    }
}

// The start's hit by whose label the hub is met at its cost.
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

// Gathers the route over a meeting.
static void unpack_meeting(AstarSearch *search, const AstarBakedMap *map, const Meeting *meeting)
{
    AstarBakedScratch *scratch = search->baked;
    const uint32_t *places = map->subgoals->places;
    const AstarRouteEnd *start = &scratch->ends[0], *goal = &scratch->ends[1];
    const AstarSubgoalHit *hit = hit_to_hub(scratch, map->labels, meeting->hub,
                                            scratch->spread[meeting->hub]);
    uint32_t begin = astar_place(start->x, start->y), end = astar_place(goal->x, goal->y);
    if (hit == NULL)
        return;
    add_place(search, begin);
    add_way(search, map->subgoals, begin, hit->place, false);
    add_ways_to_hub(search, map, hit->subgoal, meeting->hub);
    size_t middle = scratch->count;
    add_place(search, end);
    add_way(search, map->subgoals, end, places[meeting->from], false);
    add_ways_to_hub(search, map, meeting->from, meeting->hub);
    reverse_places(scratch, middle);
}

// The route by one way of two legs, from the start or from the goal; false: there is none.
static bool find_plain_route(AstarSearch *search, const AstarSubgoals *subgoals, int sx, int sy,
                             int gx, int gy)
{
    bool forward = astar_subgoals_see(subgoals, sx, sy, gx, gy);
    if (!forward && !astar_subgoals_see(subgoals, gx, gy, sx, sy))
        return false;
    uint32_t start = astar_place(sx, sy), goal = astar_place(gx, gy);
    add_place(search, start);
    add_way(search, subgoals, start, goal, !forward);
    return true;
}

// Gathers the turns of a best route on the map as it was; none where there is no route.
static void find_route(AstarSearch *search, const AstarBakedMap *map)
{
    AstarBakedScratch *scratch = search->baked;
    const AstarSubgoals *subgoals = map->subgoals;
    int sx = search->start_x + 1, sy = search->start_y + 1;
    int gx = search->goal.x + 1, gy = search->goal.y + 1;
    if (find_plain_route(search, subgoals, sx, sy, gx, gy))
        return;
    AstarSubgoalScan scan = astar_subgoal_scan(map, &search->allocator);
    astar_scan_ahead(&scan, &scratch->ends[0], sx, sy, gx, gy);
    astar_scan_ahead(&scan, &scratch->ends[1], gx, gy, sx, sy);
    Meeting meeting = meet(search, &scan, map->labels);
    uint32_t cost = meeting.cost, seen = hit_that_sees_goal(scratch, subgoals, &cost);
    if (seen != ASTAR_NO_SUBGOAL) {
        uint32_t start = astar_place(sx, sy), place = scratch->ends[0].hits[seen].place;
        add_place(search, start);
        add_way(search, subgoals, start, place, false);
        add_way(search, subgoals, place, astar_place(gx, gy), true);
    } else if (cost != ASTAR_NO_SUBGOAL && !scratch->has_failed) {
        unpack_meeting(search, map, &meeting);
    }
    clear_labels(scratch, map->labels);
}

// ---- judging it ----

// Counts the steps of the route, and what they cost.
static void measure_route(AstarBakedScratch *scratch, const AstarBakedMap *map)
{
    scratch->straight = scratch->diagonal = 0;
    for (size_t i = 1; i < scratch->count; i++) {
        uint32_t from = scratch->places[i - 1], to = scratch->places[i];
        int dx = abs(astar_place_x(to) - astar_place_x(from));
        int dy = abs(astar_place_y(to) - astar_place_y(from));
        if (dx == dy)
            scratch->diagonal += (uint32_t)dx;
        else
            scratch->straight += (uint32_t)(dx + dy);
    }
    scratch->cost = scratch->straight * map->straight + scratch->diagonal * map->diagonal;
}

// Whether the route is free on the map as it is.
static bool is_route_whole(const AstarSearch *search, const AstarSubgoals *subgoals)
{
    const AstarBakedScratch *scratch = search->baked;
    const AstarBits *rows = &search->finder->walkable->bits;
    for (size_t i = 1; i < scratch->count; i++) {
        uint32_t from = scratch->places[i - 1], to = scratch->places[i];
        if (!astar_subgoals_is_free(subgoals, rows, astar_place_x(from), astar_place_y(from),
                                    astar_place_x(to), astar_place_y(to)))
            return false;
    }
    return true;
}

// What was baked for a question; NULL: nothing, or it does not ask for the whole of a best route.
static AstarBakedMap *baked_map_for(const AstarSearch *search)
{
    const AstarFinder *finder = search->finder;
    const AstarQuestion *question = &search->question;
    bool stands_free = astar_bits_get(&finder->walkable->bits, search->start_x, search->start_y);
    if (finder->walkable->baked == NULL || !stands_free ||
        finder->options.algorithm != ASTAR_AUTO || search->any_angle || isfinite(search->limit) ||
        question->max_expansions != UINT64_MAX)
        return NULL;
    return astar_baked_map_of(finder->walkable, finder->options.diagonals, finder->whole.straight,
                              finder->whole.diagonal);
}

AstarStatus astar_baked_route_find(AstarSearch *search)
{
    const AstarFinder *finder = search->finder;
    AstarBakedMap *map = baked_map_for(search);
    if (map == NULL)
        return ASTAR_OK;
    AstarBakedState state = astar_baked_map_state(finder->grid, finder->walkable, map);
    if (state == ASTAR_BAKED_OPENED)
        return ASTAR_OK;
    AstarStatus status = open_scratch(search, map->subgoals->count);
    if (status != ASTAR_OK)
        return status;
    find_route(search, map);
    AstarBakedScratch *scratch = search->baked;
    if (scratch->has_failed)
        return ASTAR_NO_MEMORY;
    measure_route(scratch, map);
    bool is_best = scratch->count > 0 &&
                   astar_jps_tells_apart(search, scratch->cost, scratch->straight,
                                         scratch->diagonal) &&
                   (state == ASTAR_BAKED_SAME || is_route_whole(search, map->subgoals));
    if (is_best) {
        search->algorithm = ASTAR_LABELS;
        search->found = search->goal.cell;
    }
    return ASTAR_OK;
}

double astar_baked_route_cost(const AstarSearch *search)
{
    return search->baked->cost;
}

AstarStatus astar_baked_route_trace(const AstarSearch *search, AstarPath *path, double *straight,
                                    double *diagonal)
{
    const AstarBakedScratch *scratch = search->baked;
    AstarStatus status = ASTAR_OK;
    for (size_t i = 0; i < scratch->count && status == ASTAR_OK; i++) {
        int x = astar_place_x(scratch->places[i]), y = astar_place_y(scratch->places[i]), steps = 1;
        if (i > 0) {
            int dx = abs(x - astar_place_x(scratch->places[i - 1]));
            int dy = abs(y - astar_place_y(scratch->places[i - 1]));
            steps = dx > dy ? dx : dy;
        }
        if (steps > 0) // both ways to a hub end there
            status = astar_path_add(path, x - 1, y - 1, steps);
    }
    *straight = scratch->straight;
    *diagonal = scratch->diagonal;
    return status;
}
