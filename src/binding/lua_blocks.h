// lua_blocks.h -- blocks in layers: what stands on a grid, and whom it bars.

#ifndef ASTAR_LUA_BLOCKS_H
#define ASTAR_LUA_BLOCKS_H

#include "binding/lua_util.h"

// Reads the options of a link, or of an edge, at 'options', the last argument, where they are
// given; true where it has a label, which is then behind them.
bool astarL_readlink(lua_State *L, int options, double most, double *cost, bool *one_way);
// The number of the layer whose name is at 'arg'; no name is the unnamed layer. -1 if there is no
// such layer yet; an error if the grid was made with all its layers.
int astarL_findlayer(lua_State *L, int arg, const AstarGrid *grid);
// The layers in the list on the top, by their numbers' bits; named where they are not yet.
uint64_t astarL_takeignored(lua_State *L, const astarL_Grid *grid);
// Pushes a list of blocks, {{x =, y =, layer =}, ...}, of a grid that is held meanwhile.
void astarL_pushblocks(lua_State *L, const AstarGrid *grid, const AstarBlock *blocks, size_t count,
                       int x0, int y0);
// Reads the list at 'list' of layers, which are named as well, and prices by turns, into a price
// for each layer; NULL where there is none.
const double *astarL_takebreach(lua_State *L, int list, const astarL_Grid *grid,
                                double prices[ASTAR_MAX_LAYERS + 1]);

// Gives a grid the layers of blocks that its option 'layers' lists, after which no other may be
// named.
void astarL_declarelayers(lua_State *L, int options, astarL_Grid *grid);

#endif
