// lua_world.c -- worlds: chunks that a script's functions load and save.
//
// Those functions are called by the core in the middle of its work, so they are called protected,
// and what they raise is raised once the core is done. Nothing allocates outside of that.

#include "binding/lua_world.h"

#include "binding/lua_keys.h"

#include <math.h>
#include <string.h>

// ---- calls of the script's functions ----

// What is to be loaded or saved.
typedef struct ChunkCall {
    int32_t cx, cy;
    uint8_t *cells;
    const uint8_t *edited; // NULL: to be loaded
    AstarChunkState state;
} ChunkCall;

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
    bool is_solid = !astarL_readchunk(L, 4, 3, what, call->cells);
    call->state = is_solid ? ASTAR_CHUNK_SOLID : ASTAR_CHUNK_LOADED;
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

static AstarStatus ask_load(void *context, int32_t cx, int32_t cy, uint8_t *terrains,
                            AstarChunkState *state)
{
    astarL_WorldCall *call = context;
    ChunkCall chunk = {.cx = cx, .cy = cy, .cells = terrains};
    AstarStatus status = call_script(call, &chunk, call->parts + 2);
    *state = chunk.state;
    return status;
}

static AstarStatus ask_save(void *context, int32_t cx, int32_t cy, const uint8_t *terrains)
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

// ---- the object ----

astarL_World *astarL_checkworld(lua_State *L, int arg)
{
    astarL_World *world = astarL_checkobject(L, arg, ASTARL_WORLD);
    if (world->core == NULL)
        luaL_error(L, "world is closed");
    return world;
}

void astarL_chargeworld(lua_State *L, astarL_World *world, bool is_owed)
{
    size_t bytes = world->core != NULL ? astar_world_bytes(world->core) : 0;
    astarL_chargegrowth(L, &world->bytes, bytes, is_owed);
}

// A call of a method of the world at 1, which stays while it lasts.
typedef struct WorldMethod {
    astarL_WorldCall call;
    astarL_World *world;
    AstarWorld *core;
} WorldMethod;

static void begin_method(lua_State *L, WorldMethod *method)
{
    method->world = astarL_checkworld(L, 1);
    astarL_beginworldcall(L, &method->call, 1);
    astarL_checkheld(L, method->world->core);
    method->core = method->world->core;
    astar_world_retain(method->core);
}

// Ends it; raises faults.
static void end_method(WorldMethod *method, AstarStatus status)
{
    astar_world_release(method->core);
    if (status != ASTAR_NOT_LOADED)
        astarL_checkworldstatus(&method->call, status);
    astarL_chargeworld(method->call.L, method->world, false);
}

AstarCell astarL_checkworldcell(lua_State *L, int arg, const char *x_name, const char *y_name)
{
    int most = ASTAR_WORLD_REACH;
    int x = astarL_checkint(L, arg, 1 - most, most, x_name);
    int y = astarL_checkint(L, arg + 1, 1 - most, most, y_name);
    return (AstarCell){x - 1, y - 1};
}

// Pushes the palette of the world at 1.
static int push_palette(lua_State *L)
{
    astarL_pushpart(L, 1, ASTARL_PALETTE, LUA_TUSERDATA);
    astarL_checkgrid(L, lua_gettop(L));
    return lua_gettop(L);
}

static AstarCell check_chunk(lua_State *L)
{
    int most = ASTAR_WORLD_REACH / ASTAR_CHUNK_SIDE;
    return (AstarCell){astarL_checkint(L, 2, -most, most - 1, "cx"),
                       astarL_checkint(L, 3, -most, most - 1, "cy")};
}

// ---- chunks ----

// world:put_chunk(cx, cy, keys | false)
static int world_put_chunk(lua_State *L)
{
    astarL_checkworld(L, 1);
    AstarCell at = check_chunk(L);
    lua_settop(L, 4);
    uint8_t *cells = lua_newuserdata(L, ASTAR_CHUNK_SIDE * ASTAR_CHUNK_SIDE);
    int palette = push_palette(L);
    bool is_solid = !astarL_readchunk(L, 4, palette, "keys", cells);
    WorldMethod method;
    begin_method(L, &method);
    end_method(&method,
               astar_world_put(method.core, at.x, at.y, is_solid ? NULL : cells, &method.call));
    return 0;
}

// world:changed(cx, cy): it is another than it was where 'load' has it
static int world_changed(lua_State *L)
{
    astarL_checkworld(L, 1);
    AstarCell at = check_chunk(L);
    WorldMethod method;
    begin_method(L, &method);
    end_method(&method, astar_world_changed(method.core, at.x, at.y));
    return 0;
}

// world:save(): has 'save' called for all chunks that were edited
static int world_save(lua_State *L)
{
    WorldMethod method;
    begin_method(L, &method);
    lua_rawgeti(L, method.call.parts, ASTARL_SAVE);
    bool has_save = lua_isfunction(L, -1);
    lua_pop(L, 1);
    end_method(&method, has_save ? astar_world_save(method.core, &method.call) : ASTAR_OK);
    if (!has_save)
        return luaL_error(L, "the world has no function save");
    return 0;
}

// ---- cells ----

// world:get(x, y) --> key, false of solid ground, nil where nothing is loaded
static int world_get(lua_State *L)
{
    astarL_checkworld(L, 1);
    AstarCell at = astarL_checkworldcell(L, 2, "x", "y");
    WorldMethod method;
    int terrain = 0;
    begin_method(L, &method);
    end_method(&method, astar_world_get(method.core, at.x, at.y, &method.call, &terrain));
    if (terrain == 255)
        lua_pushnil(L);
    else if (terrain == 254)
        lua_pushboolean(L, false);
    else
        astarL_pushkey(L, push_palette(L), terrain);
    return 1;
}

// world:set(x, y, key) --> true | nil, "not loaded"
static int world_set(lua_State *L)
{
    astarL_checkworld(L, 1);
    AstarCell at = astarL_checkworldcell(L, 2, "x", "y");
    lua_settop(L, 4);
    int terrain = astarL_checkterrain(L, push_palette(L), 4);
    WorldMethod method;
    begin_method(L, &method);
    AstarStatus status = astar_world_set(method.core, at.x, at.y, terrain, &method.call);
    end_method(&method, status);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    lua_pushboolean(L, true);
    return 1;
}

static int put_blocks_of_world(lua_State *L, bool blocked)
{
    astarL_checkworld(L, 1);
    AstarCell at = astarL_checkworldcell(L, 2, "x", "y");
    int width = 1, height = 1, most = ASTAR_MAX_SIDE;
    if (!lua_isnoneornil(L, 4) || !lua_isnoneornil(L, 5)) {
        width = astarL_checkint(L, 4, 1, most, "w");
        height = astarL_checkint(L, 5, 1, most, "h");
    }
    if ((double)width * height > ASTAR_MAX_CELLS)
        return luaL_error(L, "w * h must be at most %d cells", ASTAR_MAX_CELLS);
    WorldMethod method;
    begin_method(L, &method);
    end_method(&method, astar_world_block(method.core, at.x, at.y, width, height, blocked));
    return 0;
}

// world:block(x, y [, w, h])
static int world_block(lua_State *L)
{
    return put_blocks_of_world(L, true);
}

// world:unblock(x, y [, w, h])
static int world_unblock(lua_State *L)
{
    return put_blocks_of_world(L, false);
}

// world:is_blocked(x, y) --> boolean
static int world_is_blocked(lua_State *L)
{
    const astarL_World *world = astarL_checkworld(L, 1);
    AstarCell at = astarL_checkworldcell(L, 2, "x", "y");
    lua_pushboolean(L, astar_world_is_blocked(world->core, at.x, at.y));
    return 1;
}

// ---- links and walls ----

// world:link(x0, y0, x1, y1 [, {cost =, label =, one_way =}])
static int world_link(lua_State *L)
{
    astarL_checkworld(L, 1);
    AstarCell a = astarL_checkworldcell(L, 2, "x0", "y0");
    AstarCell b = astarL_checkworldcell(L, 4, "x1", "y1");
    if (a.x == b.x && a.y == b.y)
        return luaL_error(L, "a link must join two cells, got (%d, %d) twice", a.x + 1, a.y + 1);
    double cost;
    bool one_way;
    astarL_readlink(L, &cost, &one_way);
    uint32_t label = lua_isnil(L, 8) ? 0 : astarL_addlabel(L, push_palette(L), 8);
    WorldMethod method;
    begin_method(L, &method);
    end_method(&method, astar_world_link(method.core, a.x, a.y, b.x, b.y, cost, label, one_way));
    return 0;
}

// world:unlink(x0, y0, x1, y1 [, one_way]) --> whether there was such a link
static int world_unlink(lua_State *L)
{
    const astarL_World *world = astarL_checkworld(L, 1);
    AstarCell a = astarL_checkworldcell(L, 2, "x0", "y0");
    AstarCell b = astarL_checkworldcell(L, 4, "x1", "y1");
    bool one_way = astarL_checkflag(L, 6, "one_way", false);
    lua_pushboolean(L, astar_world_unlink(world->core, a.x, a.y, b.x, b.y, one_way));
    return 1;
}

// Reads the side of a cell at 4, of those that squares have.
static AstarSide check_world_side(lua_State *L)
{
    int palette = push_palette(L);
    return astarL_checkdirection(L, 4, astarL_checkgrid(L, palette)->core, false);
}

static int change_wall(lua_State *L,
                       AstarStatus change(AstarWorld *, int32_t, int32_t, AstarSide, bool))
{
    astarL_checkworld(L, 1);
    AstarCell at = astarL_checkworldcell(L, 2, "x", "y");
    lua_settop(L, 5);
    AstarSide side = check_world_side(L);
    bool one_way = astarL_checkflag(L, 5, "one_way", false);
    WorldMethod method;
    begin_method(L, &method);
    end_method(&method, change(method.core, at.x, at.y, side, one_way));
    return 0;
}

// world:wall(x, y, direction [, one_way])
static int world_wall(lua_State *L)
{
    return change_wall(L, astar_world_wall);
}

// world:unwall(x, y, direction [, one_way])
static int world_unwall(lua_State *L)
{
    return change_wall(L, astar_world_unwall);
}

// world:has_wall(x, y, direction) --> boolean
static int world_has_wall(lua_State *L)
{
    const astarL_World *world = astarL_checkworld(L, 1);
    AstarCell at = astarL_checkworldcell(L, 2, "x", "y");
    lua_settop(L, 4);
    AstarSide side = check_world_side(L);
    lua_pushboolean(L, astar_world_has_wall(world->core, at.x, at.y, side));
    return 1;
}

// ---- the world as a whole ----

static void set_world_number(lua_State *L, const char *name, lua_Integer value)
{
    lua_pushinteger(L, value);
    lua_setfield(L, -2, name);
}

// world:stats() --> {bytes =, chunks =, squares =, loaded =, saved =, let_go =}
static int world_stats(lua_State *L)
{
    AstarWorldStats stats = astar_world_stats(astarL_checkworld(L, 1)->core);
    lua_createtable(L, 0, 6);
    set_world_number(L, "bytes", (lua_Integer)stats.bytes);
    set_world_number(L, "chunks", (lua_Integer)stats.chunks);
    set_world_number(L, "squares", (lua_Integer)stats.squares);
    set_world_number(L, "loaded", (lua_Integer)stats.loaded);
    set_world_number(L, "saved", (lua_Integer)stats.saved);
    set_world_number(L, "let_go", (lua_Integer)stats.let_go);
    return 1;
}

// world:version() --> how many edits there were
static int world_version(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)astar_world_version(astarL_checkworld(L, 1)->core));
    return 1;
}

static void close_world(lua_State *L, void *object)
{
    (void)L;
    astarL_World *world = object;
    AstarWorld *core = world->core;
    world->core = NULL;
    if (core != NULL)
        astar_world_release(core);
}

static bool tell_world(lua_State *L, const void *object)
{
    const astarL_World *world = object;
    if (world->core != NULL)
        lua_pushfstring(L, "astar world, %d chunks", (int)astar_world_stats(world->core).chunks);
    return world->core != NULL;
}

// core.world(palette, load, save, bytes, unknown, spacing), all checked but for their sense
static int new_world(lua_State *L)
{
    astarL_Grid *palette = astarL_checkgrid(L, 1);
    lua_settop(L, 6);
    AstarWorldOptions options = astar_world_options_default();
    options.load = lua_isnil(L, 2) ? NULL : ask_load;
    options.save = lua_isnil(L, 3) ? NULL : ask_save;
    options.bytes = (size_t)astarL_checkwhole(
        L, 4, ASTAR_WORLD_MIN_BYTES, sizeof(size_t) > 4 ? 9007199254740992.0 : 4294967295.0,
        "bytes");
    options.unknown = astarL_checkcost(L, 5, "unknown");
    int spacing = astarL_checkint(L, 6, 1, ASTAR_CHUNK_SIDE, "spacing");
    astarL_World *world = astarL_newobject(L, ASTARL_WORLD, sizeof *world);
    lua_createtable(L, 3, 0);
    for (int part = ASTARL_PALETTE; part <= ASTARL_SAVE; part++) {
        lua_pushvalue(L, part);
        lua_rawseti(L, -2, part);
    }
    lua_setuservalue(L, -2);
    world->spacing = spacing;
    astarL_checkheld(L, palette->core);
    AstarStatus status = astar_world_new(NULL, palette->core, &options, &world->core);
    if (status == ASTAR_BAD_OPTION)
        return luaL_error(L, "a world holds at most %d terrains", ASTAR_WORLD_MAX_TERRAINS);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    return 1;
}

void astarL_openworld(lua_State *L)
{
    static const astarL_Function methods[] = {
        {"block", world_block, 5},
        {"changed", world_changed, 3},
        {"finder", astarL_world_finder, ASTARL_COUNTS},
        {"get", world_get, 3},
        {"has_wall", world_has_wall, 4},
        {"is_blocked", world_is_blocked, 3},
        {"link", world_link, 6},
        {"put_chunk", world_put_chunk, 4},
        {"save", world_save, 1},
        {"set", world_set, 4},
        {"stats", world_stats, 1},
        {"unblock", world_unblock, 5},
        {"unlink", world_unlink, 6},
        {"unwall", world_unwall, 5},
        {"version", world_version, 1},
        {"wall", world_wall, 5},
        {NULL, NULL, 0},
    };
    static const astarL_Class class = {ASTARL_WORLD, methods, close_world, tell_world,
                                       NULL,         NULL,    NULL};
    static const astarL_Function functions[] = {{"world", new_world, 6}, {NULL, NULL, 0}};
    astarL_setfunctions(L, functions, ASTARL_TYPES);
    astarL_newtype(L, &class);
    astarL_openworldfinder(L);
    astarL_openroutesearch(L);
    astarL_openroute(L);
}
