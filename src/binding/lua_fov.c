// lua_fov.c -- finder:fov, what can be seen from a cell.

#include "binding/lua_helper.h"
#include "binding/lua_share.h"

// Reads the options 'facing' and 'angle' of the table at 'options'.
static void read_cone(lua_State *L, int options, const astarL_Finder *finder, AstarSight *sight)
{
    if (astarL_rawfield(L, options, "facing") != LUA_TNIL) {
        astarL_checkheld(L, finder->core);
        const AstarGrid *grid = astar_finder_grid(finder->core);
        AstarSide facing = astarL_checkdirection(L, lua_gettop(L), grid, true, "facing");
        sight->facing = (AstarHeading)((int)facing + 1);
        sight->angle = astarL_readreal(L, options, "angle", 0, 360, 120);
    } else if (astarL_rawfield(L, options, "angle") != LUA_TNIL) {
        luaL_error(L, "angle needs facing, a direction");
    }
}

const astarL_Field *astarL_checkfieldof(lua_State *L, int arg, const AstarGrid *grid,
                                        AstarCell first, const char *name)
{
    if (astarL_testobject(L, arg, ASTARL_FIELD) == NULL)
        luaL_error(L, "%s must be an astar field, got %s", name, astarL_describe(L, arg));
    const astarL_Field *field = astarL_checkfield(L, arg);
    if (astar_field_width(field->core) != astar_grid_width(grid) ||
        astar_field_height(field->core) != astar_grid_height(grid) ||
        astar_field_offset(field->core) != astar_grid_offset(grid) || field->x0 != first.x ||
        field->y0 != first.y)
        luaL_error(L,
                   "%s must be a field of the grid's size, origin and shape: "
                   "astar.field(grid) has them",
                   name);
    return field;
}

const astarL_Field *astarL_pushinto(lua_State *L, int options, const astarL_Finder *finder)
{
    bool is_new = astarL_rawfield(L, options, "into") == LUA_TNIL;
    astarL_checkheld(L, finder->core);
    const AstarGrid *grid = astar_finder_grid(finder->core);
    int width = astar_grid_width(grid), height = astar_grid_height(grid);
    if (is_new)
        return astarL_pushfield(L, astar_grid_offset(grid), width, height, finder->x0, finder->y0);
    return astarL_checkfieldof(L, lua_gettop(L), grid, (AstarCell){finder->x0, finder->y0}, "into");
}

// The finder at 1, or, where the options at 5 have something 'opaque', the eyes that opaque.lua
// makes of it, which then stand there.
static const astarL_Finder *look_by(lua_State *L, const astarL_Finder *finder)
{
    if (astarL_rawfield(L, 5, "opaque") == LUA_TNIL)
        return finder;
    lua_pushvalue(L, 1);
    astarL_pushparts(L, 1);
    astarL_askabout(L, "opaque", "eyes", 3);
    lua_replace(L, 1);
    return astarL_checkfinder(L, 1);
}

// finder:fov(x, y, radius [, {facing =, angle =, into =, opaque =}]) --> field
int astarL_finder_fov(lua_State *L)
{
    const astarL_Finder *finder = astarL_checkfinder(L, 1);
    int x, y;
    astarL_checkcell(L, 2, astar_finder_grid(finder->core), finder->x0, finder->y0, "x", "y", &x,
                     &y);
    AstarSight sight = {.radius = astarL_checkint(L, 4, 0, ASTAR_MAX_SIGHT, "radius")};
    lua_settop(L, 5);
    astarL_checkoptions(L, 5, "angle\0facing\0into\0opaque\0");
    astarL_checkheld(L, finder->core);
    read_cone(L, 5, finder, &sight);
    finder = look_by(L, finder);
    const astarL_Field *field = astarL_pushinto(L, 5, finder);
    int result = lua_gettop(L);
    unsigned entered = astarL_enterof(L, &finder->core, 1);
    AstarGrid *grid = astar_finder_grid(finder->core);
    astarL_checkfield(L, result);
    AstarStatus status = astar_fov(finder->core, x, y, &sight, field->core);
    astar_view_leave(grid, entered);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    lua_settop(L, result);
    return 1;
}
