// lua_share.h -- grids of other Lua states: views that are entered for each query and left after
// it.
//
// A view is a read-only grid that shows a version published by another state. While a view is
// entered, Lua must not allocate, because a finalizer that runs then could query the same view. The
// only exception is a query with callbacks, which is counted; see lua_query.h. If a view is still
// entered after an error, the next query leaves the view first.

#ifndef ASTAR_LUA_SHARE_H
#define ASTAR_LUA_SHARE_H

#include "binding/lua_util.h"

// Leaves a view if it is still entered only because an error ended a query, as far as this can be
// determined. 'frame' is an address in the caller's stack frame.
void astarL_leavestaleview(lua_State *L, AstarGrid *core, const void *frame);
// Enters a grid if it is a view, after calling astarL_leavestaleview. Returns the value to pass to
// astar_view_leave. The grid's object is at 'arg'. The function adds to it the names of terrains
// and labels of the version entered. May allocate memory in Lua before it enters the view.
#define astarL_enter(L, core, arg) astarL_enterfrom(L, core, arg, &(char){0})
unsigned astarL_enterfrom(lua_State *L, AstarGrid *core, int arg, const void *frame);
// Enters the grid of a core finder, in the same way as astarL_enter. 'owner' is the stack index of
// a finder, flow or path whose uservalue contains the grid's object. Raises an error if '*held' has
// become NULL. Calls astarL_leavestaleview first, unless 'frame' is NULL.
#define astarL_enterof(L, held, owner) astarL_enterfinder(L, held, owner, &(char){0})
unsigned astarL_enterfinder(lua_State *L, AstarFinder *const *held, int owner, const void *frame);

// Returns the grid at 'arg' for editing. Raises an error if the grid is a view.
astarL_Grid *astarL_checkowngrid(lua_State *L, int arg);

// Pushes an object that holds the grid at 'arg', and returns the held grid. Call it before code
// that allocates while it reads the grid, because a finalizer may close the grid's own object
// meanwhile.
AstarGrid *astarL_holdgrid(lua_State *L, int arg);
// Pushes an object that holds the grid of a core finder, as astarL_holdgrid does. 'held' and
// 'owner' have the same meaning as for astarL_enterof.
AstarGrid *astarL_holdgridof(lua_State *L, AstarFinder *const *held, int owner);
// Releases the grid that the object at 'hold' holds.
void astarL_release(lua_State *L, int hold);

#endif
