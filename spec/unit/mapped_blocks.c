// mapped_blocks.c -- large blocks that are freed go back to the system a little with each call for
// memory.
//
// How much is mapped Linux tells; elsewhere, and under sanitizers, there is nothing to see.

#include "../c/check.h"

#include "base/mapped_blocks.h"

#include <stdlib.h>
#include <string.h>

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CAN_SEE 1
#else
#define CAN_SEE 0
#endif

enum { BLOCKS = 20, SIZE = 640 * 1024, A_CALL = 64 * 1024 };

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
    for (int calls = 0; calls < BLOCKS * SIZE / A_CALL; calls++) {
        astar_block_free_zeroed(astar_block_zeroed(16), 16);
        long now = mapped();
        CHECK(before - now <= A_CALL);
        before = now;
    }
    CHECK(all - before == (long)BLOCKS * SIZE);
}

int main(void)
{
    free(malloc(4096)); // the heap is there
    mapped();
    if (CAN_SEE)
        check_given_back();
    CHECK(true);
    return report();
}
