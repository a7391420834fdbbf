// lua_links_and_walls.c -- links and walls: what joins cells that are not neighbours, and parts
// those that are.

#include "binding/lua_helper.h"
#include "binding/lua_keys.h"
#include "binding/lua_share.h"

#include <assert.h>
#include <math.h>

// ---- links ----

static astarL_Ends check_link_ends(lua_State *L, const astarL_Grid *grid)
{
    return astarL_checkends(L, 2, grid->core, grid->x0, grid->y0, false);
}

bool astarL_readlink(lua_State *L, int options, double most, double *cost, bool *one_way)
{
    lua_settop(L, options);
    astarL_checkoptions(L, options, "cost\0label\0one_way\0");
    *cost = astarL_readreal(L, options, "cost", 0, most, *cost);
    int label = options + 1, type = astarL_rawfield(L, options, "label");
    if (type != LUA_TNIL && !astarL_islabel(L, label))
        astarL_badvalue(L, label, "label must be a string or a number");
    *one_way = astarL_readflag(L, options, "one_way", false);
    return type != LUA_TNIL;
}

// grid:link(x0, y0, x1, y1 [, {cost =, label =, one_way =}])
int astarL_grid_link(lua_State *L)
{
    double cost = 1;
    bool one_way;
    astarL_Grid *grid = astarL_checkowngrid(L, 1);
    astarL_Ends ends = check_link_ends(L, grid);
    if (ends.x0 == ends.x1 && ends.y0 == ends.y1) {
        int x = ends.x0 + grid->x0, y = ends.y0 + grid->y0;
        return luaL_error(L, "a link must join two cells, got (%d, %d) twice", x, y);
    }
    bool has_label = astarL_readlink(L, 6, ASTAR_COST_MAX, &cost, &one_way);
    uint32_t label = has_label ? astarL_addlabel(L, 1, 7) : 0;
    astarL_checkheld(L, grid->core);
    size_t before = astar_grid_bytes(grid->core);
    if (astar_grid_link(grid->core, ends.x0, ends.y0, ends.x1, ends.y1, cost, label, one_way) !=
        ASTAR_OK)
        return astarL_nomemory(L);
    astarL_charge(L, astar_grid_bytes(grid->core) - before);
    return 0;
}

// grid:unlink(x0, y0, x1, y1 [, one_way]) --> boolean: whether there was such a link
int astarL_grid_unlink(lua_State *L)
{
    astarL_Grid *grid = astarL_checkowngrid(L, 1);
    astarL_Ends ends = check_link_ends(L, grid);
    bool one_way = astarL_checkflag(L, 6, "one_way", false);
    lua_pushboolean(L, astar_grid_unlink(grid->core, ends.x0, ends.y0, ends.x1, ends.y1, one_way));
    return 1;
}

// Lets go of the hold at 2, and gives what links_and_walls.lua makes of the list at 4.
static int give_list(lua_State *L, const char *name)
{
    astarL_letgo(L, 2);
    lua_replace(L, 2);
    lua_settop(L, 2);
    return astarL_askhelper(L, "links_and_walls", name);
}

// grid:links() --> list of links; one that is the same both ways stands there once. What is listed
// of each way over one, links_and_walls.lua makes that of.
int astarL_grid_links(lua_State *L)
{
    const astarL_Grid *grid = astarL_checkgrid(L, 1);
    lua_settop(L, 1);
    const AstarGrid *core = astarL_holdgrid(L, 1);
    astarL_pushkeys(L, 1, ASTARL_LABELS);
    lua_newtable(L);
    for (uint32_t i = 0; i < astar_grid_link_count(core); i++) {
        AstarLink link;
        astar_grid_link_at(core, i, &link);
        astarL_pushcell(L, link.x0, link.y0, grid->x0, grid->y0);
        astarL_pushcell(L, link.x1, link.y1, grid->x0, grid->y0);
        lua_pushnumber(L, link.cost);
        astarL_pushlabel(L, 3, link.label);
        for (int k = 6; k > 0; k--)
            lua_rawseti(L, 4, 6 * (int)i + k);
    }
    return give_list(L, "links");
}

// ---- walls ----

static astarL_Grid *check_side(lua_State *L, int *x, int *y, AstarSide *side)
{
    astarL_Grid *grid = astarL_checkgrid(L, 1);
    astarL_checkcell(L, 2, grid->core, grid->x0, grid->y0, "x", "y", x, y);
    *side = astarL_checkdirection(L, 4, grid->core, false, "direction");
    return grid;
}

// grid:wall(x, y, direction [, one_way]), grid:unwall(the same)
int astarL_grid_wall(lua_State *L)
{
    int x, y;
    AstarSide side;
    astarL_checkowngrid(L, 1);
    astarL_Grid *grid = check_side(L, &x, &y, &side);
    bool one_way = astarL_checkflag(L, 5, "one_way", false);
    if (astarL_iscalled(L, "unwall")) {
        astar_grid_unwall(grid->core, x, y, side, one_way);
        return 0;
    }
    size_t before = astar_grid_bytes(grid->core);
    AstarStatus status = astar_grid_wall(grid->core, x, y, side, one_way);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    astarL_charge(L, astar_grid_bytes(grid->core) - before);
    return 0;
}

// grid:has_wall(x, y, direction) --> boolean
int astarL_grid_has_wall(lua_State *L)
{
    int x, y;
    AstarSide side;
    astarL_Grid *grid = check_side(L, &x, &y, &side);
    unsigned entered = astarL_enter(L, grid->core, 1);
    bool has_wall = astar_grid_has_wall(grid->core, x, y, side);
    astar_view_leave(grid->core, entered);
    lua_pushboolean(L, has_wall);
    return 1;
}

// grid:walls() --> list of walls; one that bars both ways stands there once. What is listed is of
// each cell its sides, a bit each.
int astarL_grid_walls(lua_State *L)
{
    const astarL_Grid *grid = astarL_checkgrid(L, 1);
    lua_settop(L, 1);
    const AstarGrid *core = astarL_holdgrid(L, 1);
    lua_pushnil(L);
    lua_newtable(L);
    uint64_t cell = 0;
    int x, y, count = 0;
    unsigned sides;
    while (astar_grid_next_walls(core, &cell, &x, &y, &sides)) {
        astarL_pushcell(L, x, y, grid->x0, grid->y0);
        lua_pushinteger(L, (lua_Integer)sides);
        for (int k = 3; k > 0; k--)
            lua_rawseti(L, 4, count + k);
        count += 3;
    }
    return give_list(L, "walls");
}
