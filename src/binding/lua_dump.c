// lua_dump.c -- grids and graphs as strings: grid:dump, graph:dump, astar.load, astar.graph.load.
//
// The core writes and reads the bytes; see serialise.c and graph_save.c. Of what it saves beside a
// grid the origin is the script's own, terrains are named by their keys and labels by the script's.

#include "binding/lua_graphs.h"
#include "binding/lua_keys.h"

// Where the parts of a dump stand on the stack.
enum { DUMPED = 1, DUMPED_LABELS, DUMPED_HOLD, DUMPED_KEYS };
// Where those of what is loaded do.
enum { LOADED_BYTES = 1, LOAD_OPTIONS, LOADED, LOADED_NAME };

enum { MOST_CELLS = 1 << 24 }; // unless told otherwise

// ---- dump ----

static AstarName name_terrain(void *context, uint32_t terrain)
{
    return astarL_nameat(context, DUMPED_KEYS, (int)terrain + 1);
}

static AstarName name_label(void *context, uint32_t number)
{
    return astarL_nameat(context, DUMPED_LABELS, (int)number);
}

static AstarSaving saving_labels(lua_State *L)
{
    return (AstarSaving){
        .label_count = (uint32_t)lua_rawlen(L, DUMPED_LABELS), .label = name_label, .context = L};
}

static size_t save_grid(lua_State *L, void *bytes, size_t room)
{
    const astarL_Grid *hold = lua_touserdata(L, DUMPED_HOLD);
    const astarL_Grid *grid = lua_touserdata(L, DUMPED);
    AstarSaving saving = saving_labels(L);
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
    astarL_letgo(L, DUMPED_HOLD);
    return 1;
}

#if ASTAR_HAS_GRAPH
// Raises an error where a node's key is known to this state only.
static void check_dumpable(lua_State *L, const astarL_Graph *graph)
{
    uint32_t cursor = 0, number;
    AstarWaypoint node;
    while (astar_graph_next(graph->core, &cursor, &number))
        if (astar_graph_node(graph->core, number, &node) && node.key.kind == ASTAR_NAME_OTHER) {
            astarL_pushpart(L, DUMPED, ASTARL_VALUES, LUA_TTABLE);
            astarL_pushname(L, &node.key, lua_gettop(L));
            luaL_error(L,
                       "a node that is %s cannot be dumped: only strings, numbers up to 2^53 "
                       "and booleans can",
                       astarL_describe(L, lua_gettop(L)));
        }
}

static size_t save_graph(lua_State *L, void *bytes, size_t room)
{
    AstarSaving saving = saving_labels(L);
    size_t length;
    const astarL_Graph *graph = astarL_checkgraph(L, DUMPED);
    if (astar_graph_save(graph->core, &saving, bytes, room, &length) != ASTAR_OK)
        astarL_nomemory(L);
    return length;
}

// graph:dump() --> string
int astarL_graph_dump(lua_State *L)
{
    const astarL_Graph *graph = astarL_checkgraph(L, DUMPED);
    if (graph->is_space)
        return luaL_error(L, "a space of states has no nodes of its own");
    check_dumpable(L, graph);
    lua_settop(L, DUMPED);
    astarL_pushpart(L, DUMPED, ASTARL_GRAPH_LABELS, LUA_TTABLE);
    astarL_pushsaved(L, save_graph);
    return 1;
}
#endif

// ---- load ----

static const char *check_dump(lua_State *L, const char *what, size_t *length)
{
    if (lua_type(L, LOADED_BYTES) != LUA_TSTRING)
        luaL_error(L, "a %s's dump expected, got %s", what, astarL_describe(L, LOADED_BYTES));
    return lua_tolstring(L, LOADED_BYTES, length);
}

static void check_sound(lua_State *L, const char *what, bool is_sound)
{
    if (!is_sound)
        luaL_error(L, "not a %s's dump, or a damaged one", what);
}

// Gives the terrains of the grid that was loaded the names that were saved as keys.
static void name_terrains(lua_State *L, AstarNames names)
{
    const astarL_Grid *grid = lua_touserdata(L, LOADED);
    AstarName name;
    for (int terrain = 0; astar_names_next(&names, &name); terrain++) {
        astarL_pushname(L, &name, 0);
        check_sound(L, "grid", astarL_iskey(L, LOADED_NAME));
        astarL_pushkeys(L, LOADED, ASTARL_TERRAINS);
        bool is_new = astarL_findterrain(L, grid->core, LOADED_NAME + 1, LOADED_NAME) < 0;
        check_sound(L, "grid", is_new);
        astarL_nameterrain(L, LOADED, LOADED_NAME, terrain);
        lua_settop(L, LOADED);
    }
}

// Gives what was loaded the labels that were saved. How many there are.
static uint32_t name_labels(lua_State *L, const char *what, AstarNames names)
{
    uint32_t count = 0;
    for (AstarName name; astar_names_next(&names, &name); lua_settop(L, LOADED)) {
        astarL_pushname(L, &name, 0);
        bool is_label = astarL_islabel(L, LOADED_NAME);
        check_sound(L, what, is_label && astarL_addlabel(L, LOADED, LOADED_NAME) == ++count);
    }
    return count;
}

// Links may bear no label that has no name.
static void check_labels(lua_State *L, const AstarGrid *core, uint32_t count)
{
    AstarLink link;
    for (uint32_t i = 0; i < astar_grid_link_count(core); i++) {
        astar_grid_link_at(core, i, &link);
        check_sound(L, "grid", link.label <= count);
    }
}

// astar.load(string [, { max_cells = }]) --> grid
int astarL_load(lua_State *L)
{
    size_t length;
    const char *bytes = check_dump(L, "grid", &length);
    lua_settop(L, LOAD_OPTIONS);
    astarL_checkoptions(L, LOAD_OPTIONS, "max_cells\0");
    uint32_t most = (uint32_t)astarL_readwhole(L, LOAD_OPTIONS, "max_cells", 1, ASTAR_MAX_CELLS,
                                               MOST_CELLS);
    AstarSaved saved;
    astarL_Grid *grid = astarL_pushunmade(L);
    AstarStatus status = astar_grid_load(NULL, bytes, length, most, &grid->core, &saved);
    if (status == ASTAR_NO_MEMORY)
        return astarL_nomemory(L);
    if (status == ASTAR_TOO_LARGE)
        return luaL_error(L, "a dump of %d x %d cells: more than the option max_cells, %d",
                          (int)saved.width, (int)saved.height, (int)most);
    check_sound(L, "grid", status == ASTAR_OK);
    grid->x0 = saved.x0;
    grid->y0 = saved.y0;
    name_terrains(L, saved.terrains);
    check_labels(L, grid->core, name_labels(L, "grid", saved.labels));
    astarL_charge(L, astar_grid_bytes(grid->core));
    return 1;
}

#if ASTAR_HAS_GRAPH
// astar.graph.load(string) --> graph
int astarL_load_graph(lua_State *L)
{
    size_t length;
    const char *bytes = check_dump(L, "graph", &length);
    lua_settop(L, LOAD_OPTIONS);
    astarL_Graph *graph = astarL_pushgraph(L);
    AstarNames labels;
    AstarStatus status = astar_graph_load(NULL, bytes, length, &graph->core, &labels);
    if (status == ASTAR_NO_MEMORY)
        return astarL_nomemory(L);
    check_sound(L, "graph", status == ASTAR_OK);
    name_labels(L, "graph", labels);
    astarL_chargegraph(L, graph);
    return 1;
}
#endif
