// labels.h -- hub labels over subgoals: the distance of any two, and a best route, without a
// search.
//
// The label of a subgoal names hubs, how far each is, and the next subgoal on the way there; see
// labels.c. Whichever two subgoals are joined by any way share a hub that lies on a best
// one. Where the straight and the diagonal leg of a way stand for several, one after the other, the
// next subgoal is the last of those, so that a route is gathered in few steps.

#ifndef ASTAR_LABELS_H
#define ASTAR_LABELS_H

#include "base/alloc.h"
#include "layers/jump_bits.h"
#include "layers/jump_turns.h"
#include "openlist/heap64.h"
#include "parts/baking/subgoals.h"

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
// Begins a search from a subgoal that is no hub yet, as hub number 'hub'.
AstarStatus astar_pruned_search_begin(AstarPrunedSearch *search, uint32_t root, uint32_t hub);
// Goes on; ASTAR_RUNNING where the work is used up before its end. ASTAR_BAD_COST where a label
// gets too long, or a distance.
AstarStatus astar_pruned_search_advance(AstarPrunedSearch *search, int64_t *work);

// The label of one subgoal: 'count' hubs in rising order, then as many distances, then ways.
typedef struct AstarLabelAt {
    uint32_t at; // its first word
    uint32_t count;
    uint32_t ways;  // the first word of those
    uint32_t place; // of the subgoal: see subgoals.h
} AstarLabelAt;

typedef struct AstarLabels {
    AstarAllocator allocator;
    uint32_t count; // subgoals
    bool wide;      // a hub takes a word, else half of one
    AstarLabelAt *labels;
    uint32_t *words; // of all labels
    size_t word_count;
    uint32_t *order;  // the subgoal that each hub is
    uint32_t longest; // label
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

// The next subgoal on a way, and the place of the same hub in its label.
static inline uint32_t astar_way_subgoal(uint32_t way)
{
    return way & (ASTAR_MOST_SUBGOALS - 1);
}

static inline uint32_t astar_way_place(uint32_t way)
{
    return way >> ASTAR_WAY_BITS;
}

// Whether hubs of so many subgoals take a word.
static inline bool astar_is_wide(uint32_t count)
{
    return count > 1 << 16;
}

void astar_labels_free(AstarLabels *labels);
size_t astar_labels_bytes(const AstarLabels *labels);
// Takes memory for labels of so many words; NULL: there is none.
AstarLabels *astar_labels_alloc(const AstarAllocator *allocator, uint32_t count, size_t words);

// Labels being made.
typedef struct AstarLabelling {
    AstarPrunedSearch search;
    const uint32_t *order; // of the hubs
    uint64_t most_entries;
    uint32_t hub; // the next one
    bool is_labelling;
    uint32_t measured, laid_out, lengthened; // labels
    size_t words;                            // that those laid out take
    AstarLabels *made;
} AstarLabelling;

// Begins to label the subgoals of a graph in an order, at most so many bytes. ASTAR_BAD_OPTION
// where there are too many subgoals.
AstarStatus astar_labelling_new(const AstarSubgoalGraph *graph, const uint32_t *order, size_t bytes,
                                AstarLabelling **out);
// Goes on; ASTAR_RUNNING where the work is used up before. ASTAR_TOO_LARGE once the labels exceed
// the bytes, ASTAR_BAD_COST where one of them cannot be written down.
AstarStatus astar_labelling_advance(AstarLabelling *labelling, int64_t *work);
// The labels that are done, once.
AstarLabels *astar_labelling_take(AstarLabelling *labelling);
// Frees what takes long to free; false where the work is used up before. It is then done with.
bool astar_labelling_clear(AstarLabelling *labelling, int64_t *work);
void astar_labelling_free(AstarLabelling *labelling);

#endif
