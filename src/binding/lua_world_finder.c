// lua_world_finder.c -- how one kind of unit moves over a world.

#include "binding/lua_helper.h"
#include "binding/lua_world.h"

// world:finder([options]) --> world finder
int astarL_world_finder(lua_State *L)
{
    astarL_World *world = astarL_checkworld(L, 1);
    astarL_checklast(L, 2, "finder");
    astarL_pushpart(L, 1, ASTARL_PALETTE, LUA_TUSERDATA);
    astarL_askhelper(L, "arguments", "world_finder");
    const int palette_finder = 4;
    const int avoided = palette_finder + 2;
    lua_settop(L, avoided + 1);
    const astarL_Field *field = lua_isnil(L, avoided) ? NULL : astarL_checkfield(L, avoided);
    if (field != NULL && astar_field_offset(field->core) != ASTAR_NO_OFFSET)
        return luaL_error(L, "avoid must be a field of squares");
    astarL_Finder *plain = astarL_checkfinder(L, palette_finder);
    int spacing = lua_toboolean(L, palette_finder + 1) ? 1 : world->spacing;
    const AstarOptions *options = astar_finder_options(plain->core);
    if (options->size > ASTAR_WORLD_MAX_SIZE)
        return luaL_error(L, "size must be an integer from 1 to %d, got %d", ASTAR_WORLD_MAX_SIZE,
                          options->size);
    astarL_WorldFinder *finder = astarL_newobject(L, ASTARL_WORLD_FINDER, sizeof *finder);
    astarL_setparts(L, lua_gettop(L), (const int[]){1, palette_finder}, ASTARL_PALETTE_FINDER);
    astarL_checkheld(L, world->core); // again: a finalizer may have closed each of them
    astarL_checkheld(L, plain->core);
    if (field != NULL)
        astarL_checkheld(L, field->core);
    AstarStatus status = astar_world_finder_new(world->core, plain->core, spacing, &finder->core);
    if (status == ASTAR_OK && field != NULL)
        status = astar_world_finder_avoid(finder->core, field->core, field->x0 - 1, field->y0 - 1,
                                          lua_tonumber(L, avoided + 1));
    return status == ASTAR_OK ? 1 : astarL_fail(L, status);
}

ASTARL_RELEASE(release_world_finder, astar_world_finder_release)

// finder:raycast(x0, y0, x1, y1) --> true | false, x, y: the first cell that stops it
static int worldfinder_raycast(lua_State *L)
{
    astarL_checkworldfinder(L, 1);
    AstarCell from = astarL_checkworldcell(L, 2, "x0", "y0");
    AstarCell to = astarL_checkworldcell(L, 4, "x1", "y1");
    bool stopped;
    int32_t x, y;
    astarL_WorldCall call;
    int world = astarL_beginfindercall(L, &call, 1);
    AstarWorldFinder *core = astarL_checkworldfinder(L, 1)->core;
    astar_world_finder_retain(core);
    AstarStatus status = astar_world_raycast(core, from.x, from.y, to.x, to.y, &call, &stopped, &x,
                                             &y);
    astar_world_finder_release(core);
    astarL_checkworldstatus(&call, status);
    astarL_endworldcall(&call, world, false);
    lua_pushboolean(L, !stopped);
    return stopped ? 1 + astarL_pushcell(L, x, y, 1, 1) : 1;
}

// find_nearest(sx, sy, goals [, question]), find_route(sx, sy, gx, gy [, question]) or a list of
// goals, reachable(sx, sy, gx, gy)
static int worldfinder_by_lua(lua_State *L)
{
    return astarL_answerby(L, "world_routes");
}

static const astarL_Function world_finder_methods[] = {
    {"find_nearest", 5, worldfinder_by_lua},  {"find_route", 6, worldfinder_by_lua},
    {"raycast", 5, worldfinder_raycast},      {"reachable", 5, worldfinder_by_lua},
    {"search", 6, astarL_worldfinder_search}, {"", 0, NULL},
};

const astarL_Class astarL_worldfinderclass = {
    .type = ASTARL_WORLD_FINDER, .methods = world_finder_methods, .release = release_world_finder};
