// lua_route.h -- the Lua objects of world finders, of searches for routes over a world, and of
// routes.

#ifndef ASTAR_LUA_ROUTE_H
#define ASTAR_LUA_ROUTE_H

#include "binding/lua_util.h"

int astarL_world_finder(lua_State *L);
int astarL_worldfinder_search(lua_State *L);
// The functions below are called by lua/astar/world/routes.lua.
int astarL_route_add_goal(lua_State *L);
int astarL_route_corner(lua_State *L);
int astarL_route_hurry(lua_State *L);
int astarL_route_next(lua_State *L);
int astarL_route_raise(lua_State *L);
int astarL_route_take(lua_State *L);

#endif
