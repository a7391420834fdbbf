// lua_charge.h -- reports memory outside of Lua to Lua's garbage collector.

#ifndef ASTAR_LUA_CHARGE_H
#define ASTAR_LUA_CHARGE_H

#include "binding/lua_util.h"

// Charges memory that an object of Lua now owns to the garbage collector, and makes the collector
// work for it immediately.
void astarL_charge(lua_State *L, size_t bytes);
// Charges the growth of an object's memory beyond '*charged' bytes. If 'is_owed' is true, the
// collector does the work later, during astarL_pay or the next charge.
void astarL_chargegrowth(lua_State *L, size_t *charged, size_t bytes, bool is_owed);
// Cancels the charge of an object whose memory was freed without the collector.
void astarL_forgive(lua_State *L, size_t bytes);
// Lets the collector do work for charges that are owed, for at most 'seconds' seconds. Finalizers
// may run.
void astarL_pay(lua_State *L, double seconds);
// Makes a small step of the collector, in place of the larger one that the next few kilobytes would
// trigger. Finalizers may run. This is also a function of the module, without results.
int astarL_makeroom(lua_State *L);

#endif
