// shared_map.c -- a map that one thread edits and other threads read. Readers see the version that
// was published last.
//
// The scheme is left-right (Ramalhete and Correia, 2015), with the owner's own grid beside the two
// snapshots. Therefore the owner may edit and query its grid at any time. To publish, the owner
// takes a snapshot that is not read, brings it up to date (snapshot_set.c), and makes 'current'
// refer to it. A reader marks the current snapshot in its lane and then reads 'current' again. If
// 'current' has not changed, no publish can choose this snapshot before the mark is removed. If
// 'current' has changed, the reader marks the new current snapshot instead. Neither side ever
// waits. A reader that sleeps only prevents its snapshot from being renewed, and the next publish
// makes a further snapshot.
//
// A publish frees a snapshot that has not been needed for a while. The memory of the snapshot is
// freed with the last view that shows it.
//
// Readers set their marks without a lock. The mutex protects the version, and the list of snapshots
// while their memory is counted.

#include "share/shared_map.h"

#include "map/snapshot.h"

#include <string.h>

enum { SPARE_PATIENCE = 64 }; // number of publishes after which an unread snapshot is freed

// The functions below manage the notes: bytes that the program attaches to a version of a shared
// map.

static AstarSharedNotes *new_notes(const AstarShared *shared, const void *bytes, size_t length)
{
    AstarSharedNotes *notes = astar_alloc(&shared->allocator, sizeof *notes + length, 1);
    if (notes == NULL)
        return NULL;
    notes->references = 1;
    notes->length = length;
    if (length > 0)
        memcpy(notes->bytes, bytes, length);
    return notes;
}

static void release_notes(const AstarShared *shared, AstarSharedNotes *notes)
{
    if (notes != NULL && --notes->references == 0)
        astar_release(&shared->allocator, notes, sizeof *notes + notes->length, 1);
}

// Returns the notes for the next version, retained. If 'bytes' is NULL or equals the notes
// published last, returns the notes published last. Returns NULL if memory is short.
static AstarSharedNotes *choose_notes(AstarShared *shared, const void *bytes, size_t length)
{
    AstarSharedNotes *last = shared->notes[astar_get(&shared->current)];
    bool is_same = last != NULL && (bytes == NULL || (length == last->length &&
                                                      memcmp(bytes, last->bytes, length) == 0));
    if (!is_same)
        return new_notes(shared, bytes, bytes != NULL ? length : 0);
    last->references++;
    return last;
}

// The functions below manage the snapshots of a shared map.

// Returns true if an entry has a snapshot that is not the current one and that no reader reads.
static bool is_spare(AstarShared *shared, int place)
{
    return (int)astar_get(&shared->current) != place &&
           astar_snapshot_is_unread(&shared->set, place);
}

// Makes a snapshot the current one. The mutex ensures that astar_shared_version sees 'version' and
// 'current' change together.
static void make_current(AstarShared *shared, int place)
{
    astar_mutex_lock(&shared->set.mutex);
    astar_put_in_order(&shared->current, (uint32_t)place);
    shared->version = shared->set.maps[place]->version;
    astar_mutex_unlock(&shared->set.mutex);
}

static void empty_place(AstarShared *shared, int place)
{
    astar_snapshot_set_drop(&shared->set, place);
    release_notes(shared, shared->notes[place]);
    shared->notes[place] = NULL;
}

// Selects a snapshot that is not current and that no reader reads, or makes a further one, and
// brings it up to date. '*place' becomes its index.
static AstarStatus prepare_place(AstarShared *shared, const AstarGrid *grid, int *place)
{
    AstarStatus status = astar_snapshot_set_renew(&shared->set, grid,
                                                  (int)astar_get(&shared->current), place);
    if (status != ASTAR_OK && *place >= 0)
        empty_place(shared, *place);
    return status;
}

static void free_spares(AstarShared *shared)
{
    int current = (int)astar_get(&shared->current);
    int newest = astar_snapshot_set_unread(&shared->set, current, false);
    int oldest = astar_snapshot_set_unread(&shared->set, current, true);
    shared->patience = newest != oldest ? shared->patience + 1 : 0;
    if (shared->patience < SPARE_PATIENCE)
        return;
    empty_place(shared, oldest);
    shared->patience = 0;
}

// The functions below count references, versions and bytes of a shared map.

void astar_shared_retain(AstarShared *shared)
{
    astar_count_up(&shared->references);
}

void astar_shared_release(AstarShared *shared)
{
    if (shared == NULL || !astar_count_down(&shared->references))
        return;
    for (int i = 0; i < ASTAR_SNAPSHOTS; i++)
        empty_place(shared, i);
    astar_snapshot_set_destroy(&shared->set);
    AstarAllocator allocator = shared->allocator;
    astar_release(&allocator, shared, 1, sizeof *shared);
}

bool astar_shared_is_owned(const AstarShared *shared)
{
    return astar_get(&shared->owned);
}

uint64_t astar_shared_version(const AstarShared *shared)
{
    AstarShared *asked = (AstarShared *)shared;
    astar_mutex_lock(&asked->set.mutex);
    uint64_t version = asked->version;
    astar_mutex_unlock(&asked->set.mutex);
    return version;
}

size_t astar_shared_bytes(const AstarShared *shared, int *copies)
{
    int count = 0;
    size_t bytes = astar_snapshot_set_bytes(&((AstarShared *)shared)->set, &count);
    if (copies != NULL)
        *copies = count;
    return sizeof *shared + bytes;
}

// The functions below are for the owner of a shared map, which is the grid that was shared.

static size_t bytes_of_published(const AstarGrid *grid)
{
    return astar_shared_bytes(grid->tied, NULL);
}

static const AstarTie owner_tie = {bytes_of_published, astar_grid_unshare};

bool astar_grid_is_owner(const AstarGrid *grid)
{
    return grid->tie == &owner_tie;
}

// Makes the first snapshot of a shared map and the notes of its version.
static AstarStatus fill_shared(AstarShared *shared, const AstarGrid *grid, const void *notes,
                               size_t notes_length)
{
    int place;
    astar_put(&shared->current, ASTAR_SNAPSHOTS); // no snapshot is the current one yet
    AstarStatus status = prepare_place(shared, grid, &place);
    astar_put(&shared->current, 0);
    shared->version = grid->version;
    if (status != ASTAR_OK)
        return status;
    shared->notes[0] = new_notes(shared, notes, notes != NULL ? notes_length : 0);
    return shared->notes[0] != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
}

AstarStatus astar_grid_share(AstarGrid *grid, const char *name, size_t name_length,
                             const void *notes, size_t notes_length)
{
    if (!ASTAR_HAS_THREADS) // in a build without threads there are no readers
        return ASTAR_WITHOUT_THREADS;
    if (!astar_grid_may_change(grid))
        return ASTAR_NO_MEMORY;
    if (grid->tie != NULL)
        return ASTAR_BAD_OPTION;
    AstarShared *shared = astar_alloc(&grid->allocator, 1, sizeof *shared);
    if (shared == NULL)
        return ASTAR_NO_MEMORY;
    shared->allocator = grid->allocator;
    astar_put(&shared->references, 1);
    astar_put(&shared->owned, true);
    astar_snapshot_set_init(&shared->set, ASTAR_SNAPSHOTS, shared->lanes);
    AstarStatus status = astar_shared_copy_name(shared, name, name_length);
    if (status == ASTAR_OK)
        status = fill_shared(shared, grid, notes, notes_length);
    if (status == ASTAR_OK && name != NULL)
        status = astar_shared_put_name(shared);
    if (status != ASTAR_OK) {
        astar_shared_free_name(shared);
        astar_shared_release(shared);
        return status;
    }
    grid->tied = shared;
    grid->tie = &owner_tie;
    return ASTAR_OK;
}

AstarStatus astar_grid_publish(AstarGrid *grid, const void *notes, size_t notes_length)
{
    if (!astar_grid_is_owner(grid))
        return ASTAR_BAD_OPTION;
    if (!astar_grid_may_change(grid))
        return ASTAR_NO_MEMORY;
    AstarShared *shared = grid->tied;
    int last = (int)astar_get(&shared->current);
    AstarSharedNotes *chosen = choose_notes(shared, notes, notes_length);
    if (chosen == NULL)
        return ASTAR_NO_MEMORY;
    bool is_edited = grid->version != shared->version;
    bool is_named = astar_grid_layer_count(grid) != astar_grid_layer_count(shared->set.maps[last]);
    bool is_news = is_edited || is_named || chosen != shared->notes[last] ||
                   !astar_snapshot_has_baked(&shared->set, last, grid);
    if (is_news && !is_edited)
        astar_grid_note_edit(grid); // each published version must have its own number
    int place = -1;
    AstarStatus status = is_news ? prepare_place(shared, grid, &place) : ASTAR_OK;
    if (!is_news || status != ASTAR_OK) {
        release_notes(shared, chosen);
        return status;
    }
    release_notes(shared, shared->notes[place]);
    shared->notes[place] = chosen;
    make_current(shared, place);
    free_spares(shared);
    return ASTAR_OK;
}

void astar_grid_unshare(AstarGrid *grid)
{
    if (!astar_grid_is_owner(grid))
        return;
    AstarShared *shared = grid->tied;
    grid->tie = NULL;
    grid->tied = NULL;
    astar_shared_free_name(shared);
    for (int i = 0; i < ASTAR_SNAPSHOTS; i++)
        if (is_spare(shared, i))
            empty_place(shared, i);
    astar_put(&shared->owned, false);
    astar_shared_release(shared);
}

// ------------------------------------------------------------------------------------------------
// The functions below are for the reader's grid, called a view. A view shows the snapshot of
// a shared map that was published last.
//
// While a view is entered, a mark in the reader's lane keeps that snapshot unchanged.
// ------------------------------------------------------------------------------------------------

// The data that connects a view with its shared map.
typedef struct Sight {
    AstarShared *shared; // the shared map that the view shows, retained
    AstarReaderLane *lane;
    uint32_t place; // index of the snapshot that the view shows; valid while it is entered
    // Number of calls of astar_view_enter that astar_view_leave has not undone yet.
    unsigned entered;
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

// Marks the snapshot that was published last as read by a view, so that it is not renewed.
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
        astar_view_show(view, sight->shared->set.maps[sight->place]);
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
        astar_view_show(view, sight->shared->set.maps[sight->place]);
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
    const AstarSharedNotes *notes = sight->shared->notes[sight->place];
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

// Makes a view. Meanwhile the snapshot that the view shows is marked as read, so that the snapshot
// is not renewed.
AstarStatus astar_view_new(AstarShared *shared, AstarGrid **out)
{
    Sight *sight = astar_alloc(&shared->allocator, 1, sizeof *sight);
    if (sight == NULL)
        return ASTAR_NO_MEMORY;
    sight->shared = shared;
    sight->lane = &shared->lanes[astar_draw(&shared->lanes_drawn) % ASTAR_LANES];
    mark_current(sight);
    AstarGrid *view;
    AstarStatus status = astar_view_of(shared->set.maps[sight->place], &view);
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

// ------------------------------------------------------------------------------------------------
// The functions below manage the names by which the Lua states of a process find a shared map.
// ------------------------------------------------------------------------------------------------

// Protects the list of named maps. This list is the only global state of the library, and all Lua
// states of a process share it.
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
