// Defold's headers lack this one. What astar asks of it is what files are called in the registry.
#ifndef LUA_FILEHANDLE
#define LUA_FILEHANDLE "FILE*"
#endif
