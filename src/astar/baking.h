// baking.h -- what is worked out once, for a map that has settled.

// What baking has left for the queries to come.
typedef struct AstarBaking {
    int pivots;   // whose distances are kept; 0: there is nothing that would pay
    size_t bytes; // that the finder now holds for them
    double gain;  // about how many times fewer cells queries expand with them, by a sample
} AstarBaking;

// For a map that has settled: measures the distances of all cells from a few far-off ones, 0 to
// 16 (4 serve most maps), as an estimate that spares searches expansions (the differential
// heuristic: Sturtevant et al., IJCAI 2009), and keeps them if that pays on the sample; over ground
// of several costs, links and walls the distances to those cells, too, for twice the memory. Cells
// that close or become dearer do no harm; where one opens or becomes cheaper, or a link is made,
// the edit makes up for it, and the estimate comes to tell a little less. A terrain that becomes
// cheaper all over the map, or an edit of a quarter of it or 65,000 cells, leaves nothing until
// baked again. 0 lets go of what was baked. Callbacks, a field to avoid, a range or a heuristic of
// one's own leave nothing to bake; with a weight routes are found sooner still. Searches under way
// begin anew with their next step. Takes as long as pivots + 5 floodings of the map, 2 * pivots + 5
// where there are two tables. ASTAR_NO_MEMORY leaves the finder as it was.
ASTAR_API AstarStatus astar_finder_bake(AstarFinder *finder, int pivots, AstarBaking *out);

// How a map is baked.
typedef enum AstarBakingMethod {
    ASTAR_BAKE_AUTO,      // labels, else a hierarchy, else landmarks, else nothing, as they fit the
                          // bytes and gain something
    ASTAR_BAKE_LABELS,    // hub labels over the corners of obstacles: routes without a search
    ASTAR_BAKE_HIERARCHY, // a contraction hierarchy over them: smaller, and a search of few nodes
    ASTAR_BAKE_LANDMARKS, // as astar_finder_bake
    ASTAR_BAKE_METHOD_COUNT,
    ASTAR_BAKED_NOTHING // of what was baked: nothing would pay, or fit
} AstarBakingMethod;

// Each as Lua has it, "auto", "labels", and "none" of nothing; NULL beyond.
ASTAR_API const char *astar_baking_method_name(AstarBakingMethod method);

typedef struct AstarBakingOptions {
    AstarBakingMethod method;
    size_t bytes;  // at most; 0: 64 for each cell where the unit can stand
    int landmarks; // 0 to ASTAR_MAX_PIVOTS
} AstarBakingOptions;

// Baking in slices, and what it leaves.
typedef struct AstarBaked AstarBaked;

// What was baked, all of it once astar_baking_step has returned ASTAR_OK.
typedef struct AstarBakedFacts {
    AstarBakingMethod method; // never ASTAR_BAKE_AUTO
    size_t bytes;             // that it holds
    double gain;              // about how many times less work questions are, by a sample
    int landmarks;            // whose distances are kept
} AstarBakedFacts;

// Begins to bake the map that a finder sees, with the least options where they are NULL; the finder
// is retained. Over ground of one cost, without callbacks, 'avoid', links and walls, routes that
// jump point search would find are then found without it, at the same cost, though of several that
// are the best it may be another; always the same one for the same baked data. All options of the
// finder and the question else leave them to search as before: a range, 'partial', a budget; and so
// do goals in plain view, and near ones where ASTAR_BAKE_AUTO has chosen what gains little.
//
// Labels and hierarchies belong to the map: all finders of the same rule, size, terrains entered
// and ratio of diagonal_cost have them, until it is baked again by any of them. They are of the map
// as it was when baking began. Walls put up since do no harm; where such a wall bars a route, it is
// searched for. Once a cell is free that was not, all routes are, until that cell is closed again
// or the map is baked anew, which takes a fraction of the time as long as most corners of obstacles
// stay.
ASTAR_API AstarStatus astar_baking_new(AstarFinder *finder, const AstarBakingOptions *options,
                                       AstarBaked **out);
// Goes on, by about as much as so many expansions: ASTAR_RUNNING until it is done. Only the step
// that ends it, by ASTAR_OK, changes what questions find; to other threads that is an edit of the
// map. Where costs, links or walls change in between, landmarks are measured anew, and after three
// times in one step. After ASTAR_NO_MEMORY it begins anew.
ASTAR_API AstarStatus astar_baking_step(AstarBaked *baked, uint64_t expansions);
ASTAR_API AstarBakedFacts astar_baked_facts(const AstarBaked *baked);
// Whether questions may be answered by it as the grid is now; false while it is being made.
ASTAR_API AstarStatus astar_baked_is_current(AstarBaked *baked, bool *current);
// Writes what was baked as bytes, the same on every machine, with a hash of the map it is of:
// labels and a hierarchy as the map was when it was baked, landmarks as it is now. Returns how many
// there are, 0 where there is nothing to save, as of landmarks that edits or another baking made
// void; those that do not fit into 'capacity' are left out, so that NULL and 0 only measure.
ASTAR_API size_t astar_baked_save(const AstarBaked *baked, void *bytes, size_t capacity);
// Puts in force what was saved. The map must be as it was then, the finder's rule, size and ratio
// the same, and for landmarks no step cheaper: else, and where the bytes are cut, altered or
// forged, ASTAR_BAD_DATA, and '*why' says it in words. Whatever the bytes are, routes stay routes.
ASTAR_API AstarStatus astar_baked_load(AstarFinder *finder, const void *bytes, size_t length,
                                       const char **why, AstarBaked **out);
// Lets go of the object; what was baked stays with the map. NULL is fine.
ASTAR_API void astar_baked_free(AstarBaked *baked);
// To free one in the middle of its steps may take many milliseconds. This frees as much as takes
// about as long as so many expansions; true once little is left. Then, or before, it can only be
// freed.
ASTAR_API bool astar_baking_clear(AstarBaked *baked, uint64_t expansions);
