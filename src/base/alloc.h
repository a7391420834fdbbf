// alloc.h -- Memory from the host's allocator, and arenas for very many small arrays.

#ifndef ASTAR_ALLOC_H
#define ASTAR_ALLOC_H

#include "astar.h"
#include <stddef.h>

// Returns a copy of 'allocator', or the standard allocator if it is NULL.
AstarAllocator astar_allocator(const AstarAllocator *allocator);

// Returns 'count' zeroed elements of 'size' bytes, or NULL if memory runs out or the product
// overflows.
void *astar_alloc(const AstarAllocator *allocator, size_t count, size_t size);
// Frees a block that astar_alloc returned for the same count and size. NULL is allowed.
void astar_release(const AstarAllocator *allocator, void *block, size_t count, size_t size);
// Returns memory like astar_alloc, but the standard allocator does not zero it. It suits blocks
// that are written, part by part, before they are read.
void *astar_alloc_unwritten(const AstarAllocator *allocator, size_t count, size_t size);
// Frees a block that astar_alloc_unwritten returned for the same count and size.
void astar_release_unwritten(const AstarAllocator *allocator, void *block, size_t count,
                             size_t size);

// Arenas: memory for very many small arrays that are freed together.

// An arena: pages of memory from which small arrays are taken.
typedef struct AstarArena {
    struct AstarArenaPage *page; // latest page, linked to those before
    size_t used;                 // bytes of that page in use
} AstarArena;

// Makes sure that 'bytes' bytes can be taken. Returns false if memory runs out.
bool astar_arena_reserve(AstarArena *arena, const AstarAllocator *allocator, size_t bytes);
// Returns 'bytes' bytes, or NULL. They stay valid until their page is dropped.
void *astar_arena_take(AstarArena *arena, const AstarAllocator *allocator, size_t bytes);
// Doubles the capacity of an array, to at least 'least' elements, and returns the new array, or
// NULL. The old array stays allocated until its page is dropped.
void *astar_arena_grow(AstarArena *arena, const AstarAllocator *allocator, void *array,
                       size_t count, size_t size, size_t *capacity, size_t least);
// Returns the bytes of the latest page, or 0 if there is none.
size_t astar_arena_page_bytes(const AstarArena *arena);
// Frees the latest page. Returns false if there is none.
bool astar_arena_drop_page(AstarArena *arena, const AstarAllocator *allocator);
// Frees all pages. Returns false when the work, in cells of a layer, is used up.
bool astar_arena_clear(AstarArena *arena, const AstarAllocator *allocator, int64_t *work);

#endif
