// delegate.c -- Delegates, which workers use in place of the caller's finders.
//
// A finder belongs to one thread and one map. Therefore a delegate has a separate finder for each
// seat (the place of one thread of the pool) and each replica (copy of the map). The worker that
// first needs such a finder creates it. The options and own costs of the caller's finder never
// change, so workers may read them while the caller uses the finder. The finders of a delegate
// belong to the workers at their seats; everything else of a delegate belongs to the caller's
// thread.

#include "parts/workers/delegate.h"

#include "layers/landmarks.h"
#include "parts/workers/workers.h"

const char *astar_workers_refusal(const AstarFinder *finder)
{
    const AstarOptions *options = &finder->options;
    if (options->cost != NULL)
        return "cost";
    if (options->step_cost != NULL)
        return "step_cost";
    if (options->estimate != NULL)
        return "a heuristic function";
    if (finder->breached != 0)
        return "breach";
    return options->avoid != NULL ? "avoid" : NULL;
}

// The functions below copy landmarks to replicas.

static void drop_carried(AstarDelegate *delegate, int replica)
{
    AstarCarried *carried = &delegate->carried[replica];
    if (carried->landmarks != NULL)
        astar_layer_release(delegate->replicas->replicas[replica].grid, carried->landmarks);
    carried->landmarks = NULL;
}

bool astar_delegate_carry(AstarDelegate *delegate, int replica, AstarLandmarks **out)
{
    const AstarReplicas *replicas = delegate->replicas;
    const AstarFinder *finder = delegate->finder;
    const AstarGrid *grid = replicas->replicas[replica].grid;
    AstarCarried *carried = &delegate->carried[replica];
    *out = NULL;
    if (finder->on.landmarks == NULL || carried->bakings != finder->bakings)
        drop_carried(delegate, replica);
    if (!ASTAR_HAS_BAKING || finder->on.landmarks == NULL)
        return true;
    if (carried->landmarks == NULL || carried->version != grid->version) {
        if (grid->version != replicas->source->version ||
            astar_landmarks_follow(grid, finder->on.landmarks, &carried->landmarks) != ASTAR_OK)
            return false;
        carried->bakings = finder->bakings;
        carried->version = grid->version;
    }
    *out = carried->landmarks;
    astar_layer_retain(grid, *out);
    return true;
}

// Makes a worker's finder use some landmarks. First brings the tables of the finder up to date,
// because they determine which landmarks fit.
static AstarStatus take_landmarks(AstarFinder *finder, AstarLandmarks *landmarks)
{
    AstarStatus status = astar_finder_update_tables(finder);
    if (status != ASTAR_OK || finder->on.landmarks == landmarks)
        return status;
    if (landmarks != NULL)
        astar_layer_retain(finder->grid, landmarks);
    astar_layer_release(finder->grid, finder->on.landmarks);
    finder->on.landmarks = landmarks;
    finder->bakings++;
    return ASTAR_OK;
}

// The functions below create and free the workers' finders.

static AstarFinder **finder_place(AstarDelegate *delegate, int replica, int seat)
{
    return &delegate->finders[(size_t)seat * ASTAR_POOL_REPLICAS + (size_t)replica];
}

AstarStatus astar_delegate_new_finder(const AstarDelegate *delegate, int replica, AstarFinder **out)
{
    return astar_finder_new_like(delegate->finder, delegate->replicas->replicas[replica].grid, NULL,
                                 out);
}

AstarStatus astar_delegate_finder(AstarDelegate *delegate, int replica, int seat,
                                  AstarLandmarks *landmarks, AstarFinder **out)
{
    AstarFinder **place = finder_place(delegate, replica, seat);
    AstarStatus status = ASTAR_OK;
    if (*place == NULL)
        status = astar_delegate_new_finder(delegate, replica, place);
    *out = *place;
    return status == ASTAR_OK ? take_landmarks(*place, landmarks) : status;
}

static void leave_replica(AstarDelegate *delegate, int replica)
{
    drop_carried(delegate, replica);
    for (int seat = 0; (size_t)seat * ASTAR_POOL_REPLICAS < delegate->finder_count; seat++) {
        AstarFinder **place = finder_place(delegate, replica, seat);
        astar_finder_release(*place);
        *place = NULL;
    }
}

void astar_delegates_leave(AstarWorkers *workers, const AstarReplicas *replicas, int replica)
{
    for (AstarDelegate *each = workers->delegates; each != NULL; each = each->next)
        if (each->replicas == replicas)
            leave_replica(each, replica);
}

// The functions below create, find and free delegates and replicas.

static void free_delegate(AstarWorkers *workers, AstarDelegate *delegate)
{
    const AstarAllocator *allocator = &workers->allocator;
    for (int replica = 0; replica < ASTAR_POOL_REPLICAS && delegate->finders != NULL; replica++)
        leave_replica(delegate, replica);
    if (delegate->replicas != NULL)
        delegate->replicas->delegates--;
    astar_finder_release(delegate->finder);
    astar_release(allocator, delegate->finders, delegate->finder_count, sizeof *delegate->finders);
    astar_release(allocator, delegate, 1, sizeof *delegate);
}

static AstarDelegate *new_delegate(AstarWorkers *workers, AstarFinder *finder)
{
    AstarDelegate *delegate = astar_alloc(&workers->allocator, 1, sizeof *delegate);
    if (delegate == NULL)
        return NULL;
    astar_finder_retain(finder);
    delegate->finder = finder;
    delegate->finder_count = (size_t)workers->seat_count * ASTAR_POOL_REPLICAS;
    delegate->finders = astar_alloc(&workers->allocator, delegate->finder_count,
                                    sizeof *delegate->finders);
    if (delegate->finders != NULL)
        delegate->replicas = astar_replicas_need(workers, finder->grid);
    if (delegate->replicas == NULL) {
        free_delegate(workers, delegate);
        return NULL;
    }
    delegate->replicas->delegates++;
    return delegate;
}

// Removes the delegate of a finder from the list of the workers and returns it. Returns NULL if the
// finder has none.
static AstarDelegate *unlink_delegate(AstarWorkers *workers, const AstarFinder *finder)
{
    AstarDelegate **link = &workers->delegates;
    while (*link != NULL && (*link)->finder != finder)
        link = &(*link)->next;
    AstarDelegate *delegate = *link;
    if (delegate != NULL)
        *link = delegate->next;
    return delegate;
}

AstarStatus astar_delegate_need(AstarWorkers *workers, AstarFinder *finder, AstarDelegate **out)
{
    AstarDelegate *delegate = unlink_delegate(workers, finder);
    if (delegate == NULL)
        delegate = new_delegate(workers, finder);
    if (delegate == NULL)
        return ASTAR_NO_MEMORY;
    delegate->next = workers->delegates;
    workers->delegates = delegate;
    *out = delegate;
    return ASTAR_OK;
}

void astar_delegates_tidy(AstarWorkers *workers)
{
    for (AstarDelegate **link = &workers->delegates; *link != NULL;) {
        AstarDelegate *each = *link;
        if (each->jobs > 0 || each->finder->references > 1) {
            link = &each->next;
        } else {
            *link = each->next;
            free_delegate(workers, each);
        }
    }
    astar_replicas_tidy(workers);
}

void astar_delegates_free(AstarWorkers *workers)
{
    while (workers->delegates != NULL) {
        AstarDelegate *delegate = workers->delegates;
        workers->delegates = delegate->next;
        free_delegate(workers, delegate);
    }
    astar_replicas_tidy(workers);
}

static AstarReplicas *new_replicas(AstarWorkers *workers, AstarGrid *source)
{
    AstarReplicas *replicas = astar_alloc(&workers->allocator, 1, sizeof *replicas);
    if (replicas == NULL)
        return NULL;
    astar_grid_retain(source);
    replicas->source = source;
    replicas->latest = -1;
    replicas->next = workers->replicas;
    workers->replicas = replicas;
    return replicas;
}

AstarReplicas *astar_replicas_need(AstarWorkers *workers, AstarGrid *source)
{
    AstarReplicas *replicas = workers->replicas;
    while (replicas != NULL && replicas->source != source)
        replicas = replicas->next;
    return replicas != NULL ? replicas : new_replicas(workers, source);
}

bool astar_replicas_have_baked(const AstarReplicas *replicas, int replica)
{
    return replicas->replicas[replica].bakings == astar_get(&replicas->source->home->bakings);
}

void astar_replicas_tidy(AstarWorkers *workers)
{
    for (AstarReplicas **link = &workers->replicas; *link != NULL;) {
        AstarReplicas *each = *link;
        if (each->delegates > 0) {
            link = &each->next;
            continue;
        }
        *link = each->next;
        for (int i = 0; i < ASTAR_POOL_REPLICAS; i++)
            astar_grid_release(each->replicas[i].grid);
        astar_grid_release(each->source);
        astar_release(&workers->allocator, each, 1, sizeof *each);
    }
}

size_t astar_workers_bytes(const AstarWorkers *workers)
{
    size_t bytes = 0;
    if (astar_workers_are_lost(workers))
        return 0;
    for (const AstarReplicas *each = workers->replicas; each != NULL; each = each->next)
        for (int i = 0; i < ASTAR_POOL_REPLICAS; i++)
            bytes += each->replicas[i].grid != NULL ? astar_grid_bytes(each->replicas[i].grid) : 0;
    return bytes;
}
