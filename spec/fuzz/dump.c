// dump.c -- fuzzes astar_grid_load, astar.load and astar.load_field. Loading must raise an error,
// or give a grid or a field that is saved to a string, and this string loads as an equal object.
//
// An input is a dump without the hash at its end. The fuzzer appends the right hash, because a
// wrong one would hide all the other checks. An input that begins like a field's dump is loaded as
// a field. A run of millions of equal cells is a valid dump as well, and queries over it take long.
// Therefore max_cells limits the cells, and the fuzzer checks that it does.

#include "astar.h"
#include "input.h"
#include "state.h"

#include <string.h>

enum { HASH = 8, MOST_BYTES = 1 << 12, MOST_CELLS = 16384 };

static const char lua_check[] =
    "local astar = require 'astar'\n"
    "local function check_field(dump)\n"
    "  local ok, field = pcall(astar.load_field, dump, { max_cells = 16384 })\n"
    "  if not ok then\n"
    "    assert(field:find(\"^not a field's dump, or a damaged one\")\n" // a hint may follow
    "      or field:find 'max_cells, 16384$', field)\n"
    "    return\n"
    "  end\n"
    "  local again = field:dump()\n"
    "  assert(astar.load_field(again):dump() == again, 'not the same string')\n"
    "  local x0, y0, x1, y1 = field:bounds()\n"
    "  assert((x1 - x0 + 1) * (y1 - y0 + 1) <= 16384, 'bounds')\n"
    "  for x = x0, x1 do\n"
    "    local value = field:get(x, y0)\n"
    "    assert(value >= -1e6 and value <= 1e6, 'value')\n"
    "  end\n"
    "  field:stamp(x0, y0, 3, 5)\n"
    "  field:scale(0.5)\n"
    "  field:add_field(field)\n"
    "end\n"
    "return function(dump)\n"
    "  if dump:find '^astar field' then return check_field(dump) end\n"
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
