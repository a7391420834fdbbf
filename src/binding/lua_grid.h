// lua_grid.h -- rectangles of cells among the arguments of a grid's methods.

#ifndef ASTAR_LUA_GRID_H
#define ASTAR_LUA_GRID_H

#include "binding/lua_util.h"

// A rectangle of a grid's cells at the arguments 2 to 5, as the core counts them; where 'optional',
// w and h may be left out, or have a string in their place.
typedef struct Rectangle {
    int x, y, width, height;
} Rectangle;

Rectangle astarL_checkrectangle(lua_State *L, const astarL_Grid *grid, bool optional);

#endif
