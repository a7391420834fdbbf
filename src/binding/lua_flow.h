// lua_flow.h -- flow fields: finder:flow, finder:reach and the questions to what they make.

#ifndef ASTAR_LUA_FLOW_H
#define ASTAR_LUA_FLOW_H

#include "binding/lua_util.h"

// The flow that the job at 'arg' is to complete, if workers could; else NULL.
AstarFlow *astarL_tocompleting(lua_State *L, int arg);

#endif
