// lua_astar.c -- the module astar.core, on which lua/astar/init.lua builds.

#include "binding/lua_clock.h"
#include "binding/lua_gc_account.h"
#include "binding/lua_pin.h"
#include "binding/lua_util.h"

#include <string.h>

#if defined(_WIN32)
#define ASTARL_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define ASTARL_EXPORT __attribute__((visibility("default")))
#else
#define ASTARL_EXPORT
#endif

ASTARL_EXPORT int luaopen_astar_core(lua_State *L);

static const astarL_Function module_functions[] = {
    {"check_query", 6, astarL_check_query},
    {"names_of", 1, astarL_names_of},
    {"shapes", 0, astarL_shapes},
    {"search", 6, astarL_search_unbuilt},
    {"clock", 0, astarL_clock},
    {"differences", 2, astarL_flow_differences},
    {"distances", 1, astarL_flow_distances},
    {"field", 3, astarL_field},
    {"grid", 3, astarL_grid},
    {"leads_to", 3, astarL_path_leads_to},
    {"load", 2, astarL_load},
    {"load_field", 2, astarL_load_field},
    {"load_path", 2, astarL_load_path},
    {"make_room", 0, astarL_makeroom},
    {"may_step", 3, astarL_path_may_step},
    {"place", 2, astarL_path_place},
    {"read_path", 2, astarL_path_read},
    {"save_path", 1, astarL_path_save},
    {"set_helper", 1, astarL_set_helper},
    {"shared", 1, astarL_shared},
    {"step_cost", 2, astarL_path_step_cost},
    {"", 0, NULL},
};

static const astarL_Class *const classes[] = {
    &astarL_workspaceclass, &astarL_queryclass,
    &astarL_gridclass,      &astarL_finderclass,
    &astarL_pathclass,      &astarL_fieldclass,
    &astarL_flowclass,      &astarL_searchclass,
    &astarL_jobclass,       NULL,
};

// The text of the version. If this Lua cannot load the library, or has not loaded it yet,
// load_core.lua and love/core.lua read the text from the library's file.
static const char built_for[] = "astar core built for " LUA_VERSION " (" ASTAR_VERSION ")";

// Raises an error if the running Lua is not the version that the library was built for. The library
// may link without an error to a Lua whose functions have other parameters.
static void check_version(lua_State *L)
{
    lua_getglobal(L, "_VERSION");
    const char *version = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : LUA_VERSION;
    if (strncmp(version, "Lua ", 4) == 0 && strcmp(version, LUA_VERSION) != 0)
        luaL_error(L, "%s, this is %s", built_for, version);
    lua_pop(L, 1);
}

// Adds the functions of those parts that were built to the module on the top of the stack.
// load_core.lua reports missing parts.
static void open_parts(lua_State *L)
{
    if (ASTAR_HAS_BAKING)
        astarL_openbaking(L);
    if (ASTAR_HAS_CROWD)
        astarL_opencrowd(L);
    if (ASTAR_HAS_GRAPH)
        astarL_opengraph(L);
    if (ASTAR_HAS_TACTICS)
        astarL_opentactics(L);
    if (ASTAR_HAS_WORKERS)
        astarL_openworkers(L);
    if (ASTAR_HAS_WORLD)
        astarL_openworld(L);
}

int luaopen_astar_core(lua_State *L)
{
    check_version(L);
    astarL_pin();
    astarL_newtypes(L, classes);
    astarL_opengcaccount(L);
    astarL_opendepth(L);
    astarL_openquery(L);
    astarL_openpathcells(L);
    lua_newtable(L);
    astarL_setfunctions(L, module_functions, ASTARL_TYPES);
    open_parts(L);
    lua_pushliteral(L, ASTAR_VERSION);
    lua_setfield(L, -2, "_VERSION");
    return 1;
}
