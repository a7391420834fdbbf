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

#include <math.h>

// keys.c: what hosts call nodes, a hash table from keys to numbers, counted from 0 in order.

// A key as it is kept. A text lies in the table's own memory.
typedef struct AstarKey {
    uint64_t payload; // the bits of a number, or where a text begins
    uint32_t hash;
    uint32_t length; // of a text, and the kind in the lowest two bits
} AstarKey;

typedef struct AstarKeys {
    AstarKey *keys; // by number
    uint32_t count;
    size_t capacity;
    uint32_t *slots;   // open addressing: a number and 1, 0 where there is none
    size_t slot_count; // a power of two
    uint32_t *before;  // NULL, or the slots that numbers are moved out of
    size_t before_count, moved;
    uint32_t used; // slots: those of keys that were not taken out
    char *text;
    size_t text_length, text_capacity;
} AstarKeys;

void astar_keys_free(AstarKeys *keys, const AstarAllocator *allocator);
// Forgets all keys and keeps the memory.
void astar_keys_clear(AstarKeys *keys);
size_t astar_keys_bytes(const AstarKeys *keys);

// The number of a key, ASTAR_NO_NODE where it is not there.
uint32_t astar_keys_find(const AstarKeys *keys, const AstarName *key);
// Adds a key that is not there, as the next number; ASTAR_NO_NODE, and nothing changed, when there
// is no memory.
uint32_t astar_keys_add(AstarKeys *keys, const AstarAllocator *allocator, const AstarName *key);
// Takes a key out of the table; its number stays taken.
void astar_keys_remove(AstarKeys *keys, uint32_t number);
// What key a number has. A text stays where it is until a key is added.
AstarName astar_keys_get(const AstarKeys *keys, uint32_t number);
// Gives those numbers that 'renamed' has a new number for, each at most the old one and in the same
// order, that number; the others, ASTAR_NO_NODE there, are taken out already and forgotten.
void astar_keys_renumber(AstarKeys *keys, const uint32_t *renamed);

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

// Two nodes between which a way may have opened.
void astar_graph_components_join(AstarGraph *graph, uint32_t a, uint32_t b);
// A way may have closed.
void astar_graph_components_loosen(AstarGraph *graph);
void astar_graph_components_drop(AstarGraph *graph);
// A search without the host's word has expanded so many nodes and found no way.
void astar_graph_components_note_vain(AstarGraph *graph, uint64_t expanded);
// Whether it is known that no way leads from one node to another.
bool astar_graph_are_apart(AstarGraph *graph, uint32_t a, uint32_t b);

void astar_places_free(AstarGraph *graph);
void astar_graph_search_destroy(struct AstarGraphSearch *search);

#endif
