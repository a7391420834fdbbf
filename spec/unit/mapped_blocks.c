// mapped_blocks.c -- large blocks that are freed go back to the system a little with each call for
// memory, or to who wants one that need not be zeroed.
//
// How much is mapped Linux tells in /proc; without one, and under sanitizers, there is nothing to
// see.

#include "../c/check.h"

#include "base/alloc.h"
#include "base/mapped_blocks.h"
#include "base/pages.h"

#include <stdlib.h>
#include <string.h>

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CAN_SEE 1
#else
#define CAN_SEE 0
#endif

// Whole pages go back, of which any system has such of 64 kB; of few megabytes one in 32 calls.
enum { BLOCKS = 20, SIZE = 640 * 1024, PAGE = 64 * 1024, CALLS = 32, MB = 1024 * 1024 };

// Bytes of memory mapped.
static long mapped(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file != NULL && fscanf(file, "%ld", &pages) != 1)
        pages = 0;
    if (file != NULL)
        fclose(file);
    return pages * 4096;
}

static void check_given_back(void)
{
    void *blocks[BLOCKS];
    for (int i = 0; i < BLOCKS; i++) {
        blocks[i] = astar_block_zeroed(SIZE);
        memset(blocks[i], 1, SIZE);
    }
    long all = mapped();
    for (int i = 0; i < BLOCKS; i++)
        astar_block_free_zeroed(blocks[i], SIZE);
    long before = mapped();
    CHECK(before == all);
    for (int calls = 0; calls < CALLS * BLOCKS * SIZE / PAGE; calls++) {
        astar_block_free_zeroed(astar_block_zeroed(16), 16);
        long now = mapped();
        CHECK(before - now <= PAGE);
        before = now;
    }
    CHECK(all - before == (long)BLOCKS * SIZE);
}

// Two flows of a map of 4096 x 4096, say: none of that is unmapped by who lets go of it.
static void check_much_freed(void)
{
    void *blocks[2] = {astar_block_zeroed(150 * MB), astar_block_zeroed(150 * MB)};
    long all = mapped();
    for (int i = 0; i < 2; i++)
        astar_block_free_zeroed(blocks[i], 150 * MB);
    CHECK(mapped() == all);
    for (int calls = 0; calls < CALLS * (300 * MB / PAGE); calls++) {
        long before = mapped();
        astar_blocks_give_back();
        CHECK(before - mapped() <= MB);
    }
    CHECK(all - mapped() == 300L * MB);
}

static char *take_and_write(size_t size)
{
    char *block = astar_block_unwritten(size);
    CHECK(block != NULL);
    memset(block, 1, size);
    return block;
}

// Frees blocks of so many megabytes, and takes one: how much more is mapped then.
static long grown_by(const size_t *freed, int count, size_t taken)
{
    char *blocks[BLOCKS];
    for (int i = 0; i < count; i++)
        blocks[i] = take_and_write(freed[i] * MB);
    for (int i = 0; i < count; i++)
        astar_block_free_unwritten(blocks[i], freed[i] * MB);
    long before = mapped();
    char *block = take_and_write(taken * MB);
    long grown = mapped() - before;
    astar_block_free_unwritten(block, taken * MB);
    for (int calls = 0; calls < CALLS * (100 * MB / PAGE); calls++)
        astar_blocks_give_back(); // all of it
    return grown;
}

static void check_taken_over(void)
{
    const size_t one[] = {20}, three[] = {17, 20, 18};
    CHECK(grown_by(one, 1, 20) == 0);
    CHECK(grown_by(one, 1, 23) == 3 * MB);
    CHECK(grown_by(one, 1, 19) >= 19 * MB - PAGE); // a longer one is not cut in one go
    CHECK(grown_by(three, 3, 17) == 0);
    CHECK(grown_by(three, 3, 18) == 0);
    CHECK(grown_by(three, 3, 19) == 1 * MB);
    CHECK(grown_by(three, 3, 20) == 0);
    CHECK(grown_by(three, 3, 25) == 5 * MB);
}

// The pages of a flow, as many as a map of 1024 x 1024 has, all go back, whatever lies behind them
// in the heap of the C library; the second time, too, when that maps no blocks of their size any
// more.
static void check_pages_given_back(void)
{
    const AstarAllocator allocator = astar_allocator(NULL);
    long before = mapped();
    for (int times = 0; times < 2; times++) {
        AstarPagePool pool = {0};
        for (int i = 0; i < 16384; i++)
            CHECK(astar_pool_take(&pool, &allocator, 576) != NULL);
        void *behind = malloc(64);
        astar_pool_shrink(&pool, &allocator, 576, 0);
        for (int calls = 0; calls < CALLS * (10 * MB / PAGE); calls++)
            astar_blocks_give_back();
        CHECK(mapped() - before <= MB);
        free(behind);
    }
}

// One that was written is not handed out as zeroes.
static void check_zeroed(void)
{
    astar_block_free_unwritten(take_and_write(20 * MB), 20 * MB);
    char *block = astar_block_zeroed(20 * MB);
    size_t other = 0;
    for (size_t i = 0; i < 20 * MB; i++)
        other += block[i] != 0;
    CHECK(other == 0);
    astar_block_free_zeroed(block, 20 * MB);
}

int main(void)
{
    free(malloc(4096)); // the heap is there
    if (mapped() == 0)
        puts("no /proc: how much is mapped is not seen");
    else if (CAN_SEE) {
        check_given_back();
        check_much_freed();
        check_taken_over();
        check_pages_given_back();
    }
    check_zeroed();
    return report();
}
