// graph.h -- navigation graphs: nodes, the edges between them, and what is blocked.
//
// The arcs of a node lie side by side in one array of all arcs, so an expansion reads only one or
// two cache lines. The run of consecutive arcs that belongs to a node is called its block of arcs;
// blocks have a few sizes. A one-way edge also has an arc at its other end, marked absent. A node's
// own block thus shows which nodes lead to it, and the node can be removed without examining all
// other nodes. The number of a removed node stays unused until the array would have to grow; then
// the nodes are renumbered. Numbers stay in the order in which the nodes were added; ties are
// broken by number.

#ifndef ASTAR_GRAPH_H
#define ASTAR_GRAPH_H

#include "base/alloc.h"
#include "parts/graph/keys.h"

#include <math.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum {
    ASTAR_NODE_BLOCKED = 1,
    ASTAR_NODE_REMOVED = 2,
    ASTAR_ARC_CLASSES = 56, // number of sizes of blocks
    ASTAR_RESTING_GRAPH_SEARCHES = 4,
};

// Flags of an arc. The flags are stored in the bits above the number of the node that the arc leads
// to.
#define ASTAR_ARC_BLOCKED UINT32_C(0x80000000)
#define ASTAR_ARC_ABSENT UINT32_C(0x40000000)      // there is an edge in the other direction only
#define ASTAR_ARC_BY_DISTANCE UINT32_C(0x20000000) // the cost is the distance between the positions
#define ASTAR_ARC_NODE UINT32_C(0x1FFFFFFF)

typedef struct AstarGraphArc {
    uint32_t to; // the node's number, and flags
    uint32_t label;
    double cost;
} AstarGraphArc;

typedef struct AstarGraphNode {
    double x, y;   // position; NAN: none
    uint32_t arcs; // index of the first arc of its block
    uint32_t count, capacity;
    uint32_t flags;
} AstarGraphNode;

// A forest of nodes: only nodes of the same tree may be connected; see graph_baking.c.
typedef struct AstarGraphComponents {
    uint32_t *parents; // by node; a root is its own parent; NULL: not built
    size_t capacity;
    uint32_t count;
    bool may_be_split; // true if edits since the build may have split a component
    uint64_t in_vain;  // nodes expanded by searches without a result, since the build
} AstarGraphComponents;

struct AstarGraph {
    AstarAllocator alloc;
    uint32_t references;
    AstarKeys keys;        // the key of each node, by number
    AstarGraphNode *nodes; // array of the nodes; their number is keys.count
    size_t node_capacity;
    uint32_t removed; // removed nodes whose numbers are not reused yet
    uint32_t blocked; // nodes that are blocked
    AstarGraphArc *arcs;
    size_t arc_count, arc_capacity; // arcs in all blocks in use or free
    // The free blocks of arcs, one list for each size of block: 1 + the index of the first arc of a
    // free block, or 0. The 'label' of that arc is the same number for the next block of the list.
    uint32_t free_blocks[ASTAR_ARC_CLASSES];
    uint64_t version;  // number of edits
    uint64_t openings; // number of edits that may have made a path cheaper
    uint64_t moves;    // number of changes of positions

    // The least cost per length of any arc; see graph.c.
    double least;
    uint64_t least_count;
    bool least_is_outdated;
    uint64_t unplaced; // number of arcs from or to a node without a position

    AstarGraphComponents components;
    struct AstarPlaces *places;            // buckets of nodes by position, see graph.c
    struct AstarGraphLandmarks *landmarks; // the landmarks; NULL: not baked; see graph_baking.c
    struct AstarGraphSearch
        *held; // first search that runs on a snapshot of the graph, see graph_search.c
    struct AstarGraphSearch *resting[ASTAR_RESTING_GRAPH_SEARCHES];
    int resting_count;
};

static inline uint32_t astar_arc_to(const AstarGraphArc *arc)
{
    return arc->to & ASTAR_ARC_NODE;
}

static inline bool astar_is_placed(const AstarGraphNode *node)
{
    return !isnan(node->x);
}

// Returns the distance of two points. The function sqrt sets errno for negative arguments, and the
// code for that takes registers in the loop of a search; the instruction does not set errno.
static inline double astar_straight(double dx, double dy)
{
    double square = dx * dx + dy * dy;
#ifdef __SSE2__
    __m128d root = _mm_set_sd(square);
    return _mm_cvtsd_f64(_mm_sqrt_sd(root, root));
#else
    return sqrt(square);
#endif
}

static inline bool astar_has_node(const AstarGraph *graph, uint32_t node)
{
    return node < graph->keys.count && !(graph->nodes[node].flags & ASTAR_NODE_REMOVED);
}

static inline AstarGraphArc *astar_arcs_of(const AstarGraph *graph, uint32_t node)
{
    static AstarGraphArc none[1]; // adding to NULL is undefined, even adding 0
    return graph->arcs != NULL ? graph->arcs + graph->nodes[node].arcs : none;
}

// Returns the arc from one node to another, even if the arc is marked absent. Returns NULL if there
// is no arc.
AstarGraphArc *astar_find_arc(const AstarGraph *graph, uint32_t from, uint32_t to);
// Adds an arc that does not exist yet, without cost and label. Returns NULL if there is no memory.
AstarGraphArc *astar_add_arc(AstarGraph *graph, uint32_t from, uint32_t to);
void astar_remove_arc(AstarGraph *graph, uint32_t from, uint32_t to);
// Frees the block of the array that holds the arcs of a node.
void astar_free_arcs(AstarGraph *graph, uint32_t node);

// Add an arc to the counts from which astar_graph_scale finds the least cost per length, or remove
// it from these counts.
void astar_count_arc(AstarGraph *graph, uint32_t from, AstarGraphArc *arc);
void astar_discount_arc(AstarGraph *graph, uint32_t from, AstarGraphArc *arc);
// Returns the cost of an arc between two nodes by their positions: their distance, or 1 if a
// position is missing.
double astar_distance_cost(const AstarGraph *graph, uint32_t from, uint32_t to);
// Finds the least cost per unit of length of any arc and stores it in the graph.
void astar_graph_find_least_arc(AstarGraph *graph);
// Returns the least cost per unit of length of any arc. A distance times this number is a lower
// bound of the cost. Returns 0 if there is no such bound.
static inline double astar_graph_scale(AstarGraph *graph)
{
    if (graph->unplaced > 0)
        return 0;
    if (graph->least_is_outdated)
        astar_graph_find_least_arc(graph);
    return isinf(graph->least) ? 0 : graph->least;
}

void astar_places_free(AstarGraph *graph);

#endif
