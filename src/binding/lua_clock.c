// lua_clock.c -- the time that budgets in milliseconds are measured by.
//
// os.clock counts the processor's time of the whole process and asks the kernel for it; a frame is
// a matter of real time, and the monotonic clock is read without leaving the process.

#if !defined(_WIN32) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE // for clock_gettime
#endif

#include "binding/lua_clock.h"

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
