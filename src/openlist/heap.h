// heap.h -- The open list of searches: a heap of cells with four children per node and the least f
// on top.
//
// An item is two words that are compared as one number: the bits of f, then a word that breaks
// ties. f is never negative, so its bits have the order of its values. Among equal f the larger g
// comes first (the cell nearer to the goal), then the lower cell. This order is total, so the next
// item never depends on the layout of the heap.
//
// Items of 64 bits were tried for JPSW: f in single precision above the cell, without g. With eight
// moves queries took 0.99 to 1.09 times as many instructions; with four moves 1.04 to 2.9 times,
// because without the tie by g searches expanded up to 4 times as many nodes.
//
// A cell whose g improves is pushed again; the search skips the stale item when it is popped.
//
// After a pop the top is vacant until the next push or pop. An expansion pushes items right after
// it has popped one, and the pushed items often belong near the top. Filling the vacancy with the
// pushed item saves moving the last item to the top and down again.

#ifndef ASTAR_HEAP_H
#define ASTAR_HEAP_H

#include "base/alloc.h"

#include <string.h>

// An item of the open list.
typedef struct AstarOpen {
    uint64_t f; // the bits of a double >= 0
    // The upper half of the word is the complement of g in single precision, the lower half is the
    // cell.
    uint64_t tie;
} AstarOpen;

// A heap of items.
typedef struct AstarHeap {
    AstarOpen *items;
    size_t count, capacity; // number of items, including the vacant top; allocated number of items
    bool vacant;
} AstarHeap;

// Returns the item for a cell with the given f and g.
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

// Returns the cell of an item.
static inline uint32_t astar_open_cell(AstarOpen item)
{
    return (uint32_t)item.tie;
}

// Returns the f of an item.
static inline double astar_open_f(AstarOpen item)
{
    double f;
    memcpy(&f, &item.f, sizeof f);
    return f;
}

// Returns true if item 'a' comes before item 'b'. With 128-bit numbers the comparison needs no
// branch.
static inline bool astar_open_before(AstarOpen a, AstarOpen b)
{
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 Both;
    return ((Both)a.f << 64 | a.tie) < ((Both)b.f << 64 | b.tie);
#else
    return a.f < b.f || (a.f == b.f && a.tie < b.tie);
#endif
}

#define HEAP_ITEM AstarOpen
#define HEAP_BEFORE(a, b) astar_open_before(a, b)
#define HEAP_FUNCTION(name) astar_heap_##name
#include "openlist/heap_template.h"

// Makes room in a heap for 'more' further items. Returns false if memory runs out; the heap is then
// unchanged.
bool astar_heap_reserve(AstarHeap *heap, const AstarAllocator *allocator, size_t more);
// Frees the heap.
void astar_heap_free(AstarHeap *heap, const AstarAllocator *allocator);

// Adds an item to a heap. The heap must have room for it.
static inline void astar_heap_push(AstarHeap *heap, AstarOpen item)
{
    if (heap->vacant) {
        heap->vacant = false;
        astar_heap_replace_top(heap->items, heap->count, item);
        return;
    }
    astar_heap_sift_up(heap->items, heap->count++, item);
}

// Returns the number of items in a heap.
static inline size_t astar_heap_count(const AstarHeap *heap)
{
    return heap->count - heap->vacant;
}

// Removes all items from a heap.
static inline void astar_heap_clear(AstarHeap *heap)
{
    heap->count = 0;
    heap->vacant = false;
}

// Moves the last item of a heap to the top if the top is vacant, and then down to where it belongs.
// The heap must not be empty.
static inline void astar_heap_fill(AstarHeap *heap)
{
    if (heap->vacant) {
        AstarOpen last = heap->items[--heap->count];
        heap->vacant = false;
        astar_heap_replace_top(heap->items, heap->count, last);
    }
}

// Returns the first item of a heap and leaves it there. The heap must not be empty.
static inline AstarOpen astar_heap_top(AstarHeap *heap)
{
    astar_heap_fill(heap);
    return heap->items[0];
}

// Removes the first item of a heap and returns it. The heap must not be empty.
static inline AstarOpen astar_heap_pop(AstarHeap *heap)
{
    astar_heap_fill(heap);
    heap->vacant = true;
    return heap->items[0];
}

#endif
