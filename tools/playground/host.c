// host.c -- Lua with astar in a page: one state at a time, whose functions are called with a string
// and return one.

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include <emscripten.h>
#include <stdbool.h>
#include <stddef.h>

int luaopen_astar_core(lua_State *L);

// A script runs so many times this many steps of Lua's machine at most, a page's call; then it is
// stopped, time and again.
#define STEPS 10000
#define MOST_TICKS 15000

static lua_State *state;
static size_t answer_length;
static int ticks;

static void tick(lua_State *L, lua_Debug *frame)
{
    if (++ticks < MOST_TICKS)
        return;
    lua_getinfo(L, "Sl", frame);
    lua_pushfstring(L, "%s:%d: stopped after %d million steps: is it endless?", frame->short_src,
                    frame->currentline, MOST_TICKS / (1000000 / STEPS));
    lua_error(L);
}

// A state of its own for each script, so that none finds what another left.
EMSCRIPTEN_KEEPALIVE void host_open(void)
{
    if (state != NULL)
        lua_close(state);
    state = luaL_newstate();
    luaL_openlibs(state);
    luaL_getsubtable(state, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
    lua_pushcfunction(state, luaopen_astar_core);
    lua_setfield(state, -2, "astar.core");
    lua_settop(state, 0);
}

// Makes a module of its source; false where that has a mistake.
EMSCRIPTEN_KEEPALIVE int host_add(const char *name, const char *source, size_t length)
{
    lua_pushfstring(state, "@%s.lua", name);
    bool is_good = luaL_loadbuffer(state, source, length, lua_tostring(state, -1)) == LUA_OK;
    luaL_getsubtable(state, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
    lua_pushvalue(state, -2);
    lua_setfield(state, -2, name);
    lua_settop(state, 0);
    return is_good;
}

static int call(lua_State *L)
{
    lua_getglobal(L, "require");
    lua_pushliteral(L, "recorder");
    lua_call(L, 1, 1);
    lua_pushvalue(L, 1);
    lua_gettable(L, -2);
    lua_pushvalue(L, 2);
    lua_call(L, 1, 1);
    return 1;
}

// What a function of recorder.lua answers, or, without memory for even that, the error. It is good
// until the next call.
EMSCRIPTEN_KEEPALIVE const char *host_call(const char *name, const char *argument, size_t length)
{
    ticks = 0;
    lua_sethook(state, tick, LUA_MASKCOUNT,
                STEPS); // coroutines inherit it; the recorder answers without
    lua_settop(state, 0);
    lua_pushcfunction(state, call);
    lua_pushstring(state, name);
    lua_pushlstring(state, argument, length);
    lua_pcall(state, 2, 1, 0);
    return lua_tolstring(state, -1, &answer_length);
}

EMSCRIPTEN_KEEPALIVE size_t host_length(void)
{
    return answer_length;
}
