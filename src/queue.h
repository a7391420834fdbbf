// queue.h -- the open list: the cells to expand next, the least first by heap.h's order.
//
// A heap of everything open costs most of a plain search's time, so only a small part of it is one.
// The values of f are cut into slots of equal width. What falls into the current slot or before it
// is in the heap 'near'; the slots after it, a ring of them, are unsorted lists, a push of a few
// instructions; what lies beyond the ring is in the heap 'far'. When 'near' runs out, the next slot
// that is not empty moves there. (R. Brown's calendar queue, 1988, with heaps at both ends.)
//
// Items leave in exactly the order of one heap, whatever the width, and f need not grow.

#ifndef ASTAR_QUEUE_H
#define ASTAR_QUEUE_H

#include "bits.h"
#include "heap.h"

enum { ASTAR_QUEUE_SLOTS = 512 };

typedef struct AstarQueued {
    AstarOpen item;
    uint32_t next; // in its slot, or of those that are free; 0: the last
} AstarQueued;

typedef struct AstarQueue {
    AstarHeap near, far;
    AstarQueued *pool; // the items of the ring, from 1: as many as 'near' has room for
    size_t pool_capacity;
    uint32_t used, vacancy; // how many of the pool were ever taken; the first that is free again
    size_t listed;          // in the ring
    int64_t slot;           // the current one
    double scale;           // slots for each unit of f
    uint64_t filled[ASTAR_QUEUE_SLOTS / 64];
    uint32_t first[ASTAR_QUEUE_SLOTS]; // valid where filled
} AstarQueue;

// The same as astar_queue_reserve() where there is not enough room.
bool astar_queue_grow(AstarQueue *queue, const AstarAllocator *allocator, size_t more);
void astar_queue_free(AstarQueue *queue, const AstarAllocator *allocator);
size_t astar_queue_bytes(const AstarQueue *queue);
// Empties the queue; its slots become 'width' wide, about the difference between neighbours' f.
void astar_queue_clear(AstarQueue *queue, double width);
// Moves the next items to 'near', which is empty.
void astar_queue_advance(AstarQueue *queue);

static inline size_t astar_queue_count(const AstarQueue *queue)
{
    return astar_heap_count(&queue->near) + queue->listed + astar_heap_count(&queue->far);
}

// Makes room for 'more' items; false, and the queue as it was, when there is no memory.
static inline bool astar_queue_reserve(AstarQueue *queue, const AstarAllocator *allocator,
                                       size_t more)
{
    // All may come to lie in 'near'.
    size_t count = queue->near.count + queue->listed + queue->far.count;
    return (count + more < queue->pool_capacity &&
            queue->far.count + more <= queue->far.capacity) ||
           astar_queue_grow(queue, allocator, more);
}

static inline int64_t astar_queue_slot(const AstarQueue *queue, double f)
{
    double slot = f * queue->scale;
    return (int64_t)(slot < 0x1p60 ? slot : 0x1p60);
}

static inline void astar_queue_list(AstarQueue *queue, int64_t slot, AstarOpen item)
{
    uint32_t place = queue->vacancy;
    if (place != 0)
        queue->vacancy = queue->pool[place].next;
    else
        place = ++queue->used;
    size_t at = (size_t)slot & (ASTAR_QUEUE_SLOTS - 1);
    uint64_t bit = (uint64_t)1 << (at & 63), *word = &queue->filled[at >> 6];
    queue->pool[place].item = item;
    queue->pool[place].next = *word & bit ? queue->first[at] : 0;
    queue->first[at] = place;
    *word |= bit;
    queue->listed++;
}

// Adds an item. There must be room.
static inline void astar_queue_push(AstarQueue *queue, double f, AstarOpen item)
{
    int64_t slot = astar_queue_slot(queue, f), after = slot - queue->slot;
    if (after <= 0)
        astar_heap_push(&queue->near, item);
    else if (after < ASTAR_QUEUE_SLOTS)
        astar_queue_list(queue, slot, item);
    else
        astar_heap_push(&queue->far, item);
}

// The f of the first item, INFINITY when there is none.
double astar_queue_least_f(AstarQueue *queue);

// Removes the first item. The queue must not be empty.
static inline AstarOpen astar_queue_pop(AstarQueue *queue)
{
    if (astar_heap_count(&queue->near) == 0)
        astar_queue_advance(queue);
    return astar_heap_pop(&queue->near);
}

#endif
