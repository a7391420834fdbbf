// orders.h -- Orders to the units of a crowd, chases, the functions by which a crowd follows plans,
// and the removal of units and crowds.

#ifndef ASTAR_ORDERS_H
#define ASTAR_ORDERS_H

#include "map/grid.h"
#include "parts/crowd/goal_fields.h"

// Sets the goal of a field to the current cell of its target unit, which is the unit that is
// chased.
void astar_crowd_aim_at_target(const AstarCrowd *crowd, AstarGoalField *field);
// Updates the goal of every field whose goal is a target unit: the goal becomes the current cell of
// that unit. Must be called after each tick.
void astar_crowd_follow_target(AstarCrowd *crowd);
// Makes a list for each target unit. The list contains the units that chase the target unit and are
// near it. If many units chase it, the list contains all of them.
void astar_crowd_list_chasers(AstarCrowd *crowd);
// Sets the next step of each unit that astar_crowd_list_chasers has listed. Returns ASTAR_RUNNING
// if 'work' is used up first.
AstarStatus astar_crowd_lead_chasers(AstarCrowd *crowd, uint64_t *work);

// If 'waits' is true, makes all plans wait that would take a step in this tick. If 'waits' is
// false, lets all plans continue. Returns true if some plan would have taken a step.
bool astar_crowd_pause_plans(AstarCrowd *crowd, bool waits);
// Decides the steps of all units that follow plans. Returns false if a plan cannot take its step.
// This plan then waits, and all decisions of the tick must be made again.
bool astar_crowd_decide_plans(AstarCrowd *crowd);
// Advances each plan by the step that it took in the last tick. Ends the plans that are complete or
// have waited too long.
void astar_crowd_follow_plans(AstarCrowd *crowd);

#endif
