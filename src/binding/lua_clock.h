// lua_clock.h -- measures budgets in milliseconds, and runs work within them.

#ifndef ASTAR_LUA_CLOCK_H
#define ASTAR_LUA_CLOCK_H

#include "astar.h"

#include <lua.h>

// Returns the seconds since an arbitrary moment, by a monotonic clock, which no user can set.
double astarL_seconds(void);
// core.clock() --> the seconds that astarL_seconds returns; used by the queue in Lua
int astarL_clock(lua_State *L);

// The limits of one step of a job: a time and a number of expansions.
typedef struct astarL_Budget {
    uint64_t expansions;
    double seconds; // INFINITY: no time limit
} astarL_Budget;

// Returns true if the budget has a time limit. The memory that a step with such a budget allocates
// is charged to the collector later.
bool astarL_isbyclock(astarL_Budget budget);

// A function that does a part of the work, as described for AstarJobKind. It returns ASTAR_RUNNING
// while there is more to do.
typedef AstarStatus (*astarL_Slice)(void *work, uint64_t expansions, void *context);
// Calls 'slice' until the budget is used up or the work is done.
AstarStatus astarL_runslices(astarL_Budget budget, astarL_Slice slice, void *work, void *context);

#endif
