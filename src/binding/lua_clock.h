// lua_clock.h -- measures budgets in milliseconds, and runs work within them.

#ifndef ASTAR_LUA_CLOCK_H
#define ASTAR_LUA_CLOCK_H

#include "astar.h"

#include <lua.h>

// Returns seconds since an arbitrary moment, by a clock that is never set.
double astarL_seconds(void);
// core.clock() --> seconds of astarL_seconds, for lua/astar/queue.lua
int astarL_clock(lua_State *L);

// The limits of one step.
typedef struct astarL_Budget {
    uint64_t expansions;
    double seconds; // INFINITY: no time limit
} astarL_Budget;

// Returns true if the budget has a time limit. The charges of such a step are owed to the
// collector.
bool astarL_isbyclock(astarL_Budget budget);

// Does a part of the work, as described for AstarJobKind. Returns ASTAR_RUNNING while there is more
// to do.
typedef AstarStatus (*astarL_Slice)(void *work, uint64_t expansions, void *context);
// Runs parts of the work until the budget is used up or the work is done.
AstarStatus astarL_runslices(astarL_Budget budget, astarL_Slice slice, void *work, void *context);

#endif
