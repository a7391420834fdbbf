// lua_charge.c -- memory outside of Lua's sight, told to its collector.
//
// To Lua a grid is a few words, to the process it may be megabytes. For grids that a script has
// dropped to be collected in time, what they hold is charged: the collector has to work as if Lua
// had allocated as much itself. One that the host has stopped stays so.
//
// Beside tables of many megabytes that work takes longer than a frame. So a step by the clock owes
// what it charges: later ones have the collector work for it a little at a time, within their
// budgets. What is closed before the next step but one is forgiven, as most short searches are.
// What else charges has all that is owed collected at once.

#include "binding/lua_charge.h"

#include "binding/lua_clock.h"
#include "binding/lua_util.h"

enum {
    LEAST = 1024,           // less is not worth a word
    MOST = 16 << 20,        // enough to make any collector hurry
    SMALL_STEP = 4096,      // bytes
    COLLECTED_PIECE = 1024, // bytes that are paid at a time
    ROOM = 4,               // kilobytes
    SMALL_STEPMUL = 4       // of Lua 5.4, whose steps go through 2,500 objects then
};

typedef struct Charges {
    size_t kilobytes;     // since the collector was last asked for its mode
    bool is_generational; // as it was then, or is known to be since
    size_t owed;          // bytes, MOST at most with:
    size_t fresh;         // those charged since the last payment
} Charges;

static const char charges_key;

static Charges *get_charges(lua_State *L)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &charges_key);
    Charges *charges = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return charges;
}

// Notes whether it collects by generations. Only by leaving that mode does it tell, and to return
// to it collects everything, in one go.
static bool learn_mode(lua_State *L)
{
#if LUA_VERSION_NUM >= 504
    bool is_generational = lua_gc(L, LUA_GCINC, 0, 0, 0) == LUA_GCGEN;
    if (is_generational)
        lua_gc(L, LUA_GCGEN, 0, 0);
    Charges *charges = get_charges(L); // a finalizer may have emptied the registry
    if (charges != NULL)
        charges->is_generational = is_generational;
    return is_generational;
#else
    (void)L;
    return false;
#endif
}

void astarL_opencharge(lua_State *L)
{
    if (get_charges(L) != NULL)
        return;
    lua_pushlightuserdata(L, (void *)&charges_key);
    Charges *charges = lua_newuserdata(L, sizeof *charges);
    *charges = (Charges){0};
    lua_rawset(L, LUA_REGISTRYINDEX);
    learn_mode(L);
}

#if LUA_VERSION_NUM >= 504

// A generational collector leaves alone what has grown old until Lua's own memory has nearly
// doubled, which a few words a grid may never bring about. So everything is collected once as much
// as Lua has of its own is charged.
static void collect_old(lua_State *L, Charges *charges)
{
    size_t own = (size_t)lua_gc(L, LUA_GCCOUNT, 0);
    if (charges->kilobytes < MOST / 1024 || charges->kilobytes < own)
        return;
    charges->kilobytes = 0;
    learn_mode(L);
}
#else

static void collect_old(lua_State *L, Charges *charges)
{
    (void)L;
    (void)charges;
}
#endif

#if LUA_VERSION_NUM < 502

// A step would restart a collector that the host has stopped. Garbage of that size, whose pages are
// never touched, makes a running one fall behind; it catches up a few kilobytes with each
// allocation, however large, so many small ones follow.
static int make_garbage(lua_State *L)
{
    size_t bytes = *(const size_t *)lua_touserdata(L, 1);
    lua_newuserdata(L, bytes);
    for (size_t caught_up = 0; caught_up < bytes; caught_up += SMALL_STEP) {
        lua_settop(L, 1);
        lua_newuserdata(L, 1);
    }
    return 0;
}
#endif

// Has the collector work as if so many bytes had been allocated. What they are charged for is done
// by then, so that a lack of memory is nobody's fault.
static void hurry(lua_State *L, size_t bytes)
{
#if LUA_VERSION_NUM >= 505
    // Whatever it is told, it makes one step, so it is told little by little until a cycle ends; a
    // generational step goes through all that is young, and more of them would only make it old.
    size_t piece = get_charges(L)->is_generational ? bytes : SMALL_STEP;
    bool has_ended = false;
    for (size_t told = 0; told < bytes && !has_ended; told += piece)
        has_ended = lua_gc(L, LUA_GCSTEP, piece) != 0;
#elif LUA_VERSION_NUM >= 502
    lua_gc(L, LUA_GCSTEP, (int)(bytes / 1024));
#else
    int status = lua_cpcall(L, make_garbage, &bytes);
    if (status == LUA_ERRMEM)
        lua_pop(L, 1);
    else if (status != 0)
        lua_error(L); // a finalizer's
#endif
}

#if LUA_VERSION_NUM == 504

// Takes so much for allocated, which brings a step of the collector now and then; true once that
// ends a cycle. A step of its own frees some 50,000 objects, or calls 1,000 finalizers, in one go,
// which takes more than a millisecond. It does the less the slower it is told to be.
static bool collect_slowly(lua_State *L, int kilobytes)
{
    int usual = lua_gc(L, LUA_GCSETSTEPMUL, SMALL_STEPMUL);
    bool has_ended = lua_gc(L, LUA_GCSTEP, kilobytes) > 0; // in a finalizer it does nothing: -1
    lua_gc(L, LUA_GCSETSTEPMUL, usual);
    return has_ended;
}
#endif

// Has it work for a piece of what is owed; true once it has come to the end of a cycle.
static bool pay_piece(lua_State *L, bool is_generational)
{
#if LUA_VERSION_NUM == 504
    if (!is_generational)
        return collect_slowly(L, COLLECTED_PIECE / 1024);
#else
    (void)is_generational;
#endif
#if LUA_VERSION_NUM >= 502
    return lua_gc(L, LUA_GCSTEP, COLLECTED_PIECE / (LUA_VERSION_NUM >= 505 ? 1 : 1024)) > 0;
#else
    // Garbage of that size. A cycle goes through all userdata in one go, but not through tables.
    lua_createtable(L, COLLECTED_PIECE / (int)sizeof(lua_Number), 0);
    lua_pop(L, 1);
    return false;
#endif
}

// Whether the host has not stopped it.
static bool is_collecting(lua_State *L)
{
#if LUA_VERSION_NUM >= 502
    return lua_gc(L, LUA_GCISRUNNING, 0) != 0;
#else
    (void)L;
    return true; // nothing here restarts it
#endif
}

// Notes that so many bytes are owed; NULL where nothing is to be done about them.
static Charges *note_charge(lua_State *L, size_t bytes)
{
    Charges *charges = bytes < LEAST ? NULL : get_charges(L);
    if (charges == NULL || !is_collecting(L)) // a script may have emptied the registry
        return NULL;
    charges->kilobytes += bytes / 1024;
    size_t most = MOST - charges->owed - charges->fresh;
    charges->fresh += bytes < most ? bytes : most;
    return charges;
}

void astarL_charge(lua_State *L, size_t bytes)
{
    Charges *charges = note_charge(L, bytes);
    if (charges == NULL)
        return;
    size_t owed = charges->owed + charges->fresh;
    charges->owed = charges->fresh = 0;
    collect_old(L, charges);
    hurry(L, owed);
}

void astarL_chargegrowth(lua_State *L, size_t *charged, size_t bytes, bool is_owed)
{
    if (bytes <= *charged)
        return;
    size_t more = bytes - *charged;
    *charged = bytes;
    if (is_owed)
        note_charge(L, more);
    else
        astarL_charge(L, more);
}

void astarL_forgive(lua_State *L, size_t bytes)
{
    Charges *charges = get_charges(L);
    if (charges == NULL)
        return;
    size_t kilobytes = bytes / 1024;
    charges->kilobytes -= kilobytes < charges->kilobytes ? kilobytes : charges->kilobytes;
    size_t fresh = bytes < charges->fresh ? bytes : charges->fresh;
    charges->fresh -= fresh;
    bytes -= fresh;
    charges->owed -= bytes < charges->owed ? bytes : charges->owed;
}

// Pays a piece of what is owed; false where there is nothing. A finalizer may do anything
// meanwhile.
static bool pay_some(lua_State *L, bool is_generational)
{
    Charges *charges = get_charges(L);
    if (charges == NULL || charges->owed == 0)
        return false;
    charges->owed -= charges->owed < COLLECTED_PIECE ? charges->owed : COLLECTED_PIECE;
    if (pay_piece(L, is_generational) && (charges = get_charges(L)) != NULL)
        charges->owed = 0;
    return true;
}

static void pay_owed(lua_State *L, double seconds)
{
    const double end = astarL_seconds() + seconds;
    collect_old(L, get_charges(L));
    const Charges *charges = get_charges(L);
    bool is_generational = charges != NULL && (charges->is_generational || learn_mode(L));
    while (astarL_seconds() < end && pay_some(L, is_generational))
        continue;
}

void astarL_pay(lua_State *L, double seconds)
{
    Charges *charges = get_charges(L);
    if (charges != NULL && charges->owed > 0 && is_collecting(L)) {
        pay_owed(L, seconds);
        charges = get_charges(L);
    }
    if (charges == NULL)
        return;
    charges->owed += charges->fresh;
    charges->fresh = 0;
}

int astarL_makeroom(lua_State *L)
{
#if LUA_VERSION_NUM == 504
    const Charges *charges = get_charges(L);
    if (charges == NULL || !is_collecting(L) || charges->is_generational || learn_mode(L))
        return 0;
    collect_slowly(L, ROOM);
    lua_gc(L, LUA_GCSTEP, -ROOM); // nothing was allocated
#else
    (void)L;     // its own steps are small
#endif
    return 0;
}
