// lua_clock.h -- the time that budgets in milliseconds are measured by.

#ifndef ASTAR_LUA_CLOCK_H
#define ASTAR_LUA_CLOCK_H

#include <lua.h>

// Seconds since some moment, by a clock that is never set.
double astarL_seconds(void);
// core.clock() --> that, for lua/astar/queue.lua
int astarL_clock(lua_State *L);

#endif
