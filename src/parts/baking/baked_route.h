// baked_route.h -- routes by what was baked, and what their parts work on together.

#ifndef ASTAR_BAKED_ROUTE_H
#define ASTAR_BAKED_ROUTE_H

#include "base/array.h"
#include "parts/baking/baked_map.h"
#include "parts/baking/subgoals.h"
#include "search/baked.h"

// A subgoal as a search up the hierarchy has reached it, from one end.
typedef struct AstarClimbed {
    uint32_t cost, parent; // ASTAR_NO_SUBGOAL: it is a hit of that end
    uint32_t stamp;        // of the question
} AstarClimbed;

// A route, or half of one, while it is gathered.
typedef struct AstarBakedRoute {
    uint32_t *places;            // ends and turns; the border counted
    size_t count;                // of them
    int before;                  // the direction of the leg that ends at the last one; 0: none does
    uint32_t straight, diagonal; // steps
} AstarBakedRoute;

struct AstarBakedScratch {
    AstarRouteEnd ends[2];
    // of labels
    uint32_t *spread; // the least cost from the start, by hub; ASTAR_NO_SUBGOAL: no label has it
    size_t spread_capacity;
    uint32_t *spread_hits; // of the start's: those whose labels are spread
    uint32_t spread_count;
    size_t hit_capacity;
    // of a hierarchy
    AstarClimbed *climbed[2]; // one behind the other
    size_t climbed_capacity;  // of each
    uint32_t stamp;
    AstarHeap64 open[2];
    uint32_t *steps; // pairs of subgoals whose edges are still to be unfolded; of a detour
    size_t step_capacity;
    // of the route
    AstarBakedRoute route;
    size_t capacity; // of its places
    uint32_t cost;
    uint64_t work;   // that it took, about: in entries of labels
    bool has_failed; // for want of memory
};

// Makes the search's ready for another route.
AstarStatus astar_baked_scratch_open(AstarSearch *search);

// Gathers the turns of a best route on the map as it was; none where there is no route. Both ends
// have been looked ahead from.
AstarStatus astar_label_route_find(AstarSearch *search, const AstarBakedMap *map,
                                   const AstarSubgoalScan *scan);
AstarStatus astar_hierarchy_route_find(AstarSearch *search, const AstarBakedMap *map,
                                       const AstarSubgoalScan *scan);

// Makes room for a few more places; false without memory.
enum { ASTAR_FEW_PLACES = 2 };
bool astar_route_has_room(AstarSearch *search);
// Begins with the first place of a route, or with the one that the first half of it ended at.
void astar_route_start(AstarSearch *search, uint32_t place);
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
// Joins the halves of which the second begins at 'middle', where the first one ends.
void astar_route_join(AstarBakedScratch *scratch, size_t middle);

// Leads the route past what is not free of 'rows' any more, as cheaply; false: it
// cannot be.
bool astar_baked_route_mend(AstarSearch *search, const AstarSubgoals *subgoals,
                            const AstarBits *rows);

// ---- legs ----

// Directions are told apart by numbers of which the opposite one is the negative.
static inline int astar_leg_direction(int sign_x, int sign_y)
{
    return 3 * sign_x + sign_y;
}

// Ends a leg at a place; where it goes on as the one before that one is lengthened. For want of
// steps there is none. Without branches, for none could be foretold.
static inline void astar_baked_route_add_leg(AstarBakedRoute *route, uint32_t place, int steps,
                                             int direction)
{
    bool is_leg = steps > 0;
    route->count -= is_leg & (direction == route->before);
    route->places[route->count] = place;
    route->count += is_leg;
    route->before = is_leg ? direction : route->before;
}

// Adds a way of two legs where there is room.
ASTAR_SPECIALIZE void astar_baked_route_add_legs(AstarBakedRoute *route, bool has_diagonals,
                                                 uint32_t from, uint32_t to, bool back)
{
    int dx = astar_place_x(to) - astar_place_x(from), dy = astar_place_y(to) - astar_place_y(from);
    int sign_x = (dx > 0) - (dx < 0), sign_y = (dy > 0) - (dy < 0);
    int steps_x = dx * sign_x, steps_y = dy * sign_y;
    int first = steps_x, then = steps_y; // along the row, then the column
    uint32_t way = (uint32_t)dx;         // that the first leg goes
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

// ---- routes by what was baked, without a search ----

// Finds the route of a question noted by a map that may not be in force yet; how much work that is,
// in cells of a layer.
AstarStatus astar_baked_route_measure(AstarSearch *search, const AstarBakedMap *map, double *work);

#endif
