// baking.h -- the state of a baking in steps, and its result.

#ifndef ASTAR_BAKING_H
#define ASTAR_BAKING_H

#include "base/archive.h"
#include "layers/landmarks.h"
#include "layers/walkable.h"
#include "parts/baking/baked_map.h"
#include "parts/baking/hierarchy.h"
#include "parts/baking/labels.h"
#include "parts/baking/subgoals.h"
#include "search/search.h"

typedef enum BakingPhase {
    BAKE_BEGIN,
    BAKE_COPY, // copy the walkable bits
    BAKE_SUBGOALS,
    BAKE_GRAPH,
    BAKE_ORDER, // the order of the hubs
    BAKE_LABELS,
    BAKE_HIERARCHY,
    BAKE_SIGHTS, // sights, for the kind of map that will be used
    BAKE_CLEAR,  // free parts that are no longer needed
    BAKE_MEASURE,
    BAKE_FINISH,
    BAKE_DONE
} BakingPhase;

// The order of the hubs, taken over from an earlier baking for the subgoals that still exist.
typedef struct AstarKeptOrder {
    AstarBakedMap *before; // retained while it is read
    uint8_t *is_old;       // for each subgoal, true if it was a hub before
    uint32_t *hubs;        // NULL: the order must be computed
    uint32_t capacity;     // number of subgoals
    uint32_t count, kept;  // hubs in the list, and the old ones among them
    uint32_t read, added;  // old hubs examined, and subgoals examined for new ones
} AstarKeptOrder;

struct AstarBaked {
    AstarFinder *finder;     // retained
    AstarWalkable *walkable; // retained once the baking has begun
    AstarBakingOptions options;
    AstarBakedFacts facts;
    BakingPhase phase, after; // 'after' is the phase that follows BAKE_CLEAR
    size_t most_bytes;
    AstarSubgoals *subgoals;
    AstarSubgoalGraph *graph;
    AstarLabelling *labelling;
    AstarContraction *contraction;
    AstarSights *sights;
    AstarLandmarkMaking *landmarks;
    AstarWorkspace *workspace; // for the sample of queries
    AstarSearch *search;       // the current query of the sample
    uint32_t sampled;
    double searched, read; // total work of the sample without and with the baked data
    AstarKeptOrder order;
    AstarBakedMap *map; // retained; once done, queries use it until another map replaces it
    uint32_t bakings;   // the finder's count of bakings when it got the landmarks of this one
    uint64_t version;   // version of the grid when the baking began
    bool is_twin;       // true if a worker runs it: queries do not use its result
};

// Takes over the order of the hubs from the baked map in use, if there is one. New subgoals are put
// at its end. Leaves 'hubs' NULL if too many subgoals are new. Returns ASTAR_RUNNING if the work
// budget is used up first.
AstarStatus astar_baking_keep_order(AstarBaked *baked, int64_t *work);
void astar_baking_drop_order(AstarBaked *baked);
// Computes facts.gain by a sample of queries. Returns ASTAR_RUNNING if the work budget is used up
// first.
AstarStatus astar_baking_measure_gain(AstarBaked *baked, int64_t *work);
// Makes the baked or loaded data available to queries. These data replace the data that queries
// used before.
void astar_baking_put_in_force(AstarBaked *baked);
// Returns true if the finder still has the landmarks of this baking, and they are valid.
bool astar_baked_has_landmarks(const AstarBaked *baked);

// The functions below give a finder its landmarks: measured in steps, loaded, or measured by
// another thread. astar_finder_bake measures them in one call.

// Continues to measure landmarks for a finder. When they are complete, they replace the finder's
// landmarks. Landmarks whose gain is below 'least' are not kept. Returns ASTAR_RUNNING if the work
// budget is used up first. '*making' must be NULL at the first call; the caller frees it.
AstarStatus astar_finder_advance_landmarks(AstarFinder *finder, int count, double least,
                                           AstarLandmarkMaking **making, int64_t *work,
                                           AstarBaking *out);
// Loads landmarks, whose head has been read from the archive, into a finder that is up to date. On
// ASTAR_BAD_DATA stores the reason in '*why' and leaves the finder unchanged.
AstarStatus astar_finder_load_landmarks(AstarFinder *finder, AstarArchive *archive,
                                        const char **why);
// Brings a finder up to date and copies to it the landmarks of 'twin', a worker's finder on a copy
// of the map. Sets '*taken' to false if 'twin' has none or they do not fit; the finder then keeps
// the landmarks that it had.
AstarStatus astar_finder_take_landmarks(AstarFinder *finder, const AstarFinder *twin, bool *taken);

// Returns true if another thread can run this baking, which is possible as long as the baking has
// not begun.
bool astar_baking_may_have_twin(const AstarBaked *baked);
AstarFinder *astar_baking_finder(const AstarBaked *baked);
// Creates the baking that a worker runs in place of another one, for a finder on a copy of the map.
// The new baking runs in steps like any baking, but queries do not use its result.
AstarStatus astar_baking_twin(AstarFinder *finder, const AstarBakingOptions *options,
                              AstarBaked **out);
const AstarBakingOptions *astar_baking_options(const AstarBaked *baked);
// Takes over the result of the worker's baking 'twin', once it is complete, and makes it available
// to queries. Returns ASTAR_RUNNING, and changes nothing, if the result cannot be taken over.
AstarStatus astar_baking_adopt(AstarBaked *baked, AstarBaked *twin);

#endif
