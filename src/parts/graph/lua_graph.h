// lua_graph.h -- graphs in Lua: nodes whose keys are the script's values, and searches that call
// the script's functions.

#ifndef ASTAR_LUA_GRAPH_H
#define ASTAR_LUA_GRAPH_H

#include "binding/lua_job.h"

typedef struct astarL_Graph {
    astarL_Header header;
    AstarGraph *core; // NULL once it is collected
    bool is_space;    // true if the script gave 'neighbours': a space of states
    double handles;   // number of keys so far that only Lua knows and that got a handle
    int removed,
        released; // entries in the table ASTARL_REMOVED, and how many of these are released already
    size_t bytes; // bytes reported to Lua's garbage collector
} astarL_Graph;

typedef struct astarL_GraphFinder {
    astarL_Header header;
    AstarGraph *core; // NULL once it is collected
    AstarGraphOptions options;
    bool is_space, asks;
} astarL_GraphFinder;

// The userdata that owns a search of a graph, whether the search runs in one call or in steps.
typedef struct astarL_GraphSearch {
    astarL_Job job;
    AstarGraph *graph; // the searched graph; NULL once closed
    bool is_space, asks;
    uint32_t expanding; // the turn in which a function 'neighbours' is being called; 0: none
} astarL_GraphSearch;

// Indices into a graph's uservalue. A key that is not a string, number or boolean is represented in
// the core by a handle. Labels have the same indices as in a grid's uservalue.
enum {
    ASTARL_HANDLES = 1, // table from value to handle
    ASTARL_VALUES,      // table from handle to value
    ASTARL_NEIGHBOURS,
    ASTARL_GRAPH_LABELS, // equals ASTARL_LABELS
    ASTARL_GRAPH_LABEL_NUMBERS,
    ASTARL_GRAPH_ESTIMATE,
    ASTARL_STATE_KEY,
    // Table of the handles of removed nodes that a running search may still visit. Each handle is
    // followed by the version of the graph at its removal.
    ASTARL_REMOVED,
};
// Indices into a graph finder's uservalue.
enum { ASTARL_FINDERS_GRAPH = 1, ASTARL_EDGE_COST, ASTARL_GRAPH_GIVEN };
// Indices into a graph search's uservalue. The uservalue holds all values that the callbacks of the
// search need, the states of a space by their numbers plus 1, the labels of the steps to them, and
// the path once it is found.
enum {
    ASTARL_SEARCHED = 1, // the graph's uservalue
    ASTARL_CALL_COST,
    ASTARL_CALL_ESTIMATE,
    ASTARL_CALL_NEIGHBOURS,
    ASTARL_CALL_KEY,
    ASTARL_CALL_TEST,
    ASTARL_STATES,
    ASTARL_STEPS,
    ASTARL_ADD,
    // Number of the values above. These values lie on the stack while a search calls functions.
    ASTARL_ASKED = ASTARL_ADD,
    ASTARL_FOUND,
    ASTARL_OF_FINDER,
};

#define astarL_checkgraph(L, arg) ((astarL_Graph *)astarL_checkopen(L, arg, ASTARL_GRAPH))
#define astarL_checkgraphfinder(L, arg)                                                            \
    ((astarL_GraphFinder *)astarL_checkopen(L, arg, ASTARL_GRAPH_FINDER))

// The functions below read and push keys; they are in lua_graph.c.

// Reads the key at 'arg'. Returns false if no node can have this key: the value is not a text,
// number or boolean, and has no handle in the table at 'handles'.
bool astarL_readkey(lua_State *L, int arg, int handles, AstarName *key);
// Returns the number of the node whose key is at 'arg', in the graph at index 'graph'. Raises an
// error that names the key if no node has it.
uint32_t astarL_checknode(lua_State *L, int graph, int arg);
// A function that finds the key of a node and stores it in '*key'. Returns false if there is no
// such node.
typedef bool astarL_FindKey(lua_State *L, const void *context, AstarName *key);
// Pushes the key that 'find' finds, or nil if it finds none. For a handle pushes the value from the
// table at 'values'. A text belongs to the graph, and an edit may free it. Therefore 'find' is
// called again if memory for a copy had to be allocated first.
void astarL_pushfoundkey(lua_State *L, astarL_FindKey *find, const void *context, int values);
// Pushes the key of a node of a graph. 'values' is the index of the table from handles to values.
void astarL_pushkeyofnode(lua_State *L, const astarL_Graph *graph, uint32_t node, int values);

// The type below is for searches, which are in lua_graph_query.c.

// The context that the core passes to the callbacks of a search of a graph.
typedef struct astarL_GraphQuery {
    lua_State *L;
    astarL_GraphSearch *search;
    int base; // ASTARL_SEARCHED to ASTARL_ASKED are at this stack index plus their number
    uint32_t turn;
    uint64_t version; // version of the graph when the query began
} astarL_GraphQuery;

// The functions on paths are in lua_graph_query.c.

// The functions below belong to the Lua modules of graphs.

int astarL_graph_finder(lua_State *L);
int astarL_graph_dump(lua_State *L);
int astarL_load_graph(lua_State *L);        // astar.graph.load
int astarL_is_graph_finder(lua_State *L);   // core.is_graph_finder
int astarL_check_graph_query(lua_State *L); // core.check_graph_question
int astarL_graph_join(lua_State *L);
int astarL_graph_route(lua_State *L); // core.graph_route
int astarL_graphfinder_reach(lua_State *L);
// Raises an error: the method needs a graph that stores its nodes, and was called on a space of
// states.
int astarL_refuse_space(lua_State *L);
// Pushes a graph object without its core graph, which the caller sets.
astarL_Graph *astarL_pushgraph(lua_State *L);
// Reports the growth of the graph's memory to Lua's garbage collector.
void astarL_accountgraph(lua_State *L, astarL_Graph *graph);
// Reads a query from the options at 'arg'. Options that are not given have the values of the
// finder.
AstarGraphQueryOptions astarL_checkgraphquestion(lua_State *L, int arg,
                                                 const astarL_GraphFinder *finder);

#endif
