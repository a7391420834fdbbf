// lua_share.h -- grids of other states: entered for each question, left after it.
//
// Between entering a view and leaving it nothing may allocate by Lua, for a finalizer that runs
// then could ask the same view; but callbacks may be called by a query that is counted, see
// lua_query.h. What an error leaves entered the next question leaves first.

#ifndef ASTAR_LUA_SHARE_H
#define ASTAR_LUA_SHARE_H

#include "binding/lua_util.h"

// Leaves a view that only an error can have left entered, as far as that shows: 'frame' is the
// address of something of the caller's.
void astarL_settle(lua_State *L, AstarGrid *core, const void *frame);
// Enters a grid where it is a view, settled before; what astar_view_leave wants. The grid's object
// stands at 'arg', and its names of terrains and labels are those of the version entered. May take
// memory before.
#define astarL_enter(L, core, arg) astarL_enterfrom(L, core, arg, &(char){0})
unsigned astarL_enterfrom(lua_State *L, AstarGrid *core, int arg, const void *frame);
// The same of the grid of a core finder, that of the finder, flow or path at 'owner', by the
// uservalue of that; an error where 'held' is NULL by then. Settled before where 'frame' is NULL.
#define astarL_enterof(L, held, owner) astarL_enterfinder(L, held, owner, &(char){0})
unsigned astarL_enterfinder(lua_State *L, AstarFinder *const *held, int owner, const void *frame);

// The grid at 'arg', which is to be edited: an error where it is a view.
astarL_Grid *astarL_checkowngrid(lua_State *L, int arg);

// Pushes another hold on the grid at 'arg', for as long as what follows makes garbage: a finalizer
// may close that grid by hand.
AstarGrid *astarL_holdgrid(lua_State *L, int arg);
// The same of the grid of a core finder, as astarL_enterof has it.
AstarGrid *astarL_holdgridof(lua_State *L, AstarFinder *const *held, int owner);
// Lets go of the hold at 'hold'.
void astarL_letgo(lua_State *L, int hold);

#endif
