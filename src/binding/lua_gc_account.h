// lua_gc_account.h -- reports memory outside of Lua to Lua's garbage collector.

#ifndef ASTAR_LUA_GC_ACCOUNT_H
#define ASTAR_LUA_GC_ACCOUNT_H

#include "binding/lua_util.h"

// Reports memory that an object of Lua now owns to the garbage collector, and makes the collector
// work for it immediately.
void astarL_account(lua_State *L, size_t bytes);
// Reports the growth of an object's memory beyond '*accounted' bytes to the garbage collector. If
// 'is_owed' is true, the collector does the work later, during astarL_pay or the next report.
void astarL_accountgrowth(lua_State *L, size_t *accounted, size_t bytes, bool is_owed);
// Cancels the report of memory that was freed without the collector.
void astarL_forgive(lua_State *L, size_t bytes);
// Lets the collector do work for reports that are owed, for at most 'seconds' seconds. Finalizers
// may run.
void astarL_pay(lua_State *L, double seconds);
// Makes a small step of the collector, in place of the larger one that the next few kilobytes would
// trigger. Finalizers may run. The Lua module also exports this function, without results.
int astarL_makeroom(lua_State *L);

#endif
