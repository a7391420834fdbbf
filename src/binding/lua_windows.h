// lua_windows.h -- windows.h without names that the core has for its own things.

#ifndef ASTAR_LUA_WINDOWS_H
#define ASTAR_LUA_WINDOWS_H

#define WIN32_LEAN_AND_MEAN
#define NOGDI  // Rectangle
#define NOUSER // and more of the like
#include <windows.h>
#undef near
#undef far

#endif
