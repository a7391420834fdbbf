// lua_chunk.c -- the cells of a chunk as scripts have them: 4096 keys, be it in one string, or 64
// rows of 64.

#include "binding/lua_keys.h"
#include "binding/lua_world.h"

#include <string.h>

enum { CHUNK_ROWS = ASTAR_CHUNK_SIDE, CHUNK_CELLS = CHUNK_ROWS * CHUNK_ROWS, SOLID_CELL = 255 };

// A chunk being read.
typedef struct ChunkReader {
    const AstarGrid *core; // of the palette
    int palette, terrains; // where they stand
    const char *what;
    uint8_t *cells;
    int16_t known[128]; // what characters of one byte stand for; -1: not read yet
} ChunkReader;

static void unknown_chunk_cell(lua_State *L, const ChunkReader *chunk, int key, int at)
{
    luaL_error(L, "%s: unknown terrain %s at row %d, column %d%s", chunk->what,
               astarL_describe(L, key), at / CHUNK_ROWS + 1, at % CHUNK_ROWS + 1,
               astarL_cureofkey(L, key));
}

// Reads the key on the top; false stands for what nothing can enter.
static void read_chunk_cell(lua_State *L, const ChunkReader *chunk, int at)
{
    int key = lua_gettop(L);
    int terrain = astarL_findterrain(L, chunk->core, chunk->terrains, key);
    if (terrain < 0 && !(lua_isboolean(L, key) && !lua_toboolean(L, key)))
        unknown_chunk_cell(L, chunk, key, at);
    chunk->cells[at] = (uint8_t)(terrain < 0 ? SOLID_CELL : terrain);
}

static void read_keys_at(lua_State *L, const ChunkReader *chunk, int list, int first, int count)
{
    for (int i = 0; i < count; i++) {
        lua_rawgeti(L, list, i + 1);
        read_chunk_cell(L, chunk, first + i);
        lua_pop(L, 1);
    }
}

// Reads the characters of the text at the top; those of one byte are looked up but once. Returns
// how many there are: of those beyond 'most', one.
static int read_text(lua_State *L, ChunkReader *chunk, int first, int most)
{
    size_t length, at = 0, bytes;
    const char *text = lua_tolstring(L, -1, &length);
    int count = 0;
    for (; at < length && count < most; count++, at += bytes) {
        int cell = first + count, character = (unsigned char)text[at];
        bytes = character < 128 ? 1 : astarL_character(text + at, length - at);
        if (character < 128 && chunk->known[character] >= 0) {
            chunk->cells[cell] = (uint8_t)chunk->known[character];
            continue;
        }
        lua_pushlstring(L, text + at, bytes);
        read_chunk_cell(L, chunk, cell);
        lua_pop(L, 1);
        if (character < 128)
            chunk->known[character] = chunk->cells[cell];
    }
    return count + (at < length);
}

static void read_chunk_row(lua_State *L, ChunkReader *chunk, int row)
{
    int value = lua_gettop(L);
    if (lua_type(L, value) == LUA_TSTRING) {
        int count = read_text(L, chunk, row * CHUNK_ROWS, CHUNK_ROWS);
        if (count != CHUNK_ROWS)
            luaL_error(L, "%s: row %d: expected %d cells, got %s", chunk->what, row + 1, CHUNK_ROWS,
                       count < CHUNK_ROWS ? "fewer" : "more");
    } else if (lua_istable(L, value)) {
        const char *stray;
        size_t width = astarL_lengthof(L, value, &stray);
        if (stray != NULL)
            luaL_error(L, "%s: row %d: columns are counted from 1, got an entry [%s]", chunk->what,
                       row + 1, stray);
        if (width != CHUNK_ROWS)
            luaL_error(L, "%s: row %d: expected %d cells, got %d", chunk->what, row + 1, CHUNK_ROWS,
                       (int)width);
        read_keys_at(L, chunk, value, row * CHUNK_ROWS, CHUNK_ROWS);
    } else {
        luaL_error(L, "%s: row %d: expected a string or a table, got %s", chunk->what, row + 1,
                   astarL_describe(L, value));
    }
}

// Reads the list of keys or rows at 'list'.
static void read_chunk_list(lua_State *L, ChunkReader *chunk, int list)
{
    const char *stray;
    size_t length = astarL_lengthof(L, list, &stray);
    if (stray != NULL)
        luaL_error(L, "%s: cells are counted from 1, got an entry [%s]", chunk->what, stray);
    if (length != CHUNK_ROWS && length != CHUNK_CELLS)
        luaL_error(L, "%s: expected 4096 keys or 64 rows, got %d", chunk->what, (int)length);
    if (length == CHUNK_CELLS)
        read_keys_at(L, chunk, list, 0, CHUNK_CELLS);
    for (int row = 0; length == CHUNK_ROWS && row < CHUNK_ROWS; row++) {
        lua_rawgeti(L, list, row + 1);
        read_chunk_row(L, chunk, row);
        lua_pop(L, 1);
    }
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
    luaL_checkstack(L, 8, NULL);
    astarL_pushkeys(L, palette, ASTARL_TERRAINS);
    ChunkReader chunk = {((astarL_Grid *)lua_touserdata(L, palette))->core,
                         palette,
                         lua_gettop(L),
                         what,
                         cells,
                         {0}};
    memset(chunk.known, 0xFF, sizeof chunk.known);
    if (!is_text)
        read_chunk_list(L, &chunk, arg);
    lua_pushvalue(L, arg);
    int count = is_text ? read_text(L, &chunk, 0, CHUNK_CELLS) : CHUNK_CELLS;
    if (count != CHUNK_CELLS)
        luaL_error(L, "%s: expected 4096 keys, got %s", what,
                   count < CHUNK_CELLS ? "fewer" : "more");
    lua_pop(L, 2);
    return true;
}

void astarL_pushchunk(lua_State *L, int palette, const uint8_t *cells)
{
    luaL_checkstack(L, 8, NULL);
    lua_createtable(L, CHUNK_CELLS, 0);
    astarL_pushkeys(L, palette, ASTARL_KEYS);
    for (int i = 0; i < CHUNK_CELLS; i++) {
        if (cells[i] == SOLID_CELL)
            lua_pushboolean(L, false);
        else
            lua_rawgeti(L, -1, cells[i] + 1);
        lua_rawseti(L, -3, i + 1);
    }
    lua_pop(L, 1);
}
