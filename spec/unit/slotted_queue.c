// slotted_queue.c -- the open list gives items back in the order of their numbers, whatever its
// slots.
//
// Random pushes and pops against a plain list that is searched for its least. The values of f lie
// in the current slot, about it, far beyond the ring, below what has been popped, or far beyond all
// slots. The seed of the run that fails is printed.

#include "../c/check.h"

#include "openlist/slotted_queue.h"

#include <stdio.h>

enum { RUNS = 400, TURNS = 600 };

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
            double f = random_f(last), g = random_below(&state, 3);
            AstarOpen item = astar_open(f, g, (uint32_t)random_below(&state, 1000));
            right = astar_slotted_reserve(queue, allocator, 1);
            astar_slotted_push(queue, f, item);
            list[count++] = item;
        } else if (count > 0) {
            size_t least = least_of(list, count);
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
    astar_slotted_free(&queue, &allocator);
    return report();
}
