// graph_search.h -- one question to a graph, or to a space of states that the host describes.

#ifndef ASTAR_GRAPH_SEARCH_H
#define ASTAR_GRAPH_SEARCH_H

#include "base/array.h"
#include "openlist/heap.h"
#include "parts/graph/graph.h"

// What a search that is held has kept of the nodes that were edited since.
typedef struct AstarKeptNodes {
    uint64_t since;    // the version of the graph that it is of
    uint32_t *places;  // of each node 1 added to where it is kept; 0: it is as it was; NULL: all
    size_t node_count; // that there were; 0: the search is not held
    AstarGraphNode *nodes; // whose blocks begin where they do in 'arcs'
    size_t count, capacity;
    AstarGraphArc *arcs;
    size_t arc_count, arc_capacity;
} AstarKeptNodes;

size_t astar_kept_bytes(const AstarKeptNodes *kept);

// A node is about to be edited: each search that is held keeps it as it is, or ends for want of
// memory.
void astar_graph_keep_node(AstarGraph *graph, uint32_t node);
// The same of a node and all that arcs join it to.
void astar_graph_keep_around(AstarGraph *graph, uint32_t node);

// What a search knows of a node it has reached: the cheapest way yet. Stamped with the search it is
// of, so that nothing is cleared in between.
typedef struct AstarRecord {
    double g;
    uint32_t parent;
    uint32_t stamp; // twice the search's number, and 1 once expanded
} AstarRecord;

typedef enum AstarGraphGoal {
    ASTAR_TO_NODE,
    ASTAR_TO_NEAREST, // of a list
    ASTAR_TO_PASSING, // a test
    ASTAR_TO_ALL,     // within max_cost
} AstarGraphGoal;

typedef enum AstarEstimateKind {
    ASTAR_NO_ESTIMATE, // Dijkstra's algorithm
    ASTAR_BY_POSITION,
    ASTAR_BY_LANDMARKS, // and by positions
    ASTAR_BY_HOST,
} AstarEstimateKind;

// A goal of a list, or a node with a way out of the graph, and what that costs.
typedef struct AstarListed {
    uint32_t node;
    uint32_t index;
    double cost;
} AstarListed;

// Where a search is to lead.
typedef struct AstarGraphAim {
    AstarGraphGoal kind;
    AstarEstimateKind estimate;
    uint32_t start, goal; // the goal of ASTAR_TO_NODE; of a joined one the node beyond all others
    double x, y;          // of the goal, NAN: nowhere
    double scale;         // what a unit of length costs at least
    AstarNodeTest test;
    bool reopens; // what was expanded, even where 'weight' is above 1
} AstarGraphAim;

typedef struct AstarGraphFound {
    uint32_t node; // where the path ends
    size_t index;
    bool is_partial;
    uint32_t nearest; // to the goal, of all that were expanded; ASTAR_NO_NODE for none
    double distance;  // of that
} AstarGraphFound;

struct AstarGraphSearch {
    AstarGraph *graph; // retained, unless the search rests
    AstarAllocator alloc;
    AstarGraphOptions options;
    AstarGraphQuestion question;
    AstarStatus status;
    uint64_t version; // of the graph when it began
    uint64_t expanded;

    AstarRecord *records;
    double *estimates; // the host's, by node
    size_t record_capacity, estimate_capacity;
    uint32_t epoch;
    AstarHeap open;
    AstarKeys states; // of a space
    AstarMove growth; // of one of these arrays, in bytes
    uint32_t current; // the node being expanded, ASTAR_NO_NODE for none
    bool is_tested;   // and it is no goal

    AstarGraphAim aim;
    struct {
        AstarListed *items; // goals or ways out, in the order of their nodes
        size_t count, capacity;
    } listed;
    struct {
        uint32_t *nodes; // of ASTAR_TO_ALL as they were expanded
        size_t count, capacity;
    } order;
    bool was_cut; // by max_cost
    AstarGraphFound found;

    AstarKeptNodes kept; // of the graph as it was when it began
    AstarGraphSearch *next_held;
};

static inline bool astar_is_held(const AstarGraphSearch *search)
{
    return search->kept.node_count > 0;
}

// Whether nodes were edited since.
static inline bool astar_is_frozen(const AstarGraphSearch *search)
{
    return search->kept.places != NULL;
}

const AstarGraphNode *astar_node_frozen(const AstarGraphSearch *search, uint32_t node);
// A node as the search is to see it.
static inline const AstarGraphNode *astar_node_seen(const AstarGraphSearch *search, uint32_t node)
{
    return astar_is_frozen(search) ? astar_node_frozen(search, node) : &search->graph->nodes[node];
}

// Its arcs.
const AstarGraphArc *astar_arcs_seen(const AstarGraphSearch *search, uint32_t node);

static inline bool astar_is_seen(const AstarGraphSearch *search, uint32_t node)
{
    return search->records[node].stamp >> 1 == search->epoch;
}

// Whether a way to a node at this cost may be worth noting.
static inline bool astar_improves(const AstarGraphSearch *search, uint32_t to, double g)
{
    const AstarRecord *record = &search->records[to];
    if (record->stamp >> 1 != search->epoch)
        return true;
    return g < record->g &&
           !(record->stamp & 1 && search->question.weight > 1 && !search->aim.reopens);
}

// Notes a way to a node; ASTAR_NO_MEMORY, and nothing noted, or ASTAR_GRID_CHANGED by the host's
// estimate. '*is_better', unless NULL, tells whether it is the cheapest yet.
AstarStatus astar_graph_relax(AstarGraphSearch *search, uint32_t from, uint32_t to, double g,
                              void *context, bool *is_better);
// Makes room for a number of nodes.
bool astar_graph_make_room(AstarGraphSearch *search, size_t count);
// Between two expansions: grows an array that is nearly full by a part. ASTAR_OK where there is
// none, ASTAR_RUNNING where there may be more to do, ASTAR_NO_MEMORY.
AstarStatus astar_graph_grow_ahead(AstarGraphSearch *search);

// A straight distance is rounded, and so is the least cost per length: by this much estimates stay
// below what both would be exactly, so that among costs that add up exactly none is missed.
#define ASTAR_ROUNDED_DOWN (1 - 1.0 / 17592186044416) // 2^-44

// ---- landmarks (graph_baking.c): distances between a few nodes and all others ----

typedef struct AstarGraphLandmarks {
    uint64_t openings;   // of the graph when its distances were measured
    uint32_t node_count; // of those there were
    int count;
    bool is_symmetric;   // every way back costs the same: there is no 'to'
    bool is_exact;       // no distance was rounded
    uint32_t *from, *to; // count for each node, side by side
} AstarGraphLandmarks;
// Frees a search, which nothing holds any more.
void astar_graph_search_destroy(AstarGraphSearch *search);

#endif
