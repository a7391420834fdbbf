// lua_graph_keys.c -- what scripts call the nodes of a graph.
//
// The core knows strings, numbers and booleans. Any other value, a table say, is a handle to it: a
// number that two tables of the graph's translate.

#include "binding/lua_graphs.h"

#include "binding/lua_keys.h"

#include <math.h>
#include <string.h>

astarL_Graph *astarL_pushgraph(lua_State *L)
{
    astarL_Graph *graph = astarL_newobject(L, ASTARL_GRAPH, sizeof *graph);
    lua_createtable(L, ASTARL_REMOVED, 0);
    const int tables[] = {ASTARL_HANDLES, ASTARL_VALUES, ASTARL_GRAPH_LABELS,
                          ASTARL_GRAPH_LABEL_NUMBERS, ASTARL_REMOVED};
    for (int i = 0; i < 5; i++) {
        lua_newtable(L);
        lua_rawseti(L, -2, tables[i]);
    }
    lua_setuservalue(L, -2);
    return graph;
}

void astarL_chargegraph(lua_State *L, astarL_Graph *graph)
{
    astarL_chargegrowth(L, &graph->bytes, astar_graph_bytes(graph->core), false);
}

// Whether the core can have the number at 'arg' without loss: beyond 2^53 integers have no double.
static bool is_exact_number(lua_State *L, int arg)
{
#if LUA_VERSION_NUM >= 503
    lua_Number number = lua_tonumber(L, arg);
    if (lua_isinteger(L, arg))
        return fabs(number) <= 9007199254740992.0;
#endif
    return !isnan(lua_tonumber(L, arg));
}

// The handle of the value at 'arg', 0 where it has none.
static double find_handle(lua_State *L, int arg, int handles)
{
    lua_pushvalue(L, arg);
    lua_rawget(L, handles);
    double handle = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : 0;
    lua_pop(L, 1);
    return handle;
}

bool astarL_readkey(lua_State *L, int arg, int handles, AstarName *key)
{
    *key = (AstarName){.kind = ASTAR_NAME_NUMBER};
    int type = lua_type(L, arg);
    if (type == LUA_TSTRING) {
        key->kind = ASTAR_NAME_TEXT;
        key->text = lua_tolstring(L, arg, &key->length);
        if (key->length > ASTAR_MAX_KEY)
            luaL_error(L, "a key must be a string of at most %d bytes", ASTAR_MAX_KEY);
    } else if (type == LUA_TNUMBER && is_exact_number(L, arg)) {
        key->number = lua_tonumber(L, arg);
    } else if (type == LUA_TBOOLEAN) {
        key->kind = ASTAR_NAME_BOOLEAN;
        key->number = lua_toboolean(L, arg);
    } else {
        if (lua_isnoneornil(L, arg) || (type == LUA_TNUMBER && isnan(lua_tonumber(L, arg))))
            luaL_error(L, "a key must not be %s", astarL_describe(L, arg));
        key->kind = ASTAR_NAME_OTHER;
        key->number = find_handle(L, arg, handles);
        return key->number > 0;
    }
    return true;
}

#if LUA_VERSION_NUM < 502

enum { SHORT_KEY = 512 }; // bytes, that astarL_pushname copies to the stack of C

// These Luas may run finalizers before they copy a text, so a long one is copied into a block of
// Lua's first. True where that is done.
static bool push_long_text(lua_State *L, astarL_FindKey *find, const void *context, AstarName key)
{
    size_t length = key.length;
    if (key.kind != ASTAR_NAME_TEXT || length <= SHORT_KEY)
        return false;
    char *copy = lua_newuserdata(L, length);
    if (!find(L, context, &key) || key.kind != ASTAR_NAME_TEXT || key.length != length)
        luaL_error(L, "graph was edited by a finalizer");
    memcpy(copy, key.text, length);
    lua_pushlstring(L, copy, length);
    lua_remove(L, -2);
    return true;
}
#else

static bool push_long_text(lua_State *L, astarL_FindKey *find, const void *context, AstarName key)
{
    (void)L;
    (void)find;
    (void)context;
    (void)key;
    return false; // these Luas copy a text before they run finalizers
}
#endif

void astarL_pushfoundkey(lua_State *L, astarL_FindKey *find, const void *context, int values)
{
    AstarName key;
    if (!find(L, context, &key))
        lua_pushnil(L);
    else if (!push_long_text(L, find, context, key))
        astarL_pushname(L, &key, values);
}

typedef struct NodeOfGraph {
    const astarL_Graph *graph;
    uint32_t node;
} NodeOfGraph;

static bool find_key_of_node(lua_State *L, const void *context, AstarName *key)
{
    const NodeOfGraph *of = context;
    AstarWaypoint found;
    astarL_checkheld(L, of->graph->core);
    if (!astar_graph_node(of->graph->core, of->node, &found))
        return false;
    *key = found.key;
    return true;
}

void astarL_pushkeyofnode(lua_State *L, const astarL_Graph *graph, uint32_t node, int values)
{
    const NodeOfGraph of = {graph, node};
    astarL_pushfoundkey(L, find_key_of_node, &of, values);
}

uint32_t astarL_checknode(lua_State *L, int graph, int arg)
{
    AstarName key;
    if (lua_isnoneornil(L, arg)) // before anything is pushed
        luaL_error(L, "a key must not be nil");
    astarL_pushpart(L, graph, ASTARL_HANDLES, LUA_TTABLE);
    bool is_known = astarL_readkey(L, arg, lua_gettop(L), &key);
    lua_pop(L, 1);
    const astarL_Graph *object = astarL_checkgraph(L, graph);
    uint32_t node = is_known ? astar_graph_find(object->core, &key) : ASTAR_NO_NODE;
    if (node == ASTAR_NO_NODE)
        luaL_error(L, "unknown node %s", astarL_describe(L, arg));
    return node;
}
