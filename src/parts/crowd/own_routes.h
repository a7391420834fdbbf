// own_routes.h -- units that find routes of their own, and plans that are made better.
//
// A plan becomes better if its units arrive sooner, on the whole.
// Large neighbourhood search (Li, Chen, Harabor, Stuckey and Koenig, IJCAI 2021): a unit, or two
// that are in each other's way, are taken out of the plan, and each gets, one after the other, a
// way among all others as they are. If that makes the sum of arrivals no greater it is kept. More
// than two at a time were no better for the same work.
//
// The way of one unit is found by weighted A* over cells and steps (Silver, 2005), among what a
// table of reservations has for others. The estimate is how many steps it would take alone. It
// counts by half as much again, and few nodes may be put: a way that is nearly the soonest is found
// several times as fast, so in the same time more units get one.

#ifndef ASTAR_OWN_ROUTES_H
#define ASTAR_OWN_ROUTES_H

#include "parts/crowd/bytes.h"
#include "parts/crowd/goal_fields.h"
#include "parts/crowd/places.h"

// A plan: a cell for each of some units, step by step.
typedef struct AstarPlan {
    uint32_t *cells;      // of each unit in the beginning, then after each step
    uint32_t count;       // units
    uint32_t steps, room; // steps, and how many there is room for
} AstarPlan;

// The cells of a unit.
static inline uint32_t *astar_plan_way(const AstarPlan *plan, uint32_t unit)
{
    return plan->cells + (size_t)unit * ((size_t)plan->room + 1);
}

// After which step a unit is where it wants to be for good.
static inline uint32_t astar_plan_arrival(const AstarPlan *plan, const uint32_t *places_of_groups,
                                          uint32_t unit, uint32_t group)
{
    const uint32_t *way = astar_plan_way(plan, unit);
    uint32_t step = group == 0 ? 0 : plan->steps;
    while (step > 0 && places_of_groups[way[step - 1]] == group)
        step--;
    return step;
}

enum { ASTAR_REPLAN_MOST_UNITS = 0x7FFF - 1 }; // a reservation has 15 bits for who it is

// A cell after a step, to which a way leads.
typedef struct AstarReplanNode {
    uint32_t cell, step;
    uint32_t left;   // steps from there on, if nobody were in the way
    uint32_t parent; // the node before
    uint32_t next;   // in its bucket
} AstarReplanNode;

// Who is in hand: when it arrives, and how soon it could if it were alone.
typedef struct AstarReplanUnit {
    uint32_t unit, arrival, shortest;
} AstarReplanUnit;

typedef struct AstarReplan {
    AstarPile pile; // all it holds
    const AstarPlan *plan;
    const AstarRoom *room;
    const AstarGoalField *fields; // of each unit: steps to its place
    const uint32_t *groups;       // of each unit, see places.h; 0: it wants to be nowhere
    uint64_t debt;                // work done that is not paid for yet: so slices change nothing
    uint64_t dice;
    uint64_t gained, barren; // steps, in all; rounds since the last
    // The reservations: by step, a row each, and number of the cell: who is there, and whether the
    // search has a node. Cells get numbers as they are come to.
    uint16_t **rows;
    uint32_t row_count, filled; // how many there are to be, and are
    struct {
        uint32_t *numbers, count, numbered;
    } cells;
    // The units in hand, whose turn it is, and what ways they are given.
    AstarReplanUnit picked[2];
    uint32_t picked_count, turn, target;
    uint32_t *fresh[2];
    // The search: nodes, in buckets by step and weighted estimate.
    AstarReplanNode *nodes;
    uint32_t *buckets;
    uint32_t node_count, bucket;
    uint32_t free_from, most; // the soonest and the latest arrival there may be
} AstarReplan;

// On failure nothing is held.
AstarStatus astar_replan_begin(AstarReplan *replan, AstarBytes *bytes, const AstarPlan *plan,
                               const AstarRoom *room, const AstarGoalField *fields,
                               const uint32_t *groups);
// Works on: ASTAR_OK when there is hardly anything left to be made better. The plan is whole after
// any step.
AstarStatus astar_replan_step(AstarReplan *replan, uint64_t *work);

void astar_crowd_begin_routes(AstarCrowd *crowd);
// Gives routes to units whose goals have no distances; ASTAR_RUNNING where the work is used up
// before. Then units are led along those.
AstarStatus astar_crowd_find_routes(AstarCrowd *crowd, uint64_t *work);
// What was found since the stage began is in force, or is kept in case it is asked for again.
void astar_crowd_commit_routes(AstarCrowd *crowd);
void astar_crowd_revert_routes(AstarCrowd *crowd);
void astar_crowd_free_routes(AstarCrowd *crowd);
size_t astar_crowd_route_bytes(const AstarCrowd *crowd);
// The way on of a unit that waits for distances and goes by a route; ASTAR_WAYS: it does not. The
// second goes by what the last beat left, whatever was made since.
int astar_crowd_lead(const AstarCrowd *crowd, uint32_t unit);
int astar_crowd_lead_in_force(const AstarCrowd *crowd, uint32_t unit);
// Takes note that a unit is not led by what the last beat had for it: it has another order.
void astar_crowd_forget_lead(AstarCrowd *crowd, uint32_t unit);
// Whether it does.
bool astar_crowd_has_route(const AstarCrowd *crowd, uint32_t unit);
// Whether one that chases another has found that no way leads there.
bool astar_crowd_has_no_route(const AstarCrowd *crowd, uint32_t unit);

#endif
