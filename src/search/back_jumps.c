// back_jumps.c -- the nearest of a few goals: by jumps from all of them back to the start.
//
// Jump point search leads to one cell, but may begin at many: over uniform ground every step can be
// made back at the same cost, by each rule that it knows. So each goal is a root of the search,
// which goes for the start; a root farther from there than the way found is never expanded, and the
// way is read from the start on. Those of one goal's range are the free cells of its rim.
//
// Of equally cheap goals the lowest is reached. So costs are multiplied by more than there are
// goals, and a root begins with its rank among them: the least sum of both is the lowest goal's.

#include "search/jps.h"

#include "search/jump_scan.h"

// Sorts the goals from the lowest on.
static void rank_goals(AstarCell *goals, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        AstarCell goal = goals[i];
        size_t at = i;
        for (; at > 0 && (goals[at - 1].y > goal.y ||
                          (goals[at - 1].y == goal.y && goals[at - 1].x > goal.x));
             at--)
            goals[at] = goals[at - 1];
        goals[at] = goal;
    }
}

// A unit from beyond the range comes to its rim first: the outermost cells from which what it
// covers is within range.
static void go_for_rim(const AstarSearch *search, AstarGoalSet *set)
{
    const AstarGoal *goal = &search->goal;
    const int last = goal->range, first = 1 - goal->size - goal->range;
    set->estimated_count = 0;
    for (int dy = first; dy <= last; dy++)
        for (int dx = first; dx <= last; dx += dy == first || dy == last ? 1 : last - first) {
            AstarCell at = {goal->x + dx, goal->y + dy};
            if (astar_inside(search->grid, at.x, at.y) &&
                astar_bits_get(&search->finder->on.walkable->bits, at.x, at.y))
                set->estimated[set->estimated_count++] = at;
        }
}

// Those of one cell are one root.
static AstarStatus plant_goal(AstarSearch *search, AstarCell goal, uint32_t rank)
{
    AstarJumpFront *front = &search->jumps;
    uint32_t cell = astar_cell(search->grid, goal.x, goal.y);
    int dx = goal.x - search->start_x, dy = goal.y - search->start_y;
    uint64_t f = (uint64_t)astar_jps_least_f(search, 0, 0, dx, dy) << front->rank_bits | rank;
    if (astar_jump_node(&front->nodes, cell) != NULL)
        return ASTAR_OK;
    if (!astar_heap64_has_room(&front->open) &&
        !astar_heap64_grow(&front->open, &search->allocator))
        return ASTAR_NO_MEMORY;
    astar_heap64_push(&front->open, f << ASTAR_CELL_BITS | cell);
    return astar_jps_add_root(search, goal.x, goal.y, ASTAR_ARRIVED_NOWHERE, rank);
}

AstarStatus astar_back_jumps_begin(AstarSearch *search)
{
    AstarGoalSet *set = &search->many.goals;
    AstarJumpFront *front = &search->jumps;
    const AstarFinder *finder = search->finder;
    AstarJumpBitmaps *jump;
    AstarStatus status = astar_walkable_jump(search->grid, finder->on.walkable,
                                             finder->options.diagonals, &jump);
    if (status == ASTAR_OK)
        status = astar_jps_clear(search);
    astar_heap64_clear(&front->open);
    front->to = (AstarCell){search->start_x, search->start_y};
    if (search->goal.kind == ASTAR_GOAL_BOX)
        go_for_rim(search, set);
    else
        rank_goals(set->estimated, set->estimated_count);
    for (front->rank_bits = 1; 1u << front->rank_bits < set->estimated_count;)
        front->rank_bits++;
    for (uint32_t i = 0; i < set->estimated_count && status == ASTAR_OK; i++)
        status = plant_goal(search, set->estimated[i], i);
    return status;
}

AstarStatus astar_run_back_jumps(AstarSearch *search, uint64_t expansions)
{
    AstarGoalSet *set = &search->many.goals;
    AstarStatus status = astar_run_jps(search, expansions);
    if (status != ASTAR_OK || !astar_goal_is_of_many(&search->goal))
        return status;
    uint32_t g = astar_jump_node(&search->jumps.nodes, search->found)->g.whole;
    const AstarCell *goal = &set->estimated[g & ((1u << search->jumps.rank_bits) - 1)];
    set->met = astar_cell(search->grid, goal->x, goal->y);
    return ASTAR_OK;
}
