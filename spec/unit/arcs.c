// links_and_walls.c -- arcs in blocks against a plain table of them, with memory that fails, and
// what it costs.
//
// Counted, not timed: an edit moves the arcs of one block at most, and counts the blocks after it.
// So blocks must be neither too large nor too many.

#include "support.h"

#include "map/links_and_walls.h"

#include <string.h>

enum { CELLS = 60, EDITS = 30000 };

static double table[CELLS][CELLS]; // 0: no arc

static bool arcs_memory = true;
static const AstarAllocator arcs_allocator = {allocate_if, release_any, &arcs_memory};

// All arcs, in order, and found by their ends.
static void check_arcs(const AstarArcs *arcs)
{
    uint32_t place = 0;
    for (uint32_t a = 0; a < CELLS; a++)
        for (uint32_t b = 0; b < CELLS; b++) {
            uint32_t from = arcs->back ? b : a, to = arcs->back ? a : b;
            CHECK(astar_arcs_place(arcs, from, to) == place);
            if (table[from][to] == 0)
                continue;
            const AstarArc *arc = astar_arc_at(arcs, place++);
            CHECK(arc != NULL && arc->from == from && arc->to == to);
            CHECK(arc->cost >= table[from][to] && arc->cost <= table[from][to]);
        }
    CHECK(arcs->count == place && astar_arc_at(arcs, place) == NULL);
    for (size_t i = 0; i < arcs->block_count; i++) {
        bool is_last = i + 1 == arcs->block_count;
        uint32_t end = is_last ? arcs->count : arcs->blocks[i + 1].start;
        CHECK(end > arcs->blocks[i].start); // none is empty
        CHECK(end - arcs->blocks[i].start <= ASTAR_ARCS_A_BLOCK);
    }
}

// Adds an arc and its way back, as a link does, or changes what is there; false without memory.
static bool put(AstarArcs *arcs, uint32_t from, uint32_t to, double cost)
{
    if (!astar_arcs_reserve(arcs, &arcs_allocator, from, to) ||
        !astar_arcs_reserve(arcs, &arcs_allocator, to, from))
        return false;
    for (int i = 0; i < 2; i++) {
        AstarArc arc = {i == 0 ? from : to, i == 0 ? to : from, 0, cost};
        if (table[arc.from][arc.to] > 0)
            astar_arcs_change(arcs, arc);
        else
            astar_arcs_add(arcs, arc);
        table[arc.from][arc.to] = cost;
    }
    return true;
}

// All of the table at once, as of a dump.
static void check_filling(bool back)
{
    static AstarArc all[CELLS * CELLS];
    AstarArcs arcs = {.back = back};
    uint32_t count = 0;
    for (uint32_t from = 0; from < CELLS; from++)
        for (uint32_t to = 0; to < CELLS; to++)
            if (table[from][to] > 0)
                all[count++] = (AstarArc){from, to, 0, table[from][to]};
    arcs_memory = false;
    CHECK(count == 0 || !astar_arcs_fill(&arcs, &arcs_allocator, all, count));
    arcs_memory = true;
    CHECK(astar_arcs_fill(&arcs, &arcs_allocator, all, count));
    check_arcs(&arcs);
    for (uint32_t to = 1; to < CELLS; to++) // full blocks are edited as others are
        CHECK(put(&arcs, 0, to, 5));
    check_arcs(&arcs);
    astar_arcs_free(&arcs, &arcs_allocator);
}

static void test_random(bool back)
{
    AstarArcs arcs = {.back = back};
    uint32_t seed = 7 + back;
    int failed = 0;
    memset(table, 0, sizeof table);
    for (int i = 0; i < EDITS; i++) {
        uint32_t from = (uint32_t)random_below(&seed, CELLS);
        uint32_t to = (uint32_t)random_below(&seed, CELLS);
        bool grows = i / 5000 % 2 == 0; // nearly full, nearly empty, and again
        arcs_memory = random_below(&seed, 3) > 0;
        if (from == to)
            continue;
        if ((random_below(&seed, 10) < 8) == grows) {
            failed += !put(&arcs, from, to, 1 + random_below(&seed, 9));
        } else if (table[from][to] > 0) {
            astar_arcs_remove(&arcs, &arcs_allocator, (AstarArc){.from = from, .to = to});
            table[from][to] = 0;
        }
        if (i % 997 == 0)
            check_arcs(&arcs);
    }
    check_arcs(&arcs);
    CHECK(failed > 0);
    AstarArcs copy = {0};
    arcs_memory = false;
    CHECK(arcs.count == 0 || !astar_arcs_copy(&copy, &arcs_allocator, &arcs));
    CHECK(copy.count == 0 && copy.blocks == NULL);
    arcs_memory = true;
    CHECK(astar_arcs_copy(&copy, &arcs_allocator, &arcs));
    check_arcs(&copy);
    astar_arcs_free(&copy, &arcs_allocator);
    astar_arcs_free(&arcs, &arcs_allocator);
    CHECK(astar_arcs_bytes(&arcs) == 0);
    check_filling(back);
}

// In any order blocks are a third full in the mean at least, in order nearly full.
static void test_blocks(bool in_order)
{
    enum { MANY = 50000 };
    AstarArcs arcs = {0};
    for (uint32_t i = 0; i < MANY; i++) {
        uint32_t from = in_order ? i : i * 7919 % MANY;
        CHECK(astar_arcs_reserve(&arcs, &arcs_allocator, from, MANY));
        astar_arcs_add(&arcs, (AstarArc){from, MANY, 0, 1});
    }
    CHECK(arcs.count == MANY);
    size_t most = in_order ? MANY / (ASTAR_ARCS_A_BLOCK - 3) : 3 * MANY / ASTAR_ARCS_A_BLOCK;
    CHECK(arcs.block_count <= most + 1);
    astar_arcs_free(&arcs, &arcs_allocator);
}

int main(void)
{
    for (int i = 0; i < 2; i++) {
        test_random(i == 1);
        test_blocks(i == 1);
    }
    return 0;
}
