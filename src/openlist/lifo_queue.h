// lifo_queue.h -- the open list of best-first search: entries by f, the newest of equal ones first.
//
// Each bucket holds the entries of a range of 2^shift values of f, which are whole numbers (R.
// Dial, 1969). A bucket is a stack, so it takes a few instructions to add or to take an entry. A
// ring holds the current bucket and those after it. An entry whose bucket lies beyond the ring
// waits in a heap.
//
// A search may take the entries of a bucket in the order of the stack. Where the bucket holds more
// than one value of f, a cell may then be closed before its best way is known, so the search has to
// open it again when a better way is found. Or the search has the queue sort each bucket when its
// turn comes: entries leave in the exact order of f, the newest of equal ones first.
//
// A stack is a list of entries, each with the next older one. An entry that is taken off is the
// first to be used again, so few lines of cache are touched, and neither adding nor taking needs a
// branch that the processor could predict wrong.

#ifndef ASTAR_LIFO_QUEUE_H
#define ASTAR_LIFO_QUEUE_H

#include "base/bits.h"
#include "base/pages.h"

typedef struct AstarEntry {
    uint64_t f;
    uint64_t node; // whatever names the node to the search
} AstarEntry;

typedef struct AstarStackEntry {
    struct AstarStackEntry *next; // in the same stack, or of those that are free; NULL: none
    AstarEntry entry;
} AstarStackEntry;

// An entry of a heap: of equal f the greater serial number comes first.
typedef struct AstarNumberedEntry {
    uint64_t f, serial, node;
} AstarNumberedEntry;

typedef struct AstarEntryHeap {
    AstarNumberedEntry *items;
    size_t count, capacity;
} AstarEntryHeap;

typedef struct AstarLifoQueue {
    AstarStackEntry **tops; // of each bucket of the ring: its newest entry; NULL: it is empty
    uint64_t *filled;       // a bit for each bucket of the ring that may be not empty
    size_t size;            // of the ring, a power of 2
    size_t capacity;        // buckets there is room for
    uint64_t current;       // the number of the bucket that entries are taken from
    uint64_t serials;       // entries numbered so far
    unsigned shift;
    bool is_sorting;
    bool is_tight;              // a heap may have too little room for an expansion
    AstarStackEntry *free;      // in no stack
    size_t free_count, entries; // how many those are, and how many there are
    AstarPagePool blocks;       // that they lie in
    AstarEntryHeap near, far;   // what was sorted of the current bucket; what lies beyond the ring
} AstarLifoQueue;

// Empties the queue, whose buckets become 2^shift wide. The ring spans 'span' in f, or less where
// that takes too many buckets. 'f' is the least there will be. False when there is no memory.
bool astar_lifo_begin(AstarLifoQueue *queue, const AstarAllocator *allocator, unsigned shift,
                      uint64_t span, uint64_t f, bool is_sorting);
// The same as astar_lifo_reserve() where there is not enough room.
bool astar_lifo_grow(AstarLifoQueue *queue, const AstarAllocator *allocator);
// Gives back what is more than a map of middling size takes.
void astar_lifo_rest(AstarLifoQueue *queue, const AstarAllocator *allocator);
void astar_lifo_free(AstarLifoQueue *queue, const AstarAllocator *allocator);
size_t astar_lifo_bytes(const AstarLifoQueue *queue);

// Adds an entry to a heap, which has room.
void astar_entry_heap_push(AstarEntryHeap *heap, AstarNumberedEntry entry);

// Goes on to the next bucket that is not empty, the current one being done with; false when all
// are empty.
bool astar_lifo_advance(AstarLifoQueue *queue);

// Whether the current bucket has no entry left whose f is less; what was not in the ring may still
// have to move there.
static inline bool astar_lifo_is_past(const AstarLifoQueue *queue, uint64_t f)
{
    return queue->tops[(size_t)queue->current & (queue->size - 1)] == NULL &&
           (queue->far.count == 0 || queue->far.items[0].f >= f);
}

// Takes the first entry of a queue that sorts: ASTAR_OK. ASTAR_RUNNING: the queue is empty.
AstarStatus astar_lifo_take_sorted(AstarLifoQueue *queue, const AstarAllocator *allocator,
                                   AstarEntry *entry);

// How many entries an expansion adds at most.
enum { ASTAR_MOST_ADDED = 9 };

// Makes room for the entries of an expansion; false, and the queue as it was, when there is no
// memory.
static inline bool astar_lifo_reserve(AstarLifoQueue *queue, const AstarAllocator *allocator)
{
    return (queue->free_count >= ASTAR_MOST_ADDED && !queue->is_tight) ||
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

// Adds an entry beyond the ring, or to the sorted ones.
void astar_lifo_push_aside(AstarLifoQueue *queue, uint64_t bucket, AstarEntry entry);

// Adds an entry. There must be room.
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
