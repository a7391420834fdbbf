// slotted_queue.c -- the open list gives items back in the order of their numbers, whatever its
// slots.
//
// Random pushes and pops against a plain list that is searched for its least, slots moving a part
// at a time now and then, with pushes in between; and more items than a part of the pool has,
// against the same sorted. The values of f lie in the current slot, about it, far beyond the ring,
// below what has been popped, or far beyond all slots. The seed of the run that fails is printed.
// The memory of a queue that grows is doubled, and not enlarged item by item.

#include "../c/check.h"

#include "openlist/slotted_queue.h"

#include <stdio.h>
#include <stdlib.h>

enum { RUNS = 400, TURNS = 600, MANY = 3 * ASTAR_POOL_PART };

static uint32_t state;

static double random_f(double last)
{
    double part = random_below(&state, 1000) / 1000.0;
    switch (random_below(&state, 8)) {
    case 0: return last;
    case 1: return last * part;
    case 2: return last + part * 1000;
    case 3: return last + part * 1e9;
    case 4: return random_below(&state, 40) == 0 ? 1e290 * (part + 1) : last + 1;
    default: return last + part * 8;
    }
}

static size_t least_of(const AstarOpen *list, size_t count)
{
    size_t least = 0;
    for (size_t i = 1; i < count; i++)
        if (astar_open_before(list[i], list[least]))
            least = i;
    return least;
}

static bool same(AstarOpen a, AstarOpen b)
{
    return a.f == b.f && a.tie == b.tie;
}

static AstarOpen random_item(double f)
{
    double g = random_below(&state, 3);
    return astar_open(f, g, (uint32_t)random_below(&state, 1000));
}

static bool push(AstarSlottedQueue *queue, const AstarAllocator *allocator, double f,
                 AstarOpen item)
{
    bool has_room = astar_slotted_reserve(queue, allocator, 1);
    if (queue->gathered > 0) // nothing is pushed while some of a slot is on its way
        astar_slotted_advance(queue);
    if (has_room)
        astar_slotted_push(queue, f, item);
    return has_room;
}

// Has some of the next slot come near; maybe not all.
static void bring_near(AstarSlottedQueue *queue)
{
    size_t most = 1 + (size_t)random_below(&state, 4);
    for (int i = random_below(&state, 12); i > 0 && astar_heap_count(&queue->near) == 0; i--)
        astar_slotted_advance_some(queue, most);
}

// Mostly pushes, then mostly pops; true if every pop gave the least, and the ring's items took up
// no more room than the most of them at once.
static bool run(AstarSlottedQueue *queue, const AstarAllocator *allocator, double width)
{
    static AstarOpen list[2 * TURNS];
    size_t count = 0, listed = 0;
    double last = 0;
    bool right = true;
    astar_slotted_clear(queue, width);
    for (int turn = 0; turn < 2 * TURNS && right; turn++) {
        int pushes = turn < TURNS ? 6 : 4;
        if (random_below(&state, 10) < pushes) {
            double f = random_f(last);
            list[count] = random_item(f);
            right = push(queue, allocator, f, list[count++]);
        } else if (count > 0 && random_below(&state, 4) == 0) {
            bring_near(queue);
        } else if (count > 0) {
            size_t least = least_of(list, count);
            while (!astar_slotted_is_ready(queue) || random_below(&state, 3) == 0)
                bring_near(queue);
            AstarOpen item = astar_slotted_pop(queue);
            right = same(item, list[least]);
            list[least] = list[--count];
            last = astar_open_f(item) < 1e280 ? astar_open_f(item) : last;
        }
        listed = queue->listed > listed ? queue->listed : listed;
        right = right && astar_slotted_count(queue) == count && queue->used <= listed;
    }
    return right;
}

static int compare(const void *a, const void *b)
{
    return astar_open_before(*(const AstarOpen *)a, *(const AstarOpen *)b) ? -1 : 1;
}

static bool run_many(AstarSlottedQueue *queue, const AstarAllocator *allocator)
{
    static AstarOpen list[MANY];
    bool right = true;
    astar_slotted_clear(queue, 1);
    for (int i = 0; i < MANY && right; i++) {
        double f = random_below(&state, 3000) / 100.0;
        list[i] = random_item(f);
        right = push(queue, allocator, f, list[i]);
    }
    qsort(list, MANY, sizeof *list, compare);
    for (int i = 0; i < MANY && right; i++) {
        while (!astar_slotted_is_ready(queue))
            bring_near(queue);
        right = same(astar_slotted_pop(queue), list[i]);
    }
    return right && astar_slotted_count(queue) == 0;
}

static void *allocate_counted(void *context, size_t size)
{
    *(size_t *)context += size;
    return calloc(1, size);
}

static void release_counted(void *context, void *block, size_t size)
{
    (void)context;
    (void)size;
    free(block);
}

// A queue that grows item by item doubles its memory. It allocates at most twice what it has in the
// end, and a few bytes.
static bool doubles_its_memory(void)
{
    size_t allocated = 0;
    const AstarAllocator allocator = {allocate_counted, release_counted, &allocated};
    AstarSlottedQueue queue = {0};
    bool right = true;
    astar_slotted_clear(&queue, 1);
    for (int i = 0; i < MANY && right; i++) {
        double f = random_below(&state, 3000) / 100.0;
        right = push(&queue, &allocator, f, random_item(f)) &&
                allocated <= 2 * astar_slotted_bytes(&queue) + 1024;
    }
    astar_slotted_free(&queue, &allocator);
    return right;
}

int main(void)
{
    static const double widths[] = {0.03, 1, 1e-4, 1e6};
    const AstarAllocator allocator = astar_allocator(NULL);
    AstarSlottedQueue queue = {0};
    for (uint32_t seed = 1; seed <= RUNS; seed++) {
        state = seed;
        bool right = run(&queue, &allocator, widths[seed % 4]);
        CHECK(right);
        if (!right)
            printf("the run of seed %u differs\n", (unsigned)seed);
    }
    for (int i = 0; i < 3; i++)
        CHECK(run_many(&queue, &allocator));
    CHECK(doubles_its_memory());
    astar_slotted_free(&queue, &allocator);
    return report();
}
