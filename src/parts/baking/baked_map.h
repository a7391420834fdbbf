// baked_map.h -- what baking leaves of a map, and whether it still holds.
//
// It belongs to the walkable bits that it was made of, by rule and cost ratio, and so to every
// finder that these fit. It is of the map as it was. Where walls were put up since, a route that is
// still whole, or can be made so without costing more, is still a best one, for no other can have
// become shorter; once a cell is free that was not, none is known to be, until that cell is closed
// again.

#ifndef ASTAR_BAKED_MAP_H
#define ASTAR_BAKED_MAP_H

#include "base/archive.h"
#include "base/bits.h"
#include "layers/baked.h"
#include "layers/baked_head.h"
#include "layers/walkable.h"
#include "parts/baking/hierarchy.h"
#include "parts/baking/labels.h"
#include "parts/baking/subgoals.h"

struct AstarBakedMap {
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
};

// Takes subgoals, which are freed with it, as are the labels or the hierarchy it is given then.
AstarStatus astar_baked_map_new(const AstarGrid *grid, uint32_t straight, uint32_t diagonal,
                                AstarSubgoals *subgoals, AstarBakedMap **out);
// Gives a reference back; NULL is fine.
void astar_baked_map_release(const AstarGrid *grid, AstarBakedMap *map);
size_t astar_baked_map_bytes(const AstarBakedMap *map);

// Puts it, NULL for nothing, in the place of what there was; that counts a reference.
void astar_baked_map_put(const AstarGrid *grid, AstarWalkable *walkable, AstarDiagonals diagonals,
                         uint32_t straight, uint32_t diagonal, AstarBakedMap *map);

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

// ---- labels and hierarchies as bytes ----

// Saves a map.
void astar_baked_map_save(const AstarBakedMap *map, AstarArchive *archive);
// The map that is saved behind a head that fits these walkable bits, all of it checked: a route by
// it is free, and made of the steps it is said to be, whatever the bytes are. ASTAR_BAD_DATA where
// they are not such data.
AstarStatus astar_baked_map_load(const AstarGrid *grid, const AstarWalkable *walkable,
                                 const AstarBakedHead *head, AstarArchive *archive,
                                 AstarBakedMap **out);

#endif
