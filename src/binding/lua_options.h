// lua_options.h -- reads tables that scripts pass: options, lists and goals.

#ifndef ASTAR_LUA_OPTIONS_H
#define ASTAR_LUA_OPTIONS_H

#include "binding/lua_util.h"

// Returns the position in 'names' of the name at 'arg', which is the value of an option. Raises an
// error if the value is none of these names. lua_util.h describes how names are given.
int astarL_checkname(lua_State *L, int arg, const char *names, const char *option);
// If the value at 'arg' is a table with a metatable, replaces it by a plain copy: its own entries,
// and the values that __index gives for 'names'. If the table holds another name, __index is not
// called, because the table will be refused. Scripts may run, so objects that were checked before
// need astarL_checkheld again.
void astarL_plainoptions(lua_State *L, int arg, const char *names);
// Checks the options in the table at 'arg', if there is one: makes the table plain as
// astarL_plainoptions does, and raises an error unless every key of it is one of 'names'.
void astarL_checkoptions(lua_State *L, int arg, const char *names);
// Checks the last argument of a method, at 'arg', which is a table of options or nil. Raises an
// error if the value is of another type, or if other arguments follow it.
void astarL_checklast(lua_State *L, int arg, const char *name);
// Return the value of the option 'name' in the table at 'options', or 'otherwise' if the option is
// not given. The value must be a number from 'least' to 'most'. The second function requires a
// whole number.
lua_Number astarL_readreal(lua_State *L, int options, const char *name, lua_Number least,
                           lua_Number most, lua_Number otherwise);
lua_Number astarL_readwhole(lua_State *L, int options, const char *name, lua_Number least,
                            lua_Number most, lua_Number otherwise);
// Returns the value of the option max_expansions in the table at 'options', or 'otherwise' if the
// option is not given.
uint64_t astarL_readmost(lua_State *L, int options, uint64_t otherwise);
bool astarL_readflag(lua_State *L, int options, const char *name, bool otherwise);
// Returns the boolean at 'arg', or 'otherwise' if there is no argument. Raises an error for any
// other value.
bool astarL_checkflag(lua_State *L, int arg, const char *name, bool otherwise);
// Pushes the element 'number' of the list of goals at 'goals'. Raises an error if the element is
// not a table.
void astarL_pushgoal(lua_State *L, int goals, size_t number);
// Returns the number of goals in the list at 'arg'. Raises an error if one of them is not a table,
// so that a short list cannot claim to be long.
size_t astarL_checkgoals(lua_State *L, int arg);
// Pushes and returns the name of a goal, or of a similar value, for error messages.
const char *astarL_pushnth(lua_State *L, astarL_Nth nth);
// Reads the cell of the goal at 'goal', which must be the top of the stack: {x, y} or {x =, y =}.
// If 'is_valued' is true, {x, y, value} is accepted too.
AstarCell astarL_readgoal(lua_State *L, astarL_Area area, int goal, astarL_Nth nth, bool is_valued);
// Returns true if the table at 'arg' is a set of goals (see goals.lua) rather than a list of goals.
bool astarL_isgoalset(lua_State *L, int arg);
// Pushes an array of cells for the core with the goals of the list or set at 'arg'. If the value is
// a set, the array is also stored in the set for later queries.
const AstarCell *astarL_pushgoals(lua_State *L, int arg, astarL_Area area, size_t *count);
// Returns true if the table at 'arg' has a field x or y. Such a table may be any object with a
// position, such as a unit of the game, whose other fields are not checked.
bool astarL_hasplace(lua_State *L, int arg);
// Looks for a key of the table at 'arg' whose value no code would read: a key that is neither a
// whole number from 1 to 'most' nor the name 'also'. Pushes the key in the form that error messages
// show. If there are several such keys, the function chooses the least number among them, if there
// is a number. Returns NULL and pushes nothing if there is no such key.
const char *astarL_strayentry(lua_State *L, int arg, lua_Number most, const char *also);
// Returns the length of the list at 'arg', by raw access. For a list with gaps the result is the
// index of the first gap, so that the code that reads the list finds the gap. Sets '*stray' to a
// key that no list uses, such as 0 of an array counted as in C, or to NULL.
size_t astarL_lengthof(lua_State *L, int arg, const char **stray);

#endif
