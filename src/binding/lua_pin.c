// lua_pin.c -- keeps the module's code in memory until the process ends.
//
// A closing Lua state unloads its C libraries, but finalizers of other objects may still call into
// these libraries. Therefore the library is opened a second time, by an address in it, and never
// closed. A module linked into the same file as Lua is never unloaded, and on some platforms, such
// as wasm, there is no dynamic loader.

#if !defined(_WIN32) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE // for dladdr
#endif

#include "binding/lua_pin.h"

#include "binding/lua_clock.h"

#include <lua.h>

static const char inside_library = 0;

#if defined(_WIN32)
#include "binding/lua_windows.h"

void astarL_pin(void)
{
    HMODULE library;
    GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_PIN | GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS,
                       &inside_library, &library);
}

#else
#include <dlfcn.h>

void astarL_pin(void)
{
    Dl_info own, lua;
    if (dladdr(&inside_library, &own) != 0 && dladdr((void *)(size_t)lua_gettop, &lua) != 0 &&
        own.dli_fbase != lua.dli_fbase)
        dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}
#endif
