// lua_helper.h -- what the module leaves to files of Lua.

#ifndef ASTAR_LUA_HELPER_H
#define ASTAR_LUA_HELPER_H

#include "binding/lua_util.h"

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

// Has the method that is being called answered by a file's function of its name; its object is
// open.
int astarL_answerby(lua_State *L, const char *file);
// The same by places.lua.
int astarL_byplaces(lua_State *L);
// Whether the method that is being called has that name, of several that one function answers.
bool astarL_iscalled(lua_State *L, const char *name);

// How many names may be searched for the one that was meant.
enum { ASTARL_MOST_NAMES = 95 };

// Pushes what a name at 'arg' that is none of 'names', which ends with NULL, may have been meant
// for, to follow it in an error, as names.lua tells it; with an option it is a value of that.
const char *astarL_pushmeant(lua_State *L, int arg, const char *option, const char *const *names);
// Which of 'names', which ends with NULL, the value at 'arg' is; -1: none of them.
int astarL_nameamong(lua_State *L, int arg, const char *const *names);

#endif
