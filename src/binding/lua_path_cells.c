// lua_path_cells.c -- for x, y in path:cells() do.
//
// The iterator is a C function, but under LuaJIT: that compiles no call of one, and to leave
// compiled code and come back at each cell takes five times as long as not to compile at all. There
// the iterator is a function of Lua's, which gets some dozens of cells at a time. Either reads a
// copy of the path's turning points, so that nothing done to the path meanwhile matters.

#include "binding/lua_path.h"

// The only upvalue of a C function that goes over cells.
typedef struct CellIterator {
    lua_CFunction function; // whose it is
    int x0, y0;
    AstarPathCursor cursor;
    AstarPath path; // its points follow
} CellIterator;

// Pushes a function over the cells of the path at 1 but for the first 'skipped'.
static void push_cell_function(lua_State *L, lua_CFunction function, int skipped)
{
    const astarL_Path *path = lua_touserdata(L, 1);
    CellIterator *state = lua_newuserdata(L, sizeof *state + astarL_pathbytes(&path->core));
    astarL_checkheld(L, path->finder);
    state->function = function;
    state->x0 = path->x0;
    state->y0 = path->y0;
    astarL_copypath(&state->path, &path->core);
    state->cursor = astar_path_cursor(&state->path);
    for (int x, y; skipped > 0; skipped--)
        astar_path_next(&state->cursor, &x, &y);
    lua_pushcclosure(L, function, 1);
}

// The state of such a function, unless debug.setupvalue has put something else in its place.
static CellIterator *check_cell_state(lua_State *L, lua_CFunction function)
{
    CellIterator *state = lua_touserdata(L, lua_upvalueindex(1));
    if (state == NULL || lua_rawlen(L, lua_upvalueindex(1)) < sizeof *state ||
        state->function != function)
        luaL_error(L, "the function has another upvalue than its own");
    return state;
}

static int next_path_cell(lua_State *L)
{
    CellIterator *state = check_cell_state(L, next_path_cell);
    int x, y;
    if (!astar_path_next(&state->cursor, &x, &y))
        return 0;
    return astarL_pushcell(L, x, y, state->x0, state->y0);
}

#if LUA_VERSION_NUM == 501 // LuaJIT or not: only running tells

// The table that the iterator has for an upvalue: where the cell stands that it gave last, where
// the last it can give, the C function that fetches more, false where that is all; x1, y1, x2, y2,
// ...
enum { AT = 1, LAST, FETCH, CELLS, CELLS_A_FETCH = 32 };

static const char lua_iterator_key;
static const char lua_iterator[] = "local some = ...\n"
                                   "return function()\n"
                                   "  local at = some[1]\n"
                                   "  if at == some[2] then\n"
                                   "    if not some[3] then return end\n"
                                   "    at = some[3](some)\n"
                                   "    if not at then return end\n"
                                   "  end\n"
                                   "  some[1] = at + 2\n"
                                   "  return some[at + 2], some[at + 3]\n"
                                   "end\n";

// Puts the next cells into the table at 'some'; how many.
static int fetch_cells(lua_State *L, int some, AstarPathCursor *cursor, int x0, int y0)
{
    int count = 0, x, y;
    for (int i = CELLS; count < CELLS_A_FETCH && astar_path_next(cursor, &x, &y); i += 2, count++) {
        lua_pushinteger(L, x + x0);
        lua_rawseti(L, some, i);
        lua_pushinteger(L, y + y0);
        lua_rawseti(L, some, i + 1);
    }
    return count;
}

static void set_part(lua_State *L, int some, int part, int value)
{
    lua_pushinteger(L, value);
    lua_rawseti(L, some, part);
}

// Fetches more cells into the table at 1 --> what AT then begins with; nothing at the end
static int fetch_more_cells(lua_State *L)
{
    CellIterator *state = check_cell_state(L, fetch_more_cells);
    lua_settop(L, 1);
    luaL_checktype(L, 1, LUA_TTABLE); // debug may have put something else in its place
    int count = fetch_cells(L, 1, &state->cursor, state->x0, state->y0);
    if (count == 0)
        return 0;
    set_part(L, 1, LAST, CELLS + 2 * (count - 1));
    lua_pushinteger(L, CELLS - 2);
    return 1;
}

// Pushes an iterator of Lua's over the path at 1, under LuaJIT.
static bool push_lua_iterator(lua_State *L, const astarL_Path *path)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &lua_iterator_key);
    if (!lua_isfunction(L, -1))
        return false;
    int cells = path->core.cells < CELLS_A_FETCH ? path->core.cells : CELLS_A_FETCH;
    lua_createtable(L, FETCH + 2 * cells, 0);
    int some = lua_gettop(L);
    AstarPathCursor cursor = astar_path_cursor(&path->core);
    int count = fetch_cells(L, some, &cursor, path->x0, path->y0);
    set_part(L, some, AT, CELLS - 2);
    set_part(L, some, LAST, CELLS + 2 * (count - 1));
    if (count == CELLS_A_FETCH)
        push_cell_function(L, fetch_more_cells, CELLS_A_FETCH);
    else
        lua_pushboolean(L, false);
    lua_rawseti(L, some, FETCH);
    lua_call(L, 1, 1);
    return true;
}

// Whether jit is among the modules loaded and compiles.
static bool is_compiling(lua_State *L)
{
    lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED");
    if (!lua_istable(L, -1) || astarL_rawfield(L, lua_gettop(L), "jit") != LUA_TTABLE ||
        astarL_rawfield(L, lua_gettop(L), "status") != LUA_TFUNCTION)
        return false;
    lua_call(L, 0, 1);
    return lua_toboolean(L, -1);
}

void astarL_openpathcells(lua_State *L)
{
    int top = lua_gettop(L);
    if (is_compiling(L)) {
        lua_pushlightuserdata(L, (void *)&lua_iterator_key);
        if (luaL_loadbuffer(L, lua_iterator, sizeof lua_iterator - 1, "=path:cells") != 0)
            lua_error(L);
        lua_rawset(L, LUA_REGISTRYINDEX);
    }
    lua_settop(L, top);
}

#else

static bool push_lua_iterator(lua_State *L, const astarL_Path *path)
{
    (void)L;
    (void)path;
    return false;
}

void astarL_openpathcells(lua_State *L)
{
    (void)L;
}

#endif

// path:cells() --> an iterator
int astarL_path_cells(lua_State *L)
{
    const astarL_Path *path = astarL_checkpath(L, 1);
    lua_settop(L, 1);
    if (!push_lua_iterator(L, path))
        push_cell_function(L, next_path_cell, 0);
    return 1;
}
