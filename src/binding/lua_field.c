// lua_field.c -- fields: layers of numbers over a map, which finders can avoid.

#include "binding/lua_field.h"

#include "binding/lua_gc_account.h"
#include "binding/lua_options.h"
#include "binding/lua_shape.h"
#include "binding/lua_util.h"

astarL_Field *astarL_pushfield(lua_State *L, AstarOffset offset, int width, int height, int x0,
                               int y0)
{
    astarL_Field *field = astarL_newobject(L, ASTARL_FIELD, sizeof *field);
    field->x0 = x0;
    field->y0 = y0;
    if (astar_field_new_shaped(NULL, offset, width, height, &field->core) != ASTAR_OK)
        astarL_nomemory(L);
    astarL_account(L, astar_field_bytes(field->core));
    return field;
}

// astar.field(width, height [, options]) | (grid) --> field
int astarL_field(lua_State *L)
{
    if (astarL_testobject(L, 1, ASTARL_GRID) != NULL) {
        astarL_nomore(L, 1, "field", false);
        const astarL_Grid *grid = astarL_checkgrid(L, 1);
        astarL_pushfield(L, astar_grid_offset(grid->core), astar_grid_width(grid->core),
                         astar_grid_height(grid->core), grid->x0, grid->y0);
        return 1;
    }
    lua_settop(L, 3);
    astarL_plainoptions(L, 3, "origin\0shape\0offset\0wrap\0");
    astarL_askhelper(L, "arguments", "field");
    int width = astarL_checkint(L, 4, 1, ASTAR_MAX_SIDE, "width");
    int height = astarL_checkint(L, 5, 1, ASTAR_MAX_SIDE, "height");
    AstarCell origin = astarL_checkorigin(L, 6);
    astarL_pushfield(L, astarL_readshape(L, 3), width, height, origin.x, origin.y);
    return 1;
}

// arguments

static astarL_Field *check_field_cell(lua_State *L, int *x, int *y)
{
    astarL_Field *field = astarL_checkfield(L, 1);
    int width = astar_field_width(field->core), height = astar_field_height(field->core);
    *x = astarL_checkint(L, 2, field->x0, field->x0 + width - 1, "x") - field->x0;
    *y = astarL_checkint(L, 3, field->y0, field->y0 + height - 1, "y") - field->y0;
    return field;
}

static double check_value(lua_State *L, int arg)
{
    return astarL_checkreal(L, arg, -ASTAR_COST_MAX, ASTAR_COST_MAX, "value");
}

// values

// field:get(x, y) --> number
static int field_get(lua_State *L)
{
    int x, y;
    const astarL_Field *field = check_field_cell(L, &x, &y);
    lua_pushnumber(L, astar_field_get(field->core, x, y));
    return 1;
}

// field:set(x, y, value)
static int field_set(lua_State *L)
{
    int x, y;
    astarL_Field *field = check_field_cell(L, &x, &y);
    astar_field_set(field->core, x, y, check_value(L, 4));
    return 0;
}

// field:add(x, y, value)
static int field_add(lua_State *L)
{
    int x, y;
    astarL_Field *field = check_field_cell(L, &x, &y);
    astar_field_add(field->core, x, y, check_value(L, 4));
    return 0;
}

// field:fill(value) | (x, y, w, h, value)
static int field_fill(lua_State *L)
{
    astarL_Field *field = astarL_checkfield(L, 1);
    AstarField *core = field->core;
    int columns = astar_field_width(core), rows = astar_field_height(core);
    lua_settop(L, 6);
    if (lua_isnil(L, 3) && lua_isnil(L, 4) && lua_isnil(L, 5) && lua_isnil(L, 6)) {
        astar_field_fill(core, 0, 0, columns, rows, check_value(L, 2));
        return 0;
    }
    int x, y;
    check_field_cell(L, &x, &y);
    int width = astarL_checkint(L, 4, 1, columns - x, "w");
    int height = astarL_checkint(L, 5, 1, rows - y, "h");
    astar_field_fill(core, x, y, width, height, check_value(L, 6));
    return 0;
}

// field:stamp(x, y, radius, value)
static int field_stamp(lua_State *L)
{
    int x, y;
    astarL_Field *field = check_field_cell(L, &x, &y);
    int radius = astarL_checkint(L, 4, 0, ASTAR_MAX_SIDE, "radius");
    astar_field_stamp(field->core, x, y, radius, check_value(L, 5));
    return 0;
}

// field:decay(factor)
static int field_decay(lua_State *L)
{
    astarL_Field *field = astarL_checkfield(L, 1);
    astar_field_decay(field->core, astarL_checkreal(L, 2, 0, 1, "factor"));
    return 0;
}

// The functions below are methods that concern the whole field, not single cells.

// field:size() --> width, height
static int field_size(lua_State *L)
{
    const astarL_Field *field = astarL_checkfield(L, 1);
    lua_pushinteger(L, astar_field_width(field->core));
    lua_pushinteger(L, astar_field_height(field->core));
    return 2;
}

// field:bounds() --> x0, y0, x1, y1
static int field_bounds(lua_State *L)
{
    const astarL_Field *field = astarL_checkfield(L, 1);
    astarL_pushcell(L, 0, 0, field->x0, field->y0);
    return 2 + astarL_pushcell(L, astar_field_width(field->core) - 1,
                               astar_field_height(field->core) - 1, field->x0, field->y0);
}

// field:version() --> integer
ASTARL_TELLS(field_version, astarL_checkfield, astar_field_version)

// field:bytes() --> integer
ASTARL_TELLS(field_bytes, astarL_checkfield, astar_field_bytes)

ASTARL_RELEASE(release_field, astar_field_release)

static const astarL_Function field_methods[] = {
    {"add", 4, field_add},
    {"add_field", 3, astarL_field_add_field},
    {"bounds", 1, field_bounds},
    {"bytes", 1, field_bytes},
    {"cells", 1, astarL_field_cells},
    {"decay", 2, field_decay},
    {"dump", 1, astarL_field_dump},
    {"fill", 6, field_fill},
    {"get", 3, field_get},
    {"max", 2, astarL_field_max},
    {"scale", 2, astarL_field_scale},
    {"set", 4, field_set},
    {"size", 1, field_size},
    {"stamp", 5, field_stamp},
    {"threshold", 2, astarL_field_scale},
    {"version", 1, field_version},
    {"", 0, NULL},
};

const astarL_Class astarL_fieldclass = {
    .type = ASTARL_FIELD, .methods = field_methods, .release = release_field};

// The functions below change, compare or visit all cells of a field.

// Returns the field at index 2. Raises an error unless it has the same cells as 'field', the field
// at index 1.
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

// The functions below make fields over a finder's map.

const astarL_Field *astarL_checkfieldof(lua_State *L, int arg, const AstarGrid *grid,
                                        AstarCell first, const char *name)
{
    if (astarL_testobject(L, arg, ASTARL_FIELD) == NULL)
        luaL_error(L, "%s must be an astar field, got %s", name, astarL_describe(L, arg));
    const astarL_Field *field = astarL_checkfield(L, arg);
    if (astar_field_width(field->core) != astar_grid_width(grid) ||
        astar_field_height(field->core) != astar_grid_height(grid) ||
        astar_field_offset(field->core) != astar_grid_offset(grid) || field->x0 != first.x ||
        field->y0 != first.y)
        luaL_error(L,
                   "%s must be a field of the grid's size, origin and shape: "
                   "astar.field(grid) has them",
                   name);
    return field;
}

const astarL_Field *astarL_pushinto(lua_State *L, int options, const astarL_Finder *finder)
{
    bool is_new = astarL_rawfield(L, options, "into") == LUA_TNIL;
    astarL_checkheld(L, finder->core);
    const AstarGrid *grid = astar_finder_grid(finder->core);
    int width = astar_grid_width(grid), height = astar_grid_height(grid);
    if (is_new)
        return astarL_pushfield(L, astar_grid_offset(grid), width, height, finder->x0, finder->y0);
    return astarL_checkfieldof(L, lua_gettop(L), grid, (AstarCell){finder->x0, finder->y0}, "into");
}
