// crowd.h -- the data of a crowd: its units, their orders, and the distances and routes that they
// follow. All files of this folder work on struct AstarCrowd. A crowd advances in ticks, which the
// code calls beats: in one tick every unit makes at most one step.

#ifndef ASTAR_CROWD_H
#define ASTAR_CROWD_H

#include "astar.h"
#include "parts/crowd/goal_fields.h"
#include "parts/crowd/pibt.h"
#include <math.h>

// Degrees of haste: how much a unit must speed up in a tick, so that it is not drawn too near to
// another unit. Each value demands more haste than the previous value.
typedef enum AstarHaste {
    ASTAR_HASTE_NONE,
    ASTAR_HASTE_CLEAR, // when the tick ends, the unit must be clear of the cell that it leaves
    ASTAR_HASTE_DONE,  // when the tick ends, the unit must have finished its step
    // The unit must finish its last step early in the tick, and its new step by the end of the
    // tick.
    ASTAR_HASTE_AT_ONCE
} AstarHaste;

// The motion in which a unit is drawn during a tick. The unit first finishes its last step, from
// 'back' to its old cell. Afterwards the unit moves towards its new cell.
typedef struct AstarGlide {
    uint32_t back; // the cell where the unit's last step began
    uint32_t pace; // time that a straight step takes, in units of 1 / ASTAR_BEAT tick
    // Time that the last step still takes after the start of the next tick, in units of 1 /
    // ASTAR_BEAT tick.
    uint32_t left;
    float start; // fraction of the last step that is done when the tick begins; 1: the whole step
    float at;    // moment within the tick at which the last step is done, as a fraction of the tick
    float end;   // fraction of the new step that is done when the tick ends
    // Direction that the unit faces when the tick begins, in radians; NaN: it has not moved yet.
    float angle;
    float turn;    // greatest angle by which the unit turns per tick, in radians; 0: no limit
    uint8_t haste; // one of the values of AstarHaste
    // True if the unit is in the list of units to be compared with the units near them.
    bool is_queued;
} AstarGlide;

// The motion of a unit that is at rest and has not moved yet.
#define ASTAR_NEW_GLIDE ((AstarGlide){.pace = ASTAR_BEAT, .start = 1, .end = 1, .angle = NAN})

// Identifies a search for the own route of a unit: the unit, both ends of the route, and the
// version of the map.
typedef struct AstarRouteKey {
    uint64_t version; // version of the map for the unit's finder
    uint32_t unit, generation;
    uint32_t cell, goal, range;
    uint32_t target_unit; // number of the target unit plus 1; 0: the unit chases nobody
} AstarRouteKey;

typedef struct AstarOwnRoute AstarOwnRoute;

// The routes of one unit: the route that it follows now, and the route found for the next tick.
typedef struct AstarRouteSlot {
    AstarOwnRoute *now, *fresh;
    uint32_t next_chaser; // next unit in a list of units that chase the same target unit
} AstarRouteSlot;

// The routes of units whose goals have no distances yet, and the search for such a route in
// progress.
typedef struct AstarOwnRoutes {
    AstarRouteSlot *slots; // one entry per unit, indexed by unit number
    // Next direction of each unit along its route. ASTAR_WAYS means that the unit follows no route.
    uint8_t *leads;
    uint8_t *led; // a copy of 'leads' as it was after the last completed tick
    size_t slot_capacity, lead_capacity, led_capacity;
    size_t routes, bytes;      // number of all routes, and number of bytes of those in use
    AstarWorkspace *workspace; // memory of the searches; NULL: no search was made yet
    AstarSearch *search;       // the search in progress; NULL: none
    AstarRouteKey sought;      // identifies the route that 'search' looks for
    uint32_t at;               // number of units that were checked in this tick for a missing route
    bool is_begun;             // true if the arrays for this tick are ready
    size_t windows; // number of target units around which distances were computed in this tick
    // Number of cells of the window that is being computed, and number of cells by which the
    // remaining windows of this tick together may exceed WINDOW_CELLS, see orders.c.
    uint64_t window_cells, shared;
    // Remaining work of this tick. 'news' is the part of it for goals that are new or whose map has
    // changed.
    uint64_t quota, news;
    size_t adopted; // number of bytes of the routes that take effect with this tick
} AstarOwnRoutes;

// The state of a unit, except for the part that the choice of steps uses (AstarPibtUnit).
typedef struct AstarMember {
    // Number of units that have had this unit number so far, this unit included.
    uint32_t generation;
    // Cell of the unit before the last tick. If no unit has this number, the next unused number.
    uint32_t from;
    // Difference between the unit's present distance to its goal and the least distance that it has
    // had so far.
    uint32_t behind;
    uint16_t stalled; // number of ticks since the unit was last nearer to its goal than ever before
    int8_t priority;
    bool is_there : 1, is_held : 1, has_arrived : 1, came_by_link : 1;
    bool has_lost : 1; // true if the unit chased a target unit that was removed
    // True if the unit is marked as staying for good, see look_for_standstill in beat.c.
    bool is_supposed : 1;
    uint32_t rested : 12; // number of ticks since the unit last moved, at most ASTAR_MOST_RESTED
    uint32_t period : 12;
    uint32_t heading : 4; // one of the values of AstarHeading
    uint32_t plan : 2;    // one of the values of AstarMemberPlan
    // Number of plans made since the unit last came nearer to its goal, at most 3.
    uint32_t tries : 2;
} AstarMember;

enum { ASTAR_MOST_RESTED = (1 << 12) - 1 };
// Goals that are new get 1 / ASTAR_NEWS_SHARE of the expansions of a tick.
enum { ASTAR_NEWS_SHARE = 16 };
static_assert(ASTAR_MOST_RESTED > ASTAR_MAX_PERIOD && ASTAR_HEADING_COUNT <= 16,
              "periods and headings have room");
static_assert(sizeof(AstarMember) <= 20, "many units take little memory");

// The part that a unit has in a plan, see resolving.h.
typedef enum AstarMemberPlan {
    ASTAR_MEMBER_FREE,
    ASTAR_MEMBER_PLANS,  // the unit waits while its plan is made
    ASTAR_MEMBER_FOLLOWS // the unit follows a plan
} AstarMemberPlan;

// The last result of astar_crowd_find_near: the cell nearest to a goal that units of one connected
// component can reach.
typedef struct AstarNearGoal {
    // Version of the map, as AstarCrowdKind.version, for which the result was computed; 0: there is
    // no result.
    uint64_t version;
    uint32_t kind, goal, label, best;
    int size; // size of the unit, or 1 if distances were measured from its north-west cell
} AstarNearGoal;

// The number of units, and the number of cells that they cover.
typedef struct AstarUnitCount {
    uint32_t numbers; // number of unit numbers that were ever assigned
    // The first unit number that is not in use, or ASTAR_NOBODY. The unused numbers form a list:
    // the field 'from' of the AstarMember with an unused number is the next unused number.
    uint32_t first_free;
    uint32_t there;
    uint32_t under_way;
    uint64_t covered; // number of cells that units cover
} AstarUnitCount;

// Capacities of the arrays that have an entry per unit.
typedef struct AstarUnitCapacity {
    size_t units, sides, members, order, turns, trail, glides;
} AstarUnitCapacity;

// The fields of a crowd, each with the distances to one goal, see goal_fields.c. There is a hash
// table of the fields by goal and finder, and an unordered list of all fields.
typedef struct AstarGoalFields {
    AstarGoalField **slots, **fields;
    size_t slot_count, count, capacity;
    uint64_t sequence;      // number of fields that were ever made
    size_t distance_bytes;  // number of bytes of the distances that units follow
    size_t numbering_bytes; // number of bytes of the numberings of cells that these distances share
    // Number of bytes of the fields that will be removed when this tick is complete.
    size_t leaving_bytes;
    AstarFieldBuild build;
    const AstarGoalField *built; // the field that 'build' is computing, or NULL
    size_t chases;               // number of fields whose goal is a target unit
    uint64_t quota;              // work on distances that is left for this tick
    // The incomplete field that has used up the quota of this tick, or NULL.
    AstarGoalField *accounted;
    uint64_t account; // work that this tick has spent on the field 'accounted'
} AstarGoalFields;

// The stage that the computation of the next tick has reached, see beat.c.
typedef enum AstarBeatStage {
    ASTAR_BEAT_NOT_BEGUN,
    ASTAR_BEAT_FIELDS, // distances are computed
    ASTAR_BEAT_ROUTES, // routes are found for units whose goals have no distances yet
    ASTAR_BEAT_TURN,   // units choose their steps
    ASTAR_BEAT_READY
} AstarBeatStage;

// The state of the next tick, which may be computed ahead of time.
typedef struct AstarComingBeat {
    AstarBeatStage stage;
    uint64_t worked, last_work; // work done on the next tick so far, and on the tick before
    uint64_t count;             // number of completed ticks
    // Fraction of the time between two ticks that has passed since the last one, from 0 to 1.
    double phase;
    // True if the crowd was loaded from a dump, so that the next tick finds all routes.
    bool is_resumed;
} AstarComingBeat;

// The plans of a crowd that are being made or followed.
typedef struct AstarCrowdPlans {
    AstarResolving *first; // list of all plans, the newest plan first
    // The plan that the crowd itself has started for units in a gridlock, or NULL, see deadlocks.c.
    AstarResolving *deadlock;
    uint32_t deadlock_beats; // number of ticks in which 'deadlock' was worked on
} AstarCrowdPlans;

struct AstarCrowd {
    AstarAllocator allocator;
    uint32_t references;
    AstarCrowdOptions options;
    AstarGrid *grid; // the grid that all finders of the crowd belong to

    AstarCrowdKind *kinds; // data of the finders; the first one is the crowd's default finder
    size_t kind_count, kind_capacity;

    // Arrays indexed by unit number. The unused numbers form a list that starts at 'first_free'.
    AstarPibtUnit *units;
    AstarMember *members;
    // Lists of unit numbers: the order in which units chose their steps in the last tick, the order
    // for the next tick, and the units that have chosen so far.
    uint32_t *order, *turns, *trail;
    uint8_t *sides;     // side of each unit; NULL: all units belong to side 0
    AstarGlide *glides; // how each unit is drawn; NULL: every step takes one tick, see glides.c
    AstarUnitCount count;
    AstarUnitCapacity capacity;

    AstarGoalFields goals;
    AstarFieldBuild window; // distances in the cells around one target unit, see orders.c
    AstarOwnRoutes own;
    AstarNearGoal near;

    AstarPibt pibt;
    AstarPlace *places;
    AstarComingBeat beat;
    AstarCrowdPlans plans;
};

// Returns the number of a unit, or ASTAR_NOBODY if the unit was removed.
uint32_t astar_crowd_index(const AstarCrowd *crowd, AstarUnit unit);
// Returns true if no route from a unit to its goal is known: no route exists, or neither distances
// nor a route have been computed yet.
bool astar_crowd_has_no_way(const AstarCrowd *crowd, uint32_t index);
// Writes to '*out' the number of the kind of a finder. A kind is the data of one finder in the
// crowd. Adds the kind if the crowd does not have it.
AstarStatus astar_crowd_add_kind(AstarCrowd *crowd, AstarFinder *finder, uint32_t *out);
// Removes the kinds (data of finders) that no unit uses, except the first, which is that of the
// crowd's default finder. The remaining kinds get new numbers in the order of their units. The
// caller must have removed all routes, plans, and fields without users.
AstarStatus astar_crowd_sort_kinds(AstarCrowd *crowd);
// Makes room for one more unit in all arrays with an entry per unit. Returns false if memory is
// short.
bool astar_crowd_need_unit(AstarCrowd *crowd);
// Makes room for the sides of all units and of one more unit. Returns false if memory is short.
bool astar_crowd_need_sides(AstarCrowd *crowd);
// Frees a crowd. The crowd must have no plans.
void astar_crowd_free(AstarCrowd *crowd);
// Discards the part of the next tick that is already computed. Must be called before any change to
// the map, the units or their orders.
void astar_crowd_disturb(AstarCrowd *crowd);

static inline uint32_t astar_unit_area(const AstarCrowd *crowd, uint32_t unit)
{
    uint32_t size = (uint32_t)astar_kind_size(&crowd->kinds[crowd->units[unit].kind]);
    return size * size;
}

#endif
