// own_routes.h -- routes of their own for units whose goal has no distances yet.
//
// Where many goals are new at once, or the map is large, distances to them come in force beats
// later. So that nobody stands until then, units get a route each, as jump point search finds it,
// as many in a beat as that has work left for, and go along it; who is pushed aside comes back to
// it within a few steps, or gets another. On ground of one cost it is a best route by the crowd's
// lengths, elsewhere by what the finder's steps cost: the distances take over wherever the unit is
// by then.
//
// As with those, what is found ahead of a beat comes in force with it, or is kept for when the same
// is asked again: how many are found in a beat depends on where from and to, never on a search.

#ifndef ASTAR_OWN_ROUTES_H
#define ASTAR_OWN_ROUTES_H

#include "crowd/pibt.h"

// From where to where which unit goes, on which map.
typedef struct AstarRouteKey {
    uint64_t version; // of its kind
    uint32_t unit, generation;
    uint32_t cell, goal, range;
    uint32_t prey; // the number of the unit that is chased + 1
} AstarRouteKey;

typedef struct AstarOwnRoute AstarOwnRoute;

// The route of a unit that is in force, and the one found for the coming beat.
typedef struct AstarRouteSlot {
    AstarOwnRoute *now, *fresh;
    uint32_t next_chaser; // of the same unit, see chasing.c
} AstarRouteSlot;

typedef struct AstarOwnRoutes {
    AstarRouteSlot *slots; // by units' numbers
    uint8_t *leads;        // the same: the way of each along its route, or ASTAR_WAYS
    size_t slot_capacity, lead_capacity;
    size_t routes, bytes;      // how many there are, and of those in force
    AstarWorkspace *workspace; // NULL: none was ever sought
    AstarSearch *search;       // NULL: none is
    AstarRouteKey sought;      // by that
    uint32_t at;               // how many units, in their order, the beat has looked at
    bool is_begun;             // with those of the beat
    size_t windows;            // how many fields it has looked at for chasers
    uint64_t quota, news;      // of work, left for it, and of that for news
    size_t adopted;            // bytes of those that come in force with it
} AstarOwnRoutes;

#endif
