// lua_methods.h -- methods that files of Lua answer.

#ifndef ASTAR_LUA_METHODS_H
#define ASTAR_LUA_METHODS_H

#include <lua.h>

// Has the method that is being called answered by a file's function of its name; its object is
// open.
int astarL_answerby(lua_State *L, const char *file);
// The same by places.lua.
int astarL_byplaces(lua_State *L);

#endif
