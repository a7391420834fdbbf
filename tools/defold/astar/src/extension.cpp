// extension.cpp -- hands the module to Defold's Lua, where `require` finds it: astar/astar.lua asks for "astar.core".
//
// It sets no global: a game says local astar = require "astar.astar".

#include <dmsdk/sdk.h>

extern "C" int luaopen_astar_core(lua_State* L);

static dmExtension::Result initialize(dmExtension::Params* params)
{
    lua_State* L = params->m_L;
    lua_getglobal(L, "package");
    lua_getfield(L, -1, "preload");
    lua_pushcfunction(L, luaopen_astar_core);
    lua_setfield(L, -2, "astar.core");
    lua_pop(L, 2);
    return dmExtension::RESULT_OK;
}

static dmExtension::Result finalize(dmExtension::Params*)
{
    return dmExtension::RESULT_OK;
}

DM_DECLARE_EXTENSION(LuaAstar, "LuaAstar", 0, 0, initialize, 0, 0, finalize)
