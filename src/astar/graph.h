// graph.h -- Graphs: nodes joined by edges, such as rooms and exits or stations and lines. With the
// callback AstarNeighbours, a search can instead explore any space of states that the host
// describes. A graph and all its searches belong to one thread at a time.

// Maximum number of nodes of a graph.
#define ASTAR_MAX_NODES 268435456
#define ASTAR_MAX_KEY 268435455   // bytes of the longest key that is a text
#define ASTAR_NO_NODE UINT32_MAX  // number that stands for "no node"
#define ASTAR_GRAPH_COST_MAX 1e15 // limit for costs of edges and for coordinates
// Maximum number of landmarks of a graph.
#define ASTAR_MAX_LANDMARKS 16

typedef struct AstarGraph AstarGraph;
typedef struct AstarGraphSearch AstarGraphSearch;
typedef struct AstarGraphBaking AstarGraphBaking;

// Creates a graph without nodes.
ASTAR_API AstarStatus astar_graph_new(const AstarAllocator *allocator, AstarGraph **out);
// Adds a reference to a graph. Each search holds one.
ASTAR_API void astar_graph_retain(AstarGraph *graph);
// Drops a reference to a graph, which is freed with the last one.
ASTAR_API void astar_graph_release(AstarGraph *graph);
// Returns the version of a graph, which grows with each edit.
ASTAR_API uint64_t astar_graph_version(const AstarGraph *graph);
// Returns the bytes that the graph occupies, including data kept for its searches.
ASTAR_API size_t astar_graph_bytes(const AstarGraph *graph);
// Returns how many nodes a graph has.
ASTAR_API uint32_t astar_graph_count(const AstarGraph *graph);

// A node of a graph.
typedef struct AstarWaypoint {
    AstarName key; // name of the node; its text is valid until a node is added
    double x, y;   // coordinates of the node; both NAN if it has no position
    // True if the node cannot be entered.
    bool blocked;
} AstarWaypoint;

// Adds a node, or moves the node that already has the key 'key'. NAN for both coordinates means no
// position, or leaves an existing node where it is. Stores the number of the node in '*node': 0, 1,
// 2, ... in order. A number stays valid until a node is added after another one was removed.
// Returns ASTAR_BAD_OPTION for a number that is NAN and for a text or coordinate beyond the limits,
// ASTAR_TOO_LARGE beyond ASTAR_MAX_NODES.
ASTAR_API AstarStatus astar_graph_put(AstarGraph *graph, const AstarName *key, double x, double y,
                                      uint32_t *node);
// Returns the number of the node with a key, or ASTAR_NO_NODE.
ASTAR_API uint32_t astar_graph_find(const AstarGraph *graph, const AstarName *key);
// Stores the key, position and state of a node. Returns false if there is no such node.
ASTAR_API bool astar_graph_node(const AstarGraph *graph, uint32_t node, AstarWaypoint *out);
// Stores the number of the next node, in the order of creation. '*cursor' must be 0 before the
// first call. Returns false after the last node.
ASTAR_API bool astar_graph_next(const AstarGraph *graph, uint32_t *cursor, uint32_t *node);
// Removes a node with all edges from it and to it. Returns false if there was no such node.
ASTAR_API bool astar_graph_remove(AstarGraph *graph, uint32_t node);
// Returns the node nearest to a position, whether blocked or not; among equally near ones the one
// created first. Returns ASTAR_NO_NODE if no node has a position.
ASTAR_API uint32_t astar_graph_nearest(AstarGraph *graph, double x, double y);

// An edge, seen from the node that it leads from.
typedef struct AstarEdge {
    // Number of the node that the edge leads to.
    uint32_t to;
    uint32_t label; // number for use by the host
    // Cost of the step over the edge.
    double cost;
    // True if the edge cannot be used.
    bool blocked;
    bool by_distance; // true if the cost is the distance between the positions
} AstarEdge;

// Adds an edge from one node to another and, unless 'one_way', an edge back. An existing edge gets
// the new cost and label. 'cost' is 0 to ASTAR_GRAPH_COST_MAX (else ASTAR_BAD_COST). NAN means that
// the cost is the distance between the nodes, or 1 if one of them has no position. Returns
// ASTAR_BAD_OPTION unless 'from' and 'to' are two different nodes.
ASTAR_API AstarStatus astar_graph_connect(AstarGraph *graph, uint32_t from, uint32_t to,
                                          double cost, uint32_t label, bool one_way);
// Removes the edge between two nodes and, unless 'one_way', the edge back. Returns false if there
// was none.
ASTAR_API bool astar_graph_disconnect(AstarGraph *graph, uint32_t from, uint32_t to, bool one_way);
// Stores the edge from one node to another. Returns false if there is none.
ASTAR_API bool astar_graph_edge(const AstarGraph *graph, uint32_t from, uint32_t to,
                                AstarEdge *edge);
// Stores the next edge out of a node. '*cursor' must be 0 before the first call. Returns false
// after the last edge.
ASTAR_API bool astar_graph_next_edge(const AstarGraph *graph, uint32_t from, uint32_t *cursor,
                                     AstarEdge *edge);
// Blocks a node, which can then not be entered, or unblocks it. Returns false if there is no such
// node.
ASTAR_API bool astar_graph_block(AstarGraph *graph, uint32_t node, bool blocked);
// Blocks the edges between two nodes in both directions, or unblocks them. Returns false if there
// are none.
ASTAR_API bool astar_graph_block_edge(AstarGraph *graph, uint32_t a, uint32_t b, bool blocked);

// Options of a graph search that a single query may replace.
typedef struct AstarGraphQueryOptions {
    // Factor by which the path may cost more than the optimum, 1 (default) to ASTAR_MAX_WEIGHT. A
    // greater factor makes the search faster.
    double weight;
    double max_cost;         // greatest cost of a path, >= 0; default INFINITY
    uint64_t max_expansions; // maximum number of expansions, >= 1; default UINT64_MAX
    // If true and no path leads to the goal, the result is a path to the node nearest to the goal,
    // measured by positions or by the host's estimate. Without either of these the option is an
    // error (ASTAR_BAD_OPTION). Default: false.
    bool partial;
} AstarGraphQueryOptions;

// A callback that returns the cost of the step over an edge: from astar_graph_search_least to
// ASTAR_GRAPH_COST_MAX, or INFINITY if the step cannot be made. 'cost' is the cost of the edge
// without the callback.
typedef double (*AstarEdgeCost)(void *context, uint32_t from, uint32_t to, uint32_t label,
                                double cost);
// A callback that returns an estimate of the cost from a node to the goal, finite and >= 0. The
// host must keep it admissible. The callback is called once per node.
typedef double (*AstarNodeEstimate)(void *context, uint32_t node, uint32_t goal);
// A callback that reports the successors of a state to a search: for each one it calls
// astar_graph_search_state and astar_graph_search_reach_state. Any result but ASTAR_OK ends the
// step with that status.
typedef AstarStatus (*AstarNeighbours)(void *context, AstarGraphSearch *search, uint32_t state);
// A callback that returns true if a node is a goal. The callback is called once per node, for the
// nearest node first.
typedef bool (*AstarNodeTest)(void *context, uint32_t node);

// Options of a search in a graph. The callbacks may not edit the graph that they are called for
// (ASTAR_GRID_CHANGED). The callbacks may leave astar_graph_search_step by longjmp, and the search
// can continue later.
typedef struct AstarGraphOptions {
    AstarEdgeCost cost; // cost of a step; default NULL: the edge's own cost
    // Least result of 'cost' per unit of distance. NAN (default) means the least over all edges.
    double min_cost;
    // If true, 'cost' never returns less than the edge's own cost, so that landmarks and components
    // stay valid. Default: false.
    bool dearer_only;
    // Estimate of the host. NULL (default) means an estimate by landmarks or positions, if these
    // are admissible.
    AstarNodeEstimate estimate;
    // Successors of a state. NULL (default) means that the search runs over the nodes of the graph.
    AstarNeighbours neighbours;
    // Defaults for the queries of the search.
    AstarGraphQueryOptions query;
} AstarGraphOptions;

// Returns the default options.
ASTAR_API AstarGraphOptions astar_graph_options_default(void);

// A path through a graph, in a struct of the caller. Its node numbers are those that were valid
// during the search.
typedef struct AstarGraphPath {
    // Nodes from start to goal.
    uint32_t *nodes;
    size_t count;
    double cost; // sum of the costs of its steps, added in their order
    // Number of expanded nodes.
    uint64_t expanded;
    // True if the path ends at the node nearest to the goal.
    bool partial;
    // Allocated length of 'nodes'.
    size_t capacity;
    AstarAllocator allocator;
} AstarGraphPath;

// Initialises a path, which must be destroyed after use.
ASTAR_API void astar_graph_path_init(AstarGraphPath *path);
// Frees the memory of a path.
ASTAR_API void astar_graph_path_destroy(AstarGraphPath *path);

// Finds the cheapest path between two nodes: by A* if an admissible estimate is known, else by
// Dijkstra's algorithm. Costs whose sums are exact in double precision, such as whole numbers, are
// compared exactly; sums of other costs may differ from the least one in their last digits. Ties
// are broken by the order in which nodes were created. The start may be blocked.
ASTAR_API AstarStatus astar_graph_find_path(AstarGraph *graph, const AstarGraphOptions *options,
                                            uint32_t start, uint32_t goal, void *context,
                                            AstarGraphPath *path);

// Creates a search. The caller starts a query by one of the functions below, steps the search, and
// frees it. If 'query' of a query is NULL, the query has the options of the search. Any edit of
// the graph ends the search with ASTAR_GRID_CHANGED, unless astar_graph_search_take_snapshot was
// called.
ASTAR_API AstarStatus astar_graph_search_new(AstarGraph *graph, const AstarGraphOptions *options,
                                             AstarGraphSearch **out);
// Frees a search. NULL is allowed.
ASTAR_API void astar_graph_search_free(AstarGraphSearch *search);
// Starts a query for a path to one goal. Returns ASTAR_RUNNING, or the result if it is known
// without a search.
ASTAR_API AstarStatus astar_graph_search_to(AstarGraphSearch *search, uint32_t start, uint32_t goal,
                                            const AstarGraphQueryOptions *query, void *context);
// Starts a query for a path to the nearest of several goals. astar_graph_search_index returns which
// goal was found; if a node is listed twice, the index of the first entry is returned.
ASTAR_API AstarStatus astar_graph_search_nearest(AstarGraphSearch *search, uint32_t start,
                                                 const uint32_t *goals, size_t count,
                                                 const AstarGraphQueryOptions *query);
// Returns the index of the goal that the path leads to.
ASTAR_API size_t astar_graph_search_index(const AstarGraphSearch *search);
// Starts a query for a path to the nearest node that passes a test.
ASTAR_API AstarStatus astar_graph_search_where(AstarGraphSearch *search, uint32_t start,
                                               AstarNodeTest test,
                                               const AstarGraphQueryOptions *query);
// Starts a query for all nodes within 'max_cost'. A step of the search returns ASTAR_OK when all
// these nodes are expanded. If it returns ASTAR_MAX_EXPANSIONS, the nodes expanded so far can be
// read.
ASTAR_API AstarStatus astar_graph_search_reach(AstarGraphSearch *search, uint32_t start,
                                               double max_cost);

// A node at which a route enters the graph from outside, or leaves it.
typedef struct AstarWayIn {
    // Number of the node.
    uint32_t node;
    // Cost of the route between the outside and the node.
    double cost;
} AstarWayIn;

// Starts a query for a route through the graph from outside to outside. The route enters the graph
// at one of 'ways_in' and leaves it at one of 'ways_out'. The goal lies outside at (goal_x,
// goal_y). No entry of 'ways_out' may cost less than the distance to that point, because the
// distance serves as an estimate. NAN means that the point is not known. The path lists only nodes;
// its cost is that of the whole route.
ASTAR_API AstarStatus astar_graph_search_between(AstarGraphSearch *search,
                                                 const AstarWayIn *ways_in, size_t in_count,
                                                 const AstarWayIn *ways_out, size_t out_count,
                                                 double goal_x, double goal_y,
                                                 const AstarGraphQueryOptions *query,
                                                 void *context);

// Makes a search use a snapshot of the present graph, so that later edits do not end the search.
// Call it after a query was started and before the first step. Until the search is freed, each edit
// keeps the data that it replaces, and node numbers stay valid. If memory for these data runs out,
// the search ends with ASTAR_NO_MEMORY. Returns ASTAR_BAD_OPTION for a search with AstarNeighbours
// and for a search that has made a step already.
ASTAR_API AstarStatus astar_graph_search_take_snapshot(AstarGraphSearch *search);
// Drops the snapshot of a search that has ended and whose result was read.
ASTAR_API void astar_graph_search_leave_snapshot(AstarGraphSearch *search);
// Returns true if a search with a snapshot of the graph exists. The result of such a search may
// contain nodes that were removed since.
ASTAR_API bool astar_graph_has_snapshots(const AstarGraph *graph);
// Returns the oldest version of the graph of which a snapshot exists. If there is no snapshot,
// returns the present version.
ASTAR_API uint64_t astar_graph_snapshot_since(const AstarGraph *graph);
// Stores a node as the search sees it, like astar_graph_node. Returns false if there is no such
// node.
ASTAR_API bool astar_graph_search_waypoint(const AstarGraphSearch *search, uint32_t node,
                                           AstarWaypoint *out);
// Returns the label of the edge between two nodes as the search sees it, or 0 if there is no edge.
ASTAR_API uint32_t astar_graph_search_label(const AstarGraphSearch *search, uint32_t from,
                                            uint32_t to);
// Makes at most 'expansions' more expansions and returns the status, like astar_search_step.
ASTAR_API AstarStatus astar_graph_search_step(AstarGraphSearch *search, uint64_t expansions,
                                              void *context);
// Returns the status of a search.
ASTAR_API AstarStatus astar_graph_search_status(const AstarGraphSearch *search);
// Returns how many nodes a search has expanded.
ASTAR_API uint64_t astar_graph_search_expanded(const AstarGraphSearch *search);
// Returns the bytes that a search occupies.
ASTAR_API size_t astar_graph_search_bytes(const AstarGraphSearch *search);
// Returns the least valid result of the 'cost' callback for a step over an edge of cost 'cost'.
ASTAR_API double astar_graph_search_least(const AstarGraphSearch *search, uint32_t from,
                                          uint32_t to, double cost);
// Stores the path of a search that ended with ASTAR_OK.
ASTAR_API AstarStatus astar_graph_search_path(const AstarGraphSearch *search, AstarGraphPath *path);
// Stores the cheapest path to any node that the search has reached.
ASTAR_API AstarStatus astar_graph_search_path_to(const AstarGraphSearch *search, uint32_t node,
                                                 AstarGraphPath *path);
// Stores the cost 'g' of the path to an expanded node and the node before it, ASTAR_NO_NODE at the
// start. Returns false if the node was not expanded.
ASTAR_API bool astar_graph_search_node(const AstarGraphSearch *search, uint32_t node, double *g,
                                       uint32_t *parent);
// Stores the next node that astar_graph_search_reach has reached, the nearest first. '*cursor' must
// be 0 before the first call. Returns false after the last node.
ASTAR_API bool astar_graph_search_reached(const AstarGraphSearch *search, uint64_t *cursor,
                                          uint32_t *node, double *g);
// Stores the number of a state in a search with AstarNeighbours. A key that is new gets the next
// number. Call it for the start and the goal before the query starts.
ASTAR_API AstarStatus astar_graph_search_state(AstarGraphSearch *search, const AstarName *key,
                                               uint32_t *state, bool *is_new);
// Reports to the search, from within AstarNeighbours, that a step of 'cost' >= 0 leads to a state.
// Stores true in '*is_better' if that is the cheapest path to the state found so far.
ASTAR_API AstarStatus astar_graph_search_reach_state(AstarGraphSearch *search, uint32_t state,
                                                     double cost, void *context, bool *is_better);

// Creates a job that bakes landmarks: it measures the distances of all nodes from 0 to
// ASTAR_MAX_LANDMARKS nodes that lie far apart. Later searches without 'cost' and 'estimate'
// callbacks use them as estimates (ALT: Goldberg and Harrelson, 2005). Blocked nodes and edges are
// treated as open. Edges that are removed or become costlier later do no harm. After a new edge or
// a lower cost, searches do not use landmarks until the graph is baked again. 'landmarks' = 0
// removes the landmarks of an earlier baking.
ASTAR_API AstarStatus astar_graph_baking_new(AstarGraph *graph, int landmarks,
                                             AstarGraphBaking **out);
// Works on the job by about 'expansions' expansions. Returns ASTAR_RUNNING until all distances are
// measured and available.
ASTAR_API AstarStatus astar_graph_baking_step(AstarGraphBaking *baking, uint64_t expansions);
// Frees a job. NULL is allowed.
ASTAR_API void astar_graph_baking_free(AstarGraphBaking *baking);
// Returns how many landmarks are available, and stores the bytes of their distances in '*bytes'.
ASTAR_API int astar_graph_landmarks(const AstarGraph *graph, size_t *bytes);

// Writes a graph and the names of its labels as bytes, like astar_grid_save, and stores their
// number in '*length'. Keys of the kind ASTAR_NAME_OTHER are written as numbers, which mean nothing
// to a loader; the host has to make sure that there are none.
ASTAR_API AstarStatus astar_graph_save(const AstarGraph *graph, const AstarSaving *saving,
                                       void *bytes, size_t capacity, size_t *length);

// Creates a graph from bytes that astar_graph_save wrote. The new graph answers queries like the
// saved graph. Returns ASTAR_BAD_DATA for any other bytes. Stores the names of all labels in
// 'labels'; they point into the bytes that were loaded.
ASTAR_API AstarStatus astar_graph_load(const AstarAllocator *allocator, const void *bytes,
                                       size_t length, AstarGraph **out, AstarNames *labels);
