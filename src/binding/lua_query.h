// lua_query.h -- asking the core, with callbacks into Lua.
//
// A query opens, asks, and closes. Without callbacks nothing can raise in between, and opening
// costs nothing. With them, the search belongs to a userdata from the start: when a callback
// raises, the collector gives it back, and the next query finds that search taken and makes
// another. No flag can stick, and a callback may query the same finder again.

#ifndef ASTAR_LUA_QUERY_H
#define ASTAR_LUA_QUERY_H

#include "binding/lua_util.h"

// Counts a query that calls functions of the script, of which only so many may be open: 'frame' is
// the address of something of the caller's, 'box' what owns the search. To be taken back when it
// has come to its end, or when the collector finds what an error has left.
void astarL_descend(lua_State *L, const void *frame, const void *box);
void astarL_ascend(lua_State *L, const void *box);
void astarL_forget(lua_State *L, const void *box);
// Whether one is open, as far as that can be told without the collector.
bool astarL_isasked(lua_State *L, const void *frame);

typedef struct astarL_Query {
    lua_State *L; // valid only while the query is open
    AstarFinder *finder;
    AstarSearch *search;         // NULL where the finder is asked without one
    struct astarL_QueryBox *box; // owns the search while callbacks may raise; NULL without any
    int base;                    // where the finder's uservalue stands; the functions follow
    int x0, y0;
    int terrain;     // whose key stands above the functions
    AstarGrid *grid; // entered, for as long as the query is open
    unsigned entered;
    // of a search made step by step: where its turns are counted, and which one this is
    const uint32_t *turns;
    uint32_t turn;
} astarL_Query;

// Opens a query of the core finder that an object on the stack holds in 'held'. 'owner' is the
// stack index of the Lua object whose uservalue is a finder's; it is read only where the finder
// 'asks'. Raises when it cannot.
void astarL_open(lua_State *L, astarL_Query *query, AstarFinder *const *held, bool asks, int owner,
                 int x0, int y0);
// The state's workspace. NULL in a finalizer that runs after that of it, or where a script has
// emptied the registry: a query then has one to itself.
AstarWorkspace *astarL_workspace(lua_State *L);
// Takes a search of it for a search in steps by the core finder.
AstarStatus astarL_take_unbuilt(lua_State *L, AstarFinder *finder, AstarSearch **out);
// Gives the search back. Call before pushing anything that can raise.
void astarL_close(astarL_Query *query);

// The same for a search that outlives the query, with the finder at 'owner'; 'turns' counts what
// is done to it. When a callback does anything to the search it is asked for, it is an error.
void astarL_resume(lua_State *L, astarL_Query *query, AstarSearch *search, bool asks, int owner,
                   int x0, int y0, const uint32_t *turns);
void astarL_pause(astarL_Query *query);
// The same for what needs no search; 'turns' counts only that it is closed.
void astarL_attend(lua_State *L, astarL_Query *query, AstarFinder *finder, bool asks, int owner,
                   int x0, int y0, const uint32_t *turns);

// Calls a function with what has been pushed after it, for one answer. Raises if the function has
// stepped or closed what it was asked for.
void astarL_call(const astarL_Query *query, int arguments);
// Where a function that tells goals stands on the stack while it may be asked.
enum { ASTARL_TEST = 4 };

// What options point to until a finder is made of them.
typedef struct astarL_OptionLists {
    double costs[ASTAR_MAX_TERRAINS];
    AstarAvoid avoids[ASTAR_MAX_AVOIDS];
    double breach[ASTAR_MAX_LAYERS + 1];
    double bend_costs[4];
} astarL_OptionLists;

// The callbacks, for AstarOptions; their context is an open astarL_Query.
double astarL_ask_cost(void *context, int x, int y, int terrain, double cost);
double astarL_ask_step_cost(void *context, int x, int y, int to_x, int to_y, double cost);
double astarL_ask_estimate(void *context, int dx, int dy);

// ---- suppose_blocked (lua_suppose.c): queries about a map with a few more blocked cells ----

typedef struct astarL_Supposed {
    const AstarRectangle *blocked; // on the stack; NULL: nothing is supposed
    size_t count;
    int finder; // where that of astarL_suppose stands
} astarL_Supposed;
#endif
