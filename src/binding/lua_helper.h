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

// Raises what checks.lua says is wrong, by its check of that name, of the values on the top.
_Noreturn int astarL_complain(lua_State *L, const char *check, int given);

// Adds a name to the list on the top.
void astarL_addname(lua_State *L, const char *name);
// Names are one string, each with its 0 and "" last: pointers a loader would have to put right.
// Pushes a list of them.
void astarL_pushnames(lua_State *L, const char *names);
// Whether the value at 'arg' is this name, to its last byte: it may hold zeros.
bool astarL_isname(lua_State *L, int arg, const char *name);
// Which of 'names' the value at 'arg' is; -1: none of them, or there are none, NULL.
int astarL_nameamong(lua_State *L, int arg, const char *names);

#endif
