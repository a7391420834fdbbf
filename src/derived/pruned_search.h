// pruned_search.h -- labels while they are made: searches from one subgoal after the other, each as
// far as those before do not tell the distance.
//
// Pruned landmark labelling (T. Akiba, Y. Iwata and Y. Yoshida, "Fast Exact Shortest-Path Distance
// Queries on Large Networks by Pruned Landmark Labeling", SIGMOD 2013). The subgoals become hubs in
// some order. A search from the next one stops at each subgoal to which two labels already tell so
// short a way; all others it reaches note hub and distance in their labels. Then the least sum over
// the hubs that two labels share is the distance of their subgoals.

#ifndef ASTAR_PRUNED_SEARCH_H
#define ASTAR_PRUNED_SEARCH_H

#include "base/alloc.h"
#include "derived/subgoals.h"
#include "openlist/heap64.h"

// A way is told by the next subgoal on it to the hub, and by the place of the same hub in that
// one's label, above.
enum { ASTAR_WAY_BITS = 22, ASTAR_LONGEST_LABEL = 1 << (32 - ASTAR_WAY_BITS) };
#define ASTAR_MOST_SUBGOALS (UINT32_C(1) << ASTAR_WAY_BITS)

typedef struct AstarLabelEntry {
    uint32_t hub, distance, way;
} AstarLabelEntry;

// Some entries of a label. It is never moved: what outgrows its memory takes more besides.
typedef struct AstarLabelPart {
    struct AstarLabelPart *next;
    uint32_t count, capacity;
    AstarLabelEntry entries[];
} AstarLabelPart;

typedef struct AstarGrowingLabel {
    AstarLabelPart *first, *last;
    uint32_t count; // entries
} AstarGrowingLabel;

typedef struct AstarReached {
    uint32_t distance; // UINT32_MAX: not reached
    uint32_t parent, hops;
} AstarReached;

typedef struct AstarPrunedSearch {
    const AstarSubgoalGraph *graph;
    uint32_t count;            // subgoals
    uint32_t emptied;          // of them, so far
    AstarGrowingLabel *labels; // of each
    AstarArena arena;          // their entries
    uint32_t *hubs;            // the number of each as a hub; UINT32_MAX: it is none yet
    uint64_t entries;
    // of the search under way
    uint32_t root;
    uint32_t *spread;      // the root's label, by hub; UINT32_MAX: not in it
    AstarReached *reached; // all that the search has reached
    uint32_t *touched;     // their numbers
    uint32_t touched_count;
    AstarHeap64 open;
} AstarPrunedSearch;

// ASTAR_BAD_OPTION where there are too many subgoals.
AstarStatus astar_pruned_search_init(AstarPrunedSearch *search, const AstarSubgoalGraph *graph);
// Writes what says that there is nothing yet, before anything is read; false where the work is used
// up before.
bool astar_pruned_search_empty(AstarPrunedSearch *search, int64_t *work);
void astar_pruned_search_destroy(AstarPrunedSearch *search);
// Frees what takes long to free; false where the work is used up before. It is then done with.
bool astar_pruned_search_clear(AstarPrunedSearch *search, int64_t *work);
// Begins a search from a subgoal that is no hub yet, as hub number 'hub'.
AstarStatus astar_pruned_search_begin(AstarPrunedSearch *search, uint32_t root, uint32_t hub);
// Goes on; ASTAR_RUNNING where the work is used up before its end. ASTAR_BAD_COST where a label
// gets too long, or a distance.
AstarStatus astar_pruned_search_advance(AstarPrunedSearch *search, int64_t *work);

#endif
