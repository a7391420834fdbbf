// shared_name.c -- the names by which the states of a process find a shared map.

#include "share/shared_map.h"

#include <string.h>

// The one thing that is a process's: states meet by it.
static AstarMutex names_mutex = ASTAR_MUTEX_INIT;
static AstarShared *names;

static bool has_shared_name(const AstarShared *shared, const char *name, size_t length)
{
    return shared->name_length == length && memcmp(shared->name, name, length) == 0;
}

static AstarShared *find_name(const char *name, size_t length)
{
    AstarShared *shared = names;
    while (shared != NULL && !has_shared_name(shared, name, length))
        shared = shared->next;
    return shared;
}

AstarStatus astar_shared_put_name(AstarShared *shared)
{
    AstarStatus status = ASTAR_NAME_TAKEN;
    astar_mutex_lock(&names_mutex);
    if (find_name(shared->name, shared->name_length) == NULL) {
        shared->next = names;
        names = shared;
        status = ASTAR_OK;
    }
    astar_mutex_unlock(&names_mutex);
    return status;
}

void astar_shared_free_name(AstarShared *shared)
{
    if (shared->name == NULL)
        return;
    astar_mutex_lock(&names_mutex);
    AstarShared **link = &names;
    while (*link != NULL && *link != shared)
        link = &(*link)->next;
    if (*link != NULL)
        *link = shared->next;
    astar_mutex_unlock(&names_mutex);
    astar_release(&shared->allocator, shared->name, shared->name_length + 1, 1);
    shared->name = NULL;
}

AstarShared *astar_shared_find(const char *name, size_t name_length)
{
    astar_mutex_lock(&names_mutex);
    AstarShared *shared = find_name(name, name_length);
    if (shared != NULL)
        astar_count_up(&shared->references);
    astar_mutex_unlock(&names_mutex);
    return shared;
}

AstarStatus astar_shared_copy_name(AstarShared *shared, const char *name, size_t length)
{
    if (name == NULL)
        return ASTAR_OK;
    shared->name = astar_alloc(&shared->allocator, length + 1, 1);
    if (shared->name == NULL)
        return ASTAR_NO_MEMORY;
    shared->name_length = length;
    memcpy(shared->name, name, length);
    return ASTAR_OK;
}
