// hierarchy.h -- a contraction hierarchy over subgoals: it takes less memory than labels, and a
// query needs a search of few nodes.
//
// R. Geisberger, P. Sanders, D. Schultes and D. Delling, "Contraction Hierarchies: Faster and
// Simpler Hierarchical Routing in Road Networks", WEA 2008; over subgoals: T. Uras and S. Koenig,
// "Identifying Hierarchies for Fast Optimal Search", AAAI 2014. Subgoals are removed from the graph
// one by one, the least important first. If no other path is as short, a new edge between two
// neighbours replaces the path over the removed subgoal. An edge from a subgoal to a subgoal
// removed later is said to lead up. Between any two subgoals there is a best path that consists of
// edges that lead up, followed by edges that lead down.

#ifndef ASTAR_HIERARCHY_H
#define ASTAR_HIERARCHY_H

#include "base/alloc.h"
#include "openlist/heap64.h"
#include "parts/baking/subgoals.h"

typedef struct AstarUpEdge {
    uint32_t to, cost;
    // The removed subgoal that the edge leads over. ASTAR_NO_SUBGOAL: the edge is a path of two
    // legs.
    uint32_t middle;
} AstarUpEdge;

typedef struct AstarHierarchy {
    AstarAllocator allocator;
    uint32_t count;     // number of subgoals
    uint32_t *first;    // index of the first edge that leads up from each subgoal, and one more
    AstarUpEdge *edges; // 'first[count]' edges
} AstarHierarchy;

// Allocates a hierarchy of 'count' subgoals with 'edges' edges. Returns NULL if there is no memory.
AstarHierarchy *astar_hierarchy_alloc(const AstarAllocator *allocator, uint32_t count,
                                      uint32_t edges);
void astar_hierarchy_free(AstarHierarchy *hierarchy);
size_t astar_hierarchy_bytes(const AstarHierarchy *hierarchy);
// Returns the edge between two subgoals, from whichever of them the edge leads up. Returns NULL if
// there is no edge.
const AstarUpEdge *astar_hierarchy_edge(const AstarHierarchy *hierarchy, uint32_t a, uint32_t b);

// The edges of a subgoal to the subgoals that are not removed yet. Once the subgoal itself is
// removed, these are its edges that lead up.
typedef struct AstarContracted {
    AstarUpEdge *edges;
    size_t capacity;
    uint32_t count;
    uint32_t level; // 1 more than the greatest level of removed neighbours
} AstarContracted;

// A hierarchy being built, or only the order of its subgoals.
typedef struct AstarContraction {
    const AstarSubgoalGraph *graph;
    uint32_t count; // number of subgoals
    AstarContracted *subgoals;
    AstarArena arena; // memory of all edges
    uint64_t *queue;  // heap of the subgoals left, by priority
    uint32_t queued;
    uint32_t joined, judged, taken; // progress of the three parts
    uint32_t *order;                // the removed subgoals, the last one first; NULL: not wanted
    bool is_dense;                  // true if the rest is removed in the order of the queue
    uint64_t most_edges, edges;     // edges that lead up: the limit, and the number so far
    uint64_t ends; // ends of edges between subgoals left; each edge has two and will lead up
    uint32_t laid_out, laid_edges;
    AstarHierarchy *made;
    // The fields below describe the subgoal whose edges are being replaced, or counted for its
    // priority.
    uint32_t replaced; // edges done
    uint32_t longest;  // cost of its longest edge
    uint32_t added;
    uint32_t leaving; // the subgoal being removed, no longer in the queue; ASTAR_NO_SUBGOAL: none
    // The fields below are for the search for another path that is as short.
    uint32_t *distances; // ASTAR_NO_SUBGOAL: not reached
    uint32_t *touched;
    uint32_t touched_count;
    AstarHeap64 open;
} AstarContraction;

// Starts to build a hierarchy of at most 'bytes' bytes over a graph. If 'bytes' is 0, only orders
// the subgoals: subgoals that lie on many best paths come first. Returns ASTAR_BAD_OPTION if there
// are too many subgoals.
AstarStatus astar_contraction_new(const AstarSubgoalGraph *graph, size_t bytes,
                                  AstarContraction **out);
// Continues to build a hierarchy. Returns ASTAR_RUNNING if the work budget is used up first,
// ASTAR_TOO_LARGE once the hierarchy exceeds its maximum of bytes.
AstarStatus astar_contraction_advance(AstarContraction *contraction, int64_t *work);
// Returns the finished hierarchy and passes its ownership to the caller.
AstarHierarchy *astar_contraction_take(AstarContraction *contraction);
// Returns the order of the subgoals and passes its ownership to the caller. The array has room for
// one more entry than there are subgoals.
uint32_t *astar_contraction_take_order(AstarContraction *contraction);
// Frees those parts of a contraction that take long to free. Returns false if the work budget is
// used up first. The contraction cannot be continued afterwards.
bool astar_contraction_clear(AstarContraction *contraction, int64_t *work);
void astar_contraction_free(AstarContraction *contraction);

#endif
