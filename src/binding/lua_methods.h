// lua_methods.h -- methods that files of Lua answer, and those that are one function.

#ifndef ASTAR_LUA_METHODS_H
#define ASTAR_LUA_METHODS_H

#include <lua.h>
#include <stdbool.h>

// Has the method that is being called answered by a file's function of its name; its object is
// open.
int astarL_answerby(lua_State *L, const char *file);
// The same by places.lua.
int astarL_byplaces(lua_State *L);
// Whether the method that is being called has that name, of several that one function answers.
bool astarL_iscalled(lua_State *L, const char *name);

#endif
