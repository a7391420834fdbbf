// own_routes.h -- routes of single units whose goals have no distances yet, and the improvement of
// plans.
//
// A plan is better if the sum of the arrival times of its units is smaller. It is improved by large
// neighbourhood search (Li, Chen, Harabor, Stuckey and Koenig, IJCAI 2021). One unit, or two units
// that are in each other's way, are taken out of the plan. Then each gets a new way among the
// unchanged ways of all other units, one after the other. The new ways are kept if the sum of
// arrivals is no greater. More than two units at a time gave no better plans for the same work.
//
// The way of one unit is found by weighted A* over cells and steps (Silver, 2005). A table of
// reservations holds the cells of the other units at each step. The estimate is the number of steps
// that the unit would need alone, times 1.5, and the number of nodes is small. Such a search finds
// nearly the earliest arrival several times as fast as an exact one. So more units get a better way
// in the same time.

#ifndef ASTAR_OWN_ROUTES_H
#define ASTAR_OWN_ROUTES_H

#include "parts/crowd/bytes.h"
#include "parts/crowd/goal_fields.h"
#include "parts/crowd/places.h"

// A plan: a cell for each of some units at each step.
typedef struct AstarPlan {
    uint32_t *cells;      // the cell of each unit at the start and after each step
    uint32_t count;       // number of units
    uint32_t steps, room; // number of steps, and capacity in steps
} AstarPlan;

// Returns the cells of a unit, one for the start and one for each step.
static inline uint32_t *astar_plan_way(const AstarPlan *plan, uint32_t unit)
{
    return plan->cells + (size_t)unit * ((size_t)plan->room + 1);
}

// Returns the number of the step after which a unit is on places of its group and leaves them no
// more. 0: it is there from the beginning.
static inline uint32_t astar_plan_arrival(const AstarPlan *plan, const uint32_t *places_of_groups,
                                          uint32_t unit, uint32_t group)
{
    const uint32_t *way = astar_plan_way(plan, unit);
    uint32_t step = group == 0 ? 0 : plan->steps;
    while (step > 0 && places_of_groups[way[step - 1]] == group)
        step--;
    return step;
}

enum { ASTAR_REPLAN_MOST_UNITS = 0x7FFF - 1 }; // a reservation has 15 bits for unit + 1

// A node of the search for a way: a cell after a step.
typedef struct AstarReplanNode {
    uint32_t cell, step;
    uint32_t left;   // number of steps that are left if no other unit is in the way
    uint32_t parent; // index of the node before
    uint32_t next;   // index + 1 of the next node in the bucket; 0: none
} AstarReplanNode;

// A unit that gets a new way: the step after which it arrives, and the number of steps that it
// would need if it were alone.
typedef struct AstarReplanUnit {
    uint32_t unit, arrival, shortest;
} AstarReplanUnit;

typedef struct AstarReplan {
    AstarPile pile; // all memory of this job
    const AstarPlan *plan;
    const AstarRoom *room;
    const AstarGoalField *fields; // for each unit: distances in steps to its place
    // For each unit: the group whose places it may end on, see places.h; 0: any cell.
    const uint32_t *groups;
    // Work that was done but not yet subtracted from a budget. It is carried over between calls, so
    // that the result does not depend on the budgets.
    uint64_t debt;
    uint64_t dice;
    uint64_t gained, barren; // steps gained in total, and rounds since the last gain
    // The reservations: a row for each step, with an entry for each numbered cell. An entry holds
    // unit + 1 and a flag that says whether the search has a node there. Cells get their numbers
    // when they are first used.
    uint16_t **rows;
    uint32_t row_count, filled; // number of rows, and how many of them are filled
    struct {
        uint32_t *numbers, count, numbered;
    } cells;
    // The units of this round, the one that is searched for, its target cell, and the new ways.
    AstarReplanUnit picked[2];
    uint32_t picked_count, turn, target;
    uint32_t *fresh[2];
    // The search for one way: nodes, in buckets by arrival step plus half of the steps that are
    // left.
    AstarReplanNode *nodes;
    uint32_t *buckets;
    uint32_t node_count, bucket;
    // The first step from which the target cell stays free, and the latest arrival that is allowed.
    uint32_t free_from, most;
} AstarReplan;

// Begins to improve a plan. On failure nothing is allocated.
AstarStatus astar_replan_begin(AstarReplan *replan, AstarBytes *bytes, const AstarPlan *plan,
                               const AstarRoom *room, const AstarGoalField *fields,
                               const uint32_t *groups);
// Continues to improve the plan. Returns ASTAR_OK when another gain is unlikely. The plan is valid
// after each call.
AstarStatus astar_replan_step(AstarReplan *replan, uint64_t *work);

// Begins the stage of a tick in which routes of single units are found.
void astar_crowd_begin_routes(AstarCrowd *crowd);
// Finds routes for units whose goals have no distances. Then sets the next step of each unit along
// its route. Returns ASTAR_RUNNING if more work is needed than 'work' allows.
AstarStatus astar_crowd_find_routes(AstarCrowd *crowd, uint64_t *work);
// Puts the routes found for this tick into use, and frees those that are not needed any more.
void astar_crowd_commit_routes(AstarCrowd *crowd);
// Undoes the choice of routes for the tick in progress, because the tick will be computed again.
// The routes are kept in case they are needed again.
void astar_crowd_revert_routes(AstarCrowd *crowd);
void astar_crowd_free_routes(AstarCrowd *crowd);
size_t astar_crowd_route_bytes(const AstarCrowd *crowd);
// Returns the direction of a unit's next step along its own route, or ASTAR_WAYS if the unit does
// not follow one.
int astar_crowd_lead(const AstarCrowd *crowd, uint32_t unit);
// Returns the direction that astar_crowd_lead had in the last completed tick, whatever was computed
// ahead since.
int astar_crowd_lead_in_force(const AstarCrowd *crowd, uint32_t unit);
// Removes the direction that the last tick had for a unit, because the unit has a new order.
void astar_crowd_forget_lead(AstarCrowd *crowd, uint32_t unit);
// Returns true if a unit follows a route.
bool astar_crowd_has_route(const AstarCrowd *crowd, uint32_t unit);
// Returns true if a unit chases another and the search found no route to the target unit.
bool astar_crowd_has_no_route(const AstarCrowd *crowd, uint32_t unit);

#endif
