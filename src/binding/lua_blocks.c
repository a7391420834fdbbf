// lua_blocks.c -- blocks in layers: obstacles on a grid that bar some units.
//
// A layer has a name; calls that give no name use the layer "".

#include "binding/lua_blocks.h"

#include "binding/lua_gc_account.h"
#include "binding/lua_grid.h"
#include "binding/lua_keys.h"
#include "binding/lua_options.h"
#include "binding/lua_shape.h"
#include "binding/lua_share.h"
#include "binding/lua_util.h"

#include <assert.h>
#include <math.h>

// layers

// Returns the string at 'arg', which must be a valid name of a layer. 'what' names the argument in
// error messages.
static const char *check_layer_name(lua_State *L, int arg, const char *what, size_t *length)
{
    if (lua_type(L, arg) != LUA_TSTRING)
        luaL_error(L, "%s must be a string, got %s", what, astarL_describe(L, arg));
    const char *name = lua_tolstring(L, arg, length);
    if (*length > ASTAR_MAX_LAYER_NAME)
        luaL_error(L, "%s must be a string of at most %d bytes, got %s", what, ASTAR_MAX_LAYER_NAME,
                   astarL_describe(L, arg));
    return name;
}

// Pushes a list of the names of all layers of a grid.
static void push_layer_names(lua_State *L, const AstarGrid *core)
{
    lua_newtable(L);
    for (int i = 0; i < astar_grid_layer_count(core); i++) {
        size_t length;
        const char *name = astar_grid_layer_name(core, i, &length);
        lua_pushlstring(L, name, length);
        lua_rawseti(L, -2, i + 1);
    }
}

// Raises an error for a name that no layer has. The message suggests the most similar name.
_Noreturn static void no_layer(lua_State *L, const AstarGrid *grid, const char *name, size_t length)
{
    lua_pushlstring(L, name, length);
    lua_pushboolean(L, astar_grid_has_all_layers(grid));
    push_layer_names(L, grid);
    astarL_complain(L, "no_layer", 3);
}

int astarL_findlayer(lua_State *L, int arg, const AstarGrid *grid)
{
    size_t length;
    if (lua_isnoneornil(L, arg))
        return 0;
    const char *name = check_layer_name(L, arg, "layer", &length);
    int layer = astar_grid_find_layer(grid, name, length);
    if (layer < 0 && astar_grid_has_all_layers(grid))
        no_layer(L, grid, name, length);
    return layer;
}

// Returns the number of the layer with a name. Creates the layer if there is none, or raises an
// error if all layers were declared when the grid was made.
static int need_layer(lua_State *L, const astarL_Grid *grid, const char *name, size_t length)
{
    AstarGrid *core = grid->core;
    int layer = astar_grid_find_layer(core, name, length);
    if (layer < 0 && astar_grid_has_all_layers(core))
        no_layer(L, core, name, length);
    AstarStatus status = layer < 0 ? astar_grid_layer(core, name, length, &layer) : ASTAR_OK;
    if (status == ASTAR_NO_MEMORY)
        astarL_nomemory(L);
    if (status != ASTAR_OK && astar_grid_is_view(core))
        luaL_error(L,
                   "a map from astar.shared is read-only, and has no layer \"%s\": name it on "
                   "the grid that was shared, and publish that",
                   name);
    if (status != ASTAR_OK)
        luaL_error(L, "a grid holds at most %d layers of blocks with names", ASTAR_MAX_LAYERS);
    return layer;
}

uint64_t astarL_takeignored(lua_State *L, const astarL_Grid *grid)
{
    uint64_t ignored = 0;
    astarL_askabout(L, "arguments", "ignored", 1);
    size_t length, count = lua_rawlen(L, -1);
    for (size_t i = 1; i <= count; lua_pop(L, 1), i++) {
        lua_rawgeti(L, -1, (int)i);
        const char *name = luaL_checklstring(L, -1, &length);
        astarL_checkheld(L, grid->core); // a finalizer may have closed it while the name was pushed
        ignored |= UINT64_C(1) << need_layer(L, grid, name, length);
    }
    return ignored;
}

const double *astarL_takebreach(lua_State *L, int list, const astarL_Grid *grid,
                                double prices[ASTAR_MAX_LAYERS + 1])
{
    size_t length, count = lua_istable(L, list) ? lua_rawlen(L, list) / 2 : 0;
    for (int i = 0; i <= ASTAR_MAX_LAYERS; i++)
        prices[i] = NAN;
    for (size_t i = 0; i < count; i++, lua_pop(L, 2)) {
        lua_rawgeti(L, list, (int)(2 * i + 1));
        lua_rawgeti(L, list, (int)(2 * i + 2));
        const char *name = luaL_checklstring(L, -2, &length);
        astarL_checkheld(L, grid->core); // a finalizer may have closed it while the name was pushed
        prices[need_layer(L, grid, name, length)] = (double)lua_tonumber(L, -1);
    }
    return count > 0 ? prices : NULL;
}

void astarL_declarelayers(lua_State *L, int options, astarL_Grid *grid)
{
    if (astarL_rawfield(L, options, "layers") == LUA_TTABLE) {
        int list = lua_gettop(L), count = (int)lua_rawlen(L, list);
        for (int i = 1; i <= count; i++, lua_pop(L, 1)) {
            size_t length;
            lua_rawgeti(L, list, i);
            const char *name = check_layer_name(L, list + 1, "layers", &length);
            need_layer(L, grid, name, length);
        }
        astar_grid_close_layers(grid->core);
    }
    lua_pop(L, 1);
}

void astarL_pushblocks(lua_State *L, const AstarGrid *grid, const AstarBlock *blocks, size_t count,
                       int x0, int y0)
{
    lua_newtable(L);
    for (size_t i = 0; i < count; i++) {
        size_t length;
        const char *name = astar_grid_layer_name(grid, blocks[i].layer, &length);
        astarL_pushpoint(L, blocks[i].x, blocks[i].y, x0, y0);
        lua_pushlstring(L, name, length);
        lua_setfield(L, -2, "layer");
        lua_rawseti(L, -2, (int)i + 1);
    }
}

// blocks

// Returns the stack index of the argument that names the layer. This argument follows the arguments
// x, y [, w, h].
static int place_of_layer(lua_State *L, const char *method)
{
    int arg = 4;
    while (arg < 6 && lua_type(L, arg) != LUA_TSTRING)
        arg++;
    if (arg < 6 && lua_type(L, arg + 1) == LUA_TNUMBER)
        luaL_error(L, "layer must be the last argument: grid:%s(x, y, w, h, layer)", method);
    astarL_nomore(L, arg, method, true);
    return arg;
}

// grid:block(x, y [, w, h] [, layer])
int astarL_grid_block(lua_State *L)
{
    astarL_Grid *grid = astarL_checkowngrid(L, 1);
    int arg = place_of_layer(L, "block");
    Rectangle r = astarL_checkrectangle(L, grid, true);
    int layer = astarL_findlayer(L, arg, grid->core);
    if (layer < 0) {
        size_t length;
        const char *name = lua_tolstring(L, arg, &length);
        layer = need_layer(L, grid, name, length);
    }
    if (astar_grid_block_layer(grid->core, layer, r.x, r.y, r.width, r.height) != ASTAR_OK)
        return astarL_nomemory(L);
    return 0;
}

// grid:unblock(x, y [, w, h] [, layer])
int astarL_grid_unblock(lua_State *L)
{
    astarL_Grid *grid = astarL_checkowngrid(L, 1);
    int arg = place_of_layer(L, "unblock");
    Rectangle r = astarL_checkrectangle(L, grid, true);
    int layer = astarL_findlayer(L, arg, grid->core);
    if (layer < 0) {
        size_t length;
        const char *name = lua_tolstring(L, arg, &length);
        no_layer(L, grid->core, name, length);
    }
    astar_grid_unblock_layer(grid->core, layer, r.x, r.y, r.width, r.height);
    return 0;
}

// grid:is_blocked(x, y [, layer]) --> boolean
int astarL_grid_is_blocked(lua_State *L)
{
    int x, y;
    astarL_Grid *grid = astarL_checkgrid(L, 1);
    bool is_inside = astarL_findcell(L, 2, grid->core, grid->x0, grid->y0, &x, &y);
    astarL_findlayer(L, 4, grid->core); // raises its error, if any, before the grid is entered
    unsigned entered = astarL_enter(L, grid->core, 1);
    int layer = astarL_findlayer(L, 4, grid->core);
    bool answer = is_inside && layer >= 0 && astar_grid_is_blocked_layer(grid->core, layer, x, y);
    astar_view_leave(grid->core, entered);
    lua_pushboolean(L, answer);
    return 1;
}

// grid:block_layers([x, y]) --> list of the names of all layers, or of the layers that have a block
// at (x, y)
int astarL_grid_block_layers(lua_State *L)
{
    const astarL_Grid *grid = astarL_checkgrid(L, 1);
    int x = 0, y = 0, count = 0;
    bool of_cell = !lua_isnoneornil(L, 2) || !lua_isnoneornil(L, 3);
    if (of_cell)
        astarL_checkcell(L, 2, grid->core, grid->x0, grid->y0, "x", "y", &x, &y);
    const AstarGrid *core = astarL_holdgrid(L, 1);
    int hold = lua_gettop(L);
    lua_newtable(L);
    for (int i = 0; i < astar_grid_layer_count(core); i++) {
        size_t length;
        const char *name = astar_grid_layer_name(core, i, &length);
        if (of_cell && !astar_grid_is_blocked_layer(core, i, x, y))
            continue;
        lua_pushlstring(L, name, length);
        lua_rawseti(L, -2, ++count);
    }
    astarL_release(L, hold);
    return 1;
}

// finder:blockers(sx, sy, gx, gy) --> {{x =, y =, layer =}, ...} | nil, reason
int astarL_finder_blockers(lua_State *L)
{
    astarL_Finder *finder = astarL_checkfinder(L, 1);
    const AstarOptions *options = astar_finder_options(finder->core);
    astarL_Ends ends = astarL_checkfinderends(L, 2, finder, false);
    AstarBlock few[64], *blocks = few;
    size_t room = sizeof few / sizeof *few, count = room;
    bool is_wide = options->size > 1 || options->height > 1;
    if (is_wide || options->cost != NULL || options->step_cost != NULL)
        return luaL_error(L, "blockers cannot honour %s",
                          is_wide ? "a size above 1" : "cost functions");
    AstarGrid *held = astarL_holdgridof(L, &finder->core, 1);
    int hold = lua_gettop(L);
    for (;;) {
        unsigned entered = astarL_enterof(L, &finder->core, 1);
        AstarStatus status = astar_blockers(finder->core, ends.x0, ends.y0, ends.x1, ends.y1,
                                            blocks, room, &count);
        astar_view_leave(astar_finder_grid(finder->core), entered);
        if (status != ASTAR_OK)
            return astarL_fail(L, status);
        if (count <= room)
            break;
        room = count;
        blocks = lua_newuserdata(L, room * sizeof *blocks);
    }
    astarL_pushblocks(L, held, blocks, count, finder->x0, finder->y0);
    astarL_release(L, hold);
    return 1;
}

// Links join cells that are not neighbours. Walls separate cells that are neighbours.

// links

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
    astarL_checkgrid(L, 1); // again: a finalizer may have closed it
    size_t before = astar_grid_bytes(grid->core);
    if (astar_grid_link(grid->core, ends.x0, ends.y0, ends.x1, ends.y1, cost, label, one_way) !=
        ASTAR_OK)
        return astarL_nomemory(L);
    astarL_account(L, astar_grid_bytes(grid->core) - before);
    return 0;
}

// grid:unlink(x0, y0, x1, y1 [, one_way]) --> true if there was a link between the cells
int astarL_grid_unlink(lua_State *L)
{
    astarL_Grid *grid = astarL_checkowngrid(L, 1);
    astarL_Ends ends = check_link_ends(L, grid);
    bool one_way = astarL_checkflag(L, 6, "one_way", false);
    lua_pushboolean(L, astar_grid_unlink(grid->core, ends.x0, ends.y0, ends.x1, ends.y1, one_way));
    return 1;
}

// Releases the held grid at index 2. Then calls the function 'name' of links_and_walls.lua with the
// list at index 4, and returns its result to Lua.
static int give_list(lua_State *L, const char *name)
{
    astarL_release(L, 2);
    lua_replace(L, 2);
    lua_settop(L, 2);
    return astarL_askhelper(L, "links_and_walls", name);
}

// grid:links() --> list of links. A link with the same cost and label in both directions is listed
// once: the C code lists each direction separately, and links_and_walls.lua combines them.
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

// walls

static astarL_Grid *check_side(lua_State *L, int *x, int *y, AstarSide *side)
{
    astarL_Grid *grid = astarL_checkgrid(L, 1);
    astarL_checkcell(L, 2, grid->core, grid->x0, grid->y0, "x", "y", x, y);
    *side = astarL_checkdirection(L, 4, grid->core, false, "direction");
    return grid;
}

// grid:wall(x, y, direction [, one_way]), grid:unwall(x, y, direction [, one_way])
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
    astarL_account(L, astar_grid_bytes(grid->core) - before);
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

// grid:walls() --> list of walls. A wall that bars both directions is listed once: the C code lists
// the sides of each cell, one bit each, and links_and_walls.lua combines them.
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

// restricted cells

// grid:restrict(x, y [, w, h], directions), grid:unrestrict(x, y [, w, h])
int astarL_grid_restrict(lua_State *L)
{
    astarL_Grid *grid = astarL_checkowngrid(L, 1);
    bool is_restricting = astarL_iscalled(L, "restrict");
    AstarRectangle cells = {0, 0, 1, 1};
    astarL_checkcell(L, 2, grid->core, grid->x0, grid->y0, "x", "y", &cells.x, &cells.y);
    bool has_size = is_restricting ? lua_gettop(L) > 4 : !lua_isnoneornil(L, 4);
    if (has_size) {
        cells.width = astarL_checkint(L, 4, 1, astar_grid_width(grid->core) - cells.x, "w");
        cells.height = astarL_checkint(L, 5, 1, astar_grid_height(grid->core) - cells.y, "h");
    }
    if (!is_restricting) {
        astar_grid_unrestrict(grid->core, cells.x, cells.y, cells.width, cells.height);
        return 0;
    }
    unsigned sides = astarL_checksides(L, has_size ? 6 : 4, grid->core);
    astarL_checkgrid(L, 1); // again: a finalizer may have closed it
    size_t before = astar_grid_bytes(grid->core);
    AstarStatus status = astar_grid_restrict(grid->core, cells.x, cells.y, cells.width,
                                             cells.height, sides);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    astarL_account(L, astar_grid_bytes(grid->core) - before);
    return 0;
}

// grid:restrictions() --> list of restricted cells, {{x =, y =, directions = {...}}, ...}
int astarL_grid_restrictions(lua_State *L)
{
    const astarL_Grid *grid = astarL_checkgrid(L, 1);
    lua_settop(L, 1);
    const AstarGrid *core = astarL_holdgrid(L, 1);
    lua_newtable(L);
    uint64_t cell = 0;
    int x, y, count = 0;
    unsigned sides;
    while (astar_grid_next_restricted(core, &cell, &x, &y, &sides)) {
        astarL_pushpoint(L, x, y, grid->x0, grid->y0);
        astarL_pushsides(L, sides);
        lua_setfield(L, -2, "directions");
        lua_rawseti(L, 3, ++count);
    }
    astarL_release(L, 2);
    return 1;
}
