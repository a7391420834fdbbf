// baked_file.h -- baked maps as bytes.

#ifndef ASTAR_BAKED_FILE_H
#define ASTAR_BAKED_FILE_H

#include "derived/baked_map.h"

// What baked data must be of.
typedef struct AstarBakedKey {
    AstarDiagonals diagonals;
    int32_t size; // of the unit
    uint32_t straight, diagonal;
} AstarBakedKey;

// Writes a map, and beside it what it gains. Returns how many bytes there are; those that do not
// fit into 'capacity' are left out.
size_t astar_baked_map_save(const AstarBakedMap *map, int32_t size, double gain, void *bytes,
                            size_t capacity);
// The map of saved bytes, which must be of these walkable bits, all of it checked: a route by it is
// free, and made of the steps it is said to be, whatever the bytes are. ASTAR_BAD_DATA, and why,
// where they are not such data.
AstarStatus astar_baked_map_load(const AstarGrid *grid, const AstarWalkable *walkable,
                                 AstarBakedKey key, const void *bytes, size_t length,
                                 const char **why, double *gain, AstarBakedMap **out);

#endif
