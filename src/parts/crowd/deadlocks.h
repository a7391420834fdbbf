// deadlocks.h -- plans for units in a gridlock, which the crowd makes without a request from the
// program, and the stages in which any plan is made.

#ifndef ASTAR_DEADLOCKS_H
#define ASTAR_DEADLOCKS_H

#include "map/grid.h"

// Does a part of the work on a plan, in any stage before the stage that frees memory. Returns
// ASTAR_OK when the next stage begins.
AstarStatus astar_resolving_work(AstarResolving *resolving, uint64_t *work);
// Ends the computation of a plan. The memory for the computation is freed next, and then the plan
// gets the status 'outcome'.
void astar_resolving_end_making(AstarResolving *resolving, AstarStatus outcome);
// Ends the improvement of a plan.
void astar_resolving_end_improving(AstarResolving *resolving);
// Frees the data with which a plan was made, except its room, and subtracts the work from '*work'.
// Returns false if '*work' is used up first.
bool astar_plan_making_clear(AstarResolving *resolving, uint64_t *work);
// Makes plans for units that no longer come nearer to their goals. Must be called after a tick.
void astar_crowd_resolve_deadlocks(AstarCrowd *crowd);

#endif
