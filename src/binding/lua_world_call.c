// lua_world_call.c -- calls about a world, in the middle of which chunks are loaded and saved.
//
// Those functions are called by the core in the middle of its work, so they are called protected,
// and what they raise is raised once the core is done. Nothing allocates outside of that.

#include "binding/lua_helper.h"
#include "binding/lua_world.h"

// What is to be loaded or saved.
typedef struct ChunkCall {
    int32_t cx, cy;
    uint8_t *cells;
    const uint8_t *edited; // NULL: to be loaded
    AstarChunkState state;
    AstarWorld *core;
} ChunkCall;

// Where load_protected has the world's uservalue, what was loaded, and what stands in that.
enum { OF_WORLD = 1, GIVEN_KEYS = 4, GIVEN_THINGS = 7 };

// Puts its keys in place of a chunk that world:save made, and pushes these, what stands in it, and
// the links to be made at the end of the call: in the middle of a search they would be edits.
static void open_saved(lua_State *L, const ChunkCall *call, const char *what)
{
    astarL_pushhelper(L, "world_chunk");
    lua_pushstring(L, "read");
    lua_pushvalue(L, GIVEN_KEYS);
    lua_pushinteger(L, call->cx);
    lua_pushinteger(L, call->cy);
    lua_rawgeti(L, OF_WORLD, ASTARL_TO_LINK);
    lua_call(L, 6, 3);
    if (lua_isnil(L, -3))
        luaL_error(L, "%s: %s", what, lua_tostring(L, -2));
    lua_pushvalue(L, -3);
    lua_replace(L, GIVEN_KEYS);
}

// (uservalue of the world, ChunkCall): calls 'load', and reads what it returns.
static int load_protected(lua_State *L)
{
    ChunkCall *call = lua_touserdata(L, 2);
    lua_rawgeti(L, 1, ASTARL_PALETTE);
    lua_rawgeti(L, 1, ASTARL_LOAD);
    lua_pushinteger(L, call->cx);
    lua_pushinteger(L, call->cy);
    lua_call(L, 2, 1);
    if (lua_isnil(L, 4)) {
        call->state = ASTAR_CHUNK_ABSENT;
        return 0;
    }
    const char *what = lua_pushfstring(L, "load(%d, %d)", call->cx, call->cy);
    bool is_saved = astarL_issaved(L, GIVEN_KEYS);
    if (is_saved)
        open_saved(L, call, what);
    bool is_solid = !astarL_readchunk(L, 4, 3, what, call->cells);
    call->state = is_solid ? ASTAR_CHUNK_SOLID : ASTAR_CHUNK_LOADED;
    if (!is_saved || call->core == NULL)
        return 0;
    const uint8_t *furniture = (const uint8_t *)lua_tostring(L, GIVEN_THINGS);
    if (astar_world_furnish(call->core, call->cx, call->cy, furniture) != ASTAR_OK)
        astarL_nomemory(L);
    lua_rawseti(L, OF_WORLD, ASTARL_TO_LINK);
    return 0;
}

// The same of 'save'.
static int save_protected(lua_State *L)
{
    const ChunkCall *call = lua_touserdata(L, 2);
    lua_rawgeti(L, 1, ASTARL_PALETTE);
    lua_rawgeti(L, 1, ASTARL_SAVE);
    lua_pushinteger(L, call->cx);
    lua_pushinteger(L, call->cy);
    astarL_pushchunk(L, 3, call->edited);
    lua_call(L, 3, 0);
    return 0;
}

void astarL_beginworldcall(lua_State *L, astarL_WorldCall *call, int arg)
{
    luaL_checkstack(L, 12, NULL);
    astarL_pushparts(L, arg);
    *call = (astarL_WorldCall){.L = L, .parts = lua_gettop(L)};
    call->core = ((astarL_World *)lua_touserdata(L, arg))->core;
    lua_pushnil(L);
    lua_pushcfunction(L, load_protected);
    lua_pushcfunction(L, save_protected);
}

static AstarStatus call_script(astarL_WorldCall *call, ChunkCall *chunk, int function)
{
    lua_State *L = call->L;
    if (!lua_checkstack(L, 4))
        return ASTAR_NO_MEMORY;
    lua_pushvalue(L, function);
    lua_pushvalue(L, call->parts);
    lua_pushlightuserdata(L, chunk);
    if (lua_pcall(L, 2, 0, 0) == 0)
        return ASTAR_OK;
    lua_replace(L, call->parts + 1);
    call->failed = true;
    return ASTAR_BAD_DATA;
}

AstarStatus astarL_ask_load(void *context, int32_t cx, int32_t cy, uint8_t *terrains,
                            AstarChunkState *state)
{
    astarL_WorldCall *call = context;
    ChunkCall chunk = {.cx = cx, .cy = cy, .cells = terrains, .core = call->core};
    AstarStatus status = call_script(call, &chunk, call->parts + 2);
    *state = chunk.state;
    return status;
}

AstarStatus astarL_ask_save(void *context, int32_t cx, int32_t cy, const uint8_t *terrains)
{
    astarL_WorldCall *call = context;
    ChunkCall chunk = {.cx = cx, .cy = cy, .edited = terrains};
    return call_script(call, &chunk, call->parts + 3);
}

static void raise_world_fault(lua_State *L, AstarStatus status)
{
    if (status == ASTAR_GRID_CHANGED)
        luaL_error(L, "load and save may neither edit the world nor ask it");
    if (status == ASTAR_TOO_LARGE)
        luaL_error(L, "a world holds at most %d links", ASTAR_WORLD_MAX_LINKS);
    if (status == ASTAR_BAD_DATA)
        luaL_error(L, "a chunk could not be read");
    if (status == ASTAR_BAD_CELL)
        luaL_error(L, "cells must lie within %d of 0", ASTAR_WORLD_REACH);
}

int astarL_failworld(astarL_WorldCall *call, AstarStatus status)
{
    lua_State *L = call->L;
    if (call->failed) {
        lua_pushvalue(L, call->parts + 1);
        return lua_error(L);
    }
    raise_world_fault(L, status);
    return astarL_fail(L, status);
}

void astarL_checkworldstatus(astarL_WorldCall *call, AstarStatus status)
{
    if (status != ASTAR_OK)
        astarL_failworld(call, status);
}

int astarL_beginfindercall(lua_State *L, astarL_WorldCall *call, int arg)
{
    astarL_pushpart(L, arg, ASTARL_FINDERS_WORLD, LUA_TUSERDATA);
    int world = lua_gettop(L);
    astarL_checkobject(L, world, ASTARL_WORLD);
    astarL_beginworldcall(L, call, world);
    return world;
}

// Makes links that have come with chunks: in the middle of a search they would be edits.
static void make_links(lua_State *L, int parts, int world)
{
    lua_rawgeti(L, parts, ASTARL_TO_LINK);
    if (lua_istable(L, -1)) {
        lua_pushnil(L);
        lua_rawseti(L, parts, ASTARL_TO_LINK);
        astarL_pushhelper(L, "world_chunk");
        lua_pushstring(L, "link");
        lua_pushvalue(L, world);
        lua_pushvalue(L, -5);
        lua_call(L, 4, 0);
    }
    lua_pop(L, 1);
}

void astarL_endworldcall(astarL_WorldCall *call, int at, bool is_owed)
{
    lua_State *L = call->L;
    astarL_World *world = lua_touserdata(L, at);
    make_links(L, call->parts, at);
    size_t bytes = world->core != NULL ? astar_world_bytes(world->core) : 0;
    astarL_chargegrowth(L, &world->bytes, bytes, is_owed);
}

AstarCell astarL_checkworldcell(lua_State *L, int arg, const char *x_name, const char *y_name)
{
    int most = ASTAR_WORLD_REACH;
    int x = astarL_checkint(L, arg, 1 - most, most, x_name);
    int y = astarL_checkint(L, arg + 1, 1 - most, most, y_name);
    return (AstarCell){x - 1, y - 1};
}
