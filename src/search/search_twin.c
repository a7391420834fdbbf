// search_twin.c -- a search made by another thread, on a copy of its map.
//
// The twin is asked what the search was, told apart from it so that this may go on or be closed
// meanwhile. What came of the twin is then the search's end, kept in place of what its steps were
// for.

#include "search/search_twin.h"

#include "path/path.h"

typedef struct Adopted {
    AstarErrand errand; // the goals are those of the one before
    AstarPath path;
} Adopted;

// ---- what was asked ----

bool astar_search_may_have_twin(const AstarSearch *search)
{
    AstarInquiry told = {.test = NULL};
    if (search->status != ASTAR_RUNNING || search->finder->plain != NULL)
        return false;
    if (search->slices.errand == NULL)
        return true;
    if (search->slices.errand->tell != NULL)
        search->slices.errand->tell(search, &told);
    return search->slices.errand->tell != NULL && told.test == NULL;
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

AstarStatus astar_inquiry_new(const AstarSearch *search, const AstarAllocator *allocator,
                              AstarInquiry **out)
{
    AstarInquiry *inquiry = astar_alloc(allocator, 1, sizeof *inquiry);
    if (inquiry == NULL)
        return ASTAR_NO_MEMORY;
    inquiry->sx = search->start_x;
    inquiry->sy = search->start_y;
    inquiry->gx = search->goal.x;
    inquiry->gy = search->goal.y;
    inquiry->question = search->question;
    if (search->slices.errand != NULL)
        search->slices.errand->tell(search, inquiry);
    AstarStatus status = keep_told(inquiry, allocator);
    if (status != ASTAR_OK) {
        astar_inquiry_free(inquiry, allocator);
        return status;
    }
    *out = inquiry;
    return ASTAR_OK;
}

void astar_inquiry_free(AstarInquiry *inquiry, const AstarAllocator *allocator)
{
    if (inquiry == NULL)
        return;
    astar_release(allocator, inquiry->goals, inquiry->goal_count + 1, sizeof *inquiry->goals);
    astar_path_destroy(&inquiry->path);
    astar_release(allocator, inquiry, 1, sizeof *inquiry);
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

static AstarStatus step_adopted(AstarSearch *search, uint64_t expansions, void *context)
{
    (void)expansions, (void)context;
    return search->status; // never asked: that is an end
}

static AstarStatus give_adopted(AstarSearch *search, AstarPath *path)
{
    return astar_path_copy(&((Adopted *)search->slices.errand)->path, path);
}

static void free_adopted(AstarSearch *search)
{
    Adopted *adopted = (Adopted *)search->slices.errand;
    astar_path_destroy(&adopted->path);
    astar_release(&search->allocator, adopted, 1, sizeof *adopted);
}

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
    if (search->slices.errand != NULL)
        search->slices.errand->tell(search, &told);
    if (told.goals != NULL)
        astar_search_tell_goal_met(search, told.goals, told.goal_count, index);
}

bool astar_search_adopt(AstarSearch *search, AstarTwinAnswer *answer)
{
    if (!is_end(answer->status) || !astar_search_may_have_twin(search))
        return false;
    Adopted *adopted = astar_alloc(&search->allocator, 1, sizeof *adopted);
    if (adopted == NULL)
        return false;
    if (answer->status == ASTAR_OK)
        tell_goal_of_twin(search, answer->index);
    AstarErrand *before = search->slices.errand;
    *adopted = (Adopted){
        .errand = {.step = step_adopted,
                   .path = give_adopted,
                   .free = free_adopted,
                   .bytes = sizeof *adopted + (before != NULL ? before->bytes : 0) +
                            astar_path_bytes(&answer->path),
                   .before = before},
        .path = answer->path,
    };
    astar_path_init(&answer->path);
    search->slices.errand = &adopted->errand;
    search->expanded = answer->expanded;
    search->status = answer->status;
    return true;
}
