// alloc.h -- Memory from the host's allocator, and arenas for very many small arrays.

#ifndef ASTAR_ALLOC_H
#define ASTAR_ALLOC_H

#include "astar.h"
#include <stddef.h>

// Returns a copy of 'allocator', or the standard allocator if it is NULL.
AstarAllocator astar_allocator(const AstarAllocator *allocator);

// Allocates 'count' elements of 'size' bytes, filled with zeros. Returns NULL if memory runs out or
// the product overflows.
void *astar_alloc(const AstarAllocator *allocator, size_t count, size_t size);
// Frees a block that astar_alloc returned for the same count and size. NULL is allowed.
void astar_release(const AstarAllocator *allocator, void *block, size_t count, size_t size);
// Allocates memory like astar_alloc, but the standard allocator does not fill it with zeros. Use it
// for blocks that are written, part by part, before they are read.
void *astar_alloc_unwritten(const AstarAllocator *allocator, size_t count, size_t size);
// Frees a block that astar_alloc_unwritten returned for the same count and size.
void astar_release_unwritten(const AstarAllocator *allocator, void *block, size_t count,
                             size_t size);

// The following declarations are about arenas: memory for very many small arrays that are freed all
// together.

// An arena: pages of memory from which small arrays are taken.
typedef struct AstarArena {
    struct AstarArenaPage *page; // latest page, linked to the pages before
    size_t used;                 // number of bytes of the latest page that are in use
} AstarArena;

// Makes sure that 'bytes' bytes can be taken from an arena. Returns false if memory runs out.
bool astar_arena_reserve(AstarArena *arena, const AstarAllocator *allocator, size_t bytes);
// Takes 'bytes' bytes from an arena. Returns NULL if memory runs out. The bytes stay valid until
// their page is freed.
void *astar_arena_take(AstarArena *arena, const AstarAllocator *allocator, size_t bytes);
// Doubles the capacity of an array in an arena, to at least 'least' elements. Returns the new
// array, or NULL if memory runs out. The old array stays allocated until its page is freed.
void *astar_arena_grow(AstarArena *arena, const AstarAllocator *allocator, void *array,
                       size_t count, size_t size, size_t *capacity, size_t least);
// Returns the size of the latest page in bytes, or 0 if the arena has no page.
size_t astar_arena_page_bytes(const AstarArena *arena);
// Frees the latest page of an arena. Returns false if the arena has no page.
bool astar_arena_drop_page(AstarArena *arena, const AstarAllocator *allocator);
// Frees the pages of an arena, until '*work' is used up, measured in cells of a layer. Returns true
// once all pages are freed.
bool astar_arena_clear(AstarArena *arena, const AstarAllocator *allocator, int64_t *work);

#endif
