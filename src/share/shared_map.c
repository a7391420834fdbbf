// shared_map.c -- a map that one thread edits and other threads read. Readers see the version that
// was published last.
//
// The scheme is left-right (Ramalhete and Correia, 2015), with the owner's own grid beside the two
// copies. Therefore the owner may edit and query its grid at any time. To publish, the owner takes
// a copy that is not read, brings it up to date (clone.c), and makes 'current' refer to it. A
// reader marks the current copy in its lane and then reads 'current' again. If 'current' has not
// changed, no publish can choose this copy before the mark is removed. If 'current' has changed,
// the reader marks the new current copy instead. Neither side ever waits. A reader that sleeps only
// prevents its copy from being edited, and the next publish makes a further copy.
//
// A publish frees a copy that has not been needed for a while. The memory of the copy is freed with
// the last view that shows it.
//
// Readers set their marks without a lock. The mutex protects the version, and the list of copies
// while their memory is counted.

#include "share/shared_map.h"

#include "layers/baked.h"
#include "map/clone.h"

#include <string.h>

enum { SPARE_PATIENCE = 64 }; // number of publishes after which an unused copy is freed

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
    AstarSharedNotes *last = shared->places[astar_get(&shared->current)].notes;
    bool is_same = last != NULL && (bytes == NULL || (length == last->length &&
                                                      memcmp(bytes, last->bytes, length) == 0));
    if (!is_same)
        return new_notes(shared, bytes, bytes != NULL ? length : 0);
    last->references++;
    return last;
}

// The functions below manage the copies of a shared map.

static bool is_read(AstarShared *shared, int place)
{
    uint32_t marks = 0;
    for (int i = 0; i < ASTAR_LANES; i++)
        marks += astar_get_in_order(&shared->lanes[i].marks[place]);
    return marks > 0;
}

// Returns true if a copy is unused: it is not the current copy, and no reader reads it.
static bool is_spare(AstarShared *shared, int place)
{
    return shared->places[place].replica != NULL && (int)astar_get(&shared->current) != place &&
           !is_read(shared, place);
}

// Makes a copy the current one. The mutex ensures that astar_shared_version sees 'version' and
// 'current' change together.
static void make_current(AstarShared *shared, int place)
{
    astar_mutex_lock(&shared->mutex);
    astar_put_in_order(&shared->current, (uint32_t)place);
    shared->version = shared->places[place].replica->version;
    astar_mutex_unlock(&shared->mutex);
}

// Puts 'replica' in place of the copy at an index. The mutex is held because another thread may be
// counting the memory of all copies.
static void put_in_place(AstarShared *shared, int place, AstarGrid *replica)
{
    astar_mutex_lock(&shared->mutex);
    AstarGrid *before = shared->places[place].replica;
    shared->places[place].replica = replica;
    astar_mutex_unlock(&shared->mutex);
    astar_grid_release(before);
}

static void empty_place(AstarShared *shared, int place)
{
    put_in_place(shared, place, NULL);
    release_notes(shared, shared->places[place].notes);
    shared->places[place].notes = NULL;
}

// Returns the index of the newest unused copy or, if 'oldest' is true, of the oldest unused copy.
// Returns -1 if no copy is unused.
static int find_spare(AstarShared *shared, bool oldest)
{
    int best = -1;
    for (int i = 0; i < ASTAR_REPLICAS; i++) {
        if (!is_spare(shared, i))
            continue;
        uint64_t version = shared->places[i].replica->version;
        if (best < 0 || (version < shared->places[best].replica->version) == oldest)
            best = i;
    }
    return best;
}

// Makes a further copy, because no existing one is unused. '*place' becomes its index.
static AstarStatus fill_free_place(AstarShared *shared, const AstarGrid *grid, int *place)
{
    int free = 0;
    while (free < ASTAR_REPLICAS && shared->places[free].replica != NULL)
        free++;
    if (free == ASTAR_REPLICAS)
        return ASTAR_BUSY;
    AstarGrid *replica;
    AstarStatus status = astar_replica_new(grid, &replica);
    if (status != ASTAR_OK)
        return status;
    put_in_place(shared, free, replica);
    *place = free;
    return ASTAR_OK;
}

// The lock of the replica prevents other threads from freeing its layers or counting its memory
// during the update.
AstarStatus astar_replica_catch_up(AstarGrid *replica, const AstarGrid *grid)
{
    AstarStatus status = ASTAR_OK;
    astar_grid_lock(replica);
    if (replica->version != grid->version)
        status = astar_replica_follow(replica, grid);
    if (ASTAR_HAS_BAKING && status == ASTAR_OK)
        status = astar_baked_maps_follow(replica, grid->home);
    astar_grid_unlock(replica);
    return status;
}

// Selects an unused copy of the map, or makes a further one, and brings it up to date. '*place'
// becomes its index.
static AstarStatus prepare_place(AstarShared *shared, const AstarGrid *grid, int *place)
{
    *place = find_spare(shared, false);
    AstarStatus status = *place < 0 ? fill_free_place(shared, grid, place) : ASTAR_OK;
    if (status != ASTAR_OK)
        return status;
    status = astar_replica_catch_up(shared->places[*place].replica, grid);
    if (status != ASTAR_OK)
        empty_place(shared, *place);
    return status;
}

static void free_spares(AstarShared *shared)
{
    int newest = find_spare(shared, false), oldest = find_spare(shared, true);
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
    for (int i = 0; i < ASTAR_REPLICAS; i++)
        empty_place(shared, i);
    astar_mutex_destroy(&shared->mutex);
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
    astar_mutex_lock(&asked->mutex);
    uint64_t version = asked->version;
    astar_mutex_unlock(&asked->mutex);
    return version;
}

size_t astar_shared_bytes(const AstarShared *shared, int *copies)
{
    AstarShared *asked = (AstarShared *)shared;
    size_t bytes = sizeof *shared;
    int count = 0;
    astar_mutex_lock(&asked->mutex);
    for (int i = 0; i < ASTAR_REPLICAS; i++) {
        if (asked->places[i].replica == NULL)
            continue;
        bytes += astar_grid_bytes(asked->places[i].replica);
        count++;
    }
    astar_mutex_unlock(&asked->mutex);
    if (copies != NULL)
        *copies = count;
    return bytes;
}

// The functions below are for the owner of a shared map, which is the grid that was shared.

static size_t bytes_of_copies(const AstarGrid *grid)
{
    return astar_shared_bytes(grid->tied, NULL);
}

static const AstarTie owner_tie = {bytes_of_copies, astar_grid_unshare};

bool astar_grid_is_owner(const AstarGrid *grid)
{
    return grid->tie == &owner_tie;
}

// Makes the first copy of a shared map and the notes of its version.
static AstarStatus fill_shared(AstarShared *shared, const AstarGrid *grid, const void *notes,
                               size_t notes_length)
{
    int place;
    astar_put(&shared->current, ASTAR_REPLICAS); // no copy is the current one yet
    AstarStatus status = prepare_place(shared, grid, &place);
    astar_put(&shared->current, 0);
    shared->version = grid->version;
    shared->bakings = astar_get(&grid->bakings);
    if (status != ASTAR_OK)
        return status;
    shared->places[0].notes = new_notes(shared, notes, notes != NULL ? notes_length : 0);
    return shared->places[0].notes != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
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
    astar_mutex_init(&shared->mutex);
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
    const AstarSharedCopy *last = &shared->places[astar_get(&shared->current)];
    AstarSharedNotes *chosen = choose_notes(shared, notes, notes_length);
    if (chosen == NULL)
        return ASTAR_NO_MEMORY;
    bool is_edited = grid->version != shared->version;
    bool is_named = astar_grid_layer_count(grid) != astar_grid_layer_count(last->replica);
    bool is_news = is_edited || is_named || chosen != last->notes ||
                   astar_get(&grid->bakings) != shared->bakings;
    if (is_news && !is_edited)
        astar_grid_note_edit(grid); // each published version must have its own number
    int place = -1;
    AstarStatus status = is_news ? prepare_place(shared, grid, &place) : ASTAR_OK;
    if (!is_news || status != ASTAR_OK) {
        release_notes(shared, chosen);
        return status;
    }
    release_notes(shared, shared->places[place].notes);
    shared->places[place].notes = chosen;
    make_current(shared, place);
    shared->bakings = astar_get(&grid->bakings);
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
    for (int i = 0; i < ASTAR_REPLICAS; i++)
        if (is_spare(shared, i))
            empty_place(shared, i);
    astar_put(&shared->owned, false);
    astar_shared_release(shared);
}

// ------------------------------------------------------------------------------------------------
// The functions below are for the reader's grid, called a view. A view shows the copy of a shared
// map that was published last.
//
// While a view is entered, a mark in the reader's lane keeps that copy unchanged.
// ------------------------------------------------------------------------------------------------

// The data that connects a view with its shared map.
typedef struct Sight {
    AstarShared *shared; // the shared map that the view shows, retained
    AstarReaderLane *lane;
    uint32_t place; // index of the copy that the view shows; valid while the view is entered
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

// Marks the copy that was published last as read by a view, so that the copy is not edited.
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

// Makes a view. Meanwhile the copy that the view shows is marked as read, so that the copy is not
// edited.
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
