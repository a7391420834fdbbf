// lua_cells.c -- grid:set_cells and grid:get_cells: the ground of a rectangle at once.
//
// A script gives and gets keys row by row: as one string where each key is a character, or as a
// list. They are translated into a buffer of Lua's first, so that a wrong one leaves the grid as it
// was.

#include "binding/lua_keys.h"
#include "binding/lua_share.h"

// Where the parts of a call stand on the stack.
enum { SELF = 1, KEYS = 6, TERRAINS, BUFFER };

// Whether there is no length at 'arg', but nothing, or a string.
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

// Finds the one-byte key of each terrain of the list of keys at the top; false where one has
// another.
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
