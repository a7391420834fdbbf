// baked_map.h -- what baking leaves of a map, and whether it still holds.
//
// It belongs to the walkable bits that it was made of, by rule and cost ratio, and so to every
// finder that these fit. It is of the map as it was. Where walls were put up since, a route that is
// still whole, or can be made so without costing more, is still a best one, for no other can have
// become shorter; once a cell is free that was not, none is known to be, until that cell is closed
// again.

#ifndef ASTAR_BAKED_MAP_H
#define ASTAR_BAKED_MAP_H

#include "derived/baked_head.h"
#include "derived/hierarchy.h"
#include "derived/labels.h"
#include "derived/subgoals.h"
#include "derived/walkable.h"

// sights.c: the subgoals that each cell sees, worked out beforehand.

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

typedef struct AstarBakedMap {
    struct AstarBakedMap *next; // of the same bits
    ASTAR_ATOMIC(uint32_t)
    references; // one of the bits, while it is in force; what made it has one
    uint32_t straight, diagonal;
    int near;                  // goals within so many cells along both axes are left to a search
    AstarSubgoals *subgoals;   // their rule, too, is the map's
    AstarLabels *labels;       // either these
    AstarHierarchy *hierarchy; // or that
    AstarSights *sights;       // NULL: they would take too many bytes
    struct AstarBakedMap *of;  // whose these are, retained; NULL: its own
    ASTAR_ATOMIC(uint64_t) version; // of the grid, when the rest was last looked at
    ASTAR_ATOMIC(size_t) opened;    // a word of the bits in which a cell is free that was not;
    ASTAR_ATOMIC(size_t) closed;    // in which one is not that was; SIZE_MAX: none
} AstarBakedMap;

// Takes subgoals, which are freed with it, as are the labels or the hierarchy it is given then.
AstarStatus astar_baked_map_new(const AstarGrid *grid, uint32_t straight, uint32_t diagonal,
                                AstarSubgoals *subgoals, AstarBakedMap **out);
// Gives a reference back; NULL is fine.
void astar_baked_map_release(const AstarGrid *grid, AstarBakedMap *map);
size_t astar_baked_map_bytes(const AstarBakedMap *map);

// What is baked of bits by a rule and a ratio; NULL: nothing.
AstarBakedMap *astar_baked_map_of(const AstarWalkable *walkable, AstarDiagonals diagonals,
                                  uint32_t straight, uint32_t diagonal);
// Puts it, NULL for nothing, in the place of what there was; that counts a reference.
void astar_baked_map_put(const AstarGrid *grid, AstarWalkable *walkable, AstarDiagonals diagonals,
                         uint32_t straight, uint32_t diagonal, AstarBakedMap *map);

// Frees all that is baked of bits.
void astar_baked_maps_free(const AstarGrid *grid, AstarWalkable *walkable);

// Puts in force of a copy of a grid, that is locked, what is of the grid; nothing is copied.
AstarStatus astar_baked_maps_follow(AstarGrid *replica, const AstarGrid *grid);

typedef enum AstarBakedState {
    ASTAR_BAKED_SAME,   // the map is as it was
    ASTAR_BAKED_CLOSED, // some cells are no longer free
    ASTAR_BAKED_OPENED, // some are free that were not
} AstarBakedState;

// Whether it is what questions about the bits ask.
bool astar_baked_map_is_in_force(const AstarWalkable *walkable, const AstarBakedMap *map);
// What has become of the map; the bits are current.
AstarBakedState astar_baked_map_state(const AstarGrid *grid, const AstarWalkable *walkable,
                                      AstarBakedMap *map);

// baked_file.c: labels and hierarchies as bytes.

// Saves a map.
void astar_baked_map_save(const AstarBakedMap *map, AstarArchive *archive);
// The map that is saved behind a head that fits these walkable bits, all of it checked: a route by
// it is free, and made of the steps it is said to be, whatever the bytes are. ASTAR_BAD_DATA where
// they are not such data.
AstarStatus astar_baked_map_load(const AstarGrid *grid, const AstarWalkable *walkable,
                                 const AstarBakedHead *head, AstarArchive *archive,
                                 AstarBakedMap **out);

#endif
