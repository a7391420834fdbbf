// lua_gc_account.c -- reports memory outside of Lua to Lua's garbage collector.
//
// Lua sees a grid as an object of a few words, although the grid may occupy megabytes of the
// process. Lua's collector would therefore free unused grids much too late. To prevent this, the
// memory of a grid is charged: the collector works as if Lua itself had allocated that memory. A
// collector that the host program has stopped stays stopped.
//
// If a script has tables of many megabytes, this work of the collector takes longer than a frame. A
// step with a time limit therefore only records its charges as owed, and later steps let the
// collector do the work a little at a time, within their budgets. If an object is closed before the
// second step after its charge, the charge is cancelled; this happens to most short searches. A
// charge outside of such steps makes the collector do all the work that is owed immediately.

#include "binding/lua_gc_account.h"

#include "binding/lua_clock.h"
#include "binding/lua_util.h"

enum {
    LEAST = 1024,           // smaller charges are not worth a call
    MOST = 16 << 20,        // enough to make any collector hurry
    SMALL_STEP = 4096,      // bytes
    COLLECTED_PIECE = 1024, // bytes paid at a time
    ROOM = 4,               // kilobytes
    SMALL_STEPMUL = 4       // of Lua 5.4, whose steps then visit 2,500 objects
};

typedef struct GcAccount {
    size_t kilobytes;     // charged since the mode of the collector was last asked for
    bool is_generational; // mode at that time, or known since
    size_t owed;          // bytes; together with 'fresh' at most MOST
    size_t fresh;         // bytes charged since the last payment
} GcAccount;

static const char gc_account_key;

static GcAccount *get_gc_account(lua_State *L)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &gc_account_key);
    GcAccount *accounts = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return accounts;
}

// Finds out whether the collector is generational, stores the answer and returns it. Lua reports
// the mode only when the mode is changed, and changing back to generational mode makes a full
// collection.
static bool learn_mode(lua_State *L)
{
#if LUA_VERSION_NUM >= 504
    bool is_generational = lua_gc(L, LUA_GCINC, 0, 0, 0) == LUA_GCGEN;
    if (is_generational)
        lua_gc(L, LUA_GCGEN, 0, 0);
    GcAccount *accounts = get_gc_account(L); // a finalizer may have emptied the registry
    if (accounts != NULL)
        accounts->is_generational = is_generational;
    return is_generational;
#else
    (void)L;
    return false;
#endif
}

void astarL_opengcaccount(lua_State *L)
{
    if (get_gc_account(L) != NULL)
        return;
    lua_pushlightuserdata(L, (void *)&gc_account_key);
    GcAccount *accounts = lua_newuserdata(L, sizeof *accounts);
    *accounts = (GcAccount){0};
    lua_rawset(L, LUA_REGISTRYINDEX);
    learn_mode(L);
}

#if LUA_VERSION_NUM >= 504

// Collects everything if the charges have reached the size of Lua's own memory. A generational
// collector does not touch old objects until Lua's own memory has nearly doubled, and the few words
// that Lua allocates for each grid may never have this effect.
static void collect_old(lua_State *L, GcAccount *accounts)
{
    size_t own = (size_t)lua_gc(L, LUA_GCCOUNT, 0);
    if (accounts->kilobytes < MOST / 1024 || accounts->kilobytes < own)
        return;
    accounts->kilobytes = 0;
    learn_mode(L);
}
#else

static void collect_old(lua_State *L, GcAccount *accounts)
{
    (void)L;
    (void)accounts;
}
#endif

#if LUA_VERSION_NUM < 502

// Creates garbage of the size at index 1, whose pages are never touched, so that a running
// collector has work to catch up with. A collection step is no alternative, because it would
// restart a collector that the host program has stopped. With each allocation, large or small, the
// collector catches up by a few kilobytes only. Therefore many small allocations follow.
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

// Makes the collector work as if 'bytes' bytes had been allocated. The operation that caused the
// charge has already succeeded, so a lack of memory is ignored.
static void hurry(lua_State *L, size_t bytes)
{
#if LUA_VERSION_NUM >= 505
    // Lua 5.5 makes one step for any given size. Therefore the size is passed in small pieces until
    // a cycle ends. In generational mode a step visits all young objects, and more steps would only
    // age them, so in this mode the size is passed in one call.
    size_t piece = get_gc_account(L)->is_generational ? bytes : SMALL_STEP;
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
        lua_error(L); // raised by a finalizer
#endif
}

#if LUA_VERSION_NUM == 504

// Counts 'kilobytes' kilobytes as allocated, which triggers a step of the collector now and then.
// Returns true if a step ends a cycle. An explicit step frees some 50,000 objects, or calls 1,000
// finalizers, which takes more than a millisecond. A lower step multiplier makes the step smaller.
static bool collect_slowly(lua_State *L, int kilobytes)
{
    int usual = lua_gc(L, LUA_GCSETSTEPMUL, SMALL_STEPMUL);
    bool has_ended = lua_gc(L, LUA_GCSTEP, kilobytes) >
                     0; // does nothing in a finalizer and returns -1
    lua_gc(L, LUA_GCSETSTEPMUL, usual);
    return has_ended;
}
#endif

// Makes the collector work for COLLECTED_PIECE of the bytes that are owed. Returns true if the
// collector has reached the end of a cycle.
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
    // Creates garbage of COLLECTED_PIECE bytes. The garbage is a table, because a cycle visits all
    // userdata in one step, but not all tables.
    lua_createtable(L, COLLECTED_PIECE / (int)sizeof(lua_Number), 0);
    lua_pop(L, 1);
    return false;
#endif
}

// Returns true unless the host program has stopped the collector. Lua 5.1 cannot report whether the
// collector is stopped, so the result is always true there.
static bool is_collecting(lua_State *L)
{
#if LUA_VERSION_NUM >= 502
    return lua_gc(L, LUA_GCISRUNNING, 0) != 0;
#else
    (void)L;
    return true; // nothing in this file restarts it
#endif
}

// Records a charge of 'bytes' bytes as owed. Returns NULL if the collector need not work for it.
static GcAccount *note_account(lua_State *L, size_t bytes)
{
    GcAccount *accounts = bytes < LEAST ? NULL : get_gc_account(L);
    if (accounts == NULL || !is_collecting(L)) // a script may have emptied the registry
        return NULL;
    accounts->kilobytes += bytes / 1024;
    size_t most = MOST - accounts->owed - accounts->fresh;
    accounts->fresh += bytes < most ? bytes : most;
    return accounts;
}

void astarL_account(lua_State *L, size_t bytes)
{
    GcAccount *accounts = note_account(L, bytes);
    if (accounts == NULL)
        return;
    size_t owed = accounts->owed + accounts->fresh;
    accounts->owed = accounts->fresh = 0;
    collect_old(L, accounts);
    hurry(L, owed);
}

void astarL_accountgrowth(lua_State *L, size_t *accounted, size_t bytes, bool is_owed)
{
    if (bytes <= *accounted)
        return;
    size_t more = bytes - *accounted;
    *accounted = bytes;
    if (is_owed)
        note_account(L, more);
    else
        astarL_account(L, more);
}

void astarL_forgive(lua_State *L, size_t bytes)
{
    GcAccount *accounts = get_gc_account(L);
    if (accounts == NULL)
        return;
    size_t kilobytes = bytes / 1024;
    accounts->kilobytes -= kilobytes < accounts->kilobytes ? kilobytes : accounts->kilobytes;
    size_t fresh = bytes < accounts->fresh ? bytes : accounts->fresh;
    accounts->fresh -= fresh;
    bytes -= fresh;
    accounts->owed -= bytes < accounts->owed ? bytes : accounts->owed;
}

// Makes the collector work for one piece of the bytes that are owed. Returns false if nothing is
// owed. Finalizers may run and do anything.
static bool pay_some(lua_State *L, bool is_generational)
{
    GcAccount *accounts = get_gc_account(L);
    if (accounts == NULL || accounts->owed == 0)
        return false;
    accounts->owed -= accounts->owed < COLLECTED_PIECE ? accounts->owed : COLLECTED_PIECE;
    if (pay_piece(L, is_generational) && (accounts = get_gc_account(L)) != NULL)
        accounts->owed = 0;
    return true;
}

static void pay_owed(lua_State *L, double seconds)
{
    const double end = astarL_seconds() + seconds;
    collect_old(L, get_gc_account(L));
    const GcAccount *accounts = get_gc_account(L);
    bool is_generational = accounts != NULL && (accounts->is_generational || learn_mode(L));
    while (astarL_seconds() < end && pay_some(L, is_generational))
        continue;
}

void astarL_pay(lua_State *L, double seconds)
{
    GcAccount *accounts = get_gc_account(L);
    if (accounts != NULL && accounts->owed > 0 && is_collecting(L)) {
        pay_owed(L, seconds);
        accounts = get_gc_account(L);
    }
    if (accounts == NULL)
        return;
    accounts->owed += accounts->fresh;
    accounts->fresh = 0;
}

int astarL_makeroom(lua_State *L)
{
#if LUA_VERSION_NUM == 504
    const GcAccount *accounts = get_gc_account(L);
    if (accounts == NULL || !is_collecting(L) || accounts->is_generational || learn_mode(L))
        return 0;
    collect_slowly(L, ROOM);
    lua_gc(L, LUA_GCSTEP, -ROOM); // takes the counted kilobytes back: nothing was allocated
#else
    (void)L;     // other versions make small steps anyway
#endif
    return 0;
}
