// lua_grid.c -- grids: how scripts make them, their methods, and grid:draw.

#include "binding/lua_grid.h"

#include "binding/lua_blocks.h"
#include "binding/lua_gc_account.h"
#include "binding/lua_keys.h"
#include "binding/lua_options.h"
#include "binding/lua_shape.h"
#include "binding/lua_share.h"
#include "binding/lua_util.h"

#include <math.h>

// The functions below implement astar.grid, which makes grids from a size, a drawing or rows of
// keys.
//
// make_grid.lua interprets the arguments. The grid is a Lua object from the start, so after an
// error at any cell the garbage collector frees it. Tables are read by raw access: no metamethod
// runs while a grid is being made. The core receives one row of terrains at a time.

// Stack indices of the values that make_grid.lua returns. These values follow the arguments.
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

// Adds the terrains listed at MADE_PALETTE to the grid at MADE_GRID.
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

// Reads the rows at MADE_ROWS, each as wide as the grid at MADE_GRID.
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
    astarL_declarelayers(L, MADE_OPTIONS, grid);
    astarL_account(L, astar_grid_bytes(grid->core));
    return 1;
}

// The functions below are the methods of a grid.

static astarL_Grid *check_grid_cell(lua_State *L, int *x, int *y)
{
    astarL_Grid *grid = astarL_checkgrid(L, 1);
    astarL_checkcell(L, 2, grid->core, grid->x0, grid->y0, "x", "y", x, y);
    return grid;
}

// Reads the cell at the indices 2 and 3 and enters the grid at index 1. Returns the value for
// astar_view_leave.
static unsigned enter_cell(lua_State *L, astarL_Grid **grid, int *x, int *y)
{
    *grid = check_grid_cell(L, x, y);
    return astarL_enter(L, (*grid)->core, 1);
}

// ground

// grid:get(x, y) --> key
static int grid_get(lua_State *L)
{
    int x, y;
    astarL_Grid *grid;
    unsigned entered = enter_cell(L, &grid, &x, &y);
    int terrain = astar_grid_get(grid->core, x, y);
    astar_view_leave(grid->core, entered);
    astarL_pushkey(L, 1, terrain);
    return 1;
}

// grid:set(x, y, key)
static int grid_set(lua_State *L)
{
    int x, y;
    astarL_checkowngrid(L, 1);
    astarL_Grid *grid = check_grid_cell(L, &x, &y);
    astar_grid_set(grid->core, x, y, astarL_checkterrain(L, 1, 4));
    return 0;
}

// grid:fill(x, y, w, h, key)
static int grid_fill(lua_State *L)
{
    astarL_Grid *grid = astarL_checkowngrid(L, 1);
    Rectangle r = astarL_checkrectangle(L, grid, false);
    int terrain = astarL_checkterrain(L, 1, 6);
    astar_grid_fill(grid->core, r.x, r.y, r.width, r.height, terrain);
    return 0;
}

// Pushes the cost of the terrain whose key is at index 2: false if the terrain is impassable, nil
// if there is no such terrain.
static int tell_cost(lua_State *L, astarL_Grid *grid)
{
    unsigned entered = astarL_enter(L, grid->core, 1);
    astarL_pushkeys(L, 1, ASTARL_TERRAINS);
    int terrain = astarL_findterrain(L, grid->core, 4, 2);
    double cost = terrain >= 0 ? astar_grid_cost(grid->core, terrain) : 0;
    astar_view_leave(grid->core, entered);
    if (terrain < 0)
        lua_pushnil(L);
    else if (isinf(cost))
        lua_pushboolean(L, false);
    else
        lua_pushnumber(L, cost);
    return 1;
}

// grid:terrain(key) --> cost | false if impassable | nil if unknown; grid:terrain(key, cost)
// changes or adds a terrain
static int grid_terrain(lua_State *L)
{
    astarL_Grid *grid = astarL_checkgrid(L, 1);
    lua_settop(L, 3);
    if (!astarL_iskey(L, 2))
        luaL_error(L, "a terrain's key must be a string or an integer, got %s%s",
                   astarL_describe(L, 2),
                   lua_istable(L, 2) ? ": one key per call, grid:terrain(key, cost)" : "");
    if (lua_isnil(L, 3))
        return tell_cost(L, grid);
    astarL_checkowngrid(L, 1);
    astarL_pushkeys(L, 1, ASTARL_TERRAINS);
    int terrain = astarL_findterrain(L, grid->core, 4, 2);
    double cost = astarL_checkcost(L, 3, "cost");
    if (terrain < 0)
        astarL_addterrain(L, 1, 2, cost);
    else
        astar_grid_set_cost(grid->core, terrain, cost);
    return 0;
}

// grid:is_walkable(x, y) --> boolean, false outside of the grid
static int grid_is_walkable(lua_State *L)
{
    int x, y;
    astarL_Grid *grid = astarL_checkgrid(L, 1);
    bool answer = astarL_findcell(L, 2, grid->core, grid->x0, grid->y0, &x, &y);
    if (answer) {
        unsigned entered = astarL_enter(L, grid->core, 1);
        answer = astar_grid_is_walkable(grid->core, x, y);
        astar_view_leave(grid->core, entered);
    }
    lua_pushboolean(L, answer);
    return 1;
}

// grid:contains(x, y) --> boolean
static int grid_contains(lua_State *L)
{
    int x, y;
    const astarL_Grid *grid = astarL_checkgrid(L, 1);
    lua_pushboolean(L, astarL_findcell(L, 2, grid->core, grid->x0, grid->y0, &x, &y));
    return 1;
}

// grid:find_cells(key) --> {{x =, y =}, ...}: the cells of the terrain, row by row
static int grid_find_cells(lua_State *L)
{
    const astarL_Grid *grid = astarL_checkgrid(L, 1);
    int terrain = astarL_checkterrain(L, 1, 2), found = 0;
    int width = astar_grid_width(grid->core), height = astar_grid_height(grid->core);
    uint8_t *row = lua_newuserdata(L, (size_t)width);
    lua_newtable(L);
    for (int y = 0; y < height; y++) {
        grid = astarL_checkgrid(L, 1); // again: a finalizer may have closed it
        unsigned entered = astarL_enter(L, grid->core, 1);
        astar_grid_get_cells(grid->core, 0, y, width, 1, row);
        astar_view_leave(grid->core, entered);
        for (int x = 0; x < width; x++)
            if (row[x] == terrain) {
                astarL_pushpoint(L, x, y, grid->x0, grid->y0);
                lua_rawseti(L, -2, ++found);
            }
    }
    return 1;
}

// The functions below are methods that concern the whole grid, not single cells.

// grid:size() --> width, height
static int grid_size(lua_State *L)
{
    astarL_Grid *grid = astarL_checkgrid(L, 1);
    lua_pushinteger(L, astar_grid_width(grid->core));
    lua_pushinteger(L, astar_grid_height(grid->core));
    return 2;
}

// grid:bounds() --> x0, y0, x1, y1
static int grid_bounds(lua_State *L)
{
    astarL_Grid *grid = astarL_checkgrid(L, 1);
    astarL_pushcell(L, 0, 0, grid->x0, grid->y0);
    return 2 + astarL_pushcell(L, astar_grid_width(grid->core) - 1,
                               astar_grid_height(grid->core) - 1, grid->x0, grid->y0);
}

// grid:version() --> integer
static int grid_version(lua_State *L)
{
    astarL_Grid *grid = astarL_checkgrid(L, 1);
    unsigned entered = astarL_enter(L, grid->core, 1);
    uint64_t version = astar_grid_version(grid->core);
    astar_view_leave(grid->core, entered);
    lua_pushinteger(L, (lua_Integer)version);
    return 1;
}

// grid:changes(version) --> {x, y, width, height, x, ...} | nil if the edits since that version are
// no longer known
static int grid_changes(lua_State *L)
{
    astarL_Grid *grid = astarL_checkgrid(L, 1);
    unsigned entered = astarL_enter(L, grid->core, 1);
    uint64_t now = astar_grid_version(grid->core);
    astar_view_leave(grid->core, entered);
    uint64_t since = (uint64_t)astarL_checkwhole(L, 2, 0, (lua_Number)now, "version");
    size_t capacity = 0, count = 0;
    AstarRectangle *changes = NULL;
    bool is_known;
    do { // the changes of a grid of another state may increase meanwhile
        capacity = count;
        changes = lua_newuserdata(L, (capacity + 1) * sizeof *changes);
        astarL_checkheld(L, grid->core); // a finalizer may have closed it during the allocation
        entered = astarL_enter(L, grid->core, 1);
        is_known = astar_grid_changes(grid->core, since, changes, capacity, &count);
        astar_view_leave(grid->core, entered);
    } while (is_known && count > capacity);
    if (!is_known) {
        lua_pushnil(L);
        return 1;
    }
    lua_createtable(L, (int)(4 * count), 0);
    for (int i = 0; i < (int)count; i++) {
        const int numbers[4] = {changes[i].x + grid->x0, changes[i].y + grid->y0, changes[i].width,
                                changes[i].height};
        for (int k = 0; k < 4; k++) {
            lua_pushinteger(L, numbers[k]);
            lua_rawseti(L, -2, 4 * i + k + 1);
        }
    }
    return 1;
}

// grid:bytes() --> integer
ASTARL_TELLS(grid_bytes, astarL_checkgrid, astar_grid_bytes)

// grid:clone() --> an independent copy
static int grid_clone(lua_State *L)
{
    astarL_Grid *grid = astarL_checkgrid(L, 1);
    lua_settop(L, 1);
    astarL_Grid *copy = astarL_newobject(L, ASTARL_GRID, sizeof *copy);
    astarL_checkgrid(L, 1); // again: a finalizer may have closed it
    copy->x0 = grid->x0;
    copy->y0 = grid->y0;
    unsigned entered = astarL_enter(L, grid->core, 1);
    AstarStatus status = astar_grid_clone(grid->core, &copy->core);
    astar_view_leave(grid->core, entered);
    if (status != ASTAR_OK)
        return astarL_nomemory(L);
    lua_newtable(L);
    for (int part = ASTARL_KEYS; part <= ASTARL_LABEL_NUMBERS; part++) {
        if (part == ASTARL_OWN_FINDER)
            continue;
        astarL_pushkeys(L, 1, part);
        astarL_pushcopy(L, lua_gettop(L));
        lua_rawseti(L, 3, part);
        lua_pop(L, 1);
    }
    lua_setuservalue(L, 2);
    astarL_account(L, astar_grid_bytes(copy->core));
    return 1;
}

ASTARL_RELEASE(release_grid, astar_grid_release)

static const astarL_Function grid_methods[] = {
    {"block", 6, astarL_grid_block},
    {"block_layers", 3, astarL_grid_block_layers},
    {"bounds", 1, grid_bounds},
    {"bytes", 1, grid_bytes},
    {"cell_at", 3, astarL_grid_cell_at},
    {"center", 3, astarL_grid_center},
    {"changes", 2, grid_changes},
    {"clone", 1, grid_clone},
    {"contains", 3, grid_contains},
    {"distance", 5, astarL_grid_distance},
    {"draw", 3, astarL_grid_draw},
    {"dump", 1, astarL_grid_dump},
    {"fill", 6, grid_fill},
    {"find_cells", 2, grid_find_cells},
    {"find_path", 6, astarL_grid_find_path},
    {"finder", ASTARL_COUNTS, astarL_grid_finder},
    {"get", 3, grid_get},
    {"get_cells", 5, astarL_grid_get_cells},
    {"has_wall", 4, astarL_grid_has_wall},
    {"is_blocked", 4, astarL_grid_is_blocked},
    {"is_walkable", 3, grid_is_walkable},
    {"link", 6, astarL_grid_link},
    {"links", 1, astarL_grid_links},
    {"neighbour", 4, astarL_grid_neighbour},
    {"publish", 1, astarL_grid_publish},
    {"restrict", 6, astarL_grid_restrict},
    {"restrictions", 1, astarL_grid_restrictions},
    {"set", 4, grid_set},
    {"set_cells", 6, astarL_grid_set_cells},
    {"share", 2, astarL_grid_share},
    {"shape", 1, astarL_grid_shape},
    {"size", 1, grid_size},
    {"terrain", 3, grid_terrain},
    {"unblock", 6, astarL_grid_unblock},
    {"unlink", 6, astarL_grid_unlink},
    {"unrestrict", 5, astarL_grid_restrict},
    {"unshare", 1, astarL_grid_unshare},
    {"unwall", 5, astarL_grid_wall},
    {"version", 1, grid_version},
    {"wall", 5, astarL_grid_wall},
    {"walls", 1, astarL_grid_walls},
    {"", 0, NULL},
};

const astarL_Class astarL_gridclass = {
    .type = ASTARL_GRID, .methods = grid_methods, .release = release_grid};

// The functions below implement grid:set_cells and grid:get_cells: the ground of a rectangle in one
// call.
//
// A script passes and receives keys row by row: as a string if each key is one character, or as a
// list. The keys are first translated into a buffer of Lua, so that an error leaves the grid
// unchanged.

// Stack indices of the arguments and buffers of grid:set_cells and grid:get_cells.
enum { SELF = 1, KEYS = 6, TERRAINS, BUFFER };

// Returns true if the argument at 'arg' is missing, nil, or a string: it is then not a width or
// height.
static bool is_left_out(lua_State *L, int arg)
{
    return lua_isnoneornil(L, arg) || lua_type(L, arg) == LUA_TSTRING;
}

Rectangle astarL_checkrectangle(lua_State *L, const astarL_Grid *grid, bool optional)
{
    Rectangle r = {0, 0, 1, 1};
    astarL_checkcell(L, 2, grid->core, grid->x0, grid->y0, "x", "y", &r.x, &r.y);
    if (!optional || !is_left_out(L, 4))
        r.width = astarL_checkint(L, 4, 1, astar_grid_width(grid->core) - r.x, "w");
    if (!optional || !is_left_out(L, 5))
        r.height = astarL_checkint(L, 5, 1, astar_grid_height(grid->core) - r.y, "h");
    return r;
}

static void wrong_count(lua_State *L, Rectangle r, size_t got)
{
    luaL_error(L, "keys must be %d x %d = %d cells, got %d", r.width, r.height, r.width * r.height,
               (int)got);
}

static void read_string(lua_State *L, astarL_KeyReader *reader, Rectangle r)
{
    size_t length;
    const char *text = lua_tolstring(L, KEYS, &length);
    size_t got = astarL_countcharacters(text, length);
    if (got != (size_t)r.width * (size_t)r.height)
        wrong_count(L, r, got);
    astarL_readtext(L, reader, 0, text, length);
}

static void read_list(lua_State *L, const astarL_KeyReader *reader, Rectangle r)
{
    const char *stray;
    size_t got = astarL_lengthof(L, KEYS, &stray);
    if (stray != NULL)
        luaL_error(L, "keys are counted from 1, got an entry [%s]", stray);
    if (got != (size_t)r.width * (size_t)r.height)
        wrong_count(L, r, got);
    astarL_readlist(L, reader, 0, KEYS, (int)got);
}

// grid:set_cells(x, y, w, h, keys)
int astarL_grid_set_cells(lua_State *L)
{
    astarL_Grid *grid = astarL_checkowngrid(L, SELF);
    Rectangle r = astarL_checkrectangle(L, grid, false);
    if (lua_type(L, KEYS) != LUA_TSTRING && !lua_istable(L, KEYS))
        return astarL_badvalue(L, KEYS, "keys must be a string or a list");
    astarL_pushkeys(L, SELF, ASTARL_TERRAINS);
    uint8_t *terrains = lua_newuserdata(L, (size_t)r.width * (size_t)r.height);
    astarL_KeyReader reader = {.core = astarL_holdgrid(L, SELF),
                               .terrains = TERRAINS,
                               .width = r.width,
                               .what = "",
                               .cells = terrains};
    if (lua_istable(L, KEYS))
        read_list(L, &reader, r);
    else
        read_string(L, &reader, r);
    grid = astarL_checkgrid(L, SELF); // again: a finalizer may have closed it
    astar_grid_set_cells(grid->core, r.x, r.y, r.width, r.height, terrains);
    return 0;
}

// Reads the keys of all terrains from the list on the top of the stack, if each key is a string of
// one byte. Otherwise returns false.
static bool list_characters(lua_State *L, int count, char characters[ASTAR_MAX_TERRAINS])
{
    bool all = true;
    for (int i = 0; i < count && all; i++) {
        lua_rawgeti(L, -1, i + 1);
        all = lua_type(L, -1) == LUA_TSTRING && lua_rawlen(L, -1) == 1;
        if (all)
            characters[i] = *lua_tostring(L, -1);
        lua_pop(L, 1);
    }
    return all;
}

static void push_list(lua_State *L, const uint8_t *terrains, size_t count)
{
    int keys = lua_gettop(L);
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, keys, terrains[i] + 1);
        lua_rawseti(L, -2, (int)i + 1);
    }
}

// grid:get_cells(x, y, w, h) --> string | list
int astarL_grid_get_cells(lua_State *L)
{
    astarL_Grid *grid = astarL_checkgrid(L, SELF);
    Rectangle r = astarL_checkrectangle(L, grid, false);
    size_t count = (size_t)r.width * (size_t)r.height;
    uint8_t *terrains = lua_newuserdata(L, count);
    astarL_pushkeys(L, SELF, ASTARL_KEYS);
    grid = astarL_checkgrid(L, SELF);
    unsigned entered = astarL_enter(L, grid->core, SELF);
    astar_grid_get_cells(grid->core, r.x, r.y, r.width, r.height, terrains);
    int terrain_count = astar_grid_terrain_count(grid->core);
    astar_view_leave(grid->core, entered);
    char characters[ASTAR_MAX_TERRAINS];
    if (!list_characters(L, terrain_count, characters)) {
        push_list(L, terrains, count);
        return 1;
    }
    for (size_t i = 0; i < count; i++)
        terrains[i] = (uint8_t)characters[terrains[i]];
    lua_pushlstring(L, (const char *)terrains, count);
    return 1;
}

// grid:draw lists the contents of each cell; draw.lua draws them.

// Stack indices of the arguments and lists of grid:draw.
enum { DRAWN_GRID = 1, DRAWN, LEGEND, DRAWN_KEYS, DRAWN_COSTS, DRAWN_CELLS, DRAWN_HOLD };

// Fills the list at DRAWN_CELLS with a number for each cell, row by row: the number of its terrain,
// from 1; 0 if the cell is blocked; or a negative number if the search has visited the cell.
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

// Raises an error for a path that was found on another grid. A path of a world may be drawn on a
// part of that world, and a view of a shared map counts as the same grid.
static void check_drawn_path(lua_State *L, const astarL_Grid *grid, const astarL_Path *path)
{
    const AstarGrid *of = path->finder != NULL ? astar_finder_grid(path->finder) : NULL;
    bool is_known = of != NULL && !path->of_world;
    if (is_known && of != grid->core &&
        (astar_grid_shared(of) == NULL || astar_grid_shared(of) != astar_grid_shared(grid->core)))
        luaL_error(L, "the path belongs to another grid: draw it by the grid that it was found on");
}

// grid:draw([path | search] [, legend]) --> string: route *, start S, goal G, blocks X, open +,
// closed -
int astarL_grid_draw(lua_State *L)
{
    const astarL_Grid *grid = astarL_checkgrid(L, DRAWN_GRID);
    lua_settop(L, LEGEND);
    if (lua_istable(L, DRAWN)) { // only the legend is given
        if (!lua_isnil(L, LEGEND))
            return luaL_error(L, "astar path expected, got a table");
        lua_insert(L, DRAWN);
    }
    const astarL_Search *search = astarL_testobject(L, DRAWN, ASTARL_SEARCH);
    if (search == NULL && !lua_isnil(L, DRAWN))
        check_drawn_path(L, grid, astarL_checkpath(L, DRAWN));
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
    astarL_release(L, DRAWN_HOLD);
    lua_settop(L, DRAWN_CELLS);
    if (search != NULL && search->job.core != NULL) {
        int sx, sy, gx, gy;
        astar_search_ends(search->job.core, &sx, &sy, &gx, &gy);
        astarL_pushcell(L, sx, sy, grid->x0, grid->y0);
        astarL_pushcell(L, gx, gy, grid->x0, grid->y0);
    }
    return astarL_askhelper(L, "draw", "grid:draw");
}
