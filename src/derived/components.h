// components.h -- the connected components of a bitmap, kept current as bits flip.

#ifndef ASTAR_COMPONENTS_H
#define ASTAR_COMPONENTS_H

#include "base/bits.h"
#include "base/thread.h"

enum { ASTAR_TILE = 16 }; // cells a side

// The nodes of the cells of one tile stand together.
typedef struct AstarTile {
    uint32_t first;
    uint16_t count, capacity;
} AstarTile;

struct AstarComponentPatch;

typedef struct AstarComponents {
    AstarAllocator allocator;
    bool diagonal;            // cells also meet at corners
    ASTAR_ATOMIC(bool) stale; // to be rebuilt before it is asked
    int32_t width, height;
    uint32_t columns, rows; // of tiles
    uint8_t *local;         // of each set cell: which of its tile's nodes
    AstarTile *tiles;
    uint32_t *parent; // union-find over the nodes; of a root its rank, see components.c
    uint32_t node_count, node_capacity;
    struct AstarComponentPatch *patch; // of others, to which this adds; then it has no more
} AstarComponents;

AstarStatus astar_components_new(const AstarGrid *grid, bool diagonal, AstarComponents **out);
void astar_components_free(AstarComponents *components);
size_t astar_components_bytes(const AstarComponents *components);

// Rebuilds what an edit has left stale.
AstarStatus astar_components_update(AstarComponents *components, const AstarBits *bits);
// Takes note that the bit at (x, y) has flipped.
void astar_components_edited(AstarComponents *components, const AstarBits *bits, int x, int y);
// A number that set cells share exactly when a way leads from one to the other. The components
// must be current and the cell set.
uint32_t astar_components_label(const AstarComponents *components, int x, int y);

#endif
