// lua_clock.h -- the time that budgets in milliseconds are measured by, and work within them.

#ifndef ASTAR_LUA_CLOCK_H
#define ASTAR_LUA_CLOCK_H

#include "astar.h"

#include <lua.h>

// Seconds since some moment, by a clock that is never set.
double astarL_seconds(void);
// core.clock() --> that, for lua/astar/queue.lua
int astarL_clock(lua_State *L);

// How much to do at once.
typedef struct astarL_Budget {
    uint64_t expansions;
    double seconds; // INFINITY: no matter how long
} astarL_Budget;

// Whether the clock tells how far a step goes: what it takes is then owed to the collector.
bool astarL_isbyclock(astarL_Budget budget);

// Does a piece of the work, as AstarJobKind has it: ASTAR_RUNNING while there is more.
typedef AstarStatus (*astarL_Slice)(void *work, uint64_t expansions, void *context);
// Does pieces until the budget is used up or nothing is left.
AstarStatus astarL_runslices(astarL_Budget budget, astarL_Slice slice, void *work, void *context);

#endif
