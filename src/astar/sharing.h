// sharing.h -- Sharing a grid between threads. One thread, the owner, continues to edit and query
// the grid at full speed. Other threads see it through views, at the version that the owner
// published last, and never see half an edit. The library keeps copies of the map, usually two
// ("left-right": Ramalhete and Correia, 2015): publishing updates a copy that no thread reads, and
// threads read copies that no thread edits. Neither the owner nor a reader ever waits for the
// other. If a thread still reads the copy that is to be updated, publishing creates another copy,
// up to eight.
//
// A view is a read-only grid for one thread. Finders, searches and flows can be created on it as on
// any grid. Finders, searches and flows see a publication as one edit, in astar_grid_version and
// everything that depends on it. Data built for searches by one thread serve all threads. Every
// call that reads cells of a view, or queries an object created on a view, must lie between
// astar_view_enter and astar_view_leave. Creating finders and releasing objects is allowed outside
// as well.

// Shares a grid under a name, or without a name if 'name' is NULL. The name must not be in use
// (else ASTAR_NAME_TAKEN); names are visible to all threads that use this copy of the library.
// 'notes' are bytes for the readers of this version; they are copied. Returns ASTAR_BAD_OPTION for
// a view and for a grid that is shared already. Releasing the grid ends the sharing like
// astar_grid_unshare. From now on all threads may call the grid's allocator.
ASTAR_API AstarStatus astar_grid_share(AstarGrid *grid, const char *name, size_t name_length,
                                       const void *notes, size_t notes_length);
// Publishes the grid as it is now to all views. If 'notes' is NULL, the notes of the last version
// are kept. Only the owner may call it. Returns ASTAR_BUSY if readers hold eight versions, or
// ASTAR_NO_MEMORY; views then keep the version published before, and the next call publishes these
// edits too. Returns ASTAR_BAD_OPTION if the grid is not shared.
ASTAR_API AstarStatus astar_grid_publish(AstarGrid *grid, const void *notes, size_t notes_length);
// Ends the sharing and frees the name. Views remain usable and show the last version. Does nothing
// for a grid that is not shared.
ASTAR_API void astar_grid_unshare(AstarGrid *grid);
// Returns the shared map of a grid that is shared or of a view, or NULL. The map is not retained.
ASTAR_API AstarShared *astar_grid_shared(const AstarGrid *grid);
// Returns the shared map with a name, retained, or NULL.
ASTAR_API AstarShared *astar_shared_find(const char *name, size_t name_length);
// Adds a reference to a shared map. Any thread may call it.
ASTAR_API void astar_shared_retain(AstarShared *shared);
// Drops a reference to a shared map. Any thread may call it.
ASTAR_API void astar_shared_release(AstarShared *shared);
// Returns the version of the shared grid that was published last.
ASTAR_API uint64_t astar_shared_version(const AstarShared *shared);
// Returns true while the grid from which the shared map was made is still shared, so that new
// versions can be published.
ASTAR_API bool astar_shared_is_owned(const AstarShared *shared);
// Returns the bytes of all copies of the map and of the data built for searches, and stores the
// number of copies. astar_grid_bytes of the shared grid includes these bytes; for a view it returns
// only these bytes.
ASTAR_API size_t astar_shared_bytes(const AstarShared *shared, int *copies);

// Creates a view of a shared map, for one thread at a time. The view retains the map.
ASTAR_API AstarStatus astar_view_new(AstarShared *shared, AstarGrid **out);
// Returns true if a grid is a view of a shared map, made by astar_view_new. Returns false for a
// clone.
ASTAR_API bool astar_grid_is_view(const AstarGrid *grid);
// Enters a view: the view then shows the version published last, until it is left. If it is entered
// again meanwhile, for example by a callback, it keeps its version. The result is passed to
// astar_view_leave. Does nothing for other grids. The call never waits: it stores a mark, and
// checks once more that the copy is current.
ASTAR_API unsigned astar_view_enter(AstarGrid *view);
// Enters a view at the version that 'other', a view of the same map, has entered. The thread of
// 'other' must not leave it before. Many threads can thus answer one batch at the same version.
ASTAR_API unsigned astar_view_enter_as(AstarGrid *view, const AstarGrid *other);
// Leaves a view. 'entered' is the result of the matching astar_view_enter. Entries that were made
// since and left by longjmp are left too; 0 leaves all of them.
ASTAR_API void astar_view_leave(AstarGrid *view, unsigned entered);
// Returns true if a view is entered.
ASTAR_API bool astar_view_is_entered(const AstarGrid *view);
// Returns the notes of the version that a view has entered, and stores their length.
ASTAR_API const void *astar_view_notes(const AstarGrid *view, size_t *length);
