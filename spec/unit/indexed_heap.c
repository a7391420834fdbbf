// indexed_heap.c -- an open list that holds each node once gives the first back, by its best item.
//
// Random ways to nodes, taken where their items are better, and first nodes dropped, against a
// plain list of the best item of each node.

#include "openlist/indexed_heap.h"
#include "support.h"

#include "openlist/heap.h"

enum { RUNS = 200, TURNS = 2000, NODES = 60 };

static uint32_t state;

typedef struct Best {
    AstarOpen items[NODES];
    bool has[NODES];
    size_t count;
} Best;

static uint32_t first_of(const Best *best)
{
    uint32_t first = NODES;
    for (uint32_t node = 0; node < NODES; node++)
        if (best->has[node] &&
            (first == NODES || astar_open_before(best->items[node], best->items[first])))
            first = node;
    return first;
}

static void put_way(AstarIndexedHeap *heap, Best *best, int nodes)
{
    uint32_t node = (uint32_t)random_below(&state, nodes);
    AstarOpen item = astar_open(random_below(&state, 40), random_below(&state, 3), node);
    astar_indexed_heap_put(heap, item);
    if (best->has[node] && !astar_open_before(item, best->items[node]))
        return;
    best->count += !best->has[node];
    best->has[node] = true;
    best->items[node] = item;
}

static bool drop_first(AstarIndexedHeap *heap, Best *best)
{
    uint32_t first = first_of(best);
    bool right = astar_open_cell(heap->items[0]) == first &&
                 heap->items[0].f == best->items[first].f &&
                 heap->items[0].tie == best->items[first].tie;
    astar_indexed_heap_drop(heap);
    best->has[first] = false;
    best->count--;
    return right;
}

static bool run(AstarIndexedHeap *heap, const AstarAllocator *allocator)
{
    Best best = {.count = 0};
    bool right = true;
    astar_indexed_heap_clear(heap);
    for (int turn = 0; turn < TURNS && right; turn++) {
        int nodes = turn < TURNS / 2 ? NODES / 2 : NODES; // it grows while it is in use
        right = astar_indexed_heap_reserve(heap, allocator, (size_t)nodes);
        if (random_below(&state, 3) > 0)
            put_way(heap, &best, nodes);
        else if (best.count > 0)
            right = drop_first(heap, &best);
        right = right && heap->count == best.count;
    }
    return right;
}

static void test_order_of_nodes(void)
{
    const AstarAllocator allocator = astar_allocator(NULL);
    for (uint32_t seed = 1; seed <= RUNS; seed++) {
        AstarIndexedHeap heap = {0};
        state = seed;
        bool right = run(&heap, &allocator) && run(&heap, &allocator);
        CHECK(right);
        if (!right)
            printf("the run of seed %u differs\n", (unsigned)seed);
        astar_indexed_heap_free(&heap, &allocator);
        CHECK(heap.items == NULL && heap.capacity == 0);
    }
}

// Of a large sum a better way may have the same f, and then, its g being smaller, the later place.
static void test_equal_sums(void)
{
    const AstarAllocator allocator = astar_allocator(NULL);
    AstarIndexedHeap heap = {0};
    const double costly = 524288 - 0x1p-6, better = costly - 0x1p-34, rest = 0x1p-5;
    AstarOpen item = astar_open(costly + rest, costly, 0),
              later = astar_open(better + rest, better, 0);
    CHECK(item.f == later.f && astar_open_before(item, later));
    CHECK(astar_indexed_heap_reserve(&heap, &allocator, 1));
    astar_indexed_heap_put(&heap, item);
    astar_indexed_heap_put(&heap, later);
    CHECK(heap.count == 1 && heap.items[0].f == item.f);
    astar_indexed_heap_free(&heap, &allocator);
}

// Without memory nothing changes.
static void test_no_room(void)
{
    bool has_memory = true;
    const AstarAllocator allocator = allocator_while(&has_memory);
    AstarIndexedHeap heap = {0};
    Best best = {.count = 0};
    state = 5;
    CHECK(astar_indexed_heap_reserve(&heap, &allocator, NODES));
    for (int i = 0; i < 100; i++)
        put_way(&heap, &best, NODES);
    has_memory = false;
    CHECK(!astar_indexed_heap_reserve(&heap, &allocator, NODES + 1));
    CHECK(heap.capacity == NODES && heap.count == best.count);
    while (best.count > 0)
        CHECK(drop_first(&heap, &best));
    astar_indexed_heap_free(&heap, &allocator);
}

int main(void)
{
    test_order_of_nodes();
    test_equal_sums();
    test_no_room();
    return report();
}
