// plain_search.c -- searches in one call where nothing but a route is asked: by jumps over uniform
// ground, by whatever pays over ground of several costs.
//
// To start a question that may be of any kind, choose what answers it and note all that an edit
// between two steps would want reads and runs as much as a short search does, and out of a cold
// cache more than that.

#include "search/asked.h"
#include "search/jps.h"
#include "search/jump_scan.h"

enum {
    NEARBY = 32,       // cells along each axis: what is farther away takes more expansions
    FEW_EXPANSIONS = 4 // a hopeless question is to cost no more than those
};

// Takes note of what jump point search reads of a question.
static void note_plain_question(AstarSearch *search, const AstarAsked *asked)
{
    search->question = *asked->question;
    search->start_x = asked->sx;
    search->start_y = asked->sy;
    search->start = astar_cell(search->grid, asked->sx, asked->sy);
    search->goal = astar_goal_at(search->grid, asked->gx, asked->gy, 0, 1);
    search->limit = INFINITY;
    search->expanded = 0;
    search->failure = ASTAR_UNREACHABLE;
}

// The path, once the search has found the goal.
static AstarStatus trace_plainly(const AstarAsked *asked, AstarSearch *search)
{
    AstarPath *found = &search->parts[0]; // how many points there are only shows in the end
    double straight = 0, diagonal = 0;
    astar_path_clear(found, &search->allocator);
    AstarStatus status = astar_jps_trace(search, found, &straight, &diagonal);
    if (status == ASTAR_OK)
        status = astar_path_assign(found, asked->path);
    return status == ASTAR_OK
               ? astar_asked_describe(asked, ASTAR_JPS, search->expanded, straight, diagonal)
               : status;
}

// Whether both ends are free, as the bitmaps that are jumped by have it.
static bool has_free_ends(const AstarAsked *asked, const AstarRunBits *runs)
{
    unsigned free = astar_around(runs, asked->sx + 1, asked->sy + 1) &
                    astar_around(runs, asked->gx + 1, asked->gy + 1);
    return astar_is_free_by(free, 0, 0) != 0;
}

// Most near goals are found by a few expansions, sooner than the components are asked.
static AstarStatus jump_plainly(const AstarAsked *asked, AstarSearch *search, bool is_connected)
{
    const AstarJumpBitmaps *jump = asked->finder->plan.jump;
    note_plain_question(search, asked);
    AstarStatus status = astar_jps_begin_on_bitmaps(
        search, asked->is_unseen ? ASTAR_ARRIVED_UNSEEN : ASTAR_ARRIVED_NOWHERE);
    if (status == ASTAR_OK && !is_connected) {
        status = astar_run_jps_by(search, jump, FEW_EXPANSIONS);
        if (status != ASTAR_RUNNING)
            return status == ASTAR_OK ? trace_plainly(asked, search) : status;
        status = astar_asked_components(asked);
    }
    if (status == ASTAR_OK)
        status = astar_run_jps_by(search, jump, UINT64_MAX);
    return status == ASTAR_OK ? trace_plainly(asked, search) : status;
}

// What is made of the outcome of a plain search: most are left to one that is started.
static AstarStatus judge_plainly(const AstarAsked *asked, AstarStatus status)
{
    bool is_known = status == ASTAR_OK || status == ASTAR_NO_MEMORY ||
                    (status == ASTAR_UNREACHABLE && !asked->question->partial);
    return is_known ? status : ASTAR_RUNNING;
}

ASTAR_HOT AstarStatus astar_answer_by_jumps(AstarAsked *asked)
{
    bool is_far = abs(asked->gx - asked->sx) >= NEARBY || abs(asked->gy - asked->sy) >= NEARBY;
    if (!has_free_ends(asked, &asked->finder->plan.jump->runs))
        return ASTAR_RUNNING;
    AstarStatus status = is_far ? astar_asked_components(asked) : ASTAR_OK;
    if (status != ASTAR_OK)
        return status;
    AstarSearch *search = astar_workspace_borrow(asked->workspace, asked->finder);
    if (search == NULL)
        return ASTAR_RUNNING;
    status = jump_plainly(asked, search, is_far);
    astar_workspace_give_back(asked->workspace, search);
    return judge_plainly(asked, status);
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

AstarStatus astar_answer_over_costs(AstarAsked *asked)
{
    const AstarBits *bits = &asked->finder->on.walkable->bits;
    if (!astar_bits_get(bits, asked->sx, asked->sy) || !astar_bits_get(bits, asked->gx, asked->gy))
        return ASTAR_RUNNING;
    AstarStatus status = astar_asked_components(asked);
    AstarSearch *search = status == ASTAR_OK
                              ? astar_workspace_borrow(asked->workspace, asked->finder)
                              : NULL;
    if (search == NULL)
        return status == ASTAR_UNREACHABLE ? status : ASTAR_RUNNING;
    status = search_over_costs(asked, search);
    astar_workspace_give_back(asked->workspace, search);
    return judge_plainly(asked, status);
}
