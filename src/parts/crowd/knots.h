// knots.h -- plans for units in a gridlock, which the crowd makes without a request from the host,
// and the stages in which any plan is made.

#ifndef ASTAR_KNOTS_H
#define ASTAR_KNOTS_H

#include "map/grid.h"

// Does one piece of work on a plan in any stage before the one that frees memory. Returns ASTAR_OK
// when the next stage begins.
AstarStatus astar_resolving_work(AstarResolving *resolving, uint64_t *work);
// Ends the making of a plan. Its memory is freed next, and then the plan gets the given outcome.
void astar_resolving_end_making(AstarResolving *resolving, AstarStatus outcome);
// Ends the improvement of a plan.
void astar_resolving_end_improving(AstarResolving *resolving);
// Frees the data with which a plan was made, except the room, a little at a time. Returns false if
// more work is needed than 'work' allows.
bool astar_plan_making_clear(AstarResolving *resolving, uint64_t *work);
// Makes plans for units that no longer come nearer to their goals. Call this after a tick.
void astar_crowd_untie_knots(AstarCrowd *crowd);

#endif
