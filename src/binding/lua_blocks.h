// lua_blocks.h -- blocks in layers: obstacles on a grid that bar some units.

#ifndef ASTAR_LUA_BLOCKS_H
#define ASTAR_LUA_BLOCKS_H

#include "binding/lua_util.h"

// Reads the options of a link, or of an edge of a graph, at 'options', which is the last argument.
// Returns true if the options contain a label. The label is then at the stack index 'options' + 1.
bool astarL_readlink(lua_State *L, int options, double most, double *cost, bool *one_way);
// Returns the number of the layer whose name is at 'arg'. Returns 0, the layer without a name, if
// there is no argument. If no layer has this name, returns -1, or raises an error if all layers of
// the grid were declared when it was made.
int astarL_findlayer(lua_State *L, int arg, const AstarGrid *grid);
// Returns the layers listed on the top of the stack as a mask with one bit per layer number. Names
// that are new are added as layers.
uint64_t astarL_takeignored(lua_State *L, const astarL_Grid *grid);
// Pushes a list of blocks, {{x =, y =, layer =}, ...}. The caller must hold the grid during the
// call.
void astarL_pushblocks(lua_State *L, const AstarGrid *grid, const AstarBlock *blocks, size_t count,
                       int x0, int y0);
// Reads the list at 'list', in which names of layers and prices alternate. Returns the price of
// each layer; new names are added as layers. Returns NULL if the list is empty.
const double *astarL_takebreach(lua_State *L, int list, const astarL_Grid *grid,
                                double prices[ASTAR_MAX_LAYERS + 1]);

// Adds the layers that the option 'layers' lists to a grid. Afterwards the grid accepts no other
// names of layers.
void astarL_declarelayers(lua_State *L, int options, astarL_Grid *grid);

#endif
