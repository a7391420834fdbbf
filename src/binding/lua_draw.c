// lua_draw.c -- grid:draw: a map with a route or a search on it, as text.

#include "binding/lua_keys.h"

#include <math.h>
#include <string.h>

// What is drawn over the ground.
enum { NOTHING, ROUTE, START, GOAL, OPEN_CELL, EXPANDED_CELL };

// Where the parts of a call stand on the stack.
enum { DRAWN_GRID = 1, DRAWN, LEGEND, HOLD, GLYPHS };

static bool is_character(lua_State *L, int arg)
{
    size_t length;
    const char *text = lua_type(L, arg) == LUA_TSTRING ? lua_tolstring(L, arg, &length) : NULL;
    return text != NULL && length > 0 && astarL_character(text, length) == length;
}

// Pushes the character of a terrain: the legend's word, the key where that is one character, or
// what the cost suggests.
static void push_glyph(lua_State *L, const AstarGrid *grid, int terrain)
{
    astarL_pushkey(L, DRAWN_GRID, terrain);
    int key = lua_gettop(L);
    if (!lua_isnil(L, LEGEND)) {
        lua_pushvalue(L, key);
        lua_rawget(L, LEGEND);
        if (is_character(L, key + 1))
            return;
        if (!lua_isnil(L, -1))
            luaL_error(L, "legend: terrain %s must have one character, got %s",
                       astarL_describe(L, key), astarL_describe(L, key + 1));
    }
    lua_settop(L, key);
    if (is_character(L, key))
        return;
    double cost = astar_grid_cost(grid, terrain);
    lua_pushstring(L, isinf(cost) ? "#" : cost > 1 ? ":" : ".");
    lua_replace(L, key);
}

// Pushes a list of the glyphs of all terrains.
static void push_glyphs(lua_State *L, const AstarGrid *grid)
{
    lua_newtable(L);
    for (int i = 0; i < astar_grid_terrain_count(grid); i++) {
        push_glyph(L, grid, i);
        lua_rawseti(L, GLYPHS, i + 1);
        lua_settop(L, GLYPHS);
    }
}

// A byte for each cell: what of the path or the search is there.
typedef struct Marks {
    uint8_t *bytes; // NULL where nothing is to be drawn
    int width, height;
} Marks;

static void mark_cell(const Marks *marks, int x, int y, uint8_t mark)
{
    if (x >= 0 && y >= 0 && x < marks->width && y < marks->height)
        marks->bytes[(size_t)y * (size_t)marks->width + (size_t)x] = mark;
}

static void mark_path(const Marks *marks, const AstarPath *path)
{
    AstarPathCursor cursor = astar_path_cursor(path);
    int x, y;
    for (int i = 1; astar_path_next(&cursor, &x, &y); i++)
        mark_cell(marks, x, y, i == 1 ? START : i == path->cells ? GOAL : ROUTE);
}

static void mark_search(const Marks *marks, const AstarSearch *search)
{
    static const uint8_t drawn[] = {NOTHING, OPEN_CELL, EXPANDED_CELL}; // by AstarCellState
    int sx, sy, gx, gy;
    for (int y = 0; y < marks->height; y++)
        for (int x = 0; x < marks->width; x++)
            mark_cell(marks, x, y, drawn[astar_search_cell(search, x, y)]);
    astar_search_ends(search, &sx, &sy, &gx, &gy);
    mark_cell(marks, gx, gy, GOAL);
    mark_cell(marks, sx, sy, START);
}

// Pushes the marks of the path or the search at DRAWN.
static Marks push_marks(lua_State *L, const AstarGrid *grid)
{
    Marks marks = {NULL, astar_grid_width(grid), astar_grid_height(grid)};
    if (lua_isnil(L, DRAWN))
        return marks;
    const astarL_Search *search = astarL_testobject(L, DRAWN, ASTARL_SEARCH);
    const astarL_Path *path = NULL;
    if (search != NULL)
        astarL_checksearch(L, DRAWN);
    else
        path = astarL_checkpath(L, DRAWN);
    size_t cells = (size_t)marks.width * (size_t)marks.height;
    marks.bytes = memset(lua_newuserdata(L, cells), NOTHING, cells);
    if (search != NULL && search->job.core != NULL) {
        mark_search(&marks, search->job.core);
        astarL_pushparts(L, DRAWN);
        lua_rawgeti(L, -1, ASTARL_SEARCH_PATH);
        path = astarL_testobject(L, lua_gettop(L), ASTARL_PATH);
    }
    if (path != NULL && path->finder != NULL)
        mark_path(&marks, &path->core);
    return marks;
}

// Adds the character of a cell.
static void add_glyph(lua_State *L, luaL_Buffer *buffer, const AstarGrid *core, const Marks *marks,
                      int x, int y)
{
    static const char marked[] = " *SG+-";
    uint8_t mark = NOTHING;
    if (marks->bytes != NULL)
        mark = marks->bytes[(size_t)y * (size_t)marks->width + (size_t)x];
    if (mark != NOTHING) {
        luaL_addchar(buffer, marked[mark]);
    } else if (astar_grid_is_blocked_in_any(core, x, y)) {
        luaL_addchar(buffer, 'X');
    } else {
        lua_rawgeti(L, GLYPHS, astar_grid_get(core, x, y) + 1);
        luaL_addvalue(buffer);
    }
}

// Whether a cell is one of the hexagons that are pushed on by half a cell.
static bool is_pushed(const AstarGrid *core, int x, int y)
{
    double center_x, center_y;
    astar_grid_center(core, x, y, &center_x, &center_y);
    AstarOffset offset = astar_grid_offset(core);
    return offset == ASTAR_ODD_R || offset == ASTAR_EVEN_R ? center_x > x : center_y > y;
}

// Adds a line of those cells of row y that are pushed on or not, blanks between them.
static void add_hexagons(lua_State *L, luaL_Buffer *buffer, const AstarGrid *core,
                         const Marks *marks, int y, bool in_rows, bool pushed)
{
    int column = 0;
    for (int x = 0; x < marks->width; x++) {
        if (is_pushed(core, x, y) != pushed)
            continue;
        for (int place = 2 * x + (in_rows && pushed); column < place; column++)
            luaL_addchar(buffer, ' ');
        add_glyph(L, buffer, core, marks, x, y);
        column++;
    }
    if (column > 0 || !in_rows)
        luaL_addchar(buffer, '\n');
}

static void add_row(lua_State *L, luaL_Buffer *buffer, const AstarGrid *core, const Marks *marks,
                    int y)
{
    AstarOffset offset = astar_grid_offset(core);
    bool in_rows = offset == ASTAR_ODD_R || offset == ASTAR_EVEN_R;
    if (astarL_has_offsets(offset)) {
        add_hexagons(L, buffer, core, marks, y, in_rows, false);
        add_hexagons(L, buffer, core, marks, y, in_rows, true);
        return;
    }
    for (int x = 0; x < marks->width; x++)
        add_glyph(L, buffer, core, marks, x, y);
    luaL_addchar(buffer, '\n');
}

// grid:draw([path | search] [, legend]) --> string: route *, start S, goal G, blocks X, open +,
// closed -
int astarL_grid_draw(lua_State *L)
{
    astarL_checkgrid(L, DRAWN_GRID);
    lua_settop(L, 3);
    if (lua_istable(L, DRAWN)) { // the legend alone
        if (!lua_isnil(L, LEGEND))
            return luaL_error(L, "astar path expected, got a table");
        lua_insert(L, DRAWN);
    }
    if (!lua_isnil(L, DRAWN) && astarL_testobject(L, DRAWN, ASTARL_SEARCH) == NULL)
        astarL_checkpath(L, DRAWN);
    if (!lua_isnil(L, LEGEND) && !lua_istable(L, LEGEND))
        return luaL_error(L, "legend must be a table, got %s", astarL_describe(L, LEGEND));
    const AstarGrid *core = astarL_holdgrid(L, DRAWN_GRID);
    int hold = lua_gettop(L);
    push_glyphs(L, core);
    Marks marks = push_marks(L, core);

    luaL_Buffer buffer;
    luaL_buffinit(L, &buffer);
    for (int y = 0; y < marks.height; y++)
        add_row(L, &buffer, core, &marks, y);
    luaL_pushresult(&buffer);
    astarL_letgo(L, hold);
    return 1;
}
