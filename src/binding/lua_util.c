// lua_util.c -- the base of all files of the binding: objects, arguments, errors.

#include "binding/lua_util.h"

#include "binding/lua_share.h"

#include <assert.h>
#include <lauxlib.h>
#include <math.h>
#include <string.h>

// objects

// Addresses that serve as keys of the metatables in the registry. If one state has loaded two
// builds of the module, their addresses differ, so each build refuses the objects of the other.
static const char registry_keys[ASTARL_TYPES];
// The names of a type in error messages: the first name is used for an open object, the second for
// a closed object.
static const struct TypeNames {
    const char *name, *closed;
} types[] = {
    {"astar job", "job"},
    {"astar search", "search"},
    {"astar graph search", "search"},
    {"astar route search", "search"},
    {"astar resolving job", "job"},
    {"astar grid", "grid"},
    {"astar finder", "finder"},
    {"astar path", "path"},
    {"astar field", "field"},
    {"astar query", "query"},
    {"astar flow", "flow"},
    {"astar baked data", "baked data"},
    {"astar workspace", "workspace"},
    {"astar graph", "graph"},
    {"astar graph finder", "finder"},
    {"astar graph path", "path"},
    {"astar graph reach", "reach"},
    {"astar crowd", "crowd"},
    {"astar unit", "unit"},
    {"astar world", "world"},
    {"astar world finder", "finder"},
    {"astar route", "route"},
    {"astar workers", "workers"},
    {"astar batch", "batch"},
    {"astar leftovers", "leftovers"},
};
static_assert(sizeof types / sizeof *types == ASTARL_TYPES, "names for each type");

// Returns the seal that the header of an object must contain. The object's metatable must be on the
// top of the stack. Comparing seals needs no look-up in the registry. The seal is a single word,
// because every path object is allocated and swept with it.
static uintptr_t seal_of(lua_State *L, astarL_Type type)
{
    return (uintptr_t)&registry_keys[type] ^ (uintptr_t)lua_topointer(L, -1);
}

static void push_metatable(lua_State *L, astarL_Type type)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &registry_keys[type]);
}

void astarL_nomore(lua_State *L, int most, const char *name, bool is_method)
{
    for (int arg = most + 1; arg <= lua_gettop(L); arg++)
        if (!lua_isnil(L, arg)) {
            lua_pushstring(L, name);
            lua_pushinteger(L, most - is_method);
            lua_pushvalue(L, arg);
            lua_pushinteger(L, arg - is_method);
            astarL_complain(L, "too_many", 4);
        }
}

// Calls the function whose description is the first upvalue. The second upvalue is the type to
// which the method belongs.
static int call_function(lua_State *L)
{
    if (!lua_islightuserdata(L, lua_upvalueindex(1))) // replaced by debug.setupvalue
        return luaL_error(L, "debug.setupvalue has replaced an upvalue of this function");
    const astarL_Function *function = lua_touserdata(L, lua_upvalueindex(1));
    if (lua_gettop(L) > function->most) {
        astarL_Type type = (astarL_Type)lua_tointeger(L, lua_upvalueindex(2));
        if (type != ASTARL_TYPES)
            astarL_checkobject(L, 1, type);
        astarL_nomore(L, function->most, function->name, type != ASTARL_TYPES);
        lua_settop(L, function->most);
    }
    return function->call(L);
}

void astarL_setfunctions(lua_State *L, const astarL_Function *functions, astarL_Type type)
{
    for (; functions->name[0] != '\0'; functions++) {
        lua_pushlightuserdata(L, (void *)functions);
        lua_pushinteger(L, type);
        lua_pushcclosure(L, call_function, 2);
        lua_setfield(L, -2, functions->name);
    }
}

// Returns the class that is an upvalue of a metamethod. Returns NULL if debug.setupvalue has
// replaced it.
static const astarL_Class *class_of_call(lua_State *L, int upvalue)
{
    bool is_own = lua_islightuserdata(L, lua_upvalueindex(upvalue));
    return is_own ? lua_touserdata(L, lua_upvalueindex(upvalue)) : NULL;
}

static const astarL_Class *check_class(lua_State *L, int upvalue)
{
    const astarL_Class *class = class_of_call(L, upvalue);
    if (class == NULL)
        luaL_error(L, "debug.setupvalue has replaced an upvalue of this function");
    return class;
}

// Returns true if an object is open. The header of an object is followed by a pointer to the
// resource that the object owns or belongs to. The pointer is NULL once the object is closed.
static inline bool is_open_object(const void *object)
{
    void *owned;
    memcpy(&owned, (const astarL_Header *)object + 1, sizeof owned);
    return owned != NULL;
}

static void release_owned(const astarL_Class *class, void *object)
{
    void *owned, *none = NULL;
    memcpy(&owned, (astarL_Header *)object + 1, sizeof owned);
    memcpy((astarL_Header *)object + 1, &none, sizeof none);
    if (owned != NULL && class->release != NULL)
        class->release(owned);
}

// Closes an object for the garbage collector. Ignores a forged object, because an error must not
// stop the collector.
static int object_gc(lua_State *L)
{
    const astarL_Class *class = class_of_call(L, 1);
    void *object = class != NULL ? astarL_testobject(L, 1, class->type) : NULL;
    if (object != NULL && class->close != NULL)
        class->close(L, object);
    else if (object != NULL)
        release_owned(class, object);
    return 0;
}

// Pushes the text for tostring. The text is the name of the object's type if tell.lua is missing or
// runs out of memory.
static int object_tostring(lua_State *L)
{
    const astarL_Class *class = check_class(L, 1);
    const void *object = astarL_checkobject(L, 1, class->type);
    lua_settop(L, 1);
    if (!is_open_object(object)) {
        lua_pushfstring(L, "%s (closed)", types[class->type].name);
    } else if (class->tell != NULL) {
        class->tell(L, object);
    } else {
        astarL_pushhelper(L, "tell");
        lua_pushstring(L, types[class->type].name);
        lua_pushvalue(L, 1);
        if (lua_pcall(L, 3, 1, 0) != 0 || lua_type(L, -1) != LUA_TSTRING)
            lua_pushstring(L, types[class->type].name);
    }
    return 1;
}

// Raises the error of the function 'check' of checks.lua about the field name at index 2. Passes
// the name of the type, the field name, and a list of the names of all methods and fields.
_Noreturn static void complain_of_field(lua_State *L, const astarL_Class *class, const char *check)
{
    lua_pushstring(L, types[class->type].name);
    lua_pushvalue(L, 2);
    lua_newtable(L);
    for (const astarL_Function *f = class->methods; f != NULL && f->name[0] != '\0'; f++)
        astarL_addname(L, f->name);
    for (const char *name = class->fields; name != NULL && *name != '\0'; name += strlen(name) + 1)
        astarL_addname(L, name);
    astarL_complain(L, check, 3);
}

// Raises an error for an unknown field. For names that begin with '_' the function pushes nil,
// because Lua and tools read such fields of any value.
static int no_field(lua_State *L)
{
    const astarL_Class *class = check_class(L, 2);
    bool is_of_tools = lua_type(L, 2) == LUA_TSTRING && lua_tostring(L, 2)[0] == '_';
    if (!is_of_tools && astarL_nameamong(L, 2, class->fields) < 0)
        complain_of_field(L, class, "no_field");
    lua_pushnil(L);
    return 1;
}

// Raises an error for an assignment to a field. Without this function Lua's message would say that
// the object cannot be indexed.
static int object_newindex(lua_State *L)
{
    complain_of_field(L, check_class(L, 1), "read_only");
}

static void set_metamethod(lua_State *L, const astarL_Class *class, const char *name,
                           lua_CFunction function)
{
    lua_pushlightuserdata(L, (void *)class);
    lua_pushcclosure(L, function, 1);
    lua_setfield(L, -2, name);
}

// Pushes the item with the number at index 2. Returns false if there is no such item.
static bool push_item(lua_State *L, const astarL_Class *class, const void *object)
{
    lua_Number index = lua_tonumber(L, 2);
    bool is_there = index >= 1 && index <= class->count(object) && index == floor(index);
    if (is_there)
        class->item(L, object, (int)index);
    return is_there;
}

// Pushes the method with the name at index 2, or nil. Returns true if there is such a method.
static bool push_method(lua_State *L)
{
    if (!lua_istable(L, lua_upvalueindex(1))) // replaced by debug.setupvalue
        luaL_error(L, "debug.setupvalue has replaced an upvalue of this function");
    lua_pushvalue(L, 2);
    lua_rawget(L, lua_upvalueindex(1));
    return !lua_isnil(L, -1);
}

static inline void check_open(lua_State *L, const void *object, astarL_Type type)
{
    if (!is_open_object(object))
        luaL_error(L, "%s is closed", types[type].closed);
}

// Raises an error for a loop by ipairs over an object with items, because the loop would work only
// in Lua 5.3 and later. The loop is recognised by its iterator, a C function that a `for` has
// called.
static void refuse_ipairs(lua_State *L, astarL_Type type)
{
    lua_Debug caller;
    if (LUA_VERSION_NUM < 503 || lua_tonumber(L, 2) != 1 || !lua_getstack(L, 1, &caller))
        return;
    lua_getinfo(L, "Sn", &caller);
    if (caller.what[0] == 'C' && strcmp(caller.namewhat, "for iterator") == 0)
        luaL_error(L, "ipairs needs a table, got %s: write for i = 1, #path do, and path[i]",
                   types[type].name);
}

// Pushes an item, a method or a field of an object. A closed object with items raises an error at
// any index; methods of other closed objects can still be read.
static int object_index(lua_State *L)
{
    const astarL_Class *class = check_class(L, 2);
    const void *object = astarL_checkobject(L, 1, class->type);
    int type = lua_type(L, 2);
    if (class->item != NULL)
        check_open(L, object, class->type);
    if (class->item != NULL && type == LUA_TNUMBER) {
        refuse_ipairs(L, class->type);
        return push_item(L, class, object);
    }
    if (type != LUA_TSTRING)
        return no_field(L);
    if (push_method(L))
        return 1;
    int top = lua_gettop(L);
    check_open(L, object, class->type);
    class->field(L, object, lua_tostring(L, 2));
    return lua_gettop(L) > top ? 1 : no_field(L);
}

static int object_length(lua_State *L)
{
    const astarL_Class *class = check_class(L, 1);
    lua_pushinteger(L, class->count(astarL_checkopen(L, 1, class->type)));
    return 1;
}

// Pushes the value of __index, given the table of methods on the top of the stack. For a type
// without fields the value is the table itself, which makes calls fastest; unknown names are then
// looked up in the metatable of the table. For a type with fields the value is a function.
static void set_index(lua_State *L, const astarL_Class *class)
{
    if (class->field == NULL) {
        lua_pushvalue(L, -1);
        lua_createtable(L, 0, 1);
        lua_insert(L, -2);
    }
    lua_pushlightuserdata(L, (void *)class);
    lua_pushcclosure(L, class->field != NULL ? object_index : no_field, 2);
    if (class->field == NULL) {
        lua_setfield(L, -2, "__index");
        lua_setmetatable(L, -2);
    }
}

static void new_type(lua_State *L, const astarL_Class *class)
{
    push_metatable(L, class->type);
    bool is_known = lua_istable(L,
                                -1); // the module was loaded before: existing objects keep working
    lua_pop(L, 1);
    if (is_known)
        return;
    lua_pushlightuserdata(L, (void *)&registry_keys[class->type]);
    lua_newtable(L);
    set_metamethod(L, class, "__gc", object_gc);
    set_metamethod(L, class, "__newindex", object_newindex);
    set_metamethod(L, class, "__tostring", object_tostring);
    if (class->count != NULL)
        set_metamethod(L, class, "__len", object_length);
    lua_newtable(L);
    if (class->methods != NULL)
        astarL_setfunctions(L, class->methods, class->type);
    set_index(L, class);
    lua_setfield(L, -2, "__index");
    lua_pushstring(L, types[class->type].name);
    lua_setfield(L, -2, "__name");
    lua_pushliteral(L, "astar");
    lua_setfield(L, -2, "__metatable");
    lua_rawset(L, LUA_REGISTRYINDEX); // visible only now, when it is complete
}

void astarL_newtypes(lua_State *L, const astarL_Class *const *classes)
{
    for (; *classes != NULL; classes++)
        new_type(L, *classes);
}

void *astarL_newobject(lua_State *L, astarL_Type type, size_t size)
{
    astarL_Header *object = lua_newuserdata(L, size);
    memset(object, 0, size);
    push_metatable(L, type);
    object->seal = seal_of(L, type);
    lua_setmetatable(L, -2);
    return object;
}

void astarL_setparts(lua_State *L, int self, const int *places, int count)
{
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; i++) {
        lua_pushvalue(L, places[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setuservalue(L, self);
}

void astarL_pushparts(lua_State *L, int arg)
{
    bool is_object = lua_type(L, arg) == LUA_TUSERDATA;
    if (is_object)
        lua_getuservalue(L, arg);
    if (!is_object || !lua_istable(L, -1))
        luaL_error(L, "debug.setuservalue has replaced the data that astar keeps for %s",
                   astarL_describe(L, arg));
}

void astarL_pushpart(lua_State *L, int arg, int part, int type)
{
    astarL_pushparts(L, arg);
    lua_rawgeti(L, -1, part);
    lua_remove(L, -2);
    if (lua_type(L, -1) != type)
        luaL_error(L, "debug.setuservalue has replaced the data that astar keeps for %s",
                   astarL_describe(L, arg));
}

void *astarL_testobject(lua_State *L, int arg, astarL_Type type)
{
    astarL_Header *object = lua_touserdata(L, arg);
    if (object == NULL || lua_rawlen(L, arg) < sizeof *object) // a light userdata has length 0
        return NULL;
    if (!lua_getmetatable(L, arg))
        return NULL;
    bool is_ours = object->seal == seal_of(L, type);
    lua_pop(L, 1);
    return is_ours ? object : NULL;
}

// Pushes the value at 'arg', or nil if there is no such argument.
static void push_argument(lua_State *L, int arg)
{
    if (lua_isnone(L, arg))
        lua_pushnil(L);
    else
        lua_pushvalue(L, arg);
}

// Returns the name of the running method if it is a method of the type 'type', else NULL. See
// call_function.
static const char *method_that_runs(lua_State *L, astarL_Type type)
{
    if (!lua_islightuserdata(L, lua_upvalueindex(1)) ||
        lua_type(L, lua_upvalueindex(2)) != LUA_TNUMBER ||
        lua_tointeger(L, lua_upvalueindex(2)) != (lua_Integer)type)
        return NULL;
    return ((const astarL_Function *)lua_touserdata(L, lua_upvalueindex(1)))->name;
}

void *astarL_checkobject(lua_State *L, int arg, astarL_Type type)
{
    void *object = astarL_testobject(L, arg, type);
    if (object == NULL) {
        push_argument(L, arg);
        lua_pushstring(L, types[type].name);
        lua_pushstring(L, arg == 1 ? method_that_runs(L, type) : NULL);
        astarL_complain(L, "kind", 3);
    }
    return object;
}

void *astarL_checkopen(lua_State *L, int arg, astarL_Type type)
{
    void *object = astarL_checkobject(L, arg, type);
    check_open(L, object, type);
    return object;
}

uint64_t astarL_cursor(lua_State *L)
{
    lua_Number cursor = lua_tonumber(L, lua_upvalueindex(2));
    return cursor > 0 && cursor < 9007199254740992.0 ? (uint64_t)cursor : 0;
}

void astarL_setcursor(lua_State *L, uint64_t cursor)
{
    lua_pushnumber(L, (lua_Number)cursor);
    lua_replace(L, lua_upvalueindex(2));
}

int astarL_iterate(lua_State *L, lua_CFunction next, int kept)
{
    lua_settop(L, kept);
    lua_pushinteger(L, 0);
    lua_insert(L, 2);
    lua_pushcclosure(L, next, kept + 1);
    return 1;
}

astarL_Area astarL_areaof(const astarL_Finder *finder)
{
    const AstarGrid *grid = astar_finder_grid(finder->core);
    return (astarL_Area){finder->x0, finder->y0, astar_grid_width(grid), astar_grid_height(grid)};
}

void astarL_checkheld(lua_State *L, const void *held)
{
    if (held == NULL)
        luaL_error(L, "closed by a finalizer in the middle of the call");
}

// arguments

const char *astarL_describe(lua_State *L, int arg)
{
    push_argument(L, arg);
    int value = lua_gettop(L);
    astarL_pushhelper(L, "describe");
    lua_pushvalue(L, value);
    if (lua_isfunction(L, value + 1))
        lua_call(L, 2, 1);
    else
        lua_pushstring(L, luaL_typename(L, value));
    lua_replace(L, value);
    lua_settop(L, value);
    return lua_tostring(L, value);
}

int astarL_badvalue(lua_State *L, int arg, const char *what)
{
    luaL_error(L, "%s, got %s", what, astarL_describe(L, arg));
}

const char *astarL_pushnumber(lua_State *L, lua_Number number)
{
    lua_pushnumber(L, number);
    astarL_describe(L, lua_gettop(L));
    lua_remove(L, -2);
    return lua_tostring(L, -1);
}

static lua_Number check_range(lua_State *L, int arg, lua_Number least, lua_Number most,
                              const char *name, bool whole)
{
    if (lua_type(L, arg) == LUA_TNUMBER) {
        lua_Number number = lua_tonumber(L, arg);
        if (number >= least && number <= most && (!whole || number == floor(number)))
            return number;
    }
    push_argument(L, arg);
    lua_pushnumber(L, least);
    lua_pushnumber(L, most);
    lua_pushstring(L, name);
    astarL_complain(L, whole ? "whole" : "real", 4);
}

lua_Number astarL_checkwhole(lua_State *L, int arg, lua_Number least, lua_Number most,
                             const char *name)
{
    return check_range(L, arg, least, most, name, true);
}

// Reads a whole number from 'least' to 'most' at 'arg'. Returns false if the value is anything
// else.
static inline bool read_int(lua_State *L, int arg, int least, int most, int *read)
{
#if LUA_VERSION_NUM >= 503
    if (lua_isinteger(L, arg)) {
        lua_Integer integer = lua_tointeger(L, arg);
        *read = (int)integer;
        return integer >= least && integer <= most;
    }
#endif
    if (lua_type(L, arg) != LUA_TNUMBER)
        return false;
    lua_Number number = lua_tonumber(L, arg);
    if (!(number >= least && number <= most && number == (int)number))
        return false;
    *read = (int)number;
    return true;
}

int astarL_checkint(lua_State *L, int arg, int least, int most, const char *name)
{
    int read;
    if (read_int(L, arg, least, most, &read))
        return read;
    return (int)astarL_checkwhole(L, arg, least, most, name);
}

lua_Number astarL_checkreal(lua_State *L, int arg, lua_Number least, lua_Number most,
                            const char *name)
{
    return check_range(L, arg, least, most, name, false);
}

void astarL_checkcell(lua_State *L, int arg, const AstarGrid *grid, int x0, int y0,
                      const char *x_name, const char *y_name, int *x, int *y)
{
    *x = astarL_checkint(L, arg, x0, x0 + astar_grid_width(grid) - 1, x_name) - x0;
    *y = astarL_checkint(L, arg + 1, y0, y0 + astar_grid_height(grid) - 1, y_name) - y0;
}

// Raises an error unless the argument at 'arg' is a whole number of any size.
static void check_any_whole(lua_State *L, int arg, int least, int most, const char *name)
{
    lua_Number number = lua_type(L, arg) == LUA_TNUMBER ? lua_tonumber(L, arg) : (lua_Number)NAN;
    if (!(number == floor(number) && fabs(number) < (lua_Number)INFINITY))
        astarL_checkwhole(L, arg, least, most, name);
}

bool astarL_findcell(lua_State *L, int arg, const AstarGrid *grid, int x0, int y0, int *x, int *y)
{
    int x1 = x0 + astar_grid_width(grid) - 1, y1 = y0 + astar_grid_height(grid) - 1;
    if (read_int(L, arg, x0, x1, x) && read_int(L, arg + 1, y0, y1, y)) {
        *x -= x0;
        *y -= y0;
        return true;
    }
    check_any_whole(L, arg, x0, x1, "x");
    check_any_whole(L, arg + 1, y0, y1, "y");
    return false;
}

astarL_Ends astarL_checkends(lua_State *L, int arg, const AstarGrid *grid, int x0, int y0,
                             bool of_route)
{
    static const char *const names[2][4] = {{"x0", "y0", "x1", "y1"}, {"sx", "sy", "gx", "gy"}};
    const char *const *n = names[of_route];
    astarL_Ends ends;
    astarL_checkcell(L, arg, grid, x0, y0, n[0], n[1], &ends.x0, &ends.y0);
    astarL_checkcell(L, arg + 2, grid, x0, y0, n[2], n[3], &ends.x1, &ends.y1);
    return ends;
}

astarL_Ends astarL_checkfinderends(lua_State *L, int arg, const astarL_Finder *finder,
                                   bool of_route)
{
    astarL_checkheld(L, finder->core);
    return astarL_checkends(L, arg, astar_finder_grid(finder->core), finder->x0, finder->y0,
                            of_route);
}

AstarCell astarL_checkorigin(lua_State *L, int arg)
{
    return (AstarCell){astarL_checkint(L, arg, -ASTAR_MAX_ORIGIN, ASTAR_MAX_ORIGIN, "x0"),
                       astarL_checkint(L, arg + 1, -ASTAR_MAX_ORIGIN, ASTAR_MAX_ORIGIN, "y0")};
}

// Returns true if a terrain may have the cost 'cost'.
static bool is_terrain_cost(lua_Number cost)
{
    return (cost >= ASTAR_COST_MIN && cost <= ASTAR_COST_MAX) || (isinf(cost) && cost > 0);
}

double astarL_checkcost(lua_State *L, int arg, const char *name)
{
    if (lua_type(L, arg) == LUA_TBOOLEAN && !lua_toboolean(L, arg))
        return INFINITY;
    if (lua_type(L, arg) == LUA_TNUMBER && is_terrain_cost(lua_tonumber(L, arg)))
        return lua_tonumber(L, arg);
    push_argument(L, arg);
    lua_pushstring(L, name);
    astarL_complain(L, "cost", 2);
}

int astarL_rawfield(lua_State *L, int table, const char *name)
{
    if (!lua_istable(L, table)) {
        lua_pushnil(L);
        return LUA_TNIL;
    }
    lua_pushstring(L, name);
#if LUA_VERSION_NUM >= 503
    return lua_rawget(L, table);
#else
    lua_rawget(L, table);
    return lua_type(L, -1);
#endif
}

void astarL_setinteger(lua_State *L, const char *name, lua_Integer value)
{
    lua_pushinteger(L, value);
    lua_setfield(L, -2, name);
}

void astarL_pushcopy(lua_State *L, int table)
{
    lua_newtable(L);
    int copy = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, table) != 0;) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, copy);
    }
}

void astarL_pushpoint(lua_State *L, int x, int y, int x0, int y0)
{
    lua_createtable(L, 0, 2);
    astarL_setinteger(L, "x", x + x0);
    astarL_setinteger(L, "y", y + y0);
}

bool astarL_keepfunction(lua_State *L, int options, const char *name, int parts, int part)
{
    int type = astarL_rawfield(L, options, name);
    if (type != LUA_TNIL && type != LUA_TFUNCTION)
        luaL_error(L, "%s must be a function, got %s", name, astarL_describe(L, lua_gettop(L)));
    lua_rawseti(L, parts, part);
    return type == LUA_TFUNCTION;
}

// outcomes

void astarL_pushsaved(lua_State *L, astarL_Save *save)
{
    void *bytes = NULL;
    size_t room = 0, length;
    int top = lua_gettop(L);
    while ((length = save(L, bytes, room)) > room) {
        lua_settop(L, top);
        bytes = lua_newuserdata(L, length);
        room = length;
    }
    lua_pushlstring(L, bytes, length);
}

int astarL_nomemory(lua_State *L)
{
    lua_pushliteral(L, "not enough memory");
    lua_error(L);
}

void astarL_checkstack(lua_State *L, int slots)
{
    if (!lua_checkstack(L, slots))
        astarL_nomemory(L);
}

int astarL_refuse(lua_State *L, const char *reason)
{
    lua_pushnil(L);
    lua_pushstring(L, reason);
    return 2;
}

int astarL_fail(lua_State *L, AstarStatus status)
{
    if (status == ASTAR_NO_MEMORY)
        return astarL_nomemory(L);
    if (status == ASTAR_GRID_CHANGED)
        return luaL_error(L, "grid was edited during the search: a callback may not edit the grid "
                             "or the field to avoid; edit after the call");
    bool is_ground = status == ASTAR_BAD_GROUND;
    if (is_ground || status == ASTAR_BAD_LINKS_AND_WALLS)
        return luaL_error(L, "algorithm \"jps\" cannot honour %s",
                          is_ground ? "ground of several costs" : "links and walls");
    if (status == ASTAR_BAD_WRAP) {
        lua_Debug called = {.name = NULL};
        if (lua_getstack(L, 0, &called))
            lua_getinfo(L, "n", &called);
        bool is_known = called.name != NULL &&
                        *called.namewhat != 'l'; // not the name of a local variable
        return luaL_error(L, "maps that wrap around cannot honour %s",
                          is_known ? called.name : "this");
    }
    if (status == ASTAR_BAD_COST || status == ASTAR_BAD_OPTION || status == ASTAR_BAD_CELL)
        return luaL_error(L, "%s", astar_status_text(status));
    return astarL_refuse(L, astar_status_text(status));
}

// The functions below let files of Lua implement methods, and let one C function implement several
// methods.

int astarL_answerby(lua_State *L, const char *file)
{
    const astarL_Function *function = lua_touserdata(L, lua_upvalueindex(1));
    lua_Integer type = lua_tointeger(L, lua_upvalueindex(2));
    if (type < 0 || type >= ASTARL_TYPES) // replaced by debug.setupvalue
        return luaL_error(L, "debug.setupvalue has replaced an upvalue of this function");
    astarL_checkopen(L, 1, (astarL_Type)type);
    return astarL_askhelper(L, file, function->name);
}

bool astarL_iscalled(lua_State *L, const char *name)
{
    const astarL_Function *function = lua_touserdata(L, lua_upvalueindex(1));
    return strcmp(function->name, name) == 0;
}

int astarL_byplaces(lua_State *L)
{
    return astarL_answerby(L, "places");
}

// The functions below call the files of lua/astar from C.

// Address that serves as the key of the helper function in the registry.
static const char helper_key;

int astarL_set_helper(lua_State *L)
{
    lua_settop(L, 1);
    lua_pushlightuserdata(L, (void *)&helper_key);
    lua_insert(L, 1);
    lua_rawset(L, LUA_REGISTRYINDEX);
    return 0;
}

void astarL_pushhelper(lua_State *L, const char *file)
{
    lua_pushlightuserdata(L, (void *)&helper_key);
    lua_rawget(L, LUA_REGISTRYINDEX);
    lua_pushstring(L, file);
}

int astarL_askabout(lua_State *L, const char *file, const char *name, int given)
{
    int before = lua_gettop(L);
    astarL_pushhelper(L, file);
    lua_pushstring(L, name);
    for (int i = 1; i <= given; i++)
        lua_pushvalue(L, before - given + i);
    if (!lua_isfunction(L, before + 1))
        return luaL_error(L, "%s needs astar's Lua files", name);
    lua_call(L, given + 2, LUA_MULTRET);
    if (lua_isboolean(L, before + 1) && !lua_toboolean(L, before + 1))
        return luaL_error(L, "%s", lua_tostring(L, before + 2));
    return lua_gettop(L) - before;
}

int astarL_askhelper(lua_State *L, const char *file, const char *name)
{
    return astarL_askabout(L, file, name, lua_gettop(L));
}

int astarL_complain(lua_State *L, const char *check, int given)
{
    astarL_askabout(L, "arguments", check, given);
    luaL_error(L, "%s found nothing wrong", check);
}

void astarL_addname(lua_State *L, const char *name)
{
    lua_pushstring(L, name);
    lua_rawseti(L, -2, (int)lua_rawlen(L, -2) + 1);
}

void astarL_pushnames(lua_State *L, const char *names)
{
    lua_newtable(L);
    for (; *names != '\0'; names += strlen(names) + 1)
        astarL_addname(L, names);
}

bool astarL_isname(lua_State *L, int arg, const char *name)
{
    size_t length;
    const char *text = lua_type(L, arg) == LUA_TSTRING ? lua_tolstring(L, arg, &length) : NULL;
    return text != NULL && length == strlen(name) && memcmp(text, name, length) == 0;
}

int astarL_nameamong(lua_State *L, int arg, const char *names)
{
    for (int i = 0; names != NULL && *names != '\0'; names += strlen(names) + 1, i++)
        if (astarL_isname(L, arg, names))
            return i;
    return -1;
}
