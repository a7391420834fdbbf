// view.c -- grids that show copies of another.
//
// A view is the shell of a grid: the fields of its map are those of the copy it shows, so that
// finders, searches and flows stay with the view whichever copy that is.

#include "map/replica.h"

#include <stddef.h>

AstarStatus astar_view_of(AstarGrid *replica, AstarGrid **out)
{
    AstarGrid *view = astar_alloc(&replica->allocator, 1, sizeof *view);
    if (view == NULL)
        return ASTAR_NO_MEMORY;
    view->allocator = replica->allocator;
    astar_put(&view->references, 1);
    astar_mutex_init(&view->mutex);
    view->home = view;
    astar_view_show(view, replica);
    *out = view;
    return ASTAR_OK;
}

// The fields of the map are all that come after those of a grid's own.
static void copy_map(AstarGrid *view, const AstarGrid *replica)
{
    size_t own = offsetof(AstarGrid, shape);
    memcpy((char *)view + own, (const char *)replica + own, sizeof *view - own);
}

void astar_view_show(AstarGrid *view, AstarGrid *replica)
{
    AstarGrid *before = view->home;
    if (before == replica && view->version == replica->version)
        return;
    copy_map(view, replica);
    if (before == replica)
        return;
    astar_grid_retain(replica);
    view->home = replica;
    if (before != view)
        astar_grid_release(before);
}

// What it has shown is let go of.
static void show_own(AstarGrid *view, const AstarGrid *map)
{
    AstarGrid *before = view->home;
    copy_map(view, map);
    view->home = view;
    astar_grid_release(before);
}

void astar_view_adopt(AstarGrid *view, AstarGrid *copy)
{
    show_own(view, copy);
    copy_map(copy, &(AstarGrid){0});
    astar_grid_release(copy);
}

void astar_view_blind(AstarGrid *view)
{
    show_own(view, &(AstarGrid){0});
}
