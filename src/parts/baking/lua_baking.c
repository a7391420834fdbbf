// lua_baking.c -- finder:bake, finder:baking, finder:load_baked, and the object "baked" that they
// return.

#include "binding/lua_gc_account.h"
#include "binding/lua_job.h"
#include "binding/lua_util.h"

#include <math.h>
#include <string.h>
#include <time.h>

// The struct of a Lua object "baked": the result of a baking, or a baking in progress.
typedef struct Baked {
    astarL_Header header;
    AstarBaked *core;    // NULL once it is collected
    double milliseconds; // time that the baking took
} Baked;

#define astarL_checkbaked(L) ((Baked *)astarL_checkopen(L, 1, ASTARL_BAKED))

static Baked *push_baked(lua_State *L)
{
    return astarL_newobject(L, ASTARL_BAKED, sizeof(Baked));
}

// Options.

// Reads the options {method =, bytes =, pivots =} at index 2.
static AstarBakingOptions check_baking_options(lua_State *L)
{
    lua_settop(L, 2);
    if (lua_isnil(L, 2))
        return (AstarBakingOptions){ASTAR_BAKE_AUTO, 0, 4};
    astarL_askhelper(L, "arguments", "baking");
    int method = astarL_checkint(L, 3, 0, ASTAR_BAKE_METHOD_COUNT - 1, "method");
    size_t bytes = (size_t)astarL_checkwhole(L, 4, 0, ASTARL_MOST_WHOLE, "bytes");
    int pivots = astarL_checkint(L, 5, 0, ASTAR_MAX_PIVOTS, "pivots");
    lua_settop(L, 2);
    return (AstarBakingOptions){(AstarBakingMethod)method, bytes, pivots};
}

// Baking.

static AstarStatus bake(lua_State *L, Baked *baked, astarL_Budget budget)
{
    clock_t before = clock();
    AstarStatus status = astarL_runslices(budget, astar_baking_job.step, baked->core, NULL);
    baked->milliseconds += (double)(clock() - before) * 1000 / CLOCKS_PER_SEC;
    size_t accounted = 0;
    if (status == ASTAR_OK)
        astarL_accountgrowth(L, &accounted, astar_baked_facts(baked->core).bytes,
                             astarL_isbyclock(budget));
    else if (status != ASTAR_RUNNING)
        astarL_fail(L, status);
    return status;
}

// Runs a step of the baking job at index 1. The job's owner is the object "baked".
static AstarStatus step_baking(lua_State *L, astarL_Job *job, astarL_Budget budget)
{
    (void)job;
    astarL_pushpart(L, 1, ASTARL_JOB_OWNER, LUA_TUSERDATA);
    return bake(L, astarL_checkopen(L, 2, ASTARL_BAKED), budget);
}

static const astarL_JobKind baking = {ASTARL_JOB, NULL, step_baking, "done", NULL, NULL};

// Returns the finder at index 1. Raises an error if its map belongs to another Lua state, since
// only that state can bake it.
static const astarL_Finder *check_own_finder(lua_State *L)
{
    const astarL_Finder *finder = astarL_checkfinder(L, 1);
    if (astar_grid_is_view(astar_finder_grid(finder->core)))
        luaL_error(L, "a map from astar.shared cannot be baked: bake the grid that was shared");
    return finder;
}

// Pushes a new baking with the options at index 2.
static void begin_baking_by(lua_State *L)
{
    const astarL_Finder *finder = check_own_finder(L);
    AstarBakingOptions options = check_baking_options(L);
    Baked *baked = push_baked(L);
    astarL_checkfinder(L, 1); // a finalizer may have closed it
    if (astar_baking_new(finder->core, &options, &baked->core) != ASTAR_OK)
        astarL_nomemory(L);
}

// finder:bake([{method =, bytes =, pivots =}]) --> baked
int astarL_finder_bake(lua_State *L)
{
    begin_baking_by(L);
    astarL_freeleftovers(L);
    bake(L, lua_touserdata(L, 3), (astarL_Budget){UINT64_MAX, (double)INFINITY});
    return 1;
}

// finder:baking([options]) --> job whose result is the same object as that of finder:bake
int astarL_finder_baking(lua_State *L)
{
    begin_baking_by(L);
    astarL_pushjob(L, 3, &baking);
    return 1;
}

AstarBaked *astarL_tobaking(lua_State *L, int arg)
{
    if (!astarL_pushjobowner(L, arg, &baking))
        return NULL;
    const Baked *baked = astarL_checkobject(L, lua_gettop(L), ASTARL_BAKED);
    lua_pop(L, 1);
    bool is_to_bake = ASTAR_HAS_WORKERS && baked->core != NULL &&
                      astar_workers_take_baking(baked->core);
    return is_to_bake ? baked->core : NULL;
}

// finder:load_baked(string) --> baked
int astarL_finder_load_baked(lua_State *L)
{
    const astarL_Finder *finder = check_own_finder(L);
    if (lua_type(L, 2) != LUA_TSTRING)
        return astarL_badvalue(L, 2, "baked data expected");
    Baked *baked = push_baked(L);
    astarL_checkfinder(L, 1);
    size_t length;
    const char *why, *bytes = lua_tolstring(L, 2, &length);
    clock_t before = clock();
    AstarStatus status = astar_baked_load(finder->core, bytes, length, &why, &baked->core);
    baked->milliseconds = (double)(clock() - before) * 1000 / CLOCKS_PER_SEC;
    if (status == ASTAR_BAD_DATA)
        return luaL_error(L, "%s", why);
    if (status != ASTAR_OK)
        return astarL_nomemory(L);
    astarL_account(L, astar_baked_facts(baked->core).bytes);
    return 1;
}

// The functions below are the methods of the object "baked" and compute its fields.

static size_t save_baked(lua_State *L, void *bytes, size_t room)
{
    const AstarBaked *baked = astarL_checkbaked(L)->core;
    size_t length = astar_baked_save(baked, bytes, room);
    if (length == 0)
        luaL_error(L, astar_baked_facts(baked).method == ASTAR_BAKE_LANDMARKS
                          ? "these landmarks are no longer valid: bake again"
                          : "nothing was baked that could be saved");
    return length;
}

// baked:save() --> string
static int baked_save(lua_State *L)
{
    astarL_pushsaved(L, save_baked);
    return 1;
}

// baked:is_current() --> boolean: true if queries on the current map use the baked data
static int baked_is_current(lua_State *L)
{
    bool current;
    if (astar_baked_is_current(astarL_checkbaked(L)->core, &current) != ASTAR_OK)
        return astarL_nomemory(L);
    lua_pushboolean(L, current);
    return 1;
}

static void push_baked_field(lua_State *L, const void *object, const char *name)
{
    const Baked *baked = object;
    AstarBakedFacts facts = astar_baked_facts(baked->core);
    if (strcmp(name, "method") == 0)
        lua_pushstring(L, astar_baking_method_name(facts.method));
    else if (strcmp(name, "bytes") == 0)
        lua_pushinteger(L, (lua_Integer)facts.bytes);
    else if (strcmp(name, "gain") == 0)
        lua_pushnumber(L, facts.gain);
    else if (strcmp(name, "pivots") == 0)
        lua_pushinteger(L, facts.landmarks);
    else if (strcmp(name, "milliseconds") == 0)
        lua_pushnumber(L, baked->milliseconds);
}

static void close_baked(lua_State *L, void *object)
{
    Baked *baked = object;
    AstarBaked *core = baked->core;
    baked->core = NULL;
    astarL_freebaked(L, core);
}

static const astarL_Function baking_methods[] = {
    {"is_current", 1, baked_is_current},
    {"save", 1, baked_save},
    {"", 0, NULL},
};

const astarL_Class astarL_bakedclass = {.type = ASTARL_BAKED,
                                        .methods = baking_methods,
                                        .close = close_baked,
                                        .field = push_baked_field,
                                        .fields = "method\0bytes\0gain\0pivots\0milliseconds\0"};

void astarL_openbaking(lua_State *L)
{
    static const astarL_Class *const classes[] = {&astarL_bakedclass, &astarL_leftoversclass, NULL};
    astarL_newtypes(L, classes);
    astarL_opendeferredfrees(L);
}

// ------------------------------------------------------------------------------------------------
// The functions below defer the freeing of abandoned bakings.
//
// A baking that is not finished holds hundreds of thousands of allocations. Freeing them takes the
// time of many frames, and the garbage collector may find an abandoned job in the middle of any
// frame. Therefore abandoned bakings wait in a list, and the steps of other jobs free them within
// their budgets. At most MOST_DEFERRED_FREES bakings wait.
// ------------------------------------------------------------------------------------------------

enum { MOST_DEFERRED_FREES = 4 };

// The list of abandoned bakings. The list is collected with the Lua state.
typedef struct DeferredFrees {
    astarL_Header header;
    AstarBaked *bakings[MOST_DEFERRED_FREES]; // the first entries are used; the others are NULL
    bool is_closed;                           // true if nothing may be added any more
} DeferredFrees;

static const char deferred_key;

static DeferredFrees *get_deferred_frees(lua_State *L)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &deferred_key);
    DeferredFrees *deferred = astarL_testobject(L, -1, ASTARL_DEFERRED_FREES);
    lua_pop(L, 1);
    return deferred;
}

// Frees the first baking of the list.
static void free_deferred(DeferredFrees *deferred)
{
    AstarBaked *first = deferred->bakings[0];
    for (int i = 1; i < MOST_DEFERRED_FREES; i++)
        deferred->bakings[i - 1] = deferred->bakings[i];
    deferred->bakings[MOST_DEFERRED_FREES - 1] = NULL;
    astar_baked_free(first);
}

void astarL_freebaked(lua_State *L, AstarBaked *baked)
{
    DeferredFrees *deferred = get_deferred_frees(L); // NULL if a script has emptied the registry
    int count = 0;
    if (baked == NULL || deferred == NULL || deferred->is_closed || astar_baking_clear(baked, 0))
        count = MOST_DEFERRED_FREES;
    while (count < MOST_DEFERRED_FREES && deferred->bakings[count] != NULL)
        count++;
    if (count < MOST_DEFERRED_FREES)
        deferred->bakings[count] = baked;
    else
        astar_baked_free(baked);
}

static AstarStatus clear_slice(void *baked, uint64_t expansions, void *context)
{
    (void)context;
    return astar_baking_clear(baked, expansions) ? ASTAR_OK : ASTAR_RUNNING;
}

void astarL_cleardeferredfrees(lua_State *L, astarL_Budget budget)
{
    DeferredFrees *deferred = get_deferred_frees(L);
    if (deferred != NULL && deferred->bakings[0] != NULL &&
        astarL_runslices(budget, clear_slice, deferred->bakings[0], NULL) == ASTAR_OK)
        free_deferred(deferred);
}

void astarL_freeleftovers(lua_State *L)
{
    DeferredFrees *deferred = get_deferred_frees(L);
    while (deferred != NULL && deferred->bakings[0] != NULL)
        free_deferred(deferred);
}

static void free_all_deferred(lua_State *L, void *object)
{
    (void)L;
    DeferredFrees *deferred = object;
    deferred->is_closed = true;
    while (deferred->bakings[0] != NULL)
        free_deferred(deferred);
}

const astarL_Class astarL_leftoversclass = {.type = ASTARL_DEFERRED_FREES,
                                            .close = free_all_deferred};

void astarL_opendeferredfrees(lua_State *L)
{
    if (get_deferred_frees(L) != NULL)
        return;
    lua_pushlightuserdata(L, (void *)&deferred_key);
    astarL_newobject(L, ASTARL_DEFERRED_FREES, sizeof(DeferredFrees));
    lua_rawset(L, LUA_REGISTRYINDEX);
}
