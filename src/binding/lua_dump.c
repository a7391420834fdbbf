// lua_dump.c -- grids as strings: grid:dump and astar.load.
//
// The core writes and reads the bytes; see serialise.c. Of what it saves beside a grid the origin
// is the script's own, terrains are named by their keys and the labels of links by the script's.

#include "binding/lua_keys.h"

// Where the parts of a dump stand on the stack.
enum { DUMPED_GRID = 1, DUMPED_HOLD, DUMPED_KEYS, DUMPED_LABELS };
enum { LOAD_OPTIONS = 2, LOADED_GRID, LOADED_NAME };

enum { MOST_CELLS = 1 << 24 }; // unless told otherwise

// ---- dump ----

// The name at 'index' in the list at 'list', which holds its text.
static AstarName name_at(lua_State *L, int list, int index)
{
    AstarName name = {.kind = ASTAR_NAME_NUMBER};
    lua_rawgeti(L, list, index);
    switch (lua_type(L, -1)) {
    case LUA_TNUMBER: name.number = lua_tonumber(L, -1); break;
    case LUA_TBOOLEAN:
        name.kind = ASTAR_NAME_BOOLEAN;
        name.number = lua_toboolean(L, -1);
        break;
    case LUA_TSTRING:
        name.kind = ASTAR_NAME_TEXT;
        name.text = lua_tolstring(L, -1, &name.length);
        break;
    default: luaL_error(L, "astar grid has another uservalue than its own");
    }
    lua_pop(L, 1);
    return name;
}

static AstarName name_terrain(void *context, uint32_t terrain)
{
    return name_at(context, DUMPED_KEYS, (int)terrain + 1);
}

static AstarName name_label(void *context, uint32_t number)
{
    return name_at(context, DUMPED_LABELS, (int)number);
}

static size_t save_grid(lua_State *L, const AstarGrid *core, AstarSaving *saving, void *bytes,
                        size_t room)
{
    saving->label_count = (uint32_t)lua_rawlen(L, DUMPED_LABELS);
    return astar_grid_save(core, saving, bytes, room);
}

// grid:dump() --> string
int astarL_grid_dump(lua_State *L)
{
    const astarL_Grid *grid = astarL_checkgrid(L, DUMPED_GRID);
    AstarSaving saving = {.x0 = grid->x0, .y0 = grid->y0, .context = L};
    saving.terrain = name_terrain;
    saving.label = name_label;
    lua_settop(L, DUMPED_GRID);
    const AstarGrid *core = astarL_holdgrid(L, DUMPED_GRID);
    astarL_pushkeys(L, DUMPED_GRID, ASTARL_KEYS);
    astarL_pushkeys(L, DUMPED_GRID, ASTARL_LABELS);
    void *bytes = NULL;
    size_t room = 0, length;
    // Again where a finalizer has edited the grid as room was made.
    while ((length = save_grid(L, core, &saving, bytes, room)) > room) {
        lua_settop(L, DUMPED_LABELS);
        bytes = lua_newuserdata(L, length);
        room = length;
    }
    lua_pushlstring(L, bytes, length);
    astarL_letgo(L, DUMPED_HOLD);
    return 1;
}

// ---- load ----

static void check_sound(lua_State *L, bool is_sound)
{
    if (!is_sound)
        luaL_error(L, "not a grid's dump, or a damaged one");
}

static void push_name(lua_State *L, const AstarName *name)
{
    switch (name->kind) {
    case ASTAR_NAME_OTHER:
    case ASTAR_NAME_NUMBER: lua_pushnumber(L, name->number); break;
    case ASTAR_NAME_BOOLEAN: lua_pushboolean(L, name->number != 0); break;
    case ASTAR_NAME_TEXT: lua_pushlstring(L, name->text, name->length); break;
    }
}

// Gives the terrains of the grid at LOADED_GRID the names that were saved as keys.
static void name_terrains(lua_State *L, AstarNames names)
{
    const astarL_Grid *grid = lua_touserdata(L, LOADED_GRID);
    AstarName name;
    for (int terrain = 0; astar_names_next(&names, &name); terrain++) {
        push_name(L, &name);
        check_sound(L, astarL_iskey(L, LOADED_NAME));
        astarL_pushkeys(L, LOADED_GRID, ASTARL_TERRAINS);
        bool is_new = astarL_findterrain(L, grid->core, LOADED_NAME + 1, LOADED_NAME) < 0;
        check_sound(L, is_new);
        astarL_nameterrain(L, LOADED_GRID, LOADED_NAME, terrain);
        lua_settop(L, LOADED_GRID);
    }
}

// Links may bear no label that has no name.
static void name_labels(lua_State *L, AstarNames names)
{
    const AstarGrid *core = ((const astarL_Grid *)lua_touserdata(L, LOADED_GRID))->core;
    uint32_t count = 0;
    AstarName name;
    while (astar_names_next(&names, &name)) {
        push_name(L, &name);
        check_sound(L, astarL_islabel(L, LOADED_NAME) &&
                           astarL_addlabel(L, LOADED_GRID, LOADED_NAME) == ++count);
        lua_settop(L, LOADED_GRID);
    }
    for (uint32_t i = 0; i < astar_grid_link_count(core); i++) {
        AstarLink link;
        astar_grid_link_at(core, i, &link);
        check_sound(L, link.label <= count);
    }
}

// How many cells the option of the table at 'options' allows, nil being no table.
static uint32_t most_cells(lua_State *L, int options)
{
    static const char *const names[] = {"max_cells", NULL};
    if (lua_isnil(L, options))
        return MOST_CELLS;
    astarL_checkoptions(L, options, names);
    return (uint32_t)astarL_readwhole(L, options, names[0], 1, ASTAR_MAX_CELLS, MOST_CELLS);
}

// astar.load(string [, { max_cells = }]) --> grid
int astarL_load(lua_State *L)
{
    if (lua_type(L, 1) != LUA_TSTRING)
        return luaL_error(L, "a grid's dump expected, got %s", astarL_describe(L, 1));
    lua_settop(L, LOAD_OPTIONS);
    uint32_t most = most_cells(L, LOAD_OPTIONS);
    size_t length;
    const char *bytes = lua_tolstring(L, 1, &length);
    AstarSaved saved;
    astarL_Grid *grid = astarL_pushunmade(L);
    AstarStatus status = astar_grid_load(NULL, bytes, length, most, &grid->core, &saved);
    if (status == ASTAR_NO_MEMORY)
        return astarL_nomemory(L);
    if (status == ASTAR_TOO_LARGE)
        return luaL_error(L, "a dump of %d x %d cells: more than the option max_cells, %d",
                          (int)saved.width, (int)saved.height, (int)most);
    check_sound(L, status == ASTAR_OK);
    grid->x0 = saved.x0;
    grid->y0 = saved.y0;
    name_terrains(L, saved.terrains);
    name_labels(L, saved.labels);
    astarL_charge(L, astar_grid_bytes(grid->core));
    return 1;
}
