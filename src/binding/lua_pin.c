// lua_pin.c -- keeps the module's code in memory until the process ends.
//
// A closing state unloads its C libraries while finalizers of other objects may still call into
// them. So the library is loaded once more, by the address of something in it, and never unloaded.
// Linkers that can mark a library so are not all linkers, and not everyone who builds asks them to.

#if !defined(_WIN32) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE // for dladdr
#endif

#include "binding/lua_pin.h"

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
    Dl_info library;
    if (dladdr(&inside_library, &library) != 0)
        dlopen(library.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

#endif
