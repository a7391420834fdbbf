// labels.h -- hub labels over subgoals: they give the distance of any two subgoals, and a best
// route, without a search.
//
// The label of a subgoal lists hubs, the distance to each hub, and the next subgoal on the path to
// that hub; see labels.c. Two subgoals that are connected share a hub that lies on a best path
// between them. If several consecutive paths form a single path of two legs, the next subgoal is
// the end of the last of these paths, so that a route is read in few steps.

#ifndef ASTAR_LABELS_H
#define ASTAR_LABELS_H

#include "base/alloc.h"
#include "layers/jump_bits.h"
#include "layers/jump_turns.h"
#include "openlist/heap64.h"
#include "parts/baking/subgoals.h"

// The path to a hub is stored in 32 bits: the low bits are the next subgoal on the path, the high
// bits are the index of the same hub in that subgoal's label.
enum { ASTAR_WAY_BITS = 22, ASTAR_LONGEST_LABEL = 1 << (32 - ASTAR_WAY_BITS) };
#define ASTAR_MOST_SUBGOALS (UINT32_C(1) << ASTAR_WAY_BITS)

typedef struct AstarLabelEntry {
    uint32_t hub, distance, way;
} AstarLabelEntry;

// A part of a label that is being built. Parts are never moved: a label that needs more room gets
// another part.
typedef struct AstarLabelPart {
    struct AstarLabelPart *next;
    uint32_t count, capacity;
    AstarLabelEntry entries[];
} AstarLabelPart;

typedef struct AstarGrowingLabel {
    AstarLabelPart *first, *last;
    uint32_t count; // number of entries
} AstarGrowingLabel;

typedef struct AstarReached {
    uint32_t distance; // UINT32_MAX: not reached
    uint32_t parent, hops;
} AstarReached;

typedef struct AstarPrunedSearch {
    const AstarSubgoalGraph *graph;
    uint32_t count;            // number of subgoals
    uint32_t emptied;          // subgoals initialized so far
    AstarGrowingLabel *labels; // one per subgoal
    AstarArena arena;          // memory of all entries
    uint32_t *hubs;            // number of each subgoal as a hub; UINT32_MAX: not a hub yet
    uint64_t entries;
    // The fields from here on are for the current search.
    uint32_t root;
    uint32_t *spread;      // the root's label, by hub; UINT32_MAX: not in it
    AstarReached *reached; // what the search knows of each subgoal
    uint32_t *touched;     // numbers of the subgoals reached
    uint32_t touched_count;
    AstarHeap64 open;
} AstarPrunedSearch;

// Initializes the search that builds labels. Returns ASTAR_BAD_OPTION if there are too many
// subgoals.
AstarStatus astar_pruned_search_init(AstarPrunedSearch *search, const AstarSubgoalGraph *graph);
// Initializes the arrays of the search, before the search reads any of them. Returns false if the
// work budget is used up first.
bool astar_pruned_search_empty(AstarPrunedSearch *search, int64_t *work);
void astar_pruned_search_destroy(AstarPrunedSearch *search);
// Starts a search from a subgoal that is not a hub yet. The subgoal becomes the hub number 'hub'.
AstarStatus astar_pruned_search_begin(AstarPrunedSearch *search, uint32_t root, uint32_t hub);
// Continues the current search. Returns ASTAR_RUNNING if the work budget is used up first,
// ASTAR_BAD_COST if a label or a distance gets too long.
AstarStatus astar_pruned_search_advance(AstarPrunedSearch *search, int64_t *work);

// The words that store the label of a subgoal: first 'count' hubs in rising order, then 'count'
// distances, then 'count' next subgoals.
typedef struct AstarLabelAt {
    uint32_t at; // index of its first word
    uint32_t count;
    uint32_t ways;  // index of the first word of its next subgoals
    uint32_t place; // cell of the subgoal, see subgoals.h
} AstarLabelAt;

typedef struct AstarLabels {
    AstarAllocator allocator;
    uint32_t count; // number of subgoals
    bool wide;      // true if a hub takes a word, false if half a word
    AstarLabelAt *labels;
    uint32_t *words; // all labels
    size_t word_count;
    uint32_t *order;  // the subgoal of each hub
    uint32_t longest; // entries of the longest label
} AstarLabels;

static inline size_t astar_hub_words(bool wide, uint32_t count)
{
    return wide ? count : (count + 1) / 2;
}

ASTAR_SPECIALIZE uint32_t astar_hub_at(const uint32_t *label, bool wide, uint32_t index)
{
    return wide ? label[index] : ((const uint16_t *)label)[index];
}

static inline void astar_hub_put(uint32_t *label, bool wide, uint32_t index, uint32_t hub)
{
    if (wide)
        label[index] = hub;
    else
        ((uint16_t *)label)[index] = (uint16_t)hub;
}

static inline AstarLabelAt astar_label_at(bool wide, size_t at, uint32_t count, uint32_t place)
{
    return (AstarLabelAt){(uint32_t)at, count,
                          (uint32_t)(at + astar_hub_words(wide, count) + count), place};
}

// Return the next subgoal on the path to a hub, and the index of the same hub in that subgoal's
// label.
static inline uint32_t astar_way_subgoal(uint32_t way)
{
    return way & (ASTAR_MOST_SUBGOALS - 1);
}

static inline uint32_t astar_way_place(uint32_t way)
{
    return way >> ASTAR_WAY_BITS;
}

// Returns true if each hub takes a word when there are 'count' subgoals; otherwise a hub takes half
// a word.
static inline bool astar_is_wide(uint32_t count)
{
    return count > 1 << 16;
}

void astar_labels_free(AstarLabels *labels);
size_t astar_labels_bytes(const AstarLabels *labels);
// Allocates labels of 'words' words for 'count' subgoals. Returns NULL if there is no memory.
AstarLabels *astar_labels_alloc(const AstarAllocator *allocator, uint32_t count, size_t words);

// The state of building labels.
typedef struct AstarLabelling {
    AstarPrunedSearch search;
    const uint32_t *order; // order of the hubs
    uint64_t most_entries;
    uint32_t hub; // the next hub
    bool is_labelling;
    uint32_t measured, laid_out, lengthened; // labels done in each part
    size_t words;                            // words of the labels stored so far
    AstarLabels *made;
} AstarLabelling;

// Starts to build labels of at most 'bytes' bytes for the subgoals of a graph. The subgoals become
// hubs in the given order. Returns ASTAR_BAD_OPTION if there are too many subgoals.
AstarStatus astar_labelling_new(const AstarSubgoalGraph *graph, const uint32_t *order, size_t bytes,
                                AstarLabelling **out);
// Continues to build labels. Returns ASTAR_RUNNING if the work budget is used up first,
// ASTAR_TOO_LARGE once the labels exceed their maximum of bytes, ASTAR_BAD_COST if a label or a
// distance is too long to be stored.
AstarStatus astar_labelling_advance(AstarLabelling *labelling, int64_t *work);
// Returns the finished labels and passes their ownership to the caller.
AstarLabels *astar_labelling_take(AstarLabelling *labelling);
// Frees those parts of the building that take long to free. Returns false if the work budget is
// used up first. Building cannot be continued afterwards.
bool astar_labelling_clear(AstarLabelling *labelling, int64_t *work);
void astar_labelling_free(AstarLabelling *labelling);

#endif
