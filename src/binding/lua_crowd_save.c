// lua_crowd_save.c -- crowds as strings: what crowd_saving.lua asks of the core.
//
// A crowd's parts lie in a table: those that are loaded come from Lua, with the sides by number and
// name as they are kept there, and in place of each unit its speed.

#include "binding/lua_crowd.h"
#include "binding/lua_helper.h"

static size_t save_crowd(lua_State *L, void *bytes, size_t room)
{
    size_t length = 0;
    if (astar_crowd_save(astarL_checkcrowd(L)->core, bytes, room, &length) != ASTAR_OK)
        astarL_nomemory(L);
    return length;
}

// crowd:dump() --> string
int astarL_crowd_dump(lua_State *L)
{
    astarL_checkcrowd(L);
    lua_settop(L, 1);
    astarL_pushsaved(L, save_crowd);
    int bytes = lua_gettop(L);
    astarL_chargecrowd(L, astarL_checkcrowd(L), false);
    astarL_pushparts(L, 1);
    lua_pushvalue(L, bytes);
    lua_pushvalue(L, 1);
    return astarL_askabout(L, "crowd_saving", "dump", 3);
}

// Puts the objects of all units in the place of their speeds, into the table at 3.
static void make_units(lua_State *L, const astarL_Crowd *crowd)
{
    AstarUnit number;
    for (uint32_t cursor = 0; astar_crowd_next_unit(crowd->core, &cursor, &number);) {
        astarL_Unit *unit = astarL_newobject(L, ASTARL_UNIT, sizeof *unit);
        unit->unit = number;
        unit->x0 = crowd->x0;
        unit->y0 = crowd->y0;
        lua_rawgeti(L, 3, (int)cursor);
        unit->speed = lua_tonumber(L, -1);
        unit->core = crowd->core;
        astar_crowd_retain(crowd->core);
        lua_pop(L, 1);
        lua_pushvalue(L, 3);
        lua_setuservalue(L, -2);
        lua_rawseti(L, 3, (int)cursor);
    }
}

// core.load_crowd(string, speed, parts, finder, ...) --> crowd | nil, reason
int astarL_load_crowd(lua_State *L)
{
    size_t length;
    const char *bytes = luaL_checklstring(L, 1, &length);
    int last = lua_gettop(L);
    luaL_checktype(L, 3, LUA_TTABLE);
    astarL_Crowd *crowd = astarL_newobject(L, ASTARL_CROWD, sizeof *crowd);
    AstarFinder **finders = lua_newuserdata(L, (size_t)last * sizeof *finders);
    const astarL_Finder *own = astarL_checkfinder(L, 4);
    for (int arg = 4; arg <= last; arg++) {
        astarL_checkcrowdfinder(L, astarL_checkfinder(L, arg));
        finders[arg - 4] = astarL_checkfinder(L, arg)->core;
    }
    crowd->x0 = own->x0;
    crowd->y0 = own->y0;
    crowd->speed = luaL_checknumber(L, 2);
    AstarStatus status = astar_crowd_load(bytes, length, finders, (size_t)last - 3, &crowd->core);
    if (status == ASTAR_BAD_OPTION)
        return luaL_error(L, "the crowd cannot be one of these finders and their grid");
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    lua_settop(L, last + 1);
    lua_pushvalue(L, 3);
    lua_setuservalue(L, last + 1);
    make_units(L, crowd);
    astarL_chargecrowd(L, crowd, false);
    return 1;
}
