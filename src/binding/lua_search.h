// lua_search.h -- searches that run a few expansions at a time and can be inspected in between.

#ifndef ASTAR_LUA_SEARCH_H
#define ASTAR_LUA_SEARCH_H

#include "binding/lua_util.h"

// Pushes a search without a core object; 'owner' is the same as for astarL_open.
astarL_Search *astarL_pushsearch(lua_State *L, int owner, bool asks, int x0, int y0);
// Takes a search of the core from a finder, with nothing built for it yet, and enters the finder's
// grid as astarL_enterof does. Returns the value for astarL_returnsearch.
unsigned astarL_takesearch(lua_State *L, astarL_Search *search, AstarFinder *const *held,
                           int owner);
// Completes a function that has begun such a search with 'status': leaves the grid, and returns the
// search or raises the error.
int astarL_returnsearch(lua_State *L, astarL_Search *search, unsigned entered, AstarStatus status);

#endif
