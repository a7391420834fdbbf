// slotted_queue.c -- the memory of the open list, and its step from slot to slot.

#include "openlist/slotted_queue.h"

#include "base/array.h"

#include <math.h>

static bool reserve_pool(AstarSlottedQueue *queue, const AstarAllocator *allocator)
{
    size_t capacity = queue->near.capacity;
    if (queue->pool_capacity >= capacity + 1)
        return true;
    AstarSlotted *pool = astar_array_resize(allocator, queue->pool, queue->pool_capacity,
                                            sizeof *pool, &queue->pool_capacity, capacity + 1);
    if (pool == NULL)
        return false;
    queue->pool = pool;
    return true;
}

bool astar_slotted_grow(AstarSlottedQueue *queue, const AstarAllocator *allocator, size_t more)
{
    return astar_heap_reserve(&queue->near, allocator, queue->listed + queue->far.count + more) &&
           reserve_pool(queue, allocator) && astar_heap_reserve(&queue->far, allocator, more);
}

void astar_slotted_free(AstarSlottedQueue *queue, const AstarAllocator *allocator)
{
    astar_heap_free(&queue->near, allocator);
    astar_heap_free(&queue->far, allocator);
    astar_release(allocator, queue->pool, queue->pool_capacity, sizeof *queue->pool);
    *queue = (AstarSlottedQueue){0};
}

size_t astar_slotted_bytes(const AstarSlottedQueue *queue)
{
    return (queue->near.capacity + queue->far.capacity) * sizeof *queue->near.items +
           queue->pool_capacity * sizeof *queue->pool;
}

void astar_slotted_clear(AstarSlottedQueue *queue, double width)
{
    astar_heap_clear(&queue->near);
    astar_heap_clear(&queue->far);
    memset(queue->filled, 0, sizeof queue->filled);
    queue->used = queue->vacancy = 0;
    queue->listed = 0;
    queue->slot = 0;
    queue->scale = 1 / width;
}

// The first filled slot after the current one; the ring is not empty.
static int64_t next_filled(const AstarSlottedQueue *queue)
{
    int64_t slot = queue->slot + 1;
    for (;;) {
        size_t at = (size_t)slot & (ASTAR_QUEUE_SLOTS - 1);
        uint64_t word = queue->filled[at >> 6] >> (at & 63);
        if (word != 0)
            return slot + astar_lowest_bit(word);
        slot += 64 - (int64_t)(at & 63);
    }
}

// Moves the list of the current slot to 'near'.
static void unlist(AstarSlottedQueue *queue)
{
    size_t at = (size_t)queue->slot & (ASTAR_QUEUE_SLOTS - 1);
    uint64_t bit = (uint64_t)1 << (at & 63), *word = &queue->filled[at >> 6];
    if ((*word & bit) == 0)
        return;
    *word &= ~bit;
    uint32_t place = queue->first[at], last;
    do {
        astar_heap_push(&queue->near, queue->pool[place].item);
        queue->listed--;
        last = place;
        place = queue->pool[place].next;
    } while (place != 0);
    queue->pool[last].next = queue->vacancy;
    queue->vacancy = queue->first[at];
}

void astar_slotted_advance(AstarSlottedQueue *queue)
{
    int64_t slot = INT64_MAX;
    if (queue->listed > 0)
        slot = next_filled(queue);
    AstarHeap *far = &queue->far;
    if (astar_heap_count(far) > 0) {
        int64_t farther = astar_slotted_slot(queue, astar_open_f(astar_heap_top(far)));
        slot = farther < slot ? farther : slot;
    }
    queue->slot = slot;
    unlist(queue);
    while (astar_heap_count(far) > 0 &&
           astar_slotted_slot(queue, astar_open_f(astar_heap_top(far))) <= slot)
        astar_heap_push(&queue->near, astar_heap_pop(far));
}

double astar_slotted_least_f(AstarSlottedQueue *queue)
{
    if (astar_slotted_count(queue) == 0)
        return (double)INFINITY;
    if (astar_heap_count(&queue->near) == 0)
        astar_slotted_advance(queue);
    return astar_open_f(astar_heap_top(&queue->near));
}
