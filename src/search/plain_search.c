// plain_search.c -- searches in one call for a goal that is known to be reached, where nothing but
// a route is asked: by jumps over uniform ground, by whatever pays over ground of several costs.
//
// To pose a question that may be of any kind, choose what answers it and note all that an edit
// between two steps would want reads and runs as much as a short search does, and out of a cold
// cache more than that.

#include "map/links_and_walls.h"
#include "search/asked.h"
#include "search/jps.h"

// Takes note of what jump point search reads of a question.
static void note_plain_question(AstarSearch *search, const AstarAsked *asked)
{
    search->question = *asked->question;
    search->start_x = asked->sx;
    search->start_y = asked->sy;
    search->start = astar_cell(search->grid, asked->sx, asked->sy);
    search->goal = astar_goal_at(search->grid, asked->gx, asked->gy, 0);
    search->limit = INFINITY;
    search->expanded = 0;
}

// The path, once the search has found the goal.
static AstarStatus trace_plainly(const AstarAsked *asked, AstarSearch *search)
{
    AstarPath *found = &search->parts[0]; // how many points there are only shows in the end
    double straight = 0, diagonal = 0;
    astar_path_clear(found, &search->allocator);
    AstarStatus status = astar_jps_trace(search, found, &straight, &diagonal);
    if (status != ASTAR_OK)
        return status;
    status = astar_path_assign(found, asked->path);
    return status == ASTAR_OK
               ? astar_asked_describe(asked, ASTAR_JPS, search->expanded, straight, diagonal)
               : status;
}

static AstarStatus jump_plainly(const AstarAsked *asked, AstarSearch *search)
{
    note_plain_question(search, asked);
    AstarStatus status = astar_jps_begin_on_bitmaps(search);
    if (status == ASTAR_OK)
        status = astar_run_jps(search, UINT64_MAX);
    return status == ASTAR_OK ? trace_plainly(asked, search) : status;
}

static AstarStatus search_over_costs(const AstarAsked *asked, AstarSearch *search)
{
    AstarStatus status = astar_search_begin_connected(search, asked->sx, asked->sy, asked->gx,
                                                      asked->gy, asked->question);
    if (status == ASTAR_RUNNING)
        status = astar_search_go_on(search, UINT64_MAX, NULL);
    if (status == ASTAR_OK)
        status = astar_search_trace(search, asked->path);
    astar_pages_rest(&search->front.nodes, &search->allocator);
    return status;
}

// Searches by the search used last.
ASTAR_SPECIALIZE AstarStatus search_plainly(const AstarAsked *asked,
                                            AstarStatus (*by)(const AstarAsked *, AstarSearch *))
{
    if (asked->workspace == NULL || !astar_asked_is_connected(asked))
        return ASTAR_RUNNING;
    AstarSearch *search = astar_workspace_borrow(asked->workspace, asked->finder);
    if (search == NULL)
        return ASTAR_RUNNING;
    AstarStatus status = by(asked, search);
    astar_workspace_give_back(asked->workspace, search);
    return status == ASTAR_OK || status == ASTAR_NO_MEMORY ? status : ASTAR_RUNNING;
}

ASTAR_HOT AstarStatus astar_answer_by_jumps(const AstarAsked *asked)
{
    const AstarFinder *finder = asked->finder;
    return finder->plan.jump != NULL && finder->landmarks == NULL
               ? search_plainly(asked, jump_plainly)
               : ASTAR_RUNNING;
}

AstarStatus astar_answer_over_costs(const AstarAsked *asked)
{
    return astar_grid_has_links_or_walls(asked->finder->grid)
               ? ASTAR_RUNNING
               : search_plainly(asked, search_over_costs);
}
