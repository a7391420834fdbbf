// lua_options.h -- reads tables that scripts pass: options, lists and goals.

#ifndef ASTAR_LUA_OPTIONS_H
#define ASTAR_LUA_OPTIONS_H

#include "binding/lua_util.h"

// Returns the position in 'names' (see lua_util.h) of the option's value at 'arg', or raises an
// error.
int astarL_checkname(lua_State *L, int arg, const char *names, const char *option);
// Replaces the value at 'arg', if it is a table with a metatable, by a plain copy: its own entries,
// and the values that __index gives for 'names'. If the table holds another name, __index is not
// called, because the table will be refused. Scripts may run, so objects that were checked before
// need astarL_checkheld again.
void astarL_plainoptions(lua_State *L, int arg, const char *names);
// Makes the table at 'arg', if any, plain as astarL_plainoptions does. Raises an error unless every
// key of it is one of 'names'.
void astarL_checkoptions(lua_State *L, int arg, const char *names);
// Checks the last argument of a method, at 'arg', which is a table of options or nil. Raises an
// error if it is neither, or else if there are arguments after it.
void astarL_checklast(lua_State *L, int arg, const char *name);
// Return the value of an option in the table at 'options', or 'otherwise' if it is not given.
lua_Number astarL_readreal(lua_State *L, int options, const char *name, lua_Number least,
                           lua_Number most, lua_Number otherwise);
lua_Number astarL_readwhole(lua_State *L, int options, const char *name, lua_Number least,
                            lua_Number most, lua_Number otherwise);
// Returns the number of expansions that the option max_expansions allows.
uint64_t astarL_readmost(lua_State *L, int options, uint64_t otherwise);
bool astarL_readflag(lua_State *L, int options, const char *name, bool otherwise);
// Returns the boolean at 'arg', or 'otherwise' if there is none.
bool astarL_checkflag(lua_State *L, int arg, const char *name, bool otherwise);
// Pushes an element of a list of goals, which must be a table.
void astarL_pushgoal(lua_State *L, int goals, size_t number);
// Returns how many goals the list at 'arg' holds. All of them must be tables, so that a short list
// cannot claim to be long.
size_t astarL_checkgoals(lua_State *L, int arg);
// Pushes and returns the name of a goal in error messages.
const char *astarL_pushnth(lua_State *L, astarL_Nth nth);
// Reads the cell of a goal at 'goal', the top: {x, y} or {x =, y =}. If it 'is_valued', {x, y,
// value} is accepted too.
AstarCell astarL_readgoal(lua_State *L, astarL_Area area, int goal, astarL_Nth nth, bool is_valued);
// Returns true if the table at 'arg' is a set of goals (see goals.lua) rather than a list of them.
bool astarL_isgoalset(lua_State *L, int arg);
// Pushes the goals of the list or set at 'arg' in the form the core takes. A set then keeps them in
// this form.
const AstarCell *astarL_pushgoals(lua_State *L, int arg, astarL_Area area, size_t *count);
// Returns true if the table at 'arg' has a field x or y. It may then be any object with a place,
// such as a unit of the game, whose other fields are not checked.
bool astarL_hasplace(lua_State *L, int arg);
// Pushes, as error messages show it, a key of the table at 'arg' that is neither a whole number
// from 1 to 'most' nor the name 'also', if any: its value would be ignored. Of several such keys it
// is the least number, if there is any. Returns NULL and pushes nothing if there is no such key.
const char *astarL_strayentry(lua_State *L, int arg, lua_Number most, const char *also);
// Returns the length of the list at 'arg', by raw access. For a list with gaps it is the index of
// the first gap, so that the code that reads the list finds it. '*stray' is set to a key that no
// list uses, such as 0 of an array counted as in C, or to NULL.
size_t astarL_lengthof(lua_State *L, int arg, const char **stray);

#endif
