// lua_chunk.c -- the cells of a chunk as scripts have them: 4096 keys, be it in one string, or 64
// rows of 64.

#include "binding/lua_keys.h"
#include "binding/lua_world.h"

#include <string.h>

enum { CHUNK_ROWS = ASTAR_CHUNK_SIDE, CHUNK_CELLS = CHUNK_ROWS * CHUNK_ROWS };

// Reads the list of keys or rows at 'list'.
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

// Reads the text at 'arg', of all cells.
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
