// workers.h -- Workers: threads of the library that answer batches of queries while the host's
// thread continues. Workers read copies of the maps, at most two per map. The host may therefore
// edit and query its maps at any time, and no thread waits for another one. A pool and its batches
// belong to one thread, the same one as the finders of its queries.

// Maximum number of threads of a pool.
#define ASTAR_MAX_WORKERS 64

typedef struct AstarWorkers AstarWorkers;
typedef struct AstarBatch AstarBatch;

// Creates a pool of 'threads' workers, 0 to ASTAR_MAX_WORKERS (else ASTAR_BAD_OPTION). Without
// workers the thread that waits for a batch answers it. Returns ASTAR_NO_WORKERS if a thread cannot
// be started, or ASTAR_WITHOUT_THREADS if the library was built without threads. The pool keeps
// copies of maps and finders until all other holders have released them and the next batch is
// created.
ASTAR_API AstarStatus astar_workers_new(const AstarAllocator *allocator, int threads,
                                        AstarWorkers **out);
// Ends the threads of a pool, even in the middle of a query. The thread that waits for a batch
// answers the remaining queries. In a forked process the pool counts as closed, because its threads
// belong to the parent. In the forked process the pool can be closed, released and waited for, and
// the memory that the threads were using stays allocated.
ASTAR_API void astar_workers_close(AstarWorkers *workers);
// Closes a pool and drops a reference to it. Batches that still exist hold references, too. NULL is
// allowed.
ASTAR_API void astar_workers_release(AstarWorkers *workers);
// Returns how many threads a pool has; 0 once it is closed.
ASTAR_API int astar_workers_count(const AstarWorkers *workers);
// Returns the bytes of the copies of maps.
ASTAR_API size_t astar_workers_bytes(const AstarWorkers *workers);
// Returns the bytes of memory that the threads use for searching. The number of each thread is
// measured after its last answer.
ASTAR_API size_t astar_workers_search_bytes(AstarWorkers *workers);

// Returns in words which option of a finder workers cannot honour, like astar_options_refusal, or
// NULL if they can honour all. Callbacks and 'avoid' are refused, because they belong to the host's
// thread.
ASTAR_API const char *astar_workers_refusal(const AstarFinder *finder);

// Returns true if workers can compute a flow. Workers must be able to honour its finder, and the
// flow must not lead away from its goals. The flow must not start at a unit that has its own blocks
// on the cells it covers.
ASTAR_API bool astar_workers_take_flow(const AstarFlow *flow);

// Returns true if workers can compute the result of a search. The search must have been started in
// steps, for a path, for the nearest of several goals or for a repair, and must have no result yet.
// Workers must be able to honour its finder. The search must not call a goal test, and must not
// start at a unit that has its own blocks on the cells it covers.
ASTAR_API bool astar_workers_take_search(const AstarSearch *search);

// Returns true if workers can bake instead of the host. Baking must not have begun. Workers must be
// able to honour the finder, and the grid of the finder must not be a view.
ASTAR_API bool astar_workers_take_baking(const AstarBaked *baked);

// Creates a batch: queries that are handed to the workers together. The caller adds queries, begins
// the batch, waits for it, takes the results and frees it. All queries see the maps as they were
// when the batch began. If both copies of a map are then read by batches that were begun and not
// yet waited for, the batch sees the map of the latest of these. The version that a batch sees
// depends only on the order of the calls, never on time.
ASTAR_API AstarStatus astar_batch_new(AstarWorkers *workers, AstarBatch **out);
// Cancels the remaining queries of a batch and frees the batch. NULL is allowed.
ASTAR_API void astar_batch_free(AstarBatch *batch);
// Adds a query, whose result is that of the same call of astar_find_path. The number of a query is
// the number of queries added before it. Returns ASTAR_BAD_OPTION if workers cannot honour the
// finder or the finder cannot honour 'query'.
ASTAR_API AstarStatus astar_batch_add(AstarBatch *batch, AstarFinder *finder, int sx, int sy,
                                      int gx, int gy, const AstarQueryOptions *query);
// Adds the query of a search. Its result is taken by astar_batch_take_search. The search may be
// stepped, inspected and freed meanwhile. Returns ASTAR_BAD_OPTION if astar_workers_take_search is
// false.
ASTAR_API AstarStatus astar_batch_add_search(AstarBatch *batch, const AstarSearch *search);
// Adds the computation of a whole flow. Its result is taken by astar_batch_take_flow. The flow may
// be queried and updated meanwhile. Returns ASTAR_BAD_OPTION if astar_workers_take_flow is false.
ASTAR_API AstarStatus astar_batch_add_flow(AstarBatch *batch, AstarFlow *flow);
// Adds a baking. Its result is taken by astar_batch_take_baking. Returns ASTAR_BAD_OPTION if
// astar_workers_take_baking is false.
ASTAR_API AstarStatus astar_batch_add_baking(AstarBatch *batch, const AstarBaked *baked);
// Returns how many queries a batch has.
ASTAR_API size_t astar_batch_count(const AstarBatch *batch);
// Sets the order in which queries are started: first the queries with the listed numbers, then the
// others. Returns ASTAR_BAD_OPTION if a number is invalid or listed twice.
ASTAR_API AstarStatus astar_batch_set_order(AstarBatch *batch, const size_t *numbers, size_t count);
// Hands the queries to the workers; afterwards no query can be added. If a map was baked while both
// of its copies were being read, its queries are answered within this call. ASTAR_NO_MEMORY leaves
// the batch unchanged.
ASTAR_API AstarStatus astar_batch_begin(AstarBatch *batch);
// Cancels a query that has no result yet.
ASTAR_API void astar_batch_cancel(AstarBatch *batch, size_t number);
// Waits until all queries have results. Meanwhile the calling thread answers queries that no worker
// has started.
ASTAR_API void astar_batch_wait(AstarBatch *batch);
// Returns the result of a query of a batch that was waited for. The result equals that of
// astar_find_path. With ASTAR_OK 'path', an initialised path, is filled. ASTAR_OK is returned only
// once; afterwards, and for a cancelled query, the result is ASTAR_CANCELLED.
ASTAR_API AstarStatus astar_batch_take(AstarBatch *batch, size_t number, AstarPath *path);
// Ends a search with the result that was found for it on the map as it was when the batch began.
// The batch must have been waited for. Returns ASTAR_RUNNING and changes nothing if the search has
// ended by itself or must continue by its own steps.
ASTAR_API AstarStatus astar_batch_take_search(AstarBatch *batch, size_t number,
                                              AstarSearch *search);
// Makes baked data available as if the host had baked the map as it was when the batch began. The
// batch must have been waited for. Returns ASTAR_RUNNING and changes nothing if 'baked' has begun
// by itself, or if landmarks cannot be adapted to edits made since.
ASTAR_API AstarStatus astar_batch_take_baking(AstarBatch *batch, size_t number, AstarBaked *baked);
// Gives a flow the distances that were computed for it, as if it had been completed when the batch
// began. The batch must have been waited for. The next query of the flow takes later edits into
// account. Returns ASTAR_RUNNING and changes nothing if by now the unit has its own blocks on the
// cells it covers.
ASTAR_API AstarStatus astar_batch_take_flow(AstarBatch *batch, size_t number);
// Returns the version of the finder's grid that a query sees. Before the batch begins it returns 0.
ASTAR_API uint64_t astar_batch_version(const AstarBatch *batch, size_t number);
