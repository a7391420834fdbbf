// dump.c -- fuzzes astar_grid_load and astar.load: an error, or a grid that is saved and loaded to
// the same bytes.
//
// The hash at the end of a dump is put right here, so that what it guards is read at all. An input
// is a dump without that hash. A run of millions of cells is a valid dump, too, and questions about
// it take their time: max_cells is told, and seen to hold.

#include "astar.h"
#include "input.h"
#include "state.h"

#include <string.h>

enum { HASH = 8, MOST_BYTES = 1 << 12, MOST_CELLS = 16384 };

static const char lua_check[] =
    "local astar = require 'astar'\n"
    "return function(dump)\n"
    "  local ok, grid = pcall(astar.load, dump, { max_cells = 16384 })\n"
    "  if not ok then\n"
    "    assert(grid:find(\"^not a grid's dump, or a damaged one\")\n" // a cure may follow
    "      or grid:find '^a dump of %d+ x %d+ cells: .* max_cells, 16384$', grid)\n"
    "    return\n"
    "  end\n"
    "  local again = grid:dump()\n"
    "  assert(astar.load(again):dump() == again, 'not the same string')\n"
    "  local x0, y0, x1, y1 = grid:bounds()\n"
    "  local w, h = grid:size()\n"
    "  assert(x1 - x0 + 1 == w and y1 - y0 + 1 == h and w * h <= 16384, 'bounds')\n"
    "  grid:find_path(x0, y0, x1, y1)\n"
    "  grid:find_path(x1, y1, x0, y0, { diagonals = 'always', size = 2, partial = true })\n"
    "  assert(#grid:draw() > 0, 'no drawing')\n"
    "  assert(type(grid:links()) == 'table', 'no links')\n"
    "  assert(#grid:clone():dump() == #again, 'another clone')\n"
    "end";

static void add_hash(uint8_t *dump, size_t size)
{
    uint64_t value = 0xCBF29CE484222325u; // FNV-1a
    for (size_t i = 0; i < size; i++)
        value = (value ^ dump[i]) * 0x100000001B3u;
    for (int i = 0; i < HASH; i++, value >>= 8)
        dump[size + (size_t)i] = (uint8_t)value;
}

static lua_State *open_checker(void)
{
    lua_State *L = state_open();
    if (luaL_dostring(L, lua_check) != LUA_OK)
        broken(lua_tostring(L, -1), __FILE__, __LINE__);
    return L;
}

// What can be loaded can be saved without its names, and comes back as the same bytes.
static void load_by_core(const uint8_t *dump, size_t size)
{
    AstarGrid *grid = NULL, *again = NULL;
    AstarSaved saved;
    if (astar_grid_load(NULL, dump, size, MOST_CELLS, &grid, &saved) != ASTAR_OK)
        return;
    size_t length = astar_grid_save(grid, NULL, NULL, 0);
    uint8_t *bytes = malloc(2 * length);
    REQUIRE(bytes != NULL && astar_grid_save(grid, NULL, bytes, length) == length);
    REQUIRE(astar_grid_load(NULL, bytes, length, MOST_CELLS, &again, &saved) == ASTAR_OK);
    REQUIRE(astar_grid_save(again, NULL, bytes + length, length) == length);
    REQUIRE(memcmp(bytes, bytes + length, length) == 0);
    free(bytes);
    astar_grid_release(grid);
    astar_grid_release(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static lua_State *L;
    if (L == NULL)
        L = open_checker();
    if (size > MOST_BYTES)
        return 0;
    uint8_t dump[MOST_BYTES + HASH];
    memcpy(dump, data, size);
    add_hash(dump, size);
    load_by_core(dump, size + HASH);
    lua_pushvalue(L, 1);
    lua_pushlstring(L, (const char *)dump, size + HASH);
    if (lua_pcall(L, 1, 0, 0) != LUA_OK)
        broken(lua_tostring(L, -1), __FILE__, __LINE__);
    lua_settop(L, 1);
    lua_gc(L, LUA_GCSTEP, 10);
    return 0;
}
