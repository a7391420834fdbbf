// lua_shape.c -- the shapes of cells: squares and hexagons, the layout of cells and their
// neighbours.

#include "binding/lua_shape.h"

#include "binding/lua_util.h"

#include <math.h>
#include <string.h>

enum { DIRECTIONS = ASTAR_SIDE_NORTH_WEST + 1 };

// names

const char *astarL_direction(AstarSide direction)
{
    return astar_heading_name((AstarHeading)(direction + 1));
}

AstarSide astarL_checkdirection(lua_State *L, int arg, const AstarGrid *grid, bool diagonal,
                                const char *name)
{
    AstarOffset offset = astar_grid_offset(grid);
    bool all = diagonal && (offset == ASTAR_NO_OFFSET || astar_offset_wrap(offset) != NULL);
    unsigned sides = all ? (1u << DIRECTIONS) - 1 : astar_grid_sides(grid);
    for (int i = 0; i < DIRECTIONS; i++)
        if ((sides >> i & 1) != 0 && astarL_isname(L, arg, astarL_direction((AstarSide)i)))
            return (AstarSide)i;
    lua_pushvalue(L, arg);
    lua_pushstring(L, name);
    lua_newtable(L);
    for (int i = 0; i < DIRECTIONS; i++)
        if ((sides >> i & 1) != 0)
            astarL_addname(L, astarL_direction((AstarSide)i));
    astarL_complain(L, "one_of", 3);
}

unsigned astarL_checksides(lua_State *L, int arg, const AstarGrid *grid)
{
    if (!lua_istable(L, arg))
        return 1u << astarL_checkdirection(L, arg, grid, true, "directions");
    unsigned sides = 0;
    int count = (int)lua_rawlen(L, arg);
    for (int i = 1; i <= count; i++) {
        lua_rawgeti(L, arg, i);
        const char *name = lua_pushfstring(L, "directions[%d]", i);
        lua_insert(L, -2); // below the direction, so that the name is not collected
        sides |= 1u << astarL_checkdirection(L, lua_gettop(L), grid, true, name);
        lua_pop(L, 2);
    }
    return sides;
}

void astarL_pushsides(lua_State *L, unsigned sides)
{
    lua_newtable(L);
    for (int side = 0, count = 0; side < DIRECTIONS; side++)
        if ((sides >> side & 1) != 0) {
            lua_pushstring(L, astarL_direction((AstarSide)side));
            lua_rawseti(L, -2, ++count);
        }
}

// core.shapes() --> list of the names of shapes, each followed by the name of a layout of its cells
int astarL_shapes(lua_State *L)
{
    lua_newtable(L);
    for (int i = 0; i < ASTAR_WRAP_X; i++) {
        astarL_addname(L, astar_offset_shape((AstarOffset)i));
        astarL_addname(L, astar_offset_name((AstarOffset)i));
    }
    return 1;
}

// Returns true if cells of the shape have several layouts.
static bool has_offsets(AstarOffset offset)
{
    return strcmp(astar_offset_name(offset), "none") != 0;
}

// Returns true if the option at 'arg' is not given or has the value 'name'.
static bool may_be(lua_State *L, int arg, const char *name)
{
    return lua_isnil(L, arg) || (name != NULL && astarL_isname(L, arg, name));
}

// Returns the first shape that matches all options given. make_grid.lua has already checked the
// options.
AstarOffset astarL_readshape(lua_State *L, int options)
{
    int top = lua_gettop(L), offset = 0;
    astarL_rawfield(L, options, "shape");
    astarL_rawfield(L, options, "offset");
    astarL_rawfield(L, options, "wrap");
    while (offset < ASTAR_OFFSET_COUNT &&
           !(may_be(L, top + 1, astar_offset_shape((AstarOffset)offset)) &&
             may_be(L, top + 2, astar_offset_name((AstarOffset)offset)) &&
             may_be(L, top + 3, astar_offset_wrap((AstarOffset)offset))))
        offset++;
    lua_settop(L, top);
    return offset < ASTAR_OFFSET_COUNT ? (AstarOffset)offset : ASTAR_NO_OFFSET;
}

void astarL_pushcoordinate(lua_State *L, double value)
{
    if (value == (int)value)
        lua_pushinteger(L, (int)value);
    else
        lua_pushnumber(L, value);
}

void astarL_pushcenter(lua_State *L, const AstarGrid *grid, int x, int y, int x0, int y0)
{
    double center_x, center_y;
    astar_grid_center(grid, x, y, &center_x, &center_y);
    astarL_pushcoordinate(L, center_x + x0);
    astarL_pushcoordinate(L, center_y + y0);
}

// The functions below are methods of grids.

// grid:shape() --> "square" | "hex", and the value of the option offset or wrap
int astarL_grid_shape(lua_State *L)
{
    AstarOffset offset = astar_grid_offset(astarL_checkgrid(L, 1)->core);
    lua_pushstring(L, astar_offset_shape(offset));
    const char *wrap = astar_offset_wrap(offset);
    if (wrap != NULL || has_offsets(offset))
        lua_pushstring(L, wrap != NULL ? wrap : astar_offset_name(offset));
    return wrap != NULL || has_offsets(offset) ? 2 : 1;
}

// grid:neighbour(x, y, direction) --> x, y | nil beyond the edge of the grid
int astarL_grid_neighbour(lua_State *L)
{
    int x, y;
    const astarL_Grid *grid = astarL_checkgrid(L, 1);
    astarL_checkcell(L, 2, grid->core, grid->x0, grid->y0, "x", "y", &x, &y);
    AstarSide direction = astarL_checkdirection(L, 4, grid->core, true, "direction");
    if (!astar_grid_neighbour(grid->core, x, y, direction, &x, &y)) {
        lua_pushnil(L);
        return 1;
    }
    return astarL_pushcell(L, x, y, grid->x0, grid->y0);
}

// grid:distance(x0, y0, x1, y1) --> number of steps between the cells over open ground
int astarL_grid_distance(lua_State *L)
{
    const astarL_Grid *grid = astarL_checkgrid(L, 1);
    astarL_Ends ends = astarL_checkends(L, 2, grid->core, grid->x0, grid->y0, false);
    lua_pushinteger(L,
                    (lua_Integer)astar_grid_steps(grid->core, ends.x0, ends.y0, ends.x1, ends.y1));
    return 1;
}

// grid:center(x, y) --> x, y of the centre of a cell in space, where neighbours are 1 apart
int astarL_grid_center(lua_State *L)
{
    int x, y;
    const astarL_Grid *grid = astarL_checkgrid(L, 1);
    astarL_checkcell(L, 2, grid->core, grid->x0, grid->y0, "x", "y", &x, &y);
    astarL_pushcenter(L, grid->core, x, y, grid->x0, grid->y0);
    return 2;
}

// grid:cell_at(x, y) --> x, y of the cell with the nearest centre | nil outside the grid
int astarL_grid_cell_at(lua_State *L)
{
    const lua_Number most = 1073741824.0;
    const astarL_Grid *grid = astarL_checkgrid(L, 1);
    double point_x = astarL_checkreal(L, 2, -most, most, "x") - grid->x0;
    double point_y = astarL_checkreal(L, 3, -most, most, "y") - grid->y0;
    bool is_near = fabs(point_x) <= most && fabs(point_y) <= most;
    int x = -1, y = -1;
    if (is_near)
        astar_grid_cell_at(grid->core, point_x, point_y, &x, &y);
    if (x >= 0 && y >= 0 && x < astar_grid_width(grid->core) && y < astar_grid_height(grid->core))
        return astarL_pushcell(L, x, y, grid->x0, grid->y0);
    lua_pushnil(L);
    return 1;
}
