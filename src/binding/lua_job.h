// lua_job.h -- jobs: work that takes longer than a frame, done in several steps.
//
// Every job has the methods step and close and the field status: searches of grids, graphs and
// worlds, plans for crowds, and an "astar job" for any other work in steps. A table of type
// astarL_JobKind describes how the kinds differ.

#ifndef ASTAR_LUA_JOB_H
#define ASTAR_LUA_JOB_H

#include "binding/lua_clock.h"
#include "binding/lua_util.h"

// Reads the budget of a step at 'arg': a number of expansions, 1 if absent, or {ms =, expansions
// =}. A part of the milliseconds is spent on work deferred by earlier steps: deferred frees, and
// garbage collection. The collector may run finalizers, which may close objects that the caller has
// checked.
astarL_Budget astarL_checkbudget(lua_State *L, int arg);

// deferred frees

// Frees baked data, or leaves the freeing to later steps of jobs.
void astarL_freebaked(lua_State *L, AstarBaked *baked);
// Continues the deferred frees, within a budget.
void astarL_cleardeferredfrees(lua_State *L, astarL_Budget budget);
// Completes all deferred frees immediately.
void astarL_freeleftovers(lua_State *L);
void astarL_opendeferredfrees(lua_State *L);

// jobs

typedef struct astarL_JobKind {
    astarL_Type type;
    // The operations of the job's core object. NULL if the job has no core object and works on an
    // object that its owner holds.
    const AstarJobKind *core;
    // Steps the job at index 1, with nothing else on the stack. If memory runs out, the caller
    // raises the error. If the job has no core object, the caller also raises the errors of other
    // faults.
    AstarStatus (*step)(lua_State *L, astarL_Job *job, astarL_Budget budget);
    const char *done; // name of the status after a success
    const char *
        changed; // name of the status after the map was edited; NULL: the text of astar_status_text
    // Closes the job's core object. NULL if the close function of AstarJobKind suffices.
    void (*close)(lua_State *L, astarL_Job *job, void *core);
} astarL_JobKind;

// Index of a job's owner in its uservalue.
enum { ASTARL_JOB_OWNER = 1 };
// Pushes a job that belongs to the object at 'owner'. The job has no core object yet. If 'owner' is
// 0, the caller sets the job's uservalue afterwards.
void *astarL_newjob(lua_State *L, const astarL_JobKind *kind, size_t size, int owner);
// Pushes an "astar job" that works on an object held by the object at 'owner'.
void astarL_pushjob(lua_State *L, int owner, const astarL_JobKind *kind);
// Pushes the owner of the "astar job" at 'arg'. Returns false and pushes nothing if the value at
// 'arg' is not an open job of this kind.
bool astarL_pushjobowner(lua_State *L, int arg, const astarL_JobKind *kind);
bool astarL_isclosedjob(lua_State *L, int arg);
// Returns the name of a job's status for scripts.
const char *astarL_jobstatus(const astarL_Job *job, AstarStatus status);
// Reports the growth of the job's memory to the garbage collector, as astarL_accountgrowth does.
void astarL_accountjob(lua_State *L, astarL_Job *job, bool is_owed);
// job:step([n | {ms =, expansions =}]) --> "running" | name of the success | reason of the failure
int astarL_job_step(lua_State *L);
// job:close(): frees the job's memory immediately
int astarL_job_close(lua_State *L);
// Close a job of any class, and push a job's fields status and expanded.
void astarL_closejob(lua_State *L, void *object);
void astarL_pushjobfield(lua_State *L, const void *object, const char *name);

// Returns the data that the job at 'arg' bakes, if workers can bake it, else NULL.
AstarBaked *astarL_tobaking(lua_State *L, int arg);

#endif
