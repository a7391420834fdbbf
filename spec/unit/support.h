// support.h -- what the tests of single parts share: random bits, and memory that runs out.

#ifndef SUPPORT_H
#define SUPPORT_H

#include "../c/check.h"

#include "base/bits.h"

#include <stdlib.h>

// Sides at and about the ends of words, whose first and last bits are the border's.
static const int sides[] = {1, 2, 3, 8, 61, 62, 63, 64, 65, 66, 125, 126, 127, 128, 129, 130};
enum { SIDES = sizeof sides / sizeof *sides };

// Gives each bit a value, about 'percent' of them set.
static inline void put_random_bits(const AstarBits *bits, int width, int height, int percent,
                                   uint32_t *seed)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            astar_bits_put(bits, x, y, random_below(seed, 100) < percent);
}

// Of cells that may lie outside: those do not count as set.
static inline bool is_set(const AstarBits *bits, int width, int height, int x, int y)
{
    return x >= 0 && y >= 0 && x < width && y < height && astar_bits_get(bits, x, y);
}

// ---- memory that runs out ----

// Allocates while *(bool *)context holds.
static inline void *allocate_if(void *context, size_t size)
{
    return *(const bool *)context ? calloc(1, size) : NULL;
}

static inline void release_any(void *context, void *block, size_t size)
{
    (void)context;
    (void)size;
    free(block);
}

static inline AstarAllocator allocator_while(bool *has_memory)
{
    return (AstarAllocator){allocate_if, release_any, has_memory};
}

#endif
