// run.c -- a question searched for: begun, gone on with and answered.

#include "search/search.h"

#include "search/any_angle.h"
#include "search/start_query.h"

// Whether the components tell that what is supposed parts start and goal: else a search would look
// at all that the start can reach.
static AstarStatus refuse_hopeless(const AstarSearch *search)
{
    const AstarQuestion *question = &search->question;
    bool exists = true;
    if (question->range > 0 || question->partial)
        return ASTAR_RUNNING;
    AstarStatus status = astar_suppose_reachable(search->finder, search->start_x, search->start_y,
                                                 search->goal.x, search->goal.y, &exists);
    return status != ASTAR_OK ? status : exists ? ASTAR_RUNNING : ASTAR_UNREACHABLE;
}

AstarStatus astar_search_begin(AstarSearch *search, int sx, int sy, int gx, int gy,
                               const AstarQuestion *question)
{
    if (!astar_inside(search->grid, sx, sy) || !astar_inside(search->grid, gx, gy))
        return search->status = ASTAR_BAD_CELL;
    AstarStatus status = astar_search_refusal(search, question);
    if (status != ASTAR_OK)
        return search->status = status;
    status = astar_search_start(search, sx, sy, gx, gy, question);
    if (status == ASTAR_RUNNING && search->finder->supposed != NULL)
        search->status = status = refuse_hopeless(search);
    return status == ASTAR_RUNNING ? astar_search_prepare(search) : status;
}

AstarStatus astar_search_begin_connected(AstarSearch *search, int sx, int sy, int gx, int gy,
                                         const AstarQuestion *question)
{
    astar_search_note(search, sx, sy, gx, gy, question);
    search->slices.phase = ASTAR_FIND_WAY;
    search->known.verdict.connected = true;
    search->status = ASTAR_RUNNING;
    AstarStatus status = astar_costs_begin(&search->costs, search->finder, &search->allocator);
    return status == ASTAR_OK ? astar_search_prepare(search) : status;
}

// Reads the way back that was found just now, or goes on with that.
static AstarStatus trace_found(AstarSearch *search, uint64_t *expansions)
{
    int64_t all = astar_step_work(search, *expansions), work = all;
    if (search->slices.phase != ASTAR_TRACE)
        search->slices.tracing = (AstarTracing){.is_begun = false};
    search->slices.phase = ASTAR_TRACE;
    AstarStatus status = astar_search_trace_on(search, &work);
    search->slices.tracing.is_whole = status == ASTAR_OK;
    astar_charge_step(search, expansions, all - work);
    return status;
}

AstarStatus astar_search_go_on(AstarSearch *search, uint64_t expansions, void *context)
{
    AstarStatus status = astar_search_get_ready(search, &expansions);
    if (status != ASTAR_OK)
        return status;
    search->costs.context = context;
    uint64_t before = search->expanded;
    bool is_straightened = search->slices.phase == ASTAR_STRAIGHTEN;
    if (!is_straightened)
        status = astar_resume_trust(search, search->slices.phase == ASTAR_TRACE
                                                ? ASTAR_OK
                                                : astar_search_run(search, expansions));
    if (search->expanded < before) // begun again
        before = 0;
    uint64_t spent = search->expanded - before;
    expansions = expansions > spent ? expansions - spent : 0;
    if (status == ASTAR_OK && !is_straightened && search->slices.preparing.in_steps)
        status = trace_found(search, &expansions);
    if (status == ASTAR_OK && search->lines.any_angle) {
        search->slices.phase = ASTAR_STRAIGHTEN;
        status = astar_run_any_angle(search, expansions);
    }
    if (status != ASTAR_NO_MEMORY && status != ASTAR_BAD_COST)
        search->status = status;
    return status;
}

AstarStatus astar_search_reachable(AstarSearch *search, int sx, int sy, int gx, int gy,
                                   void *context, bool *exists)
{
    if (!astar_inside(search->grid, sx, sy) || !astar_inside(search->grid, gx, gy))
        return ASTAR_BAD_CELL;
    AstarStatus status = astar_suppose_reachable(search->finder, sx, sy, gx, gy, exists);
    if (status != ASTAR_RUNNING)
        return status;
    status = astar_search_start(search, sx, sy, gx, gy, NULL);
    if (status == ASTAR_NO_MEMORY)
        return status;
    *exists = search->known.verdict.connected;
    if (!*exists || (search->known.verdict.certain && !astar_finder_has_callbacks(search->finder)))
        return ASTAR_OK;
    status = astar_search_prepare(search);
    if (status != ASTAR_RUNNING)
        return status;
    search->question.max_expansions = UINT64_MAX;
    search->limit = INFINITY;
    search->goal.tracks = search->lines.any_angle = false;
    status = astar_search_go_on(search, UINT64_MAX, context);
    *exists = status == ASTAR_OK;
    return status == ASTAR_UNREACHABLE || status == ASTAR_GOAL_BLOCKED ? ASTAR_OK : status;
}

AstarStatus astar_search_way(AstarSearch *search, AstarPath *path)
{
    if (astar_finder_version(search->finder) != search->costs.version)
        return ASTAR_GRID_CHANGED; // its costs are no longer known
    return search->lines.any_angle ? astar_any_angle_path(search, path)
                                   : astar_search_trace(search, path);
}
