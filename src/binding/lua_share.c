// lua_share.c -- one map in several Lua states: grid:share, grid:publish, grid:unshare,
// astar.shared.
//
// The script's names of terrains and labels are published with the map, as bytes. Another state
// fills the tables of its own grid from them. Names are never removed. Therefore a change in the
// number of bytes means that there are new names.

#include "binding/lua_share.h"

#include "binding/lua_gc_account.h"
#include "binding/lua_keys.h"
#include "binding/lua_query.h"

#include <string.h>

// The functions below write and read the names as bytes.

typedef struct NamesNoted {
    int32_t x0, y0;
    uint32_t terrains, labels;
} NamesNoted;

// Stack indices of the lists of names.
enum { LISTED_KEYS = 3, LISTED_LABELS };

// Returns the published name with a number, counted from 1: the keys of terrains come first, then
// the labels.
static AstarName name_noted(void *context, uint32_t number)
{
    lua_State *L = context;
    uint32_t keys = (uint32_t)lua_rawlen(L, LISTED_KEYS);
    return number <= keys ? astarL_nameat(L, LISTED_KEYS, (int)number)
                          : astarL_nameat(L, LISTED_LABELS, (int)(number - keys));
}

// Pushes the names of the grid at index 1 as bytes. Returns NULL and pushes nothing if all these
// names are published already.
static const void *push_notes(lua_State *L, astarL_Grid *grid, NamesNoted *notes, size_t *length)
{
    lua_settop(L, 2);
    astarL_pushkeys(L, 1, ASTARL_KEYS);
    astarL_pushkeys(L, 1, ASTARL_LABELS);
    *notes = (NamesNoted){.x0 = grid->x0, .y0 = grid->y0};
    notes->terrains = (uint32_t)astar_grid_terrain_count(grid->core);
    notes->labels = (uint32_t)lua_rawlen(L, LISTED_LABELS);
    if (grid->noted_terrains == notes->terrains && grid->noted_labels == notes->labels)
        return NULL;
    uint32_t count = notes->terrains + notes->labels;
    size_t names = astar_names_save(name_noted, L, count, NULL, 0);
    *length = sizeof *notes + names;
    unsigned char *bytes = lua_newuserdata(L, *length);
    memcpy(bytes, notes, sizeof *notes);
    astar_names_save(name_noted, L, count, bytes + sizeof *notes, names);
    return bytes;
}

// Adds those published names to the grid at 'arg' that the grid does not have yet.
static void take_names(lua_State *L, int arg, const unsigned char *from, size_t length)
{
    NamesNoted notes;
    memcpy(&notes, from, sizeof notes);
    AstarNames names = astar_names_load(from + sizeof notes, length - sizeof notes,
                                        notes.terrains + notes.labels);
    AstarName name;
    int top = lua_gettop(L);
    for (uint32_t i = 0; astar_names_next(&names, &name); i++) {
        astarL_pushname(L, &name, 0);
        if (i < notes.terrains)
            astarL_nameterrain(L, arg, top + 1, (int)i);
        else
            astarL_addlabel(L, arg, top + 1);
        lua_settop(L, top);
    }
}

// The functions below enter a view, so that a query can read it.

// Leaves a view that is still entered because an error ended a query. When this function is called,
// a view can be entered for two reasons: a query that is now calling a callback has entered it and
// relies on its version, or an error has ended the query. As long as the garbage collector has not
// freed the query's box, an ended query looks like a running one. Therefore a full collection frees
// the boxes first if a newer version is published.
void astarL_leavestaleview(lua_State *L, AstarGrid *core, const void *frame)
{
    if (astar_view_is_entered(core) && !astarL_hasopenquery(L, frame))
        astar_view_leave(core, 0);
    if (!astar_view_is_entered(core) ||
        astar_grid_version(core) == astar_shared_version(astar_grid_shared(core)))
        return;
    lua_gc(L, LUA_GCCOLLECT, 0);
    if (!astarL_hasopenquery(L, frame))
        astar_view_leave(core, 0);
}

// Copies the names published with the latest version and adds them to the grid at 'arg'. If the
// number of bytes has changed meanwhile, no names are added, and the caller tries again.
static void refresh_names(lua_State *L, AstarGrid *view, int arg, size_t length)
{
    int top = lua_gettop(L);
    size_t now;
    unsigned char *copy = lua_newuserdata(L, length);
    unsigned entered = astar_view_enter(view);
    const void *notes = astar_view_notes(view, &now);
    if (now == length)
        memcpy(copy, notes, length);
    astar_view_leave(view, entered);
    if (now == length) {
        astarL_checkstack(L, 8);
        take_names(L, arg, copy, length);
        astarL_Grid *grid = lua_touserdata(L, arg);
        grid->noted = length;
    }
    lua_settop(L, top);
}

static unsigned enter_with_names(lua_State *L, AstarGrid *core, int arg)
{
    for (;;) {
        size_t length;
        unsigned entered = astar_view_enter(core);
        astar_view_notes(core, &length);
        const astarL_Grid *grid = lua_touserdata(L, arg);
        if (entered > 0 || length == grid->noted)
            return entered;
        astar_view_leave(core, entered);
        refresh_names(L, core, arg, length);
    }
}

// A second reference to the grid keeps the view alive even if a finalizer closes the grid
// meanwhile.
unsigned astarL_enterfrom(lua_State *L, AstarGrid *core, int arg, const void *frame)
{
    if (!astar_grid_is_view(core))
        return 0;
    astarL_leavestaleview(L, core, frame);
    unsigned entered = enter_with_names(L, core, arg);
    const astarL_Grid *grid = lua_touserdata(L, arg);
    if (grid->core == NULL) {
        astar_view_leave(core, entered);
        astarL_checkheld(L, NULL);
    }
    return entered;
}

unsigned astarL_enterfinder(lua_State *L, AstarFinder *const *held, int owner, const void *frame)
{
    astarL_checkheld(L, *held);
    AstarGrid *core = astar_finder_grid(*held);
    if (!astar_grid_is_view(core))
        return 0;
    if (frame != NULL)
        astarL_leavestaleview(L, core, frame);
    astarL_checkheld(L, *held);
    astarL_pushpart(L, owner, ASTARL_OF_GRID, LUA_TUSERDATA);
    astarL_checkobject(L, lua_gettop(L), ASTARL_GRID);
    unsigned entered = enter_with_names(L, core, lua_gettop(L));
    lua_pop(L, 1);
    if (*held == NULL) {
        astar_view_leave(core, entered);
        astarL_checkheld(L, NULL);
    }
    return entered;
}

astarL_Grid *astarL_checkowngrid(lua_State *L, int arg)
{
    astarL_Grid *grid = astarL_checkgrid(L, arg);
    if (astar_grid_is_view(grid->core))
        luaL_error(L, "a map from astar.shared is read-only: edit the grid that was shared");
    size_t bytes;
    if (astar_grid_part(grid->core, &bytes) != ASTAR_OK)
        astarL_nomemory(L);
    if (bytes == 0)
        return grid;
    astarL_account(L, bytes);
    return astarL_checkgrid(L, arg); // again: a finalizer may have closed it
}

// Makes 'hold' hold a grid, and returns true if the grid is a view. For a view, 'hold' gets a
// separate view of the latest version, which stays entered until astarL_release.
static bool hold_core(lua_State *L, astarL_Grid *hold, AstarGrid *core)
{
    if (!astar_grid_is_view(core)) {
        astar_grid_retain(hold->core = core);
        return false;
    }
    if (astar_view_new(astar_grid_shared(core), &hold->core) != ASTAR_OK)
        astarL_nomemory(L);
    astar_view_enter(hold->core);
    return true;
}

// Pushes an object that holds the grid at 'arg', and returns the held grid. For a view of a shared
// map, the object holds the latest version, and the names published with that version are added to
// the grid at 'arg'.
AstarGrid *astarL_holdgrid(lua_State *L, int arg)
{
    astarL_Grid *hold = astarL_newobject(L, ASTARL_GRID, sizeof *hold);
    AstarGrid *core = astarL_checkgrid(L, arg)->core;
    if (hold_core(L, hold, core))
        astar_view_leave(core, astarL_enter(L, core, arg));
    return hold->core;
}

AstarGrid *astarL_holdgridof(lua_State *L, AstarFinder *const *held, int owner)
{
    astarL_Grid *hold = astarL_newobject(L, ASTARL_GRID, sizeof *hold);
    astarL_checkheld(L, *held);
    AstarGrid *core = astar_finder_grid(*held);
    if (hold_core(L, hold, core))
        astar_view_leave(core, astarL_enterof(L, held, owner));
    return hold->core;
}

void astarL_release(lua_State *L, int hold)
{
    astarL_Grid *grid = astarL_checkobject(L, hold, ASTARL_GRID);
    AstarGrid *core = grid->core;
    grid->core = NULL;
    astar_grid_release(core);
}

// sharing

static const char *check_map_name(lua_State *L, int arg, size_t *length)
{
    if (lua_type(L, arg) != LUA_TSTRING || lua_rawlen(L, arg) == 0)
        astarL_badvalue(L, arg, "name must be a string of one character or more");
    return lua_tolstring(L, arg, length);
}

static void note_names(astarL_Grid *grid, const NamesNoted *notes)
{
    grid->noted_terrains = notes->terrains;
    grid->noted_labels = notes->labels;
}

// grid:share(name)
int astarL_grid_share(lua_State *L)
{
    astarL_Grid *grid = astarL_checkowngrid(L, 1);
    size_t length, notes_length = 0;
    const char *name = check_map_name(L, 2, &length);
    if (astar_grid_shared(grid->core) != NULL)
        return luaL_error(L, "grid is shared already");
    NamesNoted noted;
    grid->noted_terrains = grid->noted_labels = 0;
    const void *notes = push_notes(L, grid, &noted, &notes_length);
    grid = astarL_checkgrid(L, 1); // again: a finalizer may have closed it
    size_t before = astar_grid_bytes(grid->core);
    AstarStatus status = astar_grid_share(grid->core, name, length, notes, notes_length);
    if (status == ASTAR_NAME_TAKEN)
        return luaL_error(L, "another map is shared as %s", astarL_describe(L, 2));
    if (status == ASTAR_WITHOUT_THREADS)
        return luaL_error(L, "maps cannot be shared: astar was built without threads");
    if (status != ASTAR_OK)
        return astarL_nomemory(L);
    note_names(grid, &noted);
    astarL_account(L, astar_grid_bytes(grid->core) - before);
    return 0;
}

static astarL_Grid *check_shared(lua_State *L)
{
    astarL_Grid *grid = astarL_checkowngrid(L, 1);
    if (astar_grid_shared(grid->core) == NULL)
        luaL_error(L, "grid is not shared");
    return grid;
}

// grid:publish() --> version | nil, reason
int astarL_grid_publish(lua_State *L)
{
    astarL_Grid *grid = check_shared(L);
    NamesNoted noted;
    size_t length = 0;
    const void *notes = push_notes(L, grid, &noted, &length);
    grid = check_shared(L);
    AstarStatus status = astar_grid_publish(grid->core, notes, length);
    if (status == ASTAR_NO_MEMORY)
        return astarL_nomemory(L);
    if (status != ASTAR_OK)
        return astarL_refuse(L, astar_status_text(status));
    note_names(grid, &noted);
    lua_pushinteger(L, (lua_Integer)astar_grid_version(grid->core));
    return 1;
}

// grid:unshare()
int astarL_grid_unshare(lua_State *L)
{
    astar_grid_unshare(astarL_checkowngrid(L, 1)->core);
    return 0;
}

static void read_origin_noted(astarL_Grid *grid)
{
    NamesNoted notes;
    size_t length;
    unsigned entered = astar_view_enter(grid->core);
    const void *bytes = astar_view_notes(grid->core, &length);
    if (length >= sizeof notes) {
        memcpy(&notes, bytes, sizeof notes);
        grid->x0 = notes.x0;
        grid->y0 = notes.y0;
    }
    astar_view_leave(grid->core, entered);
}

// Stores a second reference to a view in the object of the view, so that the view exists as long as
// the object.
static void hold_view(lua_State *L, const astarL_Grid *grid, int self)
{
    astarL_pushparts(L, self);
    astarL_Grid *hold = astarL_newobject(L, ASTARL_GRID, sizeof *hold);
    astarL_checkheld(L, grid->core);
    astar_grid_retain(hold->core = grid->core);
    lua_rawseti(L, -2, ASTARL_HOLD);
    lua_pop(L, 1);
}

// astar.shared(name) --> grid | nil, reason
int astarL_shared(lua_State *L)
{
    size_t length;
    const char *name = check_map_name(L, 1, &length);
    astarL_Grid *grid = astarL_pushunmade(L);
    int self = lua_gettop(L);
    AstarShared *shared = astar_shared_find(name, length);
    if (shared == NULL) {
        const char *asked = astarL_describe(L, 1);
        lua_pushnil(L);
        lua_pushfstring(L,
                        "no map is shared as %s by this copy of astar: another copy in the "
                        "process, or one linked into it, has names of its own",
                        asked);
        return 2;
    }
    AstarStatus status = astar_view_new(shared, &grid->core);
    astar_shared_release(shared);
    if (status != ASTAR_OK)
        return astarL_nomemory(L);
    hold_view(L, grid, self);
    read_origin_noted(grid);
    astar_view_leave(grid->core, astarL_enter(L, grid->core, self));
    lua_settop(L, self);
    return 1;
}
