// lua_suppose.h -- suppose_blocked: queries on a map with additional blocked cells.

#ifndef ASTAR_LUA_SUPPOSE_H
#define ASTAR_LUA_SUPPOSE_H

#include "binding/lua_query.h"
#include "binding/lua_util.h"

// Reads the option suppose_blocked of the query at 'arg' and replaces the options by a copy without
// it. Pushes values, which must stay on the stack.
astarL_Supposed astarL_checksupposed(lua_State *L, int arg, const astarL_Finder *finder);
// Pushes a finder for the supposed map, made from the finder at 'self'.
astarL_Finder *astarL_suppose(lua_State *L, const astarL_Finder *finder, int self,
                              astarL_Supposed *supposed);
// Frees the core object of a finder that astarL_suppose has made, once the query is answered.
void astarL_unsuppose(astarL_Finder *made);

#endif
