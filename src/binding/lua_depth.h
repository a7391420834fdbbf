// lua_depth.h -- how many queries that call functions of the script are open.

#ifndef ASTAR_LUA_DEPTH_H
#define ASTAR_LUA_DEPTH_H

#include "binding/lua_util.h"

// Counts a query that calls functions of the script, of which only so many may be open: 'frame' is
// the address of something of the caller's, 'box' what owns the search. To be taken back when it
// has come to its end, or when the collector finds what an error has left.
void astarL_descend(lua_State *L, const void *frame, const void *box);
void astarL_ascend(lua_State *L, const void *box);
void astarL_forget(lua_State *L, const void *box);
// Whether one is open, as far as that can be told without the collector.
bool astarL_isasked(lua_State *L, const void *frame);

#endif
