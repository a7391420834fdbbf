// lua_graph_query.h -- searches of graphs that call functions of the script.

#ifndef ASTAR_LUA_GRAPH_QUERY_H
#define ASTAR_LUA_GRAPH_QUERY_H

#include "binding/lua_job.h"
#include "binding/lua_util.h"
#include "parts/graph/lua_graph.h"

// The kind of job of a graph search. The functions declared in this file are in lua_graph_query.c.
extern const astarL_JobKind astarL_graphsearching;
// Pushes a search for the finder at index 'finder'. The search owns a core search for one query.
astarL_GraphSearch *astarL_pushgraphsearch(lua_State *L, int finder, const astarL_JobKind *kind);
// Prepares the search at 'self' for calling functions: pushes the values that its callbacks need.
// astarL_pausegraphquery must be called before any other code that can raise an error.
void astarL_opengraphquery(lua_State *L, astarL_GraphQuery *query, int self);
void astarL_pausegraphquery(astarL_GraphQuery *query);
// Returns the core search of an open query. Raises an error if a finalizer has stepped or closed
// the search meanwhile. Any call that allocates memory in Lua may run a finalizer, so code after
// such a call gets the search by this function.
AstarGraphSearch *astarL_searchof(const astarL_GraphQuery *query);
// Returns the number of the state at 'arg', in a search of a space of states. Stores the state if
// it is new.
uint32_t astarL_checkstate(lua_State *L, astarL_GraphQuery *query, int arg);
// Returns the number of the node, or of the state, at 'arg', for an open query of the finder at
// index 'finder'.
uint32_t astarL_checkplace(lua_State *L, astarL_GraphQuery *query, int finder, int arg);
// Pushes the key of a node or, in a space of states, a state.
void astarL_pushnode(lua_State *L, const astarL_GraphQuery *query, uint32_t node);
// Raises an error if the status of a search is an error.
void astarL_checkgraphstatus(lua_State *L, AstarStatus status);
// Pushes nil and the reason why a search failed. Returns 2, the number of values pushed.
int astarL_failgraph(lua_State *L, AstarStatus status);
// The callbacks that the core calls. Their 'context' is an astarL_GraphQuery.
double astarL_call_edge(void *context, uint32_t from, uint32_t to, uint32_t label, double cost);
double astarL_call_rest(void *context, uint32_t node, uint32_t goal);
AstarStatus astarL_call_neighbours(void *context, AstarGraphSearch *search, uint32_t state);
bool astarL_call_is_goal(void *context, uint32_t node);
// Pushes the path that the search at 'self' has found or, unless 'node' is ASTAR_NO_NODE, the
// cheapest path to that node. The value at the stack index 'first' is put before the nodes of the
// path, and the value at 'last' after them; the index 0 means no value. Returns a status other than
// ASTAR_OK, with no path pushed, if there is no path or no memory.
AstarStatus astarL_pushgraphpath(lua_State *L, int self, uint32_t node, int first, int last);
// Pushes a path that consists of the value at 'first' and, unless 'last' is 0, the value at 'last'.
void astarL_pushstraightpath(lua_State *L, int first, int last, double cost);

#endif
