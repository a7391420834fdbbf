// lua_graph_dump.c -- graphs as strings: graph:dump and astar.graph.load.

#include "binding/lua_graph.h"
#include "binding/lua_keys.h"

#include <math.h>

// Raises an error where a node's key is known to this state only.
static void check_dumpable(lua_State *L, const astarL_Graph *graph)
{
    uint32_t cursor = 0, number;
    AstarWaypoint node;
    while (astar_graph_next(graph->core, &cursor, &number))
        if (astar_graph_node(graph->core, number, &node) && node.key.kind == ASTAR_NAME_OTHER) {
            astarL_pushpart(L, 1, ASTARL_VALUES, LUA_TTABLE);
            astarL_pushgraphkey(L, &node.key, lua_gettop(L));
            luaL_error(L,
                       "a node that is %s cannot be dumped: only strings, numbers up to 2^53 "
                       "and booleans can",
                       astarL_describe(L, lua_gettop(L)));
        }
}

// Pushes the names of the labels, whose list is at 2.
static const AstarName *push_label_names(lua_State *L, uint32_t *count)
{
    *count = (uint32_t)lua_rawlen(L, 2);
    AstarName *names = lua_newuserdata(L, (*count + 1) * sizeof *names);
    for (uint32_t i = 0; i < *count; i++) {
        names[i] = (AstarName){.kind = ASTAR_NAME_NUMBER};
        lua_rawgeti(L, 2, (int)i + 1);
        if (lua_type(L, -1) == LUA_TNUMBER)
            names[i].number = lua_tonumber(L, -1);
        else if (lua_type(L, -1) != LUA_TSTRING)
            luaL_error(L, "astar graph has another uservalue than its own");
        else {
            names[i].kind = ASTAR_NAME_TEXT;
            names[i].text = lua_tolstring(L, -1, &names[i].length);
        }
        lua_pop(L, 1);
    }
    return names;
}

// graph:dump() --> string
int astarL_graph_dump(lua_State *L)
{
    const astarL_Graph *graph = astarL_checkgraph(L, 1);
    if (graph->is_space)
        return luaL_error(L, "a graph with neighbours has no nodes of its own");
    check_dumpable(L, graph);
    lua_settop(L, 1);
    astarL_pushpart(L, 1, ASTARL_GRAPH_LABELS, LUA_TTABLE);
    uint32_t count;
    const AstarName *labels = push_label_names(L, &count);
    void *bytes = NULL;
    size_t room = 0, length;
    for (;;) { // again where a finalizer has edited the graph as room was made
        astarL_checkheld(L, graph->core);
        if (astar_graph_save(graph->core, labels, count, bytes, room, &length) != ASTAR_OK)
            return astarL_nomemory(L);
        if (length <= room)
            break;
        lua_settop(L, 3);
        bytes = lua_newuserdata(L, length);
        room = length;
    }
    lua_pushlstring(L, bytes, length);
    return 1;
}

static void check_sound_graph(lua_State *L, bool is_sound)
{
    if (!is_sound)
        luaL_error(L, "not a graph's dump, or a damaged one");
}

// astar.graph.load(string) --> graph
int astarL_load_graph(lua_State *L)
{
    if (lua_type(L, 1) != LUA_TSTRING)
        return luaL_error(L, "a graph's dump expected, got %s", astarL_describe(L, 1));
    lua_settop(L, 1);
    size_t length;
    const char *bytes = lua_tolstring(L, 1, &length);
    astarL_Graph *graph = astarL_pushgraph(L);
    AstarGraphLabels labels;
    AstarStatus status = astar_graph_load(NULL, bytes, length, &graph->core, &labels);
    if (status == ASTAR_NO_MEMORY)
        return astarL_nomemory(L);
    check_sound_graph(L, status == ASTAR_OK);
    AstarName name;
    for (uint32_t number = 1; astar_graph_next_label(&labels, &name); number++) {
        if (name.kind == ASTAR_NAME_TEXT)
            lua_pushlstring(L, name.text, name.length);
        else
            lua_pushnumber(L, name.number);
        check_sound_graph(L, name.kind != ASTAR_NAME_BOOLEAN && astarL_islabel(L, 3) &&
                                 astarL_addlabel(L, 2, 3) == number);
        lua_settop(L, 2);
    }
    astarL_chargegraph(L, graph);
    return 1;
}
