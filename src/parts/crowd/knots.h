// knots.h -- units that come no nearer for long get a plan, without anybody asking for one.

#ifndef ASTAR_KNOTS_H
#define ASTAR_KNOTS_H

#include "map/grid.h"

// Works on the stage it is in, before clearing; ASTAR_OK when another begins.
AstarStatus astar_resolving_work(AstarResolving *resolving, uint64_t *work);
// Has done with making: what that took is given back, then it comes to an outcome.
void astar_resolving_end_making(AstarResolving *resolving, AstarStatus outcome);
// Has done with making the plan better.
void astar_resolving_end_improving(AstarResolving *resolving);
// Gives back all but the room; false where the work is used up before.
bool astar_plan_making_clear(AstarResolving *resolving, uint64_t *work);
// After a beat: makes plans for units that come no nearer.
void astar_crowd_untie_knots(AstarCrowd *crowd);

#endif
