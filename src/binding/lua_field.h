// lua_field.h -- fields: layers of numbers over a map, for finders to avoid.

#ifndef ASTAR_LUA_FIELD_H
#define ASTAR_LUA_FIELD_H

#include "binding/lua_util.h"

// Pushes a field, all 0.
astarL_Field *astarL_pushfield(lua_State *L, AstarOffset offset, int width, int height, int x0,
                               int y0);
// The field at 'arg', called 'name', which must be of the cells of a grid whose first one that is.
const astarL_Field *astarL_checkfieldof(lua_State *L, int arg, const AstarGrid *grid,
                                        AstarCell first, const char *name);
// Pushes the field that a question is to fill: the option 'into' of the table at 'options', of the
// cells of the finder's grid, or a new one; nil has none.
const astarL_Field *astarL_pushinto(lua_State *L, int options, const astarL_Finder *finder);

#endif
