// baking.h -- Baking: tables that are computed once for a map that no longer changes, so that later
// queries are faster. A finder bakes landmarks by astar_finder_bake, or anything in steps by
// astar_baking_new.

// The result of astar_finder_bake.
typedef struct AstarBaking {
    // Number of landmarks whose distances are stored; 0 if they would not make queries faster.
    int pivots;
    size_t bytes; // bytes that the finder holds for these distances
    double gain;  // about how many times fewer cells a query expands, measured on a sample
} AstarBaking;

// Bakes landmarks: chooses 'pivots' cells that lie far apart, 0 to 16 of them, and stores the
// distances of all cells from each of these landmarks. 4 landmarks serve most maps. Searches use
// the distances for a better estimate (differential heuristic: Sturtevant et al., IJCAI 2009). The
// distances are stored only if they save expansions on a sample of queries. On ground of several
// costs, or with links and walls, the distances towards the landmarks are stored, too, which takes
// twice the memory. With 0 pivots the landmarks baked before are removed.
//
// Cells that become blocked or costlier do no harm. If a cell becomes free or cheaper, or a link is
// made, some of the stored distances are lowered, and the estimate becomes a little worse. Two
// kinds of edits end the use of the landmarks until the map is baked again: a change that makes a
// terrain cheaper everywhere, and a single edit of a quarter of the map or of 65,000 cells.
//
// Nothing is baked for a finder with callbacks, a field to avoid, a 'range' or a heuristic of its
// own. A 'weight' makes queries faster still. Searches in progress restart with their next step.
// Baking takes as long as pivots + 5 searches of the whole map, or 2 * pivots + 5 with distances in
// both directions. ASTAR_NO_MEMORY leaves the finder unchanged.
ASTAR_API AstarStatus astar_finder_bake(AstarFinder *finder, int pivots, AstarBaking *out);

// Methods of baking.
typedef enum AstarBakingMethod {
    // On ground of one cost, bakes labels or, if labels do not fit into 'bytes', a hierarchy. If
    // these would make queries less than twice as fast, nothing is baked. On other ground, bakes
    // landmarks if a sample of queries expands five times fewer cells with them.
    ASTAR_BAKE_AUTO,
    ASTAR_BAKE_LABELS, // hub labels over the corners of obstacles: routes without a search
    // A contraction hierarchy over the corners of obstacles. A hierarchy is smaller than labels,
    // and a query searches few of its nodes.
    ASTAR_BAKE_HIERARCHY,
    ASTAR_BAKE_LANDMARKS, // landmarks, as by astar_finder_bake
    ASTAR_BAKE_METHOD_COUNT,
    ASTAR_BAKED_NOTHING // only as a result: nothing fits or makes queries faster
} AstarBakingMethod;

// Returns the name of a method, such as "auto" or "labels". The name is "none" for
// ASTAR_BAKED_NOTHING, and NULL beyond the last method.
ASTAR_API const char *astar_baking_method_name(AstarBakingMethod method);

typedef struct AstarBakingOptions {
    AstarBakingMethod method;
    size_t bytes;  // most bytes that labels or a hierarchy may occupy; 0: 64 per walkable cell
    int landmarks; // number of landmarks, 0 to ASTAR_MAX_PIVOTS
} AstarBakingOptions;

// A job that bakes a map in steps. When the job is done, it represents the data that it has baked.
typedef struct AstarBaked AstarBaked;

// Facts about baked data. The facts are complete once astar_baking_step has returned ASTAR_OK.
typedef struct AstarBakedFacts {
    AstarBakingMethod method; // what was baked; never ASTAR_BAKE_AUTO
    size_t bytes;             // bytes of the baked data
    double gain;              // about how many times less work a query is, measured on a sample
    int landmarks;            // number of landmarks whose distances are stored
} AstarBakedFacts;

// Creates a job that bakes the map of 'finder', which is retained. NULL for 'options' means
// ASTAR_BAKE_AUTO, the default number of bytes and 4 landmarks.
//
// Baked labels and hierarchies answer queries that jump point search would answer: on ground of one
// cost, without callbacks, 'avoid', links and walls. The routes cost the same as those of a search.
// If several routes are equally good, another one may be returned, but always the same one for the
// same baked data. Queries with other options, such as a range, 'partial' or a budget, are still
// searched for. Goals in plain view are searched for, too. If ASTAR_BAKE_AUTO has chosen the method
// and the gain is small, near goals are also searched for.
//
// Labels and hierarchies describe the map as it was when baking began. Labels and hierarchies serve
// all finders of the same corner rule, size, set of enterable terrains and diagonal_cost, until any
// of these finders bakes the map again. Blocking cells afterwards does no harm: if a blocked cell
// bars a baked route, the route is searched for. Once a cell is free that was blocked when the map
// was baked, all routes are searched for, until that cell is blocked again or the map is baked
// again. Baking again takes a fraction of the time if most corners of obstacles are still there.
ASTAR_API AstarStatus astar_baking_new(AstarFinder *finder, const AstarBakingOptions *options,
                                       AstarBaked **out);
// Continues baking by about 'expansions' expansions. Returns ASTAR_RUNNING until baking is done.
// Only the last step, which returns ASTAR_OK, changes the results of queries; for other threads
// that step is an edit of the map. If costs, links or walls change before that, landmarks are
// measured again; after eight such restarts baking ends without landmarks. After ASTAR_NO_MEMORY
// the next step starts baking again.
ASTAR_API AstarStatus astar_baking_step(AstarBaked *baked, uint64_t expansions);
// Returns the facts about the data that a job has baked.
ASTAR_API AstarBakedFacts astar_baked_facts(const AstarBaked *baked);
// Stores true in '*current' if queries can use the baked data on the present grid. Stores false
// while baking is not done.
ASTAR_API AstarStatus astar_baked_is_current(AstarBaked *baked, bool *current);
// Writes baked data as bytes, which are the same on every machine, together with a hash of the map.
// Labels and hierarchies are saved with the map for which they were baked, landmarks with the
// present map. Returns the number of bytes. Bytes beyond 'capacity' are not written, so NULL and 0
// measure the size. Returns 0 if there is nothing to save, for example because an edit or another
// baking has ended the use of the landmarks.
ASTAR_API size_t astar_baked_save(const AstarBaked *baked, void *bytes, size_t capacity);
// Loads baked data and makes them available to queries. The map must be as it was when the data
// were saved, and the finder must have the same corner rule, size and diagonal_cost. For landmarks
// it is enough that no step became cheaper. Returns ASTAR_BAD_DATA if something differs or if the
// bytes are truncated, altered or forged, and stores in '*why' a phrase that names the cause. Even
// forged bytes can never lead to a route that cannot be walked.
ASTAR_API AstarStatus astar_baked_load(AstarFinder *finder, const void *bytes, size_t length,
                                       const char **why, AstarBaked **out);
// Frees a job. The data that it has baked stay with the map. NULL is allowed.
ASTAR_API void astar_baked_free(AstarBaked *baked);
// Frees a part of a job, which takes about as long as 'expansions' expansions. Use it for a job in
// the middle of baking, because freeing the job in a single call may take many milliseconds.
// Returns true once little is left to free. After the first call the job can only be cleared
// further or freed.
ASTAR_API bool astar_baking_clear(AstarBaked *baked, uint64_t expansions);
