// path_calls.h -- what is asked about a path, in one call each: a search is taken for it, asked and
// put to rest. 'out' may be the path itself; after a failure it is as it was.

#ifndef PATH_CALLS_H
#define PATH_CALLS_H

#include "astar.h"

typedef AstarStatus (*ReworkPath)(AstarSearch *search, const AstarPath *path, void *context,
                                  AstarPath *out);

// Ends what made one path of another.
static inline AstarStatus end_rework(AstarSearch *search, AstarStatus status, AstarPath *made,
                                     AstarPath *out)
{
    astar_path_destroy(status == ASTAR_OK ? out : made);
    if (status == ASTAR_OK)
        *out = *made;
    astar_search_free(search);
    return status;
}

static inline AstarStatus rework_in_one_call(AstarWorkspace *workspace, ReworkPath rework,
                                             const AstarPath *path, AstarFinder *finder,
                                             void *context, AstarPath *out)
{
    AstarSearch *search;
    AstarPath made;
    AstarStatus status = astar_search_take(workspace, finder, &search);
    if (status != ASTAR_OK)
        return status;
    astar_path_init(&made);
    return end_rework(search, rework(search, path, context, &made), &made, out);
}

static inline AstarStatus reverse_path(AstarWorkspace *workspace, const AstarPath *path,
                                       AstarFinder *finder, void *context, AstarPath *out)
{
    return rework_in_one_call(workspace, astar_search_reverse, path, finder, context, out);
}

static inline AstarStatus smooth_path(AstarWorkspace *workspace, const AstarPath *path,
                                      AstarFinder *finder, void *context, AstarPath *out)
{
    return rework_in_one_call(workspace, astar_search_smooth, path, finder, context, out);
}

static inline AstarStatus repair_path(AstarWorkspace *workspace, const AstarPath *path,
                                      AstarFinder *finder, int from, bool optimal, void *context,
                                      AstarPath *out)
{
    AstarSearch *search;
    AstarPath made;
    AstarStatus status = astar_search_take(workspace, finder, &search);
    if (status != ASTAR_OK)
        return status;
    astar_path_init(&made);
    status = astar_search_repair(search, path, from, optimal, context, &made);
    return end_rework(search, status, &made, out);
}

static inline AstarStatus check_cells_of(AstarWorkspace *workspace, const AstarPath *path,
                                         AstarFinder *finder, void *context, int *bad)
{
    AstarSearch *search;
    AstarStatus status = astar_search_take(workspace, finder, &search);
    if (status != ASTAR_OK)
        return status;
    status = astar_search_check(search, path, 0, context, bad);
    astar_search_free(search);
    return status;
}

#endif
