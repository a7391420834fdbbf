// lua_finder.h -- finders: their options, and the queries that they answer.

#ifndef ASTAR_LUA_FINDER_H
#define ASTAR_LUA_FINDER_H

#include "binding/lua_query.h"
#include "binding/lua_util.h"

// Reads the options of a finder on 'grid' at 'options', keeping functions in the table at
// 'callbacks', and pushes what to avoid; lua_finder.c.
void astarL_readfinder(lua_State *L, const astarL_Grid *grid, int options, int callbacks,
                       AstarOptions *o, astarL_OptionLists *lists);
// Takes what to avoid, as pushed at 'arg': fields, which a finalizer may close as long as anything
// is allocated, so that this comes last.
void astarL_takeavoided(lua_State *L, int arg, const astarL_Grid *grid, AstarOptions *o,
                        AstarAvoid avoids[ASTAR_MAX_AVOIDS]);

// Refuses a range, or the nearest cell, of 'what' in a map that wraps around; NULL: the finder's.
void astarL_checkrange(lua_State *L, const astarL_Finder *finder, const AstarQuestion *question,
                       const char *what);
// Reads what a question has its own way at 'arg'; NULL where nothing is given.
const AstarQuestion *astarL_checkquestion(lua_State *L, int arg, const astarL_Finder *finder,
                                          AstarQuestion *question);

// The finder at 1, or, if the options at 'options' have something 'opaque', the eyes that
// opaque.lua makes of it, which then stand there; and whether sight passes thin walls.
const astarL_Finder *astarL_lookby(lua_State *L, const astarL_Finder *finder, int options,
                                   bool *through_walls);

#endif
