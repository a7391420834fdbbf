// baked_route.h -- routes by baked data, and the memory that the functions for them share.

#ifndef ASTAR_BAKED_ROUTE_H
#define ASTAR_BAKED_ROUTE_H

#include "base/array.h"
#include "parts/baking/baked_map.h"
#include "parts/baking/subgoals.h"
#include "search/baked.h"

// The record of a subgoal that the search up the hierarchy from one end has reached.
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
    // The fields from here to 'hit_capacity' are for routes by labels.
    uint32_t *spread; // the least cost from the start, by hub; ASTAR_NO_SUBGOAL: in no label
    size_t spread_capacity;
    uint32_t *spread_hits; // the start's subgoals whose labels are spread
    uint32_t spread_count;
    size_t hit_capacity;
    // The fields from here to 'step_capacity' are for routes by a hierarchy.
    AstarClimbed *climbed[2]; // for each end, its state by subgoal; two arrays in one block
    size_t climbed_capacity;  // capacity of each array of 'climbed'
    uint32_t stamp;
    AstarHeap64 open[2];
    uint32_t *
        steps; // pairs of subgoals whose edges are still to be unpacked; also the memory of detours
    size_t step_capacity;
    // The fields from here on are the route.
    AstarBakedRoute route;
    size_t capacity; // number of places of 'route' that memory is allocated for
    uint32_t cost;
    uint64_t work;   // work done, roughly in entries of labels
    bool has_failed; // true if there was no memory
};

// Prepares the memory of a search for another route by baked data.
AstarStatus astar_baked_scratch_open(AstarSearch *search);

// Find the turning points of a best route on the baked map by labels, or by a hierarchy. The route
// is left empty if no route exists. Both ends must have been scanned ahead.
AstarStatus astar_label_route_find(AstarSearch *search, const AstarBakedMap *map,
                                   const AstarSubgoalScan *scan);
AstarStatus astar_hierarchy_route_find(AstarSearch *search, const AstarBakedMap *map,
                                       const AstarSubgoalScan *scan);

// astar_route_has_room reserves room in the route for ASTAR_FEW_PLACES more points. It returns
// false if there is no memory.
enum { ASTAR_FEW_PLACES = 2 };
bool astar_route_has_room(AstarSearch *search);
// Adds the first point of a route or, for the second half of a route, the point where the first
// half ended.
void astar_route_start(AstarSearch *search, uint32_t place);
// Adds the path of two legs from 'from', the last point of the route, to 'to'. If 'back' is true,
// the legs are those of the path from 'to' to 'from'.
void astar_route_add_way(AstarSearch *search, const AstarSubgoals *subgoals, uint32_t from,
                         uint32_t to, bool back);
// Adds the cell of an end, and the path from that cell to a subgoal that the scans from this end
// found.
void astar_route_begin_at(AstarSearch *search, const AstarSubgoals *subgoals,
                          const AstarRouteEnd *end, uint32_t subgoal);
// Looks for a route from the start over one of its subgoals that sees the goal. Returns the index
// of that subgoal for the cheapest such route that costs less than '*cost', and stores its cost.
// Returns ASTAR_NO_SUBGOAL if there is no such route.
uint32_t astar_route_find_seen(const AstarBakedScratch *scratch, const AstarSubgoals *subgoals,
                               uint32_t *cost);
// Adds the route over the subgoal 'hit' that astar_route_find_seen returned.
void astar_route_add_seen(AstarSearch *search, const AstarSubgoals *subgoals, uint32_t hit);
// Reverses the order of the points of the route from number 'first' on.
void astar_route_reverse(AstarBakedScratch *scratch, size_t first);
// Joins the two halves of a route. The second half begins at index 'middle', with the point where
// the first half ends.
void astar_route_join(AstarBakedScratch *scratch, size_t middle);

// Leads the route around cells that are not free in 'rows' any more, at no extra cost. Returns
// false if that is not possible.
bool astar_baked_route_mend(AstarSearch *search, const AstarSubgoals *subgoals,
                            const AstarBits *rows);

// Legs.

// Returns a number for a direction. The opposite direction has the negative of that number.
static inline int astar_leg_direction(int sign_x, int sign_y)
{
    return 3 * sign_x + sign_y;
}

// Ends a leg of a route at a point. A leg in the same direction as the leg before lengthens that
// leg. A leg of 0 steps is not added. The code has no branches, since a processor could not predict
// them.
static inline void astar_baked_route_add_leg(AstarBakedRoute *route, uint32_t place, int steps,
                                             int direction)
{
    bool is_leg = steps > 0;
    route->count -= is_leg & (direction == route->before);
    route->places[route->count] = place;
    route->count += is_leg;
    route->before = is_leg ? direction : route->before;
}

// Adds a path of two legs to a route that has room for two more points.
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

// The function below finds routes by baked data, without a search.

// Finds the route of the search's query by a baked map that queries may not use yet. Stores in
// '*work' the work done; its unit is reading a cell of a layer.
AstarStatus astar_baked_route_measure(AstarSearch *search, const AstarBakedMap *map, double *work);

#endif
