// mapped_blocks.h -- large blocks of memory, had of the system itself on Linux.

#ifndef ASTAR_MAPPED_BLOCKS_H
#define ASTAR_MAPPED_BLOCKS_H

#include "base/alloc.h"

// A block of zeroes, which are written only where the system has none; NULL without memory.
void *astar_block_zeroed(size_t size);
// Takes back what that gave for the same size.
void astar_block_free_zeroed(void *block, size_t size);
// The same of a block that holds anything.
void *astar_block_unwritten(size_t size);
void astar_block_free_unwritten(void *block, size_t size);
// Gives some of what was freed back to the system.
void astar_blocks_give_back(void);

#endif
