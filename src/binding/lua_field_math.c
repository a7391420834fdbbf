// lua_field_math.c -- fields as numbers for each cell.

#include "binding/lua_helper.h"
#include "binding/lua_util.h"

// The field at 2, of the cells of the one at 1.
static const astarL_Field *check_other(lua_State *L, const astarL_Field *field)
{
    const astarL_Field *other = astarL_checkfield(L, 2);
    int width = astar_field_width(field->core), height = astar_field_height(field->core);
    if (astar_field_width(other->core) != width || astar_field_height(other->core) != height ||
        astar_field_offset(other->core) != astar_field_offset(field->core) ||
        other->x0 != field->x0 || other->y0 != field->y0)
        luaL_error(L,
                   "both fields must have the same cells, %d x %d from {%d, %d} on, "
                   "got one of %d x %d from {%d, %d} on",
                   width, height, field->x0, field->y0, astar_field_width(other->core),
                   astar_field_height(other->core), other->x0, other->y0);
    return other;
}

static double check_factor(lua_State *L, int arg, const char *name)
{
    return astarL_checkreal(L, arg, -ASTAR_COST_MAX, ASTAR_COST_MAX, name);
}

// field:add_field(other [, factor])
int astarL_field_add_field(lua_State *L)
{
    const astarL_Field *field = astarL_checkfield(L, 1), *other = check_other(L, field);
    double factor = lua_isnoneornil(L, 3) ? 1 : check_factor(L, 3, "factor");
    astar_field_add_field(field->core, other->core, factor);
    return 0;
}

// field:max(other)
int astarL_field_max(lua_State *L)
{
    const astarL_Field *field = astarL_checkfield(L, 1), *other = check_other(L, field);
    astar_field_max(field->core, other->core);
    return 0;
}

// field:scale(factor), field:threshold(value)
int astarL_field_scale(lua_State *L)
{
    const astarL_Field *field = astarL_checkfield(L, 1);
    bool scales = astarL_iscalled(L, "scale");
    double number = check_factor(L, 2, scales ? "factor" : "value");
    (scales ? astar_field_scale : astar_field_threshold)(field->core, number);
    return 0;
}

static int next_field_cell(lua_State *L)
{
    const astarL_Field *field = astarL_checkobject(L, lua_upvalueindex(1), ASTARL_FIELD);
    uint64_t cursor = astarL_cursor(L);
    int x, y;
    double value;
    bool found = field->core != NULL && astar_field_next(field->core, &cursor, &x, &y, &value);
    astarL_setcursor(L, cursor);
    if (!found)
        return 0;
    astarL_pushcell(L, x, y, field->x0, field->y0);
    lua_pushnumber(L, value);
    return 3;
}

// for x, y, value in field:cells() do
int astarL_field_cells(lua_State *L)
{
    astarL_checkfield(L, 1);
    return astarL_iterate(L, next_field_cell, 1);
}
