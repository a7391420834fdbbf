// baked.h -- Functions of the part 'baking' that layers and searches call. 'make WITHOUT=baking'
// leaves the part out.
//
// The functions are defined in parts/baking/baked_map.c. Every call is guarded by ASTAR_HAS_BAKING.

#ifndef ASTAR_BAKED_H
#define ASTAR_BAKED_H

#include "layers/walkable.h"

typedef struct AstarBakedMap AstarBakedMap;

// Returns the data baked for 'walkable', a corner rule and the costs of straight and diagonal
// steps, or NULL if there are none.
AstarBakedMap *astar_baked_map_of(const AstarWalkable *walkable, AstarDiagonals diagonals,
                                  uint32_t straight, uint32_t diagonal);
// Frees all data baked for a bitmap of walkable cells.
void astar_baked_maps_free(const AstarGrid *grid, AstarWalkable *walkable);
// Returns the bytes of all data baked for a bitmap of walkable cells.
size_t astar_baked_maps_bytes(const AstarWalkable *walkable);
// Makes a snapshot of a grid share the data baked on the grid, without copying the data. The caller
// must have locked the snapshot.
AstarStatus astar_baked_maps_follow(AstarGrid *snapshot, const AstarGrid *grid);

#endif
