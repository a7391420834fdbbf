// array.h -- arrays that grow.

#ifndef ASTAR_ARRAY_H
#define ASTAR_ARRAY_H

#include "base/alloc.h"

#include <string.h>

// Moves the first 'count' elements of 'size' bytes to room for 'wanted', the new capacity, and
// gives back the old array, NULL where it had none. NULL, and the array as it was, when there is no
// memory.
void *astar_array_resize(const AstarAllocator *allocator, void *array, size_t count, size_t size,
                         size_t *capacity, size_t wanted);
// The same to twice the room it had or more, at least 'least', so that 'need' elements have it.
void *astar_array_grow(const AstarAllocator *allocator, void *array, size_t count, size_t size,
                       size_t *capacity, size_t need, size_t least);
// The same in place, where 'array' tells the array's address: false when there is no memory.
bool astar_array_extend(const AstarAllocator *allocator, void *array, size_t count, size_t size,
                        size_t *capacity, size_t need, size_t least);
// Makes sure of room for 'more' elements behind the first 'count' of an array; so does that.
#define ASTAR_RESERVE(allocator, array, count, more, capacity, least)                              \
    ((count) + (more) <= *(capacity) ||                                                            \
     astar_array_extend(allocator, &(array), count, sizeof *(array), capacity, (count) + (more),   \
                        least))
// Gives an array back for one of 'wanted' elements, of which none is written; where there is no
// memory for that, NULL, and '*capacity' is 0.
void *astar_array_shrink(const AstarAllocator *allocator, void *array, size_t size,
                         size_t *capacity, size_t wanted);

// Where an array moves to, a part at a time, while nobody adds to it.
typedef struct AstarMove {
    void *to;               // NULL: it does not move
    size_t capacity, moved; // elements
} AstarMove;

// Moves at most 'most' more of 'count' elements of 'size' bytes to room for 'wanted', as it was
// when the move began. Returns the array: the new one once all have moved, and '*capacity' is its
// own; NULL when there is no memory.
void *astar_array_move(const AstarAllocator *allocator, void *array, size_t count, size_t size,
                       size_t *capacity, size_t wanted, AstarMove *move, size_t most);
// Gives back what a move that is not at its end has taken.
void astar_array_drop_move(const AstarAllocator *allocator, size_t size, AstarMove *move);

// Of elements of 'size' bytes, in the order of the number that each begins with, how many have a
// lesser one than 'key'.
static inline size_t astar_count_below(const void *elements, size_t count, size_t size,
                                       uint32_t key)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        uint32_t number;
        memcpy(&number, (const char *)elements + middle * size, sizeof number);
        if (number < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#endif
