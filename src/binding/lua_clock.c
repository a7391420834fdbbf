// lua_clock.c -- measures budgets in milliseconds, and runs work within them.
//
// os.clock counts the processor time of the whole process and needs a system call. Games measure
// frames in real time, and the monotonic clock can be read without a system call.

#if !defined(_WIN32) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE // for clock_gettime
#endif

#include "binding/lua_clock.h"

#include <math.h>

#if defined(_WIN32)

#include "binding/lua_windows.h"

double astarL_seconds(void)
{
    LARGE_INTEGER count, frequency;
    QueryPerformanceCounter(&count);
    QueryPerformanceFrequency(&frequency);
    return (double)count.QuadPart / (double)frequency.QuadPart;
}

#else

#include <time.h>

double astarL_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

#endif

int astarL_clock(lua_State *L)
{
    lua_pushnumber(L, astarL_seconds());
    return 1;
}

// budgets

bool astarL_isbyclock(astarL_Budget budget)
{
    return isfinite(budget.seconds);
}

// Upper limit of the number of expansions between two readings of the clock. Without this limit, a
// run of cheap expansions could be followed by thousands of expensive ones before the clock is
// read.
enum { MOST_BETWEEN_GLANCES = 64 };

// Runs parts of the work until the time is over or the work has ended. The number of expansions
// between two readings of the clock is adjusted so that the clock is read about every ten
// microseconds, whether expansions are fast or slow.
static AstarStatus run_for(astarL_Budget budget, astarL_Slice slice, void *work, void *context)
{
    const double glance = 10e-6;
    double now = astarL_seconds(), end = now + budget.seconds;
    for (uint64_t chunk = 4;;) {
        uint64_t expansions = chunk < budget.expansions ? chunk : budget.expansions;
        AstarStatus status = slice(work, expansions, context);
        budget.expansions -= expansions;
        double before = now;
        now = astarL_seconds();
        if (status != ASTAR_RUNNING || budget.expansions == 0 || now >= end)
            return status;
        if (now - before < glance / 2 && chunk < MOST_BETWEEN_GLANCES)
            chunk *= 2;
        else if (now - before > glance && chunk > 1)
            chunk /= 2;
    }
}

AstarStatus astarL_runslices(astarL_Budget budget, astarL_Slice slice, void *work, void *context)
{
    return astarL_isbyclock(budget) ? run_for(budget, slice, work, context)
                                    : slice(work, budget.expansions, context);
}
