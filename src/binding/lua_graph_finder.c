// lua_graph_finder.c -- how one kind of unit goes over a graph, and the questions it asks.

#include "binding/lua_graphs.h"
#include "binding/lua_helper.h"

#include <math.h>

// ---- options ----

// Reads a question, what is not given as it is.
static AstarGraphQuestion read_graph_question(lua_State *L, int options, AstarGraphQuestion asked)
{
    asked.weight = astarL_readreal(L, options, "weight", 1, ASTAR_MAX_WEIGHT, asked.weight);
    asked.max_cost = astarL_readreal(L, options, "max_cost", 0, (lua_Number)INFINITY,
                                     asked.max_cost);
    asked.max_expansions = astarL_readmost(L, options, asked.max_expansions);
    asked.partial = astarL_readflag(L, options, "partial", asked.partial);
    return asked;
}

AstarGraphQuestion astarL_checkgraphquestion(lua_State *L, int arg,
                                             const astarL_GraphFinder *finder)
{
    if (lua_isnoneornil(L, arg))
        return finder->options.question;
    astarL_checkoptions(L, arg, "max_cost\0max_expansions\0partial\0weight\0");
    return read_graph_question(L, arg, finder->options.question);
}

// Reads the options at 2, keeping the function 'cost' and a copy of all in the table at 'parts'.
static void read_graph_options(lua_State *L, astarL_GraphFinder *finder, int parts)
{
    astarL_checkoptions(L, 2,
                        "cost\0dearer_only\0max_cost\0max_expansions\0min_cost\0partial\0weight\0");
    bool has_cost = astarL_keepfunction(L, 2, "cost", parts, ASTARL_EDGE_COST);
    if (has_cost && finder->is_space)
        luaL_error(L, "cost needs edges: a space of states has none");
    finder->options.cost = has_cost ? astarL_ask_edge : NULL;
    finder->options.dearer_only = astarL_readflag(L, 2, "dearer_only", false);
    const char *idle = finder->options.dearer_only ? "dearer_only" : "min_cost";
    if (astarL_rawfield(L, 2, idle) != LUA_TNIL && finder->options.cost == NULL)
        luaL_error(L, "%s needs the function cost", idle);
    lua_pop(L, 1);
    finder->options.min_cost = astarL_readreal(L, 2, "min_cost", 0, ASTAR_GRAPH_COST_MAX,
                                               finder->options.min_cost);
    finder->options.question = read_graph_question(L, 2, finder->options.question);
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
    finder->options.estimate = has_estimate ? astarL_ask_rest : NULL;
    finder->options.neighbours = has_neighbours ? astarL_ask_neighbours : NULL;
    if (has_neighbours != graph->is_space)
        return luaL_error(L, "astar graph has another uservalue than its own");
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

// finder:options() --> a table of the options it was made with
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

// ---- questions ----

// Where the parts of a question stand on the stack.
enum { ASKED_FINDER = 1, ASKED_FROM, ASKED_TO, ASKED_HOW, ASKED_SEARCH };

// Raises an error where 'partial' is asked for and nothing tells what is near.
static void check_partial(lua_State *L, const astarL_GraphFinder *finder, bool is_aimed,
                          const AstarGraphQuestion *question)
{
    if (!question->partial)
        return;
    if (!is_aimed)
        luaL_error(L, "partial needs a single goal");
    if (finder->is_space && finder->options.estimate == NULL)
        luaL_error(L, "partial needs a heuristic, to tell which state is near the goal");
}

// Begins a search for the path that is asked for, and pushes it.
static AstarStatus begin_path(lua_State *L, astarL_GraphQuery *query)
{
    const astarL_GraphFinder *finder = astarL_checkgraphfinder(L, ASKED_FINDER);
    lua_settop(L, ASKED_HOW);
    AstarGraphQuestion question = astarL_checkgraphquestion(L, ASKED_HOW, finder);
    astarL_pushgraphsearch(L, ASKED_FINDER, &astarL_graphsearching);
    astarL_opengraphquery(L, query, ASKED_SEARCH);
    check_partial(L, finder, true, &question);
    uint32_t start = astarL_checkplace(L, query, ASKED_FINDER, ASKED_FROM),
             goal = astarL_checkplace(L, query, ASKED_FINDER, ASKED_TO);
    AstarStatus status = astar_graph_search_to(astarL_searchof(query), start, goal, &question,
                                               query);
    if (status == ASTAR_BAD_OPTION)
        luaL_error(L, "partial needs the position of %s, or a heuristic",
                   astarL_describe(L, ASKED_TO));
    return status;
}

// Runs the search of an open query to its end, which is then over.
static AstarStatus run_graph_search(astarL_GraphQuery *query, AstarStatus status)
{
    if (status == ASTAR_RUNNING)
        status = astar_graph_search_step(query->search->job.core, UINT64_MAX, query);
    astarL_pausegraphquery(query);
    return status;
}

// Pushes the path of the search at ASKED_SEARCH, or nil and why there is none.
static int answer_path(lua_State *L, AstarStatus status)
{
    if (status == ASTAR_OK)
        status = astarL_pushgraphpath(L, ASKED_SEARCH, ASTAR_NO_NODE, 0, 0);
    if (status != ASTAR_NO_MEMORY)
        astarL_closejob(L, lua_touserdata(L, ASKED_SEARCH));
    return status == ASTAR_OK ? 1 : astarL_failgraph(L, status);
}

// finder:find_path(a, b [, question]) --> path | nil, reason
static int graph_find_path(lua_State *L)
{
    astarL_GraphQuery query;
    AstarStatus status = begin_path(L, &query);
    return answer_path(L, run_graph_search(&query, status));
}

// Pushes the nodes of the list of goals at ASKED_TO as the core takes them.
static const uint32_t *push_goal_nodes(lua_State *L, astarL_GraphQuery *query, size_t *count)
{
    const char *stray;
    *count = astarL_lengthof(L, ASKED_TO, &stray);
    if (stray != NULL)
        luaL_error(L, "goals are counted from 1, got an entry [%s]", stray);
    if (*count > ASTAR_MAX_NODES)
        luaL_error(L, "goals must be at most %d", ASTAR_MAX_NODES);
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

// finder:find_nearest(a, goals [, question]) --> path, index | nil, reason
// finder:find_nearest(a, function(node) [, question]) --> path | nil, reason
static int graph_find_nearest(lua_State *L)
{
    const astarL_GraphFinder *finder = astarL_checkgraphfinder(L, ASKED_FINDER);
    lua_settop(L, ASKED_HOW);
    bool by_function = lua_isfunction(L, ASKED_TO);
    if (!by_function && !lua_istable(L, ASKED_TO))
        return astarL_badvalue(L, ASKED_TO, "goals must be a list of nodes or a function");
    AstarGraphQuestion question = astarL_checkgraphquestion(L, ASKED_HOW, finder);
    check_partial(L, finder, false, &question);
    astarL_GraphSearch *search = astarL_pushgraphsearch(L, ASKED_FINDER, &astarL_graphsearching);
    if (by_function) {
        astarL_pushparts(L, ASKED_SEARCH);
        lua_pushvalue(L, ASKED_TO);
        lua_rawseti(L, -2, ASTARL_ASK_TEST);
        lua_settop(L, ASKED_SEARCH);
    }
    search->asks = search->asks || by_function;
    astarL_GraphQuery query;
    astarL_opengraphquery(L, &query, ASKED_SEARCH);
    uint32_t start = astarL_checkplace(L, &query, ASKED_FINDER, ASKED_FROM);
    AstarStatus status;
    if (by_function) {
        status = astar_graph_search_where(astarL_searchof(&query), start, astarL_ask_is_goal,
                                          &question);
    } else {
        size_t count;
        const uint32_t *goals = push_goal_nodes(L, &query, &count);
        status = astar_graph_search_nearest(astarL_searchof(&query), start, goals, count,
                                            &question);
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

// finder:search(a, b [, question]) --> search
static int graphfinder_search(lua_State *L)
{
    astarL_GraphQuery query;
    AstarStatus status = begin_path(L, &query);
    astar_graph_search_freeze(query.search->job.core); // but for spaces, of which nothing is edited
    astarL_pausegraphquery(&query);
    astarL_checkgraphstatus(L, status);
    astarL_chargejob(L, &query.search->job, true);
    lua_settop(L, ASKED_SEARCH);
    return 1;
}

// core.check_graph_question(finder, a, b [, question]): raises what finder:search would of these
int astarL_check_graph_question(lua_State *L)
{
    const astarL_GraphFinder *finder = astarL_checkgraphfinder(L, ASKED_FINDER);
    lua_settop(L, ASKED_HOW);
    AstarGraphQuestion question = astarL_checkgraphquestion(L, ASKED_HOW, finder);
    check_partial(L, finder, true, &question);
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
    {"find_nearest", 4, graph_find_nearest},
    {"find_path", 4, graph_find_path},
    {"matrix", 3, astarL_byplaces},
    {"options", 1, graph_finder_options},
    {"reach", 3, astarL_graphfinder_reach},
    {"search", 4, graphfinder_search},
    {"tour", 3, astarL_byplaces},
    {"", 0, NULL},
};

const astarL_Class astarL_graphfinderclass = {.type = ASTARL_GRAPH_FINDER,
                                              .methods = graph_finder_methods,
                                              .release = release_graph_of_finder};
