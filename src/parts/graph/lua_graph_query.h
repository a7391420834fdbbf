// lua_graph_query.h -- searches of graphs, with functions of the script's.

#ifndef ASTAR_LUA_GRAPH_QUERY_H
#define ASTAR_LUA_GRAPH_QUERY_H

#include "binding/lua_job.h"
#include "binding/lua_util.h"
#include "parts/graph/lua_graph.h"

// Searches as jobs, lua_graph_query.c: what the next one is given.
extern const astarL_JobKind astarL_graphsearching;
// Pushes a search for the finder at 'finder', which owns a core search for one question.
astarL_GraphSearch *astarL_pushgraphsearch(lua_State *L, int finder, const astarL_JobKind *kind);
// Readies the search at 'self' for functions to be called: at the end of the stack stands what they
// need. To be paused before anything else that can raise.
void astarL_opengraphquery(lua_State *L, astarL_GraphQuery *query, int self);
void astarL_pausegraphquery(astarL_GraphQuery *query);
// The core's search of an open query: raises where a finalizer has stepped or closed that
// meanwhile. What allocates in Lua may run one, so whatever follows such a call asks the search by
// this.
AstarGraphSearch *astarL_searchof(const astarL_GraphQuery *query);
// The state at 'arg' of a space's search, by its number; kept where it is new.
uint32_t astarL_checkstate(lua_State *L, astarL_GraphQuery *query, int arg);
// The node, or state, at 'arg' of an open query by the finder at 'finder'.
uint32_t astarL_checkplace(lua_State *L, astarL_GraphQuery *query, int finder, int arg);
// Pushes the node of a number as its key, or a state.
void astarL_pushnode(lua_State *L, const astarL_GraphQuery *query, uint32_t node);
// Raises what a search came to where that is a fault.
void astarL_checkgraphstatus(lua_State *L, AstarStatus status);
// Pushes nil and the reason.
int astarL_failgraph(lua_State *L, AstarStatus status);
// The core's callbacks; their context is an astarL_GraphQuery.
double astarL_ask_edge(void *context, uint32_t from, uint32_t to, uint32_t label, double cost);
double astarL_ask_rest(void *context, uint32_t node, uint32_t goal);
AstarStatus astarL_ask_neighbours(void *context, AstarGraphSearch *search, uint32_t state);
bool astarL_ask_is_goal(void *context, uint32_t node);
// Pushes the path that the search at 'self' has found, or its cheapest one to 'node' unless that is
// ASTAR_NO_NODE; 'first' and 'last', stack indices or 0, are what stands before and after its
// nodes. False after a lack of memory.
AstarStatus astarL_pushgraphpath(lua_State *L, int self, uint32_t node, int first, int last);
// Pushes one of the value at 'first' and, unless that is 0, the one at 'last' only.
void astarL_pushstraightpath(lua_State *L, int first, int last, double cost);

#endif
