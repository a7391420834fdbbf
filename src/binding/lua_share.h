// lua_share.h -- grids of other Lua states: views that are entered for each query and left after
// it.
//
// A view is a read-only grid that shows a version published by another state. While a view is
// entered, Lua must not allocate, because a finalizer that runs then could query the same view. The
// exception are callbacks, which a counted query may call; see lua_query.h. If an error leaves a
// view entered, the next query leaves it first.

#ifndef ASTAR_LUA_SHARE_H
#define ASTAR_LUA_SHARE_H

#include "binding/lua_util.h"

// Leaves a view that only an error can have left entered, as far as can be determined. 'frame' is
// an address in the caller's stack frame.
void astarL_settle(lua_State *L, AstarGrid *core, const void *frame);
// Enters a grid if it is a view, after astarL_settle. Returns the value to pass to
// astar_view_leave. The grid's object is at 'arg', and gets the names of terrains and labels of the
// version entered. May allocate before it enters.
#define astarL_enter(L, core, arg) astarL_enterfrom(L, core, arg, &(char){0})
unsigned astarL_enterfrom(lua_State *L, AstarGrid *core, int arg, const void *frame);
// Does the same for the grid of a core finder. The finder, flow or path at 'owner' has the grid's
// object in its uservalue. Raises an error if 'held' has become NULL. astarL_settle is called
// unless 'frame' is NULL.
#define astarL_enterof(L, held, owner) astarL_enterfinder(L, held, owner, &(char){0})
unsigned astarL_enterfinder(lua_State *L, AstarFinder *const *held, int owner, const void *frame);

// Returns the grid at 'arg' for editing. Raises an error if it is a view.
astarL_Grid *astarL_checkowngrid(lua_State *L, int arg);

// Pushes a second hold on the grid at 'arg', for code that allocates while it reads the grid: a
// finalizer may close the grid's object.
AstarGrid *astarL_holdgrid(lua_State *L, int arg);
// Does the same for the grid of a core finder, as astarL_enterof does.
AstarGrid *astarL_holdgridof(lua_State *L, AstarFinder *const *held, int owner);
// Releases the hold at 'hold'.
void astarL_letgo(lua_State *L, int hold);

#endif
