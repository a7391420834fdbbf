// resolving.h -- A plan for units of a crowd that block each other: the job that makes the plan,
// and the state of the plan while units follow it.
//
// The units stay where they are while the plan is made. Afterwards all of them take the next step
// of the plan together in each tick. If another unit blocks one of them, all of them wait.

#ifndef ASTAR_RESOLVING_H
#define ASTAR_RESOLVING_H

#include "parts/crowd/crowd.h"
#include "parts/crowd/own_routes.h"
#include "parts/crowd/places.h"

typedef enum AstarResolvingStage {
    ASTAR_RESOLVING_PLACES,  // the job finds a place for each unit
    ASTAR_RESOLVING_FIELDS,  // the job computes the distances to the places
    ASTAR_RESOLVING_SEARCH,  // the job searches over configurations of the units
    ASTAR_RESOLVING_READ,    // the job copies the plan from the search
    ASTAR_RESOLVING_SUM,     // the job computes the cost of the plan and its last step
    ASTAR_RESOLVING_IMPROVE, // the job improves the plan
    ASTAR_RESOLVING_CLEAR,   // the job frees the memory with which the plan was made
    ASTAR_RESOLVING_OVER     // the job is complete
} AstarResolvingStage;

// A group: the units of a plan that share a goal and a size.
typedef struct AstarPlaceGroup {
    uint32_t size;
    AstarCrowdAim aim; // the goal of the group, with the smallest range that any of its units has
    int unit_size;
    bool has_goal; // true if the goal cell is taken as a place, by this group or another one
} AstarPlaceGroup;

// The data with which a plan is made. The data are freed when the plan is complete.
typedef struct AstarPlanMaking {
    AstarRoom room;
    AstarPile pile; // memory of the arrays below
    AstarPibtUnit *units;
    AstarGoalField *fields; // for each unit, the distances to its place
    // For each unit, the number of its group, counted from 1. 0 means that the unit may end on any
    // cell.
    uint32_t *groups;
    uint32_t *places; // for each unit, its place
    AstarPlaceGroup *group_list;
    uint32_t group_count;
    uint32_t at;      // index of the item (such as a unit) at which the current stage continues
    uint32_t cleared; // number of units whose distances are freed
    AstarLacam lacam;
    const AstarLacamNode *read; // the configuration to be copied to the plan next
    AstarReplan replan;
    bool is_improved; // true if the improvement of the plan is complete
    uint64_t sum;     // sum of the arrival steps of the units that were examined so far
    uint32_t last;    // number of the last step in which any of the units examined so far moves
} AstarPlanMaking;

struct AstarResolving {
    uint32_t references;
    AstarCrowd *crowd;           // the crowd; NULL: the plan was removed from its crowd
    struct AstarResolving *next; // next plan in the crowd's list of plans
    AstarStatus status;
    AstarResolvingStage stage;
    AstarStatus outcome; // final status of the job, which is reported when all memory is freed
    AstarBytes bytes;
    AstarPile kept;    // memory of 'members' and 'plan', which is kept after the plan is made
    uint32_t *members; // numbers of the units that take part in the plan
    // Number of units in 'members', and number of units for which the arrays have room.
    uint32_t count, asked;
    uint64_t improve;  // number of expansions that the improvement may still use
    bool lets_down;    // true if units that cannot reach a place may end on any cell
    uint64_t expanded; // number of turns of PIBT that the search has made
    uint64_t cost;
    AstarPlanMaking making;
    AstarPlan plan;
    bool has_plan;   // true once a plan was made, also after it has ended
    uint32_t step;   // number of steps of the plan that were taken
    uint32_t waited; // number of successive ticks for which the plan has waited for other units
    // 'is_paused' is true if the plan waits in this tick. 'is_stepping' is true if the plan takes a
    // step in this tick.
    bool is_paused, is_stepping;
};

// Returns true if the unit 'index' would take part in a plan that is requested with these options
// and without a list of units.
bool astar_crowd_takes_part(const AstarCrowd *crowd, const AstarResolvingOptions *options,
                            uint32_t index);
// Removes a plan from the crowd and gives it a final status. Its units continue without the plan.
void astar_resolving_leave(AstarResolving *resolving, AstarStatus status);

// Cancels the plan that a unit takes part in, because the unit gets another order.
void astar_crowd_drop_plan(AstarCrowd *crowd, uint32_t unit);
// Cancels all plans of a crowd.
void astar_crowd_drop_plans(AstarCrowd *crowd);

#endif
