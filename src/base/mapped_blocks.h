// mapped_blocks.h -- Large blocks of memory, which are mapped directly from the system on Linux.

#ifndef ASTAR_MAPPED_BLOCKS_H
#define ASTAR_MAPPED_BLOCKS_H

#include "base/alloc.h"

// Allocates a block of zeros. Returns NULL if memory runs out. On Linux a large block consists of
// zero pages that take no memory until they are written.
void *astar_block_zeroed(size_t size);
// Frees a block that astar_block_zeroed returned for the same size.
void astar_block_free_zeroed(void *block, size_t size);
// Allocates a block with arbitrary contents. Returns NULL if memory runs out.
void *astar_block_unwritten(size_t size);
// Frees a block that astar_block_unwritten returned for the same size.
void astar_block_free_unwritten(void *block, size_t size);
// Returns a part of the freed blocks to the system.
void astar_blocks_give_back(void);

#endif
