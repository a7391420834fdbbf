// frozen.h -- stepping a search, continuing it after edits, and running it on a snapshot of its
// map.

#ifndef ASTAR_FROZEN_H
#define ASTAR_FROZEN_H

#include "finder/finder.h"

typedef struct AstarInquiry AstarInquiry;

// How far the map had come when a search last looked; see frozen.c.
typedef struct AstarSeenMap {
    uint64_t grid, field, links_and_walls; // versions
    uint64_t tables;                       // of the finder
} AstarSeenMap;

// What the steps of a search are for, where that is more than the way to one goal: see nearest.c,
// repair.c.
typedef struct AstarContinuation {
    AstarStatus (*step)(AstarSearch *search, uint64_t expansions, void *context);
    void (*free)(AstarSearch *search);
    void (*anew)(
        AstarSearch *search); // after an edit that may have changed the answer, see frozen.c
    size_t bytes;             // of it and all that it owns
    // Tells what was asked, whose goals and path stay its own; NULL: that is not to be told.
    void (*tell)(const AstarSearch *search, AstarInquiry *inquiry);
} AstarContinuation;

// What a search was asked, apart from it.
struct AstarInquiry {
    int32_t sx, sy, gx, gy;
    AstarQuestion question;
    AstarCell *goals; // of a search for the nearest; NULL: it is none
    size_t goal_count;
    AstarGoalTest test; // the same in place of goals
    AstarPath path;     // that is to be repaired; no cells: none is
    int from;
    bool optimal;
};

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

// ---- continuing a search after edits ----

// Whether a search can go on, before a step of it: ASTAR_OK, ASTAR_GRID_CHANGED, or, which leave
// all as it was, ASTAR_NO_MEMORY and ASTAR_RUNNING, where the work is used up before that is known.
AstarStatus astar_resume(AstarSearch *search, int64_t *work);
// What the outcome of a step is worth after the edits there were.
AstarStatus astar_resume_trust(AstarSearch *search, AstarStatus status);

// The search that the steps of one are made by: it, or the one of the copy it is made on.
const AstarSearch *astar_search_searching(const AstarSearch *search);

#endif
