// heap.h -- the open list: a heap of cells, four children a node, the least f on top.
//
// Items are two words compared as one number: the bits of f, then a tie word. f is never negative,
// so its bits order as the numbers do. Equal f prefers the larger g (the cell nearer to the goal),
// then the lower cell: a total order, so what is popped next never depends on the heap's layout.
//
// A cell whose g improves is pushed again; the search skips the stale item when it is popped.

#ifndef ASTAR_HEAP_H
#define ASTAR_HEAP_H

#include "alloc.h"

#include <string.h>

typedef struct AstarOpen {
    uint64_t f;   // the bits of a double >= 0
    uint64_t tie; // above: the complement of g in single precision; below: the cell
} AstarOpen;

typedef struct AstarHeap {
    AstarOpen *items;
    size_t count, capacity;
} AstarHeap;

static inline AstarOpen astar_open(double f, double g, uint32_t cell)
{
    float coarse = (float)g;
    uint32_t g_bits;
    AstarOpen item;
    memcpy(&item.f, &f, sizeof item.f);
    memcpy(&g_bits, &coarse, sizeof g_bits);
    item.tie = (uint64_t)~g_bits << 32 | cell;
    return item;
}

static inline uint32_t astar_open_cell(AstarOpen item)
{
    return (uint32_t)item.tie;
}

static inline double astar_open_f(AstarOpen item)
{
    double f;
    memcpy(&f, &item.f, sizeof f);
    return f;
}

static inline bool astar_open_before(AstarOpen a, AstarOpen b)
{
    return (a.f < b.f) | ((a.f == b.f) & (a.tie < b.tie));
}

// Makes room for 'more' items; false, and the heap as it was, when there is no memory.
bool astar_heap_reserve(AstarHeap *heap, const AstarAllocator *allocator, size_t more);
void astar_heap_free(AstarHeap *heap, const AstarAllocator *allocator);

// Adds an item. There must be room.
static inline void astar_heap_push(AstarHeap *heap, AstarOpen item)
{
    size_t at = heap->count++;
    while (at > 0) {
        size_t parent = (at - 1) / 4;
        if (!astar_open_before(item, heap->items[parent]))
            break;
        heap->items[at] = heap->items[parent];
        at = parent;
    }
    heap->items[at] = item;
}

// Removes the first item. The heap must not be empty.
static inline AstarOpen astar_heap_pop(AstarHeap *heap)
{
    AstarOpen *items = heap->items;
    AstarOpen top = items[0], last = items[--heap->count];
    size_t count = heap->count, at = 0;
    for (;;) {
        size_t child = 4 * at + 1, least = child;
        if (child + 4 <= count) {
            if (astar_open_before(items[child + 1], items[least]))
                least = child + 1;
            if (astar_open_before(items[child + 2], items[least]))
                least = child + 2;
            if (astar_open_before(items[child + 3], items[least]))
                least = child + 3;
        } else {
            if (child >= count)
                break;
            while (++child < count)
                if (astar_open_before(items[child], items[least]))
                    least = child;
        }
        if (!astar_open_before(items[least], last))
            break;
        items[at] = items[least];
        at = least;
    }
    items[at] = last;
    return top;
}

#endif
