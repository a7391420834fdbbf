// lua_keys.h -- the script's names for terrains.
//
// The core numbers terrains; scripts name them by strings, integers or booleans. A grid's uservalue
// holds both ways of the translation, as plain Lua tables that only raw access touches.

#ifndef ASTAR_LUA_KEYS_H
#define ASTAR_LUA_KEYS_H

#include "binding/lua_util.h"

// Pushes the table 'which' of the uservalue of the grid at 'arg'.
void astarL_pushkeys(lua_State *L, int arg, int which);
// The terrain of a grid whose key is at 'key', or -1, looked up in the table at 'terrains'.
int astarL_findterrain(lua_State *L, const AstarGrid *core, int terrains, int key);
// What is to be done about the unknown key at 'arg', to follow in an error; "" for what is no key.
const char *astarL_cureofkey(lua_State *L, int arg);
// The same for the grid at 'arg'; an error names an unknown key.
int astarL_checkterrain(lua_State *L, int arg, int key);
// Pushes a grid that is still to be given its core and the names of its terrains.
astarL_Grid *astarL_pushunmade(lua_State *L);
// Pushes a new grid, its one terrain not named yet.
astarL_Grid *astarL_pushgrid(lua_State *L, AstarOffset offset, int width, int height, int x0,
                             int y0);
// Adds the key at 'key', one that astarL_iskey takes and the grid lacks, as its next terrain.
void astarL_addterrain(lua_State *L, int arg, int key, double cost);
// Makes the key at 'key', likewise, that of a terrain.
void astarL_nameterrain(lua_State *L, int arg, int key, int terrain);
// The name at 'index' of a list that the object at 1 has, which holds its text.
AstarName astarL_nameat(lua_State *L, int list, int index);
// Pushes what has a name, of a handle the value in the table at 'values'.
void astarL_pushname(lua_State *L, const AstarName *name, int values);
// Pushes the key of a terrain.
void astarL_pushkey(lua_State *L, int arg, int terrain);
// Whether a value can be a key.
bool astarL_iskey(lua_State *L, int arg);
// Whether a value can be the label of a link.
bool astarL_islabel(lua_State *L, int arg);
// The number of the label at 'label' in the grid at 'arg', a new one where it has none yet.
uint32_t astarL_addlabel(lua_State *L, int arg, int label);
// Pushes the label of a number, from the table of labels at 'labels': true for none.
void astarL_pushlabel(lua_State *L, int labels, uint32_t number);

// How many bytes the character at the beginning of a text takes; 1 where it is no UTF-8.
size_t astarL_character(const char *text, size_t length);

// ---- keys of cells, lua_keys.c ----

// Reads keys of cells, row by row, as terrains of a grid.
typedef struct astarL_KeyReader {
    const AstarGrid *core;
    int terrains;        // where the table of them stands
    int width, y;        // of a row, and the number of the first, for errors
    const char *what;    // that begins errors
    bool takes_false;    // as ASTARL_SOLID, which nothing can enter
    uint8_t *cells;      // where they go
    uint16_t known[256]; // by characters of ASCII, and 1; 0: not asked yet, or none
} astarL_KeyReader;

enum { ASTARL_SOLID = 255 };

size_t astarL_countcharacters(const char *text, size_t length);
// Reads all characters of a text, for the cells from 'at' on.
void astarL_readtext(lua_State *L, astarL_KeyReader *reader, int at, const char *text,
                     size_t length);
// The same of the row on the top: an error where it is not as wide.
void astarL_readrow(lua_State *L, astarL_KeyReader *reader, int at);
// Reads so many entries of the list at 'list'.
void astarL_readlist(lua_State *L, const astarL_KeyReader *reader, int at, int list, int count);

#endif
