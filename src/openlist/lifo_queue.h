// lifo_queue.h -- The open list of A* and Dijkstra's algorithm: a bucket queue in order of f, in
// which the newest of equal entries comes first.
//
// Each bucket holds the entries of a range of 2^shift values of f, which are whole numbers (Dial,
// 1969). A bucket is a stack, so adding or taking an entry takes a few instructions. A ring of
// buckets contains the current bucket and those after it. An entry whose bucket lies beyond the
// ring waits in a heap.
//
// A search may take the entries of a bucket unsorted, in the order of the stack. If the bucket
// holds more than one value of f, a cell may then be closed before its cheapest path is found, and
// the search has to open it again. Alternatively the queue sorts each bucket when the bucket
// becomes the current one. Sorted entries leave in the exact order of f, and the newest of equal
// entries comes first.
//
// A stack is a linked list from each entry to the next older one. The entry that was taken last is
// used again first, so few cache lines are touched. Neither adding nor taking an entry needs a
// branch that the processor could predict wrong.

#ifndef ASTAR_LIFO_QUEUE_H
#define ASTAR_LIFO_QUEUE_H

#include "base/bits.h"
#include "base/pages.h"

// An entry of the open list.
typedef struct AstarEntry {
    uint64_t f;
    uint64_t node; // name of the node, which only the search interprets
} AstarEntry;

// An entry in one of the stacks, or an unused entry in the list of free entries.
typedef struct AstarStackEntry {
    struct AstarStackEntry *next; // the next older entry, or the next free one; NULL for none
    AstarEntry entry;
} AstarStackEntry;

// An entry in a heap. Among entries of equal f, the one with the greater serial number comes first.
typedef struct AstarNumberedEntry {
    uint64_t f, serial, node;
} AstarNumberedEntry;

typedef struct AstarEntryHeap {
    AstarNumberedEntry *items;
    size_t count, capacity;
} AstarEntryHeap;

typedef struct AstarLifoQueue {
    AstarStackEntry **tops;     // the newest entry of each bucket of the ring; NULL if it is empty
    uint64_t *filled;           // a bit per bucket of the ring, set if the bucket may have entries
    size_t size;                // number of buckets in the ring, a power of 2
    size_t capacity;            // number of buckets that memory is allocated for
    uint64_t current;           // number of the bucket that entries are taken from
    uint64_t serials;           // number of entries that have got a serial number
    unsigned shift;             // binary logarithm of a bucket's width in f
    bool is_sorting;            // true if each bucket is sorted when it becomes the current one
    bool is_tight;              // true if a heap may lack room for the entries of one expansion
    AstarStackEntry *free;      // list of free entries
    size_t free_count, entries; // number of free entries, and of all entries
    AstarPagePool blocks;       // memory of the entries
    AstarEntryHeap near, far;   // sorted part of the current bucket; entries beyond the ring
} AstarLifoQueue;

// Empties the queue and sets the width of its buckets to 2^shift. The ring covers a range of 'span'
// in f, or less if that would take too many buckets. 'f' is the least f that will be added. Returns
// false if there is no memory.
bool astar_lifo_begin(AstarLifoQueue *queue, const AstarAllocator *allocator, unsigned shift,
                      uint64_t span, uint64_t f, bool is_sorting);
// Makes room for the entries of an expansion when astar_lifo_reserve() finds too little room.
bool astar_lifo_grow(AstarLifoQueue *queue, const AstarAllocator *allocator);
// Empties the queue and frees the memory of its entries, apart from at most 1 MiB that is kept for
// the next search.
void astar_lifo_rest(AstarLifoQueue *queue, const AstarAllocator *allocator);
void astar_lifo_free(AstarLifoQueue *queue, const AstarAllocator *allocator);
size_t astar_lifo_bytes(const AstarLifoQueue *queue);

// Adds an entry to a heap, which must have room.
void astar_entry_heap_push(AstarEntryHeap *heap, AstarNumberedEntry entry);

// Makes the next bucket that is not empty the current one. The current one must be empty, and
// astar_lifo_reserve() must have made room since entries were last added. Returns false if all
// buckets are empty.
bool astar_lifo_advance(AstarLifoQueue *queue);

// Returns true if the current bucket is empty, and no entry beyond the ring has an f less than
// 'f'. Such an entry might still have to move to the current bucket.
static inline bool astar_lifo_is_past(const AstarLifoQueue *queue, uint64_t f)
{
    return queue->tops[(size_t)queue->current & (queue->size - 1)] == NULL &&
           (queue->far.count == 0 || queue->far.items[0].f >= f);
}

// Takes the first entry of a queue that sorts its buckets. Returns ASTAR_OK, ASTAR_RUNNING if the
// queue is empty, or ASTAR_NO_MEMORY.
AstarStatus astar_lifo_take_sorted(AstarLifoQueue *queue, const AstarAllocator *allocator,
                                   AstarEntry *entry);

enum {
    ASTAR_MOST_ADDED = 9, // maximum number of entries that an expansion adds
    ASTAR_MOST_MOVED = 8, // maximum number of entries that one astar_lifo_advance() moves
    ASTAR_FEWEST_FREE = ASTAR_MOST_ADDED + ASTAR_MOST_MOVED // free entries before an expansion
};

// Makes room for the entries of an expansion, and for those that astar_lifo_advance() moves when
// the search then takes the entry to be expanded. Entries that an earlier advance has moved are off
// the queue by the next one, so there is room for any number of calls. Returns false, and leaves
// the queue unchanged, if there is no memory.
static inline bool astar_lifo_reserve(AstarLifoQueue *queue, const AstarAllocator *allocator)
{
    return (queue->free_count >= ASTAR_FEWEST_FREE && !queue->is_tight) ||
           astar_lifo_grow(queue, allocator);
}

// Adds an entry to a bucket of the ring.
static inline void astar_lifo_stack(AstarLifoQueue *queue, size_t slot, uint64_t f, uint64_t node)
{
    AstarStackEntry *top = queue->free;
    queue->free = top->next;
    queue->free_count--;
    queue->filled[slot / 64] |= (uint64_t)1 << slot % 64;
    top->entry.f = f;
    top->entry.node = node;
    top->next = queue->tops[slot];
    queue->tops[slot] = top;
}

// Takes the newest entry off a bucket of the ring, which is not empty.
static inline AstarEntry astar_lifo_unstack(AstarLifoQueue *queue, size_t slot)
{
    AstarStackEntry *top = queue->tops[slot];
    AstarEntry entry = {top->entry.f, top->entry.node};
    queue->tops[slot] = top->next;
    top->next = queue->free;
    queue->free = top;
    queue->free_count++;
    return entry;
}

// Adds an entry to a heap: the one for entries beyond the ring, or the sorted current bucket.
void astar_lifo_push_aside(AstarLifoQueue *queue, uint64_t bucket, AstarEntry entry);

// Adds an entry. The queue must have room for it.
static inline void astar_lifo_push(AstarLifoQueue *queue, uint64_t f, uint64_t node)
{
    uint64_t bucket = f >> queue->shift;
    bool is_due = bucket <= queue->current;
    if ((is_due && queue->is_sorting) || (!is_due && bucket - queue->current >= queue->size))
        astar_lifo_push_aside(queue, bucket, (AstarEntry){f, node});
    else
        astar_lifo_stack(queue, (size_t)(is_due ? queue->current : bucket) & (queue->size - 1), f,
                         node);
}

#endif
