// component_tile.h -- the connected components inside one tile.

#ifndef ASTAR_COMPONENT_TILE_H
#define ASTAR_COMPONENT_TILE_H

#include "base/bits.h"

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

// The cells of a row that also meet cells at their corners: a bit for each cell, by whether the
// row's number is even or odd and by the corner, clockwise from the one north-east.
typedef struct AstarTileCorners {
    uint16_t cells[2][4];
    bool any;
} AstarTileCorners;

// Numbers the components of the set bits, those first that touch one of these sides.
void astar_tile_label(const uint16_t rows[ASTAR_TILE], const AstarTileCorners *corners,
                      unsigned sides, AstarTileLabels *labels);

#endif
