// lua_options.h -- tables that scripts give: the names in them, their values, lists.

#ifndef ASTAR_LUA_OPTIONS_H
#define ASTAR_LUA_OPTIONS_H

#include "binding/lua_util.h"

// The position in 'names', see lua_util.h, of the option's value at 'arg'.
int astarL_checkname(lua_State *L, int arg, const char *names, const char *option);
// Replaces the value at 'arg', if it is a table with a metatable, by a plain copy: its own entries,
// and what __index gives for 'names', unless it holds another name, which is refused anyway.
// Scripts may run, so objects that were checked before need astarL_checkheld again.
void astarL_plainoptions(lua_State *L, int arg, const char *names);
// Raises an error unless every key of the table at 'arg', if any, is one of 'names', after making
// it plain as astarL_plainoptions does.
void astarL_checkoptions(lua_State *L, int arg, const char *names);
// Of a method whose last argument, at 'arg', is a table of options or nil: refuses what is neither
// first, then arguments after it.
void astarL_checklast(lua_State *L, int arg, const char *name);
// The value of an option in the table at 'options', 'otherwise' where it is not given.
lua_Number astarL_readreal(lua_State *L, int options, const char *name, lua_Number least,
                           lua_Number most, lua_Number otherwise);
lua_Number astarL_readwhole(lua_State *L, int options, const char *name, lua_Number least,
                            lua_Number most, lua_Number otherwise);
// The number of expansions that the option max_expansions allows.
uint64_t astarL_readmost(lua_State *L, int options, uint64_t otherwise);
bool astarL_readflag(lua_State *L, int options, const char *name, bool otherwise);
// The same of an argument.
bool astarL_checkflag(lua_State *L, int arg, const char *name, bool otherwise);
// Pushes an element of a list of goals, which must be a table.
void astarL_pushgoal(lua_State *L, int goals, size_t number);
// How many goals the list at 'arg' holds: all of them tables, so that no few can claim to be many.
size_t astarL_checkgoals(lua_State *L, int arg);
// Pushes what that is called.
const char *astarL_pushnth(lua_State *L, astarL_Nth nth);
// Reads the cell of a goal at 'goal', the top: {x, y}, {x =, y =}, or, if it 'is_valued', {x, y,
// with a value besides.
AstarCell astarL_readgoal(lua_State *L, astarL_Area area, int goal, astarL_Nth nth, bool is_valued);
// Whether the table at 'arg' is a set of goals, see goals.lua, rather than a list of them.
bool astarL_isgoalset(lua_State *L, int arg);
// Pushes the goals of the list or set at 'arg' as the core takes them; a set then has them packed.
const AstarCell *astarL_pushgoals(lua_State *L, int arg, astarL_Area area, size_t *count);
// Whether the table at 'arg' has x or y by name. It may be anything that has a place then, such as
// a unit of the game: what else is in it is its own.
bool astarL_hasplace(lua_State *L, int arg);
// Pushes, as errors show it, a key of the table at 'arg' that is neither a whole number from 1 to
// 'most' nor the name 'also', if any: what lies there would be lost. Of several it is the least
// number, if there is any. NULL, and nothing, where there is none.
const char *astarL_strayentry(lua_State *L, int arg, lua_Number most, const char *also);
// The length of the list at 'arg', by raw access; of one with gaps the index of the first, so that
// who reads the list comes upon it. '*stray' is such a key that no list counts by, like 0 of arrays
// as C has them.
size_t astarL_lengthof(lua_State *L, int arg, const char **stray);

#endif
