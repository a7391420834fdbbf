// sights.h -- the subgoals that each cell sees, worked out beforehand.
//
// What a scan from a cell finds is the same for most of its neighbors: lists of subgoals are kept,
// and each row tells from where on which list holds. A list is read in a small part of the time of
// the scans, and in a few lines of memory that lie side by side.

#ifndef ASTAR_SIGHTS_H
#define ASTAR_SIGHTS_H

#include "derived/subgoals.h"

// 64 cells of a row.
typedef struct AstarSightWord {
    uint64_t turns; // cells from which on another list holds
    uint32_t at;    // of as many words, where the list of each lies
} AstarSightWord;

// A list: the count, then subgoals as hubs are in a label.
typedef struct AstarSights {
    AstarAllocator allocator;
    bool wide;     // a subgoal takes a word, else half of one
    size_t stride; // of rows
    size_t count;  // of 'cells'
    AstarSightWord *cells;
    uint32_t **pages; // of words, which are told by page and place
    size_t page_capacity;
    uint32_t page_count, used; // the latter words of the last page
    uint32_t last;             // words that it has room for
    size_t next;               // of 'cells': how far building has come
    AstarRouteEnd end;         // to build by
    uint32_t *recent;          // lists written last, by a hash; to build by
} AstarSights;

enum { ASTAR_SIGHT_PAGE_BITS = 13, ASTAR_SIGHT_PAGE = 1 << ASTAR_SIGHT_PAGE_BITS };

AstarStatus astar_sights_new(const AstarSubgoals *subgoals, AstarSights **out);
// Builds on; ASTAR_RUNNING where the work is used up before, ASTAR_TOO_LARGE where they would take
// more bytes.
AstarStatus astar_sights_advance(AstarSights *sights, const AstarSubgoalScan *scan,
                                 size_t most_bytes, int64_t *work);
// Frees what takes long to free; false where the work is used up before. It is then done with.
bool astar_sights_clear(AstarSights *sights, int64_t *work);
void astar_sights_free(AstarSights *sights);
size_t astar_sights_bytes(const AstarSights *sights);

static inline const uint32_t *astar_sight_words(const AstarSights *sights, uint32_t at)
{
    return sights->pages[at >> ASTAR_SIGHT_PAGE_BITS] + (at & (ASTAR_SIGHT_PAGE - 1));
}

// The list of a free cell; coordinates count the border.
static inline const uint32_t *astar_sight_list(const AstarSights *sights, int x, int y)
{
    const AstarSightWord *word = &sights->cells[(size_t)y * sights->stride + ((size_t)x >> 6)];
    uint64_t before = word->turns & ~(uint64_t)0 >> (63 - (x & 63));
    uint32_t number = astar_count_bits(before) - 1;
    return astar_sight_words(sights, astar_sight_words(sights, word->at)[number]);
}

// Looks around from a cell by them, as both scans do.
void astar_sights_look(const AstarSights *sights, const AstarSubgoalScan *scan, AstarRouteEnd *end,
                       int x, int y, int other_x, int other_y);

#endif
