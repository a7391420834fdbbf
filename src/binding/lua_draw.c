// lua_draw.c -- grid:draw: what there is in each cell. What is drawn of it is draw.lua's.

#include "binding/lua_helper.h"
#include "binding/lua_keys.h"

// Where the parts of a call stand on the stack.
enum { DRAWN_GRID = 1, DRAWN, LEGEND, DRAWN_KEYS, DRAWN_COSTS, DRAWN_CELLS, DRAWN_HOLD };

// Fills a list for each cell, row by row: the number of its terrain, 0 where it is blocked, less
// than that where the search has been there.
static void list_drawn_cells(lua_State *L, const AstarGrid *grid, const AstarSearch *search)
{
    int width = astar_grid_width(grid), height = astar_grid_height(grid);
    for (int y = 0, i = 1; y < height; y++)
        for (int x = 0; x < width; x++, i++) {
            int seen = search != NULL ? (int)astar_search_cell(search, x, y) : 0;
            bool is_blocked = astar_grid_is_blocked_in_any(grid, x, y);
            lua_pushinteger(L, seen > 0 ? -seen : is_blocked ? 0 : astar_grid_get(grid, x, y) + 1);
            lua_rawseti(L, DRAWN_CELLS, i);
        }
}

// grid:draw([path | search] [, legend]) --> string: route *, start S, goal G, blocks X, open +,
// closed -
int astarL_grid_draw(lua_State *L)
{
    const astarL_Grid *grid = astarL_checkgrid(L, DRAWN_GRID);
    lua_settop(L, LEGEND);
    if (lua_istable(L, DRAWN)) { // the legend alone
        if (!lua_isnil(L, LEGEND))
            return luaL_error(L, "astar path expected, got a table");
        lua_insert(L, DRAWN);
    }
    const astarL_Search *search = astarL_testobject(L, DRAWN, ASTARL_SEARCH);
    if (search == NULL && !lua_isnil(L, DRAWN))
        astarL_checkpath(L, DRAWN);
    if (!lua_isnil(L, LEGEND) && !lua_istable(L, LEGEND))
        return astarL_badvalue(L, LEGEND, "legend must be a table");
    astarL_pushkeys(L, DRAWN_GRID, ASTARL_KEYS);
    lua_newtable(L);
    lua_newtable(L);
    const AstarGrid *core = astarL_holdgrid(L, DRAWN_GRID);
    for (int i = 0; i < astar_grid_terrain_count(core); i++) {
        lua_pushnumber(L, astar_grid_cost(core, i));
        lua_rawseti(L, DRAWN_COSTS, i + 1);
    }
    lua_createtable(L, astar_grid_width(core) * astar_grid_height(core), 0);
    lua_replace(L, DRAWN_CELLS);
    if (search != NULL)
        astarL_checksearch(L, DRAWN);
    list_drawn_cells(L, core, search != NULL ? search->job.core : NULL);
    astarL_letgo(L, DRAWN_HOLD);
    lua_settop(L, DRAWN_CELLS);
    if (search != NULL && search->job.core != NULL) {
        int sx, sy, gx, gy;
        astar_search_ends(search->job.core, &sx, &sy, &gx, &gy);
        astarL_pushcell(L, sx, sy, grid->x0, grid->y0);
        astarL_pushcell(L, gx, gy, grid->x0, grid->y0);
    }
    return astarL_askhelper(L, "draw", "grid:draw");
}
