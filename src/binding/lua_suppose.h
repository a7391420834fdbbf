// lua_suppose.h -- suppose_blocked: questions about a map on which a few more cells are blocked.

#ifndef ASTAR_LUA_SUPPOSE_H
#define ASTAR_LUA_SUPPOSE_H

#include "binding/lua_query.h"
#include "binding/lua_util.h"

// Takes suppose_blocked out of the question at 'arg', which becomes a copy. What it pushes is to
// stay.
astarL_Supposed astarL_checksupposed(lua_State *L, int arg, const astarL_Finder *finder);
// Pushes a finder that supposes so, of the one at 'self'.
astarL_Finder *astarL_suppose(lua_State *L, const astarL_Finder *finder, int self,
                              astarL_Supposed *supposed);
// Gives back what it has, once the question is answered.
void astarL_unsuppose(astarL_Finder *made);

#endif
