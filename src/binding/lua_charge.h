// lua_charge.h -- reports memory outside of Lua to Lua's garbage collector.

#ifndef ASTAR_LUA_CHARGE_H
#define ASTAR_LUA_CHARGE_H

#include "binding/lua_util.h"

// Charges the memory that an object of Lua now owns, and makes the collector work for it
// immediately.
void astarL_charge(lua_State *L, size_t bytes);
// Charges the growth of an object's memory beyond '*charged' bytes. If 'is_owed', the work is left
// to astarL_pay or to the next charge.
void astarL_chargegrowth(lua_State *L, size_t *charged, size_t bytes, bool is_owed);
// Cancels the charge for an object whose memory was freed without the collector.
void astarL_forgive(lua_State *L, size_t bytes);
// Lets the collector work off what is owed for at most so many seconds. Finalizers may run.
void astarL_pay(lua_State *L, double seconds);
// Makes the collector's step that the next few kilobytes would trigger, but as a small one.
// Finalizers may run. Also a function of the module, without results.
int astarL_makeroom(lua_State *L);

#endif
