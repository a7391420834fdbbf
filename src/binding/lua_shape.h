// lua_shape.h -- the shape of cells: squares, hexagons, where they lie and what is beside them.

#ifndef ASTAR_LUA_SHAPE_H
#define ASTAR_LUA_SHAPE_H

#include "binding/lua_util.h"

// The options 'shape' and 'offset' of the table at 'options', or squares; nil has none.
AstarOffset astarL_readshape(lua_State *L, int options);
// Pushes where the middle of a cell lies, as scripts count; whole numbers stay whole.
void astarL_pushcenter(lua_State *L, const AstarGrid *grid, int x, int y, int x0, int y0);
void astarL_pushcoordinate(lua_State *L, double value); // an integer where it is whole
// The name of a direction.
const char *astarL_direction(AstarSide direction);
// The direction whose name is at 'arg', one of those that cells of the grid have.
AstarSide astarL_checkdirection(lua_State *L, int arg, const AstarGrid *grid, bool diagonal,
                                const char *name);

#endif
