// api.c -- fuzzes the Lua API: bytes become calls in api.lua, which says what must hold.
//
// A state serves a number of inputs and is closed then: nothing may be left of it.

#include "input.h"
#include "state.h"

enum { INPUTS = 500 };

static lua_State *open_driver(void)
{
    lua_State *L = state_open();
    if (luaL_dostring(L, "return require 'spec.fuzz.api'") != LUA_OK)
        broken(lua_tostring(L, -1), __FILE__, __LINE__);
    return L;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static lua_State *L;
    static int inputs;
    if (L == NULL)
        L = open_driver();
    lua_pushvalue(L, 1);
    lua_pushlstring(L, (const char *)data, size);
    if (lua_pcall(L, 1, 0, 0) != LUA_OK)
        broken(lua_tostring(L, -1), __FILE__, __LINE__);
    lua_settop(L, 1);
    if (++inputs % INPUTS == 0) {
        state_close(L);
        L = NULL;
    }
    return 0;
}
