// lua_names.c -- names that there are not, and which of several a name is.

#include "binding/lua_names.h"
#include "binding/lua_helper.h"

#include <string.h>

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
