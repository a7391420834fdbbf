// lua_graph_query.c -- searches of graphs, with functions of the script's.
//
// A search belongs to a userdata from the start, which an error leaves to the collector. One made
// step by step goes on after an error where it was. The function that 'neighbours' adds states by
// holds that userdata, and refuses to be called but while neighbours are asked for.

#include "binding/lua_graphs.h"
#include "binding/lua_helper.h"
#include "binding/lua_keys.h"
#include "binding/lua_query.h"

#include <math.h>

// Where the tables of handles stand while a search calls functions.
enum { HANDLES_AT = ASTARL_ASKED + 1, VALUES_AT };

// ---- making and closing ----

static int add_state(lua_State *L);

// Fills the table at 'parts' with what the functions of a search by the finder at 'finder' need.
static void fill_parts(lua_State *L, int finder, int parts, bool is_space)
{
    static const int functions[][2] = {{ASTARL_GRAPH_ESTIMATE, ASTARL_ASK_ESTIMATE},
                                       {ASTARL_NEIGHBOURS, ASTARL_ASK_NEIGHBOURS},
                                       {ASTARL_STATE_KEY, ASTARL_ASK_KEY}};
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
    lua_rawseti(L, parts, ASTARL_ASK_COST);
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

// Pushes the parts of a search's uservalue that are asked for while it runs.
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
        luaL_error(L, "astar graph search has another uservalue than its own");
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
        astarL_forget(L, search); // where an error has left it
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

// ---- nodes and states ----

// The states met lie in tables of so many, for Lua copies a table that grows, and the collector
// goes through one, all of it at once.
enum { STATES_A_PART = 1024 };

// Pushes the table that a state is to lie in, nil where there is none yet; its place there.
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

// Keeps the value at 'arg' as a state.
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

// A node that a query asks about.
typedef struct AskedNode {
    const astarL_GraphQuery *query;
    uint32_t node;
} AskedNode;

static bool find_asked_key(lua_State *L, const void *context, AstarName *key)
{
    const AskedNode *asked = context;
    AstarWaypoint found;
    (void)L;
    if (!astar_graph_search_waypoint(astarL_searchof(asked->query), asked->node, &found))
        return false;
    *key = found.key;
    return true;
}

void astarL_pushnode(lua_State *L, const astarL_GraphQuery *query, uint32_t node)
{
    const AskedNode asked = {query, node};
    if (query->search->is_space)
        push_met_state(L, query, node);
    else
        astarL_pushfoundkey(L, find_asked_key, &asked, query->base + VALUES_AT);
}

static void bad_state(lua_State *L, int key, bool has_function)
{
    if (has_function)
        luaL_error(L, "key callback returned %s; expected a string or a number",
                   astarL_describe(L, key));
    luaL_error(L, "a state must be a string or a number, got %s: others need the function key",
               astarL_describe(L, key));
}

// Calls a function with what has been pushed after it. What it may have done to the search itself
// is found out before the core goes on.
static void call_for_search(const astarL_GraphQuery *query, int arguments)
{
    lua_call(query->L, arguments, 1);
    check_graph_turn(query->L, query->search, query->turn, "its own callback");
    if (astar_graph_version(query->search->graph) != query->version)
        luaL_error(query->L, "graph was edited during the search");
}

uint32_t astarL_checkstate(lua_State *L, astarL_GraphQuery *query, int arg)
{
    int key = arg;
    bool has_function = lua_isfunction(L, query->base + ASTARL_ASK_KEY);
    if (lua_isnoneornil(L, arg))
        luaL_error(L, "a state must not be nil");
    if (has_function) {
        lua_pushvalue(L, query->base + ASTARL_ASK_KEY);
        lua_pushvalue(L, arg);
        call_for_search(query, 1);
        key = lua_gettop(L);
    }
    AstarName name;
    int type = lua_type(L, key);
    bool is_key = (type == LUA_TSTRING || type == LUA_TNUMBER) &&
                  !(type == LUA_TNUMBER && isnan(lua_tonumber(L, key))) &&
                  astarL_readkey(L, key, query->base + HANDLES_AT, &name);
    if (!is_key)
        bad_state(L, key, has_function);
    uint32_t state;
    bool is_new;
    AstarStatus status = astar_graph_search_state(astarL_searchof(query), &name, &state, &is_new);
    if (status == ASTAR_TOO_LARGE)
        luaL_error(L, "a search visits at most %d states", ASTAR_MAX_NODES);
    if (status != ASTAR_OK)
        astarL_nomemory(L);
    if (has_function)
        lua_pop(L, 1);
    // Where that table has no memory to grow the state is met again, and then is no longer new.
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

// ---- callbacks ----

double astarL_ask_rest(void *context, uint32_t node, uint32_t goal)
{
    const astarL_GraphQuery *query = context;
    lua_State *L = query->L;
    lua_pushvalue(L, query->base + ASTARL_ASK_ESTIMATE);
    astarL_pushnode(L, query, node);
    astarL_pushnode(L, query, goal);
    call_for_search(query, 2);
    lua_Number estimate = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : -1;
    if (!(estimate >= 0 && estimate <= 1e300))
        luaL_error(L, "heuristic callback returned %s; expected a number >= 0",
                   astarL_describe(L, lua_gettop(L)));
    lua_pop(L, 1);
    return estimate;
}

static double judge_edge_cost(const astarL_GraphQuery *query, uint32_t from, uint32_t to,
                              double own)
{
    lua_State *L = query->L;
    int answer = lua_gettop(L);
    if (!lua_toboolean(L, answer)) // nil or false
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
    lua_pushnumber(L, own);
    lua_pushnumber(L, least);
    astarL_complain(L, "edge_answer", 5);
}

double astarL_ask_edge(void *context, uint32_t from, uint32_t to, uint32_t label, double cost)
{
    const astarL_GraphQuery *query = context;
    lua_State *L = query->L;
    lua_pushvalue(L, query->base + ASTARL_ASK_COST);
    astarL_pushnode(L, query, from);
    astarL_pushnode(L, query, to);
    lua_rawgeti(L, query->base + ASTARL_SEARCHED, ASTARL_GRAPH_LABELS);
    if (lua_istable(L, -1) && label > 0)
        lua_rawgeti(L, -1, (int)label);
    else
        lua_pushnil(L);
    lua_remove(L, -2);
    lua_pushnumber(L, cost);
    call_for_search(query, 4);
    cost = judge_edge_cost(query, from, to, cost);
    lua_pop(L, 1);
    return cost;
}

bool astarL_ask_is_goal(void *context, uint32_t node)
{
    const astarL_GraphQuery *query = context;
    lua_State *L = query->L;
    lua_pushvalue(L, query->base + ASTARL_ASK_TEST);
    astarL_pushnode(L, query, node);
    call_for_search(query, 1);
    bool is_goal = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return is_goal;
}

AstarStatus astarL_ask_neighbours(void *context, AstarGraphSearch *core, uint32_t state)
{
    const astarL_GraphQuery *query = context;
    lua_State *L = query->L;
    (void)core;
    lua_pushvalue(L, query->base + ASTARL_ASK_NEIGHBOURS);
    astarL_pushnode(L, query, state);
    lua_pushvalue(L, query->base + ASTARL_ADD);
    uint32_t outer = query->search->expanding; // where that one steps its own search
    query->search->expanding = query->turn;    // an error leaves it: the state is expanded again
    call_for_search(query, 2);
    query->search->expanding = outer;
    lua_pop(L, 1);
    return ASTAR_OK;
}

// What a step to a state costs, at 2.
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

// Makes sure that the label at 3 will find a place: false, which stands for none.
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

// add(state [, cost [, label]]), which neighbours are given; the search is its upvalue
static int add_state(lua_State *L)
{
    astarL_GraphSearch *search = astarL_checkobject(L, lua_upvalueindex(1), ASTARL_GRAPH_SEARCH);
    astarL_nomore(L, 3, "add", false);
    lua_settop(L, 3);
    double cost = check_step_cost(L);
    if (search->expanding == 0)
        return luaL_error(L, "add was called outside of neighbours");
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

// ---- outcomes ----

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
