// sharing.h -- a grid that is shared goes on being edited and asked by its owner, one thread, at
// once and as ever; other threads see it through views, as it was when it was last published, all
// of an edit or nothing. Behind it stand copies of the map, two as a rule ("left-right": Ramalhete
// and Correia, 2015): nobody reads the one that publishing brings up to date, nobody edits the
// ones that are read. Neither side ever waits for the other: where a thread goes on reading the
// copy that is to be edited, publishing makes a further one, up to eight.
//
// A view is a grid for one thread, to be read only; finders, searches and flows are made of it, and
// live, as of any grid: a publish is to them an edit that was made at once, by astar_grid_version
// and all that goes by it. What is built of the map for one thread serves all. All that reads a
// view's cells, or asks by what was made of it, stands between astar_view_enter and
// astar_view_leave; making finders, and releasing whatever it is, need not.

// Shares a grid, under a name that no other map is shared by (ASTAR_NAME_TAKEN), or none: NULL.
// Names are those of this copy of the library. 'notes' are bytes for whoever sees this version, the
// host's own; they are copied. ASTAR_BAD_OPTION of a view, or a grid that is shared already. The
// grid's release ends it as astar_grid_unshare does. The grid's allocator is called by all threads
// then.
ASTAR_API AstarStatus astar_grid_share(AstarGrid *grid, const char *name, size_t name_length,
                                       const void *notes, size_t notes_length);
// Lets all see the grid as it is now. NULL for 'notes': as before. ASTAR_BUSY where readers hold
// eight versions, ASTAR_NO_MEMORY: then it stays as it was published before, and the next call
// publishes the edits with its own. ASTAR_BAD_OPTION where it is not shared. To be called by the
// owner.
ASTAR_API AstarStatus astar_grid_publish(AstarGrid *grid, const void *notes, size_t notes_length);
// Frees the name; views live on, and see the last version. Of a grid that is not shared nothing.
ASTAR_API void astar_grid_unshare(AstarGrid *grid);
// What a grid is shared as, or a view sees; NULL: neither. It is not retained.
ASTAR_API AstarShared *astar_grid_shared(const AstarGrid *grid);
// What is shared under a name, retained; NULL: nothing.
ASTAR_API AstarShared *astar_shared_find(const char *name, size_t name_length);
// Counted references, from any thread.
ASTAR_API void astar_shared_retain(AstarShared *shared);
ASTAR_API void astar_shared_release(AstarShared *shared);
// The version of the grid that was published last, and whether there is still one that may publish.
ASTAR_API uint64_t astar_shared_version(const AstarShared *shared);
ASTAR_API bool astar_shared_is_owned(const AstarShared *shared);
// How many copies of the map there are, and the bytes they take up with all that is built of them;
// astar_grid_bytes of the grid that is shared has those in it, that of a view tells those alone.
ASTAR_API size_t astar_shared_bytes(const AstarShared *shared, int *copies);

// A view of what is shared, which it retains, for one thread at a time.
ASTAR_API AstarStatus astar_view_new(AstarShared *shared, AstarGrid **out);
ASTAR_API bool astar_grid_is_view(const AstarGrid *grid);
// Has a view show the version published last, until it is left. Entered again meanwhile, as by
// callbacks, it stays at that version. Of other grids it does nothing. What is returned is for
// astar_view_leave. It never waits: it stores a mark and looks again.
ASTAR_API unsigned astar_view_enter(AstarGrid *view);
// The same, with the version that another view of the same map is in, whoever's thread entered that
// one and will not leave it before: so that a batch is searched by many threads at one version.
ASTAR_API unsigned astar_view_enter_as(AstarGrid *view, const AstarGrid *other);
// Leaves it. What was entered since and left by longjmp is left, too; 0 leaves it altogether.
ASTAR_API void astar_view_leave(AstarGrid *view, unsigned entered);
ASTAR_API bool astar_view_is_entered(const AstarGrid *view);
// The notes of the version a view is in.
ASTAR_API const void *astar_view_notes(const AstarGrid *view, size_t *length);
