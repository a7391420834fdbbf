// graph_search.h -- a search for one query of a graph, or of a space of states that the caller
// describes.

#ifndef ASTAR_GRAPH_SEARCH_H
#define ASTAR_GRAPH_SEARCH_H

#include "base/array.h"
#include "openlist/heap.h"
#include "openlist/heap64.h"
#include "parts/graph/graph.h"

// A snapshot of a graph: copies of the nodes that were edited since. All searches in steps between
// whose beginnings the graph was not edited share one snapshot.
typedef struct AstarGraphSnapshot {
    uint32_t searches; // number of searches that read the snapshot
    // For each node 1 + the index of its copy; 0: the node was not edited.
    uint32_t *places;
    size_t node_count;     // number of nodes when the snapshot was made
    AstarGraphNode *nodes; // copies of nodes; their 'arcs' are indices into 'arcs' below
    size_t count, capacity;
    AstarGraphArc *arcs;
    size_t arc_count, arc_capacity;
} AstarGraphSnapshot;

// Stores a copy of a node that is about to be edited in each snapshot of the graph. A search ends
// if there is no memory for the copy in its snapshot.
void astar_graph_keep_node(AstarGraph *graph, uint32_t node);
// Stores copies of a node and all its neighbours in each snapshot of the graph.
void astar_graph_keep_around(AstarGraph *graph, uint32_t node);

// The record of a node that a search has reached: the cheapest path to the node so far. The stamp
// identifies the search that wrote the record, so records need not be cleared between searches.
typedef struct AstarRecord {
    double g;
    uint32_t parent;
    uint32_t stamp; // twice the search's epoch, plus 1 once the node is expanded
} AstarRecord;

typedef enum AstarGraphGoal {
    ASTAR_TO_NODE,
    ASTAR_TO_NEAREST, // the nearest goal of a list
    ASTAR_TO_PASSING, // a node that passes a test
    ASTAR_TO_ALL,     // all nodes within max_cost
} AstarGraphGoal;

typedef enum AstarEstimateKind {
    ASTAR_NO_ESTIMATE, // Dijkstra's algorithm
    ASTAR_BY_POSITION,
    ASTAR_BY_LANDMARKS, // by landmarks and positions
    ASTAR_BY_HOST,
} AstarEstimateKind;

// An entry of the list of goals, or of the list of nodes at which a route leaves the graph. 'cost'
// is the cost from the node to the point outside.
typedef struct AstarListed {
    uint32_t node;
    uint32_t index;
    double cost;
} AstarListed;

// The goal of a search and its estimate.
typedef struct AstarGraphAim {
    AstarGraphGoal kind;
    AstarEstimateKind estimate;
    uint32_t start,
        goal;     // 'goal' is for ASTAR_TO_NODE; in a joined search the number after all nodes
    double x, y;  // position of the goal; NAN: none
    double scale; // lower bound of the cost per unit of length
    AstarNodeTest test;
    uint32_t node_mask; // bits of an item of 'coarse' that hold the node
    double tie_scale;   // factor from an estimate to the bits of such an item that break ties
    double tie_most;    // greatest value of these bits
    bool reopens;       // true if expanded nodes are expanded again even with a 'weight' above 1
} AstarGraphAim;

typedef struct AstarGraphFound {
    uint32_t node; // the node where the path ends
    size_t index;
    bool is_partial;
    uint32_t nearest; // the expanded node nearest to the goal; ASTAR_NO_NODE: none
    double distance;  // distance of 'nearest' to the goal
} AstarGraphFound;

// A loop that runs a search for at most 'expansions' expansions.
typedef AstarStatus (*AstarGraphLoop)(AstarGraphSearch *search, uint64_t expansions, void *context);

struct AstarGraphSearch {
    AstarGraph *graph; // retained while the search is in use
    AstarAllocator alloc;
    AstarGraphOptions options;
    AstarGraphQueryOptions query;
    AstarStatus status;
    uint64_t version; // version of the graph when the search began
    uint64_t expanded;

    AstarRecord *records;
    double *estimates; // results of the caller's heuristic, by node
    size_t record_capacity, estimate_capacity;
    uint32_t epoch;
    AstarHeap open;
    AstarHeap64 coarse;  // the open list of the loop for usual searches; see graph_search.c
    AstarGraphLoop loop; // the loop for usual searches that runs the search; NULL: another loop
    AstarKeys states;    // the states of a space
    AstarMove growth;    // progress of growing one of these arrays, in bytes
    uint32_t current;    // the node being expanded; ASTAR_NO_NODE: none
    bool is_tested;      // true if the current node was tested and is not the goal

    AstarGraphAim aim;
    struct {
        AstarListed *items; // goals or ways out, sorted by node
        size_t count, capacity;
    } listed;
    struct {
        uint32_t *nodes; // for ASTAR_TO_ALL the nodes in the order of their expansion
        size_t count, capacity;
    } order;
    bool was_cut; // true if a path was rejected because of max_cost
    AstarGraphFound found;

    // A search in steps sees the graph as it was when the search began.
    struct {
        uint64_t since;               // version of the graph then
        size_t node_count;            // number of nodes then; 0: the search fails after any edit
        AstarGraphSnapshot *snapshot; // shared with other searches; NULL: no edit since then
        AstarGraphSearch *next;       // next search of the graph that sees an earlier moment
    } held;
};

static inline bool astar_is_held(const AstarGraphSearch *search)
{
    return search->held.node_count > 0;
}

// Returns true if the search must read some nodes from its snapshot, because these nodes were
// edited.
static inline bool astar_is_on_snapshot(const AstarGraphSearch *search)
{
    return search->held.snapshot != NULL;
}

const AstarGraphNode *astar_node_in_snapshot(const AstarGraphSearch *search, uint32_t node);
// Returns a node as the search must see it: from its snapshot if the node was edited.
static inline const AstarGraphNode *astar_node_seen(const AstarGraphSearch *search, uint32_t node)
{
    return astar_is_on_snapshot(search) ? astar_node_in_snapshot(search, node)
                                        : &search->graph->nodes[node];
}

// Returns the arcs of a node as the search must see them: from its snapshot if the node was edited.
const AstarGraphArc *astar_arcs_seen(const AstarGraphSearch *search, uint32_t node);

static inline bool astar_is_seen(const AstarGraphSearch *search, uint32_t node)
{
    return search->records[node].stamp >> 1 == search->epoch;
}

// Returns true if a path of cost 'g' to a node may be the cheapest so far.
static inline bool astar_improves(const AstarGraphSearch *search, uint32_t to, double g)
{
    const AstarRecord *record = &search->records[to];
    if (record->stamp >> 1 != search->epoch)
        return true;
    return g < record->g &&
           !(record->stamp & 1 && search->query.weight > 1 && !search->aim.reopens);
}

// Records a path to a node if it is the cheapest so far, and in this case sets '*is_better' to
// true, unless 'is_better' is NULL. Returns ASTAR_NO_MEMORY and records nothing if memory runs out,
// or ASTAR_GRID_CHANGED if the heuristic edited the graph.
AstarStatus astar_graph_relax(AstarGraphSearch *search, uint32_t from, uint32_t to, double g,
                              void *context, bool *is_better);
// Makes room for the records of 'count' nodes. Returns false if there is no memory.
bool astar_graph_make_room(AstarGraphSearch *search, size_t count);
// Moves a part of an array that is nearly full to a larger one, between two expansions. Returns
// ASTAR_OK if no array is nearly full, ASTAR_RUNNING if a part was moved, or ASTAR_NO_MEMORY.
AstarStatus astar_graph_grow_ahead(AstarGraphSearch *search);

// Factor for estimates by distance. The distance and the least cost per length are rounded. The
// factor keeps the estimate below its exact value, so that the search misses no route whose cost
// equals the estimate exactly.
#define ASTAR_ROUNDED_DOWN (1 - 1.0 / 17592186044416) // 1 - 2^-44

// The landmarks of a graph: a few nodes, and the distances between them and all other nodes; see
// graph_baking.c.

typedef struct AstarGraphLandmarks {
    uint64_t openings;   // the graph's 'openings' when the distances were measured
    uint32_t node_count; // number of nodes when the distances were measured
    int count;
    bool is_symmetric;   // true if each arc costs the same in reverse; there is no 'to' then
    bool is_exact;       // true if no distance was rounded
    uint32_t *from, *to; // 'count' distances per node, side by side
} AstarGraphLandmarks;
// Frees a search that is not in use any more.
void astar_graph_search_destroy(AstarGraphSearch *search);

#endif
