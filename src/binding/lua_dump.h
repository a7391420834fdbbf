// lua_dump.h -- the functions that dumps of grids and of graphs share.

#ifndef ASTAR_LUA_DUMP_H
#define ASTAR_LUA_DUMP_H

#include "binding/lua_keys.h"

// Stack indices during a dump, and during a load.
enum { DUMPED = 1, DUMPED_LABELS, DUMPED_HOLD, DUMPED_KEYS };
enum { LOADED_BYTES = 1, LOAD_OPTIONS, LOADED, LOADED_NAME };

// Returns the names that the core is to save: the labels in the list at DUMPED_LABELS.
AstarSaving astarL_savinglabels(lua_State *L);
// Returns the string at LOADED_BYTES; anything else there is an error that names a dump of 'what'.
const char *astarL_checkdump(lua_State *L, const char *what, size_t *length);
// Raises an error about a damaged dump of 'what' unless it is sound.
void astarL_checksound(lua_State *L, const char *what, bool is_sound);
// Gives the loaded object, at LOADED, the labels that were saved. Returns how many there are.
uint32_t astarL_namelabels(lua_State *L, const char *what, AstarNames names);

#endif
