// resolving.h -- a plan for units of a crowd that stand in each other's way: the job that makes the
// plan, and its state while the units follow it.
//
// The units stay where they are while the plan is made. Afterwards all of them take the next step
// of the plan together in each tick. If another unit is in the way, all of them wait.

#ifndef ASTAR_RESOLVING_H
#define ASTAR_RESOLVING_H

#include "parts/crowd/crowd.h"
#include "parts/crowd/own_routes.h"
#include "parts/crowd/places.h"

typedef enum AstarResolvingStage {
    ASTAR_RESOLVING_PLACES,  // finds a place for each unit
    ASTAR_RESOLVING_FIELDS,  // computes the distances to the places
    ASTAR_RESOLVING_SEARCH,  // searches over configurations
    ASTAR_RESOLVING_READ,    // copies the plan from the search
    ASTAR_RESOLVING_SUM,     // computes the cost of the plan, and its last step
    ASTAR_RESOLVING_IMPROVE, // improves the plan
    ASTAR_RESOLVING_CLEAR,   // frees the memory that the plan was made with
    ASTAR_RESOLVING_OVER     // is complete
} AstarResolvingStage;

// A group: the members of a plan that share a goal and a size.
typedef struct AstarPlaceGroup {
    uint32_t size;
    AstarCrowdAim aim; // the aim of the unit with the smallest range
    int unit_size;
    bool has_goal; // the goal is taken as a place, by this group or another one
} AstarPlaceGroup;

// Data for making a plan. It is freed when the plan is complete.
typedef struct AstarPlanMaking {
    AstarRoom room;
    AstarPile pile; // memory of the arrays below
    AstarPibtUnit *units;
    AstarGoalField *fields; // for each unit: distances to its place
    uint32_t *groups; // for each unit: number of its group, from 1 on; 0: it may end on any cell
    uint32_t *places; // for each unit: its place
    AstarPlaceGroup *group_list;
    uint32_t group_count;
    uint32_t at;      // index of the item that the current stage works on
    uint32_t cleared; // number of members whose distances are freed
    AstarLacam lacam;
    const AstarLacamNode *read; // the last configuration that is not yet copied to the plan
    AstarReplan replan;
    bool is_improved; // the improvement is complete
    uint64_t sum;     // sum of the arrival steps of the members examined so far
    uint32_t last;    // last step that moves any member examined so far
} AstarPlanMaking;

struct AstarResolving {
    uint32_t references;
    AstarCrowd *crowd;           // NULL: the plan has left the crowd
    struct AstarResolving *next; // next plan in the crowd's list
    AstarStatus status;
    AstarResolvingStage stage;
    AstarStatus outcome; // final status, set when all memory is freed
    AstarBytes bytes;
    AstarPile kept;    // memory of 'members' and 'plan'
    uint32_t *members; // numbers of its units
    // Number of units, and capacity of the arrays.
    uint32_t count, asked;
    uint64_t improve;  // expansions left for the improvement
    bool lets_down;    // units that cannot reach a place may end anywhere
    uint64_t expanded; // turns of the search
    uint64_t cost;
    AstarPlanMaking making;
    AstarPlan plan;
    bool has_plan;               // a plan exists or existed
    uint32_t step;               // number of steps taken
    uint32_t waited;             // ticks in a row that the plan has waited for other units
    bool is_paused, is_stepping; // waits in this tick, or takes a step in it
};

// Returns true if a unit takes part in a plan that is requested with these options for all units.
bool astar_crowd_takes_part(const AstarCrowd *crowd, const AstarResolvingOptions *options,
                            uint32_t index);
// Removes a plan from the crowd with a final status. Its units continue without it.
void astar_resolving_leave(AstarResolving *resolving, AstarStatus status);

// Cancels the plan of a unit, because the unit gets another order.
void astar_crowd_drop_plan(AstarCrowd *crowd, uint32_t unit);
// Cancels all plans of a crowd.
void astar_crowd_drop_plans(AstarCrowd *crowd);

#endif
