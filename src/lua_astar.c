// lua_astar.c -- the module astar.core: what lua/astar/init.lua builds on.

#include "lua_clock.h"
#include "lua_util.h"

#if defined(_WIN32)
#define ASTARL_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define ASTARL_EXPORT __attribute__((visibility("default")))
#else
#define ASTARL_EXPORT
#endif

ASTARL_EXPORT int luaopen_astar_core(lua_State *L);

int luaopen_astar_core(lua_State *L)
{
    astarL_opencharge(L);
    astarL_openquery(L);
    astarL_opengrid(L);
    astarL_openfinder(L);
    astarL_openpath(L);
    astarL_opensearch(L);
    astarL_openfield(L);
    astarL_openflow(L);
    lua_newtable(L);
    lua_pushcfunction(L, astarL_grid);
    lua_setfield(L, -2, "grid");
    lua_pushcfunction(L, astarL_load);
    lua_setfield(L, -2, "load");
    lua_pushcfunction(L, astarL_check_question);
    lua_setfield(L, -2, "check_question");
    lua_pushcfunction(L, astarL_clock);
    lua_setfield(L, -2, "clock");
    lua_pushcfunction(L, astarL_field);
    lua_setfield(L, -2, "field");
    lua_pushliteral(L, ASTAR_VERSION);
    lua_setfield(L, -2, "_VERSION");
    return 1;
}
