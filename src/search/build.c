// build.c -- what a question needs of the map: connected components, irregular cells, bitmaps to
// jump by.

#include "search/start_query.h"

#include "search/jps.h"

AstarStatus astar_search_build_all_components(const AstarSearch *search, int64_t *work)
{
    AstarFinder *finder = astar_finder_original(search->finder);
    AstarStatus status = astar_finder_advance(finder, work);
    return status == ASTAR_OK ? astar_walkable_advance_components(search->grid, finder->on.walkable,
                                                                  finder->rule->joins_corners, work)
                              : status;
}

AstarStatus astar_search_build_components(const AstarSearch *search, int64_t *work)
{
    const AstarGoal *goal = &search->goal;
    bool is_there = astar_goal_beyond(goal, search->start_x, goal->x) == 0 &&
                    astar_goal_beyond(goal, search->start_y, goal->y) == 0;
    return is_there ? ASTAR_OK : astar_search_build_all_components(search, work);
}

// Bitmaps for jumping only where that is worth it, or asked for.
static AstarStatus build_for_jpsw(AstarFinder *finder, int64_t *work)
{
    AstarStatus status = astar_finder_need_irregular(finder, work);
    if (status != ASTAR_OK)
        return status;
    if (finder->options.algorithm == ASTAR_AUTO && !astar_jpsw_may_pay(finder))
        return ASTAR_OK;
    return astar_irregular_advance_jump(finder->grid, finder->on.irregular,
                                        finder->options.diagonals, work);
}

AstarStatus astar_search_build_for(AstarFinder *finder, AstarAlgorithm algorithm, int64_t *work)
{
    switch (algorithm) {
    case ASTAR_JPS:
        return astar_walkable_advance_jump(finder->grid, astar_finder_shared_walkable(finder),
                                           finder->options.diagonals, work);
    case ASTAR_JPSW: return build_for_jpsw(finder, work);
    default: return ASTAR_OK;
    }
}
