// lua_dump.h -- the functions that dumps of grids and of graphs share.

#ifndef ASTAR_LUA_DUMP_H
#define ASTAR_LUA_DUMP_H

#include "binding/lua_keys.h"

// Stack indices of the values in use while a dump is written, and while a dump is loaded.
enum { DUMPED = 1, DUMPED_LABELS, DUMPED_HOLD, DUMPED_KEYS };
enum { LOADED_BYTES = 1, LOAD_OPTIONS, LOADED, LOADED_NAME };

// Returns the names that the core must save: the labels in the list at DUMPED_LABELS.
AstarSaving astarL_savinglabels(lua_State *L);
// Returns the string at LOADED_BYTES. Raises an error, which names a dump of 'what', if there is no
// string.
const char *astarL_checkdump(lua_State *L, const char *what, size_t *length);
// Raises an error about a damaged dump if 'is_sound' is false. 'what' names the kind of object that
// was saved, such as "grid".
void astarL_checksound(lua_State *L, const char *what, bool is_sound);
// Gives the loaded object, at LOADED, the labels that are in the dump. Returns the number of
// labels.
uint32_t astarL_namelabels(lua_State *L, const char *what, AstarNames names);

#endif
