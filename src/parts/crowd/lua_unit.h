// lua_unit.h -- the units of a crowd: lists of them, orders, and where they are.

#ifndef ASTAR_LUA_UNIT_H
#define ASTAR_LUA_UNIT_H

#include "binding/lua_util.h"
#include "parts/crowd/lua_crowd.h"

// The crowd at 1, which is not closed, and the last of its grid.
astarL_Crowd *astarL_checkcrowd(lua_State *L);
// How many entries the list of units at 2 has.
size_t astarL_checkunits(lua_State *L);
// A unit in the list at 2, of that crowd.
const astarL_Unit *astarL_checklistedunit(lua_State *L, const astarL_Crowd *crowd, int index);
// The options {partial =, range =} at 'arg', of many units with those of their formation.
AstarGoOptions astarL_readgo(lua_State *L, int arg, bool are_many);
// Pushes the object of a unit, the parts of whose crowd are on the top.
void astarL_pushunit(lua_State *L, AstarUnit unit);
// The grid of a crowd's finders.
const AstarGrid *astarL_gridofcrowd(const AstarCrowd *core);

#endif
