// lua_query.c -- queries of the core, with callbacks into Lua.

#include "binding/lua_query.h"

#include "binding/lua_share.h"
#include "binding/lua_util.h"

#include <math.h>
#include <string.h>

typedef struct astarL_QueryBox {
    astarL_Header header;
    AstarSearch *search;
} astarL_QueryBox;

// The functions below manage the workspace of a Lua state.

typedef struct astarL_Workspace {
    astarL_Header header;
    AstarWorkspace *core; // NULL once it is collected, when the state closes
} astarL_Workspace;

static const char workspace_key;

AstarWorkspace *astarL_workspace(lua_State *L)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &workspace_key);
    const astarL_Workspace *workspace = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return workspace != NULL ? workspace->core : NULL;
}

typedef AstarStatus (*Take)(AstarWorkspace *workspace, AstarFinder *finder, AstarSearch **out);

static AstarStatus take_by(lua_State *L, Take take, AstarFinder *finder, AstarSearch **out)
{
    AstarWorkspace *workspace = astarL_workspace(L);
    if (workspace != NULL)
        return take(workspace, finder, out);
    if (astar_workspace_new(NULL, &workspace) != ASTAR_OK)
        return ASTAR_NO_MEMORY;
    AstarStatus status = take(workspace, finder, out);
    astar_workspace_free(workspace); // the search keeps it alive
    return status;
}

AstarStatus astarL_take_unbuilt(lua_State *L, AstarFinder *finder, AstarSearch **out)
{
    return take_by(L, astar_search_take_unbuilt, finder, out);
}

ASTARL_RELEASE(free_workspace, astar_workspace_free)

const astarL_Class astarL_workspaceclass = {.type = ASTARL_WORKSPACE, .release = free_workspace};

void astarL_openquery(lua_State *L)
{
    if (astarL_workspace(L) != NULL)
        return;
    lua_pushlightuserdata(L, (void *)&workspace_key);
    astarL_Workspace *workspace = astarL_newobject(L, ASTARL_WORKSPACE, sizeof *workspace);
    if (astar_workspace_new(NULL, &workspace->core) != ASTAR_OK)
        astarL_nomemory(L);
    lua_rawset(L, LUA_REGISTRYINDEX);
}

// queries

// Pushes the query's box, which the collector frees after an error, and the callbacks of the
// finder.
static void push_callbacks(astarL_Query *query, int owner)
{
    lua_State *L = query->L;
    query->box = astarL_newobject(L, ASTARL_QUERY, sizeof *query->box);
    astarL_descend(L, query, query->box);
    astarL_pushpart(L, owner, ASTARL_OF_KEYS, LUA_TTABLE); // checks that it is a table
    lua_pop(L, 1);
    astarL_pushparts(L, owner);
    query->base = lua_gettop(L);
    for (int slot = ASTARL_COST; slot <= ASTARL_OF_KEYS; slot++)
        lua_rawgeti(L, query->base, slot);
    lua_pushnil(L);
    query->terrain = -1;
}

// Enters the grid of a finder. Must be called after all other code of the query that may raise an
// error.
static void enter_grid(astarL_Query *query, AstarFinder *const *held, int owner)
{
    query->finder = *held;
    query->grid = astar_finder_grid(*held);
    query->entered = astarL_enterfinder(query->L, held, owner, NULL);
}

void astarL_open(lua_State *L, astarL_Query *query, AstarFinder *const *held, bool has_callbacks,
                 int owner, int x0, int y0)
{
    *query = (astarL_Query){.L = L, .x0 = x0, .y0 = y0};
    astarL_checkstack(L, 20);
    astarL_checkheld(L, *held);
    astarL_leavestaleview(L, astar_finder_grid(*held), query);
    if (has_callbacks)
        push_callbacks(query, owner);
    astarL_checkheld(L, *held);
    enter_grid(query, held, owner);
    if (take_by(L, astar_search_take, *held, &query->search) != ASTAR_OK)
        astarL_nomemory(L);
    if (query->box != NULL)
        query->box->search = query->search;
}

void astarL_close(astarL_Query *query)
{
    astar_view_leave(query->grid, query->entered);
    astar_search_free(query->search);
    query->search = NULL;
    if (query->box != NULL) {
        query->box->search = NULL;
        astarL_ascend(query->L, query->box);
    }
}

void astarL_resume(lua_State *L, astarL_Query *query, AstarSearch *search, bool has_callbacks,
                   int owner, int x0, int y0, const uint32_t *turns)
{
    astarL_attend(L, query, astar_search_finder(search), has_callbacks, owner, x0, y0, turns);
    query->search = search;
}

void astarL_attend(lua_State *L, astarL_Query *query, AstarFinder *finder, bool has_callbacks,
                   int owner, int x0, int y0, const uint32_t *turns)
{
    *query = (astarL_Query){.L = L, .finder = finder, .x0 = x0, .y0 = y0};
    query->turns = turns;
    query->turn = *turns;
    astarL_checkstack(L, 20);
    astarL_leavestaleview(L, astar_finder_grid(finder), query);
    if (has_callbacks)
        push_callbacks(query, owner);
    if (*turns != query->turn)
        luaL_error(L, "search was stepped or closed by a finalizer"); // or a flow was closed
    if (!astar_grid_is_view(astar_finder_grid(finder)))
        return;
    enter_grid(query, &finder, owner);
    if (*turns != query->turn) {
        astar_view_leave(query->grid, query->entered);
        luaL_error(L, "search was stepped or closed by a finalizer");
    }
}

void astarL_pause(astarL_Query *query)
{
    if (query->grid != NULL)
        astar_view_leave(query->grid, query->entered);
    if (query->box != NULL)
        astarL_ascend(query->L, query->box);
}

static void close_query_box(lua_State *L, void *object)
{
    astarL_QueryBox *box = object;
    astarL_forget(L, box);
    AstarSearch *search = box->search;
    box->search = NULL;
    astar_search_free(search);
}

const astarL_Class astarL_queryclass = {.type = ASTARL_QUERY, .close = close_query_box};

// callbacks

static void push_function(const astarL_Query *query, int slot)
{
    lua_pushvalue(query->L, query->base + slot - ASTARL_COST + 1);
}

static inline void check_turn(const astarL_Query *query)
{
    if (query->turns != NULL && *query->turns != query->turn)
        luaL_error(query->L, query->search != NULL
                                 ? "search was stepped or closed by its own callback"
                                 : "flow was closed by its own callback");
}

// Calls a function, which lies on the stack below its arguments. Returns the stack index of its
// first result. If the function returned no value, there is nothing at that index. Before the core
// continues, the function checks that the callback has not stepped or closed its own search.
static inline int call(const astarL_Query *query, int arguments)
{
    int first = lua_gettop(query->L) - arguments;
    lua_call(query->L, arguments, LUA_MULTRET);
    check_turn(query);
    return first;
}

void astarL_call(const astarL_Query *query, int arguments)
{
    lua_call(query->L, arguments, 1);
    check_turn(query);
}

// Returns INFINITY if a callback's answer, which is not between 'least' and 'most', means that the
// cell cannot be entered. Raises an error for any other answer. Also raises an error if the
// function returned no value, since most likely a `return` is missing.
static double check_no(const astarL_Query *query, bool is_any, const char *callback, int x, int y,
                       double least, double most)
{
    lua_State *L = query->L;
    bool is_number = lua_type(L, -1) == LUA_TNUMBER;
    if (is_any && (!lua_toboolean(L, -1) || (is_number && lua_tonumber(L, -1) == HUGE_VAL)))
        return INFINITY;
    astarL_checkstack(L, 20);
    lua_pushstring(L, callback);
    lua_insert(L, -2);
    astarL_pushcell(L, x, y, query->x0, query->y0);
    if (!is_any)
        astarL_complain(L, "no_answer", 4);
    lua_pushstring(L, astar_finder_options(query->finder)->dearer_only ? "dearer_only allows,"
                                                                       : "min_cost");
    lua_pushnumber(L, least);
    lua_pushnumber(L, most);
    astarL_complain(L, "answer", 7);
}

// Pops a callback's answer at 'first', and all values above it, and returns the answer. The answer
// must be at least 'least', which may be 0 over a link, and at most the greater of 'most' and
// 'given'. The result is INFINITY if the cell cannot be entered.
static inline double take_answer(const astarL_Query *query, int first, const char *callback, int x,
                                 int y, double least, double most, double given)
{
    lua_State *L = query->L;
    most = given > most ? given : most;
    int type = lua_type(L, first);
    double cost = type == LUA_TNUMBER ? lua_tonumber(L, first) : -1;
    if (!(cost >= least && cost <= most)) {
        lua_settop(L, first);
        cost = check_no(query, type != LUA_TNONE, callback, x, y, least, most);
    }
    lua_settop(L, first - 1);
    return cost;
}

// Pushes the key of a terrain. The key is cached, since most cells have the same terrain as the
// cell before.
static void push_terrain_key(astarL_Query *query, int terrain)
{
    int keys = query->base + ASTARL_OF_KEYS - ASTARL_COST + 1;
    if (terrain != query->terrain) {
        lua_rawgeti(query->L, keys, terrain + 1);
        lua_replace(query->L, keys + 1);
        query->terrain = terrain;
    }
    lua_pushvalue(query->L, keys + 1);
}

double astarL_call_cost(void *context, int x, int y, int terrain, double cost)
{
    astarL_Query *query = context;
    lua_State *L = query->L;
    push_function(query, ASTARL_COST);
    lua_pushinteger(L, x + query->x0);
    lua_pushinteger(L, y + query->y0);
    push_terrain_key(query, terrain);
    lua_pushnumber(L, cost);
    int first = call(query, 4);
    double least = astar_finder_options(query->finder)->dearer_only
                       ? cost
                       : astar_finder_least_cost(query->finder);
    // 'cost' may be above ASTAR_COST_MAX, because it includes the values of fields to avoid.
    return take_answer(query, first, "cost", x, y, least, ASTAR_COST_MAX, cost);
}

double astarL_call_step_cost(void *context, int x, int y, int to_x, int to_y, double cost)
{
    const astarL_Query *query = context;
    lua_State *L = query->L;
    // The limit is read before the callback runs, because queries inside the callback may change
    // it.
    double least = astar_finder_least_step(query->finder);
    push_function(query, ASTARL_STEP_COST);
    lua_pushinteger(L, x + query->x0);
    lua_pushinteger(L, y + query->y0);
    lua_pushinteger(L, to_x + query->x0);
    lua_pushinteger(L, to_y + query->y0);
    lua_pushnumber(L, cost);
    int first = call(query, 5);
    return take_answer(query, first, "step_cost", to_x, to_y, least, 2 * ASTAR_COST_MAX, cost);
}

double astarL_call_estimate(void *context, int dx, int dy)
{
    const astarL_Query *query = context;
    lua_State *L = query->L;
    push_function(query, ASTARL_ESTIMATE);
    lua_pushinteger(L, dx);
    lua_pushinteger(L, dy);
    int first = call(query, 2);
    int type = lua_type(L, first);
    lua_Number estimate = type == LUA_TNUMBER ? lua_tonumber(L, first) : -1;
    if (!(estimate >= 0 && estimate <= 1e300)) {
        lua_settop(L, first);
        luaL_error(L, "heuristic callback returned %s for (%d, %d); expected a number >= 0",
                   type != LUA_TNONE ? astarL_describe(L, first) : "nothing", dx, dy);
    }
    lua_settop(L, first - 1);
    return estimate;
}

// The functions below count the open queries with callbacks.
//
// If callbacks start searches whose callbacks start searches again, the C stack may overflow. PUC
// Lua raises an error only after some 200 nested C calls, LuaJIT only after thousands, so the open
// queries are counted.
//
// An error unwinds the stack frames of queries without notice. Therefore a counted query whose
// frame is as deep as that of a new query, or deeper, has certainly ended. Failed queries with a
// less deep frame stay counted, but nothing references their boxes: if the count reaches its limit,
// a full collection removes them. Only inside a finalizer may Lua 5.4 refuse to collect; Lua's own
// limit of nested calls must suffice there.

enum { DEEPEST = 80 }; // each takes at most 2.6 kB with Lua's part, so they fit a stack of 256 kB

typedef struct Depth {
    uintptr_t frame; // address in the C stack frame of the open query
    const void *box; // the query's box, which is on the Lua stack while the query runs
} Depth;

typedef struct Depths {
    int count;
    Depth open[DEEPEST];
} Depths;

static const char depths_key;

static Depths *get_depths(lua_State *L)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &depths_key);
    Depths *depths = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return depths;
}

static void forget_unwound(Depths *depths, uintptr_t frame)
{
    while (depths->count > 0 && depths->open[depths->count - 1].frame <= frame)
        depths->count--;
}

bool astarL_hasopenquery(lua_State *L, const void *frame)
{
    Depths *depths = get_depths(L);
    if (depths == NULL)
        return false;
    forget_unwound(depths, (uintptr_t)frame);
    return depths->count > 0;
}

void astarL_descend(lua_State *L, const void *address, const void *box)
{
    Depths *depths = get_depths(L);
    if (depths == NULL) // a script has removed it from the registry
        luaL_error(L, "astar is not loaded in this Lua state");
    uintptr_t frame = (uintptr_t)address;
    forget_unwound(depths, frame);
    if (depths->count == DEEPEST &&
        lua_gc(L, LUA_GCCOLLECT, 0) < 0) // the boxes' close_query_box lowers the count
        depths->count = 0;
    if (depths->count == DEEPEST)
        luaL_error(L, "searches nested too deeply");
    depths->open[depths->count++] = (Depth){frame, box};
}

static int find_depth(const Depths *depths, const void *box)
{
    int i = depths != NULL ? depths->count - 1 : -1;
    while (i >= 0 && depths->open[i].box != box)
        i--;
    return i;
}

// Ends the counting of a query that has ended, and of all queries that were opened after it.
void astarL_ascend(lua_State *L, const void *box)
{
    Depths *depths = get_depths(L);
    int i = find_depth(depths, box);
    if (i >= 0)
        depths->count = i;
}

// Ends the counting of a query that ended by an error.
void astarL_forget(lua_State *L, const void *box)
{
    Depths *depths = get_depths(L);
    int i = find_depth(depths, box);
    if (i < 0)
        return;
    depths->count--;
    memmove(&depths->open[i], &depths->open[i + 1], (size_t)(depths->count - i) * sizeof(Depth));
}

void astarL_opendepth(lua_State *L)
{
    if (get_depths(L) != NULL)
        return;
    lua_pushlightuserdata(L, (void *)&depths_key);
    Depths *depths = lua_newuserdata(L, sizeof *depths);
    depths->count = 0;
    lua_rawset(L, LUA_REGISTRYINDEX);
}
