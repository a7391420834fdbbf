// Defold keeps Lua here, and renames its functions where that is not LuaJIT.
#include <dmsdk/lua/lua.h>
