// bucket_queue.c -- the bucket queue brings every open cell in the order of the buckets.
//
// A search over random steps, each at least a bucket wide, as a flow's are: against a plain list of
// distances in which the least bucket of all open cells is sought. Some steps lead beyond the ring,
// memory runs out now and then, and an edit takes the search back to its first bucket. In some runs
// steps are so long that most of a large ring stays empty.

#include "support.h"

#include "openlist/bucket_queue.h"

enum { RUNS = 200, WIDTH = 60, HEIGHT = 20, CELLS = WIDTH * HEIGHT };

static uint32_t state;
static bool has_memory;

static double distances[CELLS]; // INFINITY: not met yet
static bool done[CELLS];
static double width; // of a bucket
static double least;
static bool is_sparse; // most steps are long

static int64_t bucket_of(int cell)
{
    return (int64_t)((distances[cell] - least) * (1 / width));
}

// The first bucket with an open cell in it; INT64_MAX where no cell is open.
static int64_t first_bucket(void)
{
    int64_t first = INT64_MAX;
    for (int cell = 0; cell < CELLS; cell++)
        if (!done[cell] && isfinite(distances[cell]) && bucket_of(cell) < first)
            first = bucket_of(cell);
    return first;
}

static void fail_now_and_then(void)
{
    has_memory = random_below(&state, 4) > 0;
}

// Puts a cell at a distance, again if memory has run out; false if that changed anything.
static bool open_cell(AstarBucketQueue *buckets, const AstarAllocator *allocator, int cell,
                      double distance)
{
    uint64_t entry = astar_entry(cell % WIDTH, cell / WIDTH, (unsigned)random_below(&state, 9));
    size_t before = buckets->waiting + buckets->far.count;
    fail_now_and_then();
    AstarStatus status = astar_bucket_queue_put(buckets, allocator, entry, distance);
    has_memory = true;
    bool unchanged = status == ASTAR_OK || buckets->waiting + buckets->far.count == before;
    if (status != ASTAR_OK)
        status = astar_bucket_queue_put(buckets, allocator, entry, distance);
    distances[cell] = distance;
    done[cell] = false; // it may have been, before an edit
    return status == ASTAR_OK && unchanged;
}

// Some steps from a cell to others that come nearer by them; most are short.
static bool expand(AstarBucketQueue *buckets, const AstarAllocator *allocator, int cell)
{
    bool right = true;
    for (int i = 0; i < 3; i++) {
        int next = random_below(&state, CELLS), kind = random_below(&state, is_sparse ? 2 : 20);
        double part = random_below(&state, 1000) / 1000.0;
        double step = width * (kind == 0 ? 1 + part * 500 : kind < 3 ? 1 + part * 20 : 1.5 + part);
        if (distances[cell] + step < distances[next])
            right = open_cell(buckets, allocator, next, distances[cell] + step) && right;
    }
    return right;
}

// Empties the current bucket: what is still good in it is done with.
static bool empty_bucket(AstarBucketQueue *buckets, const AstarAllocator *allocator)
{
    bool right = true;
    size_t slot = (size_t)buckets->current & (buckets->size - 1);
    for (; buckets->position < buckets->ring[slot].count; buckets->position++) {
        uint64_t entry = buckets->ring[slot].entries[buckets->position];
        int cell = astar_entry_y(entry) * WIDTH + astar_entry_x(entry);
        if (done[cell] || bucket_of(cell) != buckets->current)
            continue;
        done[cell] = true;
        right = expand(buckets, allocator, cell) && right;
    }
    return right;
}

static double distance_of(const void *context, int x, int y)
{
    (void)context;
    return distances[y * WIDTH + x];
}

// Until nothing is open, or for some buckets; false where one was passed over, or is gone. Where
// memory runs out, the bucket come to by then is emptied before the next is asked for again.
static bool search(AstarBucketQueue *buckets, const AstarAllocator *allocator, int most)
{
    for (int i = 0; i < most && !astar_bucket_queue_are_empty(buckets); i++) {
        int64_t before = buckets->current;
        if (!empty_bucket(buckets, allocator))
            return false;
        fail_now_and_then();
        AstarStatus status = astar_bucket_queue_advance(buckets, allocator, distance_of, NULL);
        bool failed = !has_memory && status == ASTAR_NO_MEMORY;
        has_memory = true;
        if ((status != ASTAR_OK && !failed) || buckets->current < before ||
            buckets->current > first_bucket())
            return false;
    }
    return !astar_bucket_queue_are_empty(buckets) || first_bucket() == INT64_MAX;
}

// Takes the search back; then some cells are nearer than they were.
static bool edit(AstarBucketQueue *buckets, const AstarAllocator *allocator)
{
    fail_now_and_then();
    AstarStatus status = astar_bucket_queue_rewind(buckets, allocator);
    has_memory = true;
    if (status != ASTAR_OK)
        status = astar_bucket_queue_rewind(buckets, allocator);
    bool right = status == ASTAR_OK && buckets->current == 0 && buckets->waiting == 0;
    for (size_t i = 0; i < buckets->far.count; i++)
        right = right && astar_entry_from(buckets->far.entries[i]) == 8;
    for (int i = 0; i < 20; i++) {
        int cell = random_below(&state, CELLS);
        double distance = least + width * random_below(&state, 50);
        if (distance >= distances[cell])
            continue;
        right = open_cell(buckets, allocator, cell, distance) && right;
    }
    return right;
}

static bool run(AstarBucketQueue *buckets, const AstarAllocator *allocator)
{
    static const double widths[] = {1, 0.3, 7, 1e-3};
    width = widths[random_below(&state, 4)];
    least = random_below(&state, 3) == 0 ? 0 : width * random_below(&state, 100);
    is_sparse = random_below(&state, 2) == 0;
    for (int cell = 0; cell < CELLS; cell++) {
        distances[cell] = INFINITY;
        done[cell] = false;
    }
    AstarStatus status = astar_bucket_queue_begin(buckets, allocator, least, width,
                                                  random_below(&state, is_sparse ? 1000 : 40));
    bool right = status == ASTAR_OK && astar_bucket_queue_are_empty(buckets);
    for (int i = 0; i < 3; i++)
        right = open_cell(buckets, allocator, random_below(&state, CELLS), least) && right;
    for (int i = 0; i < 3; i++)
        right = right && search(buckets, allocator, random_below(&state, 60)) &&
                edit(buckets, allocator);
    return right && search(buckets, allocator, 1000000);
}

static void test_order(void)
{
    const AstarAllocator allocator = allocator_while(&has_memory);
    AstarBucketQueue buckets = {0};
    has_memory = true;
    for (uint32_t seed = 1; seed <= RUNS; seed++) {
        state = seed;
        bool right = run(&buckets, &allocator);
        CHECK(right);
        if (!right)
            printf("the run of seed %u differs\n", (unsigned)seed);
        astar_bucket_queue_trim(&buckets, &allocator);
        CHECK(astar_bucket_queue_bytes(&buckets) ==
              buckets.size * sizeof *buckets.ring +
                  (buckets.size + 63) / 64 * sizeof *buckets.held);
    }
    astar_bucket_queue_free(&buckets, &allocator);
    CHECK(buckets.ring == NULL && astar_bucket_queue_bytes(&buckets) == 0);
}

static void test_entries(void)
{
    static const int places[] = {0, 1, 63, 4095, 0x7FFFFF, 0xFFFFFF};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            for (unsigned from = 0; from <= 8; from++) {
                uint64_t entry = astar_entry(places[i], places[j], from);
                CHECK(astar_entry_x(entry) == places[i] && astar_entry_y(entry) == places[j]);
                CHECK(astar_entry_from(entry) == from);
                CHECK((entry & ASTAR_ENTRY_CELL) == astar_entry(places[i], places[j], 0));
            }
}

int main(void)
{
    test_entries();
    test_order();
    return report();
}
