// crowd.h -- the data of a crowd: its units, their orders, and the distances and routes that they
// follow. All files of this folder work on struct AstarCrowd. A crowd advances in ticks, which the
// code calls beats: in one tick every unit makes at most one step.

#ifndef ASTAR_CROWD_H
#define ASTAR_CROWD_H

#include "astar.h"
#include "parts/crowd/goal_fields.h"
#include "parts/crowd/pibt.h"
#include <math.h>

// How much a unit must speed up within a tick, so that it is not drawn too near to another unit.
typedef enum AstarHaste {
    ASTAR_HASTE_NONE,
    ASTAR_HASTE_CLEAR,  // it must be clear of the cell that it leaves
    ASTAR_HASTE_DONE,   // it must have finished its step when the tick ends
    ASTAR_HASTE_AT_ONCE // it must reach its old cell early in the tick, and its new cell at the end
} AstarHaste;

// How a unit is drawn during a tick: it goes straight from 'back' to its old cell, then towards its
// new cell.
typedef struct AstarGlide {
    uint32_t back; // the cell from which the unit came to its old cell
    uint32_t pace; // time of a straight step, in units of 1 / ASTAR_BEAT tick
    uint32_t left; // time left of its last step when the next tick begins, in units of 1 /
                   // ASTAR_BEAT tick
    float start; // fraction of the way from 'back' to the old cell when the tick begins; 1: in the
                 // old cell
    float at;    // the moment when the unit is in its old cell, in ticks
    float end;   // fraction of the way to the new cell when the tick ends
    float angle; // direction when the tick began, in radians; NaN: the unit has not moved yet
    float turn;  // greatest turn per tick, in radians; 0: no limit
    uint8_t haste;  // an AstarHaste
    bool is_queued; // the unit waits to be compared with the units near it
} AstarGlide;

// The glide of a unit that stands and has not moved yet.
#define ASTAR_NEW_GLIDE ((AstarGlide){.pace = ASTAR_BEAT, .start = 1, .end = 1, .angle = NAN})

// Identifies a search for a unit's own route: the unit, both ends, and the version of the map.
typedef struct AstarRouteKey {
    uint64_t version; // version of the unit's kind
    uint32_t unit, generation;
    uint32_t cell, goal, range;
    uint32_t prey; // number of the target unit plus 1; 0: the unit chases nobody
} AstarRouteKey;

typedef struct AstarOwnRoute AstarOwnRoute;

// The route that a unit follows now, and the route found for the next tick.
typedef struct AstarRouteSlot {
    AstarOwnRoute *now, *fresh;
    uint32_t next_chaser; // next unit in the list of chasers of one target unit, see orders.c
} AstarRouteSlot;

// The routes of units whose goals have no distances yet, and the search that is in progress.
typedef struct AstarOwnRoutes {
    AstarRouteSlot *slots; // indexed by unit number
    uint8_t *leads;        // direction of each unit along its route, or ASTAR_WAYS
    uint8_t *led;          // direction of each unit in the last completed tick, or ASTAR_WAYS
    size_t slot_capacity, lead_capacity, led_capacity;
    size_t routes, bytes;      // number of routes, and memory of the routes that units follow now
    AstarWorkspace *workspace; // NULL: no search was made yet
    AstarSearch *search;       // the search in progress, or NULL
    AstarRouteKey sought;      // what 'search' looks for
    uint32_t at;               // how many units the tick has considered, in their order
    bool is_begun;             // the lists for this tick are prepared
    size_t windows;            // how many fields of chasers the tick has considered
    // Work left for this tick, and the part of it for new goals and changed maps.
    uint64_t quota, news;
    size_t adopted; // memory of the routes that take effect with the next tick
} AstarOwnRoutes;

// The state of a unit, except for the part that PIBT uses (AstarPibtUnit).
typedef struct AstarMember {
    uint32_t generation; // how many units have had this number
    // Its cell before the last tick. Without a unit: the next free number.
    uint32_t from;
    uint32_t behind;  // how much its distance to the goal exceeds the least distance so far
    uint16_t stalled; // ticks since it last came nearer to the goal than ever before
    int8_t priority;
    bool is_there : 1, is_held : 1, has_arrived : 1, came_by_link : 1;
    bool has_lost : 1;    // the target unit that it chased was removed
    bool is_supposed : 1; // assumed to stay for good, while rings of waiting units are searched for
    uint32_t rested : 12; // ticks since it last moved, at most ASTAR_MOST_RESTED
    uint32_t period : 12;
    uint32_t heading : 4; // AstarHeading
    uint32_t plan : 2;    // AstarMemberPlan
    uint32_t tries : 2;   // plans made since it last came nearer, at most 3
} AstarMember;

enum { ASTAR_MOST_RESTED = (1 << 12) - 1 };
enum { ASTAR_NEWS_SHARE = 16 }; // new goals get 1 / 16 of a tick's work
static_assert(ASTAR_MOST_RESTED > ASTAR_MAX_PERIOD && ASTAR_HEADING_COUNT <= 16,
              "periods and headings have room");
static_assert(sizeof(AstarMember) <= 20, "many units take little memory");

// How a unit takes part in a plan, see resolving.h.
typedef enum AstarMemberPlan {
    ASTAR_MEMBER_FREE,
    ASTAR_MEMBER_PLANS,  // it waits until its plan is made
    ASTAR_MEMBER_FOLLOWS // it follows a plan
} AstarMemberPlan;

// The last result of places.c: the cell nearest to a goal that a component of the map contains.
typedef struct AstarNearGoal {
    uint64_t version; // version of the kind; 0: there is no result
    uint32_t kind, goal, label, best;
    int size; // size of the unit, or 1 if only its north-west cell counted
} AstarNearGoal;

// Numbers of units, and of cells that they cover.
typedef struct AstarUnitCount {
    uint32_t numbers;    // numbers that were ever assigned
    uint32_t first_free; // head of the list of free numbers, or ASTAR_NOBODY; 'from' of a free unit
                         // links it
    uint32_t there;
    uint32_t under_way;
    uint64_t covered; // cells
} AstarUnitCount;

// Capacities of the arrays that have an entry per unit.
typedef struct AstarUnitCapacity {
    size_t units, sides, members, order, turns, trail, glides;
} AstarUnitCapacity;

// Distances to goals, by goal and kind, see goal_fields.c: a hash table with chains, and an
// unordered array of all fields.
typedef struct AstarGoalFields {
    AstarGoalField **slots, **fields;
    size_t slot_count, count, capacity;
    uint64_t sequence;      // number of fields ever made
    size_t distance_bytes;  // memory of distances in use
    size_t numbering_bytes; // memory of their cell numberings
    size_t leaving_bytes;   // memory of the fields that are removed when the tick in progress is
                            // committed
    AstarFieldBuild build;
    const AstarGoalField *built; // the field whose distances 'build' computes, or NULL
    size_t chases;               // number of fields of target units
    uint64_t quota;              // work on distances left for this tick
    AstarGoalField *charged;     // the field that the rest of the quota did not complete
    uint64_t charge;             // work that will be credited to 'charged'
} AstarGoalFields;

// How far the next tick is computed, see beat.c.
typedef enum AstarBeatStage {
    ASTAR_BEAT_NOT_BEGUN,
    ASTAR_BEAT_FIELDS, // computes distances
    ASTAR_BEAT_ROUTES, // finds routes for units whose goals have no distances yet
    ASTAR_BEAT_TURN,   // units choose their steps
    ASTAR_BEAT_READY
} AstarBeatStage;

// The next tick, as far as it is computed ahead.
typedef struct AstarComingBeat {
    AstarBeatStage stage;
    uint64_t worked, last_work; // work done on this tick, and on the last one
    uint64_t count;             // completed ticks
    double phase;    // fraction of the time from the last tick to the next; 1: the time is over
    bool is_resumed; // the crowd was loaded from a dump: the next tick finds all routes
} AstarComingBeat;

// The plans that are being made or followed.
typedef struct AstarCrowdPlans {
    AstarResolving *first; // a list, the newest plan first
    // The plan that the crowd makes unasked for units in a gridlock, or NULL, see knots.c.
    AstarResolving *knot;
    uint32_t knot_beats; // ticks in which 'knot' has been worked on
} AstarCrowdPlans;

struct AstarCrowd {
    AstarAllocator allocator;
    uint32_t references;
    AstarCrowdOptions options;
    AstarGrid *grid; // the grid of all finders

    AstarCrowdKind *kinds; // the first is the kind of the crowd's default finder
    size_t kind_count, kind_capacity;

    // Arrays indexed by unit number. Numbers without a unit form a list from 'first_free'.
    AstarPibtUnit *units;
    AstarMember *members;
    // Numbers of units in the order of the last tick, and of the next one. 'trail' has room for all
    // units.
    uint32_t *order, *turns,
        *trail;     // numbers: in the order of the last beat, and of the coming one; room for all
    uint8_t *sides; // side of each unit; NULL: all units have side 0
    AstarGlide *glides; // NULL: every step takes one tick, see glides.c
    AstarUnitCount count;
    AstarUnitCapacity capacity;

    AstarGoalFields goals;
    AstarFieldBuild window; // distances in a small window around a target unit, see orders.c
    AstarOwnRoutes own;
    AstarNearGoal near;

    AstarPibt pibt;
    AstarPlace *places;
    AstarComingBeat beat;
    AstarCrowdPlans plans;
};

// Returns the number of a unit, or ASTAR_NOBODY if the unit was removed.
uint32_t astar_crowd_index(const AstarCrowd *crowd, AstarUnit unit);
// Returns true if no route leads from a unit's cell to its goal. Also true if the unit has neither
// distances nor a route yet.
bool astar_crowd_has_no_way(const AstarCrowd *crowd, uint32_t index);
// Gives the number of the kind of a finder. Adds the kind if the crowd does not have it.
AstarStatus astar_crowd_add_kind(AstarCrowd *crowd, AstarFinder *finder, uint32_t *out);
// Removes the kinds that no unit uses, except the crowd's own kind, which stays the first. The
// others are put in the order of their units. No unit may have a route or plan, and every field
// must have users.
AstarStatus astar_crowd_sort_kinds(AstarCrowd *crowd);
// Makes room for one more unit in all arrays of units. Returns false if memory is short.
bool astar_crowd_need_unit(AstarCrowd *crowd);
// Makes room for the sides of all units and of one more. Returns false if memory is short.
bool astar_crowd_need_sides(AstarCrowd *crowd);
// Frees a crowd that has no plans.
void astar_crowd_free(AstarCrowd *crowd);
// Discards the part of the next tick that was computed ahead. Call this before anything changes
// that a tick depends on.
void astar_crowd_disturb(AstarCrowd *crowd);

static inline uint32_t astar_unit_area(const AstarCrowd *crowd, uint32_t unit)
{
    uint32_t size = (uint32_t)astar_kind_size(&crowd->kinds[crowd->units[unit].kind]);
    return size * size;
}

#endif
