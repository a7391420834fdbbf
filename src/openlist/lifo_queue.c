// lifo_queue.c -- The bucket queue of A* and Dijkstra's algorithm: its memory, and the change from
// one bucket to the next.

#include "openlist/lifo_queue.h"

#include "base/array.h"

#include <assert.h>

enum { ENTRIES_A_BLOCK = 42 }; // entries in a block of about 1 KiB

typedef struct AstarEntryBlock {
    AstarStackEntry entries[ENTRIES_A_BLOCK];
} AstarEntryBlock;

enum {
    FEWEST_BUCKETS = 64,    // minimum number of buckets in the ring
    RING_BUCKETS = 1 << 15, // maximum number of buckets in the ring
    KEPT_BYTES = 1 << 20    // maximum memory of blocks kept between two searches
};

// The first serial number. Entries that are added to a heap directly get this or greater numbers.
// Entries that are moved from a stack to the heap get lesser numbers, because they are older.
static const uint64_t FIRST_SERIAL = UINT64_C(1) << 63;

#define HEAP_ITEM AstarNumberedEntry
#define HEAP_BEFORE(a, b) ((a).f < (b).f || ((a).f == (b).f && (a).serial > (b).serial))
#define HEAP_FUNCTION(name) entries_##name
#include "openlist/heap_template.h"

void astar_entry_heap_push(AstarEntryHeap *heap, AstarNumberedEntry entry)
{
    entries_sift_up(heap->items, heap->count++, entry);
}

static AstarNumberedEntry pop_entry(AstarEntryHeap *heap)
{
    AstarNumberedEntry first = heap->items[0];
    if (--heap->count > 0)
        entries_replace_top(heap->items, heap->count, heap->items[heap->count]);
    return first;
}

static bool make_ring(AstarLifoQueue *queue, const AstarAllocator *allocator, size_t size)
{
    if (size <= queue->capacity)
        return true;
    astar_release(allocator, queue->tops, queue->capacity, sizeof *queue->tops);
    astar_release(allocator, queue->filled, queue->capacity / 64, sizeof *queue->filled);
    queue->capacity = 0;
    queue->tops = astar_alloc(allocator, size, sizeof *queue->tops);
    queue->filled = astar_alloc(allocator, size / 64, sizeof *queue->filled);
    if (queue->tops != NULL && queue->filled != NULL) {
        queue->capacity = size;
        return true;
    }
    astar_release(allocator, queue->tops, size, sizeof *queue->tops);
    astar_release(allocator, queue->filled, size / 64, sizeof *queue->filled);
    queue->tops = NULL;
    queue->filled = NULL;
    queue->size = 0;
    return false;
}

// Marks the current bucket as empty.
static void note_empty(AstarLifoQueue *queue)
{
    size_t slot = (size_t)queue->current & (queue->size - 1);
    queue->filled[slot / 64] &= ~((uint64_t)1 << slot % 64);
}

// Empties all stacks. The entries are not visited: the blocks of entries return to their pool, and
// astar_lifo_grow() makes free entries of them again. Only buckets marked as filled are visited,
// which are few after a short search.
static void empty_stacks(AstarLifoQueue *queue)
{
    if (queue->entries == 0)
        return;
    for (size_t word = 0; word < queue->size / 64; word++)
        for (; queue->filled[word] != 0; queue->filled[word] &= queue->filled[word] - 1)
            queue->tops[word * 64 + (size_t)astar_lowest_bit(queue->filled[word])] = NULL;
    astar_pool_forget(&queue->blocks);
    queue->free = NULL;
    queue->free_count = queue->entries = 0;
}

bool astar_lifo_begin(AstarLifoQueue *queue, const AstarAllocator *allocator, unsigned shift,
                      uint64_t span, uint64_t f, bool is_sorting)
{
    size_t size = FEWEST_BUCKETS;
    while (size < RING_BUCKETS && size <= span >> shift)
        size *= 2;
    empty_stacks(queue);
    queue->near.count = queue->far.count = 0;
    if (!make_ring(queue, allocator, size))
        return false;
    queue->size = size;
    queue->shift = shift;
    queue->current = f >> shift;
    queue->serials = 0;
    queue->is_sorting = is_sorting;
    queue->is_tight = true;
    return astar_lifo_reserve(queue, allocator);
}

bool astar_lifo_grow(AstarLifoQueue *queue, const AstarAllocator *allocator)
{
    if (queue->free_count < ASTAR_FEWEST_FREE) {
        AstarEntryBlock *block = astar_pool_take(&queue->blocks, allocator, sizeof *block);
        if (block == NULL)
            return false;
        for (int i = ENTRIES_A_BLOCK - 1; i >= 0; i--) {
            block->entries[i].next = queue->free;
            queue->free = &block->entries[i];
        }
        queue->free_count += ENTRIES_A_BLOCK;
        queue->entries += ENTRIES_A_BLOCK;
    }
    bool has_room = ASTAR_RESERVE(allocator, queue->far.items, queue->far.count, ASTAR_MOST_ADDED,
                                  &queue->far.capacity, 2 * ASTAR_MOST_ADDED) &&
                    ASTAR_RESERVE(allocator, queue->near.items, queue->near.count, ASTAR_MOST_ADDED,
                                  &queue->near.capacity, 2 * ASTAR_MOST_ADDED);
    queue->is_tight = !has_room;
    return has_room;
}

void astar_lifo_rest(AstarLifoQueue *queue, const AstarAllocator *allocator)
{
    empty_stacks(queue);
    queue->near.count = queue->far.count = 0;
    astar_pool_shrink(&queue->blocks, allocator, sizeof(AstarEntryBlock), KEPT_BYTES);
}

void astar_lifo_free(AstarLifoQueue *queue, const AstarAllocator *allocator)
{
    astar_pool_shrink(&queue->blocks, allocator, sizeof(AstarEntryBlock), 0);
    astar_release(allocator, queue->tops, queue->capacity, sizeof *queue->tops);
    astar_release(allocator, queue->filled, queue->capacity / 64, sizeof *queue->filled);
    astar_release(allocator, queue->near.items, queue->near.capacity, sizeof *queue->near.items);
    astar_release(allocator, queue->far.items, queue->far.capacity, sizeof *queue->far.items);
    *queue = (AstarLifoQueue){0};
}

size_t astar_lifo_bytes(const AstarLifoQueue *queue)
{
    return queue->capacity * sizeof *queue->tops + queue->capacity / 64 * sizeof *queue->filled +
           (queue->near.capacity + queue->far.capacity) * sizeof *queue->near.items +
           astar_pool_bytes(&queue->blocks, sizeof(AstarEntryBlock));
}

void astar_lifo_push_aside(AstarLifoQueue *queue, uint64_t bucket, AstarEntry entry)
{
    AstarEntryHeap *heap = bucket <= queue->current ? &queue->near : &queue->far;
    astar_entry_heap_push(
        heap, (AstarNumberedEntry){entry.f, FIRST_SERIAL + queue->serials++, entry.node});
    queue->is_tight |= heap->count + ASTAR_MOST_ADDED > heap->capacity;
}

// Returns the number of the first bucket of the ring, from the current one on, that is not empty.
// There must be a bucket that is not empty.
static uint64_t next_bucket(const AstarLifoQueue *queue)
{
    uint64_t bucket = queue->current;
    for (;;) {
        size_t slot = (size_t)bucket & (queue->size - 1);
        uint64_t word = queue->filled[slot >> 6] >> (slot & 63);
        if (word != 0)
            return bucket + (uint64_t)astar_lowest_bit(word);
        bucket += 64 - (slot & 63);
    }
}

bool astar_lifo_advance(AstarLifoQueue *queue)
{
    AstarEntryHeap *far = &queue->far;
    bool are_stacked = queue->free_count < queue->entries;
    if (!are_stacked && far->count == 0)
        return false;
    note_empty(queue);
    uint64_t bucket = are_stacked ? next_bucket(queue) : UINT64_MAX;
    if (far->count > 0 && far->items[0].f >> queue->shift < bucket)
        bucket = far->items[0].f >> queue->shift;
    queue->current = bucket;
    // Entries beyond the ring that belong to the new bucket move there, a few at a time; later
    // calls move the rest. They leave room for the entries of an expansion. The heap returns the
    // newest of equal entries first, and the newest must become the top of the stack. Therefore the
    // entries are stacked in reverse order.
    AstarNumberedEntry due[ASTAR_MOST_MOVED];
    int count = 0;
    while (!queue->is_sorting && count < ASTAR_MOST_MOVED &&
           (size_t)count + ASTAR_MOST_ADDED < queue->free_count && far->count > 0 &&
           far->items[0].f >> queue->shift == bucket)
        due[count++] = pop_entry(far);
    for (int i = count; i-- > 0;)
        astar_lifo_stack(queue, (size_t)bucket & (queue->size - 1), due[i].f, due[i].node);
    return true;
}

// Moves all entries of the current bucket to the heap 'near', which sorts them. Returns false if
// there is no memory.
static bool sort_bucket(AstarLifoQueue *queue, const AstarAllocator *allocator)
{
    size_t slot = (size_t)queue->current & (queue->size - 1);
    AstarEntryHeap *near = &queue->near, *far = &queue->far;
    for (;;) {
        bool is_far_due = far->count > 0 && far->items[0].f >> queue->shift <= queue->current;
        if (queue->tops[slot] == NULL && !is_far_due)
            return true;
        if (!ASTAR_RESERVE(allocator, near->items, near->count, 1 + ASTAR_MOST_ADDED,
                           &near->capacity, 32)) // leaves room for the entries of an expansion
            return false;
        if (queue->tops[slot] == NULL) {
            astar_entry_heap_push(near, pop_entry(far));
            continue;
        }
        AstarEntry entry = astar_lifo_unstack(queue, slot);
        uint64_t serial = FIRST_SERIAL - ++queue->serials;
        astar_entry_heap_push(near, (AstarNumberedEntry){entry.f, serial, entry.node});
    }
}

AstarStatus astar_lifo_take_sorted(AstarLifoQueue *queue, const AstarAllocator *allocator,
                                   AstarEntry *entry)
{
    do {
        if (!sort_bucket(queue, allocator))
            return ASTAR_NO_MEMORY;
    } while (queue->near.count == 0 && astar_lifo_advance(queue));
    if (queue->near.count == 0)
        return ASTAR_RUNNING;
    AstarNumberedEntry first = pop_entry(&queue->near);
    *entry = (AstarEntry){first.f, first.node};
    return ASTAR_OK;
}
