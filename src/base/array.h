// array.h -- Growing arrays.

#ifndef ASTAR_ARRAY_H
#define ASTAR_ARRAY_H

#include "base/alloc.h"

#include <string.h>

// Moves the first 'count' elements of an array to a new one with room for 'wanted' elements, and
// frees the old one, which may be NULL. Sets '*capacity' to 'wanted'. Returns the new array; if
// memory runs out it returns NULL and the old array stays.
void *astar_array_resize(const AstarAllocator *allocator, void *array, size_t count, size_t size,
                         size_t *capacity, size_t wanted);
// Resizes an array like astar_array_resize, to at least twice its capacity, at least 'least'
// elements and at least 'need' elements.
void *astar_array_grow(const AstarAllocator *allocator, void *array, size_t count, size_t size,
                       size_t *capacity, size_t need, size_t least);
// Grows an array like astar_array_grow. 'array' points to the pointer to the array, which is
// updated. Returns false if memory runs out.
bool astar_array_extend(const AstarAllocator *allocator, void *array, size_t count, size_t size,
                        size_t *capacity, size_t need, size_t least);
// Makes sure that an array has room for 'more' elements after the first 'count'. The value of the
// expression is false if memory runs out.
#define ASTAR_RESERVE(allocator, array, count, more, capacity, least)                              \
    ((count) + (more) <= *(capacity) ||                                                            \
     astar_array_extend(allocator, &(array), count, sizeof *(array), capacity, (count) + (more),   \
                        least))
// Replaces an array by an empty one with room for 'wanted' elements, more or fewer than before. The
// old array is freed first. If memory runs out, the function returns NULL, and '*capacity' is 0.
void *astar_array_shrink(const AstarAllocator *allocator, void *array, size_t size,
                         size_t *capacity, size_t wanted);

// The state of moving an array to a larger one in steps. No element may be added during the move.
typedef struct AstarMove {
    void *to;               // new array; NULL: the move has not begun
    size_t capacity, moved; // capacity of the new array; number of elements moved so far
} AstarMove;

// Moves at most 'most' more of 'count' elements to a new array with room for 'wanted' elements;
// 'wanted' must not change during the move. Returns the old array until all elements are moved;
// then it returns the new one and updates '*capacity'. Returns NULL if memory runs out.
void *astar_array_move(const AstarAllocator *allocator, void *array, size_t count, size_t size,
                       size_t *capacity, size_t wanted, AstarMove *move, size_t most);
// Frees the new array of an unfinished move.
void astar_array_drop_move(const AstarAllocator *allocator, size_t size, AstarMove *move);

// Returns how many elements have a number less than 'key'. Each element has 'size' bytes and begins
// with a uint32_t, by which the elements are sorted.
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
