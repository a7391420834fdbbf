// lua_windows.h -- Includes windows.h without the names that the core uses for other purposes.

#ifndef ASTAR_LUA_WINDOWS_H
#define ASTAR_LUA_WINDOWS_H

#define WIN32_LEAN_AND_MEAN
#define NOGDI  // defines Rectangle
#define NOUSER // other such names
#include <windows.h>
#undef near
#undef far

#endif
