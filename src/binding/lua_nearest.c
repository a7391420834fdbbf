// lua_nearest.c -- finder:find_nearest, finding_nearest: many goals, listed or told by a function.

#include "binding/lua_job.h"
#include "binding/lua_path.h"
#include "binding/lua_query.h"

// Where the parts of a call stand on the stack.
enum { FINDER = 1, GOALS = ASTARL_TEST, QUESTION };

// What is asked, as the core takes it.
typedef struct NearestCall {
    astarL_Finder *finder;
    int sx, sy;
    bool by_function;
    const AstarCell *goals; // NULL: by the function
    size_t count;
    AstarQuestion own;
    const AstarQuestion *question;
    astarL_Supposed supposed; // of find_nearest
} NearestCall;

static bool ask_is_goal(void *context, int x, int y, int terrain)
{
    const astarL_Query *query = context;
    lua_State *L = query->L;
    lua_pushvalue(L, GOALS);
    lua_pushinteger(L, x + query->x0);
    lua_pushinteger(L, y + query->y0);
    lua_rawgeti(L, query->base + ASTARL_OF_KEYS - ASTARL_COST + 1, terrain + 1);
    astarL_call(query, 3);
    bool is_goal = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return is_goal;
}

// Reads the arguments, and leaves the goals on the stack.
static void check_call(lua_State *L, NearestCall *call, bool may_suppose)
{
    astarL_Finder *finder = astarL_checkfinder(L, FINDER);
    *call = (NearestCall){.finder = finder};
    astarL_checkcell(L, 2, astar_finder_grid(finder->core), finder->x0, finder->y0, "sx", "sy",
                     &call->sx, &call->sy);
    lua_settop(L, QUESTION);
    call->by_function = lua_isfunction(L, GOALS);
    if (!call->by_function && !lua_istable(L, GOALS))
        astarL_badvalue(L, GOALS, "goals must be a list of cells or a function");
    astarL_plainoptions(L, QUESTION, ASTARL_QUESTION);
    if (may_suppose)
        call->supposed = astarL_checksupposed(L, QUESTION, finder);
    call->question = astarL_checkquestion(L, QUESTION, finder, &call->own);
    astarL_checkrange(L, finder, call->question, "find_nearest");
    if (!call->by_function)
        call->goals = astarL_pushgoals(L, GOALS, astarL_areaof(finder), &call->count);
}

// finder:find_nearest(sx, sy, goals [, question]) --> path, index | nil, reason
// finder:find_nearest(sx, sy, function(x, y, terrain) [, question]) --> path | nil, reason
int astarL_finder_find_nearest(lua_State *L)
{
    NearestCall call;
    check_call(L, &call, true);
    astarL_Finder *finder = call.finder, *asked = finder;
    int self = FINDER;
    if (call.supposed.blocked != NULL) {
        asked = astarL_suppose(L, finder, FINDER, &call.supposed);
        self = call.supposed.finder;
    }
    bool asks = finder->asks || call.by_function;
    astarL_Path *path = astarL_pushpath(L, finder->asks, FINDER, finder->x0, finder->y0);
    astarL_setfinder(L, path, finder->core);
    int result = lua_gettop(L);
    astarL_Query query;
    astarL_open(L, &query, &asked->core, asks, self, finder->x0, finder->y0);
    size_t index = 0;
    AstarStatus status = call.by_function
                             ? astar_search_where(query.search, call.sx, call.sy, ask_is_goal,
                                                  call.question, &query)
                             : astar_search_nearest(query.search, call.sx, call.sy, call.goals,
                                                    call.count, call.question, &query, &index);
    if (status == ASTAR_OK)
        status = astar_search_path(query.search, &path->core);
    astarL_close(&query);
    if (asked != finder) {
        path->core.best_at = 0; // not of what is there
        astarL_unsuppose(asked);
    }
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    lua_settop(L, result);
    if (call.by_function)
        return 1;
    lua_pushinteger(L, (lua_Integer)index + 1);
    return 2;
}

// finder:finding_nearest(the same) --> search, whose path() tells the index, too
int astarL_finder_finding_nearest(lua_State *L)
{
    NearestCall call;
    check_call(L, &call, false);
    const astarL_Finder *finder = call.finder;
    astarL_Search *search = astarL_pushsearch(L, FINDER, finder->asks, finder->x0, finder->y0);
    search->tests = call.by_function;
    search->has_index = !call.by_function;
    lua_getuservalue(L, -1);
    if (call.by_function)
        lua_pushvalue(L, GOALS);
    else
        lua_pushnil(L);
    lua_rawseti(L, -2, ASTARL_SEARCH_TEST);
    lua_pop(L, 1);
    unsigned entered = astarL_takesearch(L, search, &finder->core, FINDER);
    AstarStatus status = call.by_function
                             ? astar_search_where_in_steps(search->job.core, call.sx, call.sy,
                                                           ask_is_goal, call.question,
                                                           ASTAR_EXPANSIONS_AT_ONCE)
                             : astar_search_nearest_in_steps(search->job.core, call.sx, call.sy,
                                                             call.goals, call.count, call.question,
                                                             ASTAR_EXPANSIONS_AT_ONCE);
    return astarL_returnsearch(L, search, entered, status);
}
