// slotted_queue.h -- the open list: the cells to expand next, the least first by heap.h's order.
//
// A heap of everything open costs most of a plain search's time, so only a small part of it is one.
// The values of f are cut into slots of equal width. What falls into the current slot or before it
// is in the heap 'near'; the slots after it, a ring of them, are unsorted lists, a push of a few
// instructions; what lies beyond the ring is in the heap 'far'. When 'near' runs out, the next slot
// that is not empty moves there. (R. Brown's calendar queue, 1988, with heaps at both ends.)
//
// Where a slot holds few items, as most do, 'near' is no heap but a list in order: to sort so few
// takes no branch that a processor could guess wrong, and then each is at hand.
//
// Items leave in exactly the order of one heap, whatever the width, and f need not grow.
//
// What falls into one slot may be more than a step of a search has time to sort, so a slot can move
// to 'near' a part at a time, before the first item of it is taken: its items are gathered, then
// heaped. For the same reason the memory of the lists comes in parts, which never move.

#ifndef ASTAR_SLOTTED_QUEUE_H
#define ASTAR_SLOTTED_QUEUE_H

#include "base/bits.h"
#include "openlist/heap.h"

enum {
    ASTAR_QUEUE_SLOTS = 1024,
    ASTAR_MOST_SORTED = 16, // items of 'near' as a list
    ASTAR_POOL_BITS = 12,   // of an item's place those that tell where in its part it lies
    ASTAR_POOL_PART = 1 << ASTAR_POOL_BITS
};

typedef struct AstarSlotted {
    AstarOpen item;
    uint32_t next; // in its slot, or of those that are free; 0: the last
} AstarSlotted;

typedef struct AstarSlottedQueue {
    AstarHeap near, far;
    bool is_sorted;      // 'near' is a list in order, the least last
    AstarSlotted **pool; // the items of the ring, from 1, in parts
    size_t part_capacity, pool_capacity;
    size_t room;            // what 'near' and the pool both have room for
    uint32_t used, vacancy; // how many of the pool were ever taken; the first that is free again
    size_t listed;          // in the ring
    size_t gathered;        // of a slot that moves to 'near', which is empty until then
    size_t unheaped;        // of those the first so many are not in order yet, once all are there
    int64_t slot;           // the current one
    double scale;           // slots for each unit of f
    uint64_t filled[ASTAR_QUEUE_SLOTS / 64];
    uint32_t first[ASTAR_QUEUE_SLOTS]; // 0 where not filled
} AstarSlottedQueue;

// The same as astar_slotted_reserve() where there is not enough room.
bool astar_slotted_grow(AstarSlottedQueue *queue, const AstarAllocator *allocator, size_t more);
void astar_slotted_free(AstarSlottedQueue *queue, const AstarAllocator *allocator);
size_t astar_slotted_bytes(const AstarSlottedQueue *queue);
// Empties the queue; its slots become 'width' wide, about the difference between neighbours' f.
void astar_slotted_clear(AstarSlottedQueue *queue, double width);
// Moves the next items to 'near', which is empty; false where that is to be gone on with, for so
// many were moved, or heaped.
bool astar_slotted_advance_some(AstarSlottedQueue *queue, size_t most);
// The same in one go.
void astar_slotted_advance(AstarSlottedQueue *queue);

static inline size_t astar_slotted_count(const AstarSlottedQueue *queue)
{
    return astar_heap_count(&queue->near) + queue->listed + astar_heap_count(&queue->far);
}

// Makes room for 'more' items; false, and the queue as it was, when there is no memory.
static inline bool astar_slotted_reserve(AstarSlottedQueue *queue, const AstarAllocator *allocator,
                                         size_t more)
{
    // All may come to lie in 'near'.
    size_t count = queue->near.count + queue->listed + queue->far.count;
    return (count + more <= queue->room && queue->far.count + more <= queue->far.capacity) ||
           astar_slotted_grow(queue, allocator, more);
}

static inline int64_t astar_slotted_slot(const AstarSlottedQueue *queue, double f)
{
    double slot = f * queue->scale;
    return (int64_t)(slot < 0x1p60 ? slot : 0x1p60);
}

static inline AstarSlotted *astar_slotted_at(const AstarSlottedQueue *queue, uint32_t place)
{
    return &queue->pool[place >> ASTAR_POOL_BITS][place & (ASTAR_POOL_PART - 1)];
}

static inline void astar_slotted_list(AstarSlottedQueue *queue, int64_t slot, AstarOpen item)
{
    uint32_t place = queue->vacancy != 0 ? queue->vacancy : ++queue->used;
    AstarSlotted *listed = astar_slotted_at(queue, place);
    if (queue->vacancy != 0)
        queue->vacancy = listed->next;
    size_t at = (size_t)slot & (ASTAR_QUEUE_SLOTS - 1);
    listed->item = item;
    listed->next = queue->first[at]; // without a branch, which no processor would foresee
    queue->first[at] = place;
    queue->filled[at >> 6] |= (uint64_t)1 << (at & 63);
    queue->listed++;
}

// The same as astar_slotted_push() of what is not to be listed.
void astar_slotted_push_unlisted(AstarSlottedQueue *queue, int64_t slot, AstarOpen item);

// Adds an item. There must be room.
static inline void astar_slotted_push(AstarSlottedQueue *queue, double f, AstarOpen item)
{
    int64_t slot = astar_slotted_slot(queue, f);
    if (slot > queue->slot && slot - queue->slot < ASTAR_QUEUE_SLOTS)
        astar_slotted_list(queue, slot, item);
    else
        astar_slotted_push_unlisted(queue, slot, item);
}

// Whether an item can be taken at once; else some of what has to come before that is done. The
// queue must not be empty.
static inline bool astar_slotted_is_ready(AstarSlottedQueue *queue)
{
    enum { AT_A_TIME = 512 };
    return astar_heap_count(&queue->near) > 0 || astar_slotted_advance_some(queue, AT_A_TIME);
}

// The f of the first item, INFINITY when there is none.
double astar_slotted_least_f(AstarSlottedQueue *queue);

// Removes the first item. The queue must not be empty.
static inline AstarOpen astar_slotted_pop(AstarSlottedQueue *queue)
{
    if (astar_heap_count(&queue->near) == 0)
        astar_slotted_advance(queue);
    AstarHeap *near = &queue->near;
    return queue->is_sorted ? near->items[--near->count] : astar_heap_pop(near);
}

#endif
