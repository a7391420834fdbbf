// arena.h -- memory for very many small arrays that are freed together.
//
// As blocks of their own, hundreds of thousands of them lie all over the C library's heap. Once all
// are freed they are one run, which the library gives back to the system in one go: 170 MB are 14
// to 27 ms. In an arena they lie on pages, the later ones large enough to be mapped
// (mapped_blocks.h), and are freed page by page.

#ifndef ASTAR_ARENA_H
#define ASTAR_ARENA_H

#include "base/alloc.h"

typedef struct AstarArena {
    struct AstarArenaPage *page; // the last one, and through it those before
    size_t used;                 // bytes of it
} AstarArena;

// So many bytes, or NULL. They stay until their page is dropped.
void *astar_arena_take(AstarArena *arena, const AstarAllocator *allocator, size_t bytes);
// The same as astar_array_grow; an array that was outgrown stays until its page is dropped, too.
void *astar_arena_grow(AstarArena *arena, const AstarAllocator *allocator, void *array,
                       size_t count, size_t size, size_t *capacity, size_t least);
// Frees the last page; false once there is none.
bool astar_arena_drop_page(AstarArena *arena, const AstarAllocator *allocator);

#endif
