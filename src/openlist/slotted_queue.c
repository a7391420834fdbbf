// slotted_queue.c -- The slotted queue: its memory, and the change from one slot to the next.

#include "openlist/slotted_queue.h"

#include "base/array.h"

#include <math.h>

enum { FIRST_PARTS = 8 }; // initial capacity of the array of parts

// Makes room in the pool for 'need' items. Only the first part is ever resized. Later parts are
// allocated in full and never move. Returns false if there is no memory.
static bool reserve_pool(AstarSlottedQueue *queue, const AstarAllocator *allocator, size_t need)
{
    while (queue->pool_capacity < need) {
        size_t at = queue->pool_capacity >> ASTAR_POOL_BITS, wanted = ASTAR_POOL_PART;
        size_t capacity = queue->pool_capacity & (ASTAR_POOL_PART - 1);
        if (!ASTAR_RESERVE(allocator, queue->pool, at, 1, &queue->part_capacity, FIRST_PARTS))
            return false;
        if (at == 0 && need < ASTAR_POOL_PART)
            wanted = need;
        AstarSlotted *part = astar_array_resize(allocator, capacity > 0 ? queue->pool[at] : NULL,
                                                capacity, sizeof *part, &capacity, wanted);
        if (part == NULL)
            return false;
        queue->pool[at] = part;
        queue->pool_capacity = (at << ASTAR_POOL_BITS) + capacity;
    }
    return true;
}

bool astar_slotted_grow(AstarSlottedQueue *queue, const AstarAllocator *allocator, size_t more)
{
    if (queue->gathered > 0)
        astar_slotted_advance(queue);                    // items gathered so far must not move
    size_t need = astar_slotted_count(queue) + more + 1; // a heap may have a vacant top
    if (!astar_heap_reserve(&queue->near, allocator, need - queue->near.count) ||
        !astar_heap_reserve(&queue->far, allocator, more))
        return false;
    // The first part has as many places as 'near' has, until the part is whole.
    size_t most = queue->near.capacity, places = most < ASTAR_POOL_PART ? most : ASTAR_POOL_PART;
    if (!reserve_pool(queue, allocator, places > need ? places : need))
        return false;
    queue->room = (most < queue->pool_capacity ? most : queue->pool_capacity) - 1;
    return true;
}

void astar_slotted_free(AstarSlottedQueue *queue, const AstarAllocator *allocator)
{
    astar_heap_free(&queue->near, allocator);
    astar_heap_free(&queue->far, allocator);
    for (size_t at = 0; at < queue->pool_capacity; at += ASTAR_POOL_PART) {
        size_t left = queue->pool_capacity - at;
        astar_release(allocator, queue->pool[at >> ASTAR_POOL_BITS],
                      left < ASTAR_POOL_PART ? left : ASTAR_POOL_PART, sizeof **queue->pool);
    }
    astar_release(allocator, queue->pool, queue->part_capacity, sizeof(void *));
    *queue = (AstarSlottedQueue){0};
}

size_t astar_slotted_bytes(const AstarSlottedQueue *queue)
{
    return (queue->near.capacity + queue->far.capacity) * sizeof *queue->near.items +
           queue->pool_capacity * sizeof **queue->pool + queue->part_capacity * sizeof(void *);
}

// Removes all items from the ring. Only filled slots are visited, which are few after a short
// search.
static void empty_ring(AstarSlottedQueue *queue)
{
    for (size_t word = 0; word < ASTAR_QUEUE_SLOTS / 64; word++)
        for (; queue->filled[word] != 0; queue->filled[word] &= queue->filled[word] - 1)
            queue->first[word * 64 + (size_t)astar_lowest_bit(queue->filled[word])] = 0;
}

void astar_slotted_clear(AstarSlottedQueue *queue, double width)
{
    astar_heap_clear(&queue->near);
    astar_heap_clear(&queue->far);
    queue->is_sorted = true;
    empty_ring(queue);
    queue->used = queue->vacancy = 0;
    queue->listed = queue->gathered = queue->unheaped = 0;
    queue->slot = 0;
    queue->scale = 1 / width;
}

// Returns the first filled slot after the current one. The ring must not be empty.
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

static bool is_filled(const AstarSlottedQueue *queue, int64_t slot)
{
    size_t at = (size_t)slot & (ASTAR_QUEUE_SLOTS - 1);
    return (queue->filled[at >> 6] >> (at & 63) & 1) != 0;
}

// Gathers up to 'most' items of the current slot's list, and returns their number.
static size_t gather_listed(AstarSlottedQueue *queue, size_t most)
{
    size_t at = (size_t)queue->slot & (ASTAR_QUEUE_SLOTS - 1), count = 0;
    if (!is_filled(queue, queue->slot))
        return 0;
    uint32_t place = queue->first[at];
    for (; place != 0 && count < most; count++) {
        AstarSlotted *listed = astar_slotted_at(queue, place);
        uint32_t next = listed->next;
        queue->near.items[queue->gathered++] = listed->item;
        listed->next = queue->vacancy;
        queue->vacancy = place;
        place = next;
    }
    queue->first[at] = place;
    if (place == 0)
        queue->filled[at >> 6] &= ~((uint64_t)1 << (at & 63));
    return count;
}

// Returns true if the first item of 'far' belongs to the current slot or an earlier one.
static bool is_far_due(AstarSlottedQueue *queue)
{
    return astar_heap_count(&queue->far) > 0 &&
           astar_slotted_slot(queue, astar_open_f(astar_heap_top(&queue->far))) <= queue->slot;
}

// Gathers up to 'most' items of 'far' that belong to the current slot, and returns their number.
// From then on the queue treats these items as items of the ring.
static size_t gather_far(AstarSlottedQueue *queue, size_t most)
{
    size_t count = 0;
    for (; count < most && is_far_due(queue); count++) {
        queue->near.items[queue->gathered++] = astar_heap_pop(&queue->far);
        queue->listed++;
    }
    return count;
}

// Makes the next slot that is not empty the current one.
static void go_to_next_slot(AstarSlottedQueue *queue)
{
    int64_t slot = queue->listed > 0 ? next_filled(queue) : INT64_MAX;
    if (astar_heap_count(&queue->far) > 0) {
        int64_t far = astar_slotted_slot(queue, astar_open_f(astar_heap_top(&queue->far)));
        slot = far < slot ? far : slot;
    }
    queue->slot = slot;
}

// Sorts at most ASTAR_MOST_SORTED items, the least last. The index of each item is the number of
// items that come after it in the order. Each pair is compared once, so equal items get different
// indices.
static void sort_few(AstarOpen *items, size_t count)
{
    AstarOpen unsorted[ASTAR_MOST_SORTED];
    uint8_t places[ASTAR_MOST_SORTED];
    for (size_t i = 0; i < count; i++) {
        size_t place = 0;
        unsorted[i] = items[i];
        for (size_t j = 0; j < i; j++) {
            bool is_before = astar_open_before(unsorted[j], unsorted[i]);
            places[j] += is_before;
            place += !is_before;
        }
        places[i] = (uint8_t)place;
    }
    for (size_t i = 0; i < count; i++)
        items[places[i]] = unsorted[i];
}

// Turns 'near' from a sorted list into a heap. A list sorted with the least item first is a heap,
// so reversing the list is enough.
static void make_heap_of_list(AstarSlottedQueue *queue)
{
    AstarOpen *items = queue->near.items;
    for (size_t i = 0, j = queue->near.count; i + 1 < j; i++) {
        AstarOpen item = items[i];
        items[i] = items[--j];
        items[j] = item;
    }
    queue->is_sorted = false;
}

// Adds an item to 'near'.
static void push_near(AstarSlottedQueue *queue, AstarOpen item)
{
    AstarHeap *near = &queue->near;
    if (queue->is_sorted && near->count == ASTAR_MOST_SORTED)
        make_heap_of_list(queue);
    if (!queue->is_sorted) {
        astar_heap_push(near, item);
        return;
    }
    size_t at = near->count++;
    for (; at > 0 && astar_open_before(near->items[at - 1], item); at--)
        near->items[at] = near->items[at - 1];
    near->items[at] = item;
}

void astar_slotted_push_unlisted(AstarSlottedQueue *queue, int64_t slot, AstarOpen item)
{
    if (slot <= queue->slot)
        push_near(queue, item);
    else
        astar_heap_push(&queue->far, item);
}

bool astar_slotted_advance_some(AstarSlottedQueue *queue, size_t most)
{
    AstarHeap *near = &queue->near;
    astar_heap_clear(near);
    if (queue->gathered == 0)
        go_to_next_slot(queue);
    if (queue->unheaped == 0) {
        most -= gather_listed(queue, most);
        most -= gather_far(queue, most);
        if (is_filled(queue, queue->slot) || is_far_due(queue))
            return false;
        queue->is_sorted = queue->gathered <= ASTAR_MOST_SORTED;
        if (queue->is_sorted)
            sort_few(near->items, queue->gathered);
        else
            queue->unheaped = queue->gathered / 4 + 1;
    }
    for (; queue->unheaped > 0 && most > 0; most--, queue->unheaped--)
        astar_heap_sift_down(near->items, queue->gathered, queue->unheaped - 1);
    if (queue->unheaped > 0)
        return false;
    near->count = queue->gathered;
    queue->listed -= queue->gathered;
    queue->gathered = 0;
    return true;
}

void astar_slotted_advance(AstarSlottedQueue *queue)
{
    astar_slotted_advance_some(queue, SIZE_MAX);
}

double astar_slotted_least_f(AstarSlottedQueue *queue)
{
    if (astar_slotted_count(queue) == 0)
        return (double)INFINITY;
    if (astar_heap_count(&queue->near) == 0)
        astar_slotted_advance(queue);
    AstarHeap *near = &queue->near;
    return astar_open_f(queue->is_sorted ? near->items[near->count - 1] : astar_heap_top(near));
}
