// state.h -- a Lua with astar in it, for the fuzzers.

#ifndef STATE_H
#define STATE_H

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

// A state whose allocations are counted, with the Lua files of this tree, and the module linked
// into the fuzzer as astar.core.
lua_State *state_open(void);
// Closes it; nothing may be left.
void state_close(lua_State *L);

#endif
