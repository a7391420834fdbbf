// state.c -- a Lua with astar in it, for the fuzzers.

#include "state.h"

#include "input.h"

int luaopen_astar_core(lua_State *L);

static size_t bytes;

static void *allocate(void *context, void *block, size_t old_size, size_t size)
{
    (void)context;
    if (block == NULL)
        old_size = 0; // it says what kind of object is wanted
    if (size == 0) {
        free(block);
        bytes -= old_size;
        return NULL;
    }
    void *moved = realloc(block, size);
    if (moved != NULL)
        bytes += size - old_size;
    return moved;
}

lua_State *state_open(void)
{
    lua_State *L = lua_newstate(allocate, NULL);
    REQUIRE(L != NULL);
    luaL_openlibs(L);
    REQUIRE(luaL_dostring(L, "package.path = './lua/?.lua;./lua/?/init.lua;./?.lua'"
                             " package.cpath = ''") == LUA_OK);
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
    lua_pushcfunction(L, luaopen_astar_core);
    lua_setfield(L, -2, "astar.core");
    lua_settop(L, 0);
    return L;
}

void state_close(lua_State *L)
{
    lua_close(L);
    REQUIRE(bytes == 0);
}
