// lua_names.h -- names that there are not.

#ifndef ASTAR_LUA_NAMES_H
#define ASTAR_LUA_NAMES_H

#include "binding/lua_util.h"

// How many names may be searched for the one that was meant.
enum { ASTARL_MOST_NAMES = 95 };

// Pushes what a name at 'arg' that is none of 'names', which ends with NULL, may have been meant
// for, to follow it in an error, as names.lua tells it; with an option it is a value of that.
const char *astarL_pushmeant(lua_State *L, int arg, const char *option, const char *const *names);
// Which of 'names', which ends with NULL, the value at 'arg' is; -1: none of them.
int astarL_nameamong(lua_State *L, int arg, const char *const *names);

#endif
