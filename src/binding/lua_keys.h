// lua_keys.h -- translates the script's names of terrains and of link labels into numbers.
//
// In the core a terrain is a number; scripts name terrains by strings, integers or booleans. A
// grid's uservalue holds tables for both directions of the translation. These tables are read and
// written only by raw access.

#ifndef ASTAR_LUA_KEYS_H
#define ASTAR_LUA_KEYS_H

#include "binding/lua_util.h"

// Pushes the table 'which' of the uservalue of the grid at 'arg'.
void astarL_pushkeys(lua_State *L, int arg, int which);
// Returns the terrain for the key at 'key', looked up in the table at 'terrains'. Returns -1 if
// there is no such terrain.
int astarL_findterrain(lua_State *L, const AstarGrid *core, int terrains, int key);
// Returns advice about the unknown key at 'arg', to be appended to an error message. Returns "" if
// the value at 'arg' cannot be a key.
const char *astarL_cureofkey(lua_State *L, int arg);
// Returns the terrain for the key at 'key' in the grid at 'arg'. Raises an error, which names the
// key, if there is no such terrain.
int astarL_checkterrain(lua_State *L, int arg, int key);
// Pushes a grid that has neither a core object nor names of terrains yet.
astarL_Grid *astarL_pushunmade(lua_State *L);
// Pushes a new grid whose only terrain has no key yet.
astarL_Grid *astarL_pushgrid(lua_State *L, AstarOffset offset, int width, int height, int x0,
                             int y0);
// Adds a terrain with the key at 'key' to the grid at 'arg'. The key must be valid, as astarL_iskey
// defines it, and new to the grid.
void astarL_addterrain(lua_State *L, int arg, int key, double cost);
// Makes the value at 'key' the key of a terrain of the grid at 'arg'. The key must be valid and new
// to the grid.
void astarL_nameterrain(lua_State *L, int arg, int key, int terrain);
// Returns the name at 'index' of the list at 'list'. The list belongs to the object at index 1,
// which keeps the text of the name alive.
AstarName astarL_nameat(lua_State *L, int list, int index);
// Pushes the value of a name. If the name is a handle, its value comes from the table at 'values'.
void astarL_pushname(lua_State *L, const AstarName *name, int values);
// Pushes the key of a terrain of the grid at 'arg'.
void astarL_pushkey(lua_State *L, int arg, int terrain);
// Returns true if the value at 'arg' can be the key of a terrain.
bool astarL_iskey(lua_State *L, int arg);
// Returns true if the value at 'arg' can be the label of a link.
bool astarL_islabel(lua_State *L, int arg);
// Returns the number of the label at 'label' in the grid at 'arg'. Adds the label if it is new.
uint32_t astarL_addlabel(lua_State *L, int arg, int label);
// Pushes the label with the number 'number' from the table at 'labels'. Pushes true for the number
// 0, which means no label.
void astarL_pushlabel(lua_State *L, int labels, uint32_t number);

// Returns the number of bytes that the first character of a text takes: 1 if the text is not valid
// UTF-8.
size_t astarL_character(const char *text, size_t length);

// keys of cells

// The state of reading keys of cells, row by row, as terrains of a grid.
typedef struct astarL_KeyReader {
    const AstarGrid *core;
    int terrains;        // stack index of the table of terrains by key
    int width, y;        // width of a row in cells; index of the first row, for error messages
    const char *what;    // prefix of error messages
    bool takes_false;    // if set, false is read as ASTARL_SOLID, which nothing can enter
    uint8_t *cells;      // array into which the terrains are written
    uint16_t known[256]; // terrain + 1 by ASCII character; 0: not looked up yet, or none
} astarL_KeyReader;

enum { ASTARL_SOLID = 255 };

size_t astarL_countcharacters(const char *text, size_t length);
// Reads all characters of a text as terrains of the cells that begin at index 'at'.
void astarL_readtext(lua_State *L, astarL_KeyReader *reader, int at, const char *text,
                     size_t length);
// Reads the row on the top of the stack as terrains of the cells that begin at index 'at'. Raises
// an error if the row is not as wide as the grid.
void astarL_readrow(lua_State *L, astarL_KeyReader *reader, int at);
// Reads 'count' entries of the list at 'list' as terrains of the cells that begin at index 'at'.
void astarL_readlist(lua_State *L, const astarL_KeyReader *reader, int at, int list, int count);

#endif
