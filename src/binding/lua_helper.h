// lua_helper.h -- what the module leaves to files of Lua.

#ifndef ASTAR_LUA_HELPER_H
#define ASTAR_LUA_HELPER_H

#include <lua.h>

// core.set_helper(function (file, ...) --> what the file's function returns)
int astarL_set_helper(lua_State *L);
// Pushes what calls a file of lua/astar and the file's name, to be followed by its arguments; nil
// and the name where none of these files is loaded.
void astarL_pushhelper(lua_State *L, const char *file);
// Answers a method by a file's function of that name, which gets the arguments: what it returns, or
// false and what is wrong with an argument.
int astarL_askhelper(lua_State *L, const char *file, const char *name);
// The same about the values on the top, of which it pushes what is returned; how many that are.
int astarL_askabout(lua_State *L, const char *file, const char *name, int given);

#endif
