// lua_make_grid.c -- astar.grid: grids from a size, a drawing or rows of keys.
//
// The grid is an object of Lua's from the first line on, so an error at any cell only leaves
// garbage. Tables are read raw: no metamethod runs while a grid is being made. The core is given a
// row of terrains at a time.

#include "binding/lua_keys.h"

#include <math.h>
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

static size_t count_characters(Line line)
{
    return astarL_countcharacters(line.text, line.length);
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

// Begins to read rows for the grid at GRID; pushes what the reader needs.
static astarL_KeyReader begin_rows(lua_State *L)
{
    const astarL_Grid *grid = lua_touserdata(L, GRID);
    astarL_KeyReader reader = {
        .core = grid->core, .width = astar_grid_width(grid->core), .what = ""};
    astarL_pushkeys(L, GRID, ASTARL_TERRAINS);
    reader.terrains = lua_gettop(L);
    reader.cells = lua_newuserdata(L, (size_t)reader.width);
    return reader;
}

// Gives the row that was read to the grid at GRID.
static void put_row(lua_State *L, const astarL_KeyReader *reader)
{
    const astarL_Grid *grid = lua_touserdata(L, GRID);
    astar_grid_set_cells(grid->core, 0, reader->y, reader->width, 1, reader->cells);
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
    astarL_KeyReader reader = begin_rows(L);
    rest = text;
    for (; next_line(&rest, end, &line); reader.y++) {
        line = take_margin(L, reader.y, line, margin);
        astarL_readline(L, &reader, 0, line.text, line.length);
        put_row(L, &reader);
    }
    lua_settop(L, GRID);
    return 1;
}

// The width of the first row and the type of its first key.
static size_t look_at_first_row(lua_State *L, int *type)
{
    *type = LUA_TSTRING;
    size_t width = 0;
    const char *stray; // astarL_readrow tells of it
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
    astarL_KeyReader reader = begin_rows(L);
    int top = lua_gettop(L);
    for (; reader.y < (int)height; reader.y++) {
        lua_rawgeti(L, SOURCE, reader.y + 1);
        astarL_readrow(L, &reader, 0);
        put_row(L, &reader);
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
