// bytes.h -- memory that is counted against a limit and freed a little at a time. Used for the data
// of a plan while it is made.

#ifndef ASTAR_BYTES_H
#define ASTAR_BYTES_H

#include "base/alloc.h"

typedef struct AstarBytes {
    AstarAllocator from;
    size_t used, most;
    // Status of the first allocation that has failed since the last call of astar_pile_status.
    AstarStatus status;
} AstarBytes;

// A pile: a set of arrays that are freed together.
typedef struct AstarPile {
    AstarBytes *bytes; // the limit that the memory counts against; NULL: the pile was not used yet
    AstarArena arena;
} AstarPile;

// Ensures that 'size' bytes can be taken from a pile without failure. Returns ASTAR_OUT_OF_BYTES if
// the limit does not allow them, and ASTAR_NO_MEMORY if the allocator has none.
AstarStatus astar_pile_need(AstarPile *pile, size_t size);
// Takes an array of zeroed elements from a pile. Returns NULL on failure. After a failure every
// call returns NULL until astar_pile_status is called.
void *astar_pile_take(AstarPile *pile, size_t count, size_t size);
// Returns ASTAR_OK if every astar_pile_take since the last call of this function has succeeded, or
// else the status of the first failure.
AstarStatus astar_pile_status(AstarPile *pile);
// Frees the arrays of a pile, the newest first. Subtracts the work from '*work'. Returns false if
// '*work' is used up before all arrays are freed.
bool astar_pile_clear(AstarPile *pile, uint64_t *work);
// Frees all arrays of a pile in one call.
void astar_pile_drop(AstarPile *pile);

#endif
