// lua_query.h -- queries of the core, with callbacks into Lua.
//
// A query is opened, used and closed. Without callbacks no error can be raised in between, and
// opening takes no time. With callbacks, a userdata owns the search from the start: if a callback
// raises an error, the collector frees the search later, and the next query creates another search.
// No flag can stay set after an error, and a callback may query the same finder again.

#ifndef ASTAR_LUA_QUERY_H
#define ASTAR_LUA_QUERY_H

#include "binding/lua_util.h"

// Count the open queries that call callbacks; their number is limited. astarL_descend counts a
// query: 'frame' is an address in the caller's stack frame, 'box' the owner of the search.
// astarL_ascend ends the counting when the query ends. astarL_forget ends it when the collector
// frees the box of a query that failed.
void astarL_descend(lua_State *L, const void *frame, const void *box);
void astarL_ascend(lua_State *L, const void *box);
void astarL_forget(lua_State *L, const void *box);
// Returns true if a counted query may still be open. A query that ended by an error may stay
// counted until the garbage collector frees its box.
bool astarL_hasopenquery(lua_State *L, const void *frame);

typedef struct astarL_Query {
    lua_State *L; // valid only while the query is open
    AstarFinder *finder;
    AstarSearch *search; // NULL if the query uses the finder without a search
    struct astarL_QueryBox
        *box; // owner of the search while callbacks may raise errors; NULL without callbacks
    int base; // stack index of the finder's uservalue; the callbacks follow it
    int x0, y0;
    int terrain;     // terrain whose key is cached above the callbacks
    AstarGrid *grid; // grid that stays entered while the query is open
    unsigned entered;
    // For a search in steps: its counter of operations, and the value of that counter at the
    // beginning of the query.
    const uint32_t *turns;
    uint32_t turn;
} astarL_Query;

// Opens a query of the core finder '*held', a field of an object on the stack. 'owner' is the stack
// index of an object with a finder's uservalue. The uservalue is read only if 'has_callbacks' is
// true, which means that the finder has callbacks. Raises an error on failure.
void astarL_open(lua_State *L, astarL_Query *query, AstarFinder *const *held, bool has_callbacks,
                 int owner, int x0, int y0);
// Returns the Lua state's workspace. Returns NULL in a finalizer that runs after the workspace was
// collected, or if a script has emptied the registry. A query then creates a workspace of its own.
AstarWorkspace *astarL_workspace(lua_State *L);
// Takes a search from the workspace for a search in steps. No layers are built for the search yet.
AstarStatus astarL_take_unbuilt(lua_State *L, AstarFinder *finder, AstarSearch **out);
// Closes a query and frees its search. Call it before the results are pushed, since pushing may
// raise an error.
void astarL_close(astarL_Query *query);

// Open and close a query on a search that outlives the query. The finder's uservalue is that of the
// object at 'owner'. 'turns' is the counter of operations on the search. A callback that steps or
// closes its own search raises an error.
void astarL_resume(lua_State *L, astarL_Query *query, AstarSearch *search, bool has_callbacks,
                   int owner, int x0, int y0, const uint32_t *turns);
void astarL_pause(astarL_Query *query);
// Opens a query that needs no search. 'turns' is a counter of how often the object was closed.
// astarL_pause closes the query.
void astarL_attend(lua_State *L, astarL_Query *query, AstarFinder *finder, bool has_callbacks,
                   int owner, int x0, int y0, const uint32_t *turns);

// Calls a function, which lies on the stack below its arguments, and leaves one result on the
// stack. Raises an error if the function has stepped or closed the object for which it was called.
void astarL_call(const astarL_Query *query, int arguments);
// Stack index of the function that tests for goals, while the core may call it.
enum { ASTARL_TEST = 4 };

// Storage for the arrays that AstarOptions points to until a finder is made.
typedef struct astarL_OptionLists {
    double costs[ASTAR_MAX_TERRAINS];
    AstarAvoid avoids[ASTAR_MAX_AVOIDS];
    double breach[ASTAR_MAX_LAYERS + 1];
    double bend_costs[4];
} astarL_OptionLists;

// The callbacks of AstarOptions for finders made in Lua. Their 'context' is an open astarL_Query.
double astarL_call_cost(void *context, int x, int y, int terrain, double cost);
double astarL_call_step_cost(void *context, int x, int y, int to_x, int to_y, double cost);
double astarL_call_estimate(void *context, int dx, int dy);

// The type below is for the option suppose_blocked (lua_suppose.c): queries on a map with
// additional blocked cells.

typedef struct astarL_Supposed {
    const AstarRectangle
        *blocked; // userdata on the stack; NULL: no cells are supposed to be blocked
    size_t count;
    int finder; // stack index of the finder of astarL_suppose
} astarL_Supposed;
#endif
