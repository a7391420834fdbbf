// workers.h -- threads of the library's own that answer questions while the host's goes on. They
// read copies of the maps, two of each at most, so that the host may edit and ask at any time and
// nobody waits for anybody. A pool and all that is of it belong to one thread, as the finders it
// is asked by do.

#define ASTAR_MAX_WORKERS 64

typedef struct AstarWorkers AstarWorkers;
typedef struct AstarBatch AstarBatch;

// A pool of 'threads' workers, 0 to ASTAR_MAX_WORKERS (ASTAR_BAD_OPTION): of none, who waits for
// answers works them out. ASTAR_NO_WORKERS, ASTAR_WITHOUT_THREADS where there are no threads to be
// had. It keeps copies of the maps and finders it is asked by until those are given back by all
// others, and the next batch is made.
ASTAR_API AstarStatus astar_workers_new(const AstarAllocator *allocator, int threads,
                                        AstarWorkers **out);
// In a process that was forked the pool counts as closed, for the threads are the parent's: it can
// be closed, released and waited for, and what they had in hand stays allocated.
// Ends its threads, in the middle of what they are at. What they have not answered is left to who
// waits for it.
ASTAR_API void astar_workers_close(AstarWorkers *workers);
// Closes it, too; batches that are still there hold on to it. NULL is fine.
ASTAR_API void astar_workers_release(AstarWorkers *workers);
// How many threads there are; 0 once closed.
ASTAR_API int astar_workers_count(const AstarWorkers *workers);
// The bytes of the copies of maps.
ASTAR_API size_t astar_workers_bytes(const AstarWorkers *workers);
// The bytes of what its threads search in, as each had them when it last had an answer.
ASTAR_API size_t astar_workers_search_bytes(AstarWorkers *workers);

// What of a finder's options no worker can honour, as astar_options_refusal says it: callbacks, and
// 'avoid', which are the host's thread's alone. NULL: nothing.
ASTAR_API const char *astar_workers_refusal(const AstarFinder *finder);

// Whether they can work a flow out: the same goes for its finder, it does not flee, nor begin at a
// unit among its own blocks.
ASTAR_API bool astar_workers_take_flow(const AstarFlow *flow);

// Whether they can find the answer of a search, begun in steps, that has none yet: of one for a
// path, the nearest of several goals, a path's repair. The same goes for its finder, and it neither
// asks a function nor begins at a unit among its own blocks.
ASTAR_API bool astar_workers_take_search(const AstarSearch *search);

// Whether they can bake in place of the host, which has not begun: the same goes for its finder,
// whose map is no view.
ASTAR_API bool astar_workers_take_baking(const AstarBaked *baked);

// Questions that are handed to the workers together: made, added to, begun, waited for, freed. All
// are about the maps as they were when the batch began, or, where both copies of a map are being
// read by batches that were begun and not waited for, as the last of those has it: so what a batch
// reads depends on the calls made, and on no clock.
ASTAR_API AstarStatus astar_batch_new(AstarWorkers *workers, AstarBatch **out);
// Cancels what is left of it; NULL is fine.
ASTAR_API void astar_batch_free(AstarBatch *batch);
// Adds the question of astar_find_path, the answer to which is that of the same call. The number of
// a question is that of those before it. ASTAR_BAD_OPTION where no worker can honour the finder, or
// the finder the question.
ASTAR_API AstarStatus astar_batch_add(AstarBatch *batch, AstarFinder *finder, int sx, int sy,
                                      int gx, int gy, const AstarQuestion *question);
// The same of what a search was asked, by astar_batch_take_search; that may be stepped, looked at
// and let go of meanwhile. ASTAR_BAD_OPTION where workers cannot find its answer.
ASTAR_API AstarStatus astar_batch_add_search(AstarBatch *batch, const AstarSearch *search);
// The same of a flow that is to be worked out as a whole, by astar_batch_take_flow, and may be
// asked and kept up with edits meanwhile. ASTAR_BAD_OPTION of one that flees, or begins at a unit
// among its own blocks, too.
ASTAR_API AstarStatus astar_batch_add_flow(AstarBatch *batch, AstarFlow *flow);
// The same of baking, by astar_batch_take_baking. ASTAR_BAD_OPTION where workers cannot.
ASTAR_API AstarStatus astar_batch_add_baking(AstarBatch *batch, const AstarBaked *baked);
ASTAR_API size_t astar_batch_count(const AstarBatch *batch);
// The order in which they are begun, where it is not that of their numbers: those of these numbers,
// each once (else ASTAR_BAD_OPTION), then the others.
ASTAR_API AstarStatus astar_batch_set_order(AstarBatch *batch, const size_t *numbers, size_t count);
// Hands the questions over; no more can be added. Those about maps of which something was baked
// while both copies were being read are answered at once. ASTAR_NO_MEMORY leaves it as it was.
ASTAR_API AstarStatus astar_batch_begin(AstarBatch *batch);
// A question that is not answered yet need not be.
ASTAR_API void astar_batch_cancel(AstarBatch *batch, size_t number);
// Waits until all are, and works out meanwhile what nobody has begun.
ASTAR_API void astar_batch_wait(AstarBatch *batch);
// What a question has come to, once waited for: as astar_find_path, ASTAR_OK once, which fills
// 'path', an initialised one; then and where it was cancelled ASTAR_CANCELLED.
ASTAR_API AstarStatus astar_batch_take(AstarBatch *batch, size_t number, AstarPath *path);
// Has the search of that question end as was found for it, on the map as it was when the batch
// began, once waited for. ASTAR_RUNNING where it has ended by itself, or is to go on by its own
// steps: it is as it was.
ASTAR_API AstarStatus astar_batch_take_search(AstarBatch *batch, size_t number,
                                              AstarSearch *search);
// Puts in force what was baked of the map as it was when the batch began, once waited for, as if
// the host had baked that then. ASTAR_RUNNING where it has begun by itself, or landmarks cannot
// take in what was edited since: it is as it was.
ASTAR_API AstarStatus astar_batch_take_baking(AstarBatch *batch, size_t number, AstarBaked *baked);
// Has a flow take what was worked out for it, once waited for: as if it had been asked for all of
// it when the batch began; edits since it takes in with the next question. ASTAR_RUNNING where the
// unit stands among its own blocks by now: the flow is as it was.
ASTAR_API AstarStatus astar_batch_take_flow(AstarBatch *batch, size_t number);
// The version of the finder's grid that a question is about, once begun.
ASTAR_API uint64_t astar_batch_version(const AstarBatch *batch, size_t number);
