// orders.h -- what units of a crowd are told, and the end of units and crowds.

#ifndef ASTAR_ORDERS_H
#define ASTAR_ORDERS_H

#include "map/grid.h"
#include "parts/crowd/goal_fields.h"

// Has a field of those who chase a unit aim at that; after a beat all of them.
void astar_crowd_aim_at_prey(const AstarCrowd *crowd, AstarGoalField *field);
void astar_crowd_follow_prey(AstarCrowd *crowd);
// In a beat: lists those near whom they chase, then leads them; ASTAR_RUNNING where the work is
// used up before.
void astar_crowd_list_chasers(AstarCrowd *crowd);
AstarStatus astar_crowd_lead_chasers(AstarCrowd *crowd, uint64_t *work);

// In the beat that begins to be made all plans are to go on; or those that would have are to wait,
// false: none would.
bool astar_crowd_pause_plans(AstarCrowd *crowd, bool waits);
// Decides where units of plans will be: false where one more plan has to wait for that.
bool astar_crowd_decide_plans(AstarCrowd *crowd);
// The beat has taken place.
void astar_crowd_follow_plans(AstarCrowd *crowd);

#endif
