// lua_keys.c -- translates the script's names of terrains and of link labels into numbers.
//
// In the core a label is a number, 0 for no label; scripts give labels as strings or numbers. A
// label is kept for the life of its grid, so that a path that was found before a link was removed
// can still return the label of the link.

#include "binding/lua_keys.h"

#include "binding/lua_options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

astarL_Grid *astarL_pushunmade(lua_State *L)
{
    astarL_Grid *grid = astarL_newobject(L, ASTARL_GRID, sizeof *grid);
    lua_newtable(L);
    for (int part = ASTARL_KEYS; part <= ASTARL_LABEL_NUMBERS; part++)
        if (part != ASTARL_OWN_FINDER) {
            lua_newtable(L);
            lua_rawseti(L, -2, part);
        }
    lua_setuservalue(L, -2);
    return grid;
}

astarL_Grid *astarL_pushgrid(lua_State *L, AstarOffset offset, int width, int height, int x0,
                             int y0)
{
    astarL_Grid *grid = astarL_pushunmade(L);
    grid->x0 = x0;
    grid->y0 = y0;
    if (astar_grid_new_shaped(NULL, offset, width, height, &grid->core) != ASTAR_OK)
        astarL_nomemory(L);
    return grid;
}

void astarL_pushkeys(lua_State *L, int arg, int which)
{
    astarL_pushpart(L, arg, which, LUA_TTABLE);
}

int astarL_findterrain(lua_State *L, const AstarGrid *core, int terrains, int key)
{
    if (lua_isnoneornil(L, key))
        return -1;
    lua_pushvalue(L, key);
    lua_rawget(L, terrains);
    lua_Number found = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : -1;
    lua_pop(L, 1);
    // The number is checked, because a script can get the table by debug.getuservalue and change
    // it.
    return found >= 0 && found < astar_grid_terrain_count(core) ? (int)found : -1;
}

const char *astarL_cureofkey(lua_State *L, int arg)
{
    return astarL_iskey(L, arg) ? ": give it a cost in the option terrain" : "";
}

int astarL_checkterrain(lua_State *L, int arg, int key)
{
    const astarL_Grid *grid = lua_touserdata(L, arg);
    astarL_pushkeys(L, arg, ASTARL_TERRAINS);
    int terrain = astarL_findterrain(L, grid->core, lua_gettop(L), key);
    lua_pop(L, 1);
    if (terrain < 0)
        luaL_error(L, "unknown terrain %s%s%s", astarL_describe(L, key), astarL_cureofkey(L, key),
                   arg == 1 && astarL_iskey(L, key) ? ", or by grid:terrain" : "");
    return terrain;
}

bool astarL_iskey(lua_State *L, int arg)
{
    switch (lua_type(L, arg)) {
    case LUA_TSTRING:
    case LUA_TBOOLEAN: return true;
    case LUA_TNUMBER: {
        lua_Number number = lua_tonumber(L, arg);
        return number == floor(number) && fabs(number) <= 9007199254740992.0;
    }
    default: return false;
    }
}

// Returns the number that the next new terrain of the grid at 'arg' gets. If the only terrain of a
// new grid has no key yet, the result is 0, the number of that terrain.
static int next_terrain(lua_State *L, int arg, const AstarGrid *core)
{
    astarL_pushkey(L, arg, 0);
    bool unnamed = lua_isnil(L, -1);
    lua_pop(L, 1);
    return unnamed ? 0 : astar_grid_terrain_count(core);
}

// Pushes the key at 'key'. If the key is a whole float and this Lua has integers, pushes the equal
// integer.
static void push_whole(lua_State *L, int key)
{
#if LUA_VERSION_NUM >= 503
    int is_whole;
    lua_Integer whole = lua_tointegerx(L, key, &is_whole);
    if (is_whole && lua_type(L, key) == LUA_TNUMBER) {
        lua_pushinteger(L, whole);
        return;
    }
#endif
    lua_pushvalue(L, key);
}

void astarL_nameterrain(lua_State *L, int arg, int key, int terrain)
{
    astarL_pushkeys(L, arg, ASTARL_KEYS);
    push_whole(L, key);
    lua_rawseti(L, -2, terrain + 1);
    astarL_pushkeys(L, arg, ASTARL_TERRAINS);
    lua_pushvalue(L, key);
    lua_pushinteger(L, terrain);
    lua_rawset(L, -3);
    lua_pop(L, 2);
}

void astarL_addterrain(lua_State *L, int arg, int key, double cost)
{
    astarL_Grid *grid = lua_touserdata(L, arg);
    int terrain = next_terrain(L, arg, grid->core);
    if (terrain == ASTAR_MAX_TERRAINS)
        luaL_error(L, "a grid holds at most %d terrains", ASTAR_MAX_TERRAINS);
    // The tables are filled first, because filling them may run out of memory. Removing a name
    // again needs no memory.
    astarL_nameterrain(L, arg, key, terrain);
    if (terrain == 0) {
        astar_grid_set_cost(grid->core, 0, cost);
    } else if (astar_grid_add_terrain(grid->core, cost, &terrain) != ASTAR_OK) {
        astarL_pushkeys(L, arg, ASTARL_TERRAINS);
        lua_pushvalue(L, key);
        lua_pushnil(L);
        lua_rawset(L, -3);
        astarL_nomemory(L);
    }
}

AstarName astarL_nameat(lua_State *L, int list, int index)
{
    AstarName name = {.kind = ASTAR_NAME_NUMBER};
    lua_rawgeti(L, list, index);
    switch (lua_type(L, -1)) {
    case LUA_TNUMBER: name.number = lua_tonumber(L, -1); break;
    case LUA_TBOOLEAN:
        name.kind = ASTAR_NAME_BOOLEAN;
        name.number = lua_toboolean(L, -1);
        break;
    case LUA_TSTRING:
        name.kind = ASTAR_NAME_TEXT;
        name.text = lua_tolstring(L, -1, &name.length);
        break;
    default:
        luaL_error(L, "debug.setuservalue has replaced the data that astar keeps for %s",
                   astarL_describe(L, 1));
    }
    lua_pop(L, 1);
    return name;
}

// Pushes a text. Lua 5.1 may run finalizers before it copies the text, and a finalizer may edit the
// graph that owns the text. Therefore a short text is copied first.
static void push_text(lua_State *L, const char *text, size_t length)
{
    char copy[512];
    if (length > 0 && length <= sizeof copy)
        text = memcpy(copy, text, length);
    lua_pushlstring(L, text, length);
}

void astarL_pushname(lua_State *L, const AstarName *name, int values)
{
    switch (name->kind) {
    case ASTAR_NAME_TEXT: push_text(L, name->text, name->length); break;
    case ASTAR_NAME_BOOLEAN: lua_pushboolean(L, name->number != 0); break;
    case ASTAR_NAME_OTHER:
        lua_pushnumber(L, name->number);
        lua_rawget(L, values);
        break;
    case ASTAR_NAME_NUMBER:
        if (name->number == floor(name->number) && fabs(name->number) <= 9007199254740992.0)
            lua_pushinteger(L, (lua_Integer)name->number);
        else
            lua_pushnumber(L, name->number);
    }
}

void astarL_pushkey(lua_State *L, int arg, int terrain)
{
    astarL_pushkeys(L, arg, ASTARL_KEYS);
    lua_rawgeti(L, -1, terrain + 1);
    lua_remove(L, -2);
}

size_t astarL_character(const char *text, size_t length)
{
    unsigned char first = (unsigned char)text[0];
    size_t bytes = first >= 0xF0 && first < 0xF8 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 1;
    if (first < 0xC2 || first >= 0xF8 || bytes > length)
        return 1;
    for (size_t i = 1; i < bytes; i++)
        if (((unsigned char)text[i] & 0xC0) != 0x80)
            return 1;
    return bytes;
}

// labels

bool astarL_islabel(lua_State *L, int arg)
{
    int type = lua_type(L, arg);
    return type == LUA_TSTRING || (type == LUA_TNUMBER && !isnan(lua_tonumber(L, arg)));
}

uint32_t astarL_addlabel(lua_State *L, int arg, int label)
{
    astarL_pushkeys(L, arg, ASTARL_LABEL_NUMBERS);
    int numbers = lua_gettop(L);
    lua_pushvalue(L, label);
    lua_rawget(L, numbers);
    uint32_t number = (uint32_t)lua_tonumber(L, -1);
    if (number == 0) {
        astarL_pushkeys(L, arg, ASTARL_LABELS);
        number = (uint32_t)lua_rawlen(L, -1) + 1;
        lua_pushvalue(L, label);
        lua_rawseti(L, -2, (int)number);
        lua_pushvalue(L, label);
        lua_pushnumber(L, number);
        lua_rawset(L, numbers);
    }
    lua_settop(L, numbers - 1);
    return number;
}

void astarL_pushlabel(lua_State *L, int labels, uint32_t number)
{
    if (number == 0)
        lua_pushboolean(L, true);
    else
        lua_rawgeti(L, labels, (int)number);
}

// The functions below read keys of cells, the characters of a text or the entries of a list, as
// terrains.

// Returns the number of bytes that the first character of a text takes.
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
    int column = at % reader->width + 1;
    bool is_line_end = column == reader->width &&
                       astarL_isname(L, key, "\\13"); // as push_character shows it
    luaL_error(L, "%sunknown terrain %s at row %d, column %d%s", reader->what,
               astarL_describe(L, key), reader->y + at / reader->width + 1, column,
               is_line_end ? ": a line end of Windows, remove it with line:gsub(\"\\r$\", \"\")"
                           : astarL_cureofkey(L, key));
}

// Pushes a character as an error message shows it: a control character as an escape.
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

// Returns the terrain whose key is a character. Remembers the terrain if the character is ASCII.
// Raises an error if there is no such terrain.
static int call_for_character(lua_State *L, astarL_KeyReader *reader, const char *text,
                              size_t bytes, int at)
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
        int terrain = known > 0 ? known - 1 : call_for_character(L, reader, text, bytes, at);
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

// Many keys equal the previous key. Therefore the previous key stays on the stack for comparison.
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

// Raises an error if the number of cells of a row is not the width of the grid.
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
