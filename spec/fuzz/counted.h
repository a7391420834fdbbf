// counted.h -- memory whose blocks are counted, so that a fuzzer sees one that was left.

#ifndef COUNTED_H
#define COUNTED_H

#include "astar.h"

#include <stdlib.h>

static long blocks_held;

static void *take_block(void *context, size_t size)
{
    (void)context;
    blocks_held++;
    return calloc(1, size > 0 ? size : 1);
}

static void give_block(void *context, void *block, size_t size)
{
    (void)context;
    (void)size;
    blocks_held--;
    free(block);
}

static const AstarAllocator allocator = {take_block, give_block, NULL};

#endif
