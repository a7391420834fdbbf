// lua_graph_join.c -- core.graph_route, what a graph joined to a grid asks of the graph.
//
// The rest of graph:join, what is in sight of a cell, is in lua/astar/joined.lua.

#include "binding/lua_graphs.h"
#include "binding/lua_helper.h"
#include "binding/lua_query.h"

enum {
    ROUTED_GRAPH = 1,
    ROUTED_FINDER,
    ROUTED_QUESTION,
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
        return luaL_error(L, "a space of states has no nodes of its own");
    astarL_checkfinder(L, 2);
    lua_settop(L, 3);
    astarL_pushpart(L, 2, ASTARL_OF_GRID, LUA_TUSERDATA);
    return astarL_askhelper(L, "joined", "join");
}

// The nodes and costs listed at 'list' one after another, kept on the stack.
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

// Answers by the cheapest route between the ways listed.
static int answer_between(lua_State *L, const AstarGraphQuestion *question)
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
                                                    x, y, question, &query);
    if (status == ASTAR_RUNNING)
        status = astar_graph_search_step(search->job.core, UINT64_MAX, &query);
    astarL_pausegraphquery(&query);
    if (status == ASTAR_OK)
        status = astarL_pushgraphpath(L, self, ASTAR_NO_NODE, ROUTED_START, ROUTED_GOAL);
    if (status != ASTAR_NO_MEMORY)
        astarL_closejob(L, search);
    return status == ASTAR_OK ? 1 : astarL_failgraph(L, status);
}

// core.graph_route(graph, finder [, question [, start, goal, cost]]): the straight path of that
// cost from start to goal, or between the two alone if goal is nil. Without them the rest is
// checked. core.graph_route(graph, finder, question, start, goal, in, out, goal_x, goal_y): the
// cheapest over nodes, of lists with a node and what it costs to it, or from it, one after another.
int astarL_graph_route(lua_State *L)
{
    const astarL_Graph *graph = astarL_checkgraph(L, ROUTED_GRAPH);
    const astarL_GraphFinder *finder = astarL_checkgraphfinder(L, ROUTED_FINDER);
    lua_settop(L, ROUTED_GOAL_Y);
    astarL_pushpart(L, ROUTED_FINDER, ASTARL_FINDERS_GRAPH, LUA_TUSERDATA);
    if (!lua_rawequal(L, -1, ROUTED_GRAPH) || graph->is_space)
        return luaL_error(L, "finder must be one of this graph");
    AstarGraphQuestion own = astarL_checkgraphquestion(L, ROUTED_QUESTION, finder);
    if (own.partial && !(lua_isnil(L, ROUTED_QUESTION) && lua_isnil(L, ROUTED_START)))
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
