// shared_view.c -- a reader's grid: it shows the copy of a shared map that was published last.
//
// While it is entered, a mark in the reader's lane keeps that copy as it is (see shared_map.c).

#include "share/shared_map.h"

// What a view is tied to.
typedef struct Sight {
    AstarShared *shared; // retained
    AstarReaderLane *lane;
    uint32_t place;   // while entered
    unsigned entered; // how often, not left yet
} Sight;

static void free_sight(AstarGrid *view);

static const AstarTie view_tie;

bool astar_grid_is_view(const AstarGrid *grid)
{
    return grid->tie == &view_tie;
}

static size_t bytes_behind(const AstarGrid *view)
{
    const Sight *sight = view->tied;
    return sizeof *view + sizeof *sight + astar_shared_bytes(sight->shared, NULL);
}

static const AstarTie view_tie = {bytes_behind, free_sight};

AstarShared *astar_grid_shared(const AstarGrid *grid)
{
    if (astar_grid_is_view(grid))
        return ((const Sight *)grid->tied)->shared;
    return astar_grid_is_owner(grid) ? grid->tied : NULL;
}

// Marks the copy published last, so that it stays as it is.
static void mark_current(Sight *sight)
{
    AstarShared *shared = sight->shared;
    for (;;) {
        uint32_t place = astar_get_in_order(&shared->current);
        astar_mark(&sight->lane->marks[place]);
        sight->place = place;
        if (astar_get_in_order(&shared->current) == place)
            return;
        astar_unmark(&sight->lane->marks[place]);
    }
}

unsigned astar_view_enter(AstarGrid *view)
{
    if (!astar_grid_is_view(view))
        return 0;
    Sight *sight = view->tied;
    if (sight->entered == 0) {
        mark_current(sight);
        astar_view_show(view, sight->shared->places[sight->place].replica);
    }
    return sight->entered++;
}

unsigned astar_view_enter_as(AstarGrid *view, const AstarGrid *other)
{
    if (!astar_grid_is_view(view) || !astar_grid_is_view(other))
        return 0;
    Sight *sight = view->tied;
    const Sight *theirs = other->tied;
    if (sight->entered == 0 && sight->shared == theirs->shared && theirs->entered > 0) {
        sight->place = theirs->place;
        astar_mark(&sight->lane->marks[sight->place]);
        astar_view_show(view, sight->shared->places[sight->place].replica);
        return sight->entered++;
    }
    return astar_view_enter(view);
}

void astar_view_leave(AstarGrid *view, unsigned entered)
{
    if (!astar_grid_is_view(view))
        return;
    Sight *sight = view->tied;
    if (sight->entered > 0 && entered == 0)
        astar_unmark(&sight->lane->marks[sight->place]);
    sight->entered = entered < sight->entered ? entered : sight->entered;
}

bool astar_view_is_entered(const AstarGrid *view)
{
    return astar_grid_is_view(view) && ((const Sight *)view->tied)->entered > 0;
}

const void *astar_view_notes(const AstarGrid *view, size_t *length)
{
    *length = 0;
    if (!astar_view_is_entered(view))
        return NULL;
    const Sight *sight = view->tied;
    const AstarSharedNotes *notes = sight->shared->places[sight->place].notes;
    *length = notes->length;
    return notes->bytes;
}

static void free_sight(AstarGrid *view)
{
    Sight *sight = view->tied;
    AstarShared *shared = sight->shared;
    astar_view_leave(view, 0);
    view->tie = NULL;
    astar_view_blind(view);
    astar_release(&view->allocator, sight, 1, sizeof *sight);
    astar_shared_release(shared);
}

// The copy that is shown first is kept from being edited by a mark, as later ones are.
AstarStatus astar_view_new(AstarShared *shared, AstarGrid **out)
{
    Sight *sight = astar_alloc(&shared->allocator, 1, sizeof *sight);
    if (sight == NULL)
        return ASTAR_NO_MEMORY;
    sight->shared = shared;
    sight->lane = &shared->lanes[astar_draw(&shared->lanes_drawn) % ASTAR_LANES];
    mark_current(sight);
    AstarGrid *view;
    AstarStatus status = astar_view_of(shared->places[sight->place].replica, &view);
    astar_unmark(&sight->lane->marks[sight->place]);
    if (status != ASTAR_OK) {
        astar_release(&shared->allocator, sight, 1, sizeof *sight);
        return status;
    }
    astar_shared_retain(shared);
    view->tied = sight;
    view->tie = &view_tie;
    *out = view;
    return ASTAR_OK;
}
