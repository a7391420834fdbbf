// frozen.c -- searches of the map as it is at one moment, which no edit concerns any more.
//
// Where a map is edited all the time a search may never come to its end on it: edits may spoil as
// much as it finds between them, or what it would have to begin anew for changes with each. Such a
// one is made on a copy instead: first a snapshot of the map (map/snapshot.c), and of the field to
// avoid, which take as many steps as they need; then an ordinary search of that, which ends as any
// does whose map is at rest, and each of whose steps keeps to its budget. Of a map that another
// state edits the copy that was published last is held, and nothing is copied.
//
// The search that was asked is a shell about that one: its errand. What its steps were for before,
// the nearest of many goals or a repair, is asked of the copy, too.

#include "map/snapshot.h"
#include "search/search_twin.h"

typedef struct Frozen {
    AstarErrand errand;
    AstarErrand *before;   // what the steps were for; NULL: nothing
    AstarInquiry *inquiry; // all that was asked
    AstarSnapshot map;     // being made, of a map of one's own
    AstarFieldCopy field;  // the same of the field
    AstarGrid *view;       // in place of that map, entered; NULL: none
    AstarSearch *search;   // of what was copied; NULL until that is whole
} Frozen;

static Frozen *frozen_of(const AstarSearch *search)
{
    return (Frozen *)search->errand;
}

static size_t frozen_bytes(const Frozen *frozen)
{
    size_t bytes = sizeof *frozen + (frozen->before != NULL ? frozen->before->bytes : 0);
    if (frozen->map.copy != NULL)
        bytes += astar_grid_bytes(frozen->map.copy);
    if (frozen->field.copy != NULL)
        bytes += astar_field_bytes(frozen->field.copy);
    return bytes + (frozen->search != NULL ? astar_search_bytes(frozen->search) : 0);
}

// Begins to copy what a finder reads.
static AstarStatus begin_copies(Frozen *frozen, const AstarFinder *finder)
{
    AstarGrid *grid = finder->grid;
    AstarStatus status;
    if (astar_grid_is_view(grid)) {
        status = astar_view_new(astar_grid_shared(grid), &frozen->view);
        if (status == ASTAR_OK)
            astar_view_enter_as(frozen->view, grid);
    } else {
        status = astar_snapshot_begin(&frozen->map, grid);
    }
    if (status == ASTAR_OK && finder->options.avoid != NULL)
        status = astar_field_copy_begin(&frozen->field, finder->options.avoid);
    return status;
}

// Goes on copying: ASTAR_OK once all is of one moment, ASTAR_RUNNING where the work is used up
// before.
static AstarStatus advance_copies(Frozen *frozen, int64_t *work)
{
    AstarStatus status = ASTAR_OK;
    if (frozen->map.grid != NULL)
        status = astar_snapshot_advance(&frozen->map, work);
    if (status == ASTAR_OK && frozen->field.field != NULL)
        status = astar_field_copy_advance(&frozen->field, work);
    if (status == ASTAR_OK && frozen->map.grid != NULL)
        status = astar_snapshot_end(&frozen->map);
    if (status == ASTAR_OK)
        astar_field_copy_end(&frozen->field);
    return status;
}

// Asks the question of a search of what was copied: ASTAR_RUNNING, or how that is answered at once.
static AstarStatus ask_of_copies(const AstarSearch *search, Frozen *frozen)
{
    AstarFinder *finder;
    AstarGrid *grid = frozen->view != NULL ? frozen->view : frozen->map.copy;
    AstarStatus status = astar_finder_new_like(astar_finder_plain(search->finder), grid,
                                               frozen->field.copy, &finder);
    if (status != ASTAR_OK)
        return status;
    AstarSearch *asked;
    status = astar_search_take_unbuilt(search->workspace, finder, &asked);
    astar_finder_release(finder);
    if (status != ASTAR_OK)
        return status;
    if (search->builds_by_steps)
        astar_search_build_by_steps(asked);
    status = astar_inquiry_begin(frozen->inquiry, asked, search->preparing.at_once);
    if (status == ASTAR_NO_MEMORY)
        astar_search_free(asked);
    else
        frozen->search = asked;
    return status;
}

static AstarStatus step_copies(AstarSearch *search, Frozen *frozen, uint64_t *expansions)
{
    int64_t all = astar_work_of(*expansions), work = all;
    AstarStatus status = advance_copies(frozen, &work);
    if (status == ASTAR_OK)
        status = ask_of_copies(search, frozen);
    astar_charge_step(search, expansions, all - work);
    return status;
}

// Which of many goals was met.
static void tell_goal_of_copy(AstarSearch *search, const Frozen *frozen)
{
    const AstarInquiry *inquiry = frozen->inquiry;
    if (inquiry->goals != NULL)
        astar_search_tell_goal_met(search, inquiry->goals, inquiry->goal_count,
                                   astar_search_index(frozen->search));
}

static AstarStatus step_frozen(AstarSearch *search, uint64_t expansions, void *context)
{
    Frozen *frozen = frozen_of(search);
    uint64_t version = astar_finder_version(search->finder);
    AstarStatus status = ASTAR_RUNNING;
    if (frozen->search == NULL)
        status = step_copies(search, frozen, &expansions);
    if (status == ASTAR_RUNNING && frozen->search != NULL && expansions > 0) {
        status = astar_search_step(frozen->search, expansions, context);
        search->expanded = frozen->search->expanded;
        if (status == ASTAR_OK)
            tell_goal_of_copy(search, frozen);
    }
    frozen->errand.bytes = frozen_bytes(frozen);
    bool is_edited = astar_finder_version(search->finder) != version; // by a callback
    return is_edited ? ASTAR_GRID_CHANGED : status;
}

static AstarStatus give_frozen(AstarSearch *search, AstarPath *path)
{
    return astar_search_path(frozen_of(search)->search, path);
}

static void free_frozen(AstarSearch *search)
{
    Frozen *frozen = frozen_of(search);
    astar_search_free(frozen->search);
    astar_snapshot_leave(&frozen->map);
    astar_field_copy_end(&frozen->field);
    astar_grid_release(frozen->map.copy);
    astar_field_release(frozen->field.copy);
    astar_grid_release(frozen->view);
    astar_inquiry_free(frozen->inquiry, &search->allocator);
    search->errand = frozen->before;
    if (frozen->before != NULL)
        frozen->before->free(search);
    astar_release(&search->allocator, frozen, 1, sizeof *frozen);
}

AstarStatus astar_search_freeze(AstarSearch *search)
{
    AstarErrand *before = search->errand;
    if (search->status != ASTAR_RUNNING || (before != NULL && before->tell == NULL))
        return ASTAR_BAD_OPTION;
    Frozen *frozen = astar_alloc(&search->allocator, 1, sizeof *frozen);
    if (frozen == NULL)
        return ASTAR_NO_MEMORY;
    frozen->errand = (AstarErrand){step_frozen, give_frozen, free_frozen, sizeof *frozen, NULL};
    AstarStatus status = astar_inquiry_new(search, &search->allocator, &frozen->inquiry);
    search->errand = &frozen->errand;
    if (status == ASTAR_OK)
        status = begin_copies(frozen, search->finder);
    if (status != ASTAR_OK) {
        free_frozen(search);
        search->errand = before;
        return status;
    }
    frozen->before = before;
    search->algorithm = ASTAR_AUTO; // nothing is to be seen
    return ASTAR_OK;
}

AstarStatus astar_search_freeze_anew(AstarSearch *search)
{
    search->status = ASTAR_RUNNING;
    AstarStatus status = astar_search_freeze(search);
    return status == ASTAR_OK ? ASTAR_RUNNING : status;
}
