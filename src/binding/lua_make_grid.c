// lua_make_grid.c -- astar.grid: grids from a size, a drawing or rows of keys.
//
// The grid is an object of Lua's from the first line on, so an error at any cell only leaves
// garbage. Tables are read raw: no metamethod runs while a grid is being made. The core is given a
// row of terrains at a time.

#include "binding/lua_keys.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Where the parts of a call stand on the stack.
enum { SOURCE = 1, OPTIONS, GRID, KEYS_BY_COST };

// ---- palette ----

// Whether key a comes before key b: booleans, then numbers, then strings.
static bool key_before(lua_State *L, int a, int b)
{
    int kind = lua_type(L, a), other = lua_type(L, b);
    if (kind != other)
        return kind < other;
    if (kind == LUA_TBOOLEAN)
        return lua_toboolean(L, a) < lua_toboolean(L, b);
    if (kind == LUA_TNUMBER)
        return lua_tonumber(L, a) < lua_tonumber(L, b);
    size_t a_length, b_length;
    const char *a_text = lua_tolstring(L, a, &a_length);
    const char *b_text = lua_tolstring(L, b, &b_length);
    int order = memcmp(a_text, b_text, a_length < b_length ? a_length : b_length);
    return order != 0 ? order < 0 : a_length < b_length;
}

// Pushes a list of the keys of the table at 'table', in order: how a table happens to be laid out
// must not number the terrains.
static int push_sorted_keys(lua_State *L, int table)
{
    lua_newtable(L);
    int list = lua_gettop(L), count = 0;
    for (lua_pushnil(L); lua_next(L, table) != 0; lua_pop(L, 1)) {
        int key = list + 1;
        if (!astarL_iskey(L, key))
            luaL_error(L, "a terrain's key must be a string or an integer, got %s",
                       astarL_describe(L, key));
        if (count == ASTAR_MAX_TERRAINS)
            luaL_error(L, "a grid holds at most %d terrains", ASTAR_MAX_TERRAINS);
        int at = count++;
        for (; at > 0; at--) {
            lua_rawgeti(L, list, at);
            bool in_place = !key_before(L, key, lua_gettop(L));
            if (in_place) {
                lua_pop(L, 1);
                break;
            }
            lua_rawseti(L, list, at + 1);
        }
        lua_pushvalue(L, key);
        lua_rawseti(L, list, at + 1);
    }
    return count;
}

// Gives a key on the top its default cost, in the palette below it.
static void set_default_cost(lua_State *L, bool is_walkable)
{
    if (is_walkable)
        lua_pushnumber(L, 1);
    else
        lua_pushboolean(L, false);
    lua_rawset(L, -3);
}

// Pushes the palette of a grid made without one: what its first cell is tells which.
static void push_default_palette(lua_State *L, int type)
{
    lua_newtable(L);
    for (int i = 0; i < 2 && type == LUA_TNUMBER; i++) {
        lua_pushinteger(L, i);
        set_default_cost(L, i == 0);
    }
    for (int i = 0; i < 2 && type == LUA_TBOOLEAN; i++) {
        lua_pushboolean(L, i);
        set_default_cost(L, i == 1);
    }
    bool is_text = type != LUA_TNUMBER && type != LUA_TBOOLEAN;
    for (const char *key = ". #@"; is_text && *key != 0; key++) {
        lua_pushlstring(L, key, 1);
        set_default_cost(L, *key == '.' || *key == ' ');
    }
}

// A name for a key in an error, such as: terrain "~"
static const char *terrain_name(lua_State *L, int key)
{
    return lua_pushfstring(L, "terrain %s", astarL_describe(L, key));
}

// Gives the grid its terrains: those of the option, or the default ones for cells of 'type'.
static void set_palette(lua_State *L, int type)
{
    if (lua_isnil(L, OPTIONS) || astarL_rawfield(L, OPTIONS, "terrain") == LUA_TNIL) {
        lua_settop(L, GRID);
        push_default_palette(L, type);
    } else if (!lua_istable(L, -1)) {
        luaL_error(L, "terrain must be a table, got %s", astarL_describe(L, lua_gettop(L)));
    }
    int count = push_sorted_keys(L, KEYS_BY_COST), list = lua_gettop(L);
    if (count == 0)
        luaL_error(L, "terrain must hold at least one key");
    for (int i = 1; i <= count; i++) {
        lua_rawgeti(L, list, i);
        lua_pushvalue(L, -1);
        lua_rawget(L, KEYS_BY_COST);
        double cost = astarL_checkcost(L, list + 2, terrain_name(L, list + 1));
        astarL_addterrain(L, GRID, list + 1, cost);
        lua_settop(L, list);
    }
    lua_settop(L, GRID);
}

// ---- making the object ----

void astarL_checksize(lua_State *L, size_t width, size_t height)
{
    if (width > ASTAR_MAX_SIDE || height > ASTAR_MAX_SIDE ||
        (uint64_t)width * height > ASTAR_MAX_CELLS)
        luaL_error(L, "width * height must be at most %d cells, got %s x %s", ASTAR_MAX_CELLS,
                   astarL_pushnumber(L, (lua_Number)width),
                   astarL_pushnumber(L, (lua_Number)height));
}

void astarL_readorigin(lua_State *L, int options, int *x0, int *y0)
{
    *x0 = *y0 = 1;
    if (lua_isnil(L, options))
        return;
    if (astarL_rawfield(L, options, "origin") != LUA_TNIL) {
        if (!lua_istable(L, -1))
            luaL_error(L, "origin must be a table {x, y}, got %s",
                       astarL_describe(L, lua_gettop(L)));
        const char *stray = astarL_strayentry(L, lua_gettop(L), 2, NULL);
        if (stray != NULL)
            luaL_error(L, "origin must be a table {x, y}, got an entry [%s]", stray);
        *x0 = astarL_listedint(L, 1, "origin[1]", -ASTAR_MAX_ORIGIN, ASTAR_MAX_ORIGIN);
        *y0 = astarL_listedint(L, 2, "origin[2]", -ASTAR_MAX_ORIGIN, ASTAR_MAX_ORIGIN);
    }
    lua_pop(L, 1);
}

// Pushes a grid whose first cell is a value of 'type'; its options are on the stack.
static astarL_Grid *new_grid(lua_State *L, size_t width, size_t height, int type)
{
    int x0, y0;
    astarL_checksize(L, width, height);
    astarL_readorigin(L, OPTIONS, &x0, &y0);
    AstarOffset offset = astarL_readshape(L, OPTIONS);
    astarL_Grid *grid = astarL_pushgrid(L, offset, (int)width, (int)height, x0, y0);
    set_palette(L, type);
    return grid;
}

// ---- filling it ----

// The terrain of every cell: the option 'fill', by its default the free ground.
static int check_fill(lua_State *L)
{
    bool has_terrain = false;
    if (!lua_isnil(L, OPTIONS)) {
        has_terrain = astarL_rawfield(L, OPTIONS, "terrain") != LUA_TNIL;
        astarL_rawfield(L, OPTIONS, "fill");
        if (!lua_isnil(L, -1))
            return astarL_checkterrain(L, GRID, lua_gettop(L));
    }
    if (has_terrain)
        luaL_error(L, "a grid by size with terrain needs fill, the key of its cells");
    lua_pushliteral(L, ".");
    return astarL_checkterrain(L, GRID, lua_gettop(L));
}

static int grid_by_size(lua_State *L)
{
    // (width, height [, options]) becomes (width, options, grid)
    int width = astarL_checkint(L, 1, 1, ASTAR_MAX_SIDE, "width");
    int height = astarL_checkint(L, 2, 1, ASTAR_MAX_SIDE, "height");
    lua_settop(L, 3);
    lua_remove(L, 2);
    astarL_Grid *grid = new_grid(L, (size_t)width, (size_t)height, LUA_TSTRING);
    int fill = check_fill(L);
    astar_grid_fill(grid->core, 0, 0, width, height, fill);
    lua_settop(L, GRID);
    return 1;
}

// A row of characters being read.
typedef struct Line {
    const char *text;
    size_t length; // in bytes, without the line's end
} Line;

// The bytes of the first character.
static inline size_t character_of(Line line)
{
    return (unsigned char)line.text[0] < 0x80 ? 1 : astarL_character(line.text, line.length);
}

static size_t count_characters(Line line)
{
    size_t count = 0;
    for (size_t i = 0; i < line.length; count++)
        i += character_of((Line){line.text + i, line.length - i});
    return count;
}

// Takes the next line off a text; false at its end.
static bool next_line(const char **text, const char *end, Line *line)
{
    if (*text == end)
        return false;
    const char *stop = memchr(*text, '\n', (size_t)(end - *text));
    const char *next = stop != NULL ? stop + 1 : end;
    if (stop == NULL)
        stop = end;
    if (stop > *text && stop[-1] == '\r')
        stop--;
    *line = (Line){*text, (size_t)(stop - *text)};
    *text = next;
    return true;
}

enum { NOT_ASKED = -2 };

typedef struct RowReader {
    AstarGrid *core;
    int terrains;         // where the table of them stands
    uint8_t *row;         // being read
    int16_t by_byte[256]; // the terrains of characters of one byte; -1: none
} RowReader;

// Begins to read rows for the grid at GRID; pushes what the reader needs.
static void begin_rows(lua_State *L, RowReader *reader)
{
    const astarL_Grid *grid = lua_touserdata(L, GRID);
    reader->core = grid->core;
    for (int i = 0; i < 256; i++)
        reader->by_byte[i] = NOT_ASKED;
    astarL_pushkeys(L, GRID, ASTARL_TERRAINS);
    reader->terrains = lua_gettop(L);
    reader->row = lua_newuserdata(L, (size_t)astar_grid_width(grid->core));
}

// Gives the row that was read to the grid.
static void put_row(const RowReader *reader, int y)
{
    int columns = astar_grid_width(reader->core);
    astar_grid_set_cells(reader->core, 0, y, columns, 1, reader->row);
}

static void unknown_cell(lua_State *L, int key, int x, int y)
{
    luaL_error(L, "unknown terrain %s at row %d, column %d%s", astarL_describe(L, key), y + 1,
               x + 1, astarL_cureofkey(L, key));
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

// The terrain of the first character of a line, which takes so many bytes.
static int ask_character(lua_State *L, const RowReader *reader, Line line, size_t bytes)
{
    lua_pushlstring(L, line.text, bytes);
    int terrain = astarL_findterrain(L, reader->core, reader->terrains, lua_gettop(L));
    lua_pop(L, 1);
    return terrain;
}

// The same, asked once where it is of one byte.
static inline int terrain_of_character(lua_State *L, RowReader *reader, Line line, size_t bytes)
{
    if (bytes > 1)
        return ask_character(L, reader, line, bytes);
    int16_t *known = &reader->by_byte[(unsigned char)line.text[0]];
    if (*known == NOT_ASKED)
        *known = (int16_t)ask_character(L, reader, line, 1);
    return *known;
}

// Sets the cells of row y from a line.
static void read_line(lua_State *L, RowReader *reader, int y, Line line)
{
    int columns = astar_grid_width(reader->core);
    size_t width = count_characters(line);
    if (width != (size_t)columns)
        luaL_error(L, "row %d: expected %d cells, got %d", y + 1, columns, (int)width);
    for (int x = 0; x < columns; x++) {
        size_t bytes = character_of(line);
        int terrain = terrain_of_character(L, reader, line, bytes);
        if (terrain < 0) {
            push_character(L, line.text, bytes);
            unknown_cell(L, lua_gettop(L), x, y);
        }
        reader->row[x] = (uint8_t)terrain;
        line.text += bytes;
        line.length -= bytes;
    }
    put_row(reader, y);
}

// The blanks after the last line break of a drawing, if nothing else is there: its indentation.
static Line find_margin(const char *text, const char *end)
{
    const char *first = end;
    while (first > text && (first[-1] == ' ' || first[-1] == '\t'))
        first--;
    bool is_line = first > text && first[-1] == '\n';
    return (Line){first, is_line ? (size_t)(end - first) : 0};
}

static Line take_margin(lua_State *L, int y, Line line, Line margin)
{
    if (line.length < margin.length || memcmp(line.text, margin.text, margin.length) != 0)
        luaL_error(L, "row %d: expected a margin of %d blank%s, as the last line has", y + 1,
                   (int)margin.length, margin.length > 1 ? "s" : "");
    return (Line){line.text + margin.length, line.length - margin.length};
}

static int grid_by_drawing(lua_State *L)
{
    lua_settop(L, OPTIONS);
    size_t length;
    const char *text = lua_tolstring(L, SOURCE, &length), *end = text + length;
    Line line, margin = find_margin(text, end);
    end -= margin.length;
    const char *rest = text;
    if (next_line(&rest, end, &line) && line.length == 0)
        text = rest; // as after [[
    size_t height = 0, width = 0;
    for (rest = text; next_line(&rest, end, &line); height++)
        if (height == 0)
            width = count_characters(take_margin(L, 0, line, margin));
    if (width == 0)
        return luaL_error(L, "a drawing must hold at least one cell");

    new_grid(L, width, height, LUA_TSTRING);
    RowReader reader;
    begin_rows(L, &reader);
    rest = text;
    for (int y = 0; next_line(&rest, end, &line); y++)
        read_line(L, &reader, y, take_margin(L, y, line, margin));
    lua_settop(L, GRID);
    return 1;
}

// Sets the cells of row y from the list of keys on the top of the stack. Many are as the
// one before, which stays there.
static void read_keys(lua_State *L, RowReader *reader, int y)
{
    int list = lua_gettop(L), columns = astar_grid_width(reader->core);
    const char *stray;
    size_t width = astarL_lengthof(L, list, &stray);
    if (stray != NULL)
        luaL_error(L, "row %d: columns are counted from 1, got an entry [%s]", y + 1, stray);
    if (width != (size_t)columns)
        luaL_error(L, "row %d: expected %d cells, got %d", y + 1, columns, (int)width);
    lua_pushnil(L);
    for (int x = 0, last = list + 1, terrain = -1; x < columns; x++) {
        lua_rawgeti(L, list, x + 1);
        if (terrain < 0 || !lua_rawequal(L, last, last + 1))
            terrain = astarL_findterrain(L, reader->core, reader->terrains, last + 1);
        if (terrain < 0)
            unknown_cell(L, last + 1, x, y);
        reader->row[x] = (uint8_t)terrain;
        lua_replace(L, last);
    }
    put_row(reader, y);
}

// The width of the first row and the type of its first key.
static size_t look_at_first_row(lua_State *L, int *type)
{
    *type = LUA_TSTRING;
    size_t width = 0;
    const char *stray; // read_keys tells of it
    lua_rawgeti(L, SOURCE, 1);
    if (lua_type(L, -1) == LUA_TSTRING) {
        Line line;
        line.text = lua_tolstring(L, -1, &line.length);
        width = count_characters(line);
    } else if (lua_istable(L, -1)) {
        int row = lua_gettop(L);
        width = astarL_lengthof(L, row, &stray);
        lua_rawgeti(L, row, 1);
        *type = lua_type(L, -1);
    } else {
        luaL_error(L, "row 1: expected a string or a table, got %s",
                   astarL_describe(L, lua_gettop(L)));
    }
    if (width == 0)
        luaL_error(L, "row 1: expected at least one cell, got none");
    lua_settop(L, OPTIONS);
    return width;
}

static int grid_by_rows(lua_State *L)
{
    lua_settop(L, OPTIONS);
    const char *stray;
    size_t height = astarL_lengthof(L, SOURCE, &stray);
    if (stray != NULL && stray[0] == '"' && height == 0)
        return luaL_error(L,
                          "a width and height, a drawing or rows expected, got a table of names");
    if (stray != NULL)
        return luaL_error(L, "rows are counted from 1, got an entry [%s]", stray);
    if (height == 0)
        return luaL_error(L, "rows must hold at least one row");
    int type;
    size_t width = look_at_first_row(L, &type);
    new_grid(L, width, height, type);
    RowReader reader;
    begin_rows(L, &reader);
    int top = lua_gettop(L);
    for (int y = 0; y < (int)height; y++) {
        lua_rawgeti(L, SOURCE, y + 1);
        if (lua_type(L, -1) == LUA_TSTRING) {
            Line line;
            line.text = lua_tolstring(L, -1, &line.length);
            read_line(L, &reader, y, line);
        } else if (lua_istable(L, -1)) {
            read_keys(L, &reader, y);
        } else {
            luaL_error(L, "row %d: expected a string or a table, got %s", y + 1,
                       astarL_describe(L, lua_gettop(L)));
        }
        lua_settop(L, top);
    }
    lua_settop(L, GRID);
    return 1;
}

// Checks the options at 'arg', nil where there are none.
static void check_options(lua_State *L, int arg, bool by_size)
{
    static const char *const names[] = {"terrain", "fill", "origin", "shape", "offset", NULL};
    if (lua_isnoneornil(L, arg))
        return;
    astarL_checkoptions(L, arg, names);
    if (!by_size && astarL_rawfield(L, arg, "fill") != LUA_TNIL)
        luaL_error(L, "fill is for grids by size: here each cell has its key");
}

// astar.grid(width, height [, options]) | (drawing [, options]) | (rows [, options]) --> grid
int astarL_grid(lua_State *L)
{
    int results;
    switch (lua_type(L, 1)) {
    case LUA_TNUMBER:
        check_options(L, 3, true);
        results = grid_by_size(L);
        break;
    case LUA_TSTRING:
        astarL_nomore(L, OPTIONS, "grid", false);
        check_options(L, 2, false);
        results = grid_by_drawing(L);
        break;
    case LUA_TTABLE:
        astarL_nomore(L, OPTIONS, "grid", false);
        check_options(L, 2, false);
        results = grid_by_rows(L);
        break;
    default:
        if (lua_isnoneornil(L, 2))
            return luaL_error(L, "a width and height, a drawing or rows expected, got %s",
                              astarL_describe(L, 1));
        check_options(L, 3, true);
        results = grid_by_size(L); // which says what is wrong with the width
    }
    astarL_Grid *grid = lua_touserdata(L, GRID);
    astarL_charge(L, astar_grid_bytes(grid->core));
    return results;
}
