// lua_pin.h -- keeps the module's code in memory until the process ends.

#ifndef ASTAR_LUA_PIN_H
#define ASTAR_LUA_PIN_H

#include "binding/lua_util.h"

// Keeps the module in memory until the process ends. Must be called when the module is opened. Does
// nothing if the module is not a library of its own.
void astarL_pin(void);

#endif
