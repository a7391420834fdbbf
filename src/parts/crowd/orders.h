// orders.h -- orders to the units of a crowd, chases, how plans are followed, and the release of
// units and crowds.

#ifndef ASTAR_ORDERS_H
#define ASTAR_ORDERS_H

#include "map/grid.h"
#include "parts/crowd/goal_fields.h"

// Sets the goal of a field to the current cell of its target unit, the unit that is chased.
void astar_crowd_aim_at_prey(const AstarCrowd *crowd, AstarGoalField *field);
// Sets the goals of all fields that lead to target units to the current cells of these units. Must
// be called after a tick.
void astar_crowd_follow_prey(AstarCrowd *crowd);
// Makes, for each target unit, a list of the units that chase it and are near it.
void astar_crowd_list_chasers(AstarCrowd *crowd);
// Sets the next step of each unit that astar_crowd_list_chasers has listed. Returns ASTAR_RUNNING
// if more work is needed than 'work' allows.
AstarStatus astar_crowd_lead_chasers(AstarCrowd *crowd, uint64_t *work);

// If 'waits' is true, makes all plans wait in this tick that would have taken a step, and returns
// false if there are none. If it is false, lets all plans continue.
bool astar_crowd_pause_plans(AstarCrowd *crowd, bool waits);
// Decides the steps of all units that follow plans. Returns false if a plan cannot take its step.
// That plan then waits, and all decisions must be made again.
bool astar_crowd_decide_plans(AstarCrowd *crowd);
// Counts the step of each plan after a tick, and ends plans that are complete or have waited too
// long.
void astar_crowd_follow_plans(AstarCrowd *crowd);

#endif
