// heap64.h -- an open list of single words: f above, the cell below; the least on top.
//
// Half the size of heap.h's items, for searches whose costs are whole numbers. Four children a
// node; popping leaves the top vacant until the next push or pop, as there.
//
// What is pushed with the f that was popped last, the least there is, needs no place in the heap:
// it goes on a stack at the far end of the same memory, and is popped first, the newest before the
// others.

#ifndef ASTAR_HEAP64_H
#define ASTAR_HEAP64_H

#include "base/alloc.h"

enum { ASTAR_CELL_BITS = 28 };
#define ASTAR_CELL_MASK ((UINT32_C(1) << ASTAR_CELL_BITS) - 1)

typedef struct AstarHeap64 {
    uint64_t *items;
    size_t count, capacity; // the vacant top included
    size_t newest;          // how many lie on the stack, from the last item down
    uint64_t least;         // the greatest item of the f popped last
    bool vacant;
} AstarHeap64;

// Doubles the room; false, and the list as it was, when there is no memory.
bool astar_heap64_grow(AstarHeap64 *keys, const AstarAllocator *allocator);
// Gives memory back but for an eighth of a megabyte; what is in the list is lost.
void astar_heap64_rest(AstarHeap64 *keys, const AstarAllocator *allocator);
void astar_heap64_free(AstarHeap64 *keys, const AstarAllocator *allocator);

static inline bool astar_heap64_has_room(const AstarHeap64 *keys)
{
    return keys->count + keys->newest < keys->capacity;
}

static inline bool astar_heap64_is_empty(const AstarHeap64 *keys)
{
    return keys->count + keys->newest == keys->vacant;
}

static inline void astar_heap64_clear(AstarHeap64 *keys)
{
    keys->count = keys->newest = 0;
    keys->least = 0;
    keys->vacant = false;
}

#define HEAP_ITEM uint64_t
#define HEAP_BEFORE(a, b) ((a) < (b))
#define HEAP_FUNCTION(name) astar_heap64_##name
#include "openlist/heap_template.h"

// Adds an item. There must be room.
static inline void astar_heap64_push(AstarHeap64 *keys, uint64_t item)
{
    if (item <= keys->least) {
        keys->items[keys->capacity - ++keys->newest] = item;
        return;
    }
    if (keys->vacant) {
        keys->vacant = false;
        astar_heap64_sink(keys->items, keys->count, item);
        return;
    }
    astar_heap64_rise(keys->items, keys->count++, item);
}

// Removes the first item. The list must not be empty.
static inline uint64_t astar_heap64_pop(AstarHeap64 *keys)
{
    if (keys->newest > 0)
        return keys->items[keys->capacity - keys->newest--];
    if (keys->vacant) {
        uint64_t last = keys->items[--keys->count];
        astar_heap64_sink(keys->items, keys->count, last);
    }
    keys->vacant = true;
    keys->least = keys->items[0] | ASTAR_CELL_MASK;
    return keys->items[0];
}

#endif
