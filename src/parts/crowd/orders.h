// orders.h -- orders to the units of a crowd, chases, how plans are followed, and the release of
// units and crowds.

#ifndef ASTAR_ORDERS_H
#define ASTAR_ORDERS_H

#include "map/grid.h"
#include "parts/crowd/goal_fields.h"

// Sets the goal of a field of chasers to the current cell of their target unit.
void astar_crowd_aim_at_prey(const AstarCrowd *crowd, AstarGoalField *field);
// Does the same as astar_crowd_aim_at_prey for all fields of chasers. Call this after a tick.
void astar_crowd_follow_prey(AstarCrowd *crowd);
// Lists, for each target unit, the chasers that are near it. Call this while a tick is made.
void astar_crowd_list_chasers(AstarCrowd *crowd);
// Sets the next steps of the listed chasers. Returns ASTAR_RUNNING if the work runs out first.
AstarStatus astar_crowd_lead_chasers(AstarCrowd *crowd, uint64_t *work);

// Lets all plans continue in the next tick if 'waits' is false. If it is true, makes those plans
// wait that would have taken a step. Returns false if no plan would have.
bool astar_crowd_pause_plans(AstarCrowd *crowd, bool waits);
// Decides where units that have plans will be. Returns false if one more plan has to wait, so that
// all decisions must be made again.
bool astar_crowd_decide_plans(AstarCrowd *crowd);
// Counts the step of each plan after a tick, and ends plans that are complete or have waited too
// long.
void astar_crowd_follow_plans(AstarCrowd *crowd);

#endif
