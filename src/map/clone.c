// clone.c -- equal maps in the same memory, until one of them is edited.
//
// A clone is a view (replica.c) of the grid it was made of: it takes a shell, and all that is built
// of that map, and found of it later, serves both. What is to be edited parts from the others
// first. A clone copies the map then, and what is in use of what is built of it, which takes a
// small part of the time that building does; the grid that clones are of leaves them such a copy,
// one for all of them. Who holds a clone takes that for an edit that changed no cell.

#include "map/grid.h"
#include "map/replica.h"

static size_t bytes_of_clone(const AstarGrid *grid)
{
    return sizeof *grid;
}

static void leave_list(AstarGrid *clone)
{
    AstarGrid *home = clone->home;
    astar_grid_lock(home); // other readers may clone it, too
    AstarGrid **link = &home->copies.first;
    while (*link != clone)
        link = &(*link)->copies.next;
    *link = clone->copies.next;
    astar_grid_unlock(home);
    clone->copies.next = NULL;
    clone->copies.is_clone = false;
    clone->tie = NULL;
}

static void free_clone(AstarGrid *clone)
{
    leave_list(clone);
    astar_view_blind(clone);
}

static const AstarTie clone_tie = {bytes_of_clone, free_clone};

AstarStatus astar_grid_clone(const AstarGrid *grid, AstarGrid **out)
{
    AstarGrid *home = grid->home, *clone;
    if (home != grid && !grid->copies.is_clone)
        return astar_grid_copy(grid, out); // a view of what another state edits
    AstarStatus status = astar_view_of(home, &clone);
    if (status != ASTAR_OK)
        return status;
    clone->copies.is_clone = true;
    clone->tie = &clone_tie;
    astar_grid_lock(home);
    clone->copies.next = home->copies.first;
    home->copies.first = clone;
    astar_grid_unlock(home);
    *out = clone;
    return ASTAR_OK;
}

// What is in use of what is built of an equal grid.
static void copy_layers(AstarGrid *grid, const AstarGrid *from)
{
    if (from->attachment != NULL)
        from->attachment->copy(grid, from);
}

// Leaves the clones of a grid a copy of it; adds what that takes.
static AstarStatus leave_to_clones(AstarGrid *grid, size_t *bytes)
{
    AstarGrid *copy;
    AstarStatus status = astar_grid_copy(grid, &copy);
    if (status != ASTAR_OK)
        return status;
    copy->copies.first = grid->copies.first;
    grid->copies.first = NULL;
    bool is_held = false; // by finders; for one that may be garbage the edit pays less
    for (AstarGrid *each = copy->copies.first; each != NULL; each = each->copies.next)
        is_held |= astar_get(&each->references) > 1;
    if (is_held) {
        copy_layers(copy, grid);
        astar_grid_note_edit(copy);
    }
    for (AstarGrid *each = copy->copies.first; each != NULL; each = each->copies.next)
        astar_view_show(each, copy);
    *bytes += astar_grid_bytes(copy);
    astar_grid_release(copy);
    return ASTAR_OK;
}

// Makes the map of a clone its own; adds what that takes.
static AstarStatus leave_home(AstarGrid *clone, size_t *bytes)
{
    AstarGrid *home = clone->home, *copy;
    AstarStatus status = astar_grid_copy(home, &copy);
    if (status != ASTAR_OK)
        return status;
    leave_list(clone);
    astar_grid_retain(home);
    astar_view_adopt(clone, copy);
    copy_layers(clone, home);
    astar_grid_release(home);
    if (astar_get(&clone->references) > 1)
        astar_grid_note_edit(clone);
    *bytes += astar_grid_bytes(clone);
    return ASTAR_OK;
}

AstarStatus astar_grid_part(AstarGrid *grid, size_t *bytes)
{
    size_t taken = 0;
    AstarStatus status = grid->copies.first != NULL ? leave_to_clones(grid, &taken) : ASTAR_OK;
    if (status == ASTAR_OK && grid->copies.is_clone)
        status = leave_home(grid, &taken);
    if (bytes != NULL)
        *bytes = taken;
    return status;
}

bool astar_grid_may_change(AstarGrid *grid)
{
    return (grid->copies.first == NULL && !grid->copies.is_clone) ||
           astar_grid_part(grid, NULL) == ASTAR_OK;
}
