// lua_draw.c -- grid:draw: a map with a route or a search on it, as text.

#include "binding/lua_keys.h"

#include "map/grid.h"
#include "path/path.h"
#include "search/inspect.h"

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

static void mark_path(const AstarGrid *grid, const AstarPath *path, uint8_t *marks)
{
    AstarPathCursor cursor = astar_path_cursor(path);
    int x, y;
    for (int i = 1; astar_path_next(&cursor, &x, &y); i++)
        if (astar_inside(grid, x, y))
            marks[astar_cell(grid, x, y)] = i == 1 ? START : i == path->cells ? GOAL : ROUTE;
}

// Marks the cell as far as one of the search's fronts knows it; closed by any is closed.
static void mark_seen(const AstarSearch *search, uint32_t cell, uint8_t *mark)
{
    for (int i = 0; i < astar_front_count(search); i++) {
        AstarCellState state = astar_cell_state(search, i == 1, cell);
        if (state == ASTAR_CLOSED || (state == ASTAR_OPENED && *mark == NOTHING))
            *mark = state == ASTAR_CLOSED ? EXPANDED_CELL : OPEN_CELL;
    }
}

static void mark_search(const AstarGrid *grid, const AstarSearch *search, uint8_t *marks)
{
    int width = search->grid->width;
    for (uint32_t cell = 0; cell < search->grid->cells; cell++) {
        int x = (int)cell % width, y = (int)cell / width;
        if (astar_inside(grid, x, y))
            mark_seen(search, cell, &marks[astar_cell(grid, x, y)]);
    }
}

static void mark_drawn_cell(const AstarGrid *grid, int x, int y, uint8_t mark, uint8_t *marks)
{
    if (astar_inside(grid, x, y))
        marks[astar_cell(grid, x, y)] = mark;
}

// Pushes a byte for each cell: what of the path or the search at DRAWN is there. NULL without.
static uint8_t *push_marks(lua_State *L, const AstarGrid *grid)
{
    if (lua_isnil(L, DRAWN))
        return NULL;
    const astarL_Search *search = astarL_testobject(L, DRAWN, ASTARL_SEARCH);
    const astarL_Path *path = NULL;
    if (search != NULL)
        astarL_checksearch(L, DRAWN);
    else
        path = astarL_checkpath(L, DRAWN);
    uint8_t *marks = lua_newuserdata(L, grid->cells);
    memset(marks, NOTHING, grid->cells);
    if (search != NULL && search->core != NULL) {
        const AstarSearch *core = search->core;
        mark_search(grid, core, marks);
        mark_drawn_cell(grid, core->goal.x, core->goal.y, GOAL, marks);
        mark_drawn_cell(grid, core->start_x, core->start_y, START, marks);
        astarL_pushparts(L, DRAWN);
        lua_rawgeti(L, -1, ASTARL_SEARCH_PATH);
        path = astarL_testobject(L, lua_gettop(L), ASTARL_PATH);
    }
    if (path != NULL && path->finder != NULL)
        mark_path(grid, &path->core, marks);
    return marks;
}

// grid:draw([path | search] [, legend]) --> string: route *, start S, goal G, blocks X, open +,
// closed -
int astarL_grid_draw(lua_State *L)
{
    static const char marked[] = " *SG+-";
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
    push_glyphs(L, core);
    const uint8_t *marks = push_marks(L, core);

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
