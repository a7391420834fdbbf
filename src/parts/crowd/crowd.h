// crowd.h -- the data of a crowd: its units, their orders, and the distances and routes that they
// follow. All files of this folder work on struct AstarCrowd. A crowd advances in ticks, which the
// code calls beats: in one tick every unit makes at most one step.

#ifndef ASTAR_CROWD_H
#define ASTAR_CROWD_H

#include "astar.h"
#include "parts/crowd/goal_fields.h"
#include "parts/crowd/pibt.h"
#include <math.h>

// How much a unit must speed up in a tick, so that it is not drawn too near to another unit.
typedef enum AstarHaste {
    ASTAR_HASTE_NONE,
    ASTAR_HASTE_CLEAR, // must be clear of the cell that it leaves
    ASTAR_HASTE_DONE,  // must have finished its step when the tick ends
    // Must finish its last step early in the tick, and the new one at its end.
    ASTAR_HASTE_AT_ONCE
} AstarHaste;

// How a unit is drawn during a tick. It first finishes its last step, from 'back' to its old cell.
// Then it moves towards its new cell.
typedef struct AstarGlide {
    uint32_t back;  // the cell where its last step began
    uint32_t pace;  // time of a straight step, in units of 1 / ASTAR_BEAT tick
    uint32_t left;  // time left of its last step when the next tick begins, in units of 1 /
                    // ASTAR_BEAT tick
    float start;    // fraction of the last step that is done when the tick begins; 1: all of it
    float at;       // moment of the tick at which the last step is done, in ticks
    float end;      // fraction of the new step that is done when the tick ends
    float angle;    // direction when the tick began, in radians; NaN: the unit has not moved yet
    float turn;     // greatest turn per tick, in radians; 0: no limit
    uint8_t haste;  // an AstarHaste
    bool is_queued; // is in the list of units to be compared with the units near them
} AstarGlide;

// The motion of a unit that stands and has not moved yet.
#define ASTAR_NEW_GLIDE ((AstarGlide){.pace = ASTAR_BEAT, .start = 1, .end = 1, .angle = NAN})

// Identifies a search for a unit's own route: the unit, both ends, and the version of the map.
typedef struct AstarRouteKey {
    uint64_t version; // version of the map for the unit's finder
    uint32_t unit, generation;
    uint32_t cell, goal, range;
    uint32_t prey; // number of the target unit plus 1; 0: the unit chases nobody
} AstarRouteKey;

typedef struct AstarOwnRoute AstarOwnRoute;

// The route that a unit follows now, and the route found for the next tick.
typedef struct AstarRouteSlot {
    AstarOwnRoute *now, *fresh;
    uint32_t next_chaser; // next unit in a list of units that chase the same target unit
} AstarRouteSlot;

// The routes of single units whose goals have no distances yet, and the search in progress.
typedef struct AstarOwnRoutes {
    AstarRouteSlot *slots; // indexed by unit number
    uint8_t *leads;        // next direction of each unit along its route, or ASTAR_WAYS
    uint8_t *led;          // the same array as the last completed tick left it
    size_t slot_capacity, lead_capacity, led_capacity;
    size_t routes, bytes;      // number of all routes, and bytes of those in use
    AstarWorkspace *workspace; // NULL: no search was made yet
    AstarSearch *search;       // the search in progress, or NULL
    AstarRouteKey sought;      // what 'search' looks for
    uint32_t at;               // number of units that this tick has checked for a missing route
    bool is_begun;             // the arrays for this tick are ready
    size_t windows;            // number of target units whose surroundings this tick has checked
    // Work left for this tick, and the part of it for goals that are new or whose map has changed.
    uint64_t quota, news;
    size_t adopted; // bytes of the routes that take effect with this tick
} AstarOwnRoutes;

// The state of a unit, except for the part that the choice of steps uses (AstarPibtUnit).
typedef struct AstarMember {
    uint32_t generation; // number of units that have had this number so far
    // Cell of the unit before the last tick. If the number is free: the next free number.
    uint32_t from;
    uint32_t behind;  // distance to the goal minus the least distance so far
    uint16_t stalled; // ticks since it last came nearer to the goal than ever before
    int8_t priority;
    bool is_there : 1, is_held : 1, has_arrived : 1, came_by_link : 1;
    bool has_lost : 1;    // the target unit that it chased was removed
    bool is_supposed : 1; // is assumed to stay, see look_for_standstill in beat.c
    uint32_t rested : 12; // ticks since it last moved, at most ASTAR_MOST_RESTED
    uint32_t period : 12;
    uint32_t heading : 4; // AstarHeading
    uint32_t plan : 2;    // AstarMemberPlan
    uint32_t tries : 2;   // plans made for it since it last came nearer to the goal, at most 3
} AstarMember;

enum { ASTAR_MOST_RESTED = (1 << 12) - 1 };
enum { ASTAR_NEWS_SHARE = 16 }; // part of a tick's expansions for new goals: 1 / 16
static_assert(ASTAR_MOST_RESTED > ASTAR_MAX_PERIOD && ASTAR_HEADING_COUNT <= 16,
              "periods and headings have room");
static_assert(sizeof(AstarMember) <= 20, "many units take little memory");

// How a unit takes part in a plan, see resolving.h.
typedef enum AstarMemberPlan {
    ASTAR_MEMBER_FREE,
    ASTAR_MEMBER_PLANS,  // waits until its plan is made
    ASTAR_MEMBER_FOLLOWS // follows a plan
} AstarMemberPlan;

// The last result of astar_crowd_find_near: the cell nearest to a goal that units of one connected
// component can reach.
typedef struct AstarNearGoal {
    uint64_t version; // version of the kind; 0: there is no result
    uint32_t kind, goal, label, best;
    int size; // size of the unit, or 1 if distances were measured from its north-west cell
} AstarNearGoal;

// Counts of units and of the cells that they cover.
typedef struct AstarUnitCount {
    uint32_t numbers; // how many numbers were ever assigned
    // The first free number, or ASTAR_NOBODY. Free numbers are linked by 'from' of their members.
    uint32_t first_free;
    uint32_t there;
    uint32_t under_way;
    uint64_t covered; // number of cells that units cover
} AstarUnitCount;

// Capacities of the arrays that have an entry per unit.
typedef struct AstarUnitCapacity {
    size_t units, sides, members, order, turns, trail, glides;
} AstarUnitCapacity;

// The distances to goals (fields), see goal_fields.c: a hash table by goal and kind, and an
// unordered list of all of them.
typedef struct AstarGoalFields {
    AstarGoalField **slots, **fields;
    size_t slot_count, count, capacity;
    uint64_t sequence;      // number of fields ever made
    size_t distance_bytes;  // bytes of the distances that units follow
    size_t numbering_bytes; // bytes of the numberings of cells that these distances share
    size_t leaving_bytes;   // bytes of the fields that will be removed when this tick is complete
    AstarFieldBuild build;
    const AstarGoalField *built; // field that 'build' is computing, or NULL
    size_t chases;               // number of fields whose goal is a target unit
    uint64_t quota;              // work on distances that is left for this tick
    // Field that used up the quota of this tick and is not complete, or NULL.
    AstarGoalField *charged;
    uint64_t charge; // work that this tick has spent on 'charged'
} AstarGoalFields;

// How far the next tick has been computed, see beat.c.
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
    // The plan that the crowd itself has started, for units in a gridlock, or NULL, see knots.c.
    AstarResolving *knot;
    uint32_t knot_beats; // number of ticks in which 'knot' was worked on
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
    // Unit numbers in the order in which units chose their steps in the last tick, the order for
    // the next tick, and room for those that have chosen.
    uint32_t *order, *turns, *trail;
    uint8_t *sides;     // side of each unit; NULL: all units have side 0
    AstarGlide *glides; // NULL: every step takes one tick, see glides.c
    AstarUnitCount count;
    AstarUnitCapacity capacity;

    AstarGoalFields goals;
    AstarFieldBuild window; // distances in the cells around a target unit, see orders.c
    AstarOwnRoutes own;
    AstarNearGoal near;

    AstarPibt pibt;
    AstarPlace *places;
    AstarComingBeat beat;
    AstarCrowdPlans plans;
};

// Returns the number of a unit, or ASTAR_NOBODY if the unit was removed.
uint32_t astar_crowd_index(const AstarCrowd *crowd, AstarUnit unit);
// Returns true if a unit has no way to its goal: no route exists, or neither distances nor a route
// are known yet.
bool astar_crowd_has_no_way(const AstarCrowd *crowd, uint32_t index);
// Gives the number of a finder's kind, the data of that finder in the crowd. Adds the kind if it is
// missing.
AstarStatus astar_crowd_add_kind(AstarCrowd *crowd, AstarFinder *finder, uint32_t *out);
// Removes the kinds (data of finders) that no unit uses, except the first, which is that of the
// crowd's default finder. The others get new numbers in the order of their units. No unit may have
// a route or plan, and every field must have users.
AstarStatus astar_crowd_sort_kinds(AstarCrowd *crowd);
// Makes room for one more unit in all arrays of units. Returns false if memory is short.
bool astar_crowd_need_unit(AstarCrowd *crowd);
// Makes room for the sides of all units and of one more. Returns false if memory is short.
bool astar_crowd_need_sides(AstarCrowd *crowd);
// Frees a crowd that has no plans.
void astar_crowd_free(AstarCrowd *crowd);
// Discards the part of the next tick that was computed ahead. It must be called before any change
// to what a tick depends on.
void astar_crowd_disturb(AstarCrowd *crowd);

static inline uint32_t astar_unit_area(const AstarCrowd *crowd, uint32_t unit)
{
    uint32_t size = (uint32_t)astar_kind_size(&crowd->kinds[crowd->units[unit].kind]);
    return size * size;
}

#endif
