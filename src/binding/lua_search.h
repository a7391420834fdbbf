// lua_search.h -- searches made a few expansions at a time, and looked at in between.

#ifndef ASTAR_LUA_SEARCH_H
#define ASTAR_LUA_SEARCH_H

#include "binding/lua_util.h"

// Pushes a search without a core yet; 'owner' as for astarL_open.
astarL_Search *astarL_pushsearch(lua_State *L, int owner, bool asks, int x0, int y0);
// Takes the core's search of a finder for it, about which nothing is built, and enters its grid as
// astarL_enterof does; what astarL_returnsearch wants.
unsigned astarL_takesearch(lua_State *L, astarL_Search *search, AstarFinder *const *held,
                           int owner);
// Ends a function that has begun it with that status: leaves the grid, and returns the search, or
// raises the fault.
int astarL_returnsearch(lua_State *L, astarL_Search *search, unsigned entered, AstarStatus status);

#endif
