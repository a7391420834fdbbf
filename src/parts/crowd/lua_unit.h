// lua_unit.h -- the Lua objects of units: reading lists of units and options of orders.

#ifndef ASTAR_LUA_UNIT_H
#define ASTAR_LUA_UNIT_H

#include "binding/lua_util.h"
#include "parts/crowd/lua_crowd.h"

// Returns the crowd at index 1. Raises an error if the crowd is closed or if a newer crowd was made
// for its grid.
astarL_Crowd *astarL_checkcrowd(lua_State *L);
// Returns the number of units in the list at index 2.
size_t astarL_checkunits(lua_State *L);
// Returns the unit with number 'index' in the list at stack index 2. Raises an error if that unit
// does not belong to the crowd.
const astarL_Unit *astarL_checklistedunit(lua_State *L, const astarL_Crowd *crowd, int index);
// Reads the options {partial =, range =} from the table at 'arg'. If 'are_many' is true, the
// options of a formation are allowed as well.
AstarGoOptions astarL_readgo(lua_State *L, int arg, bool are_many);
// Pushes the Lua object of a unit. The uservalue table of the unit's crowd must be on top of the
// stack.
void astarL_pushunit(lua_State *L, AstarUnit unit);
// Returns the grid that the finders of a crowd belong to.
const AstarGrid *astarL_gridofcrowd(const AstarCrowd *core);

#endif
