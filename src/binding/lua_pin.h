// lua_pin.h -- keeps the module's code in memory until the process ends.

#ifndef ASTAR_LUA_PIN_H
#define ASTAR_LUA_PIN_H

// Called once the module is loaded; where the module is no library of its own, there is nothing to do.
void astarL_pin(void);

#endif
