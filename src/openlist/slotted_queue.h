// slotted_queue.h -- The open list of searches over cells and headings, and of jump point search
// over terrain of several costs. Items leave in the order that heap.h defines, the least first.
//
// Operations on a single heap of all open items would take most of a simple search's time, so only
// a small part of the items is in a heap. The range of f is divided into slots of equal width.
// Items of the current slot and of slots before it are in the heap 'near'. A ring of the slots that
// follow holds unsorted lists; a push to such a list takes a few instructions. Items beyond the
// ring are in the heap 'far'. When 'near' is empty, the items of the next slot that is not empty
// move there. (This is the calendar queue of R. Brown, 1988, with heaps at both ends.)
//
// Most slots hold few items. For such a slot 'near' is a sorted list and not a heap. Sorting so few
// items needs no branch that a processor could predict wrong, and taking an item from the list
// needs no further work.
//
// Items leave in exactly the order of one single heap, independent of the width of the slots. f
// need not grow monotonically.
//
// A slot may hold more items than a step of a search has time to sort. Therefore a slot can move to
// 'near' in parts, before its first item is taken: its items are gathered first and then made a
// heap. For the same reason the memory of the lists is allocated in parts, which never move.

#ifndef ASTAR_SLOTTED_QUEUE_H
#define ASTAR_SLOTTED_QUEUE_H

#include "base/bits.h"
#include "openlist/heap.h"

enum {
    ASTAR_QUEUE_SLOTS = 1024,              // number of slots in the ring
    ASTAR_MOST_SORTED = 16,                // maximum number of items of 'near' as a sorted list
    ASTAR_POOL_BITS = 12,                  // binary logarithm of the size of a part
    ASTAR_POOL_PART = 1 << ASTAR_POOL_BITS // number of items in a part of the pool
};

// An item in the list of a slot, or an unused entry of the pool.
typedef struct AstarSlotted {
    AstarOpen item;
    uint32_t next; // place of the next item of the slot, or of the next free place; 0 for none
} AstarSlotted;

typedef struct AstarSlottedQueue {
    AstarHeap near, far;
    bool is_sorted;                      // true if 'near' is a sorted list, the least item last
    AstarSlotted **pool;                 // the items of the ring, in parts; places start at 1
    size_t part_capacity, pool_capacity; // allocated entries of 'pool', and places in its parts
    size_t room;            // number of items that 'near' and the pool both have room for
    uint32_t used, vacancy; // number of places ever used; the first free place, 0 for none
    size_t listed;          // number of items in the ring
    size_t gathered;        // number of items gathered of a slot that moves to 'near'
    size_t unheaped; // number of gathered items, from the first on, still to be put in heap order
    int64_t slot;    // number of the current slot
    double scale;    // number of slots per unit of f
    uint64_t filled[ASTAR_QUEUE_SLOTS / 64]; // a bit per slot of the ring, set if it has items
    uint32_t first[ASTAR_QUEUE_SLOTS];       // place of the first item of each slot, 0 for none
} AstarSlottedQueue;

// Makes room for 'more' items when astar_slotted_reserve() finds too little room.
bool astar_slotted_grow(AstarSlottedQueue *queue, const AstarAllocator *allocator, size_t more);
void astar_slotted_free(AstarSlottedQueue *queue, const AstarAllocator *allocator);
size_t astar_slotted_bytes(const AstarSlottedQueue *queue);
// Empties the queue and sets the width of its slots in f. A good width is the typical difference in
// f between two neighbouring nodes.
void astar_slotted_clear(AstarSlottedQueue *queue, double width);
// Moves the items of the next filled slot to 'near', which must be empty. Stops after 'most' items
// were moved or put in heap order, and returns false; the next call continues. Returns true once
// all items are in order.
bool astar_slotted_advance_some(AstarSlottedQueue *queue, size_t most);
// Moves all items of the next filled slot to 'near', which must be empty.
void astar_slotted_advance(AstarSlottedQueue *queue);

static inline size_t astar_slotted_count(const AstarSlottedQueue *queue)
{
    return astar_heap_count(&queue->near) + queue->listed + astar_heap_count(&queue->far);
}

// Makes room for 'more' items. Returns false, and leaves the queue unchanged, if there is no
// memory.
static inline bool astar_slotted_reserve(AstarSlottedQueue *queue, const AstarAllocator *allocator,
                                         size_t more)
{
    // 'near' needs room for all items, because all may lie in one slot.
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
    listed->next = queue->first[at]; // for an empty slot too: a branch would be unpredictable
    queue->first[at] = place;
    queue->filled[at >> 6] |= (uint64_t)1 << (at & 63);
    queue->listed++;
}

// Adds an item to a heap: to 'near' if its slot is the current one or an earlier one, otherwise to
// 'far'.
void astar_slotted_push_unlisted(AstarSlottedQueue *queue, int64_t slot, AstarOpen item);

// Adds an item. The queue must have room for it.
static inline void astar_slotted_push(AstarSlottedQueue *queue, double f, AstarOpen item)
{
    int64_t slot = astar_slotted_slot(queue, f);
    if (slot > queue->slot && slot - queue->slot < ASTAR_QUEUE_SLOTS)
        astar_slotted_list(queue, slot, item);
    else
        astar_slotted_push_unlisted(queue, slot, item);
}

// Returns true if the first item can be taken without further work. Otherwise does a bounded part
// of that work and returns false, unless this part was the last. The queue must not be empty.
static inline bool astar_slotted_is_ready(AstarSlottedQueue *queue)
{
    enum { AT_A_TIME = 512 };
    return astar_heap_count(&queue->near) > 0 || astar_slotted_advance_some(queue, AT_A_TIME);
}

// Returns the f of the first item, INFINITY if the queue is empty.
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
