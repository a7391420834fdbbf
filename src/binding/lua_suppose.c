// lua_suppose.c -- suppose_blocked: questions about a map on which a few more cells are blocked.
//
// Such a question is asked of another finder, made for it, which shares the callbacks of its own.

#include "binding/lua_suppose.h"

#include "binding/lua_share.h"

static const char SUPPOSED_NAME[] = "suppose_blocked";

// Reads the rectangle on the top: { x, y [, w, h] }.
static AstarRectangle read_supposed(lua_State *L, astarL_Area area, size_t number)
{
    if (!lua_istable(L, -1))
        luaL_error(L, "%s must be a list of { x, y, w, h }, got %s at [%d]", SUPPOSED_NAME,
                   astarL_describe(L, lua_gettop(L)), (int)number);
    static const char *const names[] = {"x", "y", "w", "h"};
    int list = lua_gettop(L), place[4] = {area.x0, area.y0, 1, 1};
    int most[4] = {area.x0 + area.width - 1, area.y0 + area.height - 1, 1, 1};
    for (int i = 0; i < 4; i++) {
        lua_rawgeti(L, list, i + 1);
        bool is_left_out = i >= 2 && lua_isnil(L, -1);
        lua_settop(L, list);
        if (i >= 2)
            most[i] = most[i - 2] - place[i - 2] + 1;
        if (!is_left_out)
            place[i] = astarL_listedint(L, i + 1, names[i], i < 2 ? place[i] : 1, most[i]);
    }
    return (AstarRectangle){place[0] - area.x0, place[1] - area.y0, place[2], place[3]};
}

// Pushes the rectangles of the list at 'list'.
static const AstarRectangle *push_supposed(lua_State *L, int list, astarL_Area area, size_t *count)
{
    const char *stray = NULL;
    *count = lua_istable(L, list) ? (size_t)astarL_lengthof(L, list, &stray) : 0;
    if (!lua_istable(L, list) || stray != NULL)
        luaL_error(L, "%s must be a list of { x, y, w, h }, got %s", SUPPOSED_NAME,
                   stray != NULL ? stray : astarL_describe(L, list));
    AstarRectangle *blocked = lua_newuserdata(L, (*count + 1) * sizeof *blocked);
    for (size_t i = 0; i < *count; i++) {
        lua_rawgeti(L, list, (int)i + 1);
        blocked[i] = read_supposed(L, area, i + 1);
        lua_pop(L, 1);
    }
    return blocked;
}

astarL_Supposed astarL_checksupposed(lua_State *L, int arg, const astarL_Finder *finder)
{
    astarL_Supposed supposed = {NULL, 0, 0};
    if (!lua_istable(L, arg) || astarL_rawfield(L, arg, SUPPOSED_NAME) == LUA_TNIL)
        return supposed;
    int list = lua_gettop(L);
    supposed.blocked = push_supposed(L, list, astarL_areaof(finder), &supposed.count);
    lua_replace(L, list);
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
    made->asks = finder->asks;
    AstarStatus status = astar_finder_suppose(finder->core, supposed->blocked, supposed->count,
                                              &made->core);
    if (status == ASTAR_BAD_OPTION)
        luaL_error(L, "%s is not for units larger than a cell with a breach", SUPPOSED_NAME);
    if (status != ASTAR_OK)
        astarL_fail(L, status);
    return made;
}

void astarL_unsuppose(astarL_Finder *made)
{
    astar_finder_release(made->core);
    made->core = NULL;
}
