// lua_graph_query.c -- searches of graphs that call functions of the script.
//
// A search belongs to a userdata from the start, so after an error the garbage collector frees it.
// A search in steps continues after an error where it was interrupted. The callback 'neighbours'
// adds states by calling the function 'add', which holds that userdata. If 'add' is called at any
// other time, it raises an error.

#include "parts/graph/lua_graph_query.h"

#include "binding/lua_keys.h"
#include "binding/lua_query.h"
#include "binding/lua_util.h"
#include "parts/graph/lua_graph.h"

#include <math.h>
#include <string.h>

// The functions below implement paths over graphs: the keys of the nodes of a path, and the labels
// of its steps.

// Indices into a path's uservalue, {keys, labels}. The path keeps the keys and labels, so later
// changes of the graph do not affect it.
enum { PATH_KEYS = 1, PATH_LABELS };

typedef struct astarL_GraphPath {
    astarL_Header header;
    const void *whole;   // the path itself once its keys are stored; NULL: closed
    AstarGraphPath core; // its numbers of nodes are freed once its keys are stored
    int count;
} astarL_GraphPath;

#define check_graph_path(L, arg) ((astarL_GraphPath *)astarL_checkopen(L, arg, ASTARL_GRAPH_PATH))

// Pushes the label of the step from one node to the next.
static void push_step_label(lua_State *L, const astarL_GraphQuery *query, uint32_t from,
                            uint32_t to)
{
    uint32_t label = 0;
    if (query->search->is_space) {
        lua_rawgeti(L, query->base + ASTARL_STEPS, (int)to + 1);
        if (!lua_toboolean(L, -1)) {
            lua_pop(L, 1);
            lua_pushnil(L);
        }
    } else if ((label = astar_graph_search_label(astarL_searchof(query), from, to)) > 0) {
        lua_rawgeti(L, query->base + ASTARL_SEARCHED, ASTARL_GRAPH_LABELS);
        if (lua_istable(L, -1))
            lua_rawgeti(L, -1, (int)label);
        lua_remove(L, -2);
    } else {
        lua_pushnil(L);
    }
}

// Returns true if any edge of the graph was ever given a label.
static bool has_labels(lua_State *L, const astarL_GraphQuery *query)
{
    lua_rawgeti(L, query->base + ASTARL_SEARCHED, ASTARL_GRAPH_LABELS);
    bool has_any = lua_istable(L, -1) && lua_rawlen(L, -1) > 0;
    lua_pop(L, 1);
    return has_any;
}

// Fills the table of keys at 'keys', and the table of labels at the next stack index. 'query' is
// NULL for a straight path.
static void fill_route(lua_State *L, const astarL_GraphQuery *query, astarL_GraphPath *path,
                       int keys, int first, int last)
{
    if (first != 0) {
        lua_pushvalue(L, first);
        lua_rawseti(L, keys, ++path->count);
    }
    bool is_labelled = path->core.count > 1 && (query->search->is_space || has_labels(L, query));
    for (size_t i = 0; i < path->core.count; i++) {
        if (i > 0 && is_labelled) {
            push_step_label(L, query, path->core.nodes[i - 1], path->core.nodes[i]);
            lua_rawseti(L, keys + 1, path->count);
        }
        astarL_pushnode(L, query, path->core.nodes[i]);
        lua_rawseti(L, keys, ++path->count);
    }
    if (last != 0) {
        lua_pushvalue(L, last);
        lua_rawseti(L, keys, ++path->count);
    }
}

AstarStatus astarL_pushgraphpath(lua_State *L, int self, uint32_t node, int first, int last)
{
    astarL_GraphSearch *search = lua_touserdata(L, self);
    astarL_GraphPath *path = astarL_newobject(L, ASTARL_GRAPH_PATH, sizeof *path);
    int result = lua_gettop(L);
    astar_graph_path_init(&path->core);
    astarL_checkheld(L, search->job.core);
    AstarStatus status = node == ASTAR_NO_NODE
                             ? astar_graph_search_path(search->job.core, &path->core)
                             : astar_graph_search_path_to(search->job.core, node, &path->core);
    if (status != ASTAR_OK)
        return status;
    uint64_t version = astar_graph_version(search->graph);
    astarL_GraphQuery query;
    lua_createtable(L, (int)path->core.count, 0);
    lua_newtable(L);
    astarL_opengraphquery(L, &query, self);
    fill_route(L, &query, path, result + 1, first, last);
    astarL_searchof(&query);
    astarL_pausegraphquery(&query);
    if (astar_graph_version(search->graph) != version)
        luaL_error(L, "graph was edited during the search"); // by a finalizer
    astarL_setparts(L, result, (const int[]){result + 1, result + 2}, PATH_LABELS);
    lua_settop(L, result);
    AstarGraphPath told = path->core;
    astar_graph_path_destroy(&path->core);
    path->core.cost = told.cost;
    path->core.expanded = told.expanded;
    path->core.partial = told.partial;
    path->whole = path;
    return ASTAR_OK;
}

// Pushes a joined path that visits no node of the graph: the straight line between the values at
// 'first' and 'last'.
void astarL_pushstraightpath(lua_State *L, int first, int last, double cost)
{
    astarL_GraphPath *path = astarL_newobject(L, ASTARL_GRAPH_PATH, sizeof *path);
    int result = lua_gettop(L);
    astar_graph_path_init(&path->core);
    lua_createtable(L, 2, 0);
    lua_newtable(L);
    fill_route(L, NULL, path, result + 1, first, last);
    astarL_setparts(L, result, (const int[]){result + 1, result + 2}, PATH_LABELS);
    lua_settop(L, result);
    path->core.cost = cost;
    path->whole = path;
}

// path:link(i) --> the label of the step from path[i] to the next node; nil if the step has no
// label
static int graph_path_link(lua_State *L)
{
    const astarL_GraphPath *path = check_graph_path(L, 1);
    int index = astarL_checkint(L, 2, 1, path->count, "i");
    astarL_pushpart(L, 1, PATH_LABELS, LUA_TTABLE);
    lua_rawgeti(L, -1, index);
    return 1;
}

// path:totable() --> a list of the keys
static int graph_path_totable(lua_State *L)
{
    const astarL_GraphPath *path = check_graph_path(L, 1);
    astarL_pushpart(L, 1, PATH_KEYS, LUA_TTABLE);
    lua_createtable(L, path->count, 0);
    for (int i = 1; i <= path->count; i++) {
        lua_rawgeti(L, -2, i);
        lua_rawseti(L, -2, i);
    }
    return 1;
}

static void push_graph_path_field(lua_State *L, const void *object, const char *name)
{
    const astarL_GraphPath *path = object;
    if (strcmp(name, "cost") == 0)
        lua_pushnumber(L, path->core.cost);
    else if (strcmp(name, "expanded") == 0)
        lua_pushinteger(L, (lua_Integer)path->core.expanded);
    else if (strcmp(name, "partial") == 0)
        lua_pushboolean(L, path->core.partial);
}

static void push_node_on_way(lua_State *L, const void *object, int index)
{
    (void)object;
    astarL_pushpart(L, 1, PATH_KEYS, LUA_TTABLE);
    lua_rawgeti(L, -1, index);
}

static int count_nodes_on_way(const void *object)
{
    return ((const astarL_GraphPath *)object)->count;
}

static void close_graph_path(lua_State *L, void *object)
{
    (void)L;
    astarL_GraphPath *path = object;
    path->whole = NULL;
    astar_graph_path_destroy(&path->core);
}

static const astarL_Function graph_path_methods[] = {
    {"link", 2, graph_path_link},
    {"totable", 1, graph_path_totable},
    {"", 0, NULL},
};

const astarL_Class astarL_graphpathclass = {.type = ASTARL_GRAPH_PATH,
                                            .methods = graph_path_methods,
                                            .close = close_graph_path,
                                            .field = push_graph_path_field,
                                            .count = count_nodes_on_way,
                                            .item = push_node_on_way,
                                            .fields = "cost\0expanded\0partial\0"};

// The functions below implement the queries that call functions of the script.

// Stack indices, counted from 'base', of the two tables of handles while a search calls functions.
enum { HANDLES_AT = ASTARL_ASKED + 1, VALUES_AT };

// Creating and closing.

static int add_state(lua_State *L);

// Fills the table at 'parts' with all values that the callbacks of a search need. The values come
// from the finder at index 'finder'.
static void fill_parts(lua_State *L, int finder, int parts, bool is_space)
{
    static const int functions[][2] = {{ASTARL_GRAPH_ESTIMATE, ASTARL_CALL_ESTIMATE},
                                       {ASTARL_NEIGHBOURS, ASTARL_CALL_NEIGHBOURS},
                                       {ASTARL_STATE_KEY, ASTARL_CALL_KEY}};
    astarL_pushpart(L, finder, ASTARL_FINDERS_GRAPH, LUA_TUSERDATA);
    astarL_pushparts(L, lua_gettop(L));
    int of_graph = lua_gettop(L);
    for (int i = 0; i < 3; i++) {
        lua_rawgeti(L, of_graph, functions[i][0]);
        lua_rawseti(L, parts, functions[i][1]);
    }
    lua_rawseti(L, parts, ASTARL_SEARCHED);
    astarL_pushparts(L, finder);
    lua_rawgeti(L, -1, ASTARL_EDGE_COST);
    lua_rawseti(L, parts, ASTARL_CALL_COST);
    lua_pushvalue(L, finder);
    lua_rawseti(L, parts, ASTARL_OF_FINDER);
    lua_settop(L, parts);
    if (is_space) {
        lua_newtable(L);
        lua_rawseti(L, parts, ASTARL_STATES);
        lua_newtable(L);
        lua_rawseti(L, parts, ASTARL_STEPS);
    }
}

astarL_GraphSearch *astarL_pushgraphsearch(lua_State *L, int finder, const astarL_JobKind *kind)
{
    const astarL_GraphFinder *of = astarL_checkgraphfinder(L, finder);
    astarL_GraphSearch *search = astarL_newjob(L, kind, sizeof *search, 0);
    int self = lua_gettop(L);
    search->is_space = of->is_space;
    search->asks = of->asks;
    lua_createtable(L, ASTARL_OF_FINDER, 0);
    fill_parts(L, finder, self + 1, of->is_space);
    if (of->is_space) {
        lua_pushvalue(L, self);
        lua_pushcclosure(L, add_state, 1);
        lua_rawseti(L, self + 1, ASTARL_ADD);
    }
    lua_setuservalue(L, self);
    astarL_checkheld(L, of->core);
    AstarGraphSearch *core;
    AstarStatus status = astar_graph_search_new(of->core, &of->options, &core);
    if (status != ASTAR_OK)
        astarL_fail(L, status);
    search->job.core = core;
    search->graph = of->core;
    astar_graph_retain(search->graph);
    return search;
}

// Pushes those values of a search's uservalue that are needed while the search runs.
static void push_asked(lua_State *L, astarL_GraphQuery *query, int self)
{
    astarL_checkstack(L, 40);
    astarL_pushparts(L, self);
    int parts = lua_gettop(L);
    query->base = parts;
    for (int part = ASTARL_SEARCHED; part <= ASTARL_ASKED; part++)
        lua_rawgeti(L, parts, part);
    bool is_whole = lua_istable(L, query->base + ASTARL_SEARCHED);
    for (int part = ASTARL_STATES; query->search->is_space && part <= ASTARL_STEPS; part++)
        is_whole = is_whole && lua_istable(L, query->base + part);
    if (is_whole) {
        lua_rawgeti(L, query->base + ASTARL_SEARCHED, ASTARL_HANDLES);
        lua_rawgeti(L, query->base + ASTARL_SEARCHED, ASTARL_VALUES);
        is_whole = lua_istable(L, -1) && lua_istable(L, -2);
    }
    if (!is_whole)
        luaL_error(L, "debug.setuservalue has replaced the data that astar keeps for a search");
}

static void check_graph_turn(lua_State *L, const astarL_GraphSearch *search, uint32_t turn,
                             const char *by)
{
    if (search->job.turn != turn)
        luaL_error(L, "search was stepped or closed by %s", by);
}

void astarL_opengraphquery(lua_State *L, astarL_GraphQuery *query, int self)
{
    astarL_GraphSearch *search = lua_touserdata(L, self);
    astarL_checkheld(L, search->job.core);
    *query = (astarL_GraphQuery){.L = L, .search = search, .turn = ++search->job.turn};
    push_asked(L, query, self);
    if (search->asks) {
        astarL_forget(L, search); // removes what an error may have left
        astarL_descend(L, query, search);
    }
    check_graph_turn(L, search, query->turn, "a finalizer");
    query->version = astar_graph_version(search->graph);
}

AstarGraphSearch *astarL_searchof(const astarL_GraphQuery *query)
{
    check_graph_turn(query->L, query->search, query->turn, "a finalizer");
    return query->search->job.core;
}

void astarL_pausegraphquery(astarL_GraphQuery *query)
{
    if (query->search->asks)
        astarL_ascend(query->L, query->search);
}

// The functions below handle nodes and states.

// Number of states per table. The states that a search has reached are stored in several tables:
// copying one large table when it grows, and traversing it by the garbage collector, would take too
// long for one step.
enum { STATES_A_PART = 1024 };

// Pushes the table that holds a state, or nil if there is no such table yet. Returns the state's
// index in that table.
static int push_part_of_states(lua_State *L, const astarL_GraphQuery *query, uint32_t state)
{
    lua_rawgeti(L, query->base + ASTARL_STATES, (int)(state / STATES_A_PART) + 1);
    return (int)(state % STATES_A_PART) + 1;
}

static void push_met_state(lua_State *L, const astarL_GraphQuery *query, uint32_t state)
{
    int place = push_part_of_states(L, query, state);
    if (lua_isnil(L, -1))
        return;
    lua_rawgeti(L, -1, place);
    lua_remove(L, -2);
}

// Stores the value at 'arg' as the value of a state.
static void keep_met_state(lua_State *L, const astarL_GraphQuery *query, uint32_t state, int arg)
{
    int place = push_part_of_states(L, query, state);
    if (lua_isnil(L, -1)) {
        lua_pop(L, 1);
        lua_newtable(L);
        lua_pushvalue(L, -1);
        lua_rawseti(L, query->base + ASTARL_STATES, (int)(state / STATES_A_PART) + 1);
    }
    lua_pushvalue(L, arg);
    lua_rawseti(L, -2, place);
    lua_pop(L, 1);
}

// A node whose key is requested. The struct is the context of find_asked_key.
typedef struct QueriedNode {
    const astarL_GraphQuery *query;
    uint32_t node;
} QueriedNode;

static bool find_asked_key(lua_State *L, const void *context, AstarName *key)
{
    const QueriedNode *asked = context;
    AstarWaypoint found;
    (void)L;
    if (!astar_graph_search_waypoint(astarL_searchof(asked->query), asked->node, &found))
        return false;
    *key = found.key;
    return true;
}

void astarL_pushnode(lua_State *L, const astarL_GraphQuery *query, uint32_t node)
{
    const QueriedNode asked = {query, node};
    if (query->search->is_space)
        push_met_state(L, query, node);
    else
        astarL_pushfoundkey(L, find_asked_key, &asked, query->base + VALUES_AT);
}

static void bad_state(lua_State *L, int key, bool has_function, bool is_any)
{
    if (has_function)
        luaL_error(L, "key callback returned %s; expected a string or a number",
                   is_any ? astarL_describe(L, key) : "nothing");
    luaL_error(L,
               "a state must be a string or a number, got %s: other states need the function key",
               astarL_describe(L, key));
}

// Calls a function, which lies on the stack below its arguments. Returns false if the function
// returned no value. Raises an error if the function has stepped or closed the search, or edited
// the graph, so that the core must not continue.
static bool call_for_search(const astarL_GraphQuery *query, int arguments)
{
    bool is_any = astarL_callforone(query->L, arguments);
    check_graph_turn(query->L, query->search, query->turn, "its own callback");
    if (astar_graph_version(query->search->graph) != query->version)
        luaL_error(query->L, "graph was edited during the search");
    return is_any;
}

uint32_t astarL_checkstate(lua_State *L, astarL_GraphQuery *query, int arg)
{
    int key = arg;
    bool has_function = lua_isfunction(L, query->base + ASTARL_CALL_KEY), is_any = true;
    if (lua_isnoneornil(L, arg))
        luaL_error(L, "a state must not be nil");
    if (has_function) {
        lua_pushvalue(L, query->base + ASTARL_CALL_KEY);
        lua_pushvalue(L, arg);
        is_any = call_for_search(query, 1);
        key = lua_gettop(L);
    }
    AstarName name;
    int type = lua_type(L, key);
    bool is_key = (type == LUA_TSTRING || type == LUA_TNUMBER) &&
                  !(type == LUA_TNUMBER && isnan(lua_tonumber(L, key))) &&
                  astarL_readkey(L, key, query->base + HANDLES_AT, &name);
    if (!is_key)
        bad_state(L, key, has_function, is_any);
    uint32_t state;
    bool is_new;
    AstarStatus status = astar_graph_search_state(astarL_searchof(query), &name, &state, &is_new);
    if (status == ASTAR_TOO_LARGE)
        luaL_error(L, "a search visits at most %d states", ASTAR_MAX_NODES);
    if (status != ASTAR_OK)
        astarL_nomemory(L);
    if (has_function)
        lua_pop(L, 1);
    // If a new state could not be stored for lack of memory, the core has the state but the table
    // of states does not. Therefore the table is checked.
    if (!is_new) {
        push_met_state(L, query, state);
        is_new = lua_isnil(L, -1);
        lua_pop(L, 1);
    }
    if (is_new)
        keep_met_state(L, query, state, arg);
    return state;
}

uint32_t astarL_checkplace(lua_State *L, astarL_GraphQuery *query, int finder, int arg)
{
    if (query->search->is_space)
        return astarL_checkstate(L, query, arg);
    astarL_pushpart(L, finder, ASTARL_FINDERS_GRAPH, LUA_TUSERDATA);
    uint32_t node = astarL_checknode(L, lua_gettop(L), arg);
    lua_pop(L, 1);
    return node;
}

// Callbacks.

double astarL_call_rest(void *context, uint32_t node, uint32_t goal)
{
    const astarL_GraphQuery *query = context;
    lua_State *L = query->L;
    lua_pushvalue(L, query->base + ASTARL_CALL_ESTIMATE);
    astarL_pushnode(L, query, node);
    astarL_pushnode(L, query, goal);
    bool is_any = call_for_search(query, 2);
    lua_Number estimate = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : -1;
    if (!(estimate >= 0 && estimate <= 1e300))
        luaL_error(L, "heuristic callback returned %s; expected a number >= 0",
                   is_any ? astarL_describe(L, lua_gettop(L)) : "nothing");
    lua_pop(L, 1);
    return estimate;
}

static double judge_edge_cost(const astarL_GraphQuery *query, bool is_any, uint32_t from,
                              uint32_t to, double own)
{
    lua_State *L = query->L;
    int answer = lua_gettop(L);
    if (is_any && !lua_toboolean(L, answer)) // nil or false
        return (double)INFINITY;
    lua_Number cost = lua_type(L, answer) == LUA_TNUMBER ? lua_tonumber(L, answer) : -1;
    double least = astar_graph_search_least(astarL_searchof(query), from, to, own);
    if (isinf(cost) && cost > 0)
        return cost;
    if (cost >= least && cost <= ASTAR_GRAPH_COST_MAX)
        return cost;
    astarL_checkstack(L, 20);
    astarL_pushnode(L, query, from);
    astarL_pushnode(L, query, to);
    if (!is_any)
        astarL_complain(L, "no_edge_answer", 3);
    lua_pushnumber(L, own);
    lua_pushnumber(L, least);
    astarL_complain(L, "edge_answer", 5);
}

double astarL_call_edge(void *context, uint32_t from, uint32_t to, uint32_t label, double cost)
{
    const astarL_GraphQuery *query = context;
    lua_State *L = query->L;
    lua_pushvalue(L, query->base + ASTARL_CALL_COST);
    astarL_pushnode(L, query, from);
    astarL_pushnode(L, query, to);
    lua_rawgeti(L, query->base + ASTARL_SEARCHED, ASTARL_GRAPH_LABELS);
    if (lua_istable(L, -1) && label > 0)
        lua_rawgeti(L, -1, (int)label);
    else
        lua_pushnil(L);
    lua_remove(L, -2);
    lua_pushnumber(L, cost);
    bool is_any = call_for_search(query, 4);
    cost = judge_edge_cost(query, is_any, from, to, cost);
    lua_pop(L, 1);
    return cost;
}

bool astarL_call_is_goal(void *context, uint32_t node)
{
    const astarL_GraphQuery *query = context;
    lua_State *L = query->L;
    lua_pushvalue(L, query->base + ASTARL_CALL_TEST);
    astarL_pushnode(L, query, node);
    call_for_search(query, 1);
    bool is_goal = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return is_goal;
}

AstarStatus astarL_call_neighbours(void *context, AstarGraphSearch *core, uint32_t state)
{
    const astarL_GraphQuery *query = context;
    lua_State *L = query->L;
    (void)core;
    lua_pushvalue(L, query->base + ASTARL_CALL_NEIGHBOURS);
    astarL_pushnode(L, query, state);
    lua_pushvalue(L, query->base + ASTARL_ADD);
    // The old value is restored below, because this callback may run inside another callback.
    uint32_t outer = query->search->expanding;
    // 'expanding' stays set after an error, and the state is expanded again.
    query->search->expanding = query->turn;
    call_for_search(query, 2);
    query->search->expanding = outer;
    lua_pop(L, 1);
    return ASTAR_OK;
}

// Returns the cost of a step to a state, which is the argument at index 2.
static double check_step_cost(lua_State *L)
{
    if (lua_isnoneornil(L, 2))
        return 1;
    if (lua_type(L, 2) == LUA_TNUMBER && lua_tonumber(L, 2) >= 0 &&
        lua_tonumber(L, 2) <= ASTAR_GRAPH_COST_MAX)
        return lua_tonumber(L, 2);
    const char *got = astarL_describe(L, 2);
    return luaL_error(L, "cost must be a number from 0 to 1e15, got %s", got);
}

// If a label is given at index 3, reserves an entry for it in the table of labels. The entry is
// false, which means no label.
static void keep_place_for_label(lua_State *L, const astarL_GraphQuery *query, uint32_t state)
{
    if (lua_isnil(L, 3))
        return;
    lua_rawgeti(L, query->base + ASTARL_STEPS, (int)state + 1);
    if (lua_isnil(L, -1)) {
        lua_pushboolean(L, false);
        lua_rawseti(L, query->base + ASTARL_STEPS, (int)state + 1);
    }
    lua_pop(L, 1);
}

// add(state [, cost [, label]]): the function that is passed to 'neighbours'. The search is its
// upvalue.
static int add_state(lua_State *L)
{
    astarL_GraphSearch *search = astarL_checkobject(L, lua_upvalueindex(1), ASTARL_GRAPH_SEARCH);
    astarL_nomore(L, 3, "add", false);
    lua_settop(L, 3);
    double cost = check_step_cost(L);
    if (search->expanding == 0)
        return luaL_error(L, "the function add was called outside of the function neighbours");
    check_graph_turn(L, search, search->expanding, "its own callback");
    lua_pushvalue(L, lua_upvalueindex(1));
    astarL_GraphQuery query = {.L = L, .search = search, .turn = search->job.turn};
    query.version = astar_graph_version(search->graph);
    push_asked(L, &query, 4);
    uint32_t state = astarL_checkstate(L, &query, 1);
    keep_place_for_label(L, &query, state);
    bool is_better;
    AstarStatus status = astar_graph_search_reach_state(astarL_searchof(&query), state, cost,
                                                        &query, &is_better);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    lua_rawgeti(L, query.base + ASTARL_STEPS, (int)state + 1);
    if (is_better && !lua_isnil(L, -1)) {
        lua_pushvalue(L, 3);
        if (lua_isnil(L, 3))
            lua_pushboolean(L, false);
        lua_rawseti(L, query.base + ASTARL_STEPS, (int)state + 1);
    }
    return 0;
}

// Results.

void astarL_checkgraphstatus(lua_State *L, AstarStatus status)
{
    if (status == ASTAR_NO_MEMORY)
        astarL_nomemory(L);
    if (status == ASTAR_BAD_COST || status == ASTAR_BAD_OPTION)
        luaL_error(L, "%s", astar_status_text(status));
}

int astarL_failgraph(lua_State *L, AstarStatus status)
{
    astarL_checkgraphstatus(L, status);
    bool is_changed = status == ASTAR_GRID_CHANGED;
    return astarL_refuse(L, is_changed ? "graph changed" : astar_status_text(status));
}

// ------------------------------------------------------------------------------------------------
// Reaches: all nodes that can be reached within a cost, and the cost to each.
//
// A reach keeps the search that found the nodes. After an edit of the graph the next call of a
// method runs a new search.
// ------------------------------------------------------------------------------------------------

// Indices into a reach's uservalue: the finder, the start and the search of the reach.
enum { REACH_FINDER = 1, REACH_START, REACH_SEARCH };

typedef struct astarL_GraphReach {
    astarL_Header header;
    const void *whole; // the reach itself; NULL: closed
    double max_cost;
    uint64_t version; // version of the graph when it was searched
} astarL_GraphReach;

// Stack indices of the reach, of the requested node, and of the values of the reach's uservalue.
enum { REACH_SELF = 1, REACH_ASKED, REACH_PARTS, REACH_OF, REACH_BEGIN };

// Runs a search from the start at REACH_BEGIN with the finder at REACH_OF, and stores the search in
// the table at REACH_PARTS.
static void search_all(lua_State *L, astarL_GraphReach *reach)
{
    lua_settop(L, REACH_BEGIN);
    astarL_GraphSearch *search = astarL_pushgraphsearch(L, REACH_OF, &astarL_graphsearching);
    int self = lua_gettop(L);
    astarL_GraphQuery query;
    astarL_opengraphquery(L, &query, self);
    uint32_t start = astarL_checkplace(L, &query, REACH_OF, REACH_BEGIN);
    AstarStatus status = astar_graph_search_reach(astarL_searchof(&query), start, reach->max_cost);
    if (status == ASTAR_RUNNING)
        status = astar_graph_search_step(search->job.core, UINT64_MAX, &query);
    astarL_pausegraphquery(&query);
    astarL_checkgraphstatus(L, status);
    reach->version = astar_graph_version(search->graph);
    astarL_accountjob(L, &search->job, false);
    lua_settop(L, self);
    lua_rawseti(L, REACH_PARTS, REACH_SEARCH);
}

// finder:reach(a, max_cost) --> reach
int astarL_graphfinder_reach(lua_State *L)
{
    astarL_GraphFinder *finder = astarL_checkgraphfinder(L, 1);
    double max_cost = astarL_checkreal(L, 3, 0, (lua_Number)INFINITY, "max_cost");
    lua_settop(L, 2);
    astarL_GraphReach *reach = astarL_newobject(L, ASTARL_GRAPH_REACH, sizeof *reach);
    double most = finder->options.query.max_cost;
    reach->max_cost = max_cost < most ? max_cost : most;
    lua_insert(L, REACH_SELF);
    astarL_setparts(L, REACH_SELF, (const int[]){2, 3}, REACH_START);
    astarL_pushparts(L, REACH_SELF);
    lua_insert(L, 2);
    lua_pushnil(L);
    lua_insert(L, REACH_ASKED); // at the index where other calls have the requested node
    if (finder->options.query.partial)
        return luaL_error(L, "partial needs a single goal");
    search_all(L, reach);
    reach->whole = reach;
    lua_settop(L, 1);
    return 1;
}

// Pushes the uservalue table of the reach at index 1, its finder, its start and its search, and
// returns the search. If the graph was edited, runs a new search first.
static astarL_GraphSearch *check_reach(lua_State *L)
{
    astarL_GraphReach *reach = astarL_checkopen(L, REACH_SELF, ASTARL_GRAPH_REACH);
    lua_settop(L, REACH_ASKED);
    astarL_pushparts(L, REACH_SELF);
    lua_rawgeti(L, REACH_PARTS, REACH_FINDER);
    lua_rawgeti(L, REACH_PARTS, REACH_START);
    const astarL_GraphFinder *finder = astarL_checkgraphfinder(L, REACH_OF);
    if (astar_graph_version(finder->core) != reach->version)
        search_all(L, reach);
    lua_rawgeti(L, REACH_PARTS, REACH_SEARCH);
    astarL_GraphSearch *search = astarL_checkobject(L, lua_gettop(L), ASTARL_GRAPH_SEARCH);
    astarL_checkheld(L, search->job.core);
    return search;
}

// Finds the node whose key is at REACH_ASKED, and the cost to reach it. Returns false, and pushes
// nil and the reason, if the reach does not contain the node.
static bool found_query(lua_State *L, astarL_GraphSearch *search, uint32_t *node, double *g)
{
    astarL_GraphQuery query;
    int self = lua_gettop(L);
    astarL_opengraphquery(L, &query, self);
    *node = astarL_checkplace(L, &query, REACH_OF, REACH_ASKED);
    astarL_searchof(&query);
    astarL_pausegraphquery(&query);
    lua_settop(L, self);
    uint32_t parent;
    if (astar_graph_search_node(search->job.core, *node, g, &parent))
        return true;
    const astarL_GraphReach *reach = lua_touserdata(L, REACH_SELF);
    AstarStatus status = astar_graph_search_status(search->job.core);
    if (status == ASTAR_OK) // the search is complete, so the node is outside the budget
        status = isinf(reach->max_cost) ? ASTAR_UNREACHABLE : ASTAR_MAX_COST;
    astarL_failgraph(L, status);
    return false;
}

// reach:distance(key) --> cost | nil, reason
static int reach_distance(lua_State *L)
{
    astarL_GraphSearch *search = check_reach(L);
    uint32_t node;
    double g;
    if (!found_query(L, search, &node, &g))
        return 2;
    lua_pushnumber(L, g);
    return 1;
}

// reach:path(key) --> path | nil, reason
static int reach_path(lua_State *L)
{
    astarL_GraphSearch *search = check_reach(L);
    uint32_t node;
    double g;
    int self = lua_gettop(L);
    if (!found_query(L, search, &node, &g))
        return 2;
    AstarStatus status = astarL_pushgraphpath(L, self, node, 0, 0);
    return status == ASTAR_OK ? 1 : astarL_failgraph(L, status);
}

// Lua iterator function over the nodes reached. Upvalue 1 is the reach, upvalue 2 the position of
// the iteration.
static int next_reached(lua_State *L)
{
    uint64_t cursor = astarL_cursor(L);
    lua_settop(L, 0);
    lua_pushvalue(L, lua_upvalueindex(1));
    astarL_GraphSearch *search = check_reach(L);
    int self = lua_gettop(L);
    uint32_t node;
    double g;
    if (!astar_graph_search_reached(search->job.core, &cursor, &node, &g))
        return 0;
    astarL_setcursor(L, cursor);
    astarL_GraphQuery query;
    astarL_opengraphquery(L, &query, self);
    astarL_pushnode(L, &query, node);
    astarL_pausegraphquery(&query);
    lua_pushnumber(L, g);
    return 2;
}

// for key, cost in reach:nodes() do: the nodes of lowest cost come first
static int reach_nodes(lua_State *L)
{
    check_reach(L);
    return astarL_iterate(L, next_reached, 1);
}

static void describe_reach(lua_State *L, const void *object)
{
    const astarL_GraphReach *reach = object;
    lua_pushfstring(L, "astar graph reach, max_cost %s", astarL_pushnumber(L, reach->max_cost));
}

static const astarL_Function graph_reach_methods[] = {
    {"distance", 2, reach_distance},
    {"nodes", 1, reach_nodes},
    {"path", 2, reach_path},
    {"", 0, NULL},
};

const astarL_Class astarL_graphreachclass = {
    .type = ASTARL_GRAPH_REACH, .methods = graph_reach_methods, .tell = describe_reach};

// The functions below implement searches of graphs in steps.

#define check_graph_search(L) ((astarL_GraphSearch *)astarL_checkopen(L, 1, ASTARL_GRAPH_SEARCH))

// Pushes the path of the search at index 1. The path is built at the first call and then stored.
static AstarStatus push_found_route(lua_State *L)
{
    lua_settop(L, 1);
    astarL_pushparts(L, 1);
    lua_rawgeti(L, 2, ASTARL_FOUND);
    if (!lua_isnil(L, 3))
        return ASTAR_OK;
    AstarStatus status = astarL_pushgraphpath(L, 1, ASTAR_NO_NODE, 0, 0);
    if (status != ASTAR_OK)
        return status;
    lua_pushvalue(L, -1);
    lua_rawseti(L, 2, ASTARL_FOUND);
    return ASTAR_OK;
}

static AstarStatus step_graph_search(lua_State *L, astarL_Job *job, astarL_Budget budget)
{
    astarL_GraphQuery query;
    astarL_opengraphquery(L, &query, 1);
    AstarStatus status = astarL_runslices(budget, astar_graph_search_job.step, job->core, &query);
    astarL_pausegraphquery(&query);
    astarL_checkgraphstatus(L, status);
    // The path is stored immediately, because its keys and labels can be read only while the graph
    // is unchanged.
    if (status == ASTAR_OK && push_found_route(L) == ASTAR_NO_MEMORY)
        astarL_nomemory(L);
    if (status != ASTAR_RUNNING && job->core != NULL) // a finalizer may have closed it
        astar_graph_search_leave_snapshot(job->core);
    return status;
}

static void close_graph_search(lua_State *L, astarL_Job *job, void *core)
{
    astarL_GraphSearch *search = (astarL_GraphSearch *)job;
    AstarGraph *graph = search->graph;
    astarL_forget(L, job);
    search->graph = NULL;
    astar_graph_search_free(core);
    astar_graph_release(graph);
}

const astarL_JobKind astarL_graphsearching = {
    ASTARL_GRAPH_SEARCH, &astar_graph_search_job, step_graph_search, "found",
    "graph changed",     close_graph_search,
};

// search:path() --> path | nil, "running" or reason
static int graph_search_path(lua_State *L)
{
    const astarL_GraphSearch *search = check_graph_search(L);
    AstarStatus status = astar_graph_search_status(search->job.core);
    if (status == ASTAR_OK)
        status = push_found_route(L);
    return status == ASTAR_OK ? 1 : astarL_failgraph(L, status);
}

static const astarL_Function graph_search_methods[] = {
    {"close", 1, astarL_job_close},
    {"path", 1, graph_search_path},
    {"step", 2, astarL_job_step},
    {"", 0, NULL},
};

const astarL_Class astarL_graphsearchclass = {.type = ASTARL_GRAPH_SEARCH,
                                              .methods = graph_search_methods,
                                              .close = astarL_closejob,
                                              .field = astarL_pushjobfield,
                                              .fields = "status\0expanded\0"};

// ------------------------------------------------------------------------------------------------
// core.graph_route: the queries of a graph that is joined to a grid.
//
// The code that finds the nodes in sight of a cell is in lua/astar/graph/joined.lua.
// ------------------------------------------------------------------------------------------------

enum {
    ROUTED_GRAPH = 1,
    ROUTED_FINDER,
    ROUTED_QUERY,
    ROUTED_START,
    ROUTED_GOAL,
    ROUTED_IN,
    ROUTED_OUT,
    ROUTED_GOAL_X,
    ROUTED_GOAL_Y
};

// graph:join(finder [, {finder =, radius =}]) --> joined
int astarL_graph_join(lua_State *L)
{
    if (astarL_checkgraph(L, 1)->is_space)
        return astarL_refuse_space(L);
    astarL_checkfinder(L, 2);
    lua_settop(L, 3);
    astarL_pushpart(L, 2, ASTARL_OF_GRID, LUA_TUSERDATA);
    return astarL_askhelper(L, "graph.joined", "join");
}

// Reads the list at 'list', which contains nodes and costs in turn. Returns it as an array in a
// userdata that is pushed.
static const AstarWayIn *push_ways_listed(lua_State *L, int list, size_t *count)
{
    luaL_checktype(L, list, LUA_TTABLE);
    *count = lua_rawlen(L, list) / 2;
    AstarWayIn *ways = lua_newuserdata(L, (*count + 1) * sizeof *ways);
    for (size_t i = 0; i < *count; i++) {
        lua_rawgeti(L, list, (int)(2 * i + 1));
        lua_rawgeti(L, list, (int)(2 * i + 2));
        uint32_t node = astarL_checknode(L, ROUTED_GRAPH, lua_gettop(L) - 1);
        ways[i] = (AstarWayIn){node, astarL_checkreal(L, -1, 0, ASTAR_GRAPH_COST_MAX, "cost")};
        lua_pop(L, 2);
    }
    return ways;
}

// Pushes the cheapest route from one of the listed entries of the graph to one of the listed exits,
// or nil and the reason.
static int answer_between(lua_State *L, const AstarGraphQueryOptions *query_options)
{
    size_t in_count, out_count;
    const AstarWayIn *in = push_ways_listed(L, ROUTED_IN, &in_count);
    const AstarWayIn *out = push_ways_listed(L, ROUTED_OUT, &out_count);
    double x = luaL_checknumber(L, ROUTED_GOAL_X), y = luaL_checknumber(L, ROUTED_GOAL_Y);
    astarL_GraphSearch *search = astarL_pushgraphsearch(L, ROUTED_FINDER, &astarL_graphsearching);
    int self = lua_gettop(L);
    astarL_GraphQuery query;
    astarL_opengraphquery(L, &query, self);
    AstarStatus status = astar_graph_search_between(search->job.core, in, in_count, out, out_count,
                                                    x, y, query_options, &query);
    if (status == ASTAR_RUNNING)
        status = astar_graph_search_step(search->job.core, UINT64_MAX, &query);
    astarL_pausegraphquery(&query);
    if (status == ASTAR_OK)
        status = astarL_pushgraphpath(L, self, ASTAR_NO_NODE, ROUTED_START, ROUTED_GOAL);
    if (status != ASTAR_NO_MEMORY)
        astarL_closejob(L, search);
    return status == ASTAR_OK ? 1 : astarL_failgraph(L, status);
}

// core.graph_route(graph, finder [, options [, start, goal, cost]]): returns the straight path of
// that cost from start to goal, or a path of the start alone if goal is nil. Without a start, only
// checks the other arguments.
//
// core.graph_route(graph, finder, options, start, goal, in, out, goal_x, goal_y): returns the
// cheapest route over nodes. 'in' and 'out' list nodes, each followed by the cost to the node or
// from it.
int astarL_graph_route(lua_State *L)
{
    const astarL_Graph *graph = astarL_checkgraph(L, ROUTED_GRAPH);
    const astarL_GraphFinder *finder = astarL_checkgraphfinder(L, ROUTED_FINDER);
    lua_settop(L, ROUTED_GOAL_Y);
    astarL_pushpart(L, ROUTED_FINDER, ASTARL_FINDERS_GRAPH, LUA_TUSERDATA);
    if (!lua_rawequal(L, -1, ROUTED_GRAPH) || graph->is_space)
        return luaL_error(L, "finder must be a finder of this graph");
    AstarGraphQueryOptions own = astarL_checkgraphquestion(L, ROUTED_QUERY, finder);
    if (own.partial && !(lua_isnil(L, ROUTED_QUERY) && lua_isnil(L, ROUTED_START)))
        return luaL_error(L, "joined graphs cannot honour partial");
    if (lua_isnil(L, ROUTED_START))
        return 0;
    if (lua_type(L, ROUTED_IN) != LUA_TNUMBER)
        return answer_between(L, &own);
    double cost = lua_tonumber(L, ROUTED_IN);
    if (cost > own.max_cost)
        return astarL_failgraph(L, ASTAR_MAX_COST);
    astarL_pushstraightpath(L, ROUTED_START, lua_isnil(L, ROUTED_GOAL) ? 0 : ROUTED_GOAL, cost);
    return 1;
}
