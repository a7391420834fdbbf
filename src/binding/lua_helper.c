// lua_helper.c -- what the module leaves to files of Lua.

#include "binding/lua_helper.h"

// Where the registry has what calls them.
static const char helper_key;

int astarL_set_helper(lua_State *L)
{
    lua_settop(L, 1);
    lua_pushlightuserdata(L, (void *)&helper_key);
    lua_insert(L, 1);
    lua_rawset(L, LUA_REGISTRYINDEX);
    return 0;
}

void astarL_pushhelper(lua_State *L, const char *file)
{
    lua_pushlightuserdata(L, (void *)&helper_key);
    lua_rawget(L, LUA_REGISTRYINDEX);
    lua_pushstring(L, file);
}
