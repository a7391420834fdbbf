// path_queries.c -- Queries about an existing path, for which the caller has taken a search:
// whether the path can still be walked, what a walk along it costs, and its repair.

#include "search/repair.h"
#include "search/search.h"
#include "search/smooth.h"

// Prepares a search for a query about an existing path. Returns ASTAR_BAD_CELL if the path does not
// lie inside the grid.
static AstarStatus attend_to_path(AstarSearch *search, const AstarPath *path, void *context)
{
    const AstarGrid *grid = search->grid;
    bool has_goal = path->goal_x != -1 || path->goal_y != -1;
    if (has_goal && !astar_inside(grid, path->goal_x, path->goal_y))
        return ASTAR_BAD_CELL;
    for (int i = 0; i < path->count; i++)
        if (!astar_inside(grid, path->points[i].x, path->points[i].y))
            return ASTAR_BAD_CELL;
    search->costs.context = context;
    return ASTAR_OK;
}

// Prepares a search for a query about the rest of a path from cell number 'from' on. Returns
// ASTAR_BAD_OPTION if the path has no such cell.
static AstarStatus attend_from(AstarSearch *search, const AstarPath *path, int from, void *context)
{
    if (from < 0 || from >= path->cells)
        return ASTAR_BAD_OPTION;
    return attend_to_path(search, path, context);
}

AstarStatus astar_search_check(AstarSearch *search, const AstarPath *path, int from, void *context,
                               int *bad)
{
    AstarStatus status = attend_to_path(search, path, context);
    double cost;
    return status == ASTAR_OK ? astar_walk_from(search, path, from, &cost, bad) : status;
}

AstarStatus astar_search_check_step(AstarSearch *search, const AstarPath *path, int index,
                                    bool back, void *context, bool *may_go)
{
    search->costs.context = context;
    return astar_walk_one_step(search, path, index, back, may_go);
}

AstarStatus astar_search_walk(AstarSearch *search, const AstarPath *path, int from, int to,
                              double most, void *context, int *reached, double *cost, int *bad)
{
    if (from < 0 || to < from || to >= path->cells || !(most >= 0))
        return ASTAR_BAD_OPTION;
    AstarStatus status = attend_to_path(search, path, context);
    return status == ASTAR_OK ? astar_walk_within(search, path, from, to, most, reached, cost, bad)
                              : status;
}

static AstarStatus rework_path(AstarSearch *search, AstarRework function, const AstarPath *path,
                               void *context, AstarPath *out)
{
    AstarStatus status = attend_to_path(search, path, context);
    return status == ASTAR_OK ? function(search, path, out) : status;
}

AstarStatus astar_search_reverse(AstarSearch *search, const AstarPath *path, void *context,
                                 AstarPath *out)
{
    return rework_path(search, astar_walk_back, path, context, out);
}

AstarStatus astar_search_smooth(AstarSearch *search, const AstarPath *path, void *context,
                                AstarPath *out)
{
    return rework_path(search, astar_smooth, path, context, out);
}

AstarStatus astar_search_repair(AstarSearch *search, const AstarPath *path, int from, bool optimal,
                                void *context, AstarPath *out)
{
    AstarStatus status = attend_from(search, path, from, context);
    return status == ASTAR_OK ? astar_repair(search, path, from, optimal, out) : status;
}

AstarStatus astar_search_retarget(AstarSearch *search, const AstarPath *path, int from,
                                  AstarCell goal, double bound, void *context, AstarPath *out)
{
    if (!(bound >= 1))
        return ASTAR_BAD_OPTION;
    if (!astar_inside(search->grid, goal.x, goal.y))
        return ASTAR_BAD_CELL;
    AstarStatus status = attend_from(search, path, from, context);
    return status == ASTAR_OK ? astar_retarget(search, path, from, goal, bound, out) : status;
}

AstarStatus astar_search_repair_in_steps(AstarSearch *search, const AstarPath *path, int from,
                                         bool optimal, uint64_t at_once)
{
    AstarStatus status = attend_from(search, path, from, NULL);
    return status == ASTAR_OK ? astar_repair_in_steps(search, path, from, optimal, at_once)
                              : (search->status = status);
}
