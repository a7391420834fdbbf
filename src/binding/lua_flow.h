// lua_flow.h -- flow fields: finder:flow and finder:reach, and the methods of their results.

#ifndef ASTAR_LUA_FLOW_H
#define ASTAR_LUA_FLOW_H

#include "binding/lua_util.h"

// Returns the flow that the job at 'arg' completes, if workers can complete it, else NULL.
AstarFlow *astarL_tocompleting(lua_State *L, int arg);

#endif
