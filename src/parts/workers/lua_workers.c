// lua_workers.c -- the Lua objects of pools of workers, and of the batches that queues hand to the
// workers.
//
// Scripts see only pools. Batches are used by lua/astar/workers/queue.lua. Pools and batches belong
// to the thread of their Lua state: no worker ever sees a lua_State.

#include "binding/lua_finder.h"
#include "binding/lua_flow.h"
#include "binding/lua_gc_account.h"
#include "binding/lua_job.h"
#include "binding/lua_path.h"
#include "binding/lua_util.h"

typedef struct Pool {
    astarL_Header header;
    AstarWorkers *core; // NULL after garbage collection
} Pool;

typedef struct Batch {
    astarL_Header header;
    AstarBatch *core;   // NULL after the batch was closed
    AstarWorkers *pool; // the workers of the batch's pool; the batch retains them
} Batch;

// The functions below are the methods of pools.

// astar.workers(n) --> pool
static int new_workers(lua_State *L)
{
    int count = astarL_checkint(L, 1, 1, ASTAR_MAX_WORKERS, "n");
    Pool *pool = astarL_newobject(L, ASTARL_WORKERS, sizeof *pool);
    AstarStatus status = astar_workers_new(NULL, count, &pool->core);
    if (status == ASTAR_NO_WORKERS || status == ASTAR_WITHOUT_THREADS)
        return luaL_error(L, "%s", astar_status_text(status));
    return status == ASTAR_OK ? 1 : astarL_fail(L, status);
}

// pool:count() --> the number of workers, 0 once closed
static int workers_count(lua_State *L)
{
    const Pool *pool = astarL_checkobject(L, 1, ASTARL_WORKERS);
    lua_pushinteger(L, pool->core != NULL ? astar_workers_count(pool->core) : 0);
    return 1;
}

// pool:bytes() --> bytes of the copies of maps that the workers read, bytes of the workers'
// searches
static int workers_bytes(lua_State *L)
{
    const Pool *pool = astarL_checkobject(L, 1, ASTARL_WORKERS);
    bool is_there = pool->core != NULL;
    lua_pushnumber(L, is_there ? (lua_Number)astar_workers_bytes(pool->core) : 0);
    lua_pushnumber(L, is_there ? (lua_Number)astar_workers_search_bytes(pool->core) : 0);
    return 2;
}

// pool:close(): ends the worker threads. Later updates of the queue answer the remaining requests.
static int workers_close(lua_State *L)
{
    const Pool *pool = astarL_checkobject(L, 1, ASTARL_WORKERS);
    if (pool->core != NULL)
        astar_workers_close(pool->core);
    return 0;
}

static void collect_workers(lua_State *L, void *object)
{
    (void)L;
    Pool *pool = object;
    AstarWorkers *core = pool->core;
    pool->core = NULL;
    if (core != NULL)
        astar_workers_close(core); // batches may still hold the workers
    astar_workers_release(core);
}

// Returns the search at 'arg' if workers could finish it, otherwise NULL.
static AstarSearch *to_search(lua_State *L, int arg)
{
    const astarL_Search *search = astarL_testobject(L, arg, ASTARL_SEARCH);
    bool is_open = search != NULL && search->job.core != NULL;
    return is_open && astar_workers_take_search(search->job.core) ? search->job.core : NULL;
}

// core.is_for_workers(job) --> true if workers can do the rest of the job
static int is_for_workers(lua_State *L)
{
    lua_settop(L, 1);
    lua_pushboolean(L, to_search(L, 1) != NULL || astarL_tocompleting(L, 1) != NULL ||
                           (ASTAR_HAS_BAKING && astarL_tobaking(L, 1) != NULL));
    return 1;
}

// The functions below are the methods of batches.

#define check_batch(L) ((Batch *)astarL_checkopen(L, 1, ASTARL_BATCH))

// core.batch(pool) --> batch
static int new_batch(lua_State *L)
{
    const Pool *pool = astarL_checkobject(L, 1, ASTARL_WORKERS);
    Batch *batch = astarL_newobject(L, ASTARL_BATCH, sizeof *batch);
    astarL_checkheld(L, pool->core);
    batch->pool = pool->core;
    AstarStatus status = astar_batch_new(pool->core, &batch->core);
    return status == ASTAR_OK ? 1 : astarL_fail(L, status);
}

static int push_count(lua_State *L, const Batch *batch)
{
    lua_pushinteger(L, (lua_Integer)astar_batch_count(batch->core));
    return 1;
}

// Raises an error if the workers of a batch are closed or cannot use a finder.
static void check_workers(lua_State *L, const Batch *batch, const AstarFinder *finder)
{
    const char *refusal = astar_workers_refusal(finder);
    if (astar_workers_count(batch->pool) == 0)
        luaL_error(L, "workers are closed");
    if (refusal != NULL)
        luaL_error(L, "workers cannot honour %s", refusal);
}

// batch:add(finder, sx, sy, gx, gy, options) --> number of the request in the batch
static int batch_add(lua_State *L)
{
    const Batch *batch = check_batch(L);
    const astarL_Finder *finder = astarL_checkfinder(L, 2);
    astarL_Ends ends = astarL_checkquery(L, 3, finder);
    AstarQueryOptions own;
    const AstarQueryOptions *query_options = astarL_checkqueryoptions(L, 7, finder, &own);
    astarL_checkheld(L, batch->core);
    astarL_checkheld(L, finder->core);
    check_workers(L, batch, finder->core);
    AstarStatus status = astar_batch_add(batch->core, finder->core, ends.x0, ends.y0, ends.x1,
                                         ends.y1, query_options);
    return status == ASTAR_OK ? push_count(L, batch) : astarL_fail(L, status);
}

static AstarStatus add_lua_job(lua_State *L, AstarBatch *batch)
{
    if (astarL_testobject(L, 2, ASTARL_SEARCH) != NULL)
        return astar_batch_add_search(batch, astarL_checksearch(L, 2)->job.core);
    if (astarL_isclosedjob(L, 2))
        luaL_error(L, "job is closed");
    const AstarBaked *baked = ASTAR_HAS_BAKING ? astarL_tobaking(L, 2) : NULL;
    if (ASTAR_HAS_BAKING && baked != NULL)
        return astar_batch_add_baking(batch, baked);
    AstarFlow *flow = astarL_tocompleting(L, 2);
    return flow != NULL ? astar_batch_add_flow(batch, flow) : ASTAR_BAD_OPTION;
}

// batch:add_job(job) --> number of the job in the batch | nothing if workers cannot do the job any
// more
static int batch_add_job(lua_State *L)
{
    const Batch *batch = check_batch(L);
    lua_settop(L, 2);
    AstarStatus status = add_lua_job(L, batch->core);
    if (status == ASTAR_BAD_OPTION)
        return 0;
    return status == ASTAR_OK ? push_count(L, batch) : astarL_fail(L, status);
}

// batch:set_order(numbers): sets the order in which the requests are worked on
static int batch_set_order(lua_State *L)
{
    const Batch *batch = check_batch(L);
    luaL_checktype(L, 2, LUA_TTABLE);
    size_t count = lua_rawlen(L, 2);
    size_t *numbers = lua_newuserdata(L, (count + 1) * sizeof *numbers);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, 2, (int)i + 1);
        numbers[i] = (size_t)lua_tointeger(L, -1) - 1;
        lua_pop(L, 1);
    }
    astarL_checkheld(L, batch->core);
    // An invalid list is ignored: requests are then worked on in the order in which they were
    // added.
    (void)astar_batch_set_order(batch->core, numbers, count);
    return 0;
}

// batch:begin(): hands the batch over to the workers
static int batch_begin(lua_State *L)
{
    AstarStatus status = astar_batch_begin(check_batch(L)->core);
    return status == ASTAR_OK ? 0 : astarL_fail(L, status);
}

// batch:wait(): waits until all requests of the batch are answered
static int batch_wait(lua_State *L)
{
    astar_batch_wait(check_batch(L)->core);
    return 0;
}

// Returns the number of a request at 'arg', counted from 0. Scripts count from 1.
static size_t check_number(lua_State *L, int arg, const Batch *batch)
{
    return (size_t)astarL_checkwhole(L, arg, 1, (lua_Number)astar_batch_count(batch->core),
                                     "number") -
           1;
}

// batch:cancel(number): cancels the request with this number
static int batch_cancel(lua_State *L)
{
    const Batch *batch = check_batch(L);
    astar_batch_cancel(batch->core, check_number(L, 2, batch));
    return 0;
}

// batch:path(number, finder) --> path | nil, reason
static int batch_path(lua_State *L)
{
    const Batch *batch = check_batch(L);
    size_t number = check_number(L, 2, batch);
    const astarL_Finder *finder = astarL_checkfinder(L, 3);
    astarL_Path *path = astarL_pushpath(L, false, 3, finder->x0, finder->y0);
    astarL_setfinder(L, path, finder->core);
    astarL_checkheld(L, batch->core);
    AstarStatus status = astar_batch_take(batch->core, number, &path->core);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    path->valid_from = 1;
    path->valid_at = astar_batch_version(batch->core, number);
    return 1;
}

// batch:take_job(number, job): moves the worker's result to the Lua object of the job. If that
// fails, the job itself does the rest of its work.
static int batch_take_job(lua_State *L)
{
    const Batch *batch = check_batch(L);
    size_t number = check_number(L, 2, batch);
    astarL_Search *search = astarL_testobject(L, 3, ASTARL_SEARCH);
    AstarBaked *baked = ASTAR_HAS_BAKING && search == NULL ? astarL_tobaking(L, 3) : NULL;
    if (search != NULL && search->job.core != NULL) {
        (void)astar_batch_take_search(batch->core, number, search->job.core);
        search->job.turn++;
    } else if (baked != NULL) {
        if (ASTAR_HAS_BAKING && astar_batch_take_baking(batch->core, number, baked) == ASTAR_OK)
            astarL_account(L, astar_baked_facts(baked).bytes);
    } else if (search == NULL) {
        (void)astar_batch_take_flow(batch->core, number);
    }
    return 0;
}

// batch:close(): frees the batch
static void close_batch(lua_State *L, void *object)
{
    (void)L;
    Batch *batch = object;
    AstarBatch *core = batch->core;
    batch->core = NULL;
    astar_batch_free(core);
}

static int batch_close(lua_State *L)
{
    close_batch(L, astarL_checkobject(L, 1, ASTARL_BATCH));
    return 0;
}

static const astarL_Function pool_methods[] = {
    {"bytes", 1, workers_bytes},
    {"close", 1, workers_close},
    {"count", 1, workers_count},
    {"", 0, NULL},
};

static const astarL_Function batch_methods[] = {
    {"add", 7, batch_add},           {"add_job", 2, batch_add_job},
    {"take_job", 3, batch_take_job}, {"begin", 1, batch_begin},
    {"cancel", 2, batch_cancel},     {"close", 1, batch_close},
    {"path", 3, batch_path},         {"set_order", 2, batch_set_order},
    {"wait", 1, batch_wait},         {"", 0, NULL},
};

const astarL_Class astarL_workersclass = {
    .type = ASTARL_WORKERS, .methods = pool_methods, .close = collect_workers};
const astarL_Class astarL_batchclass = {
    .type = ASTARL_BATCH, .methods = batch_methods, .close = close_batch};

void astarL_openworkers(lua_State *L)
{
    static const astarL_Function functions[] = {{"workers", 1, new_workers},
                                                {"batch", 1, new_batch},
                                                {"is_for_workers", 1, is_for_workers},
                                                {"", 0, NULL}};
    static const astarL_Class *const classes[] = {&astarL_workersclass, &astarL_batchclass, NULL};
    astarL_newtypes(L, classes);
    astarL_setfunctions(L, functions, ASTARL_TYPES);
}
