// baking.h -- a baking in steps, and its facts.

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
    BAKE_COPY, // the walkable bits
    BAKE_SUBGOALS,
    BAKE_GRAPH,
    BAKE_ORDER, // of the hubs
    BAKE_LABELS,
    BAKE_HIERARCHY,
    BAKE_SIGHTS, // of what comes into force
    BAKE_CLEAR,  // away what is done with
    BAKE_MEASURE,
    BAKE_FINISH,
    BAKE_DONE
} BakingPhase;

// The order that hubs had before, taken over for the subgoals that are left.
typedef struct AstarKeptOrder {
    AstarBakedMap *before; // retained while it is read
    uint8_t *is_old;       // of each subgoal, whether it was a hub before
    uint32_t *hubs;        // NULL: the order is to be found
    uint32_t capacity;     // for each of the subgoals
    uint32_t count, kept;  // hubs, and of those the old ones
    uint32_t read, added;  // hubs of before, and subgoals, that were looked at
} AstarKeptOrder;

struct AstarBaked {
    AstarFinder *finder;     // retained
    AstarWalkable *walkable; // retained once baking has begun
    AstarBakingOptions options;
    AstarBakedFacts facts;
    BakingPhase phase, after; // that comes after what is cleared away
    size_t most_bytes;
    AstarSubgoals *subgoals;
    AstarSubgoalGraph *graph;
    AstarLabelling *labelling;
    AstarContraction *contraction;
    AstarSights *sights;
    AstarLandmarkMaking *landmarks;
    AstarWorkspace *workspace; // for a sample of questions
    AstarSearch *search;       // the one being asked
    uint32_t sampled;
    double searched, read; // work in all, without what was baked and with it
    AstarKeptOrder order;
    AstarBakedMap *map; // retained; in force once it is done, until something else is
    uint32_t bakings;   // of the finder, when it had landmarks of this one
    uint64_t version;   // of the grid, when it was begun
    bool is_twin;       // nothing of it comes into force
};

// Takes the order of the hubs over from what is in force, if anything is, the subgoals that are new
// at its end; none where too many are new. ASTAR_RUNNING where the work is used up before.
AstarStatus astar_baking_keep_order(AstarBaked *baked, int64_t *work);
void astar_baking_drop_order(AstarBaked *baked);
// Works out facts.gain by a sample of questions. ASTAR_RUNNING where the work is used up before.
AstarStatus astar_baking_measure_gain(AstarBaked *baked, int64_t *work);
// Puts what was baked, or loaded, in the place of what was before.
void astar_baking_put_in_force(AstarBaked *baked);
// Whether the finder still has the landmarks of this, and they tell something.
bool astar_baked_has_landmarks(const AstarBaked *baked);

// A finder's landmarks, measured a part at a time, saved before, or measured by
// another thread. astar_finder_bake measures them at once.

// Measures on what is to be in the place of a finder's landmarks, and then puts it there.
// ASTAR_RUNNING where the work is used up before; '*making', NULL at first, is the caller's to
// free.
AstarStatus astar_finder_advance_landmarks(AstarFinder *finder, int count,
                                           AstarLandmarkMaking **making, int64_t *work,
                                           AstarBaking *out);
// Gives a finder that is up to date the landmarks of what follows a head. ASTAR_BAD_DATA, and why,
// leaves it as it was.
AstarStatus astar_finder_load_landmarks(AstarFinder *finder, AstarArchive *archive,
                                        const char **why);
// Gives a finder those of another, on a copy of its map, brought up to date; '*taken' is false
// where there are none, or that cannot be, and the finder has what it had.
AstarStatus astar_finder_take_landmarks(AstarFinder *finder, const AstarFinder *twin, bool *taken);

// Whether another thread can bake in place of this: it has not begun.
bool astar_baking_may_have_twin(const AstarBaked *baked);
AstarFinder *astar_baking_finder(const AstarBaked *baked);
// Begins a twin by a finder of a copy of the map: made by steps as any, but nothing of it is put in
// force.
AstarStatus astar_baking_twin(AstarFinder *finder, const AstarBakingOptions *options,
                              AstarBaked **out);
const AstarBakingOptions *astar_baking_options(const AstarBaked *baked);
// Puts in force what a twin has left, once done. ASTAR_RUNNING, and all is as it was, where that
// cannot be.
AstarStatus astar_baking_adopt(AstarBaked *baked, AstarBaked *twin);

#endif
