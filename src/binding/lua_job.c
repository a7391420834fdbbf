// lua_job.c -- jobs: work that takes longer than a frame, done in several steps.

#include "binding/lua_job.h"

#include "binding/lua_gc_account.h"
#include "binding/lua_options.h"

#include <math.h>
#include <string.h>

static const lua_Number MOST_EXPANSIONS = 9007199254740992.0;

// budgets

// Reads the options {ms =, expansions =} at 'arg'.
static astarL_Budget read_budget(lua_State *L, int arg)
{
    astarL_Budget budget = {UINT64_MAX, (double)INFINITY};
    astarL_checkoptions(L, arg, "ms\0expansions\0");
    if (astarL_rawfield(L, arg, "ms") != LUA_TNIL)
        budget.seconds = astarL_checkreal(L, lua_gettop(L), 0, 1e9, "ms") * 1e-3;
    else if (astarL_rawfield(L, arg, "expansions") == LUA_TNIL)
        luaL_error(L, "step needs a budget: ms or expansions");
    if (astarL_rawfield(L, arg, "expansions") != LUA_TNIL)
        budget.expansions = (uint64_t)astarL_checkwhole(L, lua_gettop(L), 1, MOST_EXPANSIONS,
                                                        "expansions");
    return budget;
}

// Spends up to half of a time budget on work deferred by earlier steps: work of the collector for
// charges that are owed, and deferred frees. Returns the rest of the budget.
static astarL_Budget spend_on_deferred_work(lua_State *L, astarL_Budget budget)
{
    if (!astarL_isbyclock(budget)) {
        if (ASTAR_HAS_BAKING)
            astarL_cleardeferredfrees(L, budget);
        return budget;
    }
    double begin = astarL_seconds();
    astarL_pay(L, budget.seconds / 2);
    astarL_makeroom(L);
    double left = begin + budget.seconds / 2 - astarL_seconds();
    if (ASTAR_HAS_BAKING)
        astarL_cleardeferredfrees(L, (astarL_Budget){UINT64_MAX, left > 0 ? left : 0});
    left = begin + budget.seconds - astarL_seconds();
    budget.seconds = left > 0 ? left : 0;
    return budget;
}

astarL_Budget astarL_checkbudget(lua_State *L, int arg)
{
    if (lua_istable(L, arg))
        return spend_on_deferred_work(L, read_budget(L, arg));
    astarL_Budget budget = {1, (double)INFINITY};
    if (!lua_isnoneornil(L, arg))
        budget.expansions = (uint64_t)astarL_checkwhole(L, arg, 1, MOST_EXPANSIONS, "n");
    return spend_on_deferred_work(L, budget);
}

// jobs

void *astarL_newjob(lua_State *L, const astarL_JobKind *kind, size_t size, int owner)
{
    astarL_Job *job = astarL_newobject(L, kind->type, size);
    job->kind = kind;
    job->status = ASTAR_RUNNING;
    if (owner != 0)
        astarL_setparts(L, lua_gettop(L), &owner, ASTARL_JOB_OWNER);
    return job;
}

void astarL_pushjob(lua_State *L, int owner, const astarL_JobKind *kind)
{
    astarL_Job *job = astarL_newjob(L, kind, sizeof *job, owner);
    job->core = job; // any pointer but NULL: there is no core object, and the job is open
}

bool astarL_pushjobowner(lua_State *L, int arg, const astarL_JobKind *kind)
{
    const astarL_Job *job = astarL_testobject(L, arg, ASTARL_JOB);
    if (job == NULL || job->core == NULL || job->kind != kind)
        return false;
    astarL_pushpart(L, arg, ASTARL_JOB_OWNER, LUA_TUSERDATA);
    return true;
}

bool astarL_isclosedjob(lua_State *L, int arg)
{
    const astarL_Job *job = astarL_testobject(L, arg, ASTARL_JOB);
    return job != NULL && job->core == NULL;
}

const char *astarL_jobstatus(const astarL_Job *job, AstarStatus status)
{
    if (status == ASTAR_OK)
        return job->kind->done;
    bool is_changed = status == ASTAR_GRID_CHANGED && job->kind->changed != NULL;
    return is_changed ? job->kind->changed : astar_status_text(status);
}

void astarL_accountjob(lua_State *L, astarL_Job *job, bool is_owed)
{
    const AstarJobKind *core = job->kind->core;
    if (core != NULL && core->bytes != NULL && job->core != NULL)
        astarL_accountgrowth(L, &job->bytes, core->bytes(job->core), is_owed);
}

// Returns the type of the running method's object from the method's second upvalue. Raises an error
// if the value is not a type of job, since debug.setupvalue may have replaced it.
static astarL_Type job_type(lua_State *L)
{
    lua_Number type = lua_tonumber(L, lua_upvalueindex(2));
    if (!(type >= 0 && type <= ASTARL_RESOLVING))
        luaL_error(L, "debug.setupvalue has replaced an upvalue of this function");
    return (astarL_Type)type;
}

int astarL_job_step(lua_State *L)
{
    astarL_Job *job = astarL_checkopen(L, 1, job_type(L));
    astarL_Budget budget = astarL_checkbudget(L, 2);
    if (job->core == NULL) // a finalizer may have closed it
        astarL_checkopen(L, 1, job->kind->type);
    lua_settop(L, 1);
    bool is_owners = job->kind->core == NULL;
    bool has_ended = is_owners && job->status == ASTAR_OK; // a finished job is not stepped again
    AstarStatus status = has_ended ? ASTAR_OK : job->kind->step(L, job, budget);
    bool is_success = status == ASTAR_OK || status == ASTAR_RUNNING;
    if (status == ASTAR_NO_MEMORY || (is_owners && !is_success))
        return astarL_fail(L, status);
    job->status = status;
    astarL_accountjob(L, job, astarL_isbyclock(budget));
    lua_pushstring(L, astarL_jobstatus(job, job->status));
    return 1;
}

void astarL_closejob(lua_State *L, void *object)
{
    astarL_Job *job = object;
    void *core = job->core;
    if (core == NULL)
        return;
    astarL_forgive(L, job->bytes);
    job->core = NULL;
    job->bytes = 0;
    job->turn++;
    if (job->kind->close != NULL)
        job->kind->close(L, job, core);
    else if (job->kind->core != NULL)
        job->kind->core->close(core);
}

// Closes the job at index 1 and drops the job's reference to its owner.
int astarL_job_close(lua_State *L)
{
    astarL_closejob(L, astarL_checkobject(L, 1, job_type(L)));
    lua_newtable(L);
    lua_setuservalue(L, 1);
    return 0;
}

void astarL_pushjobfield(lua_State *L, const void *object, const char *name)
{
    const astarL_Job *job = object;
    const AstarJobKind *core = job->kind->core;
    if (strcmp(name, "status") == 0)
        lua_pushstring(L,
                       astarL_jobstatus(job, core != NULL ? core->status(job->core) : job->status));
    else if (strcmp(name, "expanded") == 0 && core != NULL)
        lua_pushinteger(L, (lua_Integer)core->expanded(job->core));
}

// The functions below are for jobs that work on an object which their owner holds.

// job.result --> the owner of the job, once the job is done
static void push_owned_field(lua_State *L, const void *object, const char *name)
{
    astarL_pushjobfield(L, object, name);
    if (strcmp(name, "result") == 0 && ((const astarL_Job *)object)->status == ASTAR_OK)
        astarL_pushpart(L, 1, ASTARL_JOB_OWNER, LUA_TUSERDATA);
}

static const astarL_Function job_methods[] = {
    {"close", 1, astarL_job_close},
    {"step", 2, astarL_job_step},
    {"", 0, NULL},
};

const astarL_Class astarL_jobclass = {.type = ASTARL_JOB,
                                      .methods = job_methods,
                                      .close = astarL_closejob,
                                      .field = push_owned_field,
                                      .fields = "status\0result\0"};
