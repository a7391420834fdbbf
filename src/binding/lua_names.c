// lua_names.c -- names that there are not, and which of several a name is.

#include "binding/lua_names.h"

#include <string.h>

// Where the registry has what load_core.lua gave: names.lua, which is loaded when it is first
// asked.
static const char meant_key;

int astarL_set_meant(lua_State *L)
{
    lua_settop(L, 1);
    lua_pushlightuserdata(L, (void *)&meant_key);
    lua_insert(L, 1);
    lua_rawset(L, LUA_REGISTRYINDEX);
    return 0;
}

// The error is made all the same where names.lua is not there, or cannot be loaded for want of
// memory.
const char *astarL_pushmeant(lua_State *L, int arg, const char *option, const char *const *names)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &meant_key);
    lua_pushvalue(L, arg);
    lua_newtable(L);
    for (int i = 0; names[i] != NULL; i++) {
        lua_pushstring(L, names[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_pushstring(L, option);
    bool is_told = lua_pcall(L, 3, 1, 0) == 0 && lua_type(L, -1) == LUA_TSTRING;
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
