// find.c -- one question, one answer: takes a search of the workspace, asks it, puts it to rest.

#include "path/path.h"
#include "search/clearance.h"
#include "search/path_validity.h"
#include "search/raycast.h"
#include "search/repair.h"
#include "search/workspace.h"

#include <math.h>

AstarStatus astar_find_path(AstarWorkspace *workspace, AstarFinder *finder, int sx, int sy, int gx,
                            int gy, const AstarQuestion *question, void *context, AstarPath *path)
{
    AstarSearch *search;
    AstarStatus status = astar_search_new(workspace, finder, sx, sy, gx, gy, question, &search);
    if (status != ASTAR_OK)
        return status;
    status = astar_search_step(search, UINT64_MAX, context);
    if (status == ASTAR_OK)
        status = astar_search_path(search, path);
    astar_search_free(search);
    return status;
}

AstarStatus astar_search_new(AstarWorkspace *workspace, AstarFinder *finder, int sx, int sy, int gx,
                             int gy, const AstarQuestion *question, AstarSearch **out)
{
    if (!astar_inside(finder->grid, sx, sy) || !astar_inside(finder->grid, gx, gy))
        return ASTAR_BAD_CELL;
    AstarSearch *search;
    AstarStatus status = astar_search_take(workspace, finder, &search);
    if (status != ASTAR_OK)
        return status;
    if (astar_search_begin(search, sx, sy, gx, gy, question) == ASTAR_NO_MEMORY) {
        astar_search_give_back(search);
        return ASTAR_NO_MEMORY;
    }
    *out = search;
    return ASTAR_OK;
}

void astar_search_free(AstarSearch *search)
{
    astar_search_give_back(search);
}

// Takes a search for a question that needs no begun one.
static AstarStatus take_search(AstarWorkspace *workspace, AstarFinder *finder, void *context,
                               AstarSearch **out)
{
    AstarStatus status = astar_search_take(workspace, finder, out);
    if (status == ASTAR_OK)
        (*out)->costs.context = context;
    return status;
}

AstarStatus astar_reachable(AstarWorkspace *workspace, AstarFinder *finder, int sx, int sy, int gx,
                            int gy, void *context, bool *reachable)
{
    if (!astar_inside(finder->grid, sx, sy) || !astar_inside(finder->grid, gx, gy))
        return ASTAR_BAD_CELL;
    AstarSearch *search;
    AstarStatus status = take_search(workspace, finder, context, &search);
    if (status != ASTAR_OK)
        return status;
    status = astar_search_exists(search, sx, sy, gx, gy, context, reachable);
    astar_search_give_back(search);
    return status;
}

AstarStatus astar_raycast(AstarWorkspace *workspace, AstarFinder *finder, int x0, int y0, int x1,
                          int y1, void *context, bool *stopped, int *x, int *y)
{
    if (!astar_inside(finder->grid, x0, y0) || !astar_inside(finder->grid, x1, y1))
        return ASTAR_BAD_CELL;
    AstarSearch *search;
    AstarStatus status = take_search(workspace, finder, context, &search);
    if (status != ASTAR_OK)
        return status;
    AstarRay ray;
    status = astar_cast(search, x0, y0, x1, y1, &ray);
    *stopped = ray.stopped;
    *x = ray.x;
    *y = ray.y;
    astar_search_give_back(search);
    return status;
}

// The same for a path found before, all of which must lie inside the grid.
static AstarStatus take_for(AstarWorkspace *workspace, const AstarPath *path, AstarFinder *finder,
                            void *context, AstarSearch **out)
{
    bool has_goal = path->goal_x != -1 || path->goal_y != -1;
    if (has_goal && !astar_inside(finder->grid, path->goal_x, path->goal_y))
        return ASTAR_BAD_CELL;
    for (int i = 0; i < path->count; i++)
        if (!astar_inside(finder->grid, path->points[i].x, path->points[i].y))
            return ASTAR_BAD_CELL;
    return take_search(workspace, finder, context, out);
}

AstarStatus astar_path_check(AstarWorkspace *workspace, const AstarPath *path, AstarFinder *finder,
                             void *context, int *bad)
{
    AstarSearch *search;
    AstarStatus status = take_for(workspace, path, finder, context, &search);
    if (status != ASTAR_OK)
        return status;
    double cost;
    status = astar_walk(search, path, &cost, bad);
    astar_search_give_back(search);
    return status;
}

// Ends what made one path of another, which may stand in the same place; on failure 'out' is as it
// was.
static AstarStatus deliver(AstarSearch *search, AstarStatus status, AstarPath *made, AstarPath *out)
{
    if (status == ASTAR_OK)
        astar_path_replace(out, made);
    else
        astar_path_destroy(made);
    astar_search_give_back(search);
    return status;
}

static AstarStatus rework_path(AstarWorkspace *workspace, AstarRework function,
                               const AstarPath *path, AstarFinder *finder, void *context,
                               AstarPath *out)
{
    AstarSearch *search;
    AstarStatus status = take_for(workspace, path, finder, context, &search);
    if (status != ASTAR_OK)
        return status;
    AstarPath made;
    astar_path_init(&made);
    return deliver(search, function(search, path, &made), &made, out);
}

AstarStatus astar_path_reverse(AstarWorkspace *workspace, const AstarPath *path,
                               AstarFinder *finder, void *context, AstarPath *out)
{
    return rework_path(workspace, astar_walk_back, path, finder, context, out);
}

AstarStatus astar_path_smooth(AstarWorkspace *workspace, const AstarPath *path, AstarFinder *finder,
                              void *context, AstarPath *out)
{
    return rework_path(workspace, astar_smooth, path, finder, context, out);
}

AstarStatus astar_path_smooth_quickly(AstarWorkspace *workspace, const AstarPath *path,
                                      AstarFinder *finder, void *context, AstarPath *out)
{
    return rework_path(workspace, astar_smooth_quickly, path, finder, context, out);
}

AstarStatus astar_path_repair(AstarWorkspace *workspace, const AstarPath *path, AstarFinder *finder,
                              int from, bool optimal, void *context, AstarPath *out)
{
    if (from < 0 || from >= path->cells)
        return ASTAR_BAD_OPTION;
    AstarSearch *search;
    AstarStatus status = take_for(workspace, path, finder, context, &search);
    if (status != ASTAR_OK)
        return status;
    AstarPath made;
    astar_path_init(&made);
    return deliver(search, astar_repair(search, path, from, optimal, &made), &made, out);
}
