// lua_graph.c -- navigation graphs in Lua: methods of graphs and of their finders, and graphs as
// strings.

#include "parts/graph/lua_graph.h"

#include "binding/lua_blocks.h"
#include "binding/lua_dump.h"
#include "binding/lua_gc_account.h"
#include "binding/lua_job.h"
#include "binding/lua_keys.h"
#include "binding/lua_options.h"
#include "binding/lua_util.h"
#include "parts/graph/lua_graph_query.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------
// The keys of nodes.
//
// In the core a key is a string, a number or a boolean. Any other value, such as a table, gets a
// handle: a number, which two tables of the graph translate to the value and back.
// ------------------------------------------------------------------------------------------------

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

void astarL_accountgraph(lua_State *L, astarL_Graph *graph)
{
    astarL_accountgrowth(L, &graph->bytes, astar_graph_bytes(graph->core), false);
}

// Returns true if the number at 'arg' is exact as a double. Integers beyond 2^53 may not be exact.
// NaN cannot be a key.
static bool is_exact_number(lua_State *L, int arg)
{
#if LUA_VERSION_NUM >= 503
    lua_Number number = lua_tonumber(L, arg);
    if (lua_isinteger(L, arg))
        return fabs(number) <= 9007199254740992.0;
#endif
    return !isnan(lua_tonumber(L, arg));
}

// Returns the handle of the value at 'arg', or 0 if the value has no handle.
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

enum { SHORT_KEY = 512 }; // bytes that astarL_pushname copies to the C stack

// Pushes a text longer than SHORT_KEY and returns true; returns false for any other key. Lua before
// 5.2 may run finalizers before it copies a text, so a long text is first copied into a block of
// Lua's memory.
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
    return false; // these Lua versions copy a text before they run finalizers
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
    if (lua_isnoneornil(L, arg)) // checked before anything is pushed
        luaL_error(L, "a key must not be nil");
    astarL_pushpart(L, graph, ASTARL_HANDLES, LUA_TTABLE);
    bool is_known = astarL_readkey(L, arg, lua_gettop(L), &key);
    lua_pop(L, 1);
    const astarL_Graph *object = astarL_checkgraph(L, graph);
    uint32_t node = is_known ? astar_graph_find(object->core, &key) : ASTAR_NO_NODE;
    if (node == ASTAR_NO_NODE)
        luaL_error(L, "unknown node %s: graph:node(key, x, y) adds one", astarL_describe(L, arg));
    return node;
}

// The functions below are the methods of a graph.

static_assert((int)ASTARL_GRAPH_LABELS == (int)ASTARL_LABELS &&
                  (int)ASTARL_GRAPH_LABEL_NUMBERS == (int)ASTARL_LABEL_NUMBERS,
              "labels of edges are kept as those of links are");

// Creating a graph.

// Creates a graph from the options at index 2. 'names' lists the options that are allowed.
static int make_graph(lua_State *L, const char *names)
{
    lua_settop(L, 2);
    astarL_Graph *graph = astarL_pushgraph(L);
    astarL_checkoptions(L, 2, names);
    astarL_pushparts(L, 3);
    graph->is_space = astarL_keepfunction(L, 2, "neighbours", 4, ASTARL_NEIGHBOURS);
    astarL_keepfunction(L, 2, "heuristic", 4, ASTARL_GRAPH_ESTIMATE);
    astarL_keepfunction(L, 2, "key", 4, ASTARL_STATE_KEY);
    lua_settop(L, 3);
    if (astar_graph_new(NULL, &graph->core) != ASTAR_OK)
        return astarL_nomemory(L);
    return 1;
}

// astar.graph([{heuristic =}]) --> graph; index 1 is the module
static int new_graph(lua_State *L)
{
    astarL_nomore(L, 2, "graph", true);
    return make_graph(L, "heuristic\0");
}

// astar.states {neighbours =, heuristic =, key =} --> graph
static int new_states(lua_State *L)
{
    astarL_nomore(L, 1, "states", false);
    lua_settop(L, 1);
    lua_pushnil(L);
    lua_insert(L, 1);
    make_graph(L, "heuristic\0key\0neighbours\0");
    return astarL_checkgraph(L, -1)->is_space
               ? 1
               : luaL_error(L, "neighbours must be a function, got nil");
}

int astarL_refuse_space(lua_State *L)
{
    return luaL_error(L, "a space of states stores no nodes: call only its method finder");
}

// Returns the graph at index 1. Raises an error for a space of states, which cannot be edited.
static astarL_Graph *check_editable(lua_State *L)
{
    astarL_Graph *graph = astarL_checkgraph(L, 1);
    if (graph->is_space)
        astarL_refuse_space(L);
    return graph;
}

// Nodes.

// Reads the key at index 2. If it is a value that only Lua knows, gives it a handle.
static AstarName read_new_key(lua_State *L, astarL_Graph *graph)
{
    AstarName key;
    astarL_pushpart(L, 1, ASTARL_HANDLES, LUA_TTABLE);
    int handles = lua_gettop(L);
    if (!astarL_readkey(L, 2, handles, &key)) {
        key.number = graph->handles + 1;
        astarL_pushpart(L, 1, ASTARL_VALUES, LUA_TTABLE);
        lua_pushnumber(L, key.number);
        lua_pushvalue(L, 2);
        lua_rawset(L, handles + 1);
        lua_pushvalue(L, 2);
        lua_pushnumber(L, key.number);
        lua_rawset(L, handles);
        graph->handles = key.number;
    }
    lua_settop(L, handles - 1);
    return key;
}

// graph:node(key [, x, y]): adds a node, or moves the node that has this key
static int graph_node(lua_State *L)
{
    astarL_Graph *graph = check_editable(L);
    lua_settop(L, 4);
    double x = (double)NAN, y = (double)NAN;
    if (!lua_isnil(L, 3) || !lua_isnil(L, 4)) {
        x = astarL_checkreal(L, 3, -ASTAR_GRAPH_COST_MAX, ASTAR_GRAPH_COST_MAX, "x");
        y = astarL_checkreal(L, 4, -ASTAR_GRAPH_COST_MAX, ASTAR_GRAPH_COST_MAX, "y");
    }
    AstarName key = read_new_key(L, graph);
    uint32_t node;
    astarL_checkgraph(L, 1); // checked again: a finalizer may have closed the graph
    AstarStatus status = astar_graph_put(graph->core, &key, x, y, &node);
    if (status == ASTAR_TOO_LARGE)
        return luaL_error(L, "a graph holds at most %d nodes", ASTAR_MAX_NODES);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    astarL_accountgraph(L, graph);
    return 0;
}

// Releases those Lua values that were keys of removed nodes, the oldest first. Keeps values of
// nodes that a running search may still visit.
static void evict_removed(lua_State *L, astarL_Graph *graph, int values, int removed)
{
    double since = (double)astar_graph_snapshot_since(graph->core);
    for (; graph->released < graph->removed; graph->released++) {
        lua_rawgeti(L, removed, 2 * graph->released + 2);
        if (lua_tonumber(L, -1) > since)
            return;
        lua_rawgeti(L, removed, 2 * graph->released + 1);
        lua_pushnil(L);
        lua_rawset(L, values);
        for (int i = 1; i <= 2; i++) {
            lua_pushnil(L);
            lua_rawseti(L, removed, 2 * graph->released + i);
        }
        lua_pop(L, 1);
    }
    graph->removed = graph->released = 0;
}

// Records that the node with a handle as its key is being removed now.
static void note_removed(lua_State *L, astarL_Graph *graph, double handle, int removed)
{
    lua_pushnumber(L, handle);
    lua_rawseti(L, removed, 2 * graph->removed + 1);
    lua_pushnumber(L, (lua_Number)astar_graph_version(graph->core) + 1);
    lua_rawseti(L, removed, 2 * graph->removed + 2);
    graph->removed++;
}

// graph:remove(key) --> boolean: true if the graph had a node with this key
static int graph_remove(lua_State *L)
{
    astarL_Graph *graph = check_editable(L);
    lua_settop(L, 2);
    astarL_pushpart(L, 1, ASTARL_HANDLES, LUA_TTABLE);
    astarL_pushpart(L, 1, ASTARL_VALUES, LUA_TTABLE);
    astarL_pushpart(L, 1, ASTARL_REMOVED, LUA_TTABLE);
    int removed = lua_gettop(L), values = removed - 1, handles = removed - 2;
    AstarName key;
    bool is_known = astarL_readkey(L, 2, handles, &key);
    if (is_known && key.kind == ASTAR_NAME_OTHER)
        note_removed(L, graph, key.number, removed); // the last call that may fail
    lua_pushboolean(L, is_known &&
                           astar_graph_remove(graph->core, astar_graph_find(graph->core, &key)));
    if (is_known && key.kind == ASTAR_NAME_OTHER) {
        lua_pushvalue(L, 2);
        lua_pushnil(L);
        lua_rawset(L, handles);
        evict_removed(L, graph, values, removed);
        lua_pushvalue(L, removed + 1);
    }
    return 1;
}

// graph:has(key) --> boolean
static int graph_has(lua_State *L)
{
    const astarL_Graph *graph = astarL_checkgraph(L, 1);
    AstarName key;
    lua_settop(L, 2);
    astarL_pushpart(L, 1, ASTARL_HANDLES, LUA_TTABLE);
    bool is_known = astarL_readkey(L, 2, lua_gettop(L), &key);
    lua_pushboolean(L, is_known && astar_graph_find(graph->core, &key) != ASTAR_NO_NODE);
    return 1;
}

// graph:position(key) --> x, y | nil
static int graph_position(lua_State *L)
{
    const astarL_Graph *graph = astarL_checkgraph(L, 1);
    AstarWaypoint node;
    astar_graph_node(graph->core, astarL_checknode(L, 1, 2), &node);
    if (isnan(node.x)) {
        lua_pushnil(L);
        return 1;
    }
    lua_pushnumber(L, node.x);
    lua_pushnumber(L, node.y);
    return 2;
}

// graph:nearest(x, y) --> key | nil
static int graph_nearest(lua_State *L)
{
    astarL_Graph *graph = check_editable(L);
    double x = astarL_checkreal(L, 2, -ASTAR_GRAPH_COST_MAX, ASTAR_GRAPH_COST_MAX, "x");
    double y = astarL_checkreal(L, 3, -ASTAR_GRAPH_COST_MAX, ASTAR_GRAPH_COST_MAX, "y");
    astarL_pushpart(L, 1, ASTARL_VALUES, LUA_TTABLE);
    astarL_pushkeyofnode(L, graph, astar_graph_nearest(graph->core, x, y), lua_gettop(L));
    return 1;
}

// Edges.

// The two nodes of an edge, whose keys are at stack indices 2 and 3.
typedef struct EdgeEnds {
    uint32_t a, b;
} EdgeEnds;

static EdgeEnds check_edge_ends(lua_State *L)
{
    EdgeEnds ends;
    ends.a = astarL_checknode(L, 1, 2);
    ends.b = astarL_checknode(L, 1, 3);
    return ends;
}

// graph:edge(a, b [, {cost =, label =, one_way =}])
static int graph_edge(lua_State *L)
{
    astarL_Graph *graph = check_editable(L);
    EdgeEnds ends = check_edge_ends(L);
    if (ends.a == ends.b)
        return luaL_error(L, "an edge must join two nodes, got %s twice", astarL_describe(L, 2));
    double cost = (double)NAN; // the distance
    bool one_way, has_label = astarL_readlink(L, 4, ASTAR_GRAPH_COST_MAX, &cost, &one_way);
    uint32_t label = has_label ? astarL_addlabel(L, 1, 5) : 0;
    ends = check_edge_ends(L); // checked again: a finalizer may have edited the graph
    AstarStatus status = astar_graph_connect(graph->core, ends.a, ends.b, cost, label, one_way);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    astarL_accountgraph(L, graph);
    return 0;
}

// graph:remove_edge(a, b [, one_way]) --> boolean: true if there was an edge between the nodes
static int graph_remove_edge(lua_State *L)
{
    astarL_Graph *graph = check_editable(L);
    lua_settop(L, 4);
    bool one_way = astarL_checkflag(L, 4, "one_way", false);
    EdgeEnds ends = check_edge_ends(L);
    lua_pushboolean(L, astar_graph_disconnect(graph->core, ends.a, ends.b, one_way));
    return 1;
}

// graph:block(a [, b]), graph:unblock(a [, b]): block or unblock the node a or, if b is given, the
// edge between both nodes
static int set_blocked(lua_State *L)
{
    bool blocked = astarL_iscalled(L, "block");
    astarL_Graph *graph = check_editable(L);
    if (lua_isnoneornil(L, 3)) {
        astar_graph_block(graph->core, astarL_checknode(L, 1, 2), blocked);
        return 0;
    }
    EdgeEnds ends = check_edge_ends(L);
    if (!astar_graph_block_edge(graph->core, ends.a, ends.b, blocked)) {
        const char *a = astarL_describe(L, 2);
        return luaL_error(L, "there is no edge between %s and %s", a, astarL_describe(L, 3));
    }
    return 0;
}

// graph:is_blocked(a [, b]) --> boolean: true if the node a is blocked or, if b is given, the edge
// from a to b
static int graph_is_blocked(lua_State *L)
{
    const astarL_Graph *graph = astarL_checkgraph(L, 1);
    if (lua_isnoneornil(L, 3)) {
        AstarWaypoint node;
        astar_graph_node(graph->core, astarL_checknode(L, 1, 2), &node);
        lua_pushboolean(L, node.blocked);
        return 1;
    }
    EdgeEnds ends = check_edge_ends(L);
    AstarEdge edge;
    lua_pushboolean(L, astar_graph_edge(graph->core, ends.a, ends.b, &edge) && edge.blocked);
    return 1;
}

// The functions below list nodes and edges.

// Lua iterator function over nodes. Upvalue 1 is the graph, upvalue 2 the position of the
// iteration.
static int next_node_of_graph(lua_State *L)
{
    const astarL_Graph *graph = astarL_checkgraph(L, lua_upvalueindex(1));
    uint64_t stood = astarL_cursor(L);
    uint32_t cursor = stood < UINT32_MAX ? (uint32_t)stood : 0, number;
    if (!astar_graph_next(graph->core, &cursor, &number))
        return 0;
    AstarWaypoint node;
    lua_settop(L, 0);
    lua_pushvalue(L, lua_upvalueindex(1));
    astarL_pushpart(L, 1, ASTARL_VALUES, LUA_TTABLE);
    astarL_setcursor(L, cursor);
    astar_graph_node(graph->core, number, &node);
    double x = node.x, y = node.y;
    astarL_pushkeyofnode(L, graph, number, 2);
    if (isnan(x))
        return 1;
    lua_pushnumber(L, x);
    lua_pushnumber(L, y);
    return 3;
}

// for key, x, y in graph:nodes() do
static int graph_nodes(lua_State *L)
{
    check_editable(L);
    return astarL_iterate(L, next_node_of_graph, 1);
}

// Lua iterator function over the edges of a node. Upvalue 3 is the node's key.
static int next_edge_of_node(lua_State *L)
{
    lua_settop(L, 0);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_pushvalue(L, lua_upvalueindex(3));
    const astarL_Graph *graph = astarL_checkgraph(L, 1);
    uint64_t stood = astarL_cursor(L);
    uint32_t cursor = stood < UINT32_MAX ? (uint32_t)stood : 0;
    AstarEdge edge;
    if (!astar_graph_next_edge(graph->core, astarL_checknode(L, 1, 2), &cursor, &edge))
        return 0;
    astarL_setcursor(L, cursor);
    astarL_pushpart(L, 1, ASTARL_VALUES, LUA_TTABLE);
    astarL_pushpart(L, 1, ASTARL_GRAPH_LABELS, LUA_TTABLE);
    astarL_pushkeyofnode(L, graph, edge.to, 3);
    lua_pushnumber(L, edge.cost);
    if (edge.label == 0)
        lua_pushnil(L);
    else
        lua_rawgeti(L, 4, (int)edge.label);
    lua_pushboolean(L, edge.blocked);
    return 4;
}

// for b, cost, label, blocked in graph:edges(a) do
static int graph_edges(lua_State *L)
{
    check_editable(L);
    astarL_checknode(L, 1, 2);
    return astarL_iterate(L, next_edge_of_node, 2);
}

ASTARL_TELLS(graph_version, astarL_checkgraph, astar_graph_version)
ASTARL_TELLS(graph_bytes, astarL_checkgraph, astar_graph_bytes)

static int count_nodes(const void *object)
{
    return (int)astar_graph_count(((const astarL_Graph *)object)->core);
}

static void describe_graph(lua_State *L, const void *object)
{
    const astarL_Graph *graph = object;
    if (graph->is_space)
        lua_pushliteral(L, "astar graph of states");
    else
        lua_pushfstring(L, "astar graph of %d nodes", (int)astar_graph_count(graph->core));
}

ASTARL_RELEASE(release_graph, astar_graph_release)

// Landmarks.

static AstarStatus step_graph_baking(lua_State *L, astarL_Job *job, astarL_Budget budget)
{
    (void)L;
    return astarL_runslices(budget, astar_graph_baking_job.step, job->core, NULL);
}

static void close_graph_baking(lua_State *L, astarL_Job *job, void *core)
{
    (void)L;
    (void)job;
    astar_graph_baking_free(core);
}

static const astarL_JobKind graph_baking_kind = {ASTARL_JOB, NULL, step_graph_baking,
                                                 "done",     NULL, close_graph_baking};

// graph:baking([{landmarks =}]) --> job whose result is the graph
static int graph_baking(lua_State *L)
{
    enum { USUAL_LANDMARKS = 8 };
    const astarL_Graph *graph = check_editable(L);
    lua_settop(L, 2);
    astarL_checkoptions(L, 2, "landmarks\0");
    int landmarks = (int)astarL_readwhole(L, 2, "landmarks", 0, ASTAR_MAX_LANDMARKS,
                                          USUAL_LANDMARKS);
    astarL_Job *job = astarL_newjob(L, &graph_baking_kind, sizeof *job, 1);
    AstarGraphBaking *core;
    astarL_checkheld(L, graph->core);
    AstarStatus status = astar_graph_baking_new(graph->core, landmarks, &core);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    job->core = core;
    return 1;
}

// graph:bake([{landmarks =}]) --> {landmarks =, bytes =}
static int graph_bake(lua_State *L)
{
    graph_baking(L);
    astarL_Job *job = lua_touserdata(L, 3);
    AstarStatus status;
    do {
        status = astar_graph_baking_step(job->core, UINT64_MAX);
    } while (status == ASTAR_RUNNING);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    astarL_closejob(L, job);
    astarL_Graph *graph = astarL_checkgraph(L, 1);
    size_t bytes;
    int landmarks = astar_graph_landmarks(graph->core, &bytes);
    astarL_accountgraph(L, graph);
    lua_createtable(L, 0, 2);
    astarL_setinteger(L, "landmarks", landmarks);
    astarL_setinteger(L, "bytes", (lua_Integer)bytes);
    return 1;
}

static const astarL_Function graph_methods[] = {
    {"bake", 2, graph_bake},
    {"baking", 2, graph_baking},
    {"block", 3, set_blocked},
    {"bytes", 1, graph_bytes},
    {"dump", 1, astarL_graph_dump},
    {"edge", 4, graph_edge},
    {"edges", 2, graph_edges},
    {"finder", ASTARL_COUNTS, astarL_graph_finder},
    {"has", 2, graph_has},
    {"is_blocked", 3, graph_is_blocked},
    {"join", 3, astarL_graph_join},
    {"nearest", 3, graph_nearest},
    {"node", 4, graph_node},
    {"nodes", 1, graph_nodes},
    {"position", 2, graph_position},
    {"remove", 2, graph_remove},
    {"remove_edge", 4, graph_remove_edge},
    {"unblock", 3, set_blocked},
    {"version", 1, graph_version},
    {"", 0, NULL},
};

const astarL_Class astarL_graphclass = {.type = ASTARL_GRAPH,
                                        .methods = graph_methods,
                                        .release = release_graph,
                                        .tell = describe_graph,
                                        .count = count_nodes};

void astarL_opengraph(lua_State *L)
{
    static const astarL_Function functions[] = {
        {"graph", ASTARL_COUNTS, new_graph},
        {"states", ASTARL_COUNTS, new_states},
        {"load_graph", 1, astarL_load_graph},
        {"is_graph_finder", 1, astarL_is_graph_finder},
        {"check_graph_question", 4, astarL_check_graph_query},
        {"graph_route", 9, astarL_graph_route},
        {"", 0, NULL}};
    static const astarL_Class *const classes[] = {&astarL_graphclass,      &astarL_graphfinderclass,
                                                  &astarL_graphpathclass,  &astarL_graphsearchclass,
                                                  &astarL_graphreachclass, NULL};
    astarL_newtypes(L, classes);
    astarL_setfunctions(L, functions, ASTARL_TYPES);
}

// The functions below implement finders of a graph and their queries.

// Options.

// Reads a query from options. Fields that are not given keep their values in 'asked'.
static AstarGraphQueryOptions read_graph_query(lua_State *L, int options,
                                               AstarGraphQueryOptions asked)
{
    asked.weight = astarL_readreal(L, options, "weight", 1, ASTAR_MAX_WEIGHT, asked.weight);
    asked.max_cost = astarL_readreal(L, options, "max_cost", 0, (lua_Number)INFINITY,
                                     asked.max_cost);
    asked.max_expansions = astarL_readmost(L, options, asked.max_expansions);
    asked.partial = astarL_readflag(L, options, "partial", asked.partial);
    return asked;
}

AstarGraphQueryOptions astarL_checkgraphquestion(lua_State *L, int arg,
                                                 const astarL_GraphFinder *finder)
{
    if (lua_isnoneornil(L, arg))
        return finder->options.query;
    astarL_checkoptions(L, arg, "max_cost\0max_expansions\0partial\0weight\0");
    return read_graph_query(L, arg, finder->options.query);
}

// Reads the options of a finder at index 2. Stores the function 'cost' and a copy of all options in
// the table at 'parts'.
static void read_graph_options(lua_State *L, astarL_GraphFinder *finder, int parts)
{
    astarL_checkoptions(L, 2,
                        "cost\0dearer_only\0max_cost\0max_expansions\0min_cost\0partial\0weight\0");
    bool has_cost = astarL_keepfunction(L, 2, "cost", parts, ASTARL_EDGE_COST);
    if (has_cost && finder->is_space)
        luaL_error(L, "cost needs edges: a space of states has none");
    finder->options.cost = has_cost ? astarL_call_edge : NULL;
    finder->options.dearer_only = astarL_readflag(L, 2, "dearer_only", false);
    const char *idle = finder->options.dearer_only ? "dearer_only" : "min_cost";
    if (astarL_rawfield(L, 2, idle) != LUA_TNIL && finder->options.cost == NULL)
        luaL_error(L, "%s needs the function cost", idle);
    lua_pop(L, 1);
    finder->options.min_cost = astarL_readreal(L, 2, "min_cost", 0, ASTAR_GRAPH_COST_MAX,
                                               finder->options.min_cost);
    finder->options.query = read_graph_query(L, 2, finder->options.query);
    astarL_pushcopy(L, 2);
    lua_rawseti(L, parts, ASTARL_GRAPH_GIVEN);
}

// graph:finder([options]) --> finder
int astarL_graph_finder(lua_State *L)
{
    astarL_Graph *graph = astarL_checkgraph(L, 1);
    astarL_checklast(L, 2, "finder");
    astarL_pushparts(L, 1);
    lua_rawgeti(L, 3, ASTARL_NEIGHBOURS);
    lua_rawgeti(L, 3, ASTARL_GRAPH_ESTIMATE);
    bool has_estimate = lua_isfunction(L, 5), has_neighbours = lua_isfunction(L, 4);
    lua_settop(L, 2);
    astarL_GraphFinder *finder = astarL_newobject(L, ASTARL_GRAPH_FINDER, sizeof *finder);
    finder->options = astar_graph_options_default();
    finder->is_space = graph->is_space;
    finder->options.estimate = has_estimate ? astarL_call_rest : NULL;
    finder->options.neighbours = has_neighbours ? astarL_call_neighbours : NULL;
    if (has_neighbours != graph->is_space)
        return luaL_error(L,
                          "debug.setuservalue has replaced the data that astar keeps for a graph");
    lua_createtable(L, 3, 0);
    lua_pushvalue(L, 1);
    lua_rawseti(L, 4, ASTARL_FINDERS_GRAPH);
    if (!lua_isnil(L, 2))
        read_graph_options(L, finder, 4);
    lua_settop(L, 4);
    lua_setuservalue(L, 3);
    finder->asks = has_estimate || has_neighbours || finder->options.cost != NULL;
    finder->core = astarL_checkgraph(L, 1)->core;
    astar_graph_retain(finder->core);
    return 1;
}

// finder:options() --> a table of the options that the finder was created with
static int graph_finder_options(lua_State *L)
{
    astarL_checkgraphfinder(L, 1);
    astarL_pushparts(L, 1);
    lua_rawgeti(L, 2, ASTARL_GRAPH_GIVEN);
    if (lua_istable(L, 3))
        astarL_pushcopy(L, 3);
    else
        lua_newtable(L);
    return 1;
}

// Queries.

// The stack indices of the arguments of a query, and of its search.
enum { ASKED_FINDER = 1, ASKED_FROM, ASKED_TO, ASKED_HOW, ASKED_SEARCH };

// Raises an error if 'partial' is requested but nothing determines which node is nearest to the
// goal.
static void check_partial(lua_State *L, const astarL_GraphFinder *finder, bool is_aimed,
                          const AstarGraphQueryOptions *query_options)
{
    if (!query_options->partial)
        return;
    if (!is_aimed)
        luaL_error(L, "partial needs a single goal");
    if (finder->is_space && finder->options.estimate == NULL)
        luaL_error(L, "partial needs a heuristic, to determine which state is near the goal");
}

// Pushes a search for the path that the arguments request, and starts the search.
static AstarStatus begin_path(lua_State *L, astarL_GraphQuery *query)
{
    const astarL_GraphFinder *finder = astarL_checkgraphfinder(L, ASKED_FINDER);
    lua_settop(L, ASKED_HOW);
    AstarGraphQueryOptions query_options = astarL_checkgraphquestion(L, ASKED_HOW, finder);
    astarL_pushgraphsearch(L, ASKED_FINDER, &astarL_graphsearching);
    astarL_opengraphquery(L, query, ASKED_SEARCH);
    check_partial(L, finder, true, &query_options);
    uint32_t start = astarL_checkplace(L, query, ASKED_FINDER, ASKED_FROM),
             goal = astarL_checkplace(L, query, ASKED_FINDER, ASKED_TO);
    AstarStatus status = astar_graph_search_to(astarL_searchof(query), start, goal, &query_options,
                                               query);
    if (status == ASTAR_BAD_OPTION)
        luaL_error(L, "partial needs the position of %s, or a heuristic",
                   astarL_describe(L, ASKED_TO));
    return status;
}

// Runs the search of an open query to its end, then pauses the query with astarL_pausegraphquery.
static AstarStatus run_graph_search(astarL_GraphQuery *query, AstarStatus status)
{
    if (status == ASTAR_RUNNING)
        status = astar_graph_search_step(query->search->job.core, UINT64_MAX, query);
    astarL_pausegraphquery(query);
    return status;
}

// Pushes the path of the search at ASKED_SEARCH, or nil and the reason why there is none.
static int answer_path(lua_State *L, AstarStatus status)
{
    if (status == ASTAR_OK)
        status = astarL_pushgraphpath(L, ASKED_SEARCH, ASTAR_NO_NODE, 0, 0);
    if (status != ASTAR_NO_MEMORY)
        astarL_closejob(L, lua_touserdata(L, ASKED_SEARCH));
    return status == ASTAR_OK ? 1 : astarL_failgraph(L, status);
}

// finder:find_path(a, b [, options]) --> path | nil, reason
static int graph_find_path(lua_State *L)
{
    astarL_GraphQuery query;
    AstarStatus status = begin_path(L, &query);
    return answer_path(L, run_graph_search(&query, status));
}

// Reads the list of goals at ASKED_TO. Returns the numbers of their nodes, in a userdata that is
// pushed.
static const uint32_t *push_goal_nodes(lua_State *L, astarL_GraphQuery *query, size_t *count)
{
    const char *stray;
    *count = astarL_lengthof(L, ASKED_TO, &stray);
    if (stray != NULL)
        luaL_error(L, "goals are counted from 1, got an entry [%s]", stray);
    if (*count > ASTAR_MAX_NODES)
        luaL_error(L, "goals must be a list of at most %d nodes", ASTAR_MAX_NODES);
    uint32_t *nodes = lua_newuserdata(L, (*count + 1) * sizeof *nodes);
    for (size_t i = 0; i < *count; i++) {
        lua_rawgeti(L, ASKED_TO, (int)i + 1);
        if (lua_isnil(L, -1))
            luaL_error(L, "goals[%d] must be a node, got nil", (int)i + 1);
        nodes[i] = astarL_checkplace(L, query, ASKED_FINDER, lua_gettop(L));
        lua_pop(L, 1);
    }
    return nodes;
}

// finder:find_nearest(a, goals [, options]) --> path, index | nil, reason
// finder:find_nearest(a, function(node) [, options]) --> path | nil, reason
static int graph_find_nearest(lua_State *L)
{
    const astarL_GraphFinder *finder = astarL_checkgraphfinder(L, ASKED_FINDER);
    lua_settop(L, ASKED_HOW);
    bool by_function = lua_isfunction(L, ASKED_TO);
    if (!by_function && !lua_istable(L, ASKED_TO))
        return astarL_badvalue(L, ASKED_TO, "goals must be a list of nodes or a function");
    AstarGraphQueryOptions query_options = astarL_checkgraphquestion(L, ASKED_HOW, finder);
    check_partial(L, finder, false, &query_options);
    astarL_GraphSearch *search = astarL_pushgraphsearch(L, ASKED_FINDER, &astarL_graphsearching);
    if (by_function) {
        astarL_pushparts(L, ASKED_SEARCH);
        lua_pushvalue(L, ASKED_TO);
        lua_rawseti(L, -2, ASTARL_CALL_TEST);
        lua_settop(L, ASKED_SEARCH);
    }
    search->asks = search->asks || by_function;
    astarL_GraphQuery query;
    astarL_opengraphquery(L, &query, ASKED_SEARCH);
    uint32_t start = astarL_checkplace(L, &query, ASKED_FINDER, ASKED_FROM);
    AstarStatus status;
    if (by_function) {
        status = astar_graph_search_where(astarL_searchof(&query), start, astarL_call_is_goal,
                                          &query_options);
    } else {
        size_t count;
        const uint32_t *goals = push_goal_nodes(L, &query, &count);
        status = astar_graph_search_nearest(astarL_searchof(&query), start, goals, count,
                                            &query_options);
    }
    status = run_graph_search(&query, status);
    size_t index = astar_graph_search_index(search->job.core);
    int results = answer_path(L, status);
    if (results == 1 && !by_function) {
        lua_pushinteger(L, (lua_Integer)index + 1);
        return 2;
    }
    return results;
}

// finder:search(a, b [, options]) --> search
static int graphfinder_search(lua_State *L)
{
    astarL_GraphQuery query;
    AstarStatus status = begin_path(L, &query);
    // Taking a snapshot fails for spaces of states, which need no snapshot because they cannot be
    // edited.
    astar_graph_search_take_snapshot(query.search->job.core);
    astarL_pausegraphquery(&query);
    astarL_checkgraphstatus(L, status);
    astarL_accountjob(L, &query.search->job, true);
    lua_settop(L, ASKED_SEARCH);
    return 1;
}

// core.check_graph_question(finder, a, b [, options]): raises the errors that finder:search would
// raise for these arguments
int astarL_check_graph_query(lua_State *L)
{
    const astarL_GraphFinder *finder = astarL_checkgraphfinder(L, ASKED_FINDER);
    lua_settop(L, ASKED_HOW);
    AstarGraphQueryOptions query_options = astarL_checkgraphquestion(L, ASKED_HOW, finder);
    check_partial(L, finder, true, &query_options);
    for (int arg = ASKED_FROM; arg <= ASKED_TO; arg++) {
        if (lua_isnil(L, arg))
            return luaL_error(L, "a node must not be nil");
        if (finder->is_space)
            continue;
        astarL_pushpart(L, ASKED_FINDER, ASTARL_FINDERS_GRAPH, LUA_TUSERDATA);
        astarL_checknode(L, lua_gettop(L), arg);
    }
    return 0;
}

// core.is_graph_finder(value) --> boolean
int astarL_is_graph_finder(lua_State *L)
{
    lua_settop(L, 1);
    lua_pushboolean(L, astarL_testobject(L, 1, ASTARL_GRAPH_FINDER) != NULL);
    return 1;
}

ASTARL_RELEASE(release_graph_of_finder, astar_graph_release)

static const astarL_Function graph_finder_methods[] = {
    {"find_nearest", 4, graph_find_nearest}, {"find_path", 4, graph_find_path},
    {"matrix", 3, astarL_byplaces},          {"measuring", 3, astarL_byplaces},
    {"options", 1, graph_finder_options},    {"reach", 3, astarL_graphfinder_reach},
    {"search", 4, graphfinder_search},       {"tour", 3, astarL_byplaces},
    {"touring", 3, astarL_byplaces},         {"", 0, NULL},
};

const astarL_Class astarL_graphfinderclass = {.type = ASTARL_GRAPH_FINDER,
                                              .methods = graph_finder_methods,
                                              .release = release_graph_of_finder};

// ------------------------------------------------------------------------------------------------
// Graphs as strings: the methods graph:dump and astar.graph.load.
//
// The core writes and reads the bytes; see graph_save.c.
// ------------------------------------------------------------------------------------------------

// Raises an error if the key of a node is a value that exists only in this Lua state, such as a
// table.
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
    AstarSaving saving = astarL_savinglabels(L);
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
        return astarL_refuse_space(L);
    check_dumpable(L, graph);
    lua_settop(L, DUMPED);
    astarL_pushpart(L, DUMPED, ASTARL_GRAPH_LABELS, LUA_TTABLE);
    astarL_pushsaved(L, save_graph);
    return 1;
}

// astar.graph.load(string) --> graph
int astarL_load_graph(lua_State *L)
{
    size_t length;
    const char *bytes = astarL_checkdump(L, "graph", &length);
    lua_settop(L, LOAD_OPTIONS);
    astarL_Graph *graph = astarL_pushgraph(L);
    AstarNames labels;
    AstarStatus status = astar_graph_load(NULL, bytes, length, &graph->core, &labels);
    if (status == ASTAR_NO_MEMORY)
        return astarL_nomemory(L);
    astarL_checksound(L, "graph", status == ASTAR_OK);
    astarL_namelabels(L, "graph", labels);
    astarL_accountgraph(L, graph);
    return 1;
}
