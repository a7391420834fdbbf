// alloc.h -- memory through the host's allocator.

#ifndef ASTAR_ALLOC_H
#define ASTAR_ALLOC_H

#include "astar.h"
#include <stddef.h>

// The standard allocator where 'allocator' is NULL, else a copy of it.
AstarAllocator astar_allocator(const AstarAllocator *allocator);

// 'count' zeroed elements of 'size' bytes, or NULL, also where the product overflows.
void *astar_alloc(const AstarAllocator *allocator, size_t count, size_t size);
// Takes back what astar_alloc gave for the same count and size; NULL is fine.
void astar_release(const AstarAllocator *allocator, void *block, size_t count, size_t size);
// The same without zeroing, where the allocator is the standard one: for what is written before it
// is read, a part at a time.
void *astar_alloc_unwritten(const AstarAllocator *allocator, size_t count, size_t size);
void astar_release_unwritten(const AstarAllocator *allocator, void *block, size_t count,
                             size_t size);

// ---- memory for very many small arrays that are freed together ----

typedef struct AstarArena {
    struct AstarArenaPage *page; // the last one, and through it those before
    size_t used;                 // bytes of it
} AstarArena;

// Sees to it that so many bytes can be taken; false without memory.
bool astar_arena_reserve(AstarArena *arena, const AstarAllocator *allocator, size_t bytes);
// So many bytes, or NULL. They stay until their page is dropped.
void *astar_arena_take(AstarArena *arena, const AstarAllocator *allocator, size_t bytes);
// The same as astar_array_grow; an array that was outgrown stays until its page is dropped, too.
void *astar_arena_grow(AstarArena *arena, const AstarAllocator *allocator, void *array,
                       size_t count, size_t size, size_t *capacity, size_t least);
// The bytes of the last page; 0: there is none.
size_t astar_arena_page_bytes(const AstarArena *arena);
// Frees it; false once there is none.
bool astar_arena_drop_page(AstarArena *arena, const AstarAllocator *allocator);
// Frees all of them; false where the work, in cells of a layer, is used up before.
bool astar_arena_clear(AstarArena *arena, const AstarAllocator *allocator, int64_t *work);

#endif
