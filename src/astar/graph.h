// graph.h -- way-points and the edges between them: rooms and exits, stations and lines; or, with
// the function AstarNeighbours, any space of states that the host can describe. A graph and all
// that is of it belong to one thread at a time.

#define ASTAR_MAX_NODES 268435456
#define ASTAR_MAX_KEY 268435455   // bytes of a key that is a text
#define ASTAR_NO_NODE UINT32_MAX  // no node's number
#define ASTAR_GRAPH_COST_MAX 1e15 // the dearest edge, and the farthest coordinate from 0
#define ASTAR_MAX_LANDMARKS 16

typedef struct AstarGraph AstarGraph;
typedef struct AstarGraphSearch AstarGraphSearch;
typedef struct AstarGraphBaking AstarGraphBaking;

ASTAR_API AstarStatus astar_graph_new(const AstarAllocator *allocator, AstarGraph **out);
// Graphs are counted references: searches hold one each.
ASTAR_API void astar_graph_retain(AstarGraph *graph);
ASTAR_API void astar_graph_release(AstarGraph *graph);
// Counts the edits.
ASTAR_API uint64_t astar_graph_version(const AstarGraph *graph);
// The bytes it takes up, with what it keeps for its searches.
ASTAR_API size_t astar_graph_bytes(const AstarGraph *graph);
ASTAR_API uint32_t astar_graph_count(const AstarGraph *graph); // of nodes

typedef struct AstarWaypoint {
    AstarName key; // its text stays until a node is added
    double x, y;   // NAN where it has no position
    bool blocked;
} AstarWaypoint;

// Adds a node or, where there is one of that key, gives it another position. Both NAN: none, or the
// one it has. '*node' is its number: 0, 1, 2, ... in order; numbers hold until a node is added
// after another was removed. ASTAR_BAD_OPTION for a number that is NAN, a text or a coordinate
// beyond the limits, ASTAR_TOO_LARGE beyond ASTAR_MAX_NODES.
ASTAR_API AstarStatus astar_graph_put(AstarGraph *graph, const AstarName *key, double x, double y,
                                      uint32_t *node);
// The number of a node; ASTAR_NO_NODE where there is none of that key.
ASTAR_API uint32_t astar_graph_find(const AstarGraph *graph, const AstarName *key);
ASTAR_API bool astar_graph_node(const AstarGraph *graph, uint32_t node, AstarWaypoint *out);
// Stores the next node's number in the order they were made; '*cursor' is 0 at first.
ASTAR_API bool astar_graph_next(const AstarGraph *graph, uint32_t *cursor, uint32_t *node);
// Takes a node away, and all edges from it and to it; whether there was one.
ASTAR_API bool astar_graph_remove(AstarGraph *graph, uint32_t node);
// The node nearest to a position, blocked or not, of equally near ones the first that was made;
// ASTAR_NO_NODE where none has a position.
ASTAR_API uint32_t astar_graph_nearest(AstarGraph *graph, double x, double y);

// A way from one node to another.
typedef struct AstarEdge {
    uint32_t to;
    uint32_t label; // the host's own
    double cost;
    bool blocked;
    bool by_distance; // the cost follows the positions
} AstarEdge;

// Leads an edge from one node to another and, unless 'one_way', back; what there is takes the new
// cost and label. 'cost' from 0 to ASTAR_GRAPH_COST_MAX (ASTAR_BAD_COST), or NAN: the distance of
// the two, 1 where one has no position. ASTAR_BAD_OPTION where they are no two nodes.
ASTAR_API AstarStatus astar_graph_connect(AstarGraph *graph, uint32_t from, uint32_t to,
                                          double cost, uint32_t label, bool one_way);
// Takes the way there and, unless 'one_way', the way back away; whether there was any.
ASTAR_API bool astar_graph_disconnect(AstarGraph *graph, uint32_t from, uint32_t to, bool one_way);
ASTAR_API bool astar_graph_edge(const AstarGraph *graph, uint32_t from, uint32_t to,
                                AstarEdge *edge);
// Stores the next edge out of a node; '*cursor' is 0 at first.
ASTAR_API bool astar_graph_next_edge(const AstarGraph *graph, uint32_t from, uint32_t *cursor,
                                     AstarEdge *edge);
// A blocked node cannot be entered, a blocked edge not be walked, either way; whether there is any.
ASTAR_API bool astar_graph_block(AstarGraph *graph, uint32_t node, bool blocked);
ASTAR_API bool astar_graph_block_edge(AstarGraph *graph, uint32_t a, uint32_t b, bool blocked);

// What one question may have its own way.
typedef struct AstarGraphQuestion {
    double weight;           // 1 to ASTAR_MAX_WEIGHT, default 1
    double max_cost;         // >= 0, default INFINITY
    uint64_t max_expansions; // >= 1, default UINT64_MAX
    bool partial; // false; true: without a way the path to the node nearest to the goal, by
                  // positions or the host's estimate; ASTAR_BAD_OPTION where there is neither
} AstarGraphQuestion;

// What the step over an edge costs: from astar_graph_search_least to ASTAR_GRAPH_COST_MAX, or
// INFINITY where it cannot be made. 'cost' is the edge's own.
typedef double (*AstarEdgeCost)(void *context, uint32_t from, uint32_t to, uint32_t label,
                                double cost);
// What the rest of the way from a node to the goal costs at least: >= 0 and finite, the host's to
// keep admissible. Asked once a node.
typedef double (*AstarNodeEstimate)(void *context, uint32_t node, uint32_t goal);
// Tells a search what can be reached from a state: by astar_graph_search_state and
// astar_graph_search_reach_state for each. Any status but ASTAR_OK ends the step with it.
typedef AstarStatus (*AstarNeighbours)(void *context, AstarGraphSearch *search, uint32_t state);
// Whether a node is a goal. Asked once a node, the nearest first.
typedef bool (*AstarNodeTest)(void *context, uint32_t node);

// These functions may not edit the graph they are asked about (ASTAR_GRID_CHANGED). Out of
// astar_graph_search_step they may leave by longjmp: the search can go on later.
typedef struct AstarGraphOptions {
    AstarEdgeCost cost;         // NULL
    double min_cost;            // the least that 'cost' returns per unit of distance; NAN
                                // (default): the least of all edges
    bool dearer_only;           // false; true: nor less than the edge's own cost, so that landmarks
                                // and components hold for this unit
    AstarNodeEstimate estimate; // NULL: by landmarks or positions, as far as they can be trusted
    AstarNeighbours neighbours; // NULL; else the search is one of states, not of the graph's nodes
    AstarGraphQuestion question;
} AstarGraphOptions;

ASTAR_API AstarGraphOptions astar_graph_options_default(void);

// A path: a caller's struct. Its numbers are those of nodes as the graph was.
typedef struct AstarGraphPath {
    uint32_t *nodes; // from start to goal
    size_t count;
    double cost; // the sum of its steps, added in their order
    uint64_t expanded;
    bool partial;
    size_t capacity;
    AstarAllocator allocator;
} AstarGraphPath;

ASTAR_API void astar_graph_path_init(AstarGraphPath *path);
ASTAR_API void astar_graph_path_destroy(AstarGraphPath *path);

// The cheapest path, as the questions to finders are answered: by A*, where estimates are known
// that cannot be wrong, else by Dijkstra's algorithm. Costs that add up exactly in double
// precision, such as whole numbers, are compared exactly; of others the sum may differ from the
// least in its last digits. Ties break by the order in which nodes were made. A start that is
// blocked may be left.
ASTAR_API AstarStatus astar_graph_find_path(AstarGraph *graph, const AstarGraphOptions *options,
                                            uint32_t start, uint32_t goal, void *context,
                                            AstarGraphPath *path);

// A search for one question: made, begun by one of the functions below, stepped, freed. NULL for a
// question: as the options have it. Any edit of the graph ends it with ASTAR_GRID_CHANGED, unless
// it was frozen.
ASTAR_API AstarStatus astar_graph_search_new(AstarGraph *graph, const AstarGraphOptions *options,
                                             AstarGraphSearch **out);
ASTAR_API void astar_graph_search_free(AstarGraphSearch *search); // NULL is fine
// To one goal. ASTAR_RUNNING, or the answer where it is known at once.
ASTAR_API AstarStatus astar_graph_search_to(AstarGraphSearch *search, uint32_t start, uint32_t goal,
                                            const AstarGraphQuestion *question, void *context);
// To the nearest of several; astar_graph_search_index tells which, of the same node the first.
ASTAR_API AstarStatus astar_graph_search_nearest(AstarGraphSearch *search, uint32_t start,
                                                 const uint32_t *goals, size_t count,
                                                 const AstarGraphQuestion *question);
ASTAR_API size_t astar_graph_search_index(const AstarGraphSearch *search);
// To the nearest that passes a test.
ASTAR_API AstarStatus astar_graph_search_where(AstarGraphSearch *search, uint32_t start,
                                               AstarNodeTest test,
                                               const AstarGraphQuestion *question);
// To all within 'max_cost' and what the options allow; ASTAR_OK when that is done, or
// ASTAR_MAX_EXPANSIONS, which leaves what was expanded.
ASTAR_API AstarStatus astar_graph_search_reach(AstarGraphSearch *search, uint32_t start,
                                               double max_cost);

// A node where a way from outside enters the graph, or leaves it, and what that costs.
typedef struct AstarWayIn {
    uint32_t node;
    double cost;
} AstarWayIn;

// From outside to outside: in by one node and out by one, to a goal at (goal_x, goal_y), the ways
// out no cheaper than the distance to that; NAN: nowhere. The path is of nodes only, its cost is
// all.
ASTAR_API AstarStatus astar_graph_search_between(AstarGraphSearch *search,
                                                 const AstarWayIn *ways_in, size_t in_count,
                                                 const AstarWayIn *ways_out, size_t out_count,
                                                 double goal_x, double goal_y,
                                                 const AstarGraphQuestion *question, void *context);

// Has a search that was begun, and neither stepped nor made with neighbours, be one of the graph as
// it is now: edits that come after do not end it. Until it is freed each edit keeps what it
// changes, for the search, and nodes keep their numbers; where there is no memory for that the
// search ends with ASTAR_NO_MEMORY. ASTAR_BAD_OPTION where it cannot be.
ASTAR_API AstarStatus astar_graph_search_freeze(AstarGraphSearch *search);
// Lets go of what is kept for it: for one that has ended, whose answer was read.
ASTAR_API void astar_graph_search_thaw(AstarGraphSearch *search);
// Whether there is such a search: it may tell of nodes that were taken out since.
ASTAR_API bool astar_graph_has_frozen(const AstarGraph *graph);
// The version that the first of them sees; that of now where there is none.
ASTAR_API uint64_t astar_graph_frozen_since(const AstarGraph *graph);
// A node as the search sees it; false where there is none. As astar_graph_node.
ASTAR_API bool astar_graph_search_waypoint(const AstarGraphSearch *search, uint32_t node,
                                           AstarWaypoint *out);
// The label of the edge from one node to another, as the search sees it, 0 for none.
ASTAR_API uint32_t astar_graph_search_label(const AstarGraphSearch *search, uint32_t from,
                                            uint32_t to);
// As astar_search_step.
ASTAR_API AstarStatus astar_graph_search_step(AstarGraphSearch *search, uint64_t expansions,
                                              void *context);
ASTAR_API AstarStatus astar_graph_search_status(const AstarGraphSearch *search);
ASTAR_API uint64_t astar_graph_search_expanded(const AstarGraphSearch *search);
ASTAR_API size_t astar_graph_search_bytes(const AstarGraphSearch *search);
// The least that 'cost' may return for a step that it is told to cost so much.
ASTAR_API double astar_graph_search_least(const AstarGraphSearch *search, uint32_t from,
                                          uint32_t to, double cost);
// The path of a search that ended ASTAR_OK, and the cheapest path to any node it has reached.
ASTAR_API AstarStatus astar_graph_search_path(const AstarGraphSearch *search, AstarGraphPath *path);
ASTAR_API AstarStatus astar_graph_search_path_to(const AstarGraphSearch *search, uint32_t node,
                                                 AstarGraphPath *path);
// What it costs to a node that was expanded, and the node before, ASTAR_NO_NODE at the start.
ASTAR_API bool astar_graph_search_node(const AstarGraphSearch *search, uint32_t node, double *g,
                                       uint32_t *parent);
// Of astar_graph_search_reach: stores the next node, the nearest first; '*cursor' is 0 at first.
ASTAR_API bool astar_graph_search_reached(const AstarGraphSearch *search, uint64_t *cursor,
                                          uint32_t *node, double *g);
// The number of a state of a search that was made with neighbours: the next one where its key is
// new. Start and goal are to be asked for before it begins.
ASTAR_API AstarStatus astar_graph_search_state(AstarGraphSearch *search, const AstarName *key,
                                               uint32_t *state, bool *is_new);
// In AstarNeighbours: a step leads to a state at a cost >= 0. '*is_better' tells whether that is
// the cheapest way there yet.
ASTAR_API AstarStatus astar_graph_search_reach_state(AstarGraphSearch *search, uint32_t state,
                                                     double cost, void *context, bool *is_better);

// Measures the distances of all nodes from a few far-off ones, 0 to ASTAR_MAX_LANDMARKS, as
// estimates for the searches to come that no 'cost' or 'estimate' is given for (ALT: Goldberg and
// Harrelson, 2005), a few expansions at a time: ASTAR_RUNNING until all is done and they come into
// force. Blocks count for open, and what is taken away or gets dearer later does no harm; after a
// new edge or a lower cost searches go on without until baked again. 0 lets go of what was baked.
ASTAR_API AstarStatus astar_graph_baking_new(AstarGraph *graph, int landmarks,
                                             AstarGraphBaking **out);
ASTAR_API AstarStatus astar_graph_baking_step(AstarGraphBaking *baking, uint64_t expansions);
ASTAR_API void astar_graph_baking_free(AstarGraphBaking *baking); // NULL is fine
// How many are in force, and their bytes.
ASTAR_API int astar_graph_landmarks(const AstarGraph *graph, size_t *bytes);

// Writes a graph and the names of its labels as bytes, as astar_grid_save does; '*length' is how
// many there are. Keys of ASTAR_NAME_OTHER are written as numbers: the host has to see that there
// are none.
ASTAR_API AstarStatus astar_graph_save(const AstarGraph *graph, const AstarSaving *saving,
                                       void *bytes, size_t capacity, size_t *length);

// A graph as astar_graph_save wrote it: it answers as that one does. ASTAR_BAD_DATA for bytes that
// are no such thing; all labels of its edges have a name, in the bytes that were loaded.
ASTAR_API AstarStatus astar_graph_load(const AstarAllocator *allocator, const void *bytes,
                                       size_t length, AstarGraph **out, AstarNames *labels);
