// lua_shape.h -- the shapes of cells: squares and hexagons, the layout of cells and their
// neighbours.

#ifndef ASTAR_LUA_SHAPE_H
#define ASTAR_LUA_SHAPE_H

#include "binding/lua_util.h"

// Returns the shape that the options 'shape', 'offset' and 'wrap' in the table at 'options' give.
// Without these options the shape is squares.
AstarOffset astarL_readshape(lua_State *L, int options);
// Pushes the coordinates of the centre of a cell, in the coordinates of scripts. Whole numbers are
// pushed as integers.
void astarL_pushcenter(lua_State *L, const AstarGrid *grid, int x, int y, int x0, int y0);
void astarL_pushcoordinate(lua_State *L,
                           double value); // Pushes a coordinate, as an integer if it is whole.
// Returns the name of a direction.
const char *astarL_direction(AstarSide direction);
// Returns the direction whose name is at 'arg'. Raises an error if cells of the grid have no such
// direction.
AstarSide astarL_checkdirection(lua_State *L, int arg, const AstarGrid *grid, bool diagonal,
                                const char *name);
// Reads a set of directions at 'arg': a name, or a list of names. Returns a bit per side. Raises an
// error if a name is not a direction of the grid.
unsigned astarL_checksides(lua_State *L, int arg, const AstarGrid *grid);
// Pushes a list of the names of the directions in a set.
void astarL_pushsides(lua_State *L, unsigned sides);

#endif
