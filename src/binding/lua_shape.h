// lua_shape.h -- the shapes of cells: squares and hexagons, their layout and their neighbours.

#ifndef ASTAR_LUA_SHAPE_H
#define ASTAR_LUA_SHAPE_H

#include "binding/lua_util.h"

// Returns the shape that the options 'shape', 'offset' and 'wrap' at 'options' give, or squares.
AstarOffset astarL_readshape(lua_State *L, int options);
// Pushes the coordinates of the centre of a cell as scripts count; whole numbers stay integers.
void astarL_pushcenter(lua_State *L, const AstarGrid *grid, int x, int y, int x0, int y0);
void astarL_pushcoordinate(lua_State *L,
                           double value); // Pushes a coordinate, as an integer if it is whole.
// Returns the name of a direction.
const char *astarL_direction(AstarSide direction);
// Returns the direction whose name is at 'arg'. Raises an error if cells of the grid do not have
// it.
AstarSide astarL_checkdirection(lua_State *L, int arg, const AstarGrid *grid, bool diagonal,
                                const char *name);

#endif
