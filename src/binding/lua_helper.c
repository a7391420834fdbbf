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

int astarL_complain(lua_State *L, const char *check, int given)
{
    astarL_askabout(L, "arguments", check, given);
    luaL_error(L, "%s found nothing wrong", check);
}

void astarL_addname(lua_State *L, const char *name)
{
    lua_pushstring(L, name);
    lua_rawseti(L, -2, (int)lua_rawlen(L, -2) + 1);
}

void astarL_pushnames(lua_State *L, const char *names)
{
    lua_newtable(L);
    for (; *names != '\0'; names += strlen(names) + 1)
        astarL_addname(L, names);
}

bool astarL_isname(lua_State *L, int arg, const char *name)
{
    size_t length;
    const char *text = lua_type(L, arg) == LUA_TSTRING ? lua_tolstring(L, arg, &length) : NULL;
    return text != NULL && length == strlen(name) && memcmp(text, name, length) == 0;
}

int astarL_nameamong(lua_State *L, int arg, const char *names)
{
    for (int i = 0; names != NULL && *names != '\0'; names += strlen(names) + 1, i++)
        if (astarL_isname(L, arg, names))
            return i;
    return -1;
}
