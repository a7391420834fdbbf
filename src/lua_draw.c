// lua_draw.c -- grid:draw: a map with the route on it, as text.

#include "lua_keys.h"

#include "grid.h"
#include "path.h"

#include <math.h>

// What is drawn over the ground.
enum { NOTHING, ROUTE, START, GOAL };

// Where the parts of a call stand on the stack.
enum { SELF = 1, PATH, LEGEND, GLYPHS };

static bool is_character(lua_State *L, int arg)
{
    size_t length;
    const char *text = lua_type(L, arg) == LUA_TSTRING ? lua_tolstring(L, arg, &length) : NULL;
    return text != NULL && length > 0 && astarL_character(text, length) == length;
}

// Pushes the character of a terrain: the legend's word, the key where that is one character, or
// what the cost suggests.
static void push_glyph(lua_State *L, const astarL_Grid *grid, int terrain)
{
    astarL_pushkey(L, SELF, terrain);
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
    double cost = astar_grid_cost(grid->core, terrain);
    lua_pushstring(L, isinf(cost) ? "#" : cost > 1 ? ":" : ".");
    lua_replace(L, key);
}

// Pushes a list of the glyphs of all terrains.
static void push_glyphs(lua_State *L, const astarL_Grid *grid)
{
    lua_newtable(L);
    for (int i = 0; i < astar_grid_terrain_count(grid->core); i++) {
        push_glyph(L, grid, i);
        lua_rawseti(L, GLYPHS, i + 1);
        lua_settop(L, GLYPHS);
    }
}

// Pushes a byte for each cell: what of the path is there. NULL without a path.
static uint8_t *push_marks(lua_State *L, const astarL_Grid *grid, const astarL_Path *path)
{
    if (path == NULL)
        return NULL;
    const AstarGrid *core = grid->core;
    uint8_t *marks = lua_newuserdata(L, core->cells);
    for (uint32_t i = 0; i < core->cells; i++)
        marks[i] = NOTHING;
    AstarPathCursor cursor = astar_path_cursor(&path->core);
    int x, y;
    for (int i = 1; astar_path_next(&cursor, &x, &y); i++)
        if (astar_inside(core, x, y))
            marks[astar_cell(core, x, y)] = i == 1 ? START : i == path->core.cells ? GOAL : ROUTE;
    return marks;
}

// grid:draw([path] [, legend]) --> string: route *, start S, goal G, blocks X
int astarL_grid_draw(lua_State *L)
{
    static const char marked[] = " *SG";
    astarL_Grid *grid = astarL_checkgrid(L, SELF);
    lua_settop(L, 3);
    if (lua_istable(L, PATH)) { // the legend alone
        if (!lua_isnil(L, LEGEND))
            return luaL_error(L, "astar path expected, got a table");
        lua_insert(L, PATH);
    }
    astarL_Path *path = lua_isnil(L, PATH) ? NULL : astarL_checkpath(L, PATH);
    if (!lua_isnil(L, LEGEND) && !lua_istable(L, LEGEND))
        return luaL_error(L, "legend must be a table, got %s", astarL_describe(L, LEGEND));
    const AstarGrid *core = grid->core;
    push_glyphs(L, grid);
    const uint8_t *marks = push_marks(L, grid, path);

    luaL_Buffer buffer;
    luaL_buffinit(L, &buffer);
    for (int y = 0; y < core->height; y++) {
        for (int x = 0; x < core->width; x++) {
            uint32_t cell = astar_cell(core, x, y);
            if (marks != NULL && marks[cell] != NOTHING) {
                luaL_addchar(&buffer, marked[marks[cell]]);
            } else if (astar_grid_is_blocked(core, x, y)) {
                luaL_addchar(&buffer, 'X');
            } else {
                lua_rawgeti(L, GLYPHS, core->ground[cell] + 1);
                luaL_addvalue(&buffer);
            }
        }
        luaL_addchar(&buffer, '\n');
    }
    luaL_pushresult(&buffer);
    return 1;
}
