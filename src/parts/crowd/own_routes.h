// own_routes.h -- Routes of single units whose goals have no distances yet, and the improvement of
// plans.
//
// A plan is better if the sum of the arrival times of its units is smaller. Plans are improved by
// large neighbourhood search (Li, Chen, Harabor, Stuckey and Koenig, IJCAI 2021). One unit, or two
// units that block each other, are taken out of the plan. Each of them then gets a new path, one
// after the other, while the paths of all other units stay unchanged. The new paths are kept if the
// sum of the arrival times has not grown. More than two units at a time gave no better plans for
// the same work.
//
// The path of one unit is found by weighted A* over cells and steps (Silver, 2005). A table of
// reservations contains the cells of the other units at each step. The estimate is 1.5 times the
// number of steps that the unit would need alone, and the number of nodes is limited. Such a search
// finds nearly the earliest arrival, several times as fast as an exact search. Therefore more units
// get a better path in the same time.

#ifndef ASTAR_OWN_ROUTES_H
#define ASTAR_OWN_ROUTES_H

#include "parts/crowd/bytes.h"
#include "parts/crowd/goal_fields.h"
#include "parts/crowd/places.h"

// A plan: for each of its units, the cells in which it is at the start and after each step.
typedef struct AstarPlan {
    uint32_t *cells; // the cells of all units, see astar_plan_way
    uint32_t count;  // number of units in the plan
    // Number of steps of the plan, and number of steps for which 'cells' has room.
    uint32_t steps, room;
} AstarPlan;

// Returns the cells of a unit in a plan: first its cell at the start, then its cell after each
// step.
static inline uint32_t *astar_plan_way(const AstarPlan *plan, uint32_t unit)
{
    return plan->cells + (size_t)unit * ((size_t)plan->room + 1);
}

// Returns the number of the step after which a unit stays on places of its group until the end of
// the plan. Steps are counted from 1. Returns 0 if the unit is on such places from the beginning or
// has no group.
static inline uint32_t astar_plan_arrival(const AstarPlan *plan, const uint32_t *places_of_groups,
                                          uint32_t unit, uint32_t group)
{
    const uint32_t *way = astar_plan_way(plan, unit);
    uint32_t step = group == 0 ? 0 : plan->steps;
    while (step > 0 && places_of_groups[way[step - 1]] == group)
        step--;
    return step;
}

// A reservation has 15 bits for the number of a unit + 1.
enum { ASTAR_REPLAN_MOST_UNITS = 0x7FFF - 1 };

// A node of the search for the path of a unit: a cell, and the step after which the unit is there.
typedef struct AstarReplanNode {
    uint32_t cell, step;
    uint32_t left;   // number of steps that the unit still needs if no other unit is in its way
    uint32_t parent; // index of the node from which this node was reached
    uint32_t next;   // index + 1 of the next node in the same bucket; 0: none
} AstarReplanNode;

// A unit that gets a better path: its number, the step after which it arrives now, and the number
// of steps that it would need if it were alone.
typedef struct AstarReplanUnit {
    uint32_t unit, arrival, shortest;
} AstarReplanUnit;

typedef struct AstarReplan {
    AstarPile pile; // memory of the whole improvement
    const AstarPlan *plan;
    const AstarRoom *room;
    const AstarGoalField *fields; // for each unit, distances in steps to its place
    // For each unit, the group on whose places it may end, see places.h; 0: it may end on any cell.
    const uint32_t *groups;
    // Work that was done but not yet subtracted from a budget. This work is subtracted in the next
    // call, so that the result does not depend on the budgets.
    uint64_t debt;
    uint64_t dice;
    // Number of steps gained in total, and number of rounds since the last gain.
    uint64_t gained, barren;
    // The reservations: a row for each step, with an entry for each numbered cell. An entry
    // contains the number of a unit + 1, and a flag that is set if the search has a node for the
    // cell and step. Cells get their numbers when they are first used.
    uint16_t **rows;
    uint32_t row_count, filled; // number of rows, and number of the rows that are filled
    struct {
        uint32_t *numbers, count, numbered;
    } cells;
    // The one or two units of this round, the number of these units, the index of the unit whose
    // path is searched for, its target cell, and the new paths of the units.
    AstarReplanUnit picked[2];
    uint32_t picked_count, turn, target;
    uint32_t *fresh[2];
    // The search for the path of one unit: its nodes, sorted into buckets. The bucket of a node is
    // its arrival step plus half of its remaining steps.
    AstarReplanNode *nodes;
    uint32_t *buckets;
    uint32_t node_count, bucket;
    // The first step after which the target cell stays free of other units, and the latest step in
    // which the unit may arrive.
    uint32_t free_from, most;
} AstarReplan;

// Starts to improve a plan. On failure nothing is allocated.
AstarStatus astar_replan_begin(AstarReplan *replan, AstarBytes *bytes, const AstarPlan *plan,
                               const AstarRoom *room, const AstarGoalField *fields,
                               const uint32_t *groups);
// Continues to improve a plan. Returns ASTAR_OK when a further gain is unlikely, and ASTAR_RUNNING
// if 'work' is used up first. The plan is valid after each call.
AstarStatus astar_replan_step(AstarReplan *replan, uint64_t *work);

// Starts the stage of a tick in which routes of single units are found.
void astar_crowd_begin_routes(AstarCrowd *crowd);
// Finds routes for units whose goals have no distances. Afterwards sets the next step of each unit
// along its route. Returns ASTAR_RUNNING if 'work' is used up first.
AstarStatus astar_crowd_find_routes(AstarCrowd *crowd, uint64_t *work);
// Makes the routes found for this tick available, and frees the routes that are not needed any
// more.
void astar_crowd_commit_routes(AstarCrowd *crowd);
// Discards the choice of routes for the tick in progress, because the tick will be computed again.
// The routes themselves are kept, because the new computation may need them.
void astar_crowd_revert_routes(AstarCrowd *crowd);
void astar_crowd_free_routes(AstarCrowd *crowd);
size_t astar_crowd_route_bytes(const AstarCrowd *crowd);
// Returns the direction of a unit's next step along its own route, or ASTAR_WAYS if the unit does
// not follow a route.
int astar_crowd_lead(const AstarCrowd *crowd, uint32_t unit);
// Returns the direction in which a unit followed its route in the last completed tick. A tick that
// is computed ahead does not change the result.
int astar_crowd_lead_in_force(const AstarCrowd *crowd, uint32_t unit);
// Removes the direction that a unit had in the last tick, because the unit has a new order.
void astar_crowd_forget_lead(AstarCrowd *crowd, uint32_t unit);
// Returns true if a unit follows a route.
bool astar_crowd_has_route(const AstarCrowd *crowd, uint32_t unit);
// Returns true if a unit chases a target unit and the search has found no route to it.
bool astar_crowd_has_no_route(const AstarCrowd *crowd, uint32_t unit);

#endif
