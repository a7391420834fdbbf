// baked_scratch.h -- what the parts of baked_route.c work on together.

#ifndef ASTAR_BAKED_SCRATCH_H
#define ASTAR_BAKED_SCRATCH_H

#include "derived/baked_map.h"
#include "search/search.h"
#include "search/subgoal_scan.h"

// A subgoal as a search up the hierarchy has reached it, from one end.
typedef struct AstarClimbed {
    uint32_t cost, parent; // ASTAR_NO_SUBGOAL: it is a hit of that end
    uint32_t stamp;        // of the question
} AstarClimbed;

struct AstarBakedScratch {
    AstarRouteEnd ends[2];
    // of labels
    uint32_t *spread; // the least cost from the start, by hub; ASTAR_NO_SUBGOAL: no label has it
    size_t spread_capacity;
    uint32_t *spread_hits; // of the start's: those whose labels are spread
    uint32_t spread_count;
    size_t hit_capacity;
    // of a hierarchy
    AstarClimbed *climbed[2];
    size_t climbed_capacity; // of each
    uint32_t stamp;
    AstarHeap64 open[2];
    uint32_t *steps; // pairs of subgoals whose edges are still to be unfolded
    size_t step_capacity;
    // of the route
    uint32_t *places; // its turns, from the start on; the border counted
    size_t count, capacity;
    uint32_t cost, straight, diagonal; // steps
    uint64_t work;                     // that it took, about: in entries of labels
    bool has_failed;                   // for want of memory
};

// Gathers the turns of a best route on the map as it was; none where there is no route. Both ends
// have been looked ahead from.
AstarStatus astar_label_route_find(AstarSearch *search, const AstarBakedMap *map,
                                   const AstarSubgoalScan *scan);
AstarStatus astar_hierarchy_route_find(AstarSearch *search, const AstarBakedMap *map,
                                       const AstarSubgoalScan *scan);

// Where words have no room, gives them more; NULL without memory.
uint32_t *astar_route_grow(const AstarSearch *search, uint32_t *words, size_t count,
                           size_t *capacity);
// Adds a place to the route, another than the last.
void astar_route_add(AstarSearch *search, uint32_t place);
// Adds the way of two legs between two places, of which 'from' is the last one added; 'back': the
// legs are those from 'to'.
void astar_route_add_way(AstarSearch *search, const AstarSubgoals *subgoals, uint32_t from,
                         uint32_t to, bool back);
// Adds an end, and the way from there to a subgoal it found.
void astar_route_begin_at(AstarSearch *search, const AstarSubgoals *subgoals,
                          const AstarRouteEnd *end, uint32_t subgoal);
// The start's hit that sees the goal so that the route over it costs least, and less than '*cost',
// which it then is; ASTAR_NO_SUBGOAL: none.
uint32_t astar_route_find_seen(const AstarBakedScratch *scratch, const AstarSubgoals *subgoals,
                               uint32_t *cost);
// Adds that route.
void astar_route_add_seen(AstarSearch *search, const AstarSubgoals *subgoals, uint32_t hit);
// Turns the places from one on round.
void astar_route_reverse(AstarBakedScratch *scratch, size_t first);

#endif
