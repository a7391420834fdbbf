// component_tile.h -- the connected components inside one tile.

#ifndef ASTAR_COMPONENT_TILE_H
#define ASTAR_COMPONENT_TILE_H

#include "base/bits.h"
#include "base/directions.h"

enum {
    ASTAR_TILE = 16,         // cells a side
    ASTAR_NO_COMPONENT = 255 // of a cell that is not set
};

// Sides, as sets.
enum { ASTAR_WEST_SIDE = 1, ASTAR_EAST_SIDE = 2, ASTAR_NORTH_SIDE = 4, ASTAR_SOUTH_SIDE = 8 };

typedef struct AstarTileLabels {
    uint8_t cells[ASTAR_TILE][ASTAR_TILE]; // by row
    int open, count;                       // those below 'open' touch one of the sides
} AstarTileLabels;

// The directions in which cells meet others, by whether row and column are even or odd.
typedef struct AstarTileJoins {
    uint8_t sets[2][2];
    bool by_sides; // nothing but all that lies north and south
} AstarTileJoins;

// Numbers the components of the set bits, those first that touch one of these sides of a tile that
// has so many columns and rows inside the map.
void astar_tile_label(const uint16_t rows[ASTAR_TILE], const AstarTileJoins *joins, unsigned sides,
                      int width, int height, AstarTileLabels *labels);

#endif
