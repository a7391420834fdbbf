// lua_graph.h -- graphs in Lua: their nodes by the script's keys, and searches that call
// functions.

#ifndef ASTAR_LUA_GRAPH_H
#define ASTAR_LUA_GRAPH_H

#include "binding/lua_job.h"

typedef struct astarL_Graph {
    astarL_Header header;
    AstarGraph *core;    // NULL once it is collected
    bool is_space;       // has 'neighbours'
    double handles;      // how many keys only Lua knows have been given a number
    int removed, let_go; // of those: how many nodes, of whom so many were let go of
    size_t bytes;        // that the collector knows of
} astarL_Graph;

typedef struct astarL_GraphFinder {
    astarL_Header header;
    AstarGraph *core; // NULL once it is collected
    AstarGraphOptions options;
    bool is_space, asks;
} astarL_GraphFinder;

// Owns a search, be it of one call or made step by step.
typedef struct astarL_GraphSearch {
    astarL_Job job;
    AstarGraph *graph; // that it is of; NULL once closed
    bool is_space, asks;
    uint32_t expanding; // the turn in which a function 'neighbours' is being called, 0 for none
} astarL_GraphSearch;

// A graph's uservalue. Keys that are no strings, numbers and booleans are handles to the core. The
// labels stand where a grid has them.
enum {
    ASTARL_HANDLES = 1, // by value
    ASTARL_VALUES,      // by handle
    ASTARL_NEIGHBOURS,
    ASTARL_GRAPH_LABELS, // = ASTARL_LABELS
    ASTARL_GRAPH_LABEL_NUMBERS,
    ASTARL_GRAPH_ESTIMATE,
    ASTARL_STATE_KEY,
    ASTARL_REMOVED, // handles of nodes that searches may still lead over, and since which version
};
// A graph finder's uservalue.
enum { ASTARL_FINDERS_GRAPH = 1, ASTARL_EDGE_COST, ASTARL_GRAPH_GIVEN };
// A graph search's uservalue: all that its functions need, the states of a space by their numbers
// and 1 and the labels of the steps to them; the path once found.
enum {
    ASTARL_SEARCHED = 1, // the graph's uservalue
    ASTARL_ASK_COST,
    ASTARL_ASK_ESTIMATE,
    ASTARL_ASK_NEIGHBOURS,
    ASTARL_ASK_KEY,
    ASTARL_ASK_TEST,
    ASTARL_STATES,
    ASTARL_STEPS,
    ASTARL_ADD,
    ASTARL_ASKED = ASTARL_ADD, // so many of them are on the stack while a search calls functions
    ASTARL_FOUND,
    ASTARL_OF_FINDER,
};

#define astarL_checkgraph(L, arg) ((astarL_Graph *)astarL_checkopen(L, arg, ASTARL_GRAPH))
#define astarL_checkgraphfinder(L, arg)                                                            \
    ((astarL_GraphFinder *)astarL_checkopen(L, arg, ASTARL_GRAPH_FINDER))

// ---- keys, lua_graph.c ----

// Reads the key at 'arg'; false where it can be none of a node's, as it is neither text, number nor
// boolean and the table of handles at 'handles' has none for it.
bool astarL_readkey(lua_State *L, int arg, int handles, AstarName *key);
// The node whose key is at 'arg', of the graph at 'graph': an error names one that is not there.
uint32_t astarL_checknode(lua_State *L, int graph, int arg);
// Finds the key of a node; false: there is no such node.
typedef bool astarL_FindKey(lua_State *L, const void *context, AstarName *key);
// Pushes the key that 'find' finds, of a handle the value in the table at 'values'; nil where there
// is none. A text belongs to the graph, and an edit may free it: so where room for a copy has to be
// made first, 'find' is called again.
void astarL_pushfoundkey(lua_State *L, astarL_FindKey *find, const void *context, int values);
// Pushes the key of the node of that number.
void astarL_pushkeyofnode(lua_State *L, const astarL_Graph *graph, uint32_t node, int values);

// ---- searches, lua_graph_query.c ----

// What the core hands to the functions below.
typedef struct astarL_GraphQuery {
    lua_State *L;
    astarL_GraphSearch *search;
    int base; // ASTARL_SEARCHED to ASTARL_ASKED stand that many places above
    uint32_t turn;
    uint64_t version; // of the graph
} astarL_GraphQuery;

// ---- paths, lua_graph_query.c ----

// ---- parts ----

int astarL_graph_finder(lua_State *L);
int astarL_graph_dump(lua_State *L);
int astarL_load_graph(lua_State *L);           // astar.graph.load
int astarL_is_graph_finder(lua_State *L);      // core.is_graph_finder
int astarL_check_graph_question(lua_State *L); // core.check_graph_question
int astarL_graph_join(lua_State *L);
int astarL_graph_route(lua_State *L); // core.graph_route
int astarL_graphfinder_reach(lua_State *L);
// Pushes a graph that is still to be given its core.
astarL_Graph *astarL_pushgraph(lua_State *L);
// Tells the collector how far the graph's memory has grown.
void astarL_chargegraph(lua_State *L, astarL_Graph *graph);
// A question to the finder, of which that at 'arg' has its own way.
AstarGraphQuestion astarL_checkgraphquestion(lua_State *L, int arg,
                                             const astarL_GraphFinder *finder);

#endif
