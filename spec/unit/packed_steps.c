// flow_pack.c -- packed steps are those that were put in, whatever lies between them.

#include "flow/flow_pack.h"
#include "support.h"

#include "flow/flow.h"

enum { CELLS = 5 * ASTAR_STEP_BLOCK + 77, BLOCKS = 6 };

static uint8_t steps[BLOCKS][ASTAR_STEP_BLOCK]; // 0: none
static bool has_memory;

// Some blocks have none, some all, some about so many of a hundred.
static int put_random_steps(uint32_t *seed, int percent)
{
    int count = 0;
    for (int i = 0; i < BLOCKS; i++) {
        int kind = random_below(seed, 6);
        for (int j = 0; j < ASTAR_STEP_BLOCK; j++) {
            bool is_inside = i * ASTAR_STEP_BLOCK + j < CELLS;
            bool has = kind > 1 ? random_below(seed, 100) < percent : kind == 1;
            steps[i][j] = is_inside && has ? (uint8_t)(1 + random_below(seed, 15)) : 0;
            count += steps[i][j] != 0;
        }
    }
    return count;
}

static void expect_all(const AstarPackedSteps *packed)
{
    bool right = true;
    for (uint32_t cell = 0; cell < CELLS; cell++)
        right = right && astar_packed_step(packed, cell) ==
                             steps[cell / ASTAR_STEP_BLOCK][cell % ASTAR_STEP_BLOCK] - 1;
    CHECK(right);
}

static void test_steps(uint32_t seed)
{
    const AstarAllocator allocator = allocator_while(&has_memory);
    AstarPackedSteps packed = {0};
    int count = put_random_steps(&seed, 1 + random_below(&seed, 100));
    has_memory = false;
    CHECK(astar_packed_steps_begin(&packed, &allocator, CELLS) == ASTAR_NO_MEMORY);
    has_memory = true;
    CHECK(astar_packed_steps_begin(&packed, &allocator, CELLS) == ASTAR_OK);
    for (int i = 0; i < BLOCKS; i++) {
        CHECK(!astar_packed_steps_are_whole(&packed));
        has_memory = false;
        AstarStatus status = astar_packed_steps_add(&packed, &allocator, steps[i]);
        has_memory = true;
        if (status == ASTAR_NO_MEMORY)
            status = astar_packed_steps_add(&packed, &allocator, steps[i]);
        CHECK(status == ASTAR_OK);
    }
    CHECK(astar_packed_steps_are_whole(&packed));
    CHECK(astar_packed_steps_bytes(&packed) <= (size_t)count / 2 + BLOCKS * (ASTAR_STEP_BLOCK / 6));
    expect_all(&packed);
    astar_packed_steps_free(&packed, &allocator);
    CHECK(astar_packed_steps_bytes(&packed) == 0);
}

static void test_links(void)
{
    const AstarAllocator allocator = allocator_while(&has_memory);
    AstarPackedSteps packed = {0};
    has_memory = true;
    CHECK(astar_packed_steps_begin(&packed, &allocator, CELLS) == ASTAR_OK);
    for (uint32_t i = 0; i < 50; i++)
        for (int twice = 0; twice < 2; twice++) {
            AstarArc arc = {.from = i * i, .to = i};
            CHECK(astar_packed_steps_link(&packed, &allocator, arc.from, &arc) == ASTAR_OK);
        }
    CHECK(packed.link_count == 50);
    for (uint32_t i = 0; i < 50; i++)
        CHECK(astar_packed_link(&packed, i * i)->to == i);
    astar_packed_steps_free(&packed, &allocator);
}

int main(void)
{
    for (uint32_t seed = 1; seed <= 60; seed++)
        test_steps(seed);
    test_links();
    return report();
}
