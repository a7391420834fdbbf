// lua_leftovers.c -- bakings that nobody will go on with, freed a little at a time.
//
// What baking has taken in the middle of its steps lies in hundreds of thousands of blocks. To free
// them takes many frames' time, and it is the collector that finds a job dropped, in the middle of
// any of them. So they wait here, and steps of jobs free them within their budgets; a few may wait.

#include "binding/lua_job.h"

enum { MOST_LEFTOVERS = 4 };

// Collected with the state.
typedef struct Leftovers {
    astarL_Header header;
    AstarBaked *bakings[MOST_LEFTOVERS]; // the first ones; then NULL
    bool is_closed;                      // nothing waits any more
} Leftovers;

static const char leftovers_key;

static Leftovers *get_leftovers(lua_State *L)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &leftovers_key);
    Leftovers *leftovers = astarL_testobject(L, -1, ASTARL_LEFTOVERS);
    lua_pop(L, 1);
    return leftovers;
}

// Frees the first one.
static void free_leftover(Leftovers *leftovers)
{
    AstarBaked *first = leftovers->bakings[0];
    for (int i = 1; i < MOST_LEFTOVERS; i++)
        leftovers->bakings[i - 1] = leftovers->bakings[i];
    leftovers->bakings[MOST_LEFTOVERS - 1] = NULL;
    astar_baked_free(first);
}

void astarL_freebaked(lua_State *L, AstarBaked *baked)
{
    Leftovers *leftovers = get_leftovers(L); // NULL: a script has emptied the registry
    int count = 0;
    if (baked == NULL || leftovers == NULL || leftovers->is_closed || astar_baking_clear(baked, 0))
        count = MOST_LEFTOVERS;
    while (count < MOST_LEFTOVERS && leftovers->bakings[count] != NULL)
        count++;
    if (count < MOST_LEFTOVERS)
        leftovers->bakings[count] = baked;
    else
        astar_baked_free(baked);
}

static AstarStatus clear_slice(void *baked, uint64_t expansions, void *context)
{
    (void)context;
    return astar_baking_clear(baked, expansions) ? ASTAR_OK : ASTAR_RUNNING;
}

void astarL_clearleftovers(lua_State *L, astarL_Budget budget)
{
    Leftovers *leftovers = get_leftovers(L);
    if (leftovers != NULL && leftovers->bakings[0] != NULL &&
        astarL_runslices(budget, clear_slice, leftovers->bakings[0], NULL) == ASTAR_OK)
        free_leftover(leftovers);
}

void astarL_freeleftovers(lua_State *L)
{
    Leftovers *leftovers = get_leftovers(L);
    while (leftovers != NULL && leftovers->bakings[0] != NULL)
        free_leftover(leftovers);
}

static void close_leftovers(lua_State *L, void *object)
{
    (void)L;
    Leftovers *leftovers = object;
    leftovers->is_closed = true;
    while (leftovers->bakings[0] != NULL)
        free_leftover(leftovers);
}

const astarL_Class astarL_leftoversclass = {.type = ASTARL_LEFTOVERS, .close = close_leftovers};

void astarL_openleftovers(lua_State *L)
{
    if (get_leftovers(L) != NULL)
        return;
    lua_pushlightuserdata(L, (void *)&leftovers_key);
    astarL_newobject(L, ASTARL_LEFTOVERS, sizeof(Leftovers));
    lua_rawset(L, LUA_REGISTRYINDEX);
}
