// baked_map.h -- the result of baking a map, and whether it is still valid.
//
// A baked map belongs to the walkable bits that it was computed from, to a corner rule and to a
// ratio of costs. Every finder with the same bits, rule and ratio uses it. The baked map describes
// the map at the time of the baking. Suppose that cells were blocked after the baking. A baked
// route that is still free, or can be led around these cells at no extra cost, is still a best
// route, because no other route can have become shorter. If a cell that was blocked has become
// free, no baked route is known to be a best route until that cell is blocked again.

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
    struct AstarBakedMap *next; // next baked map of the same bits
    // The walkable bits hold one reference while queries use the map. The baking that made the map
    // holds another one.
    ASTAR_ATOMIC(uint32_t)
    references;
    uint32_t straight, diagonal;
    int near; // queries with a goal within so many cells along both axes are left to a search
    AstarSubgoals *subgoals;   // their corner rule is also that of the map
    AstarLabels *labels;       // labels, or NULL if there is a hierarchy
    AstarHierarchy *hierarchy; // a hierarchy, or NULL if there are labels
    AstarSights *sights;       // NULL: they would have taken too many bytes
    struct AstarBakedMap *of;  // the map that owns these parts, retained; NULL: this one
    ASTAR_ATOMIC(uint64_t)
    version;                     // version of the grid when the two fields below were last updated
    ASTAR_ATOMIC(size_t) opened; // index of a word of bits in which a blocked cell became free;
    ASTAR_ATOMIC(size_t) closed; // index of one in which a free cell became blocked; SIZE_MAX: none
};

// Creates a baked map of subgoals. The baked map owns the subgoals, and also the labels or the
// hierarchy that are stored in it later.
AstarStatus astar_baked_map_new(const AstarGrid *grid, uint32_t straight, uint32_t diagonal,
                                AstarSubgoals *subgoals, AstarBakedMap **out);
// Releases a reference to a baked map. NULL is allowed.
void astar_baked_map_release(const AstarGrid *grid, AstarBakedMap *map);
size_t astar_baked_map_bytes(const AstarBakedMap *map);

// Replaces the baked map that queries use by 'map', or by none if 'map' is NULL. Retains 'map'.
void astar_baked_map_put(const AstarGrid *grid, AstarWalkable *walkable, AstarDiagonals diagonals,
                         uint32_t straight, uint32_t diagonal, AstarBakedMap *map);

typedef enum AstarBakedState {
    ASTAR_BAKED_SAME,   // the map is as it was baked
    ASTAR_BAKED_CLOSED, // some free cells are now blocked, and none was opened
    ASTAR_BAKED_OPENED, // some blocked cells are now free
} AstarBakedState;

// Returns true if queries on these walkable bits use the baked map.
bool astar_baked_map_is_in_force(const AstarWalkable *walkable, const AstarBakedMap *map);
// Returns how the map has changed since the baking. The walkable bits must be up to date.
AstarBakedState astar_baked_map_state(const AstarGrid *grid, const AstarWalkable *walkable,
                                      AstarBakedMap *map);

// The functions below save and load baked maps as bytes.

// Saves a baked map.
void astar_baked_map_save(const AstarBakedMap *map, AstarArchive *archive);
// Loads a saved baked map, whose head has been read and fits these walkable bits, and checks all of
// it. Even if the bytes are forged, routes by the loaded map are free, and their costs are those of
// their steps. Returns ASTAR_BAD_DATA if the bytes are not a valid baked map.
AstarStatus astar_baked_map_load(const AstarGrid *grid, const AstarWalkable *walkable,
                                 const AstarBakedHead *head, AstarArchive *archive,
                                 AstarBakedMap **out);

#endif
