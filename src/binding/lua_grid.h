// lua_grid.h -- reads a rectangle of cells from the arguments of a grid's methods.

#ifndef ASTAR_LUA_GRID_H
#define ASTAR_LUA_GRID_H

#include "binding/lua_util.h"

// A rectangle of a grid's cells, in the core's coordinates, as astarL_checkrectangle reads it from
// the arguments x, y, w, h at the indices 2 to 5. If 'optional' is true, w and h may be missing or
// strings; each is then 1.
typedef struct Rectangle {
    int x, y, width, height;
} Rectangle;

Rectangle astarL_checkrectangle(lua_State *L, const astarL_Grid *grid, bool optional);

#endif
