// lua_helper.c -- what the module leaves to files of Lua.

#include "binding/lua_helper.h"
#include "binding/lua_util.h"

#include <lauxlib.h>
#include <string.h>

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

int astarL_askabout(lua_State *L, const char *file, const char *name, int given)
{
    int before = lua_gettop(L);
    astarL_pushhelper(L, file);
    lua_pushstring(L, name);
    for (int i = 1; i <= given; i++)
        lua_pushvalue(L, before - given + i);
    if (!lua_isfunction(L, before + 1))
        return luaL_error(L, "%s needs astar's files of Lua", name);
    lua_call(L, given + 2, LUA_MULTRET);
    if (lua_isboolean(L, before + 1) && !lua_toboolean(L, before + 1))
        return luaL_error(L, "%s", lua_tostring(L, before + 2));
    return lua_gettop(L) - before;
}

int astarL_askhelper(lua_State *L, const char *file, const char *name)
{
    return astarL_askabout(L, file, name, lua_gettop(L));
}

// The error is made all the same where names.lua is not there, or cannot be loaded for want of
// memory.
const char *astarL_pushmeant(lua_State *L, int arg, const char *option, const char *const *names)
{
    if (lua_isnoneornil(L, arg))
        return "";
    astarL_pushhelper(L, "names");
    lua_pushvalue(L, arg);
    lua_newtable(L);
    for (int i = 0; names[i] != NULL; i++) {
        lua_pushstring(L, names[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_pushstring(L, option);
    bool is_told = lua_pcall(L, 4, 1, 0) == 0 && lua_type(L, -1) == LUA_TSTRING;
    return is_told ? lua_tostring(L, -1) : "";
}

// Whether the string at 'arg' is this name, to its last byte: it may hold zeros.
static bool is_name(lua_State *L, int arg, const char *name)
{
    size_t length;
    const char *text = lua_tolstring(L, arg, &length);
    return length == strlen(name) && memcmp(text, name, length) == 0;
}

int astarL_nameamong(lua_State *L, int arg, const char *const *names)
{
    if (lua_type(L, arg) == LUA_TSTRING)
        for (int i = 0; names[i] != NULL; i++)
            if (is_name(L, arg, names[i]))
                return i;
    return -1;
}
