// lua_methods.c -- methods that files of Lua answer, and those that are one function.

#include "binding/lua_helper.h"
#include "binding/lua_util.h"

#include <string.h>

int astarL_answerby(lua_State *L, const char *file)
{
    const astarL_Function *function = lua_touserdata(L, lua_upvalueindex(1));
    lua_Integer type = lua_tointeger(L, lua_upvalueindex(2));
    if (type < 0 || type >= ASTARL_TYPES) // by debug.setupvalue
        return luaL_error(L, "the function has another upvalue than its own");
    astarL_checkopen(L, 1, (astarL_Type)type);
    return astarL_askhelper(L, file, function->name);
}

bool astarL_iscalled(lua_State *L, const char *name)
{
    const astarL_Function *function = lua_touserdata(L, lua_upvalueindex(1));
    return strcmp(function->name, name) == 0;
}

int astarL_byplaces(lua_State *L)
{
    return astarL_answerby(L, "places");
}
