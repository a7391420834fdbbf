// lua_job.h -- jobs: work that takes longer than a frame, done in several steps.
//
// Every job has step, status and close: searches of grids, graphs and worlds, plans for crowds, and
// an "astar job" for any other work in steps. A table of type astarL_JobKind describes how the
// kinds differ.

#ifndef ASTAR_LUA_JOB_H
#define ASTAR_LUA_JOB_H

#include "binding/lua_clock.h"
#include "binding/lua_util.h"

// Reads the budget at 'arg': a number of expansions, 1 if absent, or {ms =, expansions =}. A part
// of the milliseconds goes into work deferred by earlier steps: garbage collection, whose
// finalizers may close objects that were open, and deferred frees.
astarL_Budget astarL_checkbudget(lua_State *L, int arg);

// deferred frees

// Frees baked data, or defers that to later steps.
void astarL_freebaked(lua_State *L, AstarBaked *baked);
// Continues the deferred frees within a budget.
void astarL_clearleftovers(lua_State *L, astarL_Budget budget);
// Completes all deferred frees immediately.
void astarL_freeleftovers(lua_State *L);
void astarL_openleftovers(lua_State *L);

// jobs

typedef struct astarL_JobKind {
    astarL_Type type;
    // Operations of its core object; NULL if there is none and it works on an object that its owner
    // holds.
    const AstarJobKind *core;
    // Steps the job at 1, with nothing else on the stack. The caller raises the error if memory
    // runs out and, if there is no core object, the error of any other fault.
    AstarStatus (*step)(lua_State *L, astarL_Job *job, astarL_Budget budget);
    const char *done; // name of the status after a success
    const char *
        changed; // name of the status after the map was edited; NULL: the text of astar_status_text
    // Closes its core object, if that takes more than the close of AstarJobKind; NULL if it does
    // not.
    void (*close)(lua_State *L, astarL_Job *job, void *core);
} astarL_JobKind;

// Index of a job's owner in its uservalue.
enum { ASTARL_JOB_OWNER = 1 };
// Pushes a job without a core object that belongs to the object at 'owner'. With 0 the caller sets
// the uservalue afterwards.
void *astarL_newjob(lua_State *L, const astarL_JobKind *kind, size_t size, int owner);
// Pushes an "astar job" on an object that the one at 'owner' holds.
void astarL_pushjob(lua_State *L, int owner, const astarL_JobKind *kind);
// Pushes the owner of the "astar job" at 'arg'. Returns false and pushes nothing if that is no job
// of this kind or is closed.
bool astarL_pushjobowner(lua_State *L, int arg, const astarL_JobKind *kind);
bool astarL_isclosedjob(lua_State *L, int arg);
// Returns the name of a status.
const char *astarL_jobstatus(const astarL_Job *job, AstarStatus status);
// Charges the growth of its core object's memory to the collector.
void astarL_chargejob(lua_State *L, astarL_Job *job, bool is_owed);
// job:step([n | {ms =, expansions =}]) --> "running" | name of the success | reason
int astarL_job_step(lua_State *L);
// job:close(): frees its memory immediately
int astarL_job_close(lua_State *L);
// Close and fields of the classes of jobs: the second pushes the fields status and expanded.
void astarL_closejob(lua_State *L, void *object);
void astarL_pushjobfield(lua_State *L, const void *object, const char *name);

// Returns the data that the job at 'arg' is to bake, if workers can do that, else NULL.
AstarBaked *astarL_tobaking(lua_State *L, int arg);

#endif
