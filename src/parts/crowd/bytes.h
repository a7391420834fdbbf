// bytes.h -- memory that making a plan may take, and has.

#ifndef ASTAR_BYTES_H
#define ASTAR_BYTES_H

#include "base/alloc.h"

typedef struct AstarBytes {
    AstarAllocator from;
    size_t used, most;
    AstarStatus status; // of what failed since that was asked
} AstarBytes;

// Arrays that are given back together.
typedef struct AstarPile {
    AstarBytes *bytes; // NULL: it was never begun
    AstarArena arena;
} AstarPile;

// Sees to it that so many bytes can be taken; ASTAR_OUT_OF_BYTES where there may be no more,
// ASTAR_NO_MEMORY where there is none.
AstarStatus astar_pile_need(AstarPile *pile, size_t size);
// Zeroed elements; NULL where there are none, and from then on until the status was asked.
void *astar_pile_take(AstarPile *pile, size_t count, size_t size);
// The status of what was taken since this was asked.
AstarStatus astar_pile_status(AstarPile *pile);
// Gives all back, what was taken last first; false where the work is used up before.
bool astar_pile_clear(AstarPile *pile, uint64_t *work);
// The same at once.
void astar_pile_drop(AstarPile *pile);

#endif
