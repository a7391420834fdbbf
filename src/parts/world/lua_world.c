// lua_world.c -- the Lua objects of worlds. Functions of the script load and save the chunks of a
// world.

#include "parts/world/lua_world.h"

#include "binding/lua_blocks.h"
#include "binding/lua_gc_account.h"
#include "binding/lua_keys.h"
#include "binding/lua_options.h"
#include "binding/lua_shape.h"
#include "binding/lua_util.h"
#include "parts/world/lua_route.h"

#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------
// The functions below read and push the cells of a chunk. In Lua they are 4096 keys in one string
// or list, or 64 rows of 64 keys.
// ------------------------------------------------------------------------------------------------

enum { CHUNK_ROWS = ASTAR_CHUNK_SIDE, CHUNK_CELLS = CHUNK_ROWS * CHUNK_ROWS };

// Reads the cells of a chunk from a list of 4096 keys or 64 rows.
static void read_chunk_list(lua_State *L, astarL_KeyReader *chunk, int list)
{
    const char *stray;
    size_t length = astarL_lengthof(L, list, &stray);
    if (stray != NULL)
        luaL_error(L, "%scells are counted from 1, got an entry [%s]", chunk->what, stray);
    if (length != CHUNK_ROWS && length != CHUNK_CELLS)
        luaL_error(L, "%sexpected 4096 keys or 64 rows, got %d", chunk->what, (int)length);
    if (length == CHUNK_CELLS)
        astarL_readlist(L, chunk, 0, list, CHUNK_CELLS);
    for (int row = 0; length == CHUNK_ROWS && row < CHUNK_ROWS; row++) {
        lua_rawgeti(L, list, row + 1);
        astarL_readrow(L, chunk, row * CHUNK_ROWS);
        lua_pop(L, 1);
    }
}

// Reads the cells of a chunk from the string at 'arg', which holds the keys of all cells.
static void read_chunk_text(lua_State *L, astarL_KeyReader *chunk, int arg)
{
    size_t length;
    const char *text = lua_tolstring(L, arg, &length);
    size_t count = astarL_countcharacters(text, length);
    if (count != CHUNK_CELLS)
        luaL_error(L, "%sexpected 4096 keys, got %s", chunk->what,
                   count < CHUNK_CELLS ? "fewer" : "more");
    astarL_readtext(L, chunk, 0, text, length);
}

bool astarL_readchunk(lua_State *L, int arg, int palette, const char *what,
                      uint8_t cells[ASTAR_CHUNK_SIDE * ASTAR_CHUNK_SIDE])
{
    if (lua_isboolean(L, arg) && !lua_toboolean(L, arg))
        return false;
    bool is_text = lua_type(L, arg) == LUA_TSTRING;
    if (!is_text && !lua_istable(L, arg))
        luaL_error(L, "%s: expected 4096 keys or 64 rows, or false, got %s", what,
                   astarL_describe(L, arg));
    luaL_checkstack(L, 9, NULL);
    what = lua_pushfstring(L, "%s: ", what);
    astarL_pushkeys(L, palette, ASTARL_TERRAINS);
    const astarL_Grid *grid = lua_touserdata(L, palette);
    astarL_KeyReader chunk = {.core = grid->core,
                              .terrains = lua_gettop(L),
                              .width = CHUNK_ROWS,
                              .what = what,
                              .takes_false = true,
                              .cells = cells};
    if (is_text)
        read_chunk_text(L, &chunk, arg);
    else
        read_chunk_list(L, &chunk, arg);
    lua_pop(L, 2);
    return true;
}

bool astarL_issaved(lua_State *L, int arg)
{
    static const char mark[] = "astar chunk ";
    size_t length = 0;
    const char *text = lua_type(L, arg) == LUA_TSTRING ? lua_tolstring(L, arg, &length) : NULL;
    return length >= sizeof mark - 1 && memcmp(text, mark, sizeof mark - 1) == 0;
}

void astarL_pushchunk(lua_State *L, int palette, const uint8_t *cells)
{
    luaL_checkstack(L, 8, NULL);
    lua_createtable(L, CHUNK_CELLS, 0);
    astarL_pushkeys(L, palette, ASTARL_KEYS);
    for (int i = 0; i < CHUNK_CELLS; i++) {
        if (cells[i] == ASTARL_SOLID)
            lua_pushboolean(L, false);
        else
            lua_rawgeti(L, -1, cells[i] + 1);
        lua_rawseti(L, -3, i + 1);
    }
    lua_pop(L, 1);
}

// ------------------------------------------------------------------------------------------------
// The functions below begin and end calls in which chunks may be loaded and saved.
//
// The core calls the script's functions in the middle of its work. Therefore these functions run in
// protected mode, and their errors are raised when the core has returned. No other code that runs
// inside the core allocates Lua memory.
// ------------------------------------------------------------------------------------------------

// The arguments and results of one call of the script's function 'load' or 'save'.
typedef struct ChunkCall {
    int32_t cx, cy;
    uint8_t *cells;
    const uint8_t *edited; // terrains to be saved; NULL: the chunk is to be loaded
    AstarChunkState state;
    AstarWorld *core;
} ChunkCall;

// Stack indices in load_protected. The indices are those of the world's uservalue, of the value
// that 'load' returned, and of the blocks and walls of a saved chunk.
enum { OF_WORLD = 1, GIVEN_KEYS = 4, GIVEN_THINGS = 7 };

// Reads a string that world:save has returned for a chunk. Replaces the string by the keys of the
// chunk. Pushes the keys, the blocks and walls, and the links. The links are added to the world at
// the end of the call, because adding them in the middle of a search would be an edit of the world.
static void open_saved(lua_State *L, const ChunkCall *call, const char *what)
{
    astarL_pushhelper(L, "world.chunk");
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

// load_protected(uservalue of the world, ChunkCall): calls the script's function 'load' and reads
// its result.
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

// save_protected(uservalue of the world, ChunkCall): calls the script's function 'save'.
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

AstarStatus astarL_call_load(void *context, int32_t cx, int32_t cy, uint8_t *terrains,
                             AstarChunkState *state)
{
    astarL_WorldCall *call = context;
    ChunkCall chunk = {.cx = cx, .cy = cy, .cells = terrains, .core = call->core};
    AstarStatus status = call_script(call, &chunk, call->parts + 2);
    *state = chunk.state;
    return status;
}

AstarStatus astarL_call_save(void *context, int32_t cx, int32_t cy, const uint8_t *terrains)
{
    astarL_WorldCall *call = context;
    ChunkCall chunk = {.cx = cx, .cy = cy, .edited = terrains};
    return call_script(call, &chunk, call->parts + 3);
}

static void raise_world_fault(lua_State *L, AstarStatus status)
{
    if (status == ASTAR_GRID_CHANGED)
        luaL_error(L, "the callbacks load and save must not edit or query the world");
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

// Adds the links that came with the chunks loaded in a call. The links are added at the end of the
// call, because adding them in the middle of a search would be an edit.
static void make_links(lua_State *L, int parts, int world)
{
    lua_rawgeti(L, parts, ASTARL_TO_LINK);
    if (lua_istable(L, -1)) {
        lua_pushnil(L);
        lua_rawseti(L, parts, ASTARL_TO_LINK);
        astarL_pushhelper(L, "world.chunk");
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
    astarL_accountgrowth(L, &world->bytes, bytes, is_owed);
}

AstarCell astarL_checkworldcell(lua_State *L, int arg, const char *x_name, const char *y_name)
{
    int most = ASTAR_WORLD_REACH;
    int x = astarL_checkint(L, arg, 1 - most, most, x_name);
    int y = astarL_checkint(L, arg + 1, 1 - most, most, y_name);
    return (AstarCell){x - 1, y - 1};
}

// ------------------------------------------------------------------------------------------------
// The functions below are the methods of worlds in Lua.
// ------------------------------------------------------------------------------------------------

// The functions below begin and end the calls of methods.

// A call of a method of the world at index 1. The world is retained during the call.
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

// Loads the chunk that contains a cell.
static AstarStatus load_chunk_at(WorldMethod *method, AstarCell at)
{
    return astar_world_load(method->core, at.x, at.y, 1, 1, &method->call);
}

// Ends a call of a method. Raises an error if 'status' is neither ASTAR_OK nor ASTAR_NOT_LOADED.
static void end_method(WorldMethod *method, AstarStatus status)
{
    astar_world_release(method->core);
    if (status != ASTAR_NOT_LOADED)
        astarL_checkworldstatus(&method->call, status);
    astarL_endworldcall(&method->call, 1, false);
}

// Ends a call of a method that edits the world. Pushes true if 'status' is ASTAR_OK, otherwise nil
// and "not loaded".
static int end_edit(lua_State *L, WorldMethod *method, AstarStatus status)
{
    end_method(method, status);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    lua_pushboolean(L, true);
    return 1;
}

// Pushes the palette of the world at index 1. Returns the stack index of the palette.
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

// The methods below put, forget and save chunks.

// world:put_chunk(cx, cy, keys | string | false): gives the world the cells of a chunk, as keys or
// as a string that world:save returned. If false is given, all cells are solid.
static int world_put_chunk(lua_State *L)
{
    astarL_checkworld(L, 1);
    AstarCell at = check_chunk(L);
    lua_settop(L, 4);
    if (astarL_issaved(L, 4))
        return astarL_askhelper(L, "world.chunk", "put");
    uint8_t *cells = lua_newuserdata(L, ASTAR_CHUNK_SIDE * ASTAR_CHUNK_SIDE);
    int palette = push_palette(L);
    bool is_solid = !astarL_readchunk(L, 4, palette, "keys", cells);
    WorldMethod method;
    begin_method(L, &method);
    end_method(&method,
               astar_world_put(method.core, at.x, at.y, is_solid ? NULL : cells, &method.call));
    return 0;
}

// world:forget_chunk(cx, cy): the chunk has changed outside of the world, so the world loads it
// again
static int forget_chunk(lua_State *L)
{
    astarL_checkworld(L, 1);
    AstarCell at = check_chunk(L);
    WorldMethod method;
    begin_method(L, &method);
    end_method(&method, astar_world_changed(method.core, at.x, at.y));
    return 0;
}

// world:save(): calls the script's function 'save' for all edited chunks
//
// world:save(cx, cy) --> string | nil, "not loaded"
static int world_save(lua_State *L)
{
    WorldMethod method;
    if (!lua_isnoneornil(L, 2) || !lua_isnoneornil(L, 3)) {
        astarL_checkworld(L, 1);
        check_chunk(L);
        return astarL_askhelper(L, "world.chunk", "save");
    }
    begin_method(L, &method);
    lua_rawgeti(L, method.call.parts, ASTARL_SAVE);
    bool has_save = lua_isfunction(L, -1);
    lua_pop(L, 1);
    end_method(&method, has_save ? astar_world_save(method.core, &method.call) : ASTAR_OK);
    if (!has_save)
        return luaL_error(L, "the world has no function save");
    return 0;
}

// The methods below read and edit cells.

// Loads the chunk of a cell and writes the terrain of the cell to '*terrain'. Returns the world.
static AstarWorld *look_at_cell(lua_State *L, AstarCell at, uint8_t *terrain)
{
    WorldMethod method;
    begin_method(L, &method);
    end_method(&method, astar_world_get(method.core, at.x, at.y, &method.call, terrain));
    return astarL_checkworld(L, 1)->core;
}

// world:get(x, y) --> key, false for solid ground, nil if the chunk is absent
static int world_get(lua_State *L)
{
    astarL_checkworld(L, 1);
    AstarCell at = astarL_checkworldcell(L, 2, "x", "y");
    uint8_t terrain = 0;
    look_at_cell(L, at, &terrain);
    if (terrain == 255)
        lua_pushnil(L);
    else if (terrain == 254)
        lua_pushboolean(L, false);
    else
        astarL_pushkey(L, push_palette(L), terrain);
    return 1;
}

// world:is_walkable(x, y) --> boolean, nil if the chunk is absent
static int world_is_walkable(lua_State *L)
{
    astarL_checkworld(L, 1);
    AstarCell at = astarL_checkworldcell(L, 2, "x", "y");
    uint8_t terrain = 0;
    bool is_blocked = astar_world_is_blocked(look_at_cell(L, at, &terrain), at.x, at.y);
    const AstarGrid *palette = astarL_checkgrid(L, push_palette(L))->core;
    lua_pushboolean(L, terrain < 254 && !is_blocked && !isinf(astar_grid_cost(palette, terrain)));
    if (terrain == 255)
        lua_pushnil(L);
    return 1;
}

// Returns the rectangle at index 2 to 5. If 'is_cell' is true, returns the single cell at index 2
// and 3 as a rectangle.
static AstarRectangle check_rectangle(lua_State *L, bool is_cell)
{
    AstarCell at = astarL_checkworldcell(L, 2, "x", "y");
    AstarRectangle rect = {at.x, at.y, 1, 1};
    if (!is_cell) {
        rect.width = astarL_checkint(L, 4, 1, ASTAR_MAX_SIDE, "w");
        rect.height = astarL_checkint(L, 5, 1, ASTAR_MAX_SIDE, "h");
    }
    if ((double)rect.width * rect.height > ASTAR_MAX_CELLS)
        luaL_error(L, "w * h must be at most %d cells", ASTAR_MAX_CELLS);
    return rect;
}

// world:set(x, y, key) --> true | nil, "not loaded"
// world:fill(x, y, w, h, key) --> true | nil, "not loaded"
static int lay_terrain(lua_State *L)
{
    int key = astarL_iscalled(L, "set") ? 4 : 6;
    astarL_checkworld(L, 1);
    AstarRectangle rect = check_rectangle(L, key == 4);
    lua_settop(L, key);
    int terrain = astarL_checkterrain(L, push_palette(L), key);
    WorldMethod method;
    begin_method(L, &method);
    AstarStatus status = astar_world_fill(method.core, rect.x, rect.y, rect.width, rect.height,
                                          terrain, &method.call);
    return end_edit(L, &method, status);
}

// world:block(x, y [, w, h]) --> true | nil, "not loaded"
// world:unblock(x, y [, w, h]) --> true | nil, "not loaded"
static int put_blocks_of_world(lua_State *L)
{
    bool blocked = astarL_iscalled(L, "block");
    astarL_checkworld(L, 1);
    AstarRectangle rect = check_rectangle(L, lua_isnoneornil(L, 4) && lua_isnoneornil(L, 5));
    WorldMethod method;
    begin_method(L, &method);
    AstarStatus status = astar_world_load(method.core, rect.x, rect.y, rect.width, rect.height,
                                          &method.call);
    if (status == ASTAR_OK)
        status = astar_world_block(method.core, rect.x, rect.y, rect.width, rect.height, blocked);
    return end_edit(L, &method, status);
}

// world:is_blocked(x, y) --> boolean
static int world_is_blocked(lua_State *L)
{
    astarL_checkworld(L, 1);
    AstarCell at = astarL_checkworldcell(L, 2, "x", "y");
    uint8_t unused;
    lua_pushboolean(L, astar_world_is_blocked(look_at_cell(L, at, &unused), at.x, at.y));
    return 1;
}

// The methods below add and remove links and walls.

// Loads the chunks at both ends of a link, and adds the links that came with these chunks. If
// memory is short, loading the second chunk may unload the first one. Therefore a chunk is loaded
// again when its end of the link is edited.
static AstarStatus load_ends(lua_State *L, AstarCell a, AstarCell b, bool one_way)
{
    WorldMethod method;
    begin_method(L, &method);
    AstarStatus status = one_way ? ASTAR_OK : load_chunk_at(&method, b);
    if (status == ASTAR_OK)
        status = load_chunk_at(&method, a);
    end_method(&method, status);
    return status;
}

// Adds a link and, unless it is one-way, the link back. If the link back cannot be added, the first
// one is removed.
static AstarStatus lay_link(WorldMethod *method, AstarCell a, AstarCell b, AstarLink as,
                            bool one_way)
{
    AstarWorld *core = method->core;
    AstarStatus status = astar_world_link(core, a.x, a.y, b.x, b.y, as.cost, as.label, true);
    if (status != ASTAR_OK || one_way)
        return status;
    status = load_chunk_at(method, b);
    if (status == ASTAR_OK)
        status = astar_world_link(core, b.x, b.y, a.x, a.y, as.cost, as.label, true);
    if (status != ASTAR_OK)
        astar_world_unlink(core, a.x, a.y, b.x, b.y, true);
    return status;
}

// world:link(x0, y0, x1, y1 [, {cost =, label =, one_way =}]) --> true | nil, "not loaded"
//
// core.link_come(world, x0, y0, x1, y1, options, true): adds a link that came with a loaded chunk.
// The chunk may be unloaded by now.
static int world_link(lua_State *L)
{
    bool has_come = lua_toboolean(L, 7);
    astarL_checkworld(L, 1);
    AstarCell a = astarL_checkworldcell(L, 2, "x0", "y0");
    AstarCell b = astarL_checkworldcell(L, 4, "x1", "y1");
    if (a.x == b.x && a.y == b.y)
        return luaL_error(L, "a link must join two cells, got (%d, %d) twice", a.x + 1, a.y + 1);
    double cost = 1;
    bool one_way, has_label = astarL_readlink(L, 6, ASTAR_COST_MAX, &cost, &one_way);
    uint32_t label = has_label ? astarL_addlabel(L, push_palette(L), 7) : 0;
    AstarStatus status = has_come ? ASTAR_OK : load_ends(L, a, b, one_way);
    WorldMethod method;
    begin_method(L, &method);
    if (status == ASTAR_OK)
        status = lay_link(&method, a, b, (AstarLink){.cost = cost, .label = label}, one_way);
    return end_edit(L, &method, status);
}

// world:unlink(x0, y0, x1, y1 [, one_way])
//   --> true if there was such a link | nil, "not loaded"
static int world_unlink(lua_State *L)
{
    astarL_checkworld(L, 1);
    AstarCell a = astarL_checkworldcell(L, 2, "x0", "y0");
    AstarCell b = astarL_checkworldcell(L, 4, "x1", "y1");
    bool one_way = astarL_checkflag(L, 6, "one_way", false);
    AstarStatus status = load_ends(L, a, b, one_way);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    bool there = astar_world_unlink(astarL_checkworld(L, 1)->core, a.x, a.y, b.x, b.y, true);
    if (!one_way && load_ends(L, b, a, true) == ASTAR_OK)
        there |= astar_world_unlink(astarL_checkworld(L, 1)->core, b.x, b.y, a.x, a.y, true);
    lua_pushboolean(L, there);
    return 1;
}

// Reads the name of a side of a square cell at index 4.
static AstarSide check_world_side(lua_State *L)
{
    AstarGrid *core = astarL_checkgrid(L, push_palette(L))->core;
    return astarL_checkdirection(L, 4, core, false, "direction");
}

// Loads the chunk of a cell. Unless the wall is one-way, also loads the chunk of the neighbour on
// the given side.
static AstarStatus load_sides(WorldMethod *method, AstarCell at, AstarSide side, bool one_way)
{
    int dx = (side == ASTAR_SIDE_EAST) - (side == ASTAR_SIDE_WEST), x = at.x + dx;
    int dy = (side == ASTAR_SIDE_SOUTH) - (side == ASTAR_SIDE_NORTH), y = at.y + dy;
    const int end = ASTAR_WORLD_REACH;
    if (one_way || x < -end || y < -end || x == end || y == end)
        return load_chunk_at(method, at);
    return astar_world_load(method->core, dx < 0 ? x : at.x, dy < 0 ? y : at.y, dx != 0 ? 2 : 1,
                            dy != 0 ? 2 : 1, &method->call);
}

// world:wall(x, y, direction [, one_way]) --> true | nil, "not loaded"
// world:unwall(x, y, direction [, one_way]) --> true | nil, "not loaded"
static int change_wall(lua_State *L)
{
    bool is_wall = astarL_iscalled(L, "wall");
    astarL_checkworld(L, 1);
    AstarCell at = astarL_checkworldcell(L, 2, "x", "y");
    lua_settop(L, 5);
    AstarSide side = check_world_side(L);
    bool one_way = astarL_checkflag(L, 5, "one_way", false);
    WorldMethod method;
    begin_method(L, &method);
    AstarStatus status = load_sides(&method, at, side, one_way);
    if (status == ASTAR_OK)
        status = (is_wall ? astar_world_wall : astar_world_unwall)(method.core, at.x, at.y, side,
                                                                   one_way);
    return end_edit(L, &method, status);
}

// world:has_wall(x, y, direction) --> boolean
static int world_has_wall(lua_State *L)
{
    astarL_checkworld(L, 1);
    AstarCell at = astarL_checkworldcell(L, 2, "x", "y");
    lua_settop(L, 4);
    AstarSide side = check_world_side(L);
    uint8_t unused;
    lua_pushboolean(L, astar_world_has_wall(look_at_cell(L, at, &unused), at.x, at.y, side));
    return 1;
}

// The functions below concern a world as a whole: facts about it, and functions for the Lua files
// of the part.

// world:stats() --> {bytes =, chunks =, squares =, loaded =, saved =, unloaded =}
static int world_stats(lua_State *L)
{
    AstarWorldStats stats = astar_world_stats(astarL_checkworld(L, 1)->core);
    lua_createtable(L, 0, 6);
    astarL_setinteger(L, "bytes", (lua_Integer)stats.bytes);
    astarL_setinteger(L, "chunks", (lua_Integer)stats.chunks);
    astarL_setinteger(L, "squares", (lua_Integer)stats.squares);
    astarL_setinteger(L, "loaded", (lua_Integer)stats.loaded);
    astarL_setinteger(L, "saved", (lua_Integer)stats.saved);
    astarL_setinteger(L, "unloaded", (lua_Integer)stats.unloaded);
    return 1;
}

// world:version() --> number of edits of the world
ASTARL_TELLS(world_version, astarL_checkworld, astar_world_version)

ASTARL_RELEASE(release_world, astar_world_release)

// core.world(palette, load, save, bytes, unknown, spacing) --> world
//
// The types of the arguments were checked by lua/astar/world/world.lua.
static int new_world(lua_State *L)
{
    astarL_Grid *palette = astarL_checkgrid(L, 1);
    lua_settop(L, 6);
    AstarWorldOptions options = astar_world_options_default();
    options.load = lua_isnil(L, 2) ? NULL : astarL_call_load;
    options.save = lua_isnil(L, 3) ? NULL : astarL_call_save;
    options.bytes = (size_t)astarL_checkwhole(
        L, 4, ASTAR_WORLD_MIN_BYTES, sizeof(size_t) > 4 ? 9007199254740992.0 : 4294967295.0,
        "bytes");
    options.unknown = astarL_checkcost(L, 5, "unknown");
    int spacing = astarL_checkint(L, 6, 1, ASTAR_CHUNK_SIDE, "spacing");
    astarL_World *world = astarL_newobject(L, ASTARL_WORLD, sizeof *world);
    astarL_setparts(L, lua_gettop(L), (const int[]){1, 2, 3}, ASTARL_SAVE);
    world->spacing = spacing;
    astarL_checkheld(L, palette->core);
    AstarStatus status = astar_world_new(NULL, palette->core, &options, &world->core);
    if (status == ASTAR_BAD_OPTION)
        return luaL_error(L, "a world holds at most %d terrains", ASTAR_WORLD_MAX_TERRAINS);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    return 1;
}

// core.wanted_of(world) --> flat list that holds cx, cy and priority of each absent chunk
static int wanted_of_world(lua_State *L)
{
    const astarL_World *world = astarL_checkworld(L, 1);
    size_t room = astar_world_wanted(world->core, NULL, 0);
    AstarWanted *list = lua_newuserdata(L, (room + 1) * sizeof *list);
    astarL_checkheld(L, world->core);
    size_t count = astar_world_wanted(world->core, list, room);
    // The number of wanted chunks may have grown since 'room' was computed.
    count = count < room ? count : room;
    lua_newtable(L);
    for (size_t i = 0; i < count; i++) {
        int at = (int)(3 * i);
        lua_pushinteger(L, list[i].cx);
        lua_rawseti(L, -2, at + 1);
        lua_pushinteger(L, list[i].cy);
        lua_rawseti(L, -2, at + 2);
        lua_pushnumber(L, list[i].wish);
        lua_rawseti(L, -2, at + 3);
    }
    return 1;
}

// core.links_of(world [, x, y, side]) --> palette, flat list
//
// The list has six entries for each link: x0, y0, x1, y1, cost, and label or false. It holds the
// links that begin in a square of cells whose north-west cell is (x, y).
static int links_of_world(lua_State *L)
{
    enum { FIELDS = 6 };
    astarL_checkworld(L, 1);
    const double most = ASTAR_WORLD_REACH;
    double x = luaL_optnumber(L, 2, -most), y = luaL_optnumber(L, 3, -most);
    double side = luaL_optnumber(L, 4, 3 * most);
    int at = 0;
    lua_settop(L, 1);
    astarL_pushkeys(L, push_palette(L), ASTARL_LABELS);
    lua_newtable(L);
    uint32_t count; // 'links' stays valid, because nothing below allocates or frees links
    const AstarLink *links = astar_world_links(astarL_checkworld(L, 1)->core, &count);
    for (uint32_t i = 0; i < count; i++) {
        const lua_Number link[] = {links[i].x0 + 1, links[i].y0 + 1, links[i].x1 + 1,
                                   links[i].y1 + 1, links[i].cost};
        if (!(link[0] >= x && link[1] >= y && link[0] - x < side && link[1] - y < side))
            continue;
        for (int k = 0; k < FIELDS - 1; k++) {
            lua_pushnumber(L, link[k]);
            lua_rawseti(L, -2, ++at);
        }
        if (links[i].label == 0)
            lua_pushboolean(L, false);
        else
            lua_rawgeti(L, -2, (int)links[i].label);
        lua_rawseti(L, -2, ++at);
    }
    lua_remove(L, -2);
    return 2;
}

// core.chunk_of(world, cx, cy) --> list of keys, string of blocks and walls | nothing if the chunk
// is absent
static int chunk_of_world(lua_State *L)
{
    enum { SIDE = ASTAR_CHUNK_SIDE, CELLS = SIDE * SIDE };
    astarL_checkworld(L, 1);
    AstarCell at = check_chunk(L);
    int palette = push_palette(L);
    uint8_t *cells = lua_newuserdata(L, CELLS);
    WorldMethod method;
    begin_method(L, &method);
    end_method(&method, astar_world_read(method.core, at.x * SIDE, at.y * SIDE, SIDE, SIDE,
                                         &method.call, cells));
    if (cells[0] == 255)
        return 0;
    for (int i = 0; i < CELLS; i++)
        cells[i] = cells[i] == 254 ? ASTARL_SOLID : cells[i];
    astarL_pushchunk(L, palette, cells);
    astar_world_furniture(astarL_checkworld(L, 1)->core, at.x, at.y, cells);
    lua_pushlstring(L, (const char *)cells, CELLS);
    return 2;
}

// Copies the blocks and walls of one cell of a world to a cell of a grid. The bits of 'stands'
// describe them.
static AstarStatus furnish_cell(AstarGrid *grid, int x, int y, uint8_t stands)
{
    AstarStatus status = (stands & 2) != 0 ? astar_grid_block(grid, x, y, 1, 1) : ASTAR_OK;
    for (int side = 0; side < 8 && status == ASTAR_OK; side += 2)
        if ((stands >> side & 1) != 0)
            status = astar_grid_wall(grid, x, y, (AstarSide)side, true);
    return status;
}

// core.lay_window(world, x, y, w, h, grid, rock): copies the cells of one chunk that lie in a
// rectangle to a grid. Solid cells and absent chunks become the terrain 'rock'.
static int lay_window(lua_State *L)
{
    enum { SIDE = ASTAR_CHUNK_SIDE, GRID = 6, ROCK, PALETTE };
    uint8_t kinds[256], cells[SIDE * SIDE], stands[SIDE * SIDE];
    astarL_checkworld(L, 1);
    AstarRectangle r = check_rectangle(L, false);
    const astarL_Grid *grid = astarL_checkgrid(L, GRID);
    memset(kinds, astarL_checkterrain(L, GRID, ROCK), sizeof kinds);
    push_palette(L);
    int count = astar_grid_terrain_count(astarL_checkgrid(L, PALETTE)->core);
    for (int i = 0; i < count; i++, lua_settop(L, PALETTE)) {
        astarL_pushkey(L, PALETTE, i);
        kinds[i] = (uint8_t)astarL_checkterrain(L, GRID, PALETTE + 1);
    }
    int column = r.x & (SIDE - 1), row = r.y & (SIDE - 1), x = r.x + 1 - grid->x0;
    int y = r.y + 1 - grid->y0, width = r.width < SIDE - column ? r.width : SIDE - column;
    int height = r.height < SIDE - row ? r.height : SIDE - row;
    WorldMethod method;
    begin_method(L, &method);
    AstarStatus status = astar_world_read(method.core, r.x, r.y, width, height, &method.call,
                                          cells);
    astar_world_furniture(method.core, (r.x - column) / SIDE, (r.y - row) / SIDE, stands);
    end_method(&method, status);
    // The grid is checked again, because 'load' may have closed it.
    AstarGrid *core = astarL_checkgrid(L, GRID)->core;
    for (int i = 0; i < width * height && status == ASTAR_OK; i++)
        cells[i] = kinds[cells[i]];
    if (status == ASTAR_OK)
        status = astar_grid_set_cells(core, x, y, width, height, cells);
    for (int i = 0; i < width * height && status == ASTAR_OK; i++)
        status = furnish_cell(core, x + i % width, y + i / width,
                              stands[(row + i / width) * SIDE + column + i % width]);
    return status == ASTAR_OK ? 0 : astarL_fail(L, status);
}

// world:wanted([most]) --> list of {cx =, cy =}
// world:window(x, y, w, h) --> grid
static int world_by_lua(lua_State *L)
{
    return astarL_answerby(L, "world.window");
}

// core.part_of(finder, 1) --> world
// core.part_of(finder, 2) --> a finder of the palette
// core.part_of(route, 1) --> finder
static int push_part(lua_State *L)
{
    astarL_pushpart(L, 1, (int)lua_tointeger(L, 2), LUA_TUSERDATA);
    return 1;
}

static const astarL_Function world_methods[] = {
    {"block", 5, put_blocks_of_world},
    {"forget_chunk", 3, forget_chunk},
    {"fill", 6, lay_terrain},
    {"finder", ASTARL_COUNTS, astarL_world_finder},
    {"get", 3, world_get},
    {"has_wall", 4, world_has_wall},
    {"is_blocked", 3, world_is_blocked},
    {"is_walkable", 3, world_is_walkable},
    {"link", 6, world_link},
    {"put_chunk", 4, world_put_chunk},
    {"save", 3, world_save},
    {"set", 4, lay_terrain},
    {"stats", 1, world_stats},
    {"unblock", 5, put_blocks_of_world},
    {"unlink", 6, world_unlink},
    {"unwall", 5, change_wall},
    {"version", 1, world_version},
    {"wall", 5, change_wall},
    {"wanted", 2, world_by_lua},
    {"window", 5, world_by_lua},
    {"", 0, NULL},
};

const astarL_Class astarL_worldclass = {
    .type = ASTARL_WORLD, .methods = world_methods, .release = release_world};

void astarL_openworld(lua_State *L)
{
    static const astarL_Function functions[] = {{"add_goal", 4, astarL_route_add_goal},
                                                {"chunk_of", 3, chunk_of_world},
                                                {"count_from_corner", 2, astarL_route_corner},
                                                {"hurry_route", 1, astarL_route_hurry},
                                                {"links_of", 4, links_of_world},
                                                {"lay_window", 7, lay_window},
                                                {"link_come", 7, world_link},
                                                {"raise_weight", 2, astarL_route_raise},
                                                {"route_next", 2, astarL_route_next},
                                                {"take_route", 4, astarL_route_take},
                                                {"wanted_of", 1, wanted_of_world},
                                                {"world", 6, new_world},
                                                {"part_of", 2, push_part},
                                                {"", 0, NULL}};
    static const astarL_Class *const classes[] = {&astarL_worldclass, &astarL_worldfinderclass,
                                                  &astarL_routesearchclass, &astarL_routeclass,
                                                  NULL};
    astarL_newtypes(L, classes);
    astarL_setfunctions(L, functions, ASTARL_TYPES);
}
