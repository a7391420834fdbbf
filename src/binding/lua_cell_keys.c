// lua_cell_keys.c -- keys of cells as scripts give them, the characters of a text or a list, read
// as the terrains that they name.

#include "binding/lua_keys.h"

#include <stdio.h>

// How many bytes the first character of a text takes.
static inline size_t bytes_of_character(const char *text, size_t length)
{
    return (unsigned char)text[0] < 0x80 ? 1 : astarL_character(text, length);
}

size_t astarL_countcharacters(const char *text, size_t length)
{
    size_t count = 0;
    for (size_t at = 0; at < length; count++)
        at += bytes_of_character(text + at, length - at);
    return count;
}

static void unknown_cell(lua_State *L, const astarL_KeyReader *reader, int key, int at)
{
    luaL_error(L, "%sunknown terrain %s at row %d, column %d%s", reader->what,
               astarL_describe(L, key), reader->y + at / reader->width + 1, at % reader->width + 1,
               astarL_cureofkey(L, key));
}

// Pushes a character for an error; control characters as escapes.
static void push_character(lua_State *L, const char *text, size_t bytes)
{
    char escape[8];
    unsigned char byte = (unsigned char)text[0];
    if (bytes > 1 || (byte >= 0x20 && byte < 0x7F)) {
        lua_pushlstring(L, text, bytes);
    } else {
        snprintf(escape, sizeof escape, "\\%d", byte);
        lua_pushstring(L, escape);
    }
}

// The terrain of a character, which is remembered where it is ASCII.
static int ask_character(lua_State *L, astarL_KeyReader *reader, const char *text, size_t bytes,
                         int at)
{
    unsigned char first = (unsigned char)text[0];
    lua_pushlstring(L, text, bytes);
    int terrain = astarL_findterrain(L, reader->core, reader->terrains, lua_gettop(L));
    lua_pop(L, 1);
    if (terrain < 0) {
        push_character(L, text, bytes);
        unknown_cell(L, reader, lua_gettop(L), at);
    }
    if (first < 0x80)
        reader->known[first] = (uint16_t)(terrain + 1);
    return terrain;
}

void astarL_readtext(lua_State *L, astarL_KeyReader *reader, int at, const char *text,
                     size_t length)
{
    uint8_t *cells = reader->cells + at;
    for (size_t bytes; length > 0; text += bytes, length -= bytes) {
        uint16_t known = reader->known[(unsigned char)text[0]];
        bytes = known > 0 ? 1 : bytes_of_character(text, length);
        int terrain = known > 0 ? known - 1 : ask_character(L, reader, text, bytes, at);
        *cells++ = (uint8_t)terrain;
        at++;
    }
}

static int terrain_of_key(lua_State *L, const astarL_KeyReader *reader, int key, int at)
{
    int terrain = astarL_findterrain(L, reader->core, reader->terrains, key);
    if (terrain >= 0)
        return terrain;
    if (!reader->takes_false || !lua_isboolean(L, key) || lua_toboolean(L, key))
        unknown_cell(L, reader, key, at);
    return ASTARL_SOLID;
}

// Many keys are as the one before, which stays on the stack.
void astarL_readlist(lua_State *L, const astarL_KeyReader *reader, int at, int list, int count)
{
    lua_pushnil(L);
    int last = lua_gettop(L), terrain = -1;
    for (int i = 0; i < count; i++) {
        lua_rawgeti(L, list, i + 1);
        if (terrain < 0 || !lua_rawequal(L, last, last + 1))
            terrain = terrain_of_key(L, reader, last + 1, at + i);
        reader->cells[at + i] = (uint8_t)terrain;
        lua_replace(L, last);
    }
    lua_pop(L, 1);
}

// Raises an error where the row from a cell on has another number of cells.
static void check_row_width(lua_State *L, const astarL_KeyReader *reader, int row, size_t width)
{
    if (width != (size_t)reader->width)
        luaL_error(L, "%srow %d: expected %d cells, got %d", reader->what, row, reader->width,
                   (int)width);
}

void astarL_readrow(lua_State *L, astarL_KeyReader *reader, int at)
{
    int value = lua_gettop(L), row = reader->y + at / reader->width + 1;
    size_t length;
    const char *stray, *text;
    if (lua_type(L, value) == LUA_TSTRING) {
        text = lua_tolstring(L, value, &length);
        check_row_width(L, reader, row, astarL_countcharacters(text, length));
        astarL_readtext(L, reader, at, text, length);
        return;
    }
    if (!lua_istable(L, value))
        luaL_error(L, "%srow %d: expected a string or a table, got %s", reader->what, row,
                   astarL_describe(L, value));
    length = astarL_lengthof(L, value, &stray);
    if (stray != NULL)
        luaL_error(L, "%srow %d: columns are counted from 1, got an entry [%s]", reader->what, row,
                   stray);
    check_row_width(L, reader, row, length);
    astarL_readlist(L, reader, at, value, reader->width);
}
