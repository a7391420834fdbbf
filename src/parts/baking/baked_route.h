// baked_route.h -- routes by baked data, and the memory that the functions share.

#ifndef ASTAR_BAKED_ROUTE_H
#define ASTAR_BAKED_ROUTE_H

#include "base/array.h"
#include "parts/baking/baked_map.h"
#include "parts/baking/subgoals.h"
#include "search/baked.h"

// A subgoal as a search up the hierarchy from one end has reached it.
typedef struct AstarClimbed {
    uint32_t cost, parent; // parent is ASTAR_NO_SUBGOAL for a subgoal that the end found itself
    uint32_t stamp;        // number of the query
} AstarClimbed;

// A route, or half of one, while it is built.
typedef struct AstarBakedRoute {
    uint32_t *places;            // ends and turning points; coordinates count the border
    size_t count;                // number of places
    int before;                  // direction of the leg that ends at the last place; 0: none
    uint32_t straight, diagonal; // numbers of steps
} AstarBakedRoute;

struct AstarBakedScratch {
    AstarRouteEnd ends[2];
    // Fields for labels.
    uint32_t *spread; // the least cost from the start, by hub; ASTAR_NO_SUBGOAL: in no label
    size_t spread_capacity;
    uint32_t *spread_hits; // the start's subgoals whose labels are spread
    uint32_t spread_count;
    size_t hit_capacity;
    // Fields for a hierarchy.
    AstarClimbed *climbed[2]; // for each end, its state by subgoal; two arrays in one block
    size_t climbed_capacity;  // of each array
    uint32_t stamp;
    AstarHeap64 open[2];
    uint32_t *
        steps; // pairs of subgoals whose edges are still to be unpacked; also the memory of detours
    size_t step_capacity;
    // Fields of the route.
    AstarBakedRoute route;
    size_t capacity; // of its places
    uint32_t cost;
    uint64_t work;   // work done, roughly in entries of labels
    bool has_failed; // true if there was no memory
};

// Prepares the search's memory for another route.
AstarStatus astar_baked_scratch_open(AstarSearch *search);

// Find the turning points of a best route on the baked map; none if there is no route. Both ends
// must have been scanned ahead.
AstarStatus astar_label_route_find(AstarSearch *search, const AstarBakedMap *map,
                                   const AstarSubgoalScan *scan);
AstarStatus astar_hierarchy_route_find(AstarSearch *search, const AstarBakedMap *map,
                                       const AstarSubgoalScan *scan);

// Makes room for ASTAR_FEW_PLACES more places. Returns false if there is no memory.
enum { ASTAR_FEW_PLACES = 2 };
bool astar_route_has_room(AstarSearch *search);
// Adds the first place of a route, or of its second half the place where the first half ended.
void astar_route_start(AstarSearch *search, uint32_t place);
// Adds the way of two legs between two places, of which 'from' is the last one added. With 'back',
// the legs are those of the way from 'to'.
void astar_route_add_way(AstarSearch *search, const AstarSubgoals *subgoals, uint32_t from,
                         uint32_t to, bool back);
// Adds an end, and the way from there to a subgoal that the end found.
void astar_route_begin_at(AstarSearch *search, const AstarSubgoals *subgoals,
                          const AstarRouteEnd *end, uint32_t subgoal);
// Returns the start's subgoal that sees the goal and gives the cheapest route, if that costs less
// than '*cost'; stores the cost. Returns ASTAR_NO_SUBGOAL if there is none.
uint32_t astar_route_find_seen(const AstarBakedScratch *scratch, const AstarSubgoals *subgoals,
                               uint32_t *cost);
// Adds the route found by astar_route_find_seen.
void astar_route_add_seen(AstarSearch *search, const AstarSubgoals *subgoals, uint32_t hit);
// Reverses the places from number 'first' on.
void astar_route_reverse(AstarBakedScratch *scratch, size_t first);
// Joins two halves; the second begins at index 'middle', at the place where the first ends.
void astar_route_join(AstarBakedScratch *scratch, size_t middle);

// Leads the route around cells that are not free in 'rows' any more, at no extra cost. Returns
// false if that is not possible.
bool astar_baked_route_mend(AstarSearch *search, const AstarSubgoals *subgoals,
                            const AstarBits *rows);

// Legs.

// Returns a number for a direction; the opposite direction has the negative number.
static inline int astar_leg_direction(int sign_x, int sign_y)
{
    return 3 * sign_x + sign_y;
}

// Ends a leg at a place. A leg in the same direction as the one before lengthens that one; one of 0
// steps is not added. The code has no branches, since none could be predicted.
static inline void astar_baked_route_add_leg(AstarBakedRoute *route, uint32_t place, int steps,
                                             int direction)
{
    bool is_leg = steps > 0;
    route->count -= is_leg & (direction == route->before);
    route->places[route->count] = place;
    route->count += is_leg;
    route->before = is_leg ? direction : route->before;
}

// Adds a way of two legs to a route that has room.
ASTAR_SPECIALIZE void astar_baked_route_add_legs(AstarBakedRoute *route, bool has_diagonals,
                                                 uint32_t from, uint32_t to, bool back)
{
    int dx = astar_place_x(to) - astar_place_x(from), dy = astar_place_y(to) - astar_place_y(from);
    int sign_x = (dx > 0) - (dx < 0), sign_y = (dy > 0) - (dy < 0);
    int steps_x = dx * sign_x, steps_y = dy * sign_y;
    int first = steps_x, then = steps_y; // along the row, then the column
    uint32_t way = (uint32_t)dx;         // offset of the first leg
    int first_direction = astar_leg_direction(sign_x, 0);
    int then_direction = astar_leg_direction(0, sign_y);
    if (has_diagonals) {
        bool is_flat = steps_x > steps_y;
        first = is_flat ? steps_y : steps_x;
        then = steps_x + steps_y - 2 * first;
        way = (uint32_t)(first * sign_x) + ((uint32_t)(first * sign_y) << 16);
        then_direction = is_flat ? first_direction : then_direction;
        first_direction = astar_leg_direction(sign_x, sign_y);
        route->diagonal += (uint32_t)first;
        route->straight += (uint32_t)then;
    } else {
        route->straight += (uint32_t)(first + then);
    }
    if (back)
        astar_baked_route_add_leg(route, to - way, then, then_direction);
    else
        astar_baked_route_add_leg(route, from + way, first, first_direction);
    if (back)
        astar_baked_route_add_leg(route, to, first, first_direction);
    else
        astar_baked_route_add_leg(route, to, then, then_direction);
}

// Routes by baked data, without a search.

// Finds the route of the search's query by a map that queries may not use yet. Stores the work
// done, in cells of a layer.
AstarStatus astar_baked_route_measure(AstarSearch *search, const AstarBakedMap *map, double *work);

#endif
