// search_twin.c -- a search made by another thread, on a copy of its map.
//
// The twin is asked what the search was, told apart from it so that this may go on or be closed
// meanwhile. What came of the twin is then the search's end.

#include "search/search_twin.h"

#include "path/path.h"

// ---- what was asked ----

bool astar_search_may_have_twin(const AstarSearch *search)
{
    AstarInquiry told = {.test = NULL};
    if (search->status != ASTAR_RUNNING || search->finder->original != NULL)
        return false;
    if (search->slices.continuation == NULL)
        return true;
    if (search->slices.continuation->tell != NULL)
        search->slices.continuation->tell(search, &told);
    return search->slices.continuation->tell != NULL && told.test == NULL;
}

// A copy of the goals or the path that the inquiry still has of the search.
static AstarStatus keep_told(AstarInquiry *inquiry, const AstarAllocator *allocator)
{
    const AstarCell *goals = inquiry->goals;
    AstarPath path = inquiry->path;
    AstarStatus status = ASTAR_OK;
    inquiry->goals = NULL;
    astar_path_init(&inquiry->path);
    if (goals != NULL) {
        inquiry->goals = astar_alloc(allocator, inquiry->goal_count + 1, sizeof *goals);
        status = inquiry->goals != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
    }
    if (inquiry->goals != NULL && inquiry->goal_count > 0)
        memcpy(inquiry->goals, goals, inquiry->goal_count * sizeof *goals);
    return path.cells > 0 ? astar_path_copy(&path, &inquiry->path) : status;
}

AstarStatus astar_inquiry_note(AstarInquiry *inquiry, const AstarSearch *search,
                               const AstarAllocator *allocator)
{
    *inquiry = (AstarInquiry){.sx = search->start_x,
                              .sy = search->start_y,
                              .gx = search->goal.x,
                              .gy = search->goal.y,
                              .question = search->question};
    if (search->slices.continuation != NULL)
        search->slices.continuation->tell(search, inquiry);
    return keep_told(inquiry, allocator);
}

void astar_inquiry_free(AstarInquiry *inquiry, const AstarAllocator *allocator)
{
    astar_release(allocator, inquiry->goals, inquiry->goal_count + 1, sizeof *inquiry->goals);
    astar_path_destroy(&inquiry->path);
}

AstarStatus astar_inquiry_begin(const AstarInquiry *inquiry, AstarSearch *twin, uint64_t at_once)
{
    if (inquiry->path.cells > 0)
        return astar_search_repair_in_steps(twin, &inquiry->path, inquiry->from, inquiry->optimal,
                                            at_once);
    if (inquiry->test != NULL)
        return astar_search_where_in_steps(twin, inquiry->sx, inquiry->sy, inquiry->test,
                                           &inquiry->question, at_once);
    if (inquiry->goals != NULL)
        return astar_search_nearest_in_steps(twin, inquiry->sx, inquiry->sy, inquiry->goals,
                                             inquiry->goal_count, &inquiry->question, at_once);
    return astar_search_begin_in_steps(twin, inquiry->sx, inquiry->sy, inquiry->gx, inquiry->gy,
                                       &inquiry->question, at_once);
}

// ---- what came of it ----

static bool is_end(AstarStatus status)
{
    return status == ASTAR_OK || (status >= ASTAR_START_BLOCKED && status <= ASTAR_MAX_EXPANSIONS);
}

void astar_search_tell_goal_met(AstarSearch *search, const AstarCell *goals, size_t count,
                                size_t index)
{
    const AstarCell *goal = &goals[index];
    search->many.goals = (AstarGoalSet){.list = {.cells = goals, .count = count},
                                        .met = astar_cell(search->grid, goal->x, goal->y)};
}

static void tell_goal_of_twin(AstarSearch *search, size_t index)
{
    AstarInquiry told = {.goals = NULL};
    if (search->slices.continuation != NULL)
        search->slices.continuation->tell(search, &told);
    if (told.goals != NULL)
        astar_search_tell_goal_met(search, told.goals, told.goal_count, index);
}

bool astar_search_adopt(AstarSearch *search, AstarTwinAnswer *answer)
{
    if (!is_end(answer->status) || !astar_search_may_have_twin(search))
        return false;
    if (answer->status == ASTAR_OK)
        tell_goal_of_twin(search, answer->index);
    search->slices.given = answer->path;
    astar_path_init(&answer->path);
    search->expanded = answer->expanded;
    search->status = answer->status;
    return true;
}
