// find.c -- questions asked in one call: each takes a search of the workspace, asks it and puts it
// to rest; and questions about paths, to a search that a host has taken.

#include "path/path.h"
#include "search/asked.h"
#include "search/path_validity.h"
#include "search/smooth.h"

AstarStatus astar_search_new(AstarWorkspace *workspace, AstarFinder *finder, int sx, int sy, int gx,
                             int gy, const AstarQuestion *question, AstarSearch **out)
{
    AstarSearch *search;
    AstarStatus status = astar_search_take_unbuilt(workspace, finder, &search);
    if (status != ASTAR_OK)
        return status;
    status = astar_search_begin_in_steps(search, sx, sy, gx, gy, question,
                                         ASTAR_EXPANSIONS_AT_ONCE);
    if (status == ASTAR_NO_MEMORY || status == ASTAR_BAD_CELL) {
        astar_search_free(search);
        return status;
    }
    *out = search;
    return ASTAR_OK;
}

// Ends a question for a path.
static AstarStatus end_question(AstarSearch *search, AstarStatus status, AstarPath *path)
{
    if (status == ASTAR_OK)
        status = astar_search_way(search, path);
    astar_search_free(search);
    return status;
}

ASTAR_HOT AstarStatus astar_find_path(AstarWorkspace *workspace, AstarFinder *finder, int sx,
                                      int sy, int gx, int gy, const AstarQuestion *question,
                                      void *context, AstarPath *path)
{
    AstarSearch *search;
    const AstarAllocator *allocator = astar_workspace_allocator(workspace);
    AstarAsked asked = {finder, workspace, sx, sy, gx, gy, question, allocator, path, false};
    AstarStatus status = astar_answer_at_once(&asked);
    if (status != ASTAR_RUNNING)
        return status;
    status = astar_search_take(workspace, finder, &search);
    if (status != ASTAR_OK)
        return status;
    status = astar_search_begin(search, sx, sy, gx, gy, question);
    if (status == ASTAR_RUNNING)
        status = astar_search_go_on(search, UINT64_MAX, context);
    return end_question(search, status, path);
}

AstarStatus astar_find_nearest(AstarWorkspace *workspace, AstarFinder *finder, int sx, int sy,
                               const AstarCell *goals, size_t count, const AstarQuestion *question,
                               void *context, AstarPath *path, size_t *index)
{
    AstarSearch *search;
    AstarStatus status = astar_search_take(workspace, finder, &search);
    if (status != ASTAR_OK)
        return status;
    status = astar_search_nearest(search, sx, sy, goals, count, question, context, index);
    return end_question(search, status, path);
}

AstarStatus astar_find_where(AstarWorkspace *workspace, AstarFinder *finder, int sx, int sy,
                             AstarGoalTest test, const AstarQuestion *question, void *context,
                             AstarPath *path)
{
    AstarSearch *search;
    AstarStatus status = astar_search_take(workspace, finder, &search);
    if (status != ASTAR_OK)
        return status;
    status = astar_search_where(search, sx, sy, test, question, context);
    return end_question(search, status, path);
}

AstarStatus astar_reachable(AstarWorkspace *workspace, AstarFinder *finder, int sx, int sy, int gx,
                            int gy, void *context, bool *reachable)
{
    AstarSearch *search;
    AstarStatus status = astar_search_take(workspace, finder, &search);
    if (status != ASTAR_OK)
        return status;
    status = astar_search_reachable(search, sx, sy, gx, gy, context, reachable);
    astar_search_free(search);
    return status;
}

AstarStatus astar_raycast(AstarWorkspace *workspace, AstarFinder *finder, int x0, int y0, int x1,
                          int y1, void *context, bool *stopped, int *x, int *y)
{
    AstarSearch *search;
    AstarStatus status = astar_search_take(workspace, finder, &search);
    if (status != ASTAR_OK)
        return status;
    status = astar_search_raycast(search, x0, y0, x1, y1, context, stopped, x, y);
    astar_search_free(search);
    return status;
}

AstarStatus astar_sweep(AstarWorkspace *workspace, AstarFinder *finder, int x0, int y0, int x1,
                        int y1, void *context, bool *stopped, int *x, int *y)
{
    AstarSearch *search;
    AstarStatus status = astar_search_take(workspace, finder, &search);
    if (status != ASTAR_OK)
        return status;
    status = astar_search_sweep(search, x0, y0, x1, y1, context, stopped, x, y);
    astar_search_free(search);
    return status;
}

// ---- paths found before ----

// Makes a search ready for questions about a path, all of which must lie inside the grid.
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

// The same for what goes on from a cell of the path.
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
