// back_jumps.c -- the nearest of a few goals: by jumps from all of them back to the start.
//
// Jump point search leads to one cell, but may begin at many: over uniform ground every step can be
// made back at the same cost, by each rule that it knows. So each goal is a root of the search,
// which goes for the start; a root farther from there than the way found is never expanded, and the
// way is read from the start on.
//
// Of equally cheap goals the lowest is reached. So costs are multiplied by more than there are
// goals, and a root begins with its rank among them: the least sum of both is the lowest goal's.

#include "search/expand_jps.h"
#include "search/goal_set.h"
#include "search/jps.h"
#include "search/pose.h"
#include "search/search_ways.h"

#include <string.h>

enum { MOST_ROOTS = 64 };

static const AstarSearchWay by_back_jumps = {.trace_counted = astar_jps_gather};

static bool may_jump_back(const AstarSearch *search, AstarGoal start)
{
    return search->finder->plain == NULL && !search->own.bends && !search->lines.any_angle &&
           !astar_only_trying_tells(search) &&
           astar_bits_get(&search->finder->walkable->bits, start.x, start.y) &&
           astar_search_algorithm_for(search, &start) == ASTAR_JPS;
}

// The goals' cells from the lowest on, each once; how many there are.
static uint32_t sort_roots(const AstarGrid *grid, const AstarCell *goals, size_t count,
                           uint32_t *roots)
{
    uint32_t found = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t cell = astar_cell(grid, goals[i].x, goals[i].y), at = found;
        while (at > 0 && roots[at - 1] > cell)
            at--;
        if (at > 0 && roots[at - 1] == cell)
            continue;
        memmove(roots + at + 1, roots + at, (found++ - at) * sizeof *roots);
        roots[at] = cell;
    }
    return found;
}

// Adds a root, but the first, which is there, and opens it; ASTAR_BAD_COST where its estimate is
// beyond the numbers.
static AstarStatus plant_root(AstarSearch *search, uint32_t cell, uint32_t rank)
{
    const AstarAllocator *allocator = &search->allocator;
    AstarJumpFront *front = &search->jumps;
    int x, y;
    astar_cell_xy(search->grid, cell, &x, &y);
    double f = astar_jps_least_f(search, 0, 0, x - search->goal.x, y - search->goal.y);
    f = f * (double)(1u << front->rank_bits) + rank;
    if (f > ASTAR_MOST_F)
        return ASTAR_BAD_COST;
    if (!astar_heap64_has_room(&front->open) && !astar_heap64_grow(&front->open, allocator))
        return ASTAR_NO_MEMORY;
    astar_heap64_push(&front->open, (uint64_t)f << ASTAR_CELL_BITS | cell);
    if (rank == 0)
        return ASTAR_OK;
    uint32_t *slot = astar_jump_slot(&front->nodes, cell, x, y);
    AstarJumpNode *root = astar_jump_nodes_add(&front->nodes, allocator, slot, cell);
    if (root == NULL)
        return ASTAR_NO_MEMORY;
    root->g.whole = rank;
    root->parent = cell | (uint32_t)ASTAR_ARRIVED_NOWHERE << ASTAR_CELL_BITS;
    return ASTAR_OK;
}

// Begins a search whose start is the first root.
static AstarStatus plant_roots(AstarSearch *search, const uint32_t *roots, uint32_t count)
{
    AstarJumpFront *front = &search->jumps;
    AstarStatus status = astar_jps_plant(search, ASTAR_ARRIVED_NOWHERE);
    astar_heap64_clear(&front->open);
    while (1u << front->rank_bits < count)
        front->rank_bits++;
    for (uint32_t i = 0; i < count && status == ASTAR_OK; i++)
        status = plant_root(search, roots[i], i);
    return status;
}

static AstarStatus jump_back(AstarSearch *search, const uint32_t *roots, uint32_t count)
{
    const AstarFinder *finder = search->finder;
    AstarJumpBitmaps *jump;
    AstarStatus status = astar_walkable_jump(search->grid, finder->walkable,
                                             finder->options.diagonals, &jump);
    if (status == ASTAR_OK)
        status = plant_roots(search, roots, count);
    if (status == ASTAR_OK)
        status = astar_run_jps_by(search, jump, UINT64_MAX);
    return status == ASTAR_OK || status == ASTAR_NO_MEMORY ? status : ASTAR_RUNNING;
}

static void note_start(AstarSearch *search, int x, int y)
{
    search->start_x = x;
    search->start_y = y;
    search->start = astar_cell(search->grid, x, y);
}

AstarStatus astar_goal_set_jump_back(AstarSearch *search, const AstarCell *goals, size_t count)
{
    uint32_t roots[MOST_ROOTS + 1];
    int x, y;
    AstarGoal many = search->goal;
    AstarGoal start = astar_goal_at(search->grid, search->start_x, search->start_y, 0);
    if (count > MOST_ROOTS || !may_jump_back(search, start))
        return ASTAR_RUNNING;
    uint32_t sorted = sort_roots(search->grid, goals, count, roots);
    astar_cell_xy(search->grid, roots[0], &x, &y);
    note_start(search, x, y);
    search->goal = start;
    AstarStatus status = jump_back(search, roots, sorted);
    search->goal = many;
    note_start(search, start.x, start.y);
    if (status != ASTAR_OK) {
        search->expanded = 0;
        return status;
    }
    uint32_t g = astar_jump_node(&search->jumps.nodes, start.cell)->g.whole;
    search->many.goals.met = roots[g & ((1u << search->jumps.rank_bits) - 1)];
    search->algorithm = ASTAR_JPS;
    search->way = &by_back_jumps;
    return ASTAR_OK;
}
