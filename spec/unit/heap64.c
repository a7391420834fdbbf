// heap64.c -- the heap of single words gives the least f back first; of those what was pushed since
// that f was first popped, the newest first, then the lowest cell.
//
// As a search pushes, never below the f popped last; against a plain list that is searched.

#include "support.h"

#include "openlist/heap64.h"

enum { RUNS = 300, TURNS = 3000 };

static uint32_t state;

typedef struct Listed {
    uint64_t item;
    int turn;   // in which it was pushed
    bool fresh; // it was pushed with the f popped last
} Listed;

typedef struct List {
    Listed items[TURNS];
    size_t count;
    uint64_t last; // f that was popped last
    bool popped;   // any was
} List;

static uint64_t f_of(uint64_t item)
{
    return item >> ASTAR_CELL_BITS;
}

static bool comes_before(Listed a, Listed b)
{
    if (f_of(a.item) != f_of(b.item))
        return f_of(a.item) < f_of(b.item);
    if (a.fresh != b.fresh)
        return a.fresh;
    return a.fresh ? a.turn > b.turn : a.item < b.item;
}

static size_t first_of(const List *list)
{
    size_t first = 0;
    for (size_t i = 1; i < list->count; i++)
        if (comes_before(list->items[i], list->items[first]))
            first = i;
    return first;
}

// Often the f popped last; else near it, or far above.
static uint64_t random_f(uint64_t last)
{
    switch (random_below(&state, 4)) {
    case 0: return last;
    case 1: return last + (uint64_t)random_below(&state, 1 << 20);
    default: return last + (uint64_t)random_below(&state, 4);
    }
}

static uint64_t random_cell(void)
{
    uint64_t cell = (uint64_t)random_below(&state, 1 << 14) << 14;
    switch (random_below(&state, 3)) {
    case 0: return (uint64_t)random_below(&state, 4);
    case 1: return ASTAR_CELL_MASK - (uint64_t)random_below(&state, 4);
    default: return cell | (uint64_t)random_below(&state, 1 << 14);
    }
}

static bool push(AstarHeap64 *keys, const AstarAllocator *allocator, List *list, int turn)
{
    uint64_t f = random_f(list->last);
    // The first f of all is above 0: nothing was popped to compare with.
    f += !list->popped;
    Listed pushed = {f << ASTAR_CELL_BITS | random_cell(), turn, list->popped && f == list->last};
    bool has_room = astar_heap64_has_room(keys) || astar_heap64_grow(keys, allocator);
    astar_heap64_push(keys, pushed.item);
    list->items[list->count++] = pushed;
    return has_room;
}

static bool pop(AstarHeap64 *keys, List *list)
{
    size_t first = first_of(list);
    Listed popped = list->items[first];
    list->items[first] = list->items[--list->count];
    list->last = f_of(popped.item);
    list->popped = true;
    return astar_heap64_pop(keys) == popped.item;
}

static bool run(AstarHeap64 *keys, const AstarAllocator *allocator)
{
    static List list;
    list.count = 0;
    list.last = 0;
    list.popped = false;
    astar_heap64_clear(keys);
    bool right = astar_heap64_is_empty(keys);
    for (int turn = 0; turn < TURNS && right; turn++) {
        int pushes = turn < TURNS / 2 ? 7 : 3;
        if (random_below(&state, 10) < pushes)
            right = push(keys, allocator, &list, turn);
        else if (list.count > 0)
            right = pop(keys, &list);
        right = right && astar_heap64_is_empty(keys) == (list.count == 0);
    }
    return right;
}

static void test_order(void)
{
    const AstarAllocator allocator = astar_allocator(NULL);
    AstarHeap64 keys = {0};
    for (uint32_t seed = 1; seed <= RUNS; seed++) {
        state = seed;
        bool right = run(&keys, &allocator);
        CHECK(right);
        if (!right)
            printf("the run of seed %u differs\n", (unsigned)seed);
        if (seed % 20 == 0) // to grow again
            astar_heap64_free(&keys, &allocator);
    }
    astar_heap64_free(&keys, &allocator);
    CHECK(keys.items == NULL && keys.capacity == 0);
}

// Without memory nothing changes.
static void test_no_memory(void)
{
    bool has_memory = true;
    const AstarAllocator allocator = allocator_while(&has_memory);
    AstarHeap64 keys = {0};
    static List list;
    state = 3;
    int turn = 0;
    for (; turn < 100; turn++)
        CHECK(push(&keys, &allocator, &list, turn));
    CHECK(pop(&keys, &list));
    for (; astar_heap64_has_room(&keys); turn++)
        CHECK(push(&keys, &allocator, &list, turn));
    has_memory = false;
    size_t capacity = keys.capacity;
    CHECK(!astar_heap64_grow(&keys, &allocator));
    CHECK(keys.capacity == capacity && !astar_heap64_has_room(&keys));
    has_memory = true;
    CHECK(push(&keys, &allocator, &list, turn));
    while (list.count > 0)
        CHECK(pop(&keys, &list));
    CHECK(astar_heap64_is_empty(&keys));
    astar_heap64_free(&keys, &allocator);
}

// A long list is given back but for a part, or all of it where there is no memory for that.
static void test_rest(void)
{
    bool has_memory = true;
    const AstarAllocator allocator = allocator_while(&has_memory);
    AstarHeap64 keys = {0};
    const size_t counts[] = {1000, 100000, 1000, 100000};
    for (size_t i = 0; i < 4; i++) {
        has_memory = true;
        for (size_t item = counts[i]; item > 0; item--) {
            CHECK(astar_heap64_has_room(&keys) || astar_heap64_grow(&keys, &allocator));
            astar_heap64_push(&keys, (uint64_t)item << ASTAR_CELL_BITS);
        }
        CHECK(astar_heap64_pop(&keys) == (uint64_t)1 << ASTAR_CELL_BITS);
        size_t before = keys.capacity;
        has_memory = i < 3;
        astar_heap64_rest(&keys, &allocator);
        CHECK(astar_heap64_is_empty(&keys) && keys.capacity <= 16384);
        CHECK(counts[i] > 1000 || keys.capacity == before);
        CHECK(keys.capacity == 0 ? i == 3 && keys.items == NULL : keys.items != NULL);
    }
    astar_heap64_free(&keys, &allocator);
}

int main(void)
{
    test_order();
    test_no_memory();
    test_rest();
    return report();
}
