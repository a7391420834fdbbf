// lua_make_grid.c -- astar.grid: grids from a size, a drawing or rows of keys.
//
// What the arguments come to make_grid.lua tells. The grid is an object of Lua's from the first
// line on, so an error at any cell only leaves garbage. Tables are read raw: no metamethod runs
// while a grid is being made. The core is given a row of terrains at a time.

#include "binding/lua_helper.h"
#include "binding/lua_keys.h"

// Where the parts of a call stand on the stack, after the arguments: what make_grid.lua tells.
enum {
    MADE_WIDTH = 4,
    MADE_HEIGHT,
    MADE_ORIGIN,
    MADE_OPTIONS = MADE_ORIGIN + 2,
    MADE_PALETTE,
    MADE_PRICES,
    MADE_FILL,
    MADE_ROWS,
    MADE_GRID
};

// Gives the grid at MADE_GRID its terrains.
static void set_palette(lua_State *L)
{
    luaL_checktype(L, MADE_PALETTE, LUA_TTABLE);
    luaL_checktype(L, MADE_PRICES, LUA_TTABLE);
    int count = (int)lua_rawlen(L, MADE_PALETTE);
    for (int i = 1; i <= count; i++) {
        lua_rawgeti(L, MADE_PALETTE, i);
        lua_rawgeti(L, MADE_PRICES, i);
        astarL_addterrain(L, MADE_GRID, MADE_GRID + 1, astarL_checkcost(L, MADE_GRID + 2, "cost"));
        lua_settop(L, MADE_GRID);
    }
}

// Reads the rows at MADE_ROWS, of as many cells as the grid at MADE_GRID is wide.
static void read_rows(lua_State *L, AstarGrid *core)
{
    int width = astar_grid_width(core), height = astar_grid_height(core);
    luaL_checktype(L, MADE_ROWS, LUA_TTABLE);
    astarL_pushkeys(L, MADE_GRID, ASTARL_TERRAINS);
    astarL_KeyReader reader = {.core = core, .terrains = MADE_GRID + 1, .width = width, .what = ""};
    reader.cells = lua_newuserdata(L, (size_t)width);
    int top = lua_gettop(L);
    for (; reader.y < height; reader.y++) {
        lua_rawgeti(L, MADE_ROWS, reader.y + 1);
        astarL_readrow(L, &reader, 0);
        astar_grid_set_cells(core, 0, reader.y, width, 1, reader.cells);
        lua_settop(L, top);
    }
}

// astar.grid(width, height [, options]) | (drawing [, options]) | (rows [, options]) --> grid
int astarL_grid(lua_State *L)
{
    lua_settop(L, MADE_WIDTH - 1);
    astarL_askhelper(L, "arguments", "grid");
    lua_settop(L, MADE_GRID - 1);
    int width = astarL_checkint(L, MADE_WIDTH, 1, ASTAR_MAX_SIDE, "width");
    int height = astarL_checkint(L, MADE_HEIGHT, 1, ASTAR_MAX_SIDE, "height");
    AstarCell origin = astarL_checkorigin(L, MADE_ORIGIN);
    astarL_Grid *grid = astarL_pushgrid(L, astarL_readshape(L, MADE_OPTIONS), width, height,
                                        origin.x, origin.y);
    set_palette(L);
    if (lua_isnil(L, MADE_FILL))
        read_rows(L, grid->core);
    else
        astar_grid_fill(grid->core, 0, 0, width, height,
                        astarL_checkint(L, MADE_FILL, 1, (int)lua_rawlen(L, MADE_PALETTE), "fill") -
                            1);
    lua_settop(L, MADE_GRID);
    astarL_charge(L, astar_grid_bytes(grid->core));
    return 1;
}
