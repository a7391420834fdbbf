// lua_finder.h -- finders: their options, and the queries that they answer.

#ifndef ASTAR_LUA_FINDER_H
#define ASTAR_LUA_FINDER_H

#include "binding/lua_query.h"
#include "binding/lua_util.h"

// Reads the options at 'options' for a finder on 'grid'. Stores functions in the table at
// 'callbacks'. Pushes the option 'avoid', which astarL_takeavoided reads later.
void astarL_readfinder(lua_State *L, const astarL_Grid *grid, int options, int callbacks,
                       AstarOptions *o, astarL_OptionLists *lists);
// Reads the fields to avoid from the option at 'arg'. The function must be called last before the
// core is called, because any allocation may run a finalizer that closes a field.
void astarL_takeavoided(lua_State *L, int arg, const astarL_Grid *grid, AstarOptions *o,
                        AstarAvoid avoids[ASTAR_MAX_AVOIDS]);

// Raises an error if the options range or partial are used on a map that wraps around. 'what' names
// the caller in the message. If 'query' is NULL, the finder's own options are checked.
void astarL_checkrange(lua_State *L, const astarL_Finder *finder,
                       const AstarQueryOptions *query_options, const char *what);
// Reads the options of a single query at 'arg'. Returns NULL if no options are given.
const AstarQueryOptions *astarL_checkqueryoptions(lua_State *L, int arg,
                                                  const astarL_Finder *finder,
                                                  AstarQueryOptions *query_options);

// Returns the finder that decides lines of sight: the finder at index 1 or, if the table at
// 'options' has an option 'opaque', another finder that opaque.lua makes from it. The other finder
// then replaces the one at index 1. Sets '*through_walls' to true if sight passes thin walls.
const astarL_Finder *astarL_lookby(lua_State *L, const astarL_Finder *finder, int options,
                                   bool *through_walls);

// Returns the finder at index 1 or, if it avoids a field, another finder that ground.lua makes from
// it, with the same options but without the field. The other finder then replaces the one at index
// 1.
const astarL_Finder *astarL_groundof(lua_State *L, const astarL_Finder *finder);

#endif
