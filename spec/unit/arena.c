// alloc.c -- arrays of an arena keep what was written to them until their pages are dropped.

#include "../c/check.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

enum { ARRAYS = 2000, LONGEST = 900 };

static size_t held, largest; // bytes; of one block
static bool has_memory = true;

static void *take(void *context, size_t size)
{
    (void)context;
    if (!has_memory)
        return NULL;
    held += size;
    largest = size > largest ? size : largest;
    return calloc(1, size);
}

static void give(void *context, void *block, size_t size)
{
    (void)context;
    held -= size;
    free(block);
}

// Grown in turn, so that they lie among each other.
static void check_growing(AstarArena *arena, const AstarAllocator *allocator)
{
    static uint64_t *arrays[ARRAYS];
    static size_t capacities[ARRAYS];
    for (size_t count = 0; count < LONGEST; count += 1 + count / 7)
        for (size_t i = 0; i < ARRAYS; i += 1 + count / 9) {
            while (capacities[i] <= count)
                arrays[i] = astar_arena_grow(arena, allocator, arrays[i], capacities[i],
                                             sizeof **arrays, &capacities[i], 4);
            for (size_t k = 0; k < capacities[i]; k++)
                CHECK(k > count / 2 || arrays[i][k] == 0 || arrays[i][k] == i * LONGEST + k);
            for (size_t k = 0; k <= count; k++)
                arrays[i][k] = i * LONGEST + k;
        }
    for (size_t i = 0; i < ARRAYS; i++)
        CHECK(capacities[i] > 0 && arrays[i][0] == i * LONGEST);
}

int main(void)
{
    const AstarAllocator counted = {take, give, NULL};
    AstarArena arena = {.page = NULL};
    int64_t work = 1;
    CHECK(astar_arena_clear(&arena, &counted, &work) && work == 1);
    has_memory = false;
    CHECK(astar_arena_take(&arena, &counted, 8) == NULL && arena.page == NULL);
    has_memory = true;
    check_growing(&arena, &counted);
    CHECK(largest <= 512 * 1024); // none takes long to free
    char *large = astar_arena_take(&arena, &counted, 1 << 20);
    CHECK(large != NULL);
    memset(large, 1, 1 << 20);
    size_t before = held;
    CHECK(!astar_arena_clear(&arena, &counted, &work) && held < before && held > 0);
    work = INT64_MAX;
    CHECK(astar_arena_clear(&arena, &counted, &work) && held == 0);
    return report();
}
