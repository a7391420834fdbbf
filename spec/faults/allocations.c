// allocations.c -- scripts whose allocations fail, Lua's and the core's: at every one of them,
// once or from there on; and the core's alone from each of its own on.
//
//     allocations spec/faults/allocations.lua [name]
//
// With PART=1 OF=3 in the environment it tries the first of three parts of the scripts.
//
// Every script has a part that prepares and a part that acts. A process of its own makes a Lua
// state, prepares, and then forks a child for every allocation that acting makes, which fails in
// that child. There the script must end with a memory error, or, where Lua collects garbage and
// tries again, as if nothing had been. With memory back nothing may have changed, acting once more
// must give what it gives where nothing fails, and closing the state must leave no block.

#define _GNU_SOURCE

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

// ---- one counter over both allocators ----

// Which allocations fail, from the one to fail on.
typedef enum Manner { ONCE, FOR_EVER, THE_CORES, MANNERS } Manner;

static struct Memory {
    bool armed;
    Manner manner;
    bool failed;
    long left; // allocations until one fails
    long blocks;
    size_t bytes;
} memory;

static bool is_refused(bool by_lua)
{
    if (!memory.armed || (by_lua && memory.manner == THE_CORES))
        return false;
    if (memory.left > 0) {
        memory.left--;
        return false;
    }
    memory.failed = true;
    memory.armed = memory.manner != ONCE;
    return true;
}

// Every block begins with its size: what a Lua says that it was cannot be relied on.
typedef union Head {
    size_t size;
    max_align_t alignment;
} Head;

static void *make_block(size_t count, size_t size)
{
    Head *head = calloc(1, sizeof *head + count * size);
    if (head == NULL)
        abort();
    head->size = count * size;
    memory.blocks++;
    memory.bytes += head->size;
    return head + 1;
}

static void give_block(void *block)
{
    if (block == NULL)
        return;
    Head *head = (Head *)block - 1;
    memory.blocks--;
    memory.bytes -= head->size;
    free(head);
}

// Lua's allocator. Blocks that shrink never fail.
static void *resize(void *unused, void *block, size_t before, size_t after)
{
    (void)unused;
    (void)before;
    if (after == 0) {
        give_block(block);
        return NULL;
    }
    size_t size = block != NULL ? ((Head *)block - 1)->size : 0;
    if (after > size && is_refused(true))
        return NULL;
    if (block == NULL)
        return make_block(1, after);
    Head *head = (Head *)block - 1;
    head = realloc(head, sizeof *head + after);
    if (head == NULL)
        abort();
    memory.bytes += after - head->size;
    head->size = after;
    return head + 1;
}

static void *take_block(size_t count, size_t size)
{
    return is_refused(false) ? NULL : make_block(count, size);
}

// The module is linked without its mapped_blocks.c, which is this one here.
#define calloc take_block
#define malloc(size) take_block(1, size)
#define free give_block
#include "../../src/base/mapped_blocks.c"
#undef calloc
#undef malloc
#undef free

// ---- scripts ----

int luaopen_astar_core(lua_State *L);

enum { SCRIPTS = 1 }; // where what the scripts' file returns, functions by name, is on the stack

static lua_State *new_state(const char *file)
{
#if LUA_VERSION_NUM >= 505
    lua_State *L = lua_newstate(resize, NULL, 1); // the same seed of hashes for every process
#else
    lua_State *L = lua_newstate(resize, NULL);
#endif
    if (L == NULL)
        abort();
    luaL_openlibs(L);
    lua_getglobal(L, "package");
    lua_getfield(L, -1, "preload");
    lua_pushcfunction(L, luaopen_astar_core);
    lua_setfield(L, -2, "astar.core");
    lua_settop(L, 0);
    if (luaL_loadfile(L, file) != 0 || lua_pcall(L, 0, 1, 0) != 0) {
        fprintf(stderr, "%s\n", lua_tostring(L, -1));
        exit(1);
    }
    return L;
}

// Calls a function of the scripts' file for a script and pushes its result; its status.
static int call_in(lua_State *L, const char *function, int number, bool armed)
{
    lua_getfield(L, SCRIPTS, function);
    lua_pushinteger(L, number);
    memory.armed = armed;
    int status = lua_pcall(L, 1, 1, 0);
    memory.armed = false;
    return status;
}

static int call(lua_State *L, const char *function, int number)
{
    return call_in(L, function, number, false);
}

static void prepare(lua_State *L, int number)
{
    if (call(L, "prepare", number) != 0) {
        fprintf(stderr, "script %d: %s\n", number, lua_tostring(L, -1));
        exit(1);
    }
}

static const char *string_of(lua_State *L, const char *function, int number)
{
    if (call(L, function, number) == 0 && lua_type(L, -1) == LUA_TSTRING)
        return lua_tostring(L, -1);
    fprintf(stderr, "%s of script %d: %s\n", function, number, lua_tostring(L, -1));
    exit(1);
}

// A point of a script at which an allocation fails, and how that ended.
typedef enum Outcome {
    ENDED_WITH_ERROR,
    WENT_ON,
    PAST_THE_END, // the script makes fewer allocations
    BROKE,
} Outcome;

typedef struct Expected {
    char *state;  // before and after a failure
    char *answer; // of acting
} Expected;

static bool is_memory_error(lua_State *L, int status)
{
    const char *message = lua_tostring(L, -1);
    return status == LUA_ERRMEM || (status == LUA_ERRRUN && message != NULL &&
                                    strstr(message, "not enough memory") != NULL);
}

static bool is_same(const char *what, const char *expected, const char *got)
{
    if (strcmp(expected, got) == 0)
        return true;
    fprintf(stderr, "    %s: expected %s, got %s\n", what, expected, got);
    return false;
}

static bool ends_well(lua_State *L, int number, int status, const Expected *expected)
{
    bool is_well = true;
    if (status == 0) { // done all the same
        is_well = is_same("answer", expected->answer, string_of(L, "describe", number));
    } else {
        if (!is_memory_error(L, status)) {
            fprintf(stderr, "    no memory error: %d, %s\n", status, lua_tostring(L, -1));
            is_well = false;
        }
        is_well = is_same("state", expected->state, string_of(L, "look", number)) && is_well;
        if (call(L, "act", number) != 0) {
            fprintf(stderr, "    again: %s\n", lua_tostring(L, -1));
            return false;
        }
        const char *answer = string_of(L, "describe", number);
        is_well = is_same("answer again", expected->answer, answer) && is_well;
    }
    is_well = is_same("control", "right", string_of(L, "control", number)) && is_well;
    lua_close(L);
    if (memory.blocks != 0 || memory.bytes != 0) {
        fprintf(stderr, "    %ld blocks of %zu bytes left\n", memory.blocks, memory.bytes);
        is_well = false;
    }
    return is_well;
}

static Outcome fail_at(lua_State *L, int number, long at, Manner manner, const Expected *expected)
{
    memory.left = at;
    memory.manner = manner;
    int status = call_in(L, "act", number, true);
    bool has_failed = memory.failed;
    if (!ends_well(L, number, status, expected))
        return BROKE;
    return !has_failed ? PAST_THE_END : status != 0 ? ENDED_WITH_ERROR : WENT_ON;
}

// ---- processes ----

enum { ENOUGH = 5 }; // faults of a script to tell of

typedef struct Tally {
    long points[BROKE + 1];
} Tally;

// The outcome of a child, which is its exit status.
static Outcome wait_for(pid_t child)
{
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child)
        abort();
    if (WIFEXITED(status) && WEXITSTATUS(status) < BROKE)
        return (Outcome)WEXITSTATUS(status);
    if (WIFSIGNALED(status))
        fprintf(stderr, "    signal %d\n", WTERMSIG(status));
    return BROKE;
}

// What acting gives where nothing fails, in a state of its own.
static char *find_answer(const char *file, int number)
{
    lua_State *L = new_state(file);
    prepare(L, number);
    string_of(L, "look", number);
    if (call(L, "act", number) != 0) {
        fprintf(stderr, "script %d: %s\n", number, lua_tostring(L, -1));
        exit(1);
    }
    char *answer = strdup(string_of(L, "describe", number));
    lua_close(L);
    return answer;
}

// Ends a child, which writes down first what of the code it has run, if that is to be counted.
static void leave(int status)
{
#ifdef ASTAR_COVERAGE
    extern void __gcov_dump(void);
    __gcov_dump();
#endif
    _exit(status);
}

// Returns the number of the next allocation that is to fail. The first 500 fail one after the
// other, later ones at growing distances: loading all files makes thousands of similar ones.
static long next_after(long at)
{
    return at + 1 + at / 500;
}

static void fail_everywhere(const char *file, int number, Tally *tally)
{
    static const char *const after[] = {"", " and all after it", " of the core's and all after it"};
    Expected expected = {.answer = find_answer(file, number)};
    memory = (struct Memory){0};
    lua_State *L = new_state(file);
    prepare(L, number);
    expected.state = strdup(string_of(L, "look", number));
    lua_settop(L, SCRIPTS);
    for (Manner manner = ONCE; manner < MANNERS; manner++) {
        Outcome outcome = WENT_ON;
        for (long at = 0; outcome != PAST_THE_END && tally->points[BROKE] < ENOUGH;
             at = next_after(at)) {
            fflush(NULL);
            pid_t child = fork();
            if (child == 0) {
                alarm(60);
                leave(fail_at(L, number, at, manner, &expected));
            }
            outcome = wait_for(child);
            tally->points[outcome]++;
            if (outcome == BROKE)
                fprintf(stderr, "  allocation %ld%s\n", at, after[manner]);
        }
    }
    lua_close(L);
    free(expected.answer);
    free(expected.state);
}

// Fails everywhere in a process of its own; false where anything broke.
static bool try_script(const char *file, int number, const char *name, long *points)
{
    size_t size = sizeof(Tally);
    Tally *tally = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (tally == MAP_FAILED)
        abort();
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        fail_everywhere(file, number, tally);
        leave(0);
    }
    Outcome outcome = wait_for(child);
    const long *count = tally->points;
    bool is_fine = outcome != BROKE && count[BROKE] == 0 && count[ENDED_WITH_ERROR] > 0;
    printf("%-28s %6ld errors %6ld absorbed %4ld faults%s\n", name, count[ENDED_WITH_ERROR],
           count[WENT_ON], count[BROKE], is_fine ? "" : "  FAILED");
    *points += count[ENDED_WITH_ERROR] + count[WENT_ON] + count[BROKE];
    munmap(tally, size);
    return is_fine;
}

// A number in the environment, from 1 on.
static int number_of(const char *name)
{
    const char *text = getenv(name);
    int number = text != NULL ? atoi(text) : 1;
    return number > 0 ? number : 1;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: allocations FILE [NAME]\n");
        return 2;
    }
    lua_State *L = new_state(argv[1]);
    int passed = 0, failed = 0, part = number_of("PART"), of = number_of("OF");
    long points = 0;
    for (int number = 1;; number++) {
        lua_settop(L, SCRIPTS);
        if (call(L, "name", number) != 0 || !lua_isstring(L, -1))
            break;
        const char *name = lua_tostring(L, -1);
        if (argc > 2 ? strcmp(name, argv[2]) != 0 : number % of != part % of)
            continue;
        if (try_script(argv[1], number, name, &points))
            passed++;
        else
            failed++;
    }
    lua_close(L);
    printf("%ld allocations failed\n", points);
    printf("%d passed, %d failed, 0 skipped\n", passed, failed);
    return failed > 0 || passed == 0;
}
