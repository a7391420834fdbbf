// lua_dump.c -- saves grids and fields as strings and loads them: grid:dump, astar.load, field:dump
// and astar.load_field.
//
// The core writes and reads the bytes; see serialise.c, field.c and graph_save.c. Three things in a
// dump come from the script: the origin, the keys of terrains and the labels of links. Dumps of
// graphs use some functions of this file.

#include "binding/lua_dump.h"

#include "binding/lua_gc_account.h"
#include "binding/lua_options.h"
#include "binding/lua_share.h"

#include <string.h>

enum { MOST_CELLS = 1 << 24 }; // the default limit

// dump

static AstarName name_terrain(void *context, uint32_t terrain)
{
    return astarL_nameat(context, DUMPED_KEYS, (int)terrain + 1);
}

static AstarName name_label(void *context, uint32_t number)
{
    return astarL_nameat(context, DUMPED_LABELS, (int)number);
}

AstarSaving astarL_savinglabels(lua_State *L)
{
    return (AstarSaving){
        .label_count = (uint32_t)lua_rawlen(L, DUMPED_LABELS), .label = name_label, .context = L};
}

static size_t save_grid(lua_State *L, void *bytes, size_t room)
{
    const astarL_Grid *hold = lua_touserdata(L, DUMPED_HOLD);
    const astarL_Grid *grid = lua_touserdata(L, DUMPED);
    AstarSaving saving = astarL_savinglabels(L);
    saving.x0 = grid->x0;
    saving.y0 = grid->y0;
    saving.terrain = name_terrain;
    return astar_grid_save(hold->core, &saving, bytes, room);
}

// grid:dump() --> string
int astarL_grid_dump(lua_State *L)
{
    astarL_checkgrid(L, DUMPED);
    lua_settop(L, DUMPED);
    astarL_pushkeys(L, DUMPED, ASTARL_LABELS);
    astarL_holdgrid(L, DUMPED);
    astarL_pushkeys(L, DUMPED, ASTARL_KEYS);
    astarL_pushsaved(L, save_grid);
    astarL_release(L, DUMPED_HOLD);
    return 1;
}

// load

const char *astarL_checkdump(lua_State *L, const char *what, size_t *length)
{
    if (lua_type(L, LOADED_BYTES) != LUA_TSTRING)
        luaL_error(L, "a %s's dump expected, got %s", what, astarL_describe(L, LOADED_BYTES));
    return lua_tolstring(L, LOADED_BYTES, length);
}

// Returns true if the string that was to be loaded looks like the name of a file, such as
// "grid.sav".
static bool is_name_of_file(lua_State *L)
{
    size_t length = 0;
    bool is_text = lua_type(L, LOADED_BYTES) == LUA_TSTRING;
    const char *text = is_text ? lua_tolstring(L, LOADED_BYTES, &length) : NULL;
    const char *point = text != NULL ? strrchr(text, '.') : NULL;
    if (point == NULL || strlen(text) != length || length > 255 || strlen(point) > 9)
        return false;
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < 0x20)
            return false;
    return point[1] != '\0' && strpbrk(point, " /\\:") == NULL;
}

void astarL_checksound(lua_State *L, const char *what, bool is_sound)
{
    if (!is_sound)
        luaL_error(L, "not a %s's dump, or a damaged one%s", what,
                   is_name_of_file(L) ? ": pass what the file holds, not its name" : "");
}

// Sets the keys of the loaded grid's terrains to those in the dump.
static void name_terrains(lua_State *L, AstarNames names)
{
    const astarL_Grid *grid = lua_touserdata(L, LOADED);
    AstarName name;
    for (int terrain = 0; astar_names_next(&names, &name); terrain++) {
        astarL_pushname(L, &name, 0);
        astarL_checksound(L, "grid", astarL_iskey(L, LOADED_NAME));
        astarL_pushkeys(L, LOADED, ASTARL_TERRAINS);
        bool is_new = astarL_findterrain(L, grid->core, LOADED_NAME + 1, LOADED_NAME) < 0;
        astarL_checksound(L, "grid", is_new);
        astarL_nameterrain(L, LOADED, LOADED_NAME, terrain);
        lua_settop(L, LOADED);
    }
}

uint32_t astarL_namelabels(lua_State *L, const char *what, AstarNames names)
{
    uint32_t count = 0;
    for (AstarName name; astar_names_next(&names, &name); lua_settop(L, LOADED)) {
        astarL_pushname(L, &name, 0);
        bool is_label = astarL_islabel(L, LOADED_NAME);
        astarL_checksound(L, what, is_label && astarL_addlabel(L, LOADED, LOADED_NAME) == ++count);
    }
    return count;
}

// Raises an error if a link has a label number without a name; 'count' is the number of names.
static void check_labels(lua_State *L, const AstarGrid *core, uint32_t count)
{
    AstarLink link;
    for (uint32_t i = 0; i < astar_grid_link_count(core); i++) {
        astar_grid_link_at(core, i, &link);
        astarL_checksound(L, "grid", link.label <= count);
    }
}

// Checks the arguments of a function that loads the dump of a 'what'. Returns the dump, and stores
// its length and the option max_cells.
static const char *check_load(lua_State *L, const char *what, size_t *length, uint32_t *most)
{
    const char *bytes = astarL_checkdump(L, what, length);
    lua_settop(L, LOAD_OPTIONS);
    astarL_checkoptions(L, LOAD_OPTIONS, "max_cells\0");
    *most = (uint32_t)astarL_readwhole(L, LOAD_OPTIONS, "max_cells", 1, ASTAR_MAX_CELLS,
                                       MOST_CELLS);
    return bytes;
}

// Raises an error unless a dump was loaded with success. 'what' names the kind of object that was
// saved, such as "grid".
static void check_loaded(lua_State *L, const char *what, AstarStatus status,
                         const AstarSaved *saved, uint32_t most)
{
    if (status == ASTAR_NO_MEMORY)
        astarL_nomemory(L);
    if (status == ASTAR_TOO_LARGE)
        luaL_error(L, "a dump of %d x %d cells: more than the option max_cells, %d",
                   (int)saved->width, (int)saved->height, (int)most);
    astarL_checksound(L, what, status == ASTAR_OK);
}

// astar.load(string [, { max_cells = }]) --> grid
int astarL_load(lua_State *L)
{
    size_t length;
    uint32_t most;
    const char *bytes = check_load(L, "grid", &length, &most);
    AstarSaved saved;
    astarL_Grid *grid = astarL_pushunmade(L);
    AstarStatus status = astar_grid_load(NULL, bytes, length, most, &grid->core, &saved);
    check_loaded(L, "grid", status, &saved, most);
    grid->x0 = saved.x0;
    grid->y0 = saved.y0;
    name_terrains(L, saved.terrains);
    check_labels(L, grid->core, astarL_namelabels(L, "grid", saved.labels));
    astarL_account(L, astar_grid_bytes(grid->core));
    return 1;
}

// fields

static size_t save_field(lua_State *L, void *bytes, size_t room)
{
    const astarL_Field *field = lua_touserdata(L, DUMPED);
    AstarSaving saving = {.x0 = field->x0, .y0 = field->y0};
    return astar_field_save(field->core, &saving, bytes, room);
}

// field:dump() --> string
int astarL_field_dump(lua_State *L)
{
    astarL_checkfield(L, DUMPED);
    lua_settop(L, DUMPED);
    astarL_pushsaved(L, save_field);
    return 1;
}

// astar.load_field(string [, { max_cells = }]) --> field
int astarL_load_field(lua_State *L)
{
    size_t length;
    uint32_t most;
    const char *bytes = check_load(L, "field", &length, &most);
    AstarSaved saved;
    astarL_Field *field = astarL_newobject(L, ASTARL_FIELD, sizeof *field);
    AstarStatus status = astar_field_load(NULL, bytes, length, most, &field->core, &saved);
    check_loaded(L, "field", status, &saved, most);
    field->x0 = saved.x0;
    field->y0 = saved.y0;
    astarL_account(L, astar_field_bytes(field->core));
    return 1;
}
