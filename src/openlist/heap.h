// heap.h -- the open list: a heap of cells, four children a node, the least f on top.
//
// Items are two words compared as one number: the bits of f, then a tie word. f is never negative,
// so its bits order as the numbers do. Equal f prefers the larger g (the cell nearer to the goal),
// then the lower cell: a total order, so what is popped next never depends on the heap's layout.
//
// A cell whose g improves is pushed again; the search skips the stale item when it is popped.
//
// Popping leaves the top vacant until the next push or pop. An expansion pushes right after it
// pops, and what it pushes often belongs near the top: filling the vacancy with it saves taking
// the last item up there and down again.

#ifndef ASTAR_HEAP_H
#define ASTAR_HEAP_H

#include "base/alloc.h"

#include <string.h>

typedef struct AstarOpen {
    uint64_t f;   // the bits of a double >= 0
    uint64_t tie; // above: the complement of g in single precision; below: the cell
} AstarOpen;

typedef struct AstarHeap {
    AstarOpen *items;
    size_t count, capacity; // the vacant top included
    bool vacant;
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

// Compared as one number of 128 bits where the compiler has those: that takes no branch.
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

// Makes room for 'more' items; false, and the heap as it was, when there is no memory.
bool astar_heap_reserve(AstarHeap *heap, const AstarAllocator *allocator, size_t more);
void astar_heap_free(AstarHeap *heap, const AstarAllocator *allocator);

// Adds an item. There must be room.
static inline void astar_heap_push(AstarHeap *heap, AstarOpen item)
{
    if (heap->vacant) {
        heap->vacant = false;
        astar_heap_sink(heap->items, heap->count, item);
        return;
    }
    astar_heap_rise(heap->items, heap->count++, item);
}

static inline size_t astar_heap_count(const AstarHeap *heap)
{
    return heap->count - heap->vacant;
}

static inline void astar_heap_clear(AstarHeap *heap)
{
    heap->count = 0;
    heap->vacant = false;
}

// Fills a vacant top. The heap must not be empty.
static inline void astar_heap_fill(AstarHeap *heap)
{
    if (heap->vacant) {
        AstarOpen last = heap->items[--heap->count];
        heap->vacant = false;
        astar_heap_sink(heap->items, heap->count, last);
    }
}

// The first item. The heap must not be empty.
static inline AstarOpen astar_heap_top(AstarHeap *heap)
{
    astar_heap_fill(heap);
    return heap->items[0];
}

// Removes the first item. The heap must not be empty.
static inline AstarOpen astar_heap_pop(AstarHeap *heap)
{
    astar_heap_fill(heap);
    heap->vacant = true;
    return heap->items[0];
}

#endif
