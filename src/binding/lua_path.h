// lua_path.h -- paths as userdata.

#ifndef ASTAR_LUA_PATH_H
#define ASTAR_LUA_PATH_H

#include "binding/lua_query.h"

// Pushes an empty path, which Lua already owns, so that an error raised while it is being filled or
// read cannot leak it. 'owner' is as for astarL_open.
astarL_Path *astarL_pushpath(lua_State *L, bool asks, int owner, int x0, int y0);
// Says whose path it is; raises if a finalizer has closed that meanwhile, which is NULL then.
void astarL_setfinder(lua_State *L, astarL_Path *path, AstarFinder *finder);
// Notes that an open query of the path's finder can walk it from the cell at index 'from' on,
// 1-based.
void astarL_notevalid(astarL_Path *path, int from, const astarL_Query *query);
// Copies a path into a block that ends with 'copy' and as many bytes more as its cells take: to
// read them whatever becomes of the path.
size_t astarL_pathbytes(const AstarPath *path);
void astarL_copypath(AstarPath *copy, const AstarPath *path);
// path:cells, and what it needs.
int astarL_path_cells(lua_State *L);
void astarL_openpathcells(lua_State *L);

#endif
