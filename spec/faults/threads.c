// threads.c -- several Lua states at once, one after the other's end, and one in several threads.
//
//     threads spec/faults/threads.lua spec/faults/share.lua
//
// Each thread has a state and runs the script in it again and again; all must come to the same
// answer. The second script shares a map: this thread's state edits it, the others ask. There is
// nothing to see of a data race but under a sanitizer: make tsan.

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include "../c/check.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int luaopen_astar_core(lua_State *L);

enum { THREADS = 4, READERS = 8, ROUNDS = ALL_OR_FEW(12, 4), LONGEST = 100 };

static const char *script;

// A state with the script's function at 1.
static lua_State *new_state(void)
{
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    lua_getglobal(L, "package");
    lua_getfield(L, -1, "preload");
    lua_pushcfunction(L, luaopen_astar_core);
    lua_setfield(L, -2, "astar.core");
    lua_settop(L, 0);
    if (luaL_loadfile(L, script) != 0 || lua_pcall(L, 0, 1, 0) != 0) {
        fprintf(stderr, "%s\n", lua_tostring(L, -1));
        exit(1);
    }
    return L;
}

// Runs the script once; false when it fails.
static bool run(lua_State *L, int seed, char answer[LONGEST])
{
    lua_pushvalue(L, 1);
    lua_pushinteger(L, seed);
    bool is_fine = lua_pcall(L, 1, 1, 0) == 0;
    snprintf(answer, LONGEST, "%s", lua_tostring(L, -1));
    lua_settop(L, 1);
    return is_fine;
}

static int passed, failed;

static void tell(const char *what, bool is_fine)
{
    printf("%-48s %s\n", what, is_fine ? "fine" : "FAILED");
    if (is_fine)
        passed++;
    else
        failed++;
}

typedef struct Work {
    pthread_t thread;
    lua_State *L; // NULL: makes its own
    char answers[ROUNDS][LONGEST];
    bool is_fine;
} Work;

static void *work(void *argument)
{
    Work *w = argument;
    lua_State *own = NULL;
    w->is_fine = true;
    for (int round = 0; round < ROUNDS; round++) {
        if (w->L == NULL && round % 4 == 0) { // states begin and end meanwhile
            if (own != NULL)
                lua_close(own);
            own = new_state();
        }
        if (!run(w->L != NULL ? w->L : own, round, w->answers[round])) {
            fprintf(stderr, "round %d: %s\n", round, w->answers[round]);
            w->is_fine = false;
        }
    }
    if (own != NULL)
        lua_close(own);
    return NULL;
}

static void begin(Work *w, lua_State *L)
{
    w->L = L;
    if (pthread_create(&w->thread, NULL, work, w) != 0)
        abort();
}

static bool agrees(const Work *a, const Work *b)
{
    if (a->is_fine && b->is_fine && memcmp(a->answers, b->answers, sizeof a->answers) == 0)
        return true;
    for (int round = 0; round < ROUNDS; round++)
        if (strcmp(a->answers[round], b->answers[round]) != 0)
            fprintf(stderr, "round %d: %s, %s\n", round, a->answers[round], b->answers[round]);
    return false;
}

static Work works[READERS], moved;

static void try_threads(void)
{
    bool is_fine = true;
    for (int i = 0; i < THREADS; i++)
        begin(&works[i], NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(works[i].thread, NULL);
    for (int i = 0; i < THREADS; i++)
        is_fine = agrees(&works[0], &works[i]) && is_fine;
    tell("four states in four threads", is_fine);
}

// One state, whose stack of C calls is each time another.
static void try_moving(void)
{
    lua_State *L = new_state();
    bool is_fine = true;
    for (int i = 0; i < 3; i++) {
        begin(&moved, L);
        pthread_join(moved.thread, NULL);
        is_fine = agrees(&works[0], &moved) && is_fine;
    }
    char answer[LONGEST];
    is_fine = run(L, 0, answer) && strcmp(answer, works[0].answers[0]) == 0 && is_fine;
    lua_close(L);
    tell("one state in one thread after the other", is_fine);
}

static void try_two_states(void)
{
    lua_State *first = new_state(), *second = new_state();
    char a[LONGEST], b[LONGEST];
    bool is_fine = true;
    for (int round = 0; round < 4; round++) {
        is_fine = run(first, round, a) && run(second, round, b) && strcmp(a, b) == 0 && is_fine;
        if (round % 2 == 1) {
            lua_close(first);
            first = second;
            second = new_state();
        }
    }
    lua_close(first);
    lua_close(second);
    tell("two states in turn, of which one ends", is_fine);
}

// A host with a state a thread, over one map; the owner ends before its readers do.
static void try_sharing(void)
{
    lua_State *owner = new_state();
    char answer[LONGEST];
    bool is_fine = run(owner, -1, answer);
    for (int i = 0; i < READERS; i++)
        begin(&works[i], NULL);
    for (int round = 0; round < 4 * ROUNDS && is_fine; round++)
        is_fine = run(owner, -1 - round, answer);
    if (!is_fine)
        fprintf(stderr, "the owner: %s\n", answer);
    for (int i = 0; i < READERS; i++) {
        pthread_join(works[i].thread, NULL);
        is_fine = works[i].is_fine && is_fine;
    }
    lua_State *late = new_state();
    lua_close(owner);
    is_fine = !run(late, 1, answer) && strstr(answer, "no map is shared as") != NULL && is_fine;
    lua_close(late);
    tell("one map, edited by one state, asked by eight", is_fine);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: threads FILE FILE\n");
        return 2;
    }
    script = argv[1];
    try_threads();
    try_moving();
    try_two_states();
    script = argv[2];
    try_sharing();
    printf("%d passed, %d failed, 0 skipped\n", passed, failed);
    return failed > 0;
}
