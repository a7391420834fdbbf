// heap.c -- the heap gives items back in order: the least f, of those the largest g, then the
// lowest cell.
//
// Random pushes, pops and looks at the top, against a plain list that is searched for its first.
// The oracle compares the numbers that items are made of, the heap their bits.

#include "support.h"

#include "openlist/heap.h"

enum { RUNS = 300, TURNS = 1500 };

static uint32_t state;

typedef struct Listed {
    double f, g;
    uint32_t cell;
} Listed;

typedef struct List {
    Listed items[TURNS];
    size_t count;
} List;

static bool comes_before(Listed a, Listed b)
{
    if (a.f != b.f)
        return a.f < b.f;
    return a.g != b.g ? a.g > b.g : a.cell < b.cell;
}

static size_t first_of(const List *list)
{
    size_t first = 0;
    for (size_t i = 1; i < list->count; i++)
        if (comes_before(list->items[i], list->items[first]))
            first = i;
    return first;
}

// Few values of each part, so that the next part has to decide; a cell of all 32 bits among them.
static Listed random_item(void)
{
    static const double values[] = {0, 0x1p-30, 0.5, 1, 1.5, 2, 1024.25, 1e6, 0x1p100};
    static const uint32_t cells[] = {0, 1, 2, 77, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
    return (Listed){values[random_below(&state, 9)], values[random_below(&state, 9)],
                    cells[random_below(&state, 7)]};
}

static bool is_item(AstarOpen item, Listed listed)
{
    AstarOpen same = astar_open(listed.f, listed.g, listed.cell);
    return item.f == same.f && item.tie == same.tie && astar_open_f(item) == listed.f &&
           astar_open_cell(item) == listed.cell;
}

static bool push(AstarHeap *heap, const AstarAllocator *allocator, List *list)
{
    Listed item = random_item();
    bool has_room = astar_heap_reserve(heap, allocator, 1);
    astar_heap_push(heap, astar_open(item.f, item.g, item.cell));
    list->items[list->count++] = item;
    return has_room;
}

static bool pop(AstarHeap *heap, List *list)
{
    size_t first = first_of(list);
    bool right = random_below(&state, 3) > 0 || is_item(astar_heap_top(heap), list->items[first]);
    right = is_item(astar_heap_pop(heap), list->items[first]) && right;
    list->items[first] = list->items[--list->count];
    return right;
}

// Mostly pushes, then mostly pops; true if every item came when it should.
static bool run(AstarHeap *heap, const AstarAllocator *allocator)
{
    static List list;
    list.count = 0;
    astar_heap_clear(heap);
    bool right = true;
    for (int turn = 0; turn < TURNS && right; turn++) {
        int pushes = turn < TURNS / 2 ? 7 : 3;
        if (random_below(&state, 10) < pushes)
            right = push(heap, allocator, &list);
        else if (list.count > 0)
            right = pop(heap, &list);
        right = right && astar_heap_count(heap) == list.count;
    }
    return right;
}

static void test_order(void)
{
    const AstarAllocator allocator = astar_allocator(NULL);
    AstarHeap heap = {0};
    for (uint32_t seed = 1; seed <= RUNS; seed++) {
        state = seed;
        bool right = run(&heap, &allocator);
        CHECK(right);
        if (!right)
            printf("the run of seed %u differs\n", (unsigned)seed);
    }
    astar_heap_free(&heap, &allocator);
    CHECK(heap.items == NULL && heap.capacity == 0);
}

// Every pair of items, by the numbers and by the bits.
static void test_before(void)
{
    state = 1;
    for (int i = 0; i < 20000; i++) {
        Listed a = random_item(), b = random_item();
        CHECK(astar_open_before(astar_open(a.f, a.g, a.cell), astar_open(b.f, b.g, b.cell)) ==
              comes_before(a, b));
    }
}

// Without memory nothing changes, with the top vacant and without.
static void test_no_memory(void)
{
    bool has_memory = true;
    const AstarAllocator allocator = allocator_while(&has_memory);
    AstarHeap heap = {0};
    static List list;
    state = 5;
    while (heap.capacity == 0 || heap.count < heap.capacity)
        push(&heap, &allocator, &list);
    has_memory = false;
    size_t capacity = heap.capacity;
    CHECK(!astar_heap_reserve(&heap, &allocator, 1));
    CHECK(heap.capacity == capacity && astar_heap_count(&heap) == list.count);
    CHECK(pop(&heap, &list));
    CHECK(!astar_heap_reserve(&heap, &allocator, 1));
    has_memory = true;
    CHECK(astar_heap_reserve(&heap, &allocator, 1));
    while (list.count > 0)
        CHECK(pop(&heap, &list));
    CHECK(astar_heap_count(&heap) == 0);
    astar_heap_free(&heap, &allocator);
}

// Room for many at once is room for as many, whatever there was.
static void test_room(void)
{
    const AstarAllocator allocator = astar_allocator(NULL);
    AstarHeap heap = {0};
    CHECK(astar_heap_reserve(&heap, &allocator, 1));
    astar_heap_push(&heap, astar_open(1, 0, 7));
    CHECK(astar_heap_reserve(&heap, &allocator, 10000));
    CHECK(heap.capacity >= 10001 && astar_open_cell(astar_heap_top(&heap)) == 7);
    astar_heap_free(&heap, &allocator);
}

int main(void)
{
    test_order();
    test_before();
    test_no_memory();
    test_room();
    return report();
}
