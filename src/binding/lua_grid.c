// lua_grid.c -- grids: the methods of a grid. lua_make_grid.c makes them.

#include "binding/lua_keys.h"
#include "binding/lua_share.h"

#include <math.h>

static astarL_Grid *check_grid_cell(lua_State *L, int *x, int *y)
{
    astarL_Grid *grid = astarL_checkgrid(L, 1);
    astarL_checkcell(L, 2, grid->core, grid->x0, grid->y0, "x", "y", x, y);
    return grid;
}

// The same to read it there: entered.
static unsigned enter_cell(lua_State *L, astarL_Grid **grid, int *x, int *y)
{
    *grid = check_grid_cell(L, x, y);
    return astarL_enter(L, (*grid)->core, 1);
}

// ---- ground ----

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

// Pushes what the terrain whose key is at 2 costs, nil where there is none.
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

// grid:terrain(key) --> cost | false, nil when unknown; grid:terrain(key, cost) sets or adds it
static int grid_terrain(lua_State *L)
{
    astarL_Grid *grid = astarL_checkgrid(L, 1);
    lua_settop(L, 3);
    if (!astarL_iskey(L, 2))
        return astarL_badvalue(L, 2, "a terrain's key must be a string or an integer");
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

// grid:is_walkable(x, y) --> boolean
static int grid_is_walkable(lua_State *L)
{
    int x, y;
    astarL_Grid *grid;
    unsigned entered = enter_cell(L, &grid, &x, &y);
    bool answer = astar_grid_is_walkable(grid->core, x, y);
    astar_view_leave(grid->core, entered);
    lua_pushboolean(L, answer);
    return 1;
}

// ---- the grid as a whole ----

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

// grid:changes(version) --> {x, y, width, height, x, ...} | nil where it is not known any more
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
    do { // a map from another state may have others by then
        capacity = count;
        changes = lua_newuserdata(L, (capacity + 1) * sizeof *changes);
        astarL_checkheld(L, grid->core); // memory for that may have had a finalizer close it
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

// grid:clone() --> an equal grid of its own
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
    astarL_charge(L, astar_grid_bytes(copy->core));
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
    {"distance", 5, astarL_grid_distance},
    {"draw", 3, astarL_grid_draw},
    {"dump", 1, astarL_grid_dump},
    {"fill", 6, grid_fill},
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
    {"set", 4, grid_set},
    {"set_cells", 6, astarL_grid_set_cells},
    {"share", 2, astarL_grid_share},
    {"shape", 1, astarL_grid_shape},
    {"size", 1, grid_size},
    {"terrain", 3, grid_terrain},
    {"unblock", 6, astarL_grid_unblock},
    {"unlink", 6, astarL_grid_unlink},
    {"unshare", 1, astarL_grid_unshare},
    {"unwall", 5, astarL_grid_wall},
    {"version", 1, grid_version},
    {"wall", 5, astarL_grid_wall},
    {"walls", 1, astarL_grid_walls},
    {"", 0, NULL},
};

const astarL_Class astarL_gridclass = {
    .type = ASTARL_GRID, .methods = grid_methods, .release = release_grid};
