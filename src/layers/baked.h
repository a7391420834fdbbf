// baked.h -- what layers and searches call of the part baking, which make WITHOUT=baking leaves
// out.
//
// parts/baking/baked_map.c defines these functions. Each call of one stands behind
// ASTAR_HAS_BAKING.

#ifndef ASTAR_BAKED_H
#define ASTAR_BAKED_H

#include "layers/walkable.h"

typedef struct AstarBakedMap AstarBakedMap;

// Returns what is baked of walkable bits for a rule and a ratio of costs; NULL: nothing.
AstarBakedMap *astar_baked_map_of(const AstarWalkable *walkable, AstarDiagonals diagonals,
                                  uint32_t straight, uint32_t diagonal);
// Frees all that is baked of walkable bits.
void astar_baked_maps_free(const AstarGrid *grid, AstarWalkable *walkable);
// Returns how many bytes all that is baked of walkable bits takes.
size_t astar_baked_maps_bytes(const AstarWalkable *walkable);
// Gives a copy of a grid what is baked of the grid. The copy is locked; nothing is copied.
AstarStatus astar_baked_maps_follow(AstarGrid *replica, const AstarGrid *grid);

#endif
