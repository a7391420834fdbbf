// search_twin.h -- a search made by another thread, on a copy of its map.

#ifndef ASTAR_SEARCH_TWIN_H
#define ASTAR_SEARCH_TWIN_H

#include "search/search.h"

// What a search was asked, apart from it.
typedef struct AstarInquiry {
    int32_t sx, sy, gx, gy;
    AstarQuestion question;
    AstarCell *goals; // of a search for the nearest; NULL: it is none
    size_t goal_count;
    AstarPath path; // that is to be repaired; no cells: none is
    int from;
    bool optimal;
} AstarInquiry;

// Whether another thread can find its answer: it has none yet, and asks no function for goals.
bool astar_search_may_have_twin(const AstarSearch *search);
// Copies what it was asked.
AstarStatus astar_inquiry_new(const AstarSearch *search, const AstarAllocator *allocator,
                              AstarInquiry **out);
void astar_inquiry_free(AstarInquiry *inquiry, const AstarAllocator *allocator); // NULL is fine
// Asks it of a search that was taken for it, in steps.
AstarStatus astar_inquiry_begin(const AstarInquiry *inquiry, AstarSearch *twin);

// What came of a twin: the path, where it found one, is its taker's.
typedef struct AstarTwinAnswer {
    AstarStatus status;
    AstarPath path;
    size_t index; // of the goal it leads to, of several
    uint64_t expanded;
} AstarTwinAnswer;

// Has the search end with that; false, and nothing done, where it has ended, or that is no end.
bool astar_search_adopt(AstarSearch *search, AstarTwinAnswer *answer);

#endif
