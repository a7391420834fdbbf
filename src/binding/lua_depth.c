// lua_depth.c -- how many queries that call functions of the script are open.
//
// Callbacks that search, whose callbacks search ... use up the C stack. PUC Lua refuses after some
// 200 C calls, LuaJIT after thousands, so the open queries are counted. An error unwinds their
// frames without a word, but those that lie no deeper than a new query's frame are gone. Of others
// that failed, less deep, nobody holds the box: once there are too many, the collector drops them.
// Only in a finalizer may Lua 5.4 refuse to collect; its own limit has to do there.

#include "binding/lua_query.h"

#include <string.h>

enum { DEEPEST = 80 }; // of 2.6 kB each at most, Lua's part included: a stack of 256 kB holds them

typedef struct Depth {
    uintptr_t frame; // the address of the open query
    const void *box; // that of the query, on the stack of who asked
} Depth;

typedef struct Depths {
    int count;
    Depth open[DEEPEST];
} Depths;

static const char depths_key;

static Depths *get_depths(lua_State *L)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &depths_key);
    Depths *depths = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return depths;
}

static void forget_unwound(Depths *depths, uintptr_t frame)
{
    while (depths->count > 0 && depths->open[depths->count - 1].frame <= frame)
        depths->count--;
}

bool astarL_isasked(lua_State *L, const void *frame)
{
    Depths *depths = get_depths(L);
    if (depths == NULL)
        return false;
    forget_unwound(depths, (uintptr_t)frame);
    return depths->count > 0;
}

void astarL_descend(lua_State *L, const void *address, const void *box)
{
    Depths *depths = get_depths(L);
    if (depths == NULL) // taken out of the registry
        luaL_error(L, "astar is not loaded in this state");
    uintptr_t frame = (uintptr_t)address;
    forget_unwound(depths, frame);
    if (depths->count == DEEPEST && lua_gc(L, LUA_GCCOLLECT, 0) < 0) // see close_query_box
        depths->count = 0;
    if (depths->count == DEEPEST)
        luaL_error(L, "searches nested too deeply");
    depths->open[depths->count++] = (Depth){frame, box};
}

static int find_depth(const Depths *depths, const void *box)
{
    int i = depths != NULL ? depths->count - 1 : -1;
    while (i >= 0 && depths->open[i].box != box)
        i--;
    return i;
}

// Forgets a query that came to its end, and with it those that were opened after.
void astarL_ascend(lua_State *L, const void *box)
{
    Depths *depths = get_depths(L);
    int i = find_depth(depths, box);
    if (i >= 0)
        depths->count = i;
}

// Forgets a query that was left by an error.
void astarL_forget(lua_State *L, const void *box)
{
    Depths *depths = get_depths(L);
    int i = find_depth(depths, box);
    if (i < 0)
        return;
    depths->count--;
    memmove(&depths->open[i], &depths->open[i + 1], (size_t)(depths->count - i) * sizeof(Depth));
}

void astarL_opendepth(lua_State *L)
{
    if (get_depths(L) != NULL)
        return;
    lua_pushlightuserdata(L, (void *)&depths_key);
    Depths *depths = lua_newuserdata(L, sizeof *depths);
    depths->count = 0;
    lua_rawset(L, LUA_REGISTRYINDEX);
}
