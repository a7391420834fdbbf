// lua_blocks.h -- blocks in layers: obstacles on a grid that bar some units.

#ifndef ASTAR_LUA_BLOCKS_H
#define ASTAR_LUA_BLOCKS_H

#include "binding/lua_util.h"

// Reads the options of a link or an edge at 'options', the last argument, if any. Returns true if
// there is a label, which is then at 'options + 1'.
bool astarL_readlink(lua_State *L, int options, double most, double *cost, bool *one_way);
// Returns the number of the layer whose name is at 'arg', or 0, the layer without a name, if there
// is no argument. Returns -1 if no layer has this name yet; raises an error if the grid was made
// with all its layers.
int astarL_findlayer(lua_State *L, int arg, const AstarGrid *grid);
// Returns the layers of the list on the top as a mask with one bit per layer number. Names that are
// new are added as layers.
uint64_t astarL_takeignored(lua_State *L, const astarL_Grid *grid);
// Pushes a list of blocks, {{x =, y =, layer =}, ...}. The caller holds the grid meanwhile.
void astarL_pushblocks(lua_State *L, const AstarGrid *grid, const AstarBlock *blocks, size_t count,
                       int x0, int y0);
// Reads the list at 'list', in which names of layers and prices alternate, into a price for each
// layer; new names are added as layers. Returns NULL if there is no price.
const double *astarL_takebreach(lua_State *L, int list, const astarL_Grid *grid,
                                double prices[ASTAR_MAX_LAYERS + 1]);

// Adds the layers that the option 'layers' lists to a grid. From then on no other name is accepted.
void astarL_declarelayers(lua_State *L, int options, astarL_Grid *grid);

#endif
