// lua_search.h -- searches that run a few expansions at a time and can be inspected in between.

#ifndef ASTAR_LUA_SEARCH_H
#define ASTAR_LUA_SEARCH_H

#include "binding/lua_util.h"

// Pushes a search without a core object. 'owner' has the same meaning as for astarL_open.
astarL_Search *astarL_pushsearch(lua_State *L, int owner, bool has_callbacks, int x0, int y0);
// Takes a search of the core from the workspace, with no layers built for it yet, and enters the
// finder's grid as astarL_enterof does. Returns the value to pass to astarL_returnsearch as
// 'entered'.
unsigned astarL_takesearch(lua_State *L, astarL_Search *search, AstarFinder *const *held,
                           int owner);
// Completes a method that has taken a search by astarL_takesearch and has begun it with the result
// 'status': leaves the grid, and returns the search to Lua or raises the error.
int astarL_returnsearch(lua_State *L, astarL_Search *search, unsigned entered, AstarStatus status);

#endif
