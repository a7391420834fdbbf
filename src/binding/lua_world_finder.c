// lua_world_finder.c -- how one kind of unit moves over a world.

#include "binding/lua_helper.h"
#include "binding/lua_world.h"

// Checks the options at 2; whether they ask for the best routes.
static bool check_exact(lua_State *L)
{
    static const char *const names[] = {"diagonals", "diagonal_cost",  "costs", "size",
                                        "weight",    "max_expansions", "exact", NULL};
    if (lua_isnil(L, 2))
        return false;
    astarL_checkoptions(L, 2, names);
    return astarL_readflag(L, 2, "exact", false);
}

// Pushes a finder of the world's palette, of the options at 2.
static int push_palette_finder(lua_State *L)
{
    lua_pushcfunction(L, astarL_grid_finder);
    astarL_pushpart(L, 1, ASTARL_PALETTE, LUA_TUSERDATA);
    if (lua_isnil(L, 2))
        lua_pushnil(L);
    else
        astarL_pushplain(L, 2);
    // What is wrong with them is said at the line that called world:finder.
    if (lua_pcall(L, 2, 1, 0) != 0) {
        if (lua_type(L, -1) == LUA_TSTRING)
            luaL_error(L, "%s", lua_tostring(L, -1));
        lua_error(L);
    }
    return lua_gettop(L);
}

// world:finder([options]) --> world finder
int astarL_world_finder(lua_State *L)
{
    astarL_World *world = astarL_checkworld(L, 1);
    astarL_checklast(L, 2, "finder");
    int spacing = check_exact(L) ? 1 : world->spacing;
    int palette_finder = push_palette_finder(L);
    astarL_Finder *plain = astarL_checkfinder(L, palette_finder);
    const AstarOptions *options = astar_finder_options(plain->core);
    if (options->size > ASTAR_WORLD_MAX_SIZE)
        return luaL_error(L, "size must be an integer from 1 to %d, got %d", ASTAR_WORLD_MAX_SIZE,
                          options->size);
    astarL_WorldFinder *finder = astarL_newobject(L, ASTARL_WORLD_FINDER, sizeof *finder);
    astarL_setparts(L, lua_gettop(L), (const int[]){1, palette_finder}, ASTARL_PALETTE_FINDER);
    astarL_checkheld(L, world->core);
    AstarStatus status = astar_world_finder_new(world->core, plain->core, spacing, &finder->core);
    return status == ASTAR_OK ? 1 : astarL_fail(L, status);
}

static void release_world_finder(void *owned)
{
    astar_world_finder_release(owned);
}

// finder:find_nearest(sx, sy, goals [, question]) --> route, index | nil, reason
static int worldfinder_find_nearest(lua_State *L)
{
    astarL_checkworldfinder(L, 1);
    return astarL_askhelper(L, "world_routes", "find_nearest");
}

// finder:reachable(sx, sy, gx, gy) --> true | nil, reason
static int worldfinder_reachable(lua_State *L)
{
    astarL_checkworldfinder(L, 1);
    return astarL_askhelper(L, "world_routes", "reachable");
}

static const astarL_Function world_finder_methods[] = {
    {"find_nearest", worldfinder_find_nearest, 5},
    {"find_route", astarL_worldfinder_find_route, 6},
    {"reachable", worldfinder_reachable, 5},
    {"search", astarL_worldfinder_search, 6},
    {NULL, NULL, 0},
};

const astarL_Class astarL_worldfinderclass = {
    .type = ASTARL_WORLD_FINDER, .methods = world_finder_methods, .release = release_world_finder};
