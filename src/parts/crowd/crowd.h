// crowd.h -- a crowd: its units, what they were told, and the distances they go by.

#ifndef ASTAR_CROWD_H
#define ASTAR_CROWD_H

#include "astar.h"
#include "parts/crowd/goal_fields.h"
#include "parts/crowd/pibt.h"
#include <math.h>

typedef enum AstarHaste {
    ASTAR_HASTE_NONE,
    ASTAR_HASTE_CLEAR, // of the cell behind
    ASTAR_HASTE_DONE,
    ASTAR_HASTE_AT_ONCE
} AstarHaste;

typedef struct AstarGlide {
    uint32_t back;  // the cell that it came from to where it was before the beat
    uint32_t pace;  // of a straight step, in parts of a beat
    uint32_t left;  // of its last step when the coming beat begins, the same
    float start;    // how far it is from 'back' when the beat begins; 1: it is there
    float at;       // when it is there, in beats
    float end;      // how far it is to its new cell when the beat is over
    float angle;    // when the beat began; NaN: it has not gone yet
    float turn;     // radians a beat, at most; 0: at once
    uint8_t haste;  // AstarHaste
    bool is_queued; // to be looked at
} AstarGlide;

// Of a unit that stands and has not gone yet.
#define ASTAR_NEW_GLIDE ((AstarGlide){.pace = ASTAR_BEAT, .start = 1, .end = 1, .angle = NAN})

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
    uint32_t next_chaser; // of the same unit, see orders.c
} AstarRouteSlot;

typedef struct AstarOwnRoutes {
    AstarRouteSlot *slots; // by units' numbers
    uint8_t *leads;        // the same: the way of each along its route, or ASTAR_WAYS
    uint8_t *led;          // the same: what those were in the last beat that took place
    size_t slot_capacity, lead_capacity, led_capacity;
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

// What there is to a unit beside its AstarPibtUnit.
typedef struct AstarMember {
    uint32_t generation; // counts who had this number
    uint32_t from;       // its cell before the last beat
    uint32_t behind;     // by how much its distance is more than the least yet
    uint16_t stalled;    // beats since that was lowered
    int8_t priority;
    bool is_there : 1, is_held : 1, has_arrived : 1, came_by_link : 1;
    bool has_lost : 1;    // who was chased has been removed
    bool is_supposed : 1; // to stay where it is, while who waits for whom is found out
    uint32_t rested : 12; // beats since it moved, up to ASTAR_MOST_RESTED
    uint32_t period : 12;
    uint32_t heading : 4; // AstarHeading
    uint32_t plan : 2;    // AstarMemberPlan
    uint32_t tries : 2;   // plans it had since it came nearer, up to 3
} AstarMember;

enum { ASTAR_MOST_RESTED = (1 << 12) - 1 };
enum { ASTAR_NEWS_SHARE = 16 }; // of a beat's expansions one in so many
static_assert(ASTAR_MOST_RESTED > ASTAR_MAX_PERIOD && ASTAR_HEADING_COUNT <= 16,
              "periods and headings have room");
static_assert(sizeof(AstarMember) <= 20, "many units take little memory");

// What a unit has to do with a plan, see resolving.h.
typedef enum AstarMemberPlan {
    ASTAR_MEMBER_FREE,
    ASTAR_MEMBER_PLANS,  // waits for one
    ASTAR_MEMBER_FOLLOWS // goes by one
} AstarMemberPlan;

// The last answer of places.c: of a kind of some version, a goal and a component.
typedef struct AstarNearGoal {
    uint64_t version; // 0: none
    uint32_t kind, goal, label, best;
    int size; // of the unit, as what is near was counted
} AstarNearGoal;

// How many units there are.
typedef struct AstarUnitCount {
    uint32_t numbers;    // that were ever given
    uint32_t first_free; // of those free again, or ASTAR_NOBODY; the next one is in its 'from'
    uint32_t there;
    uint32_t under_way;
    uint64_t covered; // cells
} AstarUnitCount;

// Room in what holds units.
typedef struct AstarUnitCapacity {
    size_t units, sides, members, order, turns, trail, glides;
} AstarUnitCapacity;

// Fields by goal and kind, see goal_fields.c: a table of chains, and all of them in no order.
typedef struct AstarGoalFields {
    AstarGoalField **slots, **fields;
    size_t slot_count, count, capacity;
    uint64_t sequence;      // of fields that were made
    size_t distance_bytes;  // of distances in force
    size_t numbering_bytes; // of their numberings
    size_t leaving_bytes;   // of those of fields that leave with the beat that is being made
    AstarFieldBuild build;
    const AstarGoalField *built; // whose distances 'build' works out
    size_t chases;               // fields of units that are chased
    uint64_t quota;              // of work on distances, left for this beat
    AstarGoalField *charged;     // for which the rest of it was not enough
    uint64_t charge;             // what it is to be charged
} AstarGoalFields;

// The coming beat, as far as it is made, see beat.c.
typedef enum AstarBeatStage {
    ASTAR_BEAT_NOT_BEGUN,
    ASTAR_BEAT_FIELDS, // distances are worked out
    ASTAR_BEAT_ROUTES, // units that wait for some get routes
    ASTAR_BEAT_TURN,   // units choose their steps
    ASTAR_BEAT_READY
} AstarBeatStage;

typedef struct AstarComingBeat {
    AstarBeatStage stage;
    uint64_t worked, last_work; // on this beat, and on the last one
    uint64_t count;             // of those before
    double phase;               // of the way from the last beat to the next; 1: it is over
    bool is_resumed;            // from a dump: the coming beat finds all routes
} AstarComingBeat;

typedef struct AstarCrowdPlans {
    AstarResolving *first; // of those that are made or followed, the last made first
    AstarResolving *knot;  // the one that it makes of its own accord, NULL: none, see knots.c
    uint32_t knot_beats;   // for which it has been made
} AstarCrowdPlans;

struct AstarCrowd {
    AstarAllocator allocator;
    uint32_t references;
    AstarCrowdOptions options;
    AstarGrid *grid; // that of all finders

    AstarCrowdKind *kinds; // the first is the crowd's own finder's
    size_t kind_count, kind_capacity;

    // Of each unit by its number; those that are not there are linked by 'first_free'.
    AstarPibtUnit *units;
    AstarMember *members;
    uint32_t *order, *turns,
        *trail;     // numbers: in the order of the last beat, and of the coming one; room for all
    uint8_t *sides; // of each unit; NULL: none was ever given
    AstarGlide *glides; // of each unit, see glides.c; NULL: all steps take a beat
    AstarUnitCount count;
    AstarUnitCapacity capacity;

    AstarGoalFields goals;
    AstarFieldBuild window; // see orders.c
    AstarOwnRoutes own;
    AstarNearGoal near;

    AstarPibt pibt;
    AstarPlace *places;
    AstarComingBeat beat;
    AstarCrowdPlans plans;
};

// ---- goal_fields.c ----

// ---- own_routes.c ----

// ---- orders.c ----

// ---- places.c ----

// ---- crowd.c ----

// The number of a unit; ASTAR_NOBODY where it is not there any more.
uint32_t astar_crowd_index(const AstarCrowd *crowd, AstarUnit unit);
// Whether no way leads from where a unit is to its goal, or that is not known.
bool astar_crowd_has_no_way(const AstarCrowd *crowd, uint32_t index);
// The number of the kind of a finder, made if there is none.
AstarStatus astar_crowd_add_kind(AstarCrowd *crowd, AstarFinder *finder, uint32_t *out);
// Leaves the crowd's own kind, which stays the first, and those of units that are there, in the
// order of those units. There are no routes and plans, and each field has users.
AstarStatus astar_crowd_sort_kinds(AstarCrowd *crowd);
// Makes room for one more, in all that holds units; for the sides of all and one more; false
// without memory.
bool astar_crowd_need_unit(AstarCrowd *crowd);
bool astar_crowd_need_sides(AstarCrowd *crowd);
// Frees one without plans.
void astar_crowd_free(AstarCrowd *crowd);
// Forgets the coming beat as far as it is made, for something is about to change.
void astar_crowd_disturb(AstarCrowd *crowd);

// ---- glides.c ----

// ---- beat.c ----

static inline uint32_t astar_unit_area(const AstarCrowd *crowd, uint32_t unit)
{
    uint32_t size = (uint32_t)astar_kind_size(&crowd->kinds[crowd->units[unit].kind]);
    return size * size;
}

#endif
