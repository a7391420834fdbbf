// lua_formation.c -- crowd:go in a shape or together: what formation.lua asks of the core.

#include "binding/lua_crowd.h"
#include "binding/lua_helper.h"

// The unit at 1, which formation.lua was given and is there.
static const astarL_Unit *unit_in_formation(lua_State *L)
{
    return astarL_checkopen(L, 1, ASTARL_UNIT);
}

// reaches(unit, x, y) --> whether a way leads there; not to cells outside
static int unit_reaches(lua_State *L)
{
    const astarL_Unit *unit = unit_in_formation(L);
    int x = (int)lua_tointeger(L, 2) - unit->x0, y = (int)lua_tointeger(L, 3) - unit->y0;
    lua_pushboolean(L, astar_crowd_reaches(unit->core, unit->unit, x, y));
    return 1;
}

// set_period(unit, n)
static int unit_keep_pace(lua_State *L)
{
    const astarL_Unit *unit = unit_in_formation(L);
    AstarStatus status = astar_crowd_keep_pace(unit->core, unit->unit, (int)lua_tointeger(L, 2));
    return status == ASTAR_NO_MEMORY ? astarL_fail(L, status) : 0;
}

int astarL_go_in_formation(lua_State *L, int count)
{
    lua_settop(L, 5);
    astarL_pushhelper(L, "formation");
    if (!lua_isfunction(L, -2))
        return luaL_error(L, "shapes need astar's files of Lua");
    for (int arg = 2; arg <= 5; arg++)
        lua_pushvalue(L, arg);
    lua_pushcfunction(L, unit_reaches);
    lua_pushcfunction(L, unit_keep_pace);
    lua_call(L, 7, 2);
    if (lua_isnil(L, -2))
        return luaL_error(L, "%s", lua_tostring(L, -1));
    if (count > 0 && lua_tointeger(L, -2) == 0)
        return astarL_fail(L, ASTAR_GOAL_BLOCKED);
    lua_pop(L, 1);
    return 1;
}
