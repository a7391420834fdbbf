// lua_charge.h -- memory outside of Lua's sight, told to its collector.

#ifndef ASTAR_LUA_CHARGE_H
#define ASTAR_LUA_CHARGE_H

#include "binding/lua_util.h"

// Tells the collector of memory that an object of its now owns, and has it work for that at once.
void astarL_charge(lua_State *L, size_t bytes);
// The same of what an object has beyond the bytes charged for it already. What 'is_owed' is left to
// astarL_pay, or to what is charged next.
void astarL_chargegrowth(lua_State *L, size_t *charged, size_t bytes, bool is_owed);
// What was charged for an object was given back without the collector.
void astarL_forgive(lua_State *L, size_t bytes);
// Has the collector do for so many seconds of what is owed. Finalizers may run.
void astarL_pay(lua_State *L, double seconds);
// Makes the step of the collector that the next few kilobytes would bring, but as a small one.
// Finalizers may run. Also a function of the module's, without results.
int astarL_makeroom(lua_State *L);

#endif
