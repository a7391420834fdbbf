// frozen.h -- a search made by another one on a copy of its map, by another thread as a rule.

#ifndef ASTAR_FROZEN_H
#define ASTAR_FROZEN_H

#include "finder/finder.h"
#include "search/search.h"

// What a search was asked, apart from it.
typedef struct AstarInquiry {
    int32_t sx, sy, gx, gy;
    AstarQuestion question;
    AstarCell *goals; // of a search for the nearest; NULL: it is none
    size_t goal_count;
    AstarGoalTest test; // the same in place of goals
    AstarPath path;     // that is to be repaired; no cells: none is
    int from;
    bool optimal;
} AstarInquiry;

// Whether another thread can find its answer: it has none yet, and asks no function for goals.
bool astar_search_may_have_twin(const AstarSearch *search);
// Copies what it was asked. What its steps are for can be told. After ASTAR_NO_MEMORY some of it
// is there, and to be freed.
AstarStatus astar_inquiry_note(AstarInquiry *inquiry, const AstarSearch *search,
                               const AstarAllocator *allocator);
void astar_inquiry_free(AstarInquiry *inquiry, const AstarAllocator *allocator);
// Asks it of a search that was taken for it, in steps, each of which may build 'at_once' besides.
AstarStatus astar_inquiry_begin(const AstarInquiry *inquiry, AstarSearch *twin, uint64_t at_once);
// Has astar_search_index tell one of the goals, which are to last as long as the search.
void astar_search_tell_goal_met(AstarSearch *search, const AstarCell *goals, size_t count,
                                size_t index);

// What came of a twin: the path, where it found one, is its taker's.
typedef struct AstarTwinAnswer {
    AstarStatus status;
    AstarPath path;
    size_t index; // of the goal it leads to, of several
    uint64_t expanded;
} AstarTwinAnswer;

// Has the search end with that; false, and nothing done, where it has ended, or that is no end.
bool astar_search_adopt(AstarSearch *search, AstarTwinAnswer *answer);

// baking.c: baking by another thread, on a copy of the map.

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
