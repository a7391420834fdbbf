// graph.h -- navigation graphs: nodes, the edges between them, and what is blocked.
//
// A node's arcs lie side by side in one array of all arcs, in a block of a few sizes: an expansion
// reads one or two lines of memory. An edge that leads one way only has an arc at its other end,
// too, marked absent: so a node's own block tells who leads to it, and it can be taken out without
// a look at the others. A node that is taken out leaves a gap in the numbers, closed when the array
// would grow: numbers stay in the order in which nodes were made, by which ties break.

#ifndef ASTAR_GRAPH_H
#define ASTAR_GRAPH_H

#include "base/alloc.h"
#include "parts/graph/keys.h"

#include <math.h>

enum {
    ASTAR_NODE_BLOCKED = 1,
    ASTAR_NODE_REMOVED = 2,
    ASTAR_ARC_CLASSES = 56, // sizes of blocks
    ASTAR_RESTING_GRAPH_SEARCHES = 4,
};

// Flags of an arc, above the node it leads to.
#define ASTAR_ARC_BLOCKED UINT32_C(0x80000000)
#define ASTAR_ARC_ABSENT UINT32_C(0x40000000)      // leads here, not there
#define ASTAR_ARC_BY_DISTANCE UINT32_C(0x20000000) // costs what the positions say
#define ASTAR_ARC_NODE UINT32_C(0x1FFFFFFF)

typedef struct AstarGraphArc {
    uint32_t to; // and flags
    uint32_t label;
    double cost;
} AstarGraphArc;

typedef struct AstarGraphNode {
    double x, y;   // NAN: nowhere
    uint32_t arcs; // where its block begins
    uint32_t count, capacity;
    uint32_t flags;
} AstarGraphNode;

// A forest of nodes that may hang together; see graph_baking.c.
typedef struct AstarGraphComponents {
    uint32_t *parents; // by node, a root's its own; NULL: not built
    size_t capacity;
    uint32_t count;
    bool may_be_split; // by edits since they were built
    uint64_t in_vain;  // nodes expanded by searches that found no way, since then
} AstarGraphComponents;

struct AstarGraph {
    AstarAllocator alloc;
    uint32_t references;
    AstarKeys keys;        // a key for each node, by number
    AstarGraphNode *nodes; // keys.count of them
    size_t node_capacity;
    uint32_t removed; // nodes
    AstarGraphArc *arcs;
    size_t arc_count, arc_capacity;          // blocks handed out, free ones included
    uint32_t free_blocks[ASTAR_ARC_CLASSES]; // the first of each size and 1, its 'label' the next
    uint64_t version;                        // counts the edits
    uint64_t openings;                       // counts those by which a way may have become cheaper
    uint64_t moves;                          // and those of positions

    // The least that an arc costs per length, and how many cost that; see graph.c.
    double least;
    uint64_t least_count;
    bool least_is_outdated;
    uint64_t unplaced; // arcs from or to a node without a position

    AstarGraphComponents components;
    struct AstarPlaces *places;            // see graph.c
    struct AstarGraphLandmarks *landmarks; // NULL, or what was baked; see graph_baking.c
    struct AstarGraphSearch *held;         // the first, see graph_search.c
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

static inline double astar_straight(double dx, double dy)
{
    return sqrt(dx * dx + dy * dy);
}

static inline bool astar_has_node(const AstarGraph *graph, uint32_t node)
{
    return node < graph->keys.count && !(graph->nodes[node].flags & ASTAR_NODE_REMOVED);
}

static inline AstarGraphArc *astar_arcs_of(const AstarGraph *graph, uint32_t node)
{
    static AstarGraphArc none[1]; // NULL may not be counted on from, not even by 0
    return graph->arcs != NULL ? graph->arcs + graph->nodes[node].arcs : none;
}

// The arc from one node to another, absent or not; NULL where there is none.
AstarGraphArc *astar_find_arc(const AstarGraph *graph, uint32_t from, uint32_t to);
// Adds an arc that is not there, its cost and label still to be set; NULL when there is no memory.
AstarGraphArc *astar_add_arc(AstarGraph *graph, uint32_t from, uint32_t to);
void astar_remove_arc(AstarGraph *graph, uint32_t from, uint32_t to);
// Gives a node's block back.
void astar_free_arcs(AstarGraph *graph, uint32_t node);

// Takes an arc into account, or out of it, for astar_graph_scale.
void astar_count_arc(AstarGraph *graph, uint32_t from, AstarGraphArc *arc);
void astar_discount_arc(AstarGraph *graph, uint32_t from, AstarGraphArc *arc);
// What an arc between two nodes costs by their positions, 1 where they have none.
double astar_distance_cost(const AstarGraph *graph, uint32_t from, uint32_t to);
// What a unit of length costs at least, by which distances are estimates; 0 where they are none.
double astar_graph_scale(AstarGraph *graph);

void astar_places_free(AstarGraph *graph);

#endif
