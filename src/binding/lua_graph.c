// lua_graph.c -- navigation graphs, made and edited by scripts.

#include "binding/lua_graphs.h"

#include "binding/lua_helper.h"
#include "binding/lua_job.h"
#include "binding/lua_keys.h"

#include <assert.h>
#include <math.h>

static_assert((int)ASTARL_GRAPH_LABELS == (int)ASTARL_LABELS &&
                  (int)ASTARL_GRAPH_LABEL_NUMBERS == (int)ASTARL_LABEL_NUMBERS,
              "labels of edges are kept as those of links are");

// ---- making one ----

// Makes one of the options at 2, 'names' being what they are called.
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

// astar.graph([{heuristic =}]) --> graph; 1 is the module
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

// The graph at 1, which may be edited.
static astarL_Graph *check_editable(lua_State *L)
{
    astarL_Graph *graph = astarL_checkgraph(L, 1);
    if (graph->is_space)
        luaL_error(L, "a space of states has no nodes of its own");
    return graph;
}

// ---- nodes ----

// Reads the key at 2, giving a value that only Lua knows a handle.
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

// graph:node(key [, x, y]): adds a node, or gives the one of that key another position
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
    astarL_checkgraph(L, 1); // again: a finalizer may have closed it
    AstarStatus status = astar_graph_put(graph->core, &key, x, y, &node);
    if (status == ASTAR_TOO_LARGE)
        return luaL_error(L, "a graph holds at most %d nodes", ASTAR_MAX_NODES);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    astarL_chargegraph(L, graph);
    return 0;
}

// Lets go of the values of removed nodes that no search may lead over any more, the first first.
static void let_go_of_removed(lua_State *L, astarL_Graph *graph, int values, int removed)
{
    double since = (double)astar_graph_frozen_since(graph->core);
    for (; graph->let_go < graph->removed; graph->let_go++) {
        lua_rawgeti(L, removed, 2 * graph->let_go + 2);
        if (lua_tonumber(L, -1) > since)
            return;
        lua_rawgeti(L, removed, 2 * graph->let_go + 1);
        lua_pushnil(L);
        lua_rawset(L, values);
        for (int i = 1; i <= 2; i++) {
            lua_pushnil(L);
            lua_rawseti(L, removed, 2 * graph->let_go + i);
        }
        lua_pop(L, 1);
    }
    graph->removed = graph->let_go = 0;
}

// Takes note that the node of a handle is removed now.
static void note_removed(lua_State *L, astarL_Graph *graph, double handle, int removed)
{
    lua_pushnumber(L, handle);
    lua_rawseti(L, removed, 2 * graph->removed + 1);
    lua_pushnumber(L, (lua_Number)astar_graph_version(graph->core) + 1);
    lua_rawseti(L, removed, 2 * graph->removed + 2);
    graph->removed++;
}

// graph:remove(key) --> boolean: whether there was such a node
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
        note_removed(L, graph, key.number, removed); // the last that may fail
    lua_pushboolean(L, is_known &&
                           astar_graph_remove(graph->core, astar_graph_find(graph->core, &key)));
    if (is_known && key.kind == ASTAR_NAME_OTHER) {
        lua_pushvalue(L, 2);
        lua_pushnil(L);
        lua_rawset(L, handles);
        let_go_of_removed(L, graph, values, removed);
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

// ---- edges ----

// Two nodes at 2 and 3.
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
    ends = check_edge_ends(L); // again: a finalizer may have edited the graph
    AstarStatus status = astar_graph_connect(graph->core, ends.a, ends.b, cost, label, one_way);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    astarL_chargegraph(L, graph);
    return 0;
}

// graph:remove_edge(a, b [, one_way]) --> boolean: whether there was such an edge
static int graph_remove_edge(lua_State *L)
{
    astarL_Graph *graph = check_editable(L);
    lua_settop(L, 4);
    bool one_way = astarL_checkflag(L, 4, "one_way", false);
    EdgeEnds ends = check_edge_ends(L);
    lua_pushboolean(L, astar_graph_disconnect(graph->core, ends.a, ends.b, one_way));
    return 1;
}

// graph:block(a [, b]), graph:unblock(a [, b]): the node or, where there is a second one, the edge
// between the two
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

// graph:is_blocked(a [, b]) --> boolean; of an edge: on the way from a to b
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

// ---- what there is ----

// The iterators hold the graph as upvalue 1, where they stand as 2.
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

// The third upvalue is the key of the node whose edges they are.
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

static void tell_graph(lua_State *L, const void *object)
{
    const astarL_Graph *graph = object;
    if (graph->is_space)
        lua_pushliteral(L, "astar graph of states");
    else
        lua_pushfstring(L, "astar graph of %d nodes", (int)astar_graph_count(graph->core));
}

ASTARL_RELEASE(release_graph, astar_graph_release)

// ---- landmarks ----

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
    astarL_chargegraph(L, graph);
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
                                        .tell = tell_graph,
                                        .count = count_nodes};

void astarL_opengraph(lua_State *L)
{
    static const astarL_Function functions[] = {
        {"graph", ASTARL_COUNTS, new_graph},
        {"states", ASTARL_COUNTS, new_states},
        {"load_graph", 1, astarL_load_graph},
        {"is_graph_finder", 1, astarL_is_graph_finder},
        {"check_graph_question", 4, astarL_check_graph_question},
        {"graph_route", 9, astarL_graph_route},
        {"", 0, NULL}};
    static const astarL_Class *const classes[] = {&astarL_graphclass,      &astarL_graphfinderclass,
                                                  &astarL_graphpathclass,  &astarL_graphsearchclass,
                                                  &astarL_graphreachclass, NULL};
    astarL_newtypes(L, classes);
    astarL_setfunctions(L, functions, ASTARL_TYPES);
}
