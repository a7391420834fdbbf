// lua_options.c -- reads tables that scripts pass: options, lists and goals.
//
// Lists and cells are read by raw access. Options may also come from __index, all at the beginning
// of a call: astarL_plainoptions copies a table that has a metatable, and the copy is read by raw
// access. An entry that no code would read is an error, so that a misspelt name is noticed.

#include "binding/lua_options.h"

#include "binding/lua_util.h"

#include <math.h>
#include <string.h>

// names

int astarL_checkname(lua_State *L, int arg, const char *names, const char *option)
{
    int place = astarL_nameamong(L, arg, names);
    if (place >= 0)
        return place;
    lua_pushvalue(L, arg);
    lua_pushstring(L, option);
    astarL_pushnames(L, names);
    astarL_complain(L, "one_of", 3);
}

// Raises the error that checks.lua finds in the options at 'arg'. 'names' are the names that are
// allowed.
_Noreturn static void complain_of_options(lua_State *L, int arg, const char *names)
{
    lua_pushvalue(L, arg);
    astarL_pushnames(L, names);
    astarL_complain(L, "options", 2);
}

void astarL_checklast(lua_State *L, int arg, const char *name)
{
    if (!lua_isnoneornil(L, arg) && !lua_istable(L, arg))
        complain_of_options(L, arg, "");
    astarL_nomore(L, arg, name, true);
    lua_settop(L, arg);
}

void astarL_plainoptions(lua_State *L, int arg, const char *names)
{
    if (!lua_istable(L, arg) || !lua_getmetatable(L, arg))
        return;
    lua_pop(L, 1);
    astarL_checkstack(L, 5);
    // True if the table holds an unknown name, for which the caller raises an error.
    bool is_refused = false;
    for (lua_pushnil(L); lua_next(L, arg) != 0; lua_pop(L, 1))
        is_refused |= lua_type(L, -2) == LUA_TSTRING &&
                      astarL_nameamong(L, lua_gettop(L) - 1, names) < 0;
    astarL_pushcopy(L, arg);
    int copy = lua_gettop(L);
    for (; !is_refused && *names != '\0'; names += strlen(names) + 1) {
        lua_pushstring(L, names);
        lua_pushvalue(L, -1);
        lua_gettable(L, arg); // an error inside __index is passed on
        lua_rawset(L, copy);
    }
    lua_replace(L, arg);
}

void astarL_checkoptions(lua_State *L, int arg, const char *names)
{
    if (lua_isnoneornil(L, arg))
        return;
    if (!lua_istable(L, arg))
        complain_of_options(L, arg, names);
    astarL_plainoptions(L, arg, names);
    for (lua_pushnil(L); lua_next(L, arg) != 0; lua_pop(L, 1))
        if (astarL_nameamong(L, lua_gettop(L) - 1, names) < 0)
            complain_of_options(L, arg, names);
}

// values

lua_Number astarL_readreal(lua_State *L, int options, const char *name, lua_Number least,
                           lua_Number most, lua_Number otherwise)
{
    if (astarL_rawfield(L, options, name) != LUA_TNIL)
        otherwise = astarL_checkreal(L, lua_gettop(L), least, most, name);
    lua_pop(L, 1);
    return otherwise;
}

lua_Number astarL_readwhole(lua_State *L, int options, const char *name, lua_Number least,
                            lua_Number most, lua_Number otherwise)
{
    if (astarL_rawfield(L, options, name) != LUA_TNIL)
        otherwise = astarL_checkwhole(L, lua_gettop(L), least, most, name);
    lua_pop(L, 1);
    return otherwise;
}

uint64_t astarL_readmost(lua_State *L, int options, uint64_t otherwise)
{
    lua_Number most = astarL_readwhole(L, options, "max_expansions", 1, ASTARL_MOST_WHOLE, 0);
    return most > 0 ? (uint64_t)most : otherwise;
}

bool astarL_checkflag(lua_State *L, int arg, const char *name, bool otherwise)
{
    if (lua_isnoneornil(L, arg))
        return otherwise;
    if (!lua_isboolean(L, arg))
        luaL_error(L, "%s must be a boolean, got %s", name, astarL_describe(L, arg));
    return lua_toboolean(L, arg);
}

bool astarL_readflag(lua_State *L, int options, const char *name, bool otherwise)
{
    astarL_rawfield(L, options, name);
    otherwise = astarL_checkflag(L, lua_gettop(L), name, otherwise);
    lua_pop(L, 1);
    return otherwise;
}

// lists

// Returns true if the key at 'arg' is a whole number from 1 to 'most'.
static bool is_place(lua_State *L, int arg, lua_Number most)
{
    if (lua_type(L, arg) != LUA_TNUMBER)
        return false;
    lua_Number key = lua_tonumber(L, arg);
    return key >= 1 && key <= most && key == floor(key);
}

bool astarL_hasplace(lua_State *L, int arg)
{
    bool has_place = astarL_rawfield(L, arg, "x") != LUA_TNIL;
    has_place |= astarL_rawfield(L, arg, "y") != LUA_TNIL;
    lua_pop(L, 2);
    return has_place;
}

const char *astarL_strayentry(lua_State *L, int arg, lua_Number most, const char *also)
{
    int top = lua_gettop(L);
    bool is_any = false;
    for (lua_pushnil(L); lua_next(L, arg) != 0; lua_pop(L, 1))
        is_any |= !is_place(L, -2, most) && (also == NULL || !astarL_isname(L, -2, also));
    if (!is_any)
        return NULL;
    lua_pushvalue(L, arg);
    lua_pushnumber(L, most);
    lua_pushstring(L, also);
    astarL_askabout(L, "arguments", "stray", 3);
    lua_replace(L, top + 1);
    lua_settop(L, top + 1);
    return lua_tostring(L, -1);
}

// The length operator is not used for a list with gaps. The operator may return the index before
// any of the gaps, and different indices in different versions of Lua.
size_t astarL_lengthof(lua_State *L, int arg, const char **stray)
{
    size_t count = 0, all = 0;
    for (lua_pushnil(L); lua_next(L, arg) != 0; lua_pop(L, 1), all++)
        count += is_place(L, -2, (lua_Number)INFINITY);
    *stray = count < all ? astarL_strayentry(L, arg, (lua_Number)INFINITY, NULL) : NULL;
    if (count == (size_t)lua_rawlen(L, arg))
        return count;
    size_t length = 0;
    bool is_gap = false;
    while (!is_gap) {
        lua_rawgeti(L, arg, (int)++length);
        is_gap = lua_isnil(L, -1);
        lua_pop(L, 1);
    }
    return length;
}

void astarL_pushgoal(lua_State *L, int goals, size_t number)
{
    lua_rawgeti(L, goals, (int)number);
    if (!lua_istable(L, -1))
        luaL_error(L, "goals[%d] must be a cell {x, y}, got %s", (int)number,
                   astarL_describe(L, lua_gettop(L)));
}

const char *astarL_pushnth(lua_State *L, astarL_Nth nth)
{
    return nth.number > 0 ? lua_pushfstring(L, "%ss[%d]", nth.word, (int)nth.number)
                          : lua_pushfstring(L, "%s", nth.word);
}

// Returns a coordinate of the goal at 'goal', counted from 0: the goal's field 'name', or else its
// element 'index'.
static int read_coordinate(lua_State *L, int goal, astarL_Nth nth, const char *name, int index,
                           int least, int cells)
{
    if (astarL_rawfield(L, goal, name) == LUA_TNIL)
        lua_rawgeti(L, goal, index);
    lua_Number place = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) - least : -1;
    if (place >= 0 && place < cells && place == floor(place))
        return (int)place;
    const char *called = lua_pushfstring(L, "%s.%s", astarL_pushnth(L, nth), name);
    lua_insert(L, -3); // with the name below it, so that the name is not collected
    lua_pop(L, 1);
    return astarL_checkint(L, lua_gettop(L), least, least + cells - 1, called) - least;
}

AstarCell astarL_readgoal(lua_State *L, astarL_Area area, int goal, astarL_Nth nth, bool is_valued)
{
    const char *stray = astarL_hasplace(L, goal)
                            ? NULL
                            : astarL_strayentry(L, goal, is_valued ? 3 : 2, NULL);
    if (stray != NULL)
        luaL_error(L, "%s must be %s, got an entry [%s]%s", astarL_pushnth(L, nth),
                   is_valued ? "a cell {x, y} or {x, y, extra cost}" : "a cell {x, y}", stray,
                   !is_valued && strcmp(stray, "3") == 0
                       ? ": extra costs of goals are for finder:flow and find_nearest"
                       : "");
    AstarCell cell;
    cell.x = read_coordinate(L, goal, nth, "x", 1, area.x0, area.width);
    cell.y = read_coordinate(L, goal, nth, "y", 2, area.y0, area.height);
    lua_settop(L, goal);
    return cell;
}

size_t astarL_checkgoals(lua_State *L, int arg)
{
    const char *stray;
    size_t count = astarL_lengthof(L, arg, &stray);
    if (count > ASTAR_MAX_CELLS)
        luaL_error(L, "goals must be a list of at most %d cells", ASTAR_MAX_CELLS);
    if (stray != NULL && stray[0] == '"' && count == 0)
        luaL_error(L, "goals must be a list of cells, got a table without goals[1]");
    if (stray != NULL)
        luaL_error(L, "goals are counted from 1, got an entry [%s]", stray);
    for (size_t i = 1; i <= count; i++) {
        astarL_pushgoal(L, arg, i);
        lua_pop(L, 1);
    }
    return count;
}

// Pushes an array of cells for the core with the goals of the list at 'arg'. The first two cells of
// the array are left free for a map's origin and size.
static AstarCell *push_listed_goals(lua_State *L, int arg, astarL_Area area, size_t *count)
{
    *count = astarL_checkgoals(L, arg);
    AstarCell *cells = lua_newuserdata(L, (*count + 2) * sizeof *cells);
    int top = lua_gettop(L);
    for (size_t i = 0; i < *count; i++) {
        astarL_pushgoal(L, arg, i + 1);
        cells[i + 2] = astarL_readgoal(L, area, top + 1, (astarL_Nth){"goal", i + 1}, false);
        lua_settop(L, top);
    }
    return cells;
}

// Returns the goals that are packed in the string on the top of the stack, which belongs to a set.
// Returns NULL if there is no string, or if the string is invalid or belongs to a map of another
// origin or size. A script can put any string there.
static const AstarCell *unpack_goals(lua_State *L, const AstarCell frame[2], size_t *count)
{
    size_t length = 0;
    const void *bytes = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &length) : NULL;
    const AstarCell *cells = bytes;
    *count = length / sizeof *cells;
    if (*count < 2 || memcmp(cells, frame, 2 * sizeof *cells) != 0)
        return NULL;
    for (size_t i = 2; i < *count; i++)
        if ((unsigned)cells[i].x >= (unsigned)frame[1].x ||
            (unsigned)cells[i].y >= (unsigned)frame[1].y)
            return NULL;
    *count -= 2;
    return cells + 2;
}

bool astarL_isgoalset(lua_State *L, int arg)
{
    int type = astarL_rawfield(L, arg, "packed");
    lua_pop(L, 1);
    return type != LUA_TNIL;
}

const AstarCell *astarL_pushgoals(lua_State *L, int arg, astarL_Area area, size_t *count)
{
    if (!astarL_isgoalset(L, arg))
        return push_listed_goals(L, arg, area, count) + 2;
    const AstarCell frame[2] = {{area.x0, area.y0}, {area.width, area.height}};
    astarL_rawfield(L, arg, "packed");
    const AstarCell *goals = unpack_goals(L, frame, count);
    if (goals != NULL)
        return goals;
    if (astarL_rawfield(L, arg, "list") != LUA_TTABLE)
        astarL_badvalue(L, arg, "goals must be a list of cells");
    AstarCell *cells = push_listed_goals(L, lua_gettop(L), area, count);
    memcpy(cells, frame, sizeof frame);
    lua_pushliteral(L, "packed");
    lua_pushlstring(L, (const char *)cells, (*count + 2) * sizeof *cells);
    lua_rawset(L, arg);
    return cells + 2;
}
