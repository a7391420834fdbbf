// lua_charge.c -- memory outside of Lua's sight, told to its collector.
//
// To Lua a grid is a few words, to the process it may be megabytes. For grids that a script has
// dropped to be collected in time, what they hold is charged: the collector has to work as if Lua
// had allocated as much itself. One that the host has stopped stays so.

#include "binding/lua_util.h"

enum {
    LEAST = 1024,     // less is not worth a word
    MOST = 16 << 20,  // enough to make any collector hurry
    SMALL_STEP = 4096 // bytes
};

typedef struct Charges {
    size_t kilobytes;     // since the collector was last asked for its mode
    bool is_generational; // as it was then
} Charges;

static const char charges_key;

static Charges *get_charges(lua_State *L)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &charges_key);
    Charges *charges = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return charges;
}

void astarL_opencharge(lua_State *L)
{
    if (get_charges(L) != NULL)
        return;
    lua_pushlightuserdata(L, (void *)&charges_key);
    Charges *charges = lua_newuserdata(L, sizeof *charges);
    *charges = (Charges){0};
    lua_rawset(L, LUA_REGISTRYINDEX);
}

#if LUA_VERSION_NUM >= 504

// A generational collector leaves alone what has grown old until Lua's own memory has nearly
// doubled, which a few words a grid may never bring about. So everything is collected once as much
// as Lua has of its own is charged. Only by leaving it does the mode tell its name, and to return
// to this one collects everything.
static void collect_old(lua_State *L, size_t bytes)
{
    Charges *charges = get_charges(L);
    charges->kilobytes += bytes / 1024;
    size_t own = (size_t)lua_gc(L, LUA_GCCOUNT, 0);
    if (charges->kilobytes < MOST / 1024 || charges->kilobytes < own)
        return;
    charges->kilobytes = 0;
    charges->is_generational = lua_gc(L, LUA_GCINC, 0, 0, 0) == LUA_GCGEN;
    if (charges->is_generational)
        lua_gc(L, LUA_GCGEN, 0, 0);
}
#endif

// Has the collector work as if so many bytes had been allocated.
static void hurry(lua_State *L, size_t bytes)
{
#if LUA_VERSION_NUM >= 505
    // Whatever it is told, it makes one step, so it is told little by little until a cycle ends; a
    // generational step goes through all that is young, and more of them would only make it old.
    size_t piece = get_charges(L)->is_generational ? bytes : SMALL_STEP;
    bool has_ended = false;
    for (size_t told = 0; told < bytes && !has_ended; told += piece)
        has_ended = lua_gc(L, LUA_GCSTEP, piece) != 0;
#elif LUA_VERSION_NUM >= 502
    lua_gc(L, LUA_GCSTEP, (int)(bytes / 1024));
#else
    // A step would restart a collector that the host has stopped. Garbage of that size, whose pages
    // are never touched, makes a running one fall behind; it catches up a few kilobytes with each
    // allocation, however large, so many small ones follow.
    lua_newuserdata(L, bytes);
    lua_pop(L, 1);
    for (size_t caught_up = 0; caught_up < bytes; caught_up += SMALL_STEP) {
        lua_newuserdata(L, 1);
        lua_pop(L, 1);
    }
#endif
}

void astarL_charge(lua_State *L, size_t bytes)
{
    if (bytes < LEAST || get_charges(L) == NULL) // a script may have emptied the registry
        return;
#if LUA_VERSION_NUM >= 502
    if (!lua_gc(L, LUA_GCISRUNNING, 0))
        return;
#endif
#if LUA_VERSION_NUM >= 504
    collect_old(L, bytes);
#endif
    hurry(L, bytes < MOST ? bytes : MOST);
}
