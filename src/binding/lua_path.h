// lua_path.h -- paths as userdata: their creation and copies.

#ifndef ASTAR_LUA_PATH_H
#define ASTAR_LUA_PATH_H

#include "binding/lua_query.h"

// Pushes an empty path. Lua owns the path already, so an error raised while it is filled or read
// cannot leak it. 'owner' has the same meaning as for astarL_open.
astarL_Path *astarL_pushpath(lua_State *L, bool has_callbacks, int owner, int x0, int y0);
// Sets the finder of a path. Raises an error if 'finder' is NULL, which happens if a finalizer has
// closed the finder's object meanwhile.
void astarL_setfinder(lua_State *L, astarL_Path *path, AstarFinder *finder);
// Marks the path as walkable on the current map from the index 'from', counted from 1. 'query' is
// the open query of the path's finder that has checked the path.
void astarL_notevalid(astarL_Path *path, int from, const astarL_Query *query);
// Copy a path, so that the copy can be read even if the original changes. Memory for the number of
// bytes that the first function returns must lie directly behind the struct 'copy'.
size_t astarL_pathbytes(const AstarPath *path);
void astarL_copypath(AstarPath *copy, const AstarPath *path);
// path:cells(), and the function that sets it up when the module is opened
int astarL_path_cells(lua_State *L);
void astarL_openpathcells(lua_State *L);

#endif
