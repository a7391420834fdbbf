// heap64.h -- An open list of single words, for searches whose costs are integers: f in the upper
// bits, the cell in the lower ones, the least word on top.
//
// Items are half as large as those of heap.h. There are four children per node, and popping leaves
// the top vacant until the next push or pop.
//
// An item that is pushed with the f that was popped last, which is the least f, need not be
// inserted into the heap. This item is put on a stack at the other end of the same memory. The
// stack is popped first, its newest item before the others (LIFO).

#ifndef ASTAR_HEAP64_H
#define ASTAR_HEAP64_H

#include "base/alloc.h"

// Number of low bits of an item that contain the cell.
enum { ASTAR_CELL_BITS = 28 };
#define ASTAR_CELL_MASK ((UINT32_C(1) << ASTAR_CELL_BITS) - 1)

// A heap of words with a stack for items of the least f.
typedef struct AstarHeap64 {
    uint64_t *items;
    // Number of items in the heap, including the vacant top; allocated number of words.
    size_t count, capacity;
    // Number of items on the stack, which grows downwards from the last word.
    size_t newest;
    uint64_t least; // greatest possible item with the f that was popped last
    bool vacant;
} AstarHeap64;

// Doubles the memory of a list. Returns false if memory runs out; the list then stays as it was.
bool astar_heap64_grow(AstarHeap64 *keys, const AstarAllocator *allocator);
// Removes all items of a list and frees its memory beyond 128 KB.
void astar_heap64_rest(AstarHeap64 *keys, const AstarAllocator *allocator);
// Frees the list.
void astar_heap64_free(AstarHeap64 *keys, const AstarAllocator *allocator);

// Returns true if a list has room for one more item.
static inline bool astar_heap64_has_room(const AstarHeap64 *keys)
{
    return keys->count + keys->newest < keys->capacity;
}

// Returns true if a list has no items.
static inline bool astar_heap64_is_empty(const AstarHeap64 *keys)
{
    return keys->count + keys->newest == keys->vacant;
}

// Removes all items of a list.
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

// Adds an item to a list. The list must have room for it.
static inline void astar_heap64_push(AstarHeap64 *keys, uint64_t item)
{
    if (item <= keys->least) {
        keys->items[keys->capacity - ++keys->newest] = item;
        return;
    }
    if (keys->vacant) {
        keys->vacant = false;
        astar_heap64_replace_top(keys->items, keys->count, item);
        return;
    }
    astar_heap64_sift_up(keys->items, keys->count++, item);
}

// Removes the first item of a list and returns it. The list must not be empty.
static inline uint64_t astar_heap64_pop(AstarHeap64 *keys)
{
    if (keys->newest > 0)
        return keys->items[keys->capacity - keys->newest--];
    if (keys->vacant) {
        uint64_t last = keys->items[--keys->count];
        astar_heap64_replace_top(keys->items, keys->count, last);
    }
    keys->vacant = true;
    keys->least = keys->items[0] | ASTAR_CELL_MASK;
    return keys->items[0];
}

#endif
