// hierarchy.h -- a contraction hierarchy over subgoals: smaller than labels, and a search of few
// nodes.
//
// R. Geisberger, P. Sanders, D. Schultes and D. Delling, "Contraction Hierarchies: Faster and
// Simpler Hierarchical Routing in Road Networks", WEA 2008; over subgoals: T. Uras and S. Koenig,
// "Identifying Hierarchies for Fast Optimal Search", AAAI 2014. Subgoals are taken out of the graph
// one by one, the least important first. An edge between two that are left replaces the way over
// each that is taken out, where no other is as short. What joins a subgoal to those taken out after
// it leads up; on some best way between any two subgoals all edges lead up first, then down.

#ifndef ASTAR_HIERARCHY_H
#define ASTAR_HIERARCHY_H

#include "base/alloc.h"
#include "openlist/heap64.h"
#include "parts/baking/subgoals.h"

typedef struct AstarUpEdge {
    uint32_t to, cost;
    uint32_t
        middle; // the subgoal taken out that it leads over; ASTAR_NO_SUBGOAL: a way of two legs
} AstarUpEdge;

typedef struct AstarHierarchy {
    AstarAllocator allocator;
    uint32_t count;     // subgoals
    uint32_t *first;    // the edges that lead up from each, to before the next's
    AstarUpEdge *edges; // 'first[count]' of them
} AstarHierarchy;

// Takes memory for so many edges; NULL: there is none.
AstarHierarchy *astar_hierarchy_alloc(const AstarAllocator *allocator, uint32_t count,
                                      uint32_t edges);
void astar_hierarchy_free(AstarHierarchy *hierarchy);
size_t astar_hierarchy_bytes(const AstarHierarchy *hierarchy);
// The edge between two subgoals, whichever of them it leads up from; NULL: there is none.
const AstarUpEdge *astar_hierarchy_edge(const AstarHierarchy *hierarchy, uint32_t a, uint32_t b);

// The edges of a subgoal among those that are left; once it is taken out, those that lead up.
typedef struct AstarContracted {
    AstarUpEdge *edges;
    size_t capacity;
    uint32_t count;
    uint32_t level; // one more than that of any subgoal taken out beside it
} AstarContracted;

// A hierarchy being made, or the order of its subgoals alone.
typedef struct AstarContraction {
    const AstarSubgoalGraph *graph;
    uint32_t count; // subgoals
    AstarContracted *subgoals;
    AstarArena arena; // all their edges
    uint64_t *queue;  // of those left, by priority
    uint32_t queued;
    uint32_t joined, judged, taken; // how far it has come
    uint32_t *order;                // of those taken out, the last one first; NULL: not wanted
    bool is_dense;                  // those left are taken out as they are queued
    uint64_t most_edges, edges;     // that lead up
    uint64_t ends; // of edges between those left, two each, all of which will lead up
    uint32_t laid_out, laid_edges;
    AstarHierarchy *made;
    // of the subgoal whose edges are being replaced, or whether they would have to be
    uint32_t replaced; // edges gone through
    uint32_t longest;  // of its edges
    uint32_t added;
    uint32_t leaving; // the one being taken out, no longer in the queue; ASTAR_NO_SUBGOAL: none
    // of the search for a way that is as short
    uint32_t *distances; // ASTAR_NO_SUBGOAL: not reached
    uint32_t *touched;
    uint32_t touched_count;
    AstarHeap64 open;
} AstarContraction;

// Begins to make a hierarchy over a graph, of at most so many bytes; of 0 bytes to put the subgoals
// in order: those first that lie on the most best ways. ASTAR_BAD_OPTION where there are too many.
AstarStatus astar_contraction_new(const AstarSubgoalGraph *graph, size_t bytes,
                                  AstarContraction **out);
// Goes on; ASTAR_RUNNING where the work is used up before. ASTAR_TOO_LARGE once it exceeds the
// bytes.
AstarStatus astar_contraction_advance(AstarContraction *contraction, int64_t *work);
// The hierarchy that is done, once.
AstarHierarchy *astar_contraction_take(AstarContraction *contraction);
// The order, once: memory for one more than the subgoals.
uint32_t *astar_contraction_take_order(AstarContraction *contraction);
// Frees what takes long to free; false where the work is used up before. It is then done with.
bool astar_contraction_clear(AstarContraction *contraction, int64_t *work);
void astar_contraction_free(AstarContraction *contraction);

#endif
