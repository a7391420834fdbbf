// lua_suppose.c -- suppose_blocked: queries on a map with additional blocked cells.
//
// A query with supposed blocks uses a second finder, made for the query, which shares the callbacks
// of the original finder.

#include "binding/lua_suppose.h"

#include "binding/lua_query.h"
#include "binding/lua_share.h"
#include "binding/lua_util.h"

static const char SUPPOSED_NAME[] = "suppose_blocked";

// Pushes an array of the rectangles in the list on the top of the stack.
static const AstarRectangle *push_supposed(lua_State *L, astarL_Area area, size_t *count)
{
    lua_pushinteger(L, area.x0);
    lua_pushinteger(L, area.y0);
    lua_pushinteger(L, area.width);
    lua_pushinteger(L, area.height);
    astarL_askabout(L, "arguments", "supposed", 5); // four numbers for each rectangle
    int list = lua_gettop(L);
    *count = (size_t)lua_rawlen(L, list) / 4;
    AstarRectangle *blocked = lua_newuserdata(L, (*count + 1) * sizeof *blocked);
    for (size_t i = 0; i < *count; i++) {
        int place[4];
        for (int k = 0; k < 4; k++) {
            lua_rawgeti(L, list, 4 * (int)i + k + 1);
            place[k] = (int)lua_tointeger(L, -1);
            lua_pop(L, 1);
        }
        blocked[i] = (AstarRectangle){place[0], place[1], place[2], place[3]};
    }
    return blocked;
}

astarL_Supposed astarL_checksupposed(lua_State *L, int arg, const astarL_Finder *finder)
{
    astarL_Supposed supposed = {NULL, 0, 0};
    if (!lua_istable(L, arg) || astarL_rawfield(L, arg, SUPPOSED_NAME) == LUA_TNIL)
        return supposed;
    int list = lua_gettop(L);
    astarL_checkheld(L, finder->core);
    supposed.blocked = push_supposed(L, astarL_areaof(finder), &supposed.count);
    lua_replace(L, list);
    lua_settop(L, list);
    astarL_pushcopy(L, arg);
    lua_pushnil(L);
    lua_setfield(L, -2, SUPPOSED_NAME);
    lua_replace(L, arg);
    return supposed;
}

astarL_Finder *astarL_suppose(lua_State *L, const astarL_Finder *finder, int self,
                              astarL_Supposed *supposed)
{
    astarL_checkstack(L, 20);
    astarL_Finder *made = astarL_newobject(L, ASTARL_FINDER, sizeof *made);
    supposed->finder = lua_gettop(L);
    lua_getuservalue(L, self);
    lua_setuservalue(L, supposed->finder);
    astarL_checkheld(L, finder->core);
    made->workspace = finder->workspace;
    if (made->workspace != NULL)
        astar_workspace_retain(made->workspace);
    made->x0 = finder->x0;
    made->y0 = finder->y0;
    made->has_callbacks = finder->has_callbacks;
    AstarStatus status = astar_finder_suppose(finder->core, supposed->blocked, supposed->count,
                                              &made->core);
    if (status == ASTAR_BAD_WRAP)
        luaL_error(L, "maps that wrap around cannot honour %s", SUPPOSED_NAME);
    if (status != ASTAR_OK)
        astarL_fail(L, status);
    return made;
}

void astarL_unsuppose(astarL_Finder *made)
{
    astar_finder_release(made->core);
    made->core = NULL;
}
