// goal.c -- one goal: a cell, the cells within range of it, or those no farther from it than the
// nearest that can be reached.

#include "search/goal.h"

ASTAR_HOT AstarGoal astar_goal_at(const AstarGrid *grid, int x, int y, int range, int size)
{
    return (AstarGoal){
        .kind = range > 0 ? ASTAR_GOAL_BOX : ASTAR_GOAL_CELL,
        .cell = astar_cell(grid, x, y),
        .x = x,
        .y = y,
        .range = range,
        .size = range > 0 ? size : 1,
        .nearest = ASTAR_NO_CELL,
    };
}

bool astar_goal_is_same(const AstarGoal *a, const AstarGoal *b)
{
    return a->kind == b->kind && a->tracks == b->tracks &&
           (a->kind != ASTAR_GOAL_NEAR || a->near == b->near);
}
