// frozen.c -- searches of the map as it is at one moment, which no edit concerns any more: the one
// rule for what is made in steps while its map is edited.
//
// What an edit may have changed begins anew, a few times. Where a map is edited all the time that
// might never come to its end: edits may spoil as much as it finds between them. So then it is made
// on a copy instead (unit/frozen_map.c): once that is whole an ordinary search of it, which ends as
// any does whose map is at rest, and each of whose steps keeps to its budget.
//
// The search that was asked is a shell about that one: its continuation. What its steps were for
// before, the way to one goal, the nearest of many or a repair, is asked of the copy, too.

#include "base/alloc.h"
#include "path/path.h"
#include "search/search_twin.h"
#include "unit/finder.h"

#include <assert.h>

// So often a search begins anew on the map itself.
enum { MOST_BEGUN_ANEW = 3 };

typedef struct Frozen {
    AstarContinuation continuation;
    AstarContinuation *before; // what the steps were for before; NULL: the way to one goal
    AstarInquiry inquiry;      // all that was asked
    AstarFrozenMap map;
    AstarSearch *search; // of what was copied; NULL until that is whole
} Frozen;

static Frozen *frozen_of(const AstarSearch *search)
{
    return (Frozen *)search->slices.continuation;
}

static size_t frozen_bytes(const Frozen *frozen)
{
    size_t bytes = sizeof *frozen + (frozen->before != NULL ? frozen->before->bytes : 0);
    bytes += astar_frozen_map_bytes(&frozen->map);
    return bytes + (frozen->search != NULL ? astar_search_bytes(frozen->search) : 0);
}

// Copies on, and then asks the question of a search of what was copied: ASTAR_RUNNING, or how that
// is answered at once. A step ends with that: the host is to know whose functions the next one
// asks.
static AstarStatus step_copies(const AstarSearch *search, Frozen *frozen, uint64_t expansions)
{
    AstarFinder *finder;
    AstarStatus status = astar_frozen_map_advance(&frozen->map, search->finder, expansions,
                                                  &finder);
    if (status != ASTAR_OK)
        return status;
    AstarSearch *asked;
    status = astar_search_take_unbuilt(search->rest.workspace, finder, &asked);
    astar_finder_release(finder);
    if (status != ASTAR_OK)
        return status;
    if (search->slices.builds_by_steps)
        astar_search_build_by_steps(asked);
    status = astar_inquiry_begin(&frozen->inquiry, asked, search->slices.preparing.at_once);
    if (status == ASTAR_NO_MEMORY)
        astar_search_free(asked);
    else
        frozen->search = asked;
    return status;
}

// Takes what was found: the path, and which of many goals was met.
static AstarStatus take_from_copy(AstarSearch *search, const Frozen *frozen)
{
    const AstarInquiry *inquiry = &frozen->inquiry;
    if (inquiry->goals != NULL)
        astar_search_tell_goal_met(search, inquiry->goals, inquiry->goal_count,
                                   astar_search_index(frozen->search));
    return astar_search_path(frozen->search, &search->slices.given);
}

static AstarStatus step_frozen(AstarSearch *search, uint64_t expansions, void *context)
{
    Frozen *frozen = frozen_of(search);
    uint64_t version = astar_finder_version(search->finder);
    AstarStatus status;
    if (frozen->search == NULL) {
        status = step_copies(search, frozen, expansions);
    } else {
        status = astar_search_step(frozen->search, expansions, context);
        search->expanded = frozen->search->expanded;
    }
    if (status == ASTAR_OK)
        status = take_from_copy(search, frozen);
    frozen->continuation.bytes = frozen_bytes(frozen);
    bool is_edited = astar_finder_version(search->finder) != version; // by a callback
    return is_edited ? ASTAR_GRID_CHANGED : status;
}

static void free_frozen(AstarSearch *search)
{
    Frozen *frozen = frozen_of(search);
    search->slices.continuation = frozen->before;
    if (frozen->before != NULL)
        frozen->before->free(search);
    astar_search_free(frozen->search);
    astar_frozen_map_free(&frozen->map);
    astar_inquiry_free(&frozen->inquiry, &search->allocator);
    astar_release(&search->allocator, frozen, 1, sizeof *frozen);
}

const AstarSearch *astar_search_searching(const AstarSearch *search)
{
    bool is_frozen = search->slices.continuation != NULL &&
                     search->slices.continuation->step == step_frozen;
    const AstarSearch *copy = is_frozen ? frozen_of(search)->search : NULL;
    return copy != NULL ? copy : search;
}

AstarFinder *astar_search_asking(const AstarSearch *search)
{
    return astar_finder_original(astar_search_searching(search)->finder);
}

uint64_t astar_search_restarts(const AstarSearch *search)
{
    return (uint64_t)search->slices.begun_anew;
}

AstarStatus astar_search_freeze(AstarSearch *search)
{
    AstarContinuation *before = search->slices.continuation;
    if (search->status != ASTAR_RUNNING || (before != NULL && before->tell == NULL))
        return ASTAR_BAD_OPTION;
    Frozen *frozen = astar_alloc(&search->allocator, 1, sizeof *frozen);
    if (frozen == NULL)
        return ASTAR_NO_MEMORY;
    frozen->continuation = (AstarContinuation){
        .step = step_frozen, .free = free_frozen, .bytes = sizeof *frozen};
    AstarStatus status = astar_inquiry_note(&frozen->inquiry, search, &search->allocator);
    search->slices.continuation = &frozen->continuation;
    if (status == ASTAR_OK)
        status = astar_frozen_map_begin(&frozen->map, search->finder);
    if (status != ASTAR_OK) {
        free_frozen(search);
        search->slices.continuation = before;
        return status;
    }
    frozen->before = before;
    search->algorithm = ASTAR_AUTO; // nothing is to be seen
    return ASTAR_OK;
}

// Begins anew what an edit may have changed, the last time on a copy: ASTAR_RUNNING, or
// ASTAR_NO_MEMORY.
static AstarStatus search_anew(AstarSearch *search)
{
    if (search->slices.continuation != NULL)
        search->slices.continuation->anew(search);
    else
        astar_search_prepare_anew(search, search->goal.x, search->goal.y, &search->question);
    search->status = ASTAR_RUNNING;
    if (search->slices.begun_anew++ < MOST_BEGUN_ANEW)
        return ASTAR_RUNNING;
    AstarStatus status = astar_search_freeze(search);
    return status == ASTAR_OK ? ASTAR_RUNNING : status;
}

// A step, but that an edit between it and the one before is told: ASTAR_GRID_CHANGED, and
// '*is_between'.
static AstarStatus step_once(AstarSearch *search, uint64_t expansions, void *context,
                             bool *is_between)
{
    const AstarContinuation *continuation = search->slices.continuation;
    uint64_t version = astar_finder_version(search->finder);
    AstarStatus status = continuation != NULL ? continuation->step(search, expansions, context)
                                              : astar_search_go_on(search, expansions, context);
    *is_between = status == ASTAR_GRID_CHANGED &&
                  (continuation == NULL || continuation->anew != NULL) &&
                  astar_finder_version(search->finder) == version; // else by a callback
    return status;
}

AstarStatus astar_search_step(AstarSearch *search, uint64_t expansions, void *context)
{
    if (search->status != ASTAR_RUNNING)
        return search->status;
    astar_blocks_give_back();
    bool is_between;
    uint64_t before = search->expanded;
    AstarStatus status = step_once(search, expansions, context, &is_between);
    if (is_between) {
        bool has_time = search->expanded == before;
        status = search_anew(search);
        if (status == ASTAR_RUNNING && has_time)
            status = step_once(search, expansions, context, &is_between);
    }
    bool goes_on = status == ASTAR_NO_MEMORY || status == ASTAR_BAD_COST;
    search->status = goes_on ? ASTAR_RUNNING : status;
    return status;
}

AstarStatus astar_search_path(AstarSearch *search, AstarPath *path)
{
    assert(search->status == ASTAR_OK);
    return search->slices.given.cells > 0 ? astar_path_copy(&search->slices.given, path)
                                          : astar_search_way(search, path);
}
