// lua_dump.c -- grids as strings: grid:dump and astar.load.
//
//     "astar grid 1\n"
//     width, height, x, y of the origin: 4 bytes each, the lowest first
//     terrains: 2 bytes; of each its key (a letter for its type, then 8 bytes of a number, a byte
//         for a boolean, or 4 bytes of length and a string) and 8 bytes of cost
//     the ground: runs of cells of a terrain, the length as a varint and a byte
//     the blocks: lengths of runs, free and blocked in turn, as varints
//     of "astar grid 2\n", written where there are links or walls:
//         the walls: runs of cells with walls on the same sides, the length as a varint and a byte
//             of a bit for each AstarSide
//         the labels: 4 bytes of how many, each like a key
//         the links, one way each and in order: 4 bytes of how many; of each the cells it leads
//             from and to and the number of its label, 4 bytes each, and 8 bytes of cost
//     the 64-bit FNV-1a hash of all before it
//
// The hash tells a string that was cut or altered; every count is checked all the same, so that
// not even a forged string can do more than fail. Of a string's few bytes each run may stand for
// millions of cells: how many a grid may have is the caller's to say, and both ways go run by run.

#include "binding/lua_keys.h"

#include "map/links_and_walls.h"

#include <math.h>
#include <string.h>

static const char heading[] = "astar grid 1\n";
static const char edges_heading[] = "astar grid 2\n";

enum { HEADING = sizeof heading - 1, SIDES = 0x55, MOST_CELLS = 1 << 24 }; // unless told otherwise

static uint64_t hash(const char *data, size_t length)
{
    uint64_t value = 0xCBF29CE484222325u;
    for (size_t i = 0; i < length; i++)
        value = (value ^ (unsigned char)data[i]) * 0x100000001B3u;
    return value;
}

// ---- writing ----

static void add_bytes(luaL_Buffer *buffer, uint64_t value, int count)
{
    for (int i = 0; i < count; i++, value >>= 8)
        luaL_addchar(buffer, (char)(value & 0xFF));
}

static void add_double(luaL_Buffer *buffer, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    add_bytes(buffer, bits, 8);
}

static void add_varint(luaL_Buffer *buffer, uint32_t value)
{
    for (; value >= 0x80; value >>= 7)
        luaL_addchar(buffer, (char)((value & 0x7F) | 0x80));
    luaL_addchar(buffer, (char)value);
}

// Adds the key at 'key'. A buffer may keep what it holds on the stack, so the key stands below.
static void add_key(lua_State *L, luaL_Buffer *buffer, int key)
{
    size_t length;
    switch (lua_type(L, key)) {
    case LUA_TNUMBER:
        luaL_addchar(buffer, 'n');
        add_double(buffer, lua_tonumber(L, key));
        break;
    case LUA_TBOOLEAN:
        luaL_addchar(buffer, 'b');
        luaL_addchar(buffer, lua_toboolean(L, key) ? '\1' : '\0');
        break;
    case LUA_TSTRING:
        luaL_addchar(buffer, 's');
        lua_tolstring(L, key, &length);
        add_bytes(buffer, length, 4);
        luaL_addlstring(buffer, lua_tostring(L, key), length);
        break;
    default: luaL_error(L, "astar grid has another uservalue than its own");
    }
}

// Adds the runs of a byte for each cell, all of them 0 where 'bytes' is NULL.
static void add_runs(luaL_Buffer *buffer, const uint8_t *bytes, uint32_t cells)
{
    for (uint32_t cell = 0, length; cell < cells; cell += length) {
        length = bytes != NULL ? astar_run_length(bytes + cell, cells - cell) : cells;
        add_varint(buffer, length);
        luaL_addchar(buffer, (char)(bytes != NULL ? bytes[cell] : 0));
    }
}

static void add_blocks(luaL_Buffer *buffer, const AstarGrid *core)
{
    bool blocked = false;
    uint32_t length = 0;
    for (int y = 0; core->blocked.words != NULL && y < core->height; y++)
        for (int x = 0, run; x < core->width; x += run, length += (uint32_t)run) {
            run = astar_bits_run(&core->blocked, x, y, core->width);
            if (astar_bits_get(&core->blocked, x, y) != blocked) {
                add_varint(buffer, length);
                blocked = !blocked;
                length = 0;
            }
        }
    add_varint(buffer, core->blocked.words != NULL ? length : core->cells);
}

// Adds the labels in the table at 'labels', one by one through the place below it.
static void add_labels(lua_State *L, luaL_Buffer *buffer, int labels)
{
    int count = (int)lua_rawlen(L, labels);
    add_bytes(buffer, (uint32_t)count, 4);
    for (int i = 1; i <= count; i++) {
        lua_rawgeti(L, labels, i);
        lua_replace(L, labels - 1);
        add_key(L, buffer, labels - 1);
    }
}

static void add_links(luaL_Buffer *buffer, const AstarGrid *core)
{
    uint32_t count = astar_grid_link_count(core);
    add_bytes(buffer, count, 4);
    for (uint32_t i = 0; i < count; i++) {
        const AstarArc *arc = &core->edges->arcs[i];
        add_bytes(buffer, arc->from, 4);
        add_bytes(buffer, arc->to, 4);
        add_bytes(buffer, arc->label, 4);
        add_double(buffer, arc->cost);
    }
}

// Pushes the string without its hash. The keys stand on the stack from 'keys' on.
static void push_body(lua_State *L, const astarL_Grid *grid, int labels, int keys)
{
    const AstarGrid *core = grid->core;
    bool has_edges = astar_grid_has_edges(core);
    luaL_Buffer buffer;
    luaL_buffinit(L, &buffer);
    luaL_addlstring(&buffer, has_edges ? edges_heading : heading, HEADING);
    add_bytes(&buffer, (uint32_t)core->width, 4);
    add_bytes(&buffer, (uint32_t)core->height, 4);
    add_bytes(&buffer, (uint32_t)grid->x0, 4);
    add_bytes(&buffer, (uint32_t)grid->y0, 4);
    add_bytes(&buffer, (uint32_t)core->terrain_count, 2);
    for (int i = 0; i < core->terrain_count; i++) {
        add_key(L, &buffer, keys + i);
        add_double(&buffer, core->cost[i]);
    }
    add_runs(&buffer, core->ground, core->cells);
    add_blocks(&buffer, core);
    if (has_edges) {
        add_runs(&buffer, astar_grid_has_walls(core) ? core->edges->walls : NULL, core->cells);
        add_labels(L, &buffer, labels);
        add_links(&buffer, core);
    }
    luaL_pushresult(&buffer);
}

// Pushes a copy of the core of the grid at 1: finalizers may edit it while a dump is made.
static const astarL_Grid *push_dumped_copy(lua_State *L)
{
    astarL_Grid *copy = astarL_newobject(L, ASTARL_GRID, sizeof *copy);
    const astarL_Grid *grid = astarL_checkgrid(L, 1);
    copy->x0 = grid->x0;
    copy->y0 = grid->y0;
    if (astar_grid_clone(grid->core, &copy->core) != ASTAR_OK)
        astarL_nomemory(L);
    astarL_charge(L, astar_grid_bytes(copy->core));
    return copy;
}

// grid:dump() --> string
int astarL_grid_dump(lua_State *L)
{
    lua_settop(L, 1);
    const astarL_Grid *copy = push_dumped_copy(L);
    int count = copy->core->terrain_count;
    lua_pushnil(L);
    astarL_pushkeys(L, 1, ASTARL_LABELS);
    astarL_checkstack(L, count + 20);
    for (int i = 0; i < count; i++)
        astarL_pushkey(L, 1, i);
    push_body(L, copy, 4, 5);
    size_t length;
    const char *body = lua_tolstring(L, -1, &length);
    uint64_t value = hash(body, length);
    char bytes[8];
    for (int i = 0; i < 8; i++, value >>= 8)
        bytes[i] = (char)(value & 0xFF);
    lua_pushlstring(L, bytes, sizeof bytes);
    lua_concat(L, 2);
    return 1;
}

// ---- reading ----

typedef struct Reader {
    lua_State *L;
    const char *at, *end;
} Reader;

static void fail(const Reader *reader)
{
    luaL_error(reader->L, "not a grid's dump, or a damaged one");
}

static const char *take_text(Reader *reader, size_t count)
{
    if ((size_t)(reader->end - reader->at) < count)
        fail(reader);
    reader->at += count;
    return reader->at - count;
}

static uint64_t take_bytes(Reader *reader, int count)
{
    const char *bytes = take_text(reader, (size_t)count);
    uint64_t value = 0;
    while (count-- > 0)
        value = value << 8 | (unsigned char)bytes[count];
    return value;
}

static double take_double(Reader *reader)
{
    uint64_t bits = take_bytes(reader, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t take_varint(Reader *reader)
{
    uint32_t value = 0;
    for (unsigned shift = 0; shift < 35; shift += 7) {
        uint32_t byte = (unsigned char)*take_text(reader, 1);
        if (shift == 28 && byte > 0xF)
            break; // more than 32 bits
        value |= (byte & 0x7F) << shift;
        if (byte < 0x80)
            return value;
    }
    fail(reader);
    return 0;
}

static int32_t take_int(Reader *reader, int32_t least, int32_t most)
{
    int32_t value = (int32_t)(uint32_t)take_bytes(reader, 4);
    if (value < least || value > most)
        fail(reader);
    return value;
}

// Pushes a key or label.
static void push_taken(Reader *reader)
{
    lua_State *L = reader->L;
    switch (*take_text(reader, 1)) {
    case 'n': lua_pushnumber(L, take_double(reader)); break;
    case 'b': lua_pushboolean(L, *take_text(reader, 1)); break;
    case 's': {
        size_t length = (size_t)take_bytes(reader, 4);
        lua_pushlstring(L, take_text(reader, length), length);
        break;
    }
    default: fail(reader);
    }
}

// Reads the terrains into the grid at 'self'.
static void read_terrains(Reader *reader, int self)
{
    lua_State *L = reader->L;
    const astarL_Grid *grid = lua_touserdata(L, self);
    int count = (int)take_bytes(reader, 2);
    if (count < 1 || count > ASTAR_MAX_TERRAINS)
        fail(reader);
    for (int i = 0; i < count; i++) {
        push_taken(reader);
        if (!astarL_iskey(L, self + 1))
            fail(reader);
        double cost = take_double(reader);
        if (!astar_is_terrain_cost(cost))
            fail(reader);
        astarL_pushkeys(L, self, ASTARL_TERRAINS);
        if (astarL_findterrain(L, grid->core, self + 2, self + 1) >= 0)
            fail(reader); // twice the same
        lua_settop(L, self + 1);
        astarL_addterrain(L, self, self + 1, cost);
        lua_settop(L, self);
    }
}

typedef struct RunRectangle {
    int x, y, width, height;
} RunRectangle;

// A run of cells is up to three rectangles: the rest of a row, whole rows, the beginning of one.
// Takes the next off the run.
static RunRectangle take_rectangle(const AstarGrid *core, uint32_t *cell, uint32_t *length)
{
    uint32_t width = (uint32_t)core->width, x = *cell % width, y = *cell / width;
    uint32_t rows = x == 0 && *length >= width ? *length / width : 1;
    uint32_t columns = *length < width - x ? *length : width - x;
    *cell += columns * rows;
    *length -= columns * rows;
    return (RunRectangle){(int)x, (int)y, (int)columns, (int)rows};
}

// Takes the length of a run from 'cell' on.
static uint32_t take_length(Reader *reader, const AstarGrid *core, uint32_t cell)
{
    uint32_t length = take_varint(reader);
    if (length > core->cells - cell)
        fail(reader);
    return length;
}

static void read_ground(Reader *reader, AstarGrid *core)
{
    for (uint32_t cell = 0; cell < core->cells;) {
        uint32_t length = take_length(reader, core, cell);
        int terrain = (unsigned char)*take_text(reader, 1);
        if (length == 0 || terrain >= core->terrain_count)
            fail(reader);
        while (length > 0) {
            RunRectangle part = take_rectangle(core, &cell, &length);
            astar_grid_fill(core, part.x, part.y, part.width, part.height, terrain);
        }
    }
}

static void read_blocks(Reader *reader, AstarGrid *core)
{
    bool blocked = false;
    for (uint32_t cell = 0; cell < core->cells; blocked = !blocked) {
        uint32_t length = take_length(reader, core, cell);
        if (length == 0 && cell > 0)
            fail(reader);
        if (!blocked) {
            cell += length;
            continue;
        }
        while (length > 0) {
            RunRectangle part = take_rectangle(core, &cell, &length);
            if (astar_grid_block(core, part.x, part.y, part.width, part.height) != ASTAR_OK)
                astarL_nomemory(reader->L);
        }
    }
}

static void read_walls(Reader *reader, AstarGrid *core)
{
    for (uint32_t cell = 0, length; cell < core->cells; cell += length) {
        length = take_length(reader, core, cell);
        uint8_t sides = (uint8_t)*take_text(reader, 1);
        if (length == 0 || (sides & ~(unsigned)SIDES) != 0)
            fail(reader);
        if (sides != 0 && astar_edges_wall_cells(core, cell, length, sides) != ASTAR_OK)
            astarL_nomemory(reader->L);
    }
}

// Reads the labels into the grid at 'self'; how many there are.
static uint32_t read_labels(Reader *reader, int self)
{
    uint32_t count = (uint32_t)take_bytes(reader, 4);
    for (uint32_t i = 1; i <= count; i++) {
        push_taken(reader);
        if (!astarL_islabel(reader->L, self + 1) || astarL_addlabel(reader->L, self, self + 1) != i)
            fail(reader); // or twice the same
        lua_settop(reader->L, self);
    }
    return count;
}

static void read_links(Reader *reader, AstarGrid *core, uint32_t labels)
{
    uint32_t width = (uint32_t)core->width;
    uint64_t before = 0;
    for (uint32_t count = (uint32_t)take_bytes(reader, 4); count > 0; count--) {
        uint32_t from = (uint32_t)take_bytes(reader, 4), to = (uint32_t)take_bytes(reader, 4);
        uint32_t label = (uint32_t)take_bytes(reader, 4);
        double cost = take_double(reader);
        uint64_t place = (uint64_t)from << 32 | to;
        if (from >= core->cells || to >= core->cells || label > labels || place <= before)
            fail(reader);
        before = place;
        AstarStatus status = astar_grid_link(core, (int)(from % width), (int)(from / width),
                                             (int)(to % width), (int)(to / width), cost, label,
                                             true);
        if (status == ASTAR_NO_MEMORY)
            astarL_nomemory(reader->L);
        if (status != ASTAR_OK)
            fail(reader);
    }
}

// Checks heading and hash, and steps over the heading; '*has_edges' says which it is.
static Reader open_dump(lua_State *L, int arg, bool *has_edges)
{
    size_t length;
    const char *data = lua_tolstring(L, arg, &length);
    Reader reader = {L, data, data + length};
    if (length < HEADING + 8)
        fail(&reader);
    reader.end -= 8;
    Reader tail = {L, reader.end, reader.end + 8};
    const char *found = take_text(&reader, HEADING);
    *has_edges = memcmp(found, edges_heading, HEADING) == 0;
    if ((!*has_edges && memcmp(found, heading, HEADING) != 0) ||
        take_bytes(&tail, 8) != hash(data, length - 8))
        fail(&reader);
    return reader;
}

// How many cells the option of the table at 'options' allows, nil being no table.
static uint32_t most_cells(lua_State *L, int options)
{
    static const char *const names[] = {"max_cells", NULL};
    uint32_t most = MOST_CELLS;
    if (lua_isnil(L, options))
        return most;
    astarL_checkoptions(L, options, names);
    if (astarL_rawfield(L, options, names[0]) != LUA_TNIL)
        most = (uint32_t)astarL_checkint(L, lua_gettop(L), 1, ASTAR_MAX_CELLS, names[0]);
    lua_pop(L, 1);
    return most;
}

// Pushes a grid of the sides and the origin that the dump tells.
static AstarGrid *push_taken_grid(Reader *reader, uint32_t most)
{
    int width = take_int(reader, 1, ASTAR_MAX_SIDE);
    int height = take_int(reader, 1, ASTAR_MAX_SIDE);
    int x0 = take_int(reader, -ASTARL_FARTHEST, ASTARL_FARTHEST);
    int y0 = take_int(reader, -ASTARL_FARTHEST, ASTARL_FARTHEST);
    int64_t cells = (int64_t)width * height;
    if (cells > ASTAR_MAX_CELLS)
        fail(reader);
    if (cells > most)
        luaL_error(reader->L, "a dump of %d x %d cells: more than the option max_cells, %d", width,
                   height, (int)most);
    return astarL_pushgrid(reader->L, width, height, x0, y0)->core;
}

// astar.load(string [, { max_cells = }]) --> grid
int astarL_load(lua_State *L)
{
    enum { LOAD_OPTIONS = 2, LOADED_GRID };
    if (lua_type(L, 1) != LUA_TSTRING)
        return luaL_error(L, "a grid's dump expected, got %s", astarL_describe(L, 1));
    lua_settop(L, LOAD_OPTIONS);
    uint32_t most = most_cells(L, LOAD_OPTIONS);
    bool has_edges;
    Reader reader = open_dump(L, 1, &has_edges);
    AstarGrid *core = push_taken_grid(&reader, most);
    read_terrains(&reader, LOADED_GRID);
    read_ground(&reader, core);
    read_blocks(&reader, core);
    if (has_edges) {
        read_walls(&reader, core);
        uint32_t labels = read_labels(&reader, LOADED_GRID);
        read_links(&reader, core, labels);
    }
    if (reader.at != reader.end)
        fail(&reader);
    astarL_charge(L, astar_grid_bytes(core));
    return 1;
}
