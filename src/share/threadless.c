// threadless.c -- sharing in a build without threads: one thread needs no copies of what it has.

#include "share/shared_map.h"

#ifdef ASTAR_NO_THREADS

AstarStatus astar_grid_share(AstarGrid *grid, const char *name, size_t name_length,
                             const void *notes, size_t notes_length)
{
    (void)grid, (void)name, (void)name_length, (void)notes, (void)notes_length;
    return ASTAR_WITHOUT_THREADS;
}

AstarStatus astar_grid_publish(AstarGrid *grid, const void *notes, size_t notes_length)
{
    (void)grid, (void)notes, (void)notes_length;
    return ASTAR_BAD_OPTION;
}

void astar_grid_unshare(AstarGrid *grid)
{
    (void)grid;
}

AstarShared *astar_grid_shared(const AstarGrid *grid)
{
    return (void)grid, NULL;
}

AstarShared *astar_shared_find(const char *name, size_t name_length)
{
    return (void)name, (void)name_length, NULL;
}

void astar_shared_retain(AstarShared *shared)
{
    (void)shared;
}

void astar_shared_release(AstarShared *shared)
{
    (void)shared;
}

uint64_t astar_shared_version(const AstarShared *shared)
{
    return (void)shared, 0;
}

bool astar_shared_is_owned(const AstarShared *shared)
{
    return (void)shared, false;
}

size_t astar_shared_bytes(const AstarShared *shared, int *copies)
{
    return (void)shared, (void)copies, 0;
}

AstarStatus astar_view_new(AstarShared *shared, AstarGrid **out)
{
    (void)shared, (void)out;
    return ASTAR_WITHOUT_THREADS;
}

unsigned astar_view_enter(AstarGrid *view)
{
    return (void)view, 0;
}

unsigned astar_view_enter_as(AstarGrid *view, const AstarGrid *other)
{
    return (void)view, (void)other, 0;
}

void astar_view_leave(AstarGrid *view, unsigned entered)
{
    (void)view, (void)entered;
}

bool astar_grid_is_view(const AstarGrid *grid)
{
    return (void)grid, false;
}

bool astar_view_is_entered(const AstarGrid *view)
{
    return (void)view, false;
}

const void *astar_view_notes(const AstarGrid *view, size_t *length)
{
    (void)view;
    return *length = 0, NULL;
}

#endif
