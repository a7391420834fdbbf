// lifo_queue.c -- the open list of best-first search gives entries back by their f, in the order of
// buckets or sorted.
//
// Random additions and removals are compared with a plain list that is searched for what comes
// first. The values of f lie in the current bucket, before it, in the ring and far beyond it. Now
// and then there is no memory for a while. The seed of the run that fails is printed.

#include "support.h"

#include "openlist/lifo_queue.h"

#include <stdio.h>
#include <string.h>

enum { RUNS = 300, TURNS = 3000 };

static uint32_t state;
static bool has_memory = true;

static uint64_t random_f(uint64_t last, uint64_t span)
{
    switch (random_below(&state, 8)) {
    case 0: return last;
    case 1: return last > 3 ? last - (uint64_t)random_below(&state, 3) : last;
    case 2: return last + span * (uint64_t)random_below(&state, 100000);
    default: return last + (uint64_t)random_below(&state, 1000) * span / 1000;
    }
}

// The place of the entry that comes first: of the least f, or of the least bucket and no bucket
// before the current one, the newest. The list holds entries in the order they were added.
static size_t first_of(const AstarEntry *list, size_t count, unsigned shift, uint64_t current)
{
    size_t first = 0;
    for (size_t i = 1; i < count; i++) {
        uint64_t a = list[i].f >> shift, b = list[first].f >> shift;
        a = a < current ? current : a;
        b = b < current ? current : b;
        if (a <= b)
            first = i;
    }
    return first;
}

static bool remove_entry(AstarEntry *list, size_t *count, AstarEntry entry)
{
    for (size_t i = 0; i < *count; i++)
        if (list[i].node == entry.node && list[i].f == entry.f) {
            memmove(list + i, list + i + 1, (--*count - i) * sizeof *list);
            return true;
        }
    return false;
}

// Takes the first entry off the queue; false: there is no memory.
static bool take(AstarLifoQueue *queue, const AstarAllocator *allocator, AstarEntry *entry)
{
    if (queue->is_sorting)
        return astar_lifo_take_sorted(queue, allocator, entry) == ASTAR_OK;
    while (queue->tops[queue->current & (queue->size - 1)] == NULL)
        if (!astar_lifo_advance(queue))
            return false;
    *entry = astar_lifo_unstack(queue, (size_t)queue->current & (queue->size - 1));
    return true;
}

// 'near': all entries lie in the ring, so that the newest of equal ones comes first.
static bool run(AstarLifoQueue *queue, const AstarAllocator *allocator, unsigned shift, bool sorts,
                bool near)
{
    static AstarEntry list[TURNS];
    size_t count = 0;
    uint64_t span = (uint64_t)1000 << shift, last = 7 * span;
    if (!astar_lifo_begin(queue, allocator, shift, span * 2, last, sorts))
        return false;
    for (int turn = 0; turn < TURNS; turn++) {
        has_memory = random_below(&state, 10) > 0;
        if (!astar_lifo_reserve(queue, allocator))
            continue;
        if (random_below(&state, 10) < (turn < TURNS / 2 ? 6 : 4)) {
            uint64_t f = near ? last + (uint64_t)random_below(&state, 900) * span / 1000
                              : random_f(last, span);
            list[count++] = (AstarEntry){f, (uint64_t)turn + 1};
            astar_lifo_push(queue, f, (uint64_t)turn + 1);
            continue;
        }
        AstarEntry entry;
        if (!take(queue, allocator, &entry)) {
            if (has_memory && count > 0)
                return false;
            continue;
        }
        uint64_t current = sorts ? 0 : queue->current;
        size_t first = first_of(list, count, sorts ? 0 : shift, current);
        uint64_t bucket = entry.f >> (sorts ? 0 : shift);
        uint64_t expected = list[first].f >> (sorts ? 0 : shift);
        bool is_right = near ? entry.node == list[first].node
                             : (bucket < current ? current : bucket) ==
                                   (expected < current ? current : expected);
        if (!is_right || !remove_entry(list, &count, entry))
            return false;
        last = entry.f > last ? entry.f : last;
    }
    return true;
}

// Whether equal entries that wait beyond the ring, as few as are brought in at once, come back the
// newest first, as those of the ring do.
static bool keeps_far_order(AstarLifoQueue *queue, const AstarAllocator *allocator)
{
    enum { FEW = 5 };
    if (!astar_lifo_begin(queue, allocator, 0, 64, 0, false) ||
        !astar_lifo_reserve(queue, allocator))
        return false;
    for (uint64_t node = 1; node <= FEW; node++)
        astar_lifo_push(queue, 1000000, node);
    for (uint64_t node = FEW; node >= 1; node--) {
        AstarEntry entry;
        if (!take(queue, allocator, &entry) || entry.node != node)
            return false;
    }
    return true;
}

// Returns true if the queue has room for all entries of each expansion. As in a search, room is
// made first, then an entry is taken, which may move entries from beyond the ring to the stacks.
static bool has_room_for_expansions(AstarLifoQueue *queue, const AstarAllocator *allocator)
{
    enum { FAR_STEP = 200 };
    uint64_t f = 0, node = 0;
    int count = 0, most = 20 + random_below(&state, 200), near = 1;
    if (!astar_lifo_begin(queue, allocator, 0, 64, f, false))
        return false;
    for (int turn = 0; turn < TURNS; turn++) {
        AstarEntry entry = {f, 0};
        if (!astar_lifo_reserve(queue, allocator) || (count > 0 && !take(queue, allocator, &entry)))
            return false;
        count -= count > 0;
        f = entry.f > f ? entry.f : f;
        int added = count > most ? 0 : random_below(&state, ASTAR_MOST_ADDED + 1);
        count += added;
        near = random_below(&state, 15) == 0 ? random_below(&state, 4) : near;
        for (; added > 0; added--) {
            if (queue->free == NULL)
                return false;
            int step = random_below(&state, 3) < near ? 20 + random_below(&state, 40) : FAR_STEP;
            astar_lifo_push(queue, (f / 100 * 100) + (uint64_t)step, ++node);
        }
    }
    return true;
}

int main(void)
{
    const AstarAllocator allocator = allocator_while(&has_memory);
    AstarLifoQueue queue = {0};
    for (uint32_t seed = 1; seed <= RUNS; seed++) {
        state = seed;
        has_memory = true;
        bool right = run(&queue, &allocator, seed % 3 * 5, seed / 3 % 2 == 0, seed / 6 % 2 == 0);
        CHECK(right);
        if (!right)
            printf("the run of seed %u differs\n", (unsigned)seed);
        if (seed % 7 == 0)
            astar_lifo_rest(&queue, &allocator);
    }
    has_memory = true;
    CHECK(keeps_far_order(&queue, &allocator));
    for (state = 1; state <= RUNS; state++) {
        const uint32_t seed = state;
        CHECK(has_room_for_expansions(&queue, &allocator));
        state = seed;
    }
    astar_lifo_free(&queue, &allocator);
    return report();
}
