// lua_path.h -- paths as userdata: their creation and copies.

#ifndef ASTAR_LUA_PATH_H
#define ASTAR_LUA_PATH_H

#include "binding/lua_query.h"

// Pushes an empty path. Lua owns it already, so an error raised while it is filled or read cannot
// leak it. 'owner' is the same as for astarL_open.
astarL_Path *astarL_pushpath(lua_State *L, bool asks, int owner, int x0, int y0);
// Sets the finder of a path. Raises an error if the finder is NULL, because a finalizer has closed
// its object meanwhile.
void astarL_setfinder(lua_State *L, astarL_Path *path, AstarFinder *finder);
// Marks the path as walkable on the current map from index 'from' (from 1) on, as an open query of
// its finder has found.
void astarL_notevalid(astarL_Path *path, int from, const astarL_Query *query);
// Copy a path, so that it can be read whatever happens to the original. 'copy' must be followed by
// as many bytes as the first function returns.
size_t astarL_pathbytes(const AstarPath *path);
void astarL_copypath(AstarPath *copy, const AstarPath *path);
// path:cells() and its setup
int astarL_path_cells(lua_State *L);
void astarL_openpathcells(lua_State *L);

#endif
