// lua_draw.c -- grid:draw: what is drawn of each cell. By which characters, and how lines are made
// of them, is draw.lua's.

#include "binding/lua_helper.h"
#include "binding/lua_keys.h"

// Where the parts of a call stand on the stack, and what is drawn over the ground: to push that
// anew could run a finalizer, which may close what is being read.
enum { DRAWN_GRID = 1, DRAWN, LEGEND, HOLD, GLYPHS, WRITE, DRAWN_CELLS };
enum { ROUTE = DRAWN_CELLS + 1, START, GOAL, OPEN_CELL, EXPANDED_CELL };
static const char marks[] = "*SG+-";

static void mark_cell(lua_State *L, const AstarGrid *grid, int x, int y, int mark)
{
    int width = astar_grid_width(grid);
    if (x < 0 || y < 0 || x >= width || y >= astar_grid_height(grid))
        return; // of a path or a search over another grid
    lua_pushvalue(L, mark);
    lua_rawseti(L, DRAWN_CELLS, y * width + x + 1);
}

static void mark_path(lua_State *L, const AstarGrid *grid, const AstarPath *path)
{
    AstarPathCursor cursor = astar_path_cursor(path);
    int x, y;
    for (int i = 1; astar_path_next(&cursor, &x, &y); i++)
        mark_cell(L, grid, x, y, i == 1 ? START : i == path->cells ? GOAL : ROUTE);
}

static void mark_search(lua_State *L, const AstarGrid *grid, const AstarSearch *search)
{
    int sx, sy, gx, gy;
    for (int y = 0; y < astar_grid_height(grid); y++)
        for (int x = 0; x < astar_grid_width(grid); x++) {
            AstarCellState state = astar_search_cell(search, x, y);
            if (state != ASTAR_UNSEEN)
                mark_cell(L, grid, x, y, state == ASTAR_OPENED ? OPEN_CELL : EXPANDED_CELL);
        }
    astar_search_ends(search, &sx, &sy, &gx, &gy);
    mark_cell(L, grid, gx, gy, GOAL);
    mark_cell(L, grid, sx, sy, START);
}

// Marks the cells of the path or the search at DRAWN.
static void mark_drawn(lua_State *L, const AstarGrid *grid)
{
    const astarL_Search *search = astarL_testobject(L, DRAWN, ASTARL_SEARCH);
    const astarL_Path *path = NULL;
    if (search != NULL)
        astarL_checksearch(L, DRAWN);
    else
        path = astarL_checkpath(L, DRAWN);
    if (search != NULL && search->job.core != NULL) {
        mark_search(L, grid, search->job.core);
        astarL_pushparts(L, DRAWN);
        lua_rawgeti(L, -1, ASTARL_SEARCH_PATH);
        path = astarL_testobject(L, lua_gettop(L), ASTARL_PATH);
    }
    if (path != NULL && path->finder != NULL)
        mark_path(L, grid, &path->core);
}

// Pushes the character of each terrain, and what writes a list of all cells' characters.
static void push_glyphs(lua_State *L, const AstarGrid *grid)
{
    astarL_pushhelper(L, "draw");
    if (!lua_isfunction(L, -2))
        luaL_error(L, "grid:draw needs astar's files of Lua");
    lua_pushvalue(L, DRAWN_GRID);
    astarL_pushkeys(L, DRAWN_GRID, ASTARL_KEYS);
    lua_newtable(L);
    for (int i = 0; i < astar_grid_terrain_count(grid); i++) {
        lua_pushnumber(L, astar_grid_cost(grid, i));
        lua_rawseti(L, -2, i + 1);
    }
    lua_pushvalue(L, LEGEND);
    lua_call(L, 5, 2);
    if (!lua_istable(L, GLYPHS))
        luaL_error(L, "%s", lua_tostring(L, WRITE));
}

// Pushes a list of the cells' characters, row by row: the ground and blocks.
static void push_ground(lua_State *L, const AstarGrid *grid)
{
    int width = astar_grid_width(grid), height = astar_grid_height(grid);
    lua_createtable(L, width * height, 0);
    for (int y = 0, i = 1; y < height; y++)
        for (int x = 0; x < width; x++, i++) {
            if (astar_grid_is_blocked_in_any(grid, x, y))
                lua_pushliteral(L, "X");
            else
                lua_rawgeti(L, GLYPHS, astar_grid_get(grid, x, y) + 1);
            lua_rawseti(L, DRAWN_CELLS, i);
        }
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
    push_glyphs(L, core);
    push_ground(L, core);
    for (int i = 0; marks[i] != 0; i++)
        lua_pushlstring(L, &marks[i], 1);
    if (!lua_isnil(L, DRAWN))
        mark_drawn(L, core);
    astarL_letgo(L, HOLD);
    lua_pushvalue(L, WRITE);
    lua_pushvalue(L, DRAWN_CELLS);
    lua_call(L, 1, 1);
    return 1;
}
