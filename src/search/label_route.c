// label_route.c -- routes by hub labels over subgoals.
//
// The least sum of the ways from both ends to subgoals they found and of the distance of two of
// these by their labels is the cost of a best route. First the ends look each other's way: what
// that finds bounds what must be looked at all around. The start's labels are spread over an array
// by hubs, and those of the goal read it.

#include "search/baked_scratch.h"

#include <string.h>

// Where two labels meet.
typedef struct Meeting {
    uint32_t cost; // of the route
    uint32_t hub;
    uint32_t from; // the goal's subgoal
} Meeting;

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
        uint32_t *known = &spread[astar_hub_at(label.hubs, wide, i)];
        uint32_t sum = label.distances[i] + cost;
        *known = sum < *known ? sum
                              : *known; // as good as drawn by lot: better stored than branched
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
    uint64_t least = best->cost - cost; // less than the sum with what is not known
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
    scratch->work += 2 * label.count; // to clear them, too
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
    const AstarRouteEnd *start = &search->own.baked->ends[0];
    uint32_t before = search->own.baked->spread_count;
    for (uint32_t i = first; i < start->count; i++)
        if (start->hits[i].bound < limit)
            spread_label_of(search, labels, i);
    return search->own.baked->spread_count > before;
}

// The cheapest meeting; its cost is ASTAR_NO_SUBGOAL where there is none.
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
        return best; // the ends have looked all around
    uint32_t start_count = start->count, goal_count = goal->count;
    astar_scan_around(scan, goal, best.cost);
    meet_hits(scratch, labels, goal_count, &best);
    astar_scan_around(scan, start, best.cost);
    if (spread_hits(search, labels, start_count, best.cost))
        meet_hits(scratch, labels, 0, &best);
    scratch->has_failed |= start->has_failed || goal->has_failed;
    return best;
}

// ---- the route ----

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

// Makes the array as large as there are hubs.
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
