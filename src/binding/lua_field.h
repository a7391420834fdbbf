// lua_field.h -- fields: layers of numbers over a map, which finders can avoid.

#ifndef ASTAR_LUA_FIELD_H
#define ASTAR_LUA_FIELD_H

#include "binding/lua_util.h"

// Pushes a new field in which every value is 0.
astarL_Field *astarL_pushfield(lua_State *L, AstarOffset offset, int width, int height, int x0,
                               int y0);
// Returns the field at 'arg', which error messages call 'name'. Raises an error unless the field
// has the same cells as a grid whose first cell is 'first'.
const astarL_Field *astarL_checkfieldof(lua_State *L, int arg, const AstarGrid *grid,
                                        AstarCell first, const char *name);
// Pushes the field that receives the results of a query: the option 'into' of the table at
// 'options', which must have the cells of the finder's grid, or else a new field. The value at
// 'options' may be nil.
const astarL_Field *astarL_pushinto(lua_State *L, int options, const astarL_Finder *finder);

#endif
